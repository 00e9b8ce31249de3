"""A board in plain text, for mails: narrow enough for a phone, and read aloud in a sensible order."""

from collections.abc import Iterator, Mapping, Sequence

from casework.adapters.i18n import render
from casework.domain.bridge.auction import COLUMNS, Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.deal import Deal
from casework.domain.bridge.notation import SEATS, Language, Seat, Suit, Vulnerability
from casework.services.board_view import Cell, ClaimView, PlayedTrick, Recorded, board_view, drawn_auction
from casework.text import Text, t

_GAP = 2
_ROUND_TABLE = (Seat.north, Seat.west, Seat.east, Seat.south)
"""Hands in the order of the diagram, from above."""


def board_text(board: Board, language: str, signed_by: Mapping[str, Text] | None = None) -> str:
    """Dealer and zone, hands, auction with its footnotes, result: what is known of it, in the reader's language."""
    parts = [_heading(board, language), *_hands(board.deal, language)]
    if board.auction is not None:
        parts += _auction(board, board.auction, language)
    view = board_view(board, language, signed_by)
    if result := [line for line in (view.result, view.lead) if line]:
        parts.append(render(t("Result at the table"), language) + "\n" + _sentences(result, language))
    parts += [_play(view.play, language), *_claim(board, view.claim, language), *_oddities(view.irregular, language)]
    return "\n\n".join(part for part in parts if part)


_ZONES = {
    Vulnerability.none: t("Neither side is vulnerable."),
    Vulnerability.north_south: t("North–South are vulnerable."),
    Vulnerability.east_west: t("East–West are vulnerable."),
    Vulnerability.both: t("Both sides are vulnerable."),
}


def _heading(board: Board, language: str) -> str:
    number = [t("Board {number}.", number=board.number)] if board.number is not None else []
    dealer = t("{seat} is dealer.", seat=board.dealer.words)
    return _sentences([*number, dealer, _ZONES[board.vulnerability]], language)


def _hands(deal: Deal, language: str) -> Iterator[str]:
    spoken: Language = "sv" if language == "sv" else "en"
    for seat in _ROUND_TABLE:
        hand = deal.hand(seat)
        if hand is not None:
            suits = zip(Suit, hand.shown(spoken), strict=True)
            yield "\n".join([render(seat.words, language), *(f"{s.glyph} {' '.join(r) or '–'}" for s, r in suits)])


def _auction(board: Board, auction: Auction, language: str) -> Iterator[str]:
    drawn = drawn_auction(auction)
    seats = sorted(SEATS, key=lambda seat: COLUMNS.index(seat.value))
    zones = [t("vul") if board.vulnerability.covers(seat) else t("not vul") for seat in seats]
    rows = [
        [render(seat.words, language) for seat in seats],
        [render(zone, language) for zone in zones],
        *([_cell(cell) for cell in row] for row in drawn["rows"]),
    ]
    width = max(len(text) for row in rows for text in row) + _GAP
    yield "\n".join("".join(text.ljust(width) for text in row).rstrip() for row in rows)
    yield "\n".join(f"({n}) {_sentences(note, language)}" for n, note in enumerate(drawn["notes"], start=1))


def _play(tricks: Sequence[PlayedTrick], language: str) -> str:
    """A trick a line, each card after its seat; a star after the card that won."""
    if not tricks:
        return ""
    seats = [Seat(letter).letter("sv" if language == "sv" else "en") for letter in COLUMNS]
    lines = [render(t("The play (the card led in brackets, a star after the one that won):"), language)]
    for trick in tricks:
        cards = [
            f"{seat} {f'({card.text})' if card.led else card.text}{'*' if card.won else ''}"
            for seat, card in zip(seats, trick.cards, strict=True)
            if card.text
        ]
        lines.append(f"{trick.number}. {', '.join(cards)}")
    return "\n".join(lines)


def _claim(board: Board, claim: ClaimView | None, language: str) -> Iterator[str]:
    if claim is None:
        return
    yield _sentences([*claim.words], language)
    if left := board.remaining():
        yield render(t("Cards left at the claim"), language)
        yield from _hands(left, language)


def _oddities(rows: Sequence[Recorded], language: str) -> Iterator[str]:
    """What does not fit together first, then what stands with a reason."""
    for heading, found in (
        (t("Does not fit together, and no reason is given"), [row for row in rows if not row.reason]),
        (t("Does not fit together, and may stand so"), [row for row in rows if row.reason]),
    ):
        lines = [heading] if found else []
        for row in found:
            lines += [t("- {what}", what=odd) for odd in row.oddities]
            if row.reason:
                given = t("The reason: {reason}", reason=row.reason)
                lines.append(t("{reason} ({who})", reason=given, who=row.by) if row.by else given)
        yield "\n".join(render(line, language) for line in lines)


def _cell(cell: Cell | None) -> str:
    """A dash before the dealer; what was withdrawn stands in brackets before what was called instead."""
    if cell is None:
        return "–"
    return " ".join((f"[{c.text}]" if c.withdrawn else c.text) + (f" ({c.note})" if c.note else "") for c in cell.calls)


def _sentences(note: Sequence[Text], language: str) -> str:
    return " ".join(render(words, language) for words in note)

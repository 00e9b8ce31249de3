"""A board as the diagram and auction macros draw it, and its result in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from casework.domain.bridge.auction import COLUMNS, Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.call import Call
from casework.domain.bridge.contract import Contract
from casework.domain.bridge.deal import Deal
from casework.domain.bridge.notation import SEATS, Language, Vulnerability, card_name
from casework.domain.bridge.play import winner
from casework.domain.bridge.scoring.working import signed
from casework.text import Text, t

_DRAWN = {
    Vulnerability.none: "",
    Vulnerability.north_south: "NS",
    Vulnerability.east_west: "EW",
    Vulnerability.both: "NSEW",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedCard:
    """A card as drawn, "" where none is known; whether it was led, and whether it won."""

    text: str = ""
    led: bool = False
    won: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTrick:
    """A trick by its number; the four cards from West on, as an auction is written."""

    number: int
    cards: tuple[PlayedCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimView:
    """A claim in sentences, and the `diagram` of what remained, as macros/bridge.html takes it."""

    words: tuple[Text, ...]
    diagram: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What is odd about the board and stands all the same, with the one reason that was given for it, `by` whom.

    Without a reason it is not settled: a later entry contradicts an earlier one, and no ruling is told with it.
    """

    oddities: tuple[Text, ...]
    reason: str
    by: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """`diagram` and `auction` are what macros/bridge.html takes; either may be missing. `shape` is what both share."""

    number: int | None
    shape: dict[str, Any]
    diagram: dict[str, Any] | None
    auction: dict[str, Any] | None
    result: Text | None
    lead: Text | None
    play: tuple[PlayedTrick, ...]
    claim: ClaimView | None
    irregular: tuple[Recorded, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """One call as drawn; `note` is the number of its footnote."""

    text: str
    note: int | None
    withdrawn: bool


@dataclass(slots=True)
class Cell:
    """What one player called in a round: more than one call where something was withdrawn.

    A pause stands on amber (`marked`); what the laws do not allow is `irregular`.
    """

    calls: list[Called] = field(default_factory=list)
    marked: bool = False
    irregular: bool = False


def board_view(board: Board, language: str, signed_by: Mapping[str, Text] | None = None) -> BoardView:
    """The board in the reader's language; `signed_by`: by the field of a finding, who gave the reason for it."""
    spoken: Language = "sv" if language == "sv" else "en"
    known = dict(board.deal.known())
    shape = {"number": board.number or "", "dealer": board.dealer.value, "vulnerable": _DRAWN[board.vulnerability]}
    hands = _hands(board.deal, spoken)
    return BoardView(
        number=board.number,
        shape=shape,
        diagram=shape | {"hands": hands} if known else None,
        auction=shape | drawn_auction(board.auction) if board.auction else None,
        result=_result(board),
        lead=t("Lead: {card}.", card=card_name(board.lead, spoken)) if board.lead else None,
        play=tuple(_played(board, spoken)),
        claim=_claim(board, shape, spoken),
        irregular=tuple(_recorded(board, signed_by or {})),
    )


def _recorded(board: Board, signed_by: Mapping[str, Text]) -> Iterator[Recorded]:
    """By reason, each once. That the file had another number is not seen on the board itself."""
    if unsettled := board.open_findings():
        yield Recorded(oddities=tuple(finding.text for finding in unsettled), reason="")
    fields: dict[tuple[str, str], list[str]] = {}
    for name, reason in board.because.items():
        if reason.strip():
            fields.setdefault((reason, repr(signed_by.get(name))), []).append(name)
    found = board.findings() if fields else []
    for (reason, _), names in fields.items():
        odd = [each.text for each in found if each.field in names]
        if "number" in names:
            odd.insert(0, t("The file that the board was taken from has it under another number."))
        yield Recorded(oddities=tuple(odd), reason=reason, by=signed_by.get(names[0]))


def _hands(deal: Deal, spoken: Language) -> dict[str, list[str]]:
    return {seat.value: [" ".join(ranks) for ranks in hand.shown(spoken)] for seat, hand in deal.known()}


def _played(board: Board, spoken: Language) -> Iterator[PlayedTrick]:
    if board.play is None:
        return
    strain = board.contract.strain if board.contract else None
    leaders = [leader for leader, _ in board.play.led(strain)]
    for index, trick in enumerate(board.play.tricks):
        leader = leaders[index] if index < len(leaders) else None
        won = winner(trick, leader, strain) if leader and all(trick) else None
        cards = zip(SEATS, trick, strict=True)
        drawn = {
            seat.value: PlayedCard(text=card_name(card, spoken), led=seat is leader, won=seat is won) if card else None
            for seat, card in cards
        }
        yield PlayedTrick(number=index + 1, cards=tuple(drawn[seat] or PlayedCard() for seat in COLUMNS))


def _claim(board: Board, shape: Mapping[str, Any], spoken: Language) -> ClaimView | None:
    claim = board.claim
    if claim is None:
        return None
    left = board.remaining()
    hands = _hands(left, spoken) if left else {}
    return ClaimView(words=claim.words, diagram={**shape, "hands": hands} if hands else None)


def drawn_auction(auction: Auction) -> dict[str, Any]:
    """`rows` of four cells, West first and None before the dealer's, and `notes`, the sentences of each footnote."""
    reasons: dict[int, list[Text]] = {}
    for each in auction.irregularities():
        reasons.setdefault(each.index, []).append(each.reason)
    notes: list[list[Text]] = []
    at = COLUMNS.index(auction.dealer)
    cells: list[Cell | None] = [None] * at
    for index, (seat, call) in enumerate(auction.seated()):
        here = at + (COLUMNS.index(seat) - at) % 4
        cells += (Cell() for _ in range(here + 1 - len(cells)))
        cell = cells[here] or Cell()
        if words := [*_words(call), *reasons.get(index, ())]:
            notes.append(words)
        cell.calls.append(Called(text=call.shown, note=len(notes) if words else None, withdrawn=call.withdrawn))
        cell.marked |= call.pause is not None
        cell.irregular |= index in reasons
        at = at if call.withdrawn else here + 1
    cells += (Cell() for _ in range(-len(cells) % 4))
    return {"rows": [cells[start : start + 4] for start in range(0, len(cells), 4)], "notes": notes}


def _words(call: Call) -> list[Text]:
    """What a footnote says of a call, a sentence each."""
    return [*([call.pause.words] if call.pause else []), *call.explained_words]


def _result(board: Board) -> Text | None:
    """The result as far as it is known: "4♥ by West, 1 down. −100 to North–South.", with a reason where one is given.

    A score that was recorded stands as it was recorded, for whoever rules on it must see it.
    """
    played, score = _played_result(board), _score(board)
    if score is None:
        return played
    said = t("{result}. {score}", result=played, score=score) if played else score
    differs = board.ns_score not in (None, board.computed_score())
    reason = board.because.get("score", "").strip() if differs else ""
    return t("{result} The reason given: “{reason}”", result=said, reason=reason) if reason else said


def _played_result(board: Board) -> Text | None:
    contract, declarer = board.contract, board.declarer
    if contract is None:
        return None
    if contract.passed_out:
        return t("Passed out")
    if declarer is None:
        return t("{contract}, the declarer is not recorded", contract=contract.shown)
    if board.tricks is None:
        return t("{contract} by {seat}", contract=contract.shown, seat=declarer.words)
    tricks = _tricks(contract, board.tricks)
    return t("{contract} by {seat}, {tricks}", contract=contract.shown, seat=declarer.words, tricks=tricks)


def _score(board: Board) -> Text | None:
    """What was recorded, and what the table of scores gives where it is another; None for a board passed out."""
    recorded, computed = board.ns_score, board.computed_score()
    if recorded is not None and computed is None:
        return t("Recorded {score} to North–South.", score=signed(recorded))
    if recorded is not None and computed is not None and recorded != computed:
        return t("Recorded {score} to North–South, by the scoring table {computed}.",
                 score=signed(recorded), computed=signed(computed))  # fmt: skip
    played = board.contract is not None and not board.contract.passed_out
    return t("{score} to North–South.", score=signed(computed)) if played and computed is not None else None


def _tricks(contract: Contract, tricks: int) -> Text:
    over = tricks - contract.needed
    if over == 0:
        return t("made")
    if over > 0:
        return t("{number} over", number=over)
    return t("{number} down", number=-over)

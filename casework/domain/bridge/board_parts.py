"""A board part by part: what a later filing of it has changed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from casework.domain.bridge.board import Board
from casework.domain.bridge.call import Call
from casework.domain.bridge.notation import SEATS, Language, Seat, Suit, card_name
from casework.domain.bridge.scoring.working import signed
from casework.text import Text, sentences, t

NOTHING = t("nothing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A part of the board with what stood there and what stands there now; None where nothing was noted."""

    part: Text
    old: Text | None
    new: Text | None

    @property
    def words(self) -> Text:
        """In one line."""
        return t("{part}: {old} → {new}", part=self.part, old=self.old or NOTHING, new=self.new or NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refiled:
    """A board that is filed, with the newest filing before it and the one that was ruled on; None where none was."""

    now: Board
    last: Board | None
    ruled: Board | None

    @property
    def changes(self) -> tuple[Change, ...]:
        """What it makes of the newest; none of the first."""
        return tuple(changes(self.last, self.now, "en")) if self.last is not None else ()


def changes(old: Board, new: Board, language: str) -> Iterator[Change]:
    """Part by part, in the order of the form."""
    spoken: Language = "sv" if language == "sv" else "en"
    then, now = _parts(old, spoken), _parts(new, spoken)
    for (part, was), (_, is_now) in zip(then, now, strict=True):
        if was != is_now:
            yield Change(part=part, old=was, new=is_now)


def _parts(board: Board, spoken: Language) -> list[tuple[Text, Text | None]]:
    """Every part that can be changed, with what is noted of it."""
    seated = [*board.auction.seated()] if board.auction is not None else []
    return [
        (t("Board number"), t("{number}", number=board.number) if board.number is not None else None),
        (t("Dealer"), board.dealer.words),
        (t("Vulnerability"), board.vulnerability.words),
        *((t("{seat}'s hand", seat=seat.words), _hand(board, seat, spoken)) for seat in SEATS),
        (t("The auction"), _plain(" ".join(_called(call, spoken) for _, call in seated))),
        (t("Pauses"), _each(seated, lambda call: [call.pause.words] if call.pause else [])),
        (t("Alerts and explanations"), _each(seated, lambda call: call.explained_words)),
        (t("Contract"), _plain(board.contract.shown if board.contract else "")),
        (t("Declarer"), board.declarer.words if board.declarer else None),
        (t("Lead"), _plain(card_name(board.lead, spoken) if board.lead else "")),
        (t("Tricks"), t("{number}", number=board.tricks) if board.tricks is not None else None),
        (t("Score"), _plain(signed(board.ns_score) if board.ns_score is not None else "")),
        (t("The play"), _play(board, spoken)),
        (t("The claim"), sentences(board.claim.words) if board.claim else None),
        (t("The reason why it stands so"), _plain(" / ".join(dict.fromkeys(filter(None, board.because.values()))))),
    ]


def _plain(text: str) -> Text | None:
    return t("{text}", text=text) if text else None


def _called(call: Call, spoken: Language) -> str:
    """The call alone: pauses and what was said are parts of their own."""
    return Call(call.call, by=call.by, withdrawn=call.withdrawn).render(spoken)


def _each(seated: Sequence[tuple[Seat, Call]], words_of: Callable[[Call], Sequence[Text]]) -> Text | None:
    found = [
        t("{seat}, {call}: {said}", seat=seat.words, call=call.shown, said=sentences(words))
        for seat, call in seated
        if (words := words_of(call))
    ]
    return sentences(found) if found else None


def _hand(board: Board, seat: Seat, spoken: Language) -> Text | None:
    hand = board.deal.hand(seat)
    if hand is None:
        return None
    suits = zip(Suit, hand.shown(spoken), strict=True)
    return _plain(" ".join(f"{suit.glyph} {' '.join(ranks) or '–'}" for suit, ranks in suits))


def _play(board: Board, spoken: Language) -> Text | None:
    tricks = board.play.tricks if board.play is not None else ()
    shown = (" ".join(card_name(card, spoken) if card else "–" for card in trick) for trick in tricks)
    return _plain(" / ".join(shown))

"""Calls and auctions: read as players write them, and said what is irregular, which may be the very matter."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from casework.domain.bridge.call import DASHES, Call, read_calls
from casework.domain.bridge.contract import Contract, Strain
from casework.domain.bridge.notation import Language, Seat, Unreadable
from casework.text import Text, t

COLUMNS = "WNES"
"""An auction is written with West first."""
_BEFORE = re.compile(rf"\s*(?:[{DASHES}](?=[\s,;]|$)[\s,;]*)+")


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something in an auction that the laws do not allow; `index` counts calls from 0."""

    index: int
    reason: Text


@dataclass(frozen=True, slots=True)
class Auction:
    """Calls in turn from the dealer. It may be irregular, and need not be finished.

    `by` of a call is kept only where it was not that player's turn.
    """

    dealer: Seat
    calls: tuple[Call, ...]

    def __post_init__(self) -> None:
        if not [call for call in self.calls if call.by]:
            return
        calls = ((turn, call) for turn, _, call in self._turns())
        object.__setattr__(self, "calls", tuple(replace(c, by=None) if c.by is turn else c for turn, c in calls))

    @classmethod
    def parse(cls, typed: str, dealer: Seat) -> Self:
        """Read `P [30 s] 1S! "5+" X 2sp V: 3H [återtaget] pass`, in either language; Unreadable if it is none.

        Dashes before the first call are the seats before the dealer, as an auction is printed; later ones are passes.
        """
        before, seats = _BEFORE.match(typed), COLUMNS.index(dealer)
        dashes = sum(before[0].count(dash) for dash in DASHES) if before else 0
        if dashes not in (0, seats):
            raise Unreadable(t("Dashes before the first call are the seats before the dealer, with West first: "
                               "{number} where {seat} deals. Write a pass as P.",
                               number=seats, seat=dealer.words))  # fmt: skip
        return cls(dealer, read_calls(typed[before.end() :] if before else typed))

    def render(self, language: Language) -> str:
        """For the text field, as `parse` reads it."""
        return " ".join(call.render(language) for call in self.calls)

    def _turns(self) -> Iterator[tuple[Seat, Seat, Call]]:
        turn = self.dealer
        for call in self.calls:
            seat = call.by or turn
            yield turn, seat, call
            turn = turn if call.withdrawn else seat.next

    def seated(self) -> Iterator[tuple[Seat, Call]]:
        """Each call with the seat of who made it."""
        return ((seat, call) for _, seat, call in self._turns())

    def standing(self) -> list[tuple[Seat, Call]]:
        """The calls that were not withdrawn, which make the contract."""
        return [(seat, call) for seat, call in self.seated() if not call.withdrawn]

    @property
    def finished(self) -> bool:
        """Whether three passes followed a bid, or all four players passed."""
        return _ended(self.standing())

    def irregularities(self) -> Iterator[Irregularity]:
        """All that was not legal, each call against those that stood before it: nothing is corrected."""
        before = _SoFar()
        for index, (turn, seat, call) in enumerate(self._turns()):
            if seat is not turn:
                out_of_turn = t("{seat} called when it was {turn}'s turn.", seat=seat.words, turn=turn.words)
                yield Irregularity(index, out_of_turn)
            if fault := _fault(before, seat, call):
                yield Irregularity(index, fault)
            if call.withdrawn:
                yield Irregularity(index, t("{call} was withdrawn.", call=call.shown))
            else:
                before.add(seat, call)

    def irregularity(self) -> Irregularity | None:
        """The first thing that was not legal, or None."""
        return next(self.irregularities(), None)

    def contract(self) -> tuple[Contract, Seat | None] | None:
        """Contract and declarer that the last bid and its doubles give; None while the auction is not finished.

        An irregular auction is taken as it was accepted at the table.
        """
        if not self.finished:
            return None
        seated = self.standing()
        last = next((index for index in range(len(seated) - 1, -1, -1) if seated[index][1].bid), None)
        if last is None:
            return Contract(0), None
        bidder, call = seated[last]
        level, strain = call.bid or (0, Strain.clubs)
        risk = next((later.call for _, later in reversed(seated[last:]) if later.call in ("X", "XX")), "")
        side = (bidder, bidder.partner)
        declarer = next(seat for seat, each in seated if seat in side and each.bid and each.bid[1] is strain)
        return Contract(level, strain, risk), declarer


def _ended(standing: list[tuple[Seat, Call]]) -> bool:
    return len(standing) >= 4 and all(call.call == "P" for _, call in standing[-3:])


@dataclass(slots=True)
class _SoFar:
    """What a call must fit: the last bid, the last call that was no pass, and whether all is over."""

    calls: int = 0
    passes: int = 0
    last_bid: Call | None = None
    last: tuple[Seat, Call] | None = None

    def add(self, seat: Seat, call: Call) -> None:
        self.calls += 1
        self.passes = self.passes + 1 if call.call == "P" else 0
        self.last_bid = call if call.bid else self.last_bid
        self.last = self.last if call.call == "P" else (seat, call)

    @property
    def ended(self) -> bool:
        return self.calls >= 4 and self.passes >= 3


def _fault(before: _SoFar, seat: Seat, call: Call) -> Text | None:
    """Why `call` was not allowed to `seat` after the calls `before`, or None."""
    if before.ended:
        return t("{call} comes after the auction has ended.", call=call.shown)
    if call.call == "P":
        return None
    last_bid = before.last_bid
    if call.bid:
        enough = last_bid is None or last_bid.bid is None or _height(call.bid) > _height(last_bid.bid)
        return None if enough else t("{call} is not higher than {last}.", call=call.shown, last=_shown(last_bid))
    return _double_fault(before.last, seat, call)


def _double_fault(last: tuple[Seat, Call] | None, seat: Seat, call: Call) -> Text | None:
    if last is None:
        return t("{call} comes before any bid.", call=call.shown)
    by, earlier = last
    if call.call == "X" and not earlier.bid:
        return t("{call} doubles what is doubled already.", call=call.shown)
    if call.call == "XX" and earlier.call != "X":
        return t("{call} redoubles what is not doubled.", call=call.shown)
    if by in (seat, seat.partner):
        return t("{call} comes after the own side's {last}.", call=call.shown, last=earlier.shown)
    return None


def _height(bid: tuple[int, Strain]) -> tuple[int, int]:
    return bid[0], bid[1].rank


def _shown(call: Call | None) -> str:
    return call.shown if call else ""

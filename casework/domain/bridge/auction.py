"""Calls and auctions: read as players write them, and said what is irregular, which may be the very matter."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from casework.domain.bridge.contract import STRAIN_PATTERN, Contract, Strain, read_strain
from casework.domain.bridge.notation import Seat, Unreadable
from casework.text import Text, t

_TOKEN = re.compile(
    rf"(?P<level>[1-7])\s*(?P<strain>{STRAIN_PATTERN})[\ufe0e\ufe0f]?(?![a-zåäö])"
    r"|(?P<redouble>xx|rd|redbl|redubbelt|redouble)(?![a-zåäö])"
    r"|(?P<double>x|d|dbl|dubbelt|double)(?![a-zåäö])"
    r"|(?P<passed>pass|p)(?![a-zåäö])",
    re.IGNORECASE,
)
_ALERT = re.compile(r"\s*!")
_NOTE = re.compile(r'\s*["“”»«]((?:[^"“”»«\\]|\\.)*)["“”»«]')
_BETWEEN = re.compile(r"[\s,;\-–]+")


@dataclass(frozen=True, slots=True)
class Call:
    """One call in its canonical form: "1S", "3N", "P", "X" or "XX"."""

    call: str
    alert: bool = False
    explanation: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "explanation", " ".join(self.explanation.split()))

    @property
    def bid(self) -> tuple[int, Strain] | None:
        """Level and strain of a bid; None for pass, double and redouble."""
        return (int(self.call[0]), Strain(self.call[1])) if self.call[0].isdigit() else None

    @property
    def shown(self) -> str:
        """As on the bidding card, the same in every language: "1♠", "3NT", "Pass", "X"."""
        bid = self.bid
        return f"{bid[0]}{bid[1].shown}" if bid else {"P": "Pass"}.get(self.call, self.call)

    def render(self) -> str:
        """For the text field: `1♥! "5+ hearts"`."""
        note = re.sub(r'(["“”»«\\])', r"\\\1", self.explanation)
        return self.shown + ("!" if self.alert else "") + (f' "{note}"' if note else "")


@dataclass(frozen=True, slots=True)
class Irregularity:
    """The first thing in an auction that the laws do not allow; `index` counts calls from 0."""

    index: int
    reason: Text


@dataclass(frozen=True, slots=True)
class Auction:
    """Calls in turn from the dealer. It may be irregular, and need not be finished."""

    dealer: Seat
    calls: tuple[Call, ...]

    @classmethod
    def parse(cls, typed: str, dealer: Seat) -> Self:
        """Read "P 1S! "5+" X 2sp D pass": a `!` marks an alert, quotation marks hold an explanation."""
        calls = []
        rest = _after(_BETWEEN, typed)
        while rest:
            token = _TOKEN.match(rest)
            if token is None:
                raise Unreadable(t("{typed} is no call. Write for example 1♠, 3NT, P, X or XX.",
                                   typed=rest.split()[0][:20]))  # fmt: skip
            rest = rest[token.end() :]
            alert = _ALERT.match(rest)
            rest = rest[alert.end() :] if alert else rest
            note = _NOTE.match(rest)
            rest = rest[note.end() :] if note else rest
            explanation = re.sub(r"\\(.)", r"\1", note[1], flags=re.DOTALL) if note else ""
            calls.append(Call(_canonical(token), alert=alert is not None, explanation=explanation))
            rest = _after(_BETWEEN, rest)
        return cls(dealer, tuple(calls))

    def render(self) -> str:
        """For the text field; calls are written alike in both languages."""
        return " ".join(call.render() for call in self.calls)

    def seated(self) -> Iterator[tuple[Seat, Call]]:
        """Each call with the seat whose turn it was."""
        seat = self.dealer
        for call in self.calls:
            yield seat, call
            seat = seat.next

    @property
    def finished(self) -> bool:
        """Whether three passes followed a bid, or all four players passed."""
        return _ended([call.call for call in self.calls])

    def irregularity(self) -> Irregularity | None:
        """The first call that was not legal, or None."""
        so_far = _SoFar()
        for index, (seat, call) in enumerate(self.seated()):
            if reason := _fault(so_far, seat, call):
                return Irregularity(index, reason)
            so_far.add(seat, call)
        return None

    def contract(self) -> tuple[Contract, Seat | None] | None:
        """Contract and declarer that the last bid and its doubles give; None while the auction is not finished.

        An irregular auction is taken as it was accepted at the table.
        """
        if not self.finished:
            return None
        seated = list(self.seated())
        last = next((index for index in range(len(seated) - 1, -1, -1) if seated[index][1].bid), None)
        if last is None:
            return Contract(0), None
        bidder, call = seated[last]
        level, strain = call.bid or (0, Strain.clubs)
        risk = next((later.call for _, later in reversed(seated[last:]) if later.call in ("X", "XX")), "")
        side = (bidder, bidder.partner)
        declarer = next(seat for seat, each in seated if seat in side and each.bid and each.bid[1] is strain)
        return Contract(level, strain, risk), declarer


def _after(pattern: re.Pattern[str], rest: str) -> str:
    found = pattern.match(rest)
    return rest[found.end() :] if found else rest


def _canonical(token: re.Match[str]) -> str:
    if token["level"]:
        return token["level"] + read_strain(token["strain"].lower())
    return "XX" if token["redouble"] else "X" if token["double"] else "P"


def _ended(calls: list[str]) -> bool:
    return len(calls) >= 4 and calls[-3:] == ["P"] * 3


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

"""Assigned adjusted scores: the results a body finds for one side, each with its share (R69-R73)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, Self

from casework.domain.bridge.contract import Contract, Strain, render_tricks, score
from casework.domain.bridge.notation import Seat, Unreadable, Vulnerability
from casework.domain.bridge.scoring.working import HUNDRED, shown, signed
from casework.text import Text, t

ROUNDED_BY = Fraction(1, 20)
"""How far a share may be from what was meant: rulings write thirds with one decimal (33.3 and 66.7, or 33.3 thrice).

Whole numbers are taken at their word: 33 + 33 + 33 is 99, as 50 + 30 + 19 is, and the second is a slip.
"""
HIGHEST = 7600
"""Seven no trumps redoubled and thirteen down, vulnerable."""
_PERCENT = re.compile(r"(?P<number>[0-9]{1,3}([.,][0-9]{1,4})?)%?")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result the board could have had: its score from North-South's side, and how it came about if known."""

    ns_score: int
    contract: Contract | None = None
    declarer: Seat | None = None
    tricks: int | None = None

    @classmethod
    def of(cls, contract: Contract, declarer: Seat | None, tricks: int, vulnerability: Vulnerability) -> Self:
        """The outcome of a contract and its tricks. ValueError as `score`."""
        played = not contract.passed_out
        points = score(contract, declarer, tricks, vulnerability)
        return cls(points, contract, declarer if played else None, tricks if played else None)

    @property
    def words(self) -> Text:
        """For a line of the working: "4♠ by East −2, North–South +200"."""
        return self.words_for(north_south=True)

    def words_for(self, *, north_south: bool) -> Text:
        """The same from the side that reads it, which is named."""
        score = t("North–South {score}", score=signed(self.ns_score))
        if not north_south:
            score = t("East–West {score}", score=signed(-self.ns_score))
        played = self.played
        return score if played is None else t("{played}, {score}", played=played, score=score)

    @property
    def played(self) -> Text | None:
        """The same without its score, "4♠ by East −2"; None where only the score is known."""
        if self.contract is None:
            return None
        if self.declarer is None or self.tricks is None:
            return t("{contract}", contract=self.contract.shown)
        return t("{contract} by {seat} {result}", contract=self.contract.shown, seat=self.declarer.words,
                 result=render_tricks(self.tricks, self.contract))  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types, the keys of a board."""
        return {
            "score": self.ns_score,
            "contract": self.contract and str(self.contract),
            "declarer": self.declarer and self.declarer.value,
            "result": self.tricks,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        return cls(
            ns_score=stored["score"],
            contract=Contract.parse(stored["contract"])[0] if stored["contract"] else None,
            declarer=Seat(stored["declarer"]) if stored["declarer"] else None,
            tricks=stored["result"],
        )


@dataclass(frozen=True, slots=True)
class Share:
    """One of the results a side gets, with its share in percent as it was written."""

    outcome: Outcome
    percent: Fraction = HUNDRED


@dataclass(frozen=True, slots=True)
class AssignedScore:
    """The results assigned to one side; several of them make it a weighted score (R73)."""

    shares: tuple[Share, ...]

    @classmethod
    def of(cls, outcome: Outcome) -> Self:
        """One result, whole."""
        return cls((Share(outcome),))

    @property
    def total(self) -> Fraction:
        """What the shares come to, in percent."""
        return sum((share.percent for share in self.shares), Fraction(0))

    def problem(self) -> Text | None:
        """Why it is no assigned score; None when it is."""
        if not self.shares:
            return t("Choose at least one result.")
        if wrong := impossible(*(share.outcome.ns_score for share in self.shares)):
            return wrong
        if any(share.percent <= 0 for share in self.shares):
            return t("Every result needs a share of more than 0 %.")
        if abs(self.total - HUNDRED) > ROUNDED_BY * len(self.shares):
            return t("The shares come to {total} %. They must come to 100 %.", total=shown(self.total, 4))
        return None

    def weights(self) -> Iterator[tuple[Fraction, Outcome]]:
        """Each outcome with its weight; the weights are exactly 1 together, whatever the shares were rounded to."""
        total = self.total
        return ((share.percent / total, share.outcome) for share in self.shares)

    def by_score(self) -> dict[int, Fraction]:
        """North-South's score → weight: two ways to the same score are one result."""
        found: dict[int, Fraction] = {}
        for weight, outcome in self.weights():
            found[outcome.ns_score] = found.get(outcome.ns_score, Fraction(0)) + weight
        return found

    @property
    def is_weighted(self) -> bool:
        """Whether results of different scores are weighted."""
        return len({share.outcome.ns_score for share in self.shares}) > 1

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types; a share stays exact."""
        return {"shares": [{"percent": str(each.percent), **each.outcome.to_json()} for each in self.shares]}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        return cls(tuple(Share(Outcome.from_json(each), Fraction(each["percent"])) for each in stored["shares"]))


def impossible(*scores: int | None) -> Text | None:
    """Why one of these cannot be the score of a board; None when all can."""
    for points in scores:
        if points is not None and (points % 10 or abs(points) > HIGHEST):
            return t("No board gives {score} points.", score=signed(points))
    return None


def not_in_zone(zone: Vulnerability | None, *scores: int) -> Text | None:
    """Why one of these cannot be had on a board with this vulnerability: +620 is +420 there. `zone` None: not known."""
    for points in scores if zone is not None else ():
        if zone is not None and points not in _scores_in(zone):
            return t("No contract gives North–South {score} on a board with {zone}.", score=signed(points),
                     zone=zone.words)  # fmt: skip
    return None


@cache
def _scores_in(zone: Vulnerability) -> frozenset[int]:
    contracts = [
        Contract(level, strain, risk) for level in range(1, 8) for strain in Strain for risk in ("", "X", "XX")
    ]
    played = product(contracts, (Seat.north, Seat.east), range(14))
    return frozenset({0, *(score(contract, seat, tricks, zone) for contract, seat, tricks in played)})


def read_percent(typed: str) -> Fraction:
    """A share or percentage as people write it: "33,3", "33.3 %", "100". Up to 100."""
    match = _PERCENT.fullmatch("".join(typed.split()))
    percent = Fraction(match["number"].replace(",", ".")) if match else None
    if percent is None or percent > HUNDRED:
        raise Unreadable(t("Write a percentage between 0 and 100, for example {example}.", example="33,3"))
    return percent

"""Exact numbers with the way they came about: page, PDF and mail print the same working."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, Self

from casework.domain.rules.editions import LawEdition
from casework.text import Text, t

HUNDRED = Fraction(100)
_MOST_PLACES = 8


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a working; `rule` is what it rests on ("R81", "R73, 12C1c"), never a sentence; "" for what was so."""

    rule: str
    text: Text

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {"rule": self.rule, "text": self.text.to_json()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        return cls(stored["rule"], Text.from_json(stored["text"]))


@dataclass(frozen=True, slots=True)
class Working:
    """A number, exact, and the steps that led to it; its unit is said by who made it."""

    value: Fraction
    steps: tuple[Step, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types; the number stays exact, "29/6"."""
        return {"value": str(self.value), "steps": [step.to_json() for step in self.steps]}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        return cls(Fraction(stored["value"]), tuple(Step.from_json(step) for step in stored["steps"]))


def shown(value: Fraction | int, places: int = 2) -> Decimal:
    """`value` with at most so many decimals, halves away from zero; a whole number has none."""
    units = int(abs(value) * 10**places + Fraction(1, 2))
    number = Decimal(units if value >= 0 else -units).scaleb(-places)
    whole = number.to_integral_value()
    return whole if number == whole else number.normalize()


def rounded(value: Fraction, places: int) -> Decimal:
    """`value` as points are shown, with so many decimals; exactly halfway between two, with one more.

    Both sides' points share a top: 11.25 and 0.75 rounded would be 11.3 and 0.8 of 12.
    """
    halfway = value * 10**places % 1 == Fraction(1, 2)
    return shown(value, places + 1 if halfway else places)


def rounded_later(value: Fraction, places: int) -> Decimal:
    """`value` with as many decimals, two at least, as give the number that `rounded` then shows: 4.248, not 4.25."""
    more = max(places, 2)
    while more < _MOST_PLACES and rounded(Fraction(shown(value, more)), places) != rounded(value, places):
        more += 1
    return shown(value, more)


def equals(value: Fraction, places: int = 2) -> str:
    """The sign before a shown number: "=" when it is exact, "≈" when it is rounded."""
    return "=" if Fraction(shown(value, places)) == value else "≈"


def rounding(value: Fraction, places: Literal[1, 2]) -> tuple[Step, ...]:
    """What is said where a number is shown rounded: matchpoints with one decimal (R81), IMPs with two."""
    number = rounded(value, places)
    if Fraction(number) == value:
        return ()
    if places == 1:
        return (Step("R81", t("Shown with one decimal: {number}", number=number)),)
    return (Step("78B", t("Shown with two decimals: {number}", number=number)),)


def signed(points: int) -> str:
    """A score as tables write it, the same in every language: "+200", "−630", "0"."""
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"


def cited(edition: LawEdition, rule: str, *, laws_2007: str, laws_2017: str) -> str:
    """`rule` with the number that the edition has for it; of earlier laws no numbers are known (R43)."""
    law = {LawEdition.laws_2007: laws_2007, LawEdition.laws_2017: laws_2017}.get(edition)
    return f"{rule}, {law}" if law else rule

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
    """`value` with all its decimals where it is rounded, 22.0 of 21.98, and else only with what it needs: 22, and 0.

    The one place where numbers are rounded and given their decimals, for page, letter and PDF (R81). Exactly halfway
    goes to the even neighbour: both sides share a top, and 11.25 and 0.75 are then shown as 11.2 and 0.8 of 12, where
    always rounding up would make 12.1 of it.
    """
    number = Decimal(round(value * 10**places)).scaleb(-places)
    if number and Fraction(number) != value:
        return number
    whole = number.to_integral_value()
    return whole if number == whole else number.normalize()


def rounded_later(value: Fraction, places: int) -> Decimal:
    """`value` with as many decimals, two at least, as lead to the number that is then shown: 4.248, not 4.25."""
    more = max(places, 2)
    while more < _MOST_PLACES and not _leads_to(Fraction(shown(value, more)), value, places):
        more += 1
    return shown(value, more)


def _leads_to(number: Fraction, value: Fraction, places: int) -> bool:
    """Whether a reader who rounds `number` gets what is shown of `value`."""
    return number == value or (not _halfway(number, places) and shown(number, places) == shown(value, places))


def _halfway(value: Fraction, places: int) -> bool:
    return Fraction(value * 10**places).denominator == 2


def equals(value: Fraction, places: int = 2) -> str:
    """The sign before a shown number: "=" when it is exact, "≈" when it is rounded."""
    return "=" if Fraction(shown(value, places)) == value else "≈"


def rounding(value: Fraction, places: Literal[1, 2]) -> tuple[Step, ...]:
    """What is said where a number is shown rounded: matchpoints with one decimal (R81), IMPs with two."""
    number = shown(value, places)
    if Fraction(number) == value:
        return ()
    one = places == 1
    words = t("Shown with one decimal: {number}", number=number)
    if not one:
        words = t("Shown with two decimals: {number}", number=number)
    if _halfway(value, places):
        words = t("{shown}, the even one of two that are as near, so that both sides' numbers add up", shown=words)
    return (Step("R81" if one else "78B", words),)


def signed(points: int) -> str:
    """A score as tables write it, the same in every language: "+200", "−630", "0"."""
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"


def cited(edition: LawEdition, rule: str, *, laws_2007: str, laws_2017: str) -> str:
    """`rule` with the number that the edition has for it; of earlier laws no numbers are known (R43)."""
    law = {LawEdition.laws_2007: laws_2007, LawEdition.laws_2017: laws_2017}.get(edition)
    return f"{rule}, {law}" if law else rule

"""Artificial adjusted scores, where no result could be had: in percent of a top, or in IMPs (R74-R77)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Self

from casework.domain.bridge.scoring.working import HUNDRED, Step, Working, shown
from casework.text import Text, t

IMPS = 3
"""Average plus in IMPs, where the organiser has not set another number (R76)."""


class Fault(StrEnum):
    """How far a side was to blame that the board has no result."""

    none = "none"
    partly = "partly"
    directly = "directly"

    @property
    def words(self) -> Text:
        """As it is chosen in a form."""
        return _WORDS[self]

    @property
    def percent(self) -> int:
        """Average plus, average or average minus (R75)."""
        return {Fault.none: 60, Fault.partly: 50, Fault.directly: 40}[self]

    @property
    def sign(self) -> int:
        """The side of zero in IMPs (R76)."""
        return {Fault.none: 1, Fault.partly: 0, Fault.directly: -1}[self]


@dataclass(frozen=True, slots=True)
class ArtificialScore:
    """What a side gets without a result; `own_percent` is its session result on the other boards, if known."""

    fault: Fault
    own_percent: Fraction | None = None

    def problem(self) -> Text | None:
        """Why it cannot be; None when it can."""
        if self.own_percent is not None and not 0 <= self.own_percent <= HUNDRED:
            return t("A side's own result is between 0 and 100 %.")
        return None

    def percentage(self) -> Working:
        """In percent of a top, with the side's own percentage where that is better or worse (R75, R77)."""
        given = Fraction(self.fault.percent)
        step = Step("R75, 12C2a", t("{fault}: {percent} %", fault=self.fault.words, percent=shown(given)))
        if self.own_percent is None or self.fault is Fault.partly:
            return Working(given, (step,))
        value = max(given, self.own_percent) if self.fault is Fault.none else min(given, self.own_percent)
        own = t("Own result on the other boards {own} %: the side gets {percent} %",
                own=shown(self.own_percent), percent=shown(value))  # fmt: skip
        return Working(value, (step, Step("R77, 12C2c", own)))

    def imps(self, average: int = IMPS) -> Working:
        """In IMPs; `average` is what average plus is worth where the event was played (R76)."""
        value = self.fault.sign * average
        words = t("{fault}: {imps} IMPs", fault=self.fault.words, imps=shown(value))
        return Working(Fraction(value), (Step("R76", words),))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        own = None if self.own_percent is None else str(self.own_percent)
        return {"fault": self.fault.value, "own_percent": own}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        own = stored["own_percent"]
        return cls(Fault(stored["fault"]), None if own is None else Fraction(own))


_WORDS = {
    Fault.none: t("Not at fault, average plus"),
    Fault.partly: t("Partly at fault, average"),
    Fault.directly: t("Directly at fault, average minus"),
}

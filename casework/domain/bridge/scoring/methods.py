"""How a board is scored in an adjustment: its frequency table, its match, or nothing but percentages."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from casework.domain.bridge.scoring.artificial import IMPS
from casework.domain.bridge.scoring.matchpoints import Frequency, Line
from casework.domain.bridge.scoring.outcomes import impossible
from casework.text import Text, t


@dataclass(frozen=True, slots=True)
class ByMatchpoints:
    """Pairs: the board's whole frequency table, and the line in it that the table of the ruling has now."""

    frequency: Frequency
    table: Line

    def problem(self, *, assigned: bool) -> Text | None:
        """Why it gives no matchpoints; None when it does."""
        if found := self.frequency.problem():
            return found
        others = self.frequency.changed(self.table, Line(percent=(Fraction(0), Fraction(0))))
        if others is None:
            return t("The table's own result is not in the frequency table.")
        if assigned and not others.compared and self.frequency.tables < self.frequency.small_group_from:
            return t("No other table has a result to compare with. Give an artificial score.")
        return None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {"frequency": self.frequency.to_json(), "table": self.table.to_json()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        return cls(Frequency.from_json(stored["frequency"]), Line.from_json(stored["table"]))


@dataclass(frozen=True, slots=True)
class ByImps:
    """Teams: the scores of both tables from North-South's side at each; the team that sat there is the other's.

    `other_boards` is what North-South's team leads by on the rest of the match, in IMPs; with it and the number of
    `boards` the match gets victory points. `average` is average plus in IMPs (R76). `waits`: the other table has no
    result yet, so that an assigned score is given in words and counted later.
    """

    other_table: int | None = None
    table: int | None = None
    knock_out: bool = False
    other_boards: int | None = None
    boards: int | None = None
    average: int = IMPS
    waits: bool = False

    def problem(self, *, assigned: bool) -> Text | None:
        """Why it gives no IMPs; None when it does."""
        if wrong := impossible(self.table, self.other_table):
            return wrong
        if assigned and self.other_table is None and not self.waits:
            return t("Write the result at the other table of the match.")
        if (self.other_boards is None) is not (self.boards is None) or (self.boards is not None and self.boards < 1):
            return t("Victory points need both the IMPs of the other boards and the number of boards in the match.")
        return None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {
            "other_table": self.other_table,
            "table": self.table,
            "knock_out": self.knock_out,
            "other_boards": self.other_boards,
            "boards": self.boards,
            "average": self.average,
            "waits": self.waits,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        return cls(**stored)


@dataclass(frozen=True, slots=True)
class ByPercent:
    """No frequency table at hand: an artificial score is a percentage, an assigned one waits for its matchpoints."""

    def problem(self, *, assigned: bool) -> Text | None:
        """Nothing can be wrong with it."""
        return None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {}

    @classmethod
    def from_json(cls, _stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        return cls()


Method = ByMatchpoints | ByImps | ByPercent
METHODS: dict[str, type[ByMatchpoints] | type[ByImps] | type[ByPercent]] = {
    "matchpoints": ByMatchpoints,
    "imps": ByImps,
    "percent": ByPercent,
}
"""The name each has in a form and in store."""


def method_name(method: Method) -> str:
    """The name of a method in `METHODS`."""
    return next(name for name, kind in METHODS.items() if isinstance(method, kind))

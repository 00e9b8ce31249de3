"""What a body decides about a score: the results of each side, and how the board is scored (R69-R77)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from casework.domain.bridge.scoring.artificial import ArtificialScore, Fault, Ground
from casework.domain.bridge.scoring.methods import METHODS, ByImps, ByMatchpoints, Method, method_name
from casework.domain.bridge.scoring.outcomes import AssignedScore
from casework.domain.bridge.scoring.penalties import Measure, Penalty
from casework.domain.rules.editions import LawEdition, why_not_weight
from casework.domain.terms import Body, RulingOutcome, Side
from casework.text import Text, t

SideScore = AssignedScore | ArtificialScore
_ONLY_PERCENT = frozenset(Ground) - {Ground.no_result, Ground.not_started}


class SplitGround(StrEnum):
    """Why the two sides get different assigned scores; the laws of 2017 know no other."""

    self_inflicted = "self_inflicted"
    directors_error = "directors_error"

    @property
    def words(self) -> Text:
        """As it is chosen in a form."""
        if self is SplitGround.self_inflicted:
            return t("The side that did nothing wrong caused part of the damage itself")
        return t("The director erred, and neither side is at fault")

    def law(self, edition: LawEdition) -> str:
        """The law it rests on (R72)."""
        if self is SplitGround.directors_error:
            return "82C"
        return "12C1b" if edition is LawEdition.laws_2007 else "12C1e"


@dataclass(frozen=True, slots=True)
class Adjustment:
    """An adjusted score as it is decided; `adjusted.adjust` counts it.

    `edition` is the case's own, and nothing here is carried from one edition to another. `stands`: both sides keep
    the table's result, and only `penalties` change what they get.
    """

    edition: LawEdition
    body: Body
    north_south: SideScore
    east_west: SideScore
    method: Method
    split_because: SplitGround | None = None
    stands: bool = False
    penalties: tuple[tuple[Side, Penalty], ...] = ()

    def penalty(self, side: Side) -> Penalty | None:
        """What is taken from one side besides its score (R65)."""
        return next((penalty for each, penalty in self.penalties if each is side), None)

    def side(self, side: Side) -> SideScore:
        """What one side gets."""
        return self.north_south if side is Side.NORTH_SOUTH else self.east_west

    @property
    def assigned(self) -> tuple[AssignedScore, ...]:
        """The assigned scores among the two."""
        return tuple(each for each in (self.north_south, self.east_west) if isinstance(each, AssignedScore))

    @property
    def is_struck(self) -> bool:
        """Whether a side is struck from the event, and its table from the board's results with it (R79)."""
        return any(isinstance(each, ArtificialScore) and each.is_struck for each in (self.north_south, self.east_west))

    @property
    def is_split(self) -> bool:
        """Whether both sides have assigned scores, and not the same (R71)."""
        return len(self.assigned) == 2 and self.assigned[0].by_score() != self.assigned[1].by_score()

    @property
    def is_weighted(self) -> bool:
        """Whether some side's score is weighted (R73)."""
        return any(each.is_weighted for each in self.assigned)

    @property
    def outcome(self) -> RulingOutcome:
        """What kind of ruling this is."""
        if self.stands:
            return RulingOutcome.PENALTY
        if not self.assigned:
            return RulingOutcome.ARTIFICIAL
        if self.is_weighted:
            return RulingOutcome.WEIGHTED
        return RulingOutcome.ASSIGNED if self.one_score is not None else RulingOutcome.SPLIT

    @property
    def one_score(self) -> int | None:
        """The single result that both sides get, from North-South's side: it counts as if it had been played."""
        if len(self.assigned) < 2 or self.is_split or self.is_weighted:
            return None
        return self.assigned[0].shares[0].outcome.ns_score

    def problems(self) -> dict[str, Text]:
        """By the name of the field, why it cannot be; empty when it can."""
        found = {side.value: words for side in Side if (words := self.side(side).problem())}
        if not found:
            forbidden = why_not_weight(self.edition, self.body) if self.is_weighted else None
            if forbidden:
                found |= {side.value: forbidden for side in Side if _weighted(self.side(side))}
            if self._split_without_ground():
                found["split_because"] = t(
                    "By {edition} the two sides get different results only for a reason. Choose it.",
                    edition=self.edition.words,
                )
        if words := self.method.problem(assigned=bool(self.assigned)) or self._percent_in_imps() or self._alone():
            found["method"] = words
        if self.is_struck:
            words = t("The other pair is struck from the event: nobody has a result against it.")
            found |= {side.value: words for side in Side if isinstance(self.side(side), AssignedScore)}
        if words := self._nobody_at_fault():
            found |= {side.value: words for side in Side}
        return self._own_percent_in_imps() | found | self._problems_of_penalties()

    def _alone(self) -> Text | None:
        """R79: what is left when a struck table is gone."""
        if not self.is_struck or not isinstance(self.method, ByMatchpoints):
            return None
        left = self.method.frequency.changed(self.method.table, None)
        return left.problem() if left is not None else None

    def _nobody_at_fault(self) -> Text | None:
        """R87, R88: somebody entered the result, or took the cards."""
        both = [each for each in (self.north_south, self.east_west) if isinstance(each, ArtificialScore)]
        for ground in (Ground.wrong_board, Ground.wrong_pocket):
            if len(both) == 2 and all(each.ground is ground and each.fault is not Fault.directly for each in both):
                return t("{ground}: choose which side was directly at fault.", ground=ground.words)
        return None

    def _own_percent_in_imps(self) -> dict[str, Text]:
        if not isinstance(self.method, ByImps):
            return {}
        words = t("A side's own percentage counts only in pairs (R77). In IMPs, leave it empty.")
        given = ((side, self.side(side)) for side in Side)
        return {
            side.value: words for side, each in given
            if isinstance(each, ArtificialScore) and each.own_percent is not None and each.ground not in _ONLY_PERCENT
        }  # fmt: skip

    def _percent_in_imps(self) -> Text | None:
        artificial = (each for each in (self.north_south, self.east_west) if isinstance(each, ArtificialScore))
        if isinstance(self.method, ByImps) and any(each.ground in _ONLY_PERCENT for each in artificial):
            return t("The rules give this only in percent, not in IMPs.")
        return None

    def _problems_of_penalties(self) -> dict[str, Text]:
        found = {f"penalty_{side.value}": words for side, penalty in self.penalties
                 if (words := self._wrong_measure(penalty))}  # fmt: skip
        if self.stands and not self.penalties:
            words = t("If the result stands without a penalty, there is no score to work out.")
            found |= {f"penalty_{side.value}": words for side in Side}
        return found

    def _wrong_measure(self, penalty: Penalty) -> Text | None:
        if penalty.amount <= 0:
            return t("A penalty is more than 0.")
        of_top = penalty.measure is Measure.percent_of_top
        if isinstance(self.method, ByMatchpoints) and not of_top:
            return t("Where the board gives matchpoints, a penalty is in percent of a top.")
        if isinstance(self.method, ByImps) and of_top:
            return t("A match has no top. Write the penalty in VP or IMPs.")
        return None

    def _split_without_ground(self) -> bool:
        """R70, R72: until 2017 the standard itself differed between the sides (R71)."""
        return self.is_split and self.edition is LawEdition.laws_2017 and self.split_because is None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {
            "edition": self.edition.value,
            "body": self.body.value,
            "north_south": _packed(self.north_south),
            "east_west": _packed(self.east_west),
            "method": {"kind": method_name(self.method), **self.method.to_json()},
            "split_because": self.split_because and self.split_because.value,
            "stands": self.stands,
            "penalties": [{"side": side.value, **penalty.to_json()} for side, penalty in self.penalties],
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        method = dict(stored["method"])
        return cls(
            edition=LawEdition(stored["edition"]),
            body=Body(stored["body"]),
            north_south=_unpacked(stored["north_south"]),
            east_west=_unpacked(stored["east_west"]),
            method=METHODS[method.pop("kind")].from_json(method),
            split_because=SplitGround(stored["split_because"]) if stored["split_because"] else None,
            stands=stored["stands"],
            penalties=tuple((Side(each["side"]), Penalty.from_json(each)) for each in stored["penalties"]),
        )


def _weighted(score: SideScore) -> bool:
    return isinstance(score, AssignedScore) and score.is_weighted


def _packed(score: SideScore) -> dict[str, Any]:
    return {"kind": "assigned" if isinstance(score, AssignedScore) else "artificial", **score.to_json()}


def _unpacked(stored: Mapping[str, Any]) -> SideScore:
    return (AssignedScore if stored["kind"] == "assigned" else ArtificialScore).from_json(stored)

"""An adjusted score counted: what both sides get, what it does to the frequency table, and the working."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal, Self

from casework.domain.bridge.scoring.adjustment import Adjustment, SideScore
from casework.domain.bridge.scoring.artificial import ArtificialScore
from casework.domain.bridge.scoring.imps import imps, knock_out_average, victory_points
from casework.domain.bridge.scoring.matchpoints import Frequency, Line, Ranking, ScoredLine
from casework.domain.bridge.scoring.methods import ByImps, ByMatchpoints
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome
from casework.domain.bridge.scoring.penalties import Measure
from casework.domain.bridge.scoring.redress import of_top
from casework.domain.bridge.scoring.working import (
    HUNDRED,
    Step,
    Working,
    cited,
    rounded_later,
    rounding,
    shown,
    signed,
)
from casework.domain.errors import Invalid
from casework.domain.terms import Side
from casework.text import Text, t

NOTHING = Line(percent=(Fraction(0), Fraction(0)))
"""Holds the table's place while its score is counted: it is no result to compare with."""


STRUCK = t("struck")
"""What a side that is out of the event gets."""


class Unit(StrEnum):
    """What a side's points are; `places` is how many decimals they are shown with."""

    matchpoints = "matchpoints"
    imps = "imps"
    percent = "percent"

    @property
    def places(self) -> Literal[1, 2]:
        """Matchpoints have one decimal (R81)."""
        return 1 if self is Unit.matchpoints else 2

    def words(self, value: Fraction) -> Text:
        """A number of them, with the unit's decimals."""
        return self._words(shown(value, self.places))

    def counted(self, value: Fraction) -> Text:
        """The same within a working: "≈" where it is rounded, to more decimals than what is shown in the end."""
        number = rounded_later(value, self.places)
        told = self._words(number)
        return told if Fraction(number) == value else t("≈ {amount}", amount=told)

    def _words(self, number: Decimal) -> Text:
        match self:
            case Unit.matchpoints:
                return t("1 matchpoint") if str(number) == "1" else t("{number} matchpoints", number=number)
            case Unit.imps:
                return t("1 IMP") if str(number) == "1" else t("{number} IMPs", number=number)
            case Unit.percent:
                return t("{number} %", number=number)


@dataclass(frozen=True, slots=True)
class SideResult:
    """What one side gets.

    `points` is exact, in `unit` and from the side's own view; None where they wait for a frequency table. `before`
    is what the side had with the table's result, `percent` its part of a top, `victory_points` those of the match.
    A side that is `struck` has no score at all (R79): its points are 0 and are never shown as a number.
    """

    unit: Unit
    points: Fraction | None
    steps: tuple[Step, ...]
    before: Fraction | None = None
    percent: Fraction | None = None
    victory_points: Fraction | None = None
    struck: bool = False

    @property
    def words(self) -> Text | None:
        """The points as they are shown."""
        if self.struck:
            return STRUCK
        return None if self.points is None else self.unit.words(self.points)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types; numbers stay exact."""
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        exact = {name: None if number is None else str(number) for name, number in numbers.items()}
        steps = [step.to_json() for step in self.steps]
        return {"unit": self.unit.value, "steps": steps, "struck": self.struck, **exact}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        exact = {name: None if stored[name] is None else Fraction(stored[name]) for name in _NUMBERS}
        steps = tuple(Step.from_json(each) for each in stored["steps"])
        return cls(unit=Unit(stored["unit"]), steps=steps, struck=stored.get("struck", False), **exact)


_NUMBERS = ("points", "before", "percent", "victory_points")


@dataclass(frozen=True, slots=True)
class AdjustedScore:
    """An adjustment with all that follows of it; stored with the ruling, inputs and working together.

    `before` and `after` are the frequency table with everybody's matchpoints, empty where there is none; `steps`
    holds what concerns the whole board.
    """

    adjustment: Adjustment
    north_south: SideResult
    east_west: SideResult
    steps: tuple[Step, ...] = ()
    before: tuple[ScoredLine, ...] = ()
    after: tuple[ScoredLine, ...] = ()

    def side(self, side: Side) -> SideResult:
        """What one side gets."""
        return self.north_south if side is Side.NORTH_SOUTH else self.east_west

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {
            "adjustment": self.adjustment.to_json(),
            "north_south": self.north_south.to_json(),
            "east_west": self.east_west.to_json(),
            "steps": [step.to_json() for step in self.steps],
            "before": [line.to_json() for line in self.before],
            "after": [line.to_json() for line in self.after],
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave: as it was counted then, not counted anew."""
        return cls(
            adjustment=Adjustment.from_json(stored["adjustment"]),
            north_south=SideResult.from_json(stored["north_south"]),
            east_west=SideResult.from_json(stored["east_west"]),
            steps=tuple(Step.from_json(each) for each in stored["steps"]),
            before=tuple(ScoredLine.from_json(each) for each in stored["before"]),
            after=tuple(ScoredLine.from_json(each) for each in stored["after"]),
        )


def adjust(adjustment: Adjustment) -> AdjustedScore:
    """Count an adjusted score. Invalid names the fields that the laws or the arithmetic do not allow, with why."""
    if problems := adjustment.problems():
        raise Invalid(problems)
    match adjustment.method:
        case ByMatchpoints() as method:
            score = _by_matchpoints(adjustment, method)
        case ByImps() as method:
            score = _by_imps(adjustment, method)
        case _:
            score = _by_percent(adjustment)
    return replace(
        score,
        north_south=_penalised(score.north_south, adjustment, Side.NORTH_SOUTH),
        east_west=_penalised(score.east_west, adjustment, Side.EAST_WEST),
    )


def _penalised(result: SideResult, adjustment: Adjustment, side: Side) -> SideResult:
    """What is left to a side after its penalty, which changes nobody else's score (R65)."""
    penalty, method = adjustment.penalty(side), adjustment.method
    if penalty is None:
        return result
    steps = (*result.steps, Step(penalty.rule, t("Penalty: {what}", what=penalty.words)))
    points, won = result.points, result.victory_points
    if penalty.measure is Measure.victory_points:
        if won is None:
            return replace(result, steps=steps)
        left = t("VP left after the penalty: {number}", number=shown(won - penalty.amount))
        return replace(result, steps=(*steps, Step(penalty.rule, left)), victory_points=won - penalty.amount)
    if points is None or result.struck:
        return replace(result, steps=steps)
    if isinstance(method, ByMatchpoints):
        taken = penalty.matchpoints(method.frequency.top)
        steps, points = (*steps, *taken.steps), points + taken.value
    else:
        points -= penalty.amount
    left = t("Left after the penalty: {amount}", amount=result.unit.counted(points))
    steps = (*steps, Step(penalty.rule, left))
    if isinstance(method, ByImps) and won is not None and method.boards and method.other_boards is not None:
        sign = 1 if side is Side.NORTH_SOUTH else -1
        match = victory_points(sign * method.other_boards + points, method.boards)
        steps, won = (*steps, *match.steps), match.value
    percent = HUNDRED * points / method.frequency.top if isinstance(method, ByMatchpoints) else result.percent
    percent = points if result.unit is Unit.percent else percent
    return replace(result, points=points, steps=steps, percent=percent, victory_points=won)


def _by_matchpoints(adjustment: Adjustment, method: ByMatchpoints) -> AdjustedScore:
    frequency, one_score = method.frequency, adjustment.one_score
    compared = _exchanged(frequency, method.table, _compared_as(adjustment))
    top = compared.top
    ranking, before = Ranking.of(compared), frequency.scored()
    had = next(line for line in before if line.line.result == method.table.result)
    ours = _matchpoints(adjustment, Side.NORTH_SOUTH, ranking, top)
    theirs = _matchpoints(adjustment, Side.EAST_WEST, ranking, top)
    percent = (HUNDRED * ours.value / top, HUNDRED * theirs.value / top)
    struck = (_is_struck(adjustment.north_south), _is_struck(adjustment.east_west))
    steps, after = _split(adjustment), compared
    if one_score is None:
        steps = (*steps, _left_out(adjustment))
        after = compared if adjustment.is_struck else _exchanged(frequency, method.table, Line(percent=percent))
    return AdjustedScore(
        adjustment,
        SideResult(Unit.matchpoints, ours.value, ours.steps, had.north_south, percent[0], struck=struck[0]),
        SideResult(Unit.matchpoints, theirs.value, theirs.steps, had.east_west, percent[1], struck=struck[1]),
        (*steps, compared.way()),
        before,
        after.scored(),
    )


def _compared_as(adjustment: Adjustment) -> Line | None:
    """What stands for the table while it is compared with the others; nothing where it is struck."""
    if adjustment.is_struck:
        return None
    return NOTHING if adjustment.one_score is None else Line(adjustment.one_score)


def _is_struck(score: SideScore) -> bool:
    return isinstance(score, ArtificialScore) and score.is_struck


def _left_out(adjustment: Adjustment) -> Step:
    """Why the table is out of the frequency, and what that means for the results in its own score.

    A result alone is compared with this table among the others (R69), one of several with the others only: so LK
    counts (P02), and 99 % of a result need not be close to the whole of it.
    """
    if adjustment.is_struck:
        words = t("The table is struck: the others are compared as if it had never played the board.")
        return Step("R79, 12C2d", words)
    words = t("The table leaves the frequency: the others are not compared with a score that is no single result.")
    if not adjustment.assigned:
        return Step("R83", words)
    words = t("{left} A weighted or split score is compared with the other tables without this one, so a result can be "
              "worth a little more or less in it than alone.", left=words)  # fmt: skip
    return Step("R83", words)


def _matchpoints(adjustment: Adjustment, side: Side, ranking: Ranking, top: int) -> Working:
    score = adjustment.side(side)
    if isinstance(score, ArtificialScore):
        percent = score.percentage()
        if score.is_struck:
            return percent
        value = of_top(percent.value, top)
        words = t("{percent} % of the top {top}: {amount}", percent=shown(percent.value), top=top,
                  amount=Unit.matchpoints.counted(value))  # fmt: skip
        return Working(
            value, (*percent.steps, Step(percent.steps[-1].rule, words), *rounding(value, Unit.matchpoints.places))
        )
    counted = _assigned(
        adjustment,
        score,
        lambda outcome: ranking.working(outcome.ns_score, north_south=side is Side.NORTH_SOUTH),
        Unit.matchpoints,
    )
    notes = tuple(note for share in score.shares if (note := ranking.beyond(share.outcome)))
    return Working(counted.value, (*notes, *counted.steps, *rounding(counted.value, Unit.matchpoints.places)))


def _by_imps(adjustment: Adjustment, method: ByImps) -> AdjustedScore:
    if method.waits and adjustment.assigned:
        waits = Step("78B", t("The IMPs are counted when the other table has its result."))
        ours, theirs = (_waiting(adjustment, side, method) for side in Side)
        return AdjustedScore(adjustment, ours, theirs, (*_split(adjustment), waits))
    north_south = _imps(adjustment, Side.NORTH_SOUTH, method)
    east_west = _imps(adjustment, Side.EAST_WEST, method)
    steps = _split(adjustment)
    if method.knock_out and north_south.value != -east_west.value:
        mean = knock_out_average(north_south.value, east_west.value)
        steps = (*steps, *mean.steps)
        north_south, east_west = Working(mean.value, north_south.steps), Working(-mean.value, east_west.steps)
    had = None if method.table is None or method.other_table is None else imps(method.table - method.other_table)
    return AdjustedScore(
        adjustment,
        _of_match(north_south, 1, had, method),
        _of_match(east_west, -1, had, method),
        steps,
    )


def _waiting(adjustment: Adjustment, side: Side, method: ByImps) -> SideResult:
    """An artificial score needs no other table (R76)."""
    score = adjustment.side(side)
    if isinstance(score, ArtificialScore):
        return _of_match(score.imps(method.average), 1 if side is Side.NORTH_SOUTH else -1, None, method)
    return SideResult(Unit.imps, None, tuple(_named(adjustment, score)))


def _of_match(counted: Working, sign: int, had: int | None, method: ByImps) -> SideResult:
    """A side's IMPs, with what they make of the match; `sign` turns North-South's view into the side's own."""
    steps = (*counted.steps, *rounding(counted.value, Unit.imps.places))
    before = None if had is None else Fraction(sign * had)
    if method.boards is None or method.other_boards is None:
        return SideResult(Unit.imps, counted.value, steps, before)
    won = victory_points(sign * method.other_boards + counted.value, method.boards)
    return SideResult(Unit.imps, counted.value, (*steps, *won.steps), before, victory_points=won.value)


def _imps(adjustment: Adjustment, side: Side, method: ByImps) -> Working:
    score, sign = adjustment.side(side), 1 if side is Side.NORTH_SOUTH else -1
    if isinstance(score, ArtificialScore):
        return score.imps(method.average)
    other = method.other_table or 0

    def worth(outcome: Outcome) -> Working:
        difference = sign * (outcome.ns_score - other)
        words = t("{score} at the other table, a difference of {difference}", score=signed(other),
                  difference=signed(difference))  # fmt: skip
        return Working(Fraction(imps(difference)), (Step("78B", words),))

    return _assigned(adjustment, score, worth, Unit.imps)


def _by_percent(adjustment: Adjustment) -> AdjustedScore:
    waits = Step("78A", t("The matchpoints are counted when the frequency table is there."))
    steps = (*_split(adjustment), waits) if adjustment.assigned else ()
    north_south, east_west = (_percent(adjustment, adjustment.side(side)) for side in Side)
    return AdjustedScore(adjustment, north_south, east_west, steps)


def _percent(adjustment: Adjustment, score: SideScore) -> SideResult:
    if isinstance(score, AssignedScore):
        return SideResult(Unit.percent, None, tuple(_named(adjustment, score)))
    counted = score.percentage()
    return SideResult(Unit.percent, counted.value, counted.steps, percent=counted.value, struck=score.is_struck)


def _assigned(adjustment: Adjustment, score: AssignedScore, worth: Callable[[Outcome], Working], unit: Unit) -> Working:
    """The mean of what the outcomes are `worth`, by their weights."""
    steps: list[Step] = []
    value = Fraction(0)
    for (weight, outcome), named in zip(score.weights(), _named(adjustment, score), strict=True):
        counted = worth(outcome)
        value += weight * counted.value
        told = t("{what}: {amount}", what=named.text, amount=unit.counted(counted.value))
        steps += [*counted.steps, Step(named.rule, told)]
    if len(score.shares) > 1:
        if score.total != HUNDRED:
            words = t("The shares come to {total} % and are counted as 100 %.", total=shown(score.total, 4))
            steps.append(Step("R73", words))
        steps.append(Step("R73", t("Weighted together: {amount}", amount=unit.counted(value))))
    return Working(value, tuple(steps))


def _named(adjustment: Adjustment, score: AssignedScore) -> list[Step]:
    """Each outcome with its share, as a line of the working; a result that stands is adjusted by no rule."""
    if adjustment.stands:
        return [Step("", share.outcome.words) for share in score.shares]
    if len(score.shares) == 1:
        rule = cited(adjustment.edition, "R69", laws_2007="12C1a", laws_2017="12C1a")
        return [Step(rule, score.shares[0].outcome.words)]
    rule = cited(adjustment.edition, "R73", laws_2007="12C1", laws_2017="12C1c")
    return [
        Step(rule, t("{percent} % of {outcome}", percent=shown(share.percent), outcome=share.outcome.words))
        for share in score.shares
    ]


def _split(adjustment: Adjustment) -> tuple[Step, ...]:
    """Why the two sides get different results, if they do (R71, R72)."""
    if not adjustment.is_split:
        return ()
    if ground := adjustment.split_because:
        words = t("The two sides get different results. {why}.", why=ground.words)
        return (Step(f"R72, {ground.law(adjustment.edition)}", words),)
    rule = cited(adjustment.edition, "R71", laws_2007="12C1e", laws_2017="12C1e")
    return (Step(rule, t("The laws let the two sides get different results.")),)


def _exchanged(frequency: Frequency, old: Line, new: Line | None) -> Frequency:
    found = frequency.changed(old, new)
    if found is None:
        raise ValueError("the table is not in its frequency")  # the adjustment has said so before
    return found

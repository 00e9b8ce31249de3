"""The tables of an adjusted score: what both sides get, after each body, and the results of the whole board."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from casework.domain.bridge.scoring.adjusted import STRUCK, AdjustedScore, SideResult, Unit
from casework.domain.bridge.scoring.matchpoints import Result, ScoredLine
from casework.domain.bridge.scoring.working import shown, signed
from casework.domain.labels import label
from casework.domain.terms import Body, Side
from casework.services.earlier_scores import Decided
from casework.text import Text, t

Words = Text | str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A row of a score table; `ours` is what the ruling makes of it, or the table that it is about."""

    cells: tuple[Words, ...]
    ours: bool = False


def points_by(stage: Decided, side: Side, unit: Unit) -> Fraction | None:
    """What a side got by an earlier decision, where it is counted alike."""
    score = stage.saved.score if stage.saved is not None else None
    result = score.side(side) if score is not None else None
    return result.points if result is not None and result.unit is unit and not result.struck else None


_CAPTIONS = {
    Unit.matchpoints: t("What each side gets, in matchpoints"),
    Unit.imps: t("What each side gets, in IMPs"),
    Unit.percent: t("What each side gets"),
}
_HEADS = {Body.DIRECTOR: t("Ruling"), Body.JURY: t("Jury"), Body.LAW_COMMISSION: t("LK")}


def side_caption(score: AdjustedScore, stages: Sequence[Decided]) -> Text:
    """The unit stands here, but for a lone row of percents, which has it in its head."""
    unit = score.north_south.unit
    if unit is Unit.percent and _counted_alike(score, stages):
        return t("What each side gets, in percent")
    return _CAPTIONS[unit]


def side_columns(score: AdjustedScore) -> tuple[Words, ...]:
    """A column for each side, which fits on a phone however many have decided; empty where no points are known."""
    if all(each.points is None for each in (score.north_south, score.east_west)):
        return ()
    return ("", *map(label, _SIDES))


_SIDES = (Side.NORTH_SOUTH, Side.EAST_WEST)


def _counted_alike(score: AdjustedScore, stages: Sequence[Decided]) -> Sequence[Decided]:
    unit = score.north_south.unit
    return [stage for stage in stages if any(points_by(stage, side, unit) is not None for side in Side)]


def side_rows(score: AdjustedScore, stages: Sequence[Decided]) -> Iterator[TableRow]:
    """What both sides had, what they got by each earlier decision, and what they get: the last is marked."""
    if not side_columns(score):
        return
    both, unit = [score.side(side) for side in _SIDES], score.north_south.unit
    earlier = _counted_alike(score, stages)
    if unit is not Unit.percent:
        first = t("At the table") if earlier else t("Before")
        yield TableRow(cells=(first, *(_amount(each.before, unit) for each in both)))
    for stage in earlier:
        yield TableRow(cells=(_HEADS[stage.body], *(_got_by(stage, side, unit) for side in _SIDES)))
    last = t("Percent") if unit is Unit.percent and not earlier else t("Now")
    yield TableRow(cells=(last, *(_got(each, each.points, unit) for each in both)), ours=True)
    if any(each.victory_points is not None for each in both):
        yield TableRow(cells=(t("VP"), *(_amount(each.victory_points, Unit.imps) for each in both)))
    elif unit is Unit.matchpoints:
        yield TableRow(cells=(t("Percent"), *(_got(each, each.percent, Unit.percent) for each in both)))


def _got_by(stage: Decided, side: Side, unit: Unit) -> Words:
    score = stage.saved.score if stage.saved is not None else None
    points = points_by(stage, side, unit)
    return _amount(points, unit) if score is None else _got(score.side(side), points, unit)


def _got(result: SideResult, value: Fraction | None, unit: Unit) -> Words:
    return STRUCK if result.struck else _amount(value, unit)


def _amount(value: Fraction | None, unit: Unit) -> Words:
    return "–" if value is None else t("{number}", number=shown(value, unit.places))


FREQUENCY = (t("North–South's score"), t("Tables"), t("N–S before"), t("N–S now"), t("E–W now"))


def frequency_rows(score: AdjustedScore) -> Iterator[TableRow]:
    """Every result of the board with its matchpoints before and now, the best for North-South first."""
    before = {line.line.result: line for line in score.before}
    after = {line.line.result: line for line in score.after}
    for result in sorted({*before, *after}, key=_place):
        old, new = before.get(result), after.get(result)
        changed = (old.line.tables if old else 0) != (new.line.tables if new else 0)
        tables = str(new.line.tables) if new else "–"
        cells = (_named(result), tables, _mp(old, "north_south"), _mp(new, "north_south"), _mp(new, "east_west"))
        yield TableRow(cells=cells, ours=changed and new is not None)


def _place(result: Result) -> tuple[bool, int, Fraction]:
    score, percent = result
    return score is None, -(score or 0), -(percent[0] if percent else Fraction(0))


def _named(result: Result) -> Words:
    score, percent = result
    if percent is None:
        return signed(score or 0)
    return t("{north_south} % / {east_west} %", north_south=shown(percent[0]), east_west=shown(percent[1]))


def _mp(line: ScoredLine | None, side: str) -> Words:
    return _amount(None if line is None else getattr(line, side), Unit.matchpoints)

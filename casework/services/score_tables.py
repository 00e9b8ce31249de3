"""The tables of an adjusted score: what both sides get, after each body, and the results of the whole board."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from casework.domain.bridge.scoring.adjusted import AdjustedScore, Unit
from casework.domain.bridge.scoring.matchpoints import Result, ScoredLine
from casework.domain.bridge.scoring.working import shown, signed
from casework.domain.labels import label
from casework.domain.terms import Body, Side
from casework.services.earlier_scores import Decided
from casework.text import Text, t

Words = Text | str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A row of a score table; `ours` is the reader's own side, or the table that the ruling is about."""

    cells: tuple[Words, ...]
    ours: bool = False


def points_by(stage: Decided, side: Side, unit: Unit) -> Fraction | None:
    """What a side got by an earlier decision, where it is counted alike."""
    score = stage.saved.score if stage.saved is not None else None
    return score.side(side).points if score is not None and score.side(side).unit is unit else None


_CAPTIONS = {
    Unit.matchpoints: t("What each side gets, in matchpoints"),
    Unit.imps: t("What each side gets, in IMPs"),
    Unit.percent: t("What each side gets"),
}
_HEADS = {Body.DIRECTOR: t("Ruling"), Body.JURY: t("Jury"), Body.LAW_COMMISSION: t("LK")}


def side_caption(score: AdjustedScore, stages: Sequence[Decided]) -> Text:
    """The unit stands here, but for a lone column of percents, which has it in its head."""
    unit = score.north_south.unit
    if unit is Unit.percent and _counted_alike(score, stages):
        return t("What each side gets, in percent")
    return _CAPTIONS[unit]


def side_columns(score: AdjustedScore, stages: Sequence[Decided]) -> tuple[Text, ...]:
    """Their heads; empty where no side's points are known."""
    known = (score.north_south, score.east_west)
    if all(each.points is None for each in known):
        return ()
    unit = score.north_south.unit
    more = t("VP") if any(each.victory_points is not None for each in known) else None
    more = t("Percent") if unit is Unit.matchpoints else more
    heads = [_HEADS[stage.body] for stage in _counted_alike(score, stages)]
    first = t("At the table") if heads else t("Before")
    last = t("Percent") if unit is Unit.percent and not heads else t("Now")
    amounts = (*([] if unit is Unit.percent else [first]), *heads, last)
    return (t("Side"), *amounts, *([more] if more else []))


def _counted_alike(score: AdjustedScore, stages: Sequence[Decided]) -> Sequence[Decided]:
    unit = score.north_south.unit
    return [stage for stage in stages if any(points_by(stage, side, unit) is not None for side in Side)]


def side_rows(score: AdjustedScore, own: Side | None, stages: Sequence[Decided]) -> Iterator[TableRow]:
    """A row for each side: what it had, what it got by each earlier decision, and what it gets."""
    columns = len(side_columns(score, stages))
    for side in (Side.NORTH_SOUTH, Side.EAST_WEST) if columns else ():
        result = score.side(side)
        before = [] if result.unit is Unit.percent else [_amount(result.before, result.unit)]
        before += [_amount(points_by(stage, side, result.unit), result.unit) for stage in _counted_alike(score, stages)]
        last = result.percent if result.victory_points is None else result.victory_points
        cells = (label(side), *before, _amount(result.points, result.unit), _amount(last, Unit.imps))
        yield TableRow(cells=cells[:columns], ours=side is own)


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

"""An adjusted score as page, letter, case file and mail show it: made once here, in words without a language."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import Any
from uuid import UUID

from sqlmodel import Session

from casework.domain.bridge.scoring.adjusted import AdjustedScore, Unit
from casework.domain.bridge.scoring.adjustment import Adjustment, SideScore
from casework.domain.bridge.scoring.artificial import ArtificialScore
from casework.domain.bridge.scoring.matchpoints import Result, ScoredLine
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome
from casework.domain.bridge.scoring.working import Step, shown, signed
from casework.domain.labels import label
from casework.domain.models import AdjustmentRecord
from casework.domain.terms import Body, RulingOutcome, Side
from casework.services.loading import Loaded
from casework.services.scores import SavedScore, newest_score, why_stale
from casework.text import Text, t

Words = Text | str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A row of "at the table" and "after the ruling"; `points` is empty where the result is not one score."""

    label: Text
    results: tuple[Words, ...]
    points: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A row of a score table; `ours` is the reader's own side, or the table that the ruling is about."""

    cells: tuple[Words, ...]
    ours: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The steps of one side's score, or of the whole board's."""

    title: Text
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreView:
    """`results` for the eye; `sides` are what both get, `frequency` the other tables, both tables of `columns`.

    `later` is when it was counted, where that was after the decision.
    """

    outcome: RulingOutcome
    entered: Text
    """What the organiser enters in the result list."""
    operative: Text | None
    """What the parties are told; None where there is no result to tell."""
    points_label: Text
    whose: Text
    """The side that points are told from: the reader's own, else North–South."""
    results: tuple[ResultRow, ...]
    gains: tuple[Text, ...]
    """What both sides get, a sentence for each."""
    side_caption: Text
    """What the table of both sides holds: the unit stands here, so that its heads are short enough for a phone."""
    side_columns: tuple[Text, ...]
    sides: tuple[TableRow, ...]
    frequency_columns: tuple[Text, ...]
    frequency: tuple[TableRow, ...]
    working: tuple[Counted, ...]
    later: datetime | None = None
    replaced_at: datetime | None = None
    """When it was worked out again: what was counted then stands instead."""
    notes: tuple[Text, ...] = ()
    """What must be known with it: that its board has been changed since, or why its result is not the recorded one."""

    def lines(self) -> Iterator[Text]:
        """The same in short, for a mail in plain text."""
        for row in self.results:
            results = [*row.results]
            if row.points:
                yield t("{what}: {results} ({side} {points})", what=row.label, results=results, side=self.whose,
                        points=row.points)  # fmt: skip
            else:
                yield t("{what}: {results}", what=row.label, results=results)
        yield from self.notes
        yield from self.gains

    def counted(self, say: Callable[[Text], str]) -> Mapping[str, Any]:
        """The working for a mail or letter in its reader's words: `parts` with their steps, and the board's results."""
        parts = [
            (say(part.title), [say(t("{step} ({rule})", step=step.text, rule=step.rule)) for step in part.steps])
            for part in self.working
        ]
        rows = [[cell if isinstance(cell, str) else say(cell) for cell in row.cells] for row in self.frequency]
        return {"parts": parts, "columns": [*map(say, self.frequency_columns)], "rows": rows}


def score_view(
    score: AdjustedScore,
    *,
    at_table: Outcome | None,
    own: Side | None = None,
    later: datetime | None = None,
    differs_because: str = "",
    stale: Text | None = None,
) -> ScoreView:
    """The score for a reader of the side `own`, or for somebody of neither."""
    return ScoreView(
        outcome=score.adjustment.outcome,
        entered=_entered(score.adjustment),
        operative=_operative(score.adjustment),
        points_label=t("Points for you") if own else t("Points to North–South"),
        whose=label(own or Side.NORTH_SOUTH),
        results=(*_results(score, at_table, own), *_penalties(score.adjustment)),
        gains=tuple(_gains(score)),
        side_caption=_CAPTIONS[score.north_south.unit],
        side_columns=_side_columns(score),
        sides=tuple(_sides(score, own)),
        frequency_columns=_FREQUENCY if score.after else (),
        frequency=tuple(_frequency(score)),
        working=tuple(_working(score)),
        later=later,
        notes=tuple(_notes(differs_because, stale)),
    )


def _notes(differs_because: str, stale: Text | None) -> Iterator[Text]:
    if stale is not None:
        yield stale
    if differs_because:
        yield t("The result list does not fit the board as it is recorded: {why}", why=differs_because)


def saved_view(
    saved: SavedScore | None, *, own: Side | None = None, later: datetime | None = None, stale: Text | None = None
) -> ScoreView | None:
    """The view of a filed score; None where there is none, or it was taken back. `stale` says what has changed."""
    if saved is None or saved.score is None:
        return None
    return score_view(
        saved.score,
        at_table=saved.at_table,
        own=own,
        later=later,
        differs_because=saved.differs_because,
        stale=stale,
    )


def newest_view(session: Session, loaded: Loaded) -> ScoreView | None:
    """The score that the decision would take along, with what has changed on its board since."""
    saved = newest_score(session, loaded.proceeding.id)
    return saved_view(saved, stale=why_stale(session, loaded, saved))


def views_of(
    records: Sequence[AdjustmentRecord], frozen: UUID | None, *, own: Side | None = None
) -> tuple[ScoreView, ...]:
    """The views of what belongs to a decision; `frozen` is the id of the one that it took along."""
    views = (
        saved_view(SavedScore.of(record), own=own, later=None if record.id == frozen else record.filed_at)
        for record in records
    )
    found = [view for view in views if view is not None]
    since = found[-1].later if found else None
    return tuple(replace(view, replaced_at=since if view.sides and view is not found[-1] else None) for view in found)


def _results(score: AdjustedScore, at_table: Outcome | None, own: Side | None) -> Iterator[ResultRow]:
    if at_table is not None:
        points = _points(at_table.ns_score, own)
        yield ResultRow(label=t("At the table"), results=(at_table.played or t("The score"),), points=points)
    after = t("After the ruling") if score.adjustment.body is Body.DIRECTOR else t("After the decision")
    sides = [Side.NORTH_SOUTH, Side.EAST_WEST]
    if _alike(score.adjustment):
        yield _after(score, own or Side.NORTH_SOUTH, after, own)
        return
    for side in sorted(sides, key=lambda side: side is not own):
        yield _after(score, side, t("{when}, {side}", when=after, side=label(side)), own)


def _penalties(plan: Adjustment) -> Iterator[ResultRow]:
    for side, penalty in plan.penalties:
        yield ResultRow(label=t("Penalty, {side}", side=label(side)), results=(penalty.words,))


def _alike(plan: Adjustment) -> bool:
    return plan.north_south == plan.east_west and isinstance(plan.north_south, AssignedScore)


def _entered(plan: Adjustment) -> Text:
    taken = [t("{side}: {what}", side=label(side), what=penalty.words) for side, penalty in plan.penalties]
    if plan.stands:
        return t("The result at the table stands. Penalty: {taken}.", taken=taken)
    given = _entered_results(plan)
    return t("{given} (penalty: {taken})", given=given, taken=taken) if taken else given


def _entered_results(plan: Adjustment) -> Text:
    north_south = t("{results}", results=_given(plan.north_south))
    if _alike(plan):
        return north_south
    east_west = t("{results}", results=_given(plan.east_west))
    return t("North–South: {north_south}. East–West: {east_west}.", north_south=north_south, east_west=east_west)


def _operative(plan: Adjustment) -> Text | None:
    if plan.stands:
        return _entered(plan)
    if len(plan.assigned) < 2:
        return None
    if _alike(plan):
        return t("The result is changed to {what}.", what=_entered(plan))
    return t("The result is changed. {what}", what=_entered(plan))


def _given(given: SideScore, own: Side | None = None) -> list[Text]:
    if isinstance(given, ArtificialScore):
        return [given.words]
    if len(given.shares) == 1:
        return [_seen(given.shares[0].outcome, own)]
    return [
        t("{percent} % of {outcome}", percent=shown(share.percent, 4), outcome=_seen(share.outcome, own))
        for share in given.shares
    ]


def _seen(outcome: Outcome, own: Side | None) -> Text:
    """A result from its reader's side: the same for all of a page."""
    return outcome.words_for(north_south=own is not Side.EAST_WEST)


def _after(score: AdjustedScore, side: Side, words: Text, own: Side | None) -> ResultRow:
    """One result stands with its points beside it, several with theirs in words."""
    given = score.adjustment.side(side)
    if isinstance(given, AssignedScore) and len(given.shares) == 1:
        outcome = given.shares[0].outcome
        result = outcome.played or t("The score")
        return ResultRow(label=words, results=(result,), points=_points(outcome.ns_score, own))
    return ResultRow(label=words, results=tuple(_given(given, own)))


def _points(ns_score: int, own: Side | None) -> str:
    return signed(-ns_score if own is Side.EAST_WEST else ns_score)


def _gains(score: AdjustedScore) -> Iterator[Text]:
    for side in (Side.NORTH_SOUTH, Side.EAST_WEST):
        result = score.side(side)
        if result.words is not None and result.before is not None:
            before = result.unit.words(result.before)
            yield t("{side}: {after}, before {before}", side=label(side), after=result.words, before=before)
        elif result.words is not None:
            yield t("{side}: {after}", side=label(side), after=result.words)


_CAPTIONS = {
    Unit.matchpoints: t("What each side gets, in matchpoints"),
    Unit.imps: t("What each side gets, in IMPs"),
    Unit.percent: t("What each side gets"),
}


def _side_columns(score: AdjustedScore) -> tuple[Text, ...]:
    known = (score.north_south, score.east_west)
    if all(each.points is None for each in known):
        return ()
    unit = score.north_south.unit
    more = t("VP") if any(each.victory_points is not None for each in known) else None
    more = t("Percent") if unit is Unit.matchpoints else more
    amounts = (t("Percent"),) if unit is Unit.percent else (t("Before"), t("Now"))
    return (t("Side"), *amounts, *([more] if more else []))


def _sides(score: AdjustedScore, own: Side | None) -> Iterator[TableRow]:
    columns = len(_side_columns(score))
    for side in (Side.NORTH_SOUTH, Side.EAST_WEST) if columns else ():
        result = score.side(side)
        before = [] if result.unit is Unit.percent else [_amount(result.before, result.unit)]
        last = result.percent if result.victory_points is None else result.victory_points
        cells = (label(side), *before, _amount(result.points, result.unit), _amount(last, Unit.imps))
        yield TableRow(cells=cells[:columns], ours=side is own)


def _amount(value: Fraction | None, unit: Unit) -> Words:
    return "–" if value is None else t("{number}", number=shown(value, unit.places))


_FREQUENCY = (t("North–South's score"), t("Tables"), t("N–S before"), t("N–S now"), t("E–W now"))


def _frequency(score: AdjustedScore) -> Iterator[TableRow]:
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


def _working(score: AdjustedScore) -> Iterator[Counted]:
    parts = (
        (t("The board"), score.steps),
        (label(Side.NORTH_SOUTH), score.north_south.steps),
        (label(Side.EAST_WEST), score.east_west.steps),
    )
    for title, steps in parts:
        if steps:
            yield Counted(title=title, steps=steps)

"""An adjusted score as page, letter, case file and mail show it: made once here, in words without a language."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import Any
from uuid import UUID

from sqlmodel import Session

from casework.domain.bridge.scoring.adjusted import AdjustedScore, SideResult
from casework.domain.bridge.scoring.adjustment import Adjustment, SideScore
from casework.domain.bridge.scoring.artificial import ArtificialScore
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome
from casework.domain.bridge.scoring.working import Step, shown, signed
from casework.domain.labels import label
from casework.domain.models import AdjustmentRecord
from casework.domain.terms import Body, RulingOutcome, Side
from casework.services.earlier_scores import Decided, before_this, changes
from casework.services.loading import Loaded
from casework.services.score_tables import (
    FREQUENCY,
    TableRow,
    Words,
    frequency_rows,
    points_by,
    side_caption,
    side_columns,
    side_rows,
)
from casework.services.scores import NOT_COUNTED, SavedScore, changes_score, newest_score, why_stale
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A row of "at the table" and "after the ruling"; `points` is empty where the result is not one score."""

    label: Text
    results: tuple[Words, ...]
    points: str = ""


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
    """What the table of both sides holds, with its unit."""
    side_columns: tuple[Words, ...]
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
        parts = [(say(part.title), [say(_with_rule(step)) for step in part.steps]) for part in self.working]
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
    before: Sequence[Decided] = (),
) -> ScoreView:
    """The score for a reader of the side `own`, or for somebody of neither.

    `before` is what earlier bodies decided: what differs from the table's result and from this stands between them.
    """
    stages = changes(before, score)
    return ScoreView(
        outcome=score.adjustment.outcome,
        entered=entered(score.adjustment),
        operative=_operative(score.adjustment),
        points_label=t("Points for you") if own else t("Points to North–South"),
        whose=label(own or Side.NORTH_SOUTH),
        results=(*_results(score, at_table, own, stages), *_penalties(score.adjustment)),
        gains=tuple(_gains(score, stages)),
        side_caption=side_caption(score, stages),
        side_columns=side_columns(score),
        sides=tuple(side_rows(score, stages)),
        frequency_columns=FREQUENCY if score.after else (),
        frequency=tuple(frequency_rows(score)),
        working=tuple(_working(score)),
        later=later,
        notes=tuple(_notes(differs_because, stale)),
    )


def _with_rule(step: Step) -> Text:
    return t("{step} ({rule})", step=step.text, rule=step.rule) if step.rule else step.text


def _notes(differs_because: str, stale: Text | None) -> Iterator[Text]:
    if stale is not None:
        yield stale
    if differs_because:
        yield t("The result list does not fit the board as it is recorded: {why}", why=differs_because)


def saved_view(
    saved: SavedScore | None,
    *,
    own: Side | None = None,
    later: datetime | None = None,
    stale: Text | None = None,
    before: Sequence[Decided] = (),
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
        before=before,
    )


def newest_view(session: Session, loaded: Loaded) -> ScoreView | None:
    """The score that the decision would take along, with what has changed on its board since."""
    saved = newest_score(session, loaded.proceeding.id)
    return saved_view(saved, stale=why_stale(session, loaded, saved), before=before_this(session, loaded))


def views_of(
    records: Sequence[AdjustmentRecord],
    frozen: UUID | None,
    *,
    own: Side | None = None,
    before: Sequence[Decided] = (),
) -> tuple[ScoreView, ...]:
    """The views of what belongs to a decision; `frozen` is the id of the one that it took along."""
    views = (
        saved_view(
            SavedScore.of(record), own=own, later=None if record.id == frozen else record.filed_at, before=before
        )
        for record in records
    )
    found = [view for view in views if view is not None]
    since = found[-1].later if found else None
    return tuple(replace(view, replaced_at=since if view.sides and view is not found[-1] else None) for view in found)


def _results(
    score: AdjustedScore, at_table: Outcome | None, own: Side | None, stages: Sequence[Decided]
) -> Iterator[ResultRow]:
    if at_table is not None:
        points = _points(at_table.ns_score, own)
        yield ResultRow(label=t("At the table"), results=(at_table.played or t("The score"),), points=points)
    for stage in stages:
        yield from _stage(stage, own)
    ours = score.adjustment
    decided = _AFTER[ours.body] if any(stage.body is not Body.DIRECTOR for stage in stages) else t("After the decision")
    yield from _decided(ours, t("After the ruling") if ours.body is Body.DIRECTOR else decided, own)


_AFTER = {
    Body.DIRECTOR: t("After the ruling"),
    Body.JURY: t("After the jury's decision"),
    Body.LAW_COMMISSION: t("After the Law Commission's decision"),
}


def _stage(stage: Decided, own: Side | None) -> Iterator[ResultRow]:
    """What an earlier body made of the result; told in words alone it has no figures."""
    when, score = _AFTER[stage.body], stage.saved.score if stage.saved is not None else None
    if score is not None and score.adjustment.penalties:
        yield ResultRow(label=when, results=(entered(score.adjustment),))
    elif score is not None:
        yield from _decided(score.adjustment, when, own)
    elif stage.outcome is not None:
        not_counted = (NOT_COUNTED,) if changes_score(stage.outcome) else ()
        yield ResultRow(label=when, results=(label(stage.outcome), *not_counted))


def _decided(plan: Adjustment, when: Text, own: Side | None) -> Iterator[ResultRow]:
    """A row for both sides where they get the same, else one for each, the reader's own first."""
    if _alike(plan):
        yield _after(plan, own or Side.NORTH_SOUTH, when, own)
        return
    for side in sorted((Side.NORTH_SOUTH, Side.EAST_WEST), key=lambda side: side is not own):
        yield _after(plan, side, t("{when}, {side}", when=when, side=label(side)), own)


def _penalties(plan: Adjustment) -> Iterator[ResultRow]:
    for side, penalty in plan.penalties:
        yield ResultRow(label=t("Penalty, {side}", side=label(side)), results=(penalty.words,))


def _alike(plan: Adjustment) -> bool:
    return plan.north_south == plan.east_west and isinstance(plan.north_south, AssignedScore)


def entered(plan: Adjustment) -> Text:
    """What the organiser enters in the result list."""
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
        return entered(plan)
    if len(plan.assigned) < 2:
        return None
    if _alike(plan):
        return t("The result is changed to {what}.", what=entered(plan))
    return t("The result is changed. {what}", what=entered(plan))


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


def _after(plan: Adjustment, side: Side, words: Text, own: Side | None) -> ResultRow:
    """One result stands with its points beside it, several with theirs in words."""
    given = plan.side(side)
    if isinstance(given, AssignedScore) and len(given.shares) == 1:
        outcome = given.shares[0].outcome
        result = outcome.played or t("The score")
        return ResultRow(label=words, results=(result,), points=_points(outcome.ns_score, own))
    return ResultRow(label=words, results=tuple(_given(given, own)))


def _points(ns_score: int, own: Side | None) -> str:
    return signed(-ns_score if own is Side.EAST_WEST else ns_score)


def _gains(score: AdjustedScore, stages: Sequence[Decided]) -> Iterator[Text]:
    for side in (Side.NORTH_SOUTH, Side.EAST_WEST):
        result = score.side(side)
        earlier = [*_earlier(result, side, stages)]
        if result.words is not None and earlier:
            told = [told(result.unit.words(points)) for told, points in earlier]
            yield t("{side}: {after} ({earlier})", side=label(side), after=result.words, earlier=told)
        elif result.words is not None and result.before is not None:
            before = result.unit.words(result.before)
            yield t("{side}: {after}, before {before}", side=label(side), after=result.words, before=before)
        elif result.words is not None:
            yield t("{side}: {after}", side=label(side), after=result.words)


def _earlier(
    result: SideResult, side: Side, stages: Sequence[Decided]
) -> Iterator[tuple[Callable[[Text], Text], Fraction]]:
    """Where a body before this one has decided: what the side had at the table, and by each decision."""
    counted = [(stage.body, points) for stage in stages if (points := points_by(stage, side, result.unit)) is not None]
    if counted and result.before is not None:
        yield _told_at_table, result.before
    yield from ((_TOLD[body], points) for body, points in counted)


def _told_at_table(amount: Text) -> Text:
    return t("at the table {amount}", amount=amount)


_TOLD: Mapping[Body, Callable[[Text], Text]] = {
    Body.DIRECTOR: lambda amount: t("after the ruling {amount}", amount=amount),
    Body.JURY: lambda amount: t("after the jury's decision {amount}", amount=amount),
    Body.LAW_COMMISSION: lambda amount: t("after the Law Commission's decision {amount}", amount=amount),
}


def _working(score: AdjustedScore) -> Iterator[Counted]:
    parts = (
        (t("The board"), score.steps),
        (label(Side.NORTH_SOUTH), score.north_south.steps),
        (label(Side.EAST_WEST), score.east_west.steps),
    )
    for title, steps in parts:
        if steps:
            yield Counted(title=title, steps=steps)

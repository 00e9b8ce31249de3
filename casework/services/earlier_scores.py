"""What the bodies before one made of a board's result: first the table's own, then each decision that changed it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlmodel import Session

from casework.domain.bridge.scoring.adjusted import AdjustedScore
from casework.domain.models import AdjustmentRecord, Decision, Proceeding
from casework.domain.terms import Body, RulingOutcome
from casework.services.loading import Loaded
from casework.services.scores import SavedScore, given_to_sides, of_decisions


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What one body decided about the score; `saved` None where it is told in words, or left as it was."""

    body: Body
    outcome: RulingOutcome | None
    saved: SavedScore | None


def decided_before(
    proceedings: Sequence[Proceeding],
    decisions: Iterable[Decision],
    records: Mapping[UUID, Sequence[AdjustmentRecord]],
    proceeding_id: UUID,
) -> tuple[Decided, ...]:
    """The decisions in force that a proceeding is about, oldest first; `records` by decision, as `of_decisions`."""
    by_proceeding = {decision.proceeding_id: decision for decision in decisions if decision.replaced_by_id is None}
    tried = [by_proceeding[p.id] for p in _above(proceedings, proceeding_id) if p.id in by_proceeding]
    body = {proceeding.id: proceeding.body for proceeding in proceedings}
    return tuple(
        Decided(body=body[row.proceeding_id], outcome=row.outcome, saved=_counted(records.get(row.id, ())))
        for row in reversed(tried)
    )


def before_this(session: Session, loaded: Loaded) -> tuple[Decided, ...]:
    """The same of the loaded proceeding."""
    earlier = [
        loaded.decisions[p.id] for p in _above(loaded.proceedings, loaded.proceeding.id) if p.id in loaded.decisions
    ]
    return decided_before(loaded.proceedings, earlier, of_decisions(session, earlier), loaded.proceeding.id)


def _above(proceedings: Sequence[Proceeding], proceeding_id: UUID) -> Iterator[Proceeding]:
    by_id = {proceeding.id: proceeding for proceeding in proceedings}
    parent = by_id[proceeding_id].parent_id
    while parent is not None:
        yield by_id[parent]
        parent = by_id[parent].parent_id


def _counted(records: Sequence[AdjustmentRecord]) -> SavedScore | None:
    """The newest that was counted, with the decision or later: the results are the same."""
    found = (SavedScore.of(record) for record in reversed(records))
    return next((saved for saved in found if saved.score is not None), None)


def changes(before: Sequence[Decided], score: AdjustedScore) -> Sequence[Decided]:
    """The decisions that changed what stood, and that `score` changes in its turn."""
    found: list[Decided] = []
    stood: object = RulingOutcome.RESULT_STANDS
    for each, last in zip(before, (None, *before), strict=False):
        confirms = each.saved is None and last is not None and each.outcome is last.outcome
        made = _made(each)
        if not confirms and made != stood:
            found.append(each)
            stood = made
    return found[:-1] if found and stood == given_to_sides(score) else found


def _made(each: Decided) -> object:
    return given_to_sides(each.saved.score) if each.saved is not None and each.saved.score is not None else each.outcome


def changes_what_stands(before: Sequence[Decided], score: AdjustedScore) -> bool | None:
    """Whether a score is another than what the decision that is tried made of the result.

    None where that cannot be told: it was told in words alone, or nothing has been decided.
    """
    if not before:
        return None
    stands = before[-1]
    for each, earlier in zip(reversed(before), (*reversed(before[:-1]), None), strict=True):
        stands = each
        if each.saved is not None or earlier is None or each.outcome is not earlier.outcome:
            break
    if stands.saved is None and stands.outcome is score.adjustment.outcome:
        return None
    return _made(stands) != given_to_sides(score)

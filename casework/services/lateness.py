"""Whether an appeal came in time: the machine's proposal, which follows its party's window; and a statement."""

from datetime import datetime
from uuid import UUID

from casework.domain.minutes import has_run
from casework.domain.models import Statement
from casework.domain.terms import DeadlineEnd, DeadlineKind, StatementKind
from casework.services.loading import Loaded
from casework.services.step import Step


def came_in_time(loaded: Loaded, party_id: UUID, lodged_at: datetime) -> bool:
    """Late is what came after the party's own window here; before it starts nothing is late."""
    windows = [
        d
        for d in loaded.deadlines
        if d.proceeding_id == loaded.proceeding.id
        and d.kind is DeadlineKind.APPEAL_WINDOW
        and d.party_id == party_id
        and d.ended is not DeadlineEnd.MOVED
    ]
    return not any(has_run(d.instant, lodged_at) for d in windows)


def came_late(loaded: Loaded, statement: Statement) -> bool:
    """Whether a statement came after the time that its party had, or after the papers were complete (R-DL1)."""
    times = [
        d
        for d in loaded.deadlines
        if d.proceeding_id == statement.proceeding_id
        and d.party_id == statement.party_id
        and d.kind in (DeadlineKind.STATEMENT, DeadlineKind.ANSWER)
        and d.ended is not DeadlineEnd.MOVED
        and statement.demand_id in (None, d.demand_id)
    ]
    return statement.kind is StatementKind.LATE or any(has_run(d.instant, statement.received_at) for d in times)


def propose_again(step: Step) -> None:
    """A window has moved: what was late may have been in time. What the body has found stands."""
    decision = step.loaded.decision()
    for appeal in step.loaded.appeals:
        open_ = appeal.withdrawn_at is None and appeal.found_in_time is None
        if decision is not None and appeal.decision_id == decision.id and open_:
            appeal.in_time = came_in_time(step.loaded, appeal.party_id, appeal.lodged_at)
            step.session.add(appeal)

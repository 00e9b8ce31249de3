"""Whether an appeal came in time: the machine's proposal, which follows its party's window when that moves."""

from datetime import datetime
from uuid import UUID

from casework.domain.terms import DeadlineEnd, DeadlineKind
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
    return not any(d.instant is not None and lodged_at.replace(microsecond=0) > d.instant for d in windows)


def propose_again(step: Step) -> None:
    """A window has moved: what was late may have been in time. What the body has found stands."""
    decision = step.loaded.decision()
    for appeal in step.loaded.appeals:
        open_ = appeal.withdrawn_at is None and appeal.found_in_time is None
        if decision is not None and appeal.decision_id == decision.id and open_:
            appeal.in_time = came_in_time(step.loaded, appeal.party_id, appeal.lodged_at)
            step.session.add(appeal)

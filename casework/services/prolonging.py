"""More time to appeal for a side, and whether it can be given, said before it is."""

from datetime import datetime
from uuid import UUID

from sqlmodel import Session

from casework.domain.access import Actor
from casework.domain.errors import Invalid
from casework.domain.models import Deadline
from casework.domain.terms import ActionName, DeadlineEnd
from casework.domain.workflow.facts import Ask
from casework.domain.workflow.guards import longer_than_before
from casework.services.engine import take
from casework.services.lateness import propose_again
from casework.services.loading import Loaded
from casework.services.reopening import reopen
from casework.services.snapshot import snapshot
from casework.services.step import FormInstance, Step
from casework.text import t

_KEPT = set("case_id proceeding_id kind party_id base span_value span_unit source rule_version".split())
"""What a prolonged time has of the old one."""


def refuse_prolonging(loaded: Loaded, deadline: Deadline, *, until: datetime, now: datetime) -> None:
    """Say at the field what the guard says of the whole step: raise Invalid for a time that cannot be given."""
    ask = Ask(
        person_id=None,
        parts=frozenset(),
        now=now,
        data={"until": until},
        subject_id=deadline.id,
        party_id=deadline.party_id,
    )
    if reason := longer_than_before(snapshot(loaded), ask):
        raise Invalid({"until": reason})


def prolong_window(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    deadline_id: UUID,
    party_id: UUID,
    until: datetime,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Give a party more time to appeal; the old time stays in the history."""

    def write(step: Step) -> None:
        old = next(d for d in step.loaded.deadlines if d.id == deadline_id)
        kept = old.model_dump(include=_KEPT)
        more = t("The director gave more time, until {until}.", until=until)
        times = {"instant": until, "opened_at": step.now, "explanation": more}
        fresh = Deadline.model_validate(kept | times | {"prolonged_because": because.strip()})
        old.ended, old.ended_at = DeadlineEnd.MOVED, step.now
        session.add_all([old, fresh])
        step.loaded.deadlines.append(fresh)
        propose_again(step)

    step = take(
        session,
        proceeding_id,
        ActionName.PROLONG_WINDOW,
        actor,
        now=now,
        data={"until": until, "because": because},
        subject_id=deadline_id,
        party_id=party_id,
        form=form,
        write=write,
    )
    reopen(session, step.loaded, now)
    return step

"""What the system does by itself: when a deadline has run, and when a step has made another possible."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters.outbox import enqueue
from casework.domain.access import SYSTEM
from casework.domain.models import Deadline, Proceeding
from casework.domain.terms import ActionName, DemandEnd, Part
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.decide import available
from casework.domain.workflow.facts import Ask
from casework.domain.workflow.table import EXPIRES
from casework.services import decisions, statements
from casework.services.engine import take
from casework.services.loading import Loaded, load
from casework.services.snapshot import snapshot
from casework.services.step import Step

ADVANCE_JOB = "advance"


def due(session: Session, now: datetime, limit: int = 100) -> list[UUID]:
    """The deadlines whose instant has come and that nothing has been done about, the oldest first."""
    query = (
        select(col(Deadline.id))
        .where(col(Deadline.ended).is_(None), col(Deadline.overdue_at).is_(None), col(Deadline.instant) <= now)
        .order_by(col(Deadline.instant))
        .limit(limit)
    )
    return list(session.exec(query))


def expire(session: Session, deadline_id: UUID, now: datetime) -> None:
    """Do what the procedure says when a deadline has run; nothing if it has ended or been moved meanwhile."""
    deadline = session.get(Deadline, deadline_id)
    if deadline is None or deadline.ended is not None or deadline.overdue_at is not None:
        return
    if deadline.instant is None or deadline.instant > now:
        return
    action = EXPIRES[deadline.kind]

    def write(step: Step) -> None:
        row = next(d for d in step.loaded.deadlines if d.id == deadline_id)
        if action is ActionName.PASS_DEADLINE:
            row.overdue_at = step.now
            step.session.add(row)
        elif row.demand_id is not None:
            _fall_silent(step, row.demand_id)

    take(
        session,
        deadline.proceeding_id,
        action,
        SYSTEM,
        now=now,
        data={"demand_id": deadline.demand_id},
        subject_id=deadline_id,
        party_id=deadline.party_id,
        write=write,
    )


def remind(session: Session, deadline_id: UUID, now: datetime) -> None:
    """Remind a party that has not answered; nothing if it has, or if its last day has moved meanwhile."""
    deadline = session.get(Deadline, deadline_id)
    if deadline is None or deadline.ended is not None or deadline.demand_id is None or deadline.party_id is None:
        return
    data = {"demand_id": deadline.demand_id, "demands": {deadline.party_id: deadline.demand_id}}
    take(
        session,
        deadline.proceeding_id,
        ActionName.REMIND,
        SYSTEM,
        now=now,
        data=data,
        subject_id=deadline_id,
        party_id=deadline.party_id,
    )


def _fall_silent(step: Step, demand_id: UUID) -> None:
    demand = next(d for d in step.loaded.demands if d.id == demand_id)
    demand.ended, demand.ended_at = DemandEnd.SILENT, step.now
    step.session.add(demand)


def advance(session: Session, case_id: UUID, now: datetime) -> int:
    """Take every automatic step of a case that has become possible; returns how many."""
    taken = 0
    while _advance_one(session, case_id, now):
        taken += 1
    return taken


def advance_one(session: Session, case_id: UUID, now: datetime) -> None:
    """Take one automatic step, and look again in a unit of its own: a long chain never holds the case for long."""
    if step := _advance_one(session, case_id, now):
        enqueue(
            session,
            kind=ADVANCE_JOB,
            subject_id=case_id,
            case_id=case_id,
            dedupe_key=f"{ADVANCE_JOB}:{case_id}:after:{step.loaded.case.head_seq}",
            due=now,
        )


def _advance_one(session: Session, case_id: UUID, now: datetime) -> Step | None:
    newest = (
        select(col(Proceeding.id))
        .where(Proceeding.case_id == case_id)
        .order_by(col(Proceeding.opened_at).desc(), col(Proceeding.kind))
        .limit(1)
    )
    loaded = load(session, session.exec(newest).one(), lock=True)
    ask = Ask(person_id=None, parts=frozenset({Part.SYSTEM}), now=now)
    for proceeding in loaded.proceedings:
        here = replace(loaded, proceeding=proceeding)
        for possibility in available(PROCEDURES[proceeding.kind], snapshot(here), ask):
            if possibility.action.automatic and possibility.allowed:
                return _VERBS.get(possibility.action.name, _plain(possibility.action.name))(session, here, now)
    return None


def _plain(action: ActionName) -> Callable[[Session, Loaded, datetime], Step]:
    return lambda session, loaded, now: take(session, loaded, action, SYSTEM, now=now)


_VERBS: dict[ActionName, Callable[[Session, Loaded, datetime], Step]] = {
    ActionName.OPEN_STATEMENTS: statements.open_statements,
    ActionName.FINALISE: decisions.become_final,
}
"""The automatic steps that write rows of their own."""

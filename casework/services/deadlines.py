"""What the system does by itself: when a deadline has run, and when a step has made another possible."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters.outbox import enqueue
from casework.domain.access import SYSTEM
from casework.domain.minutes import has_run, whole_minute
from casework.domain.models import Deadline, Proceeding, Timer
from casework.domain.terms import ActionName, DeadlineEnd, DemandEnd, Part
from casework.domain.watch import TimerState
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.decide import available
from casework.domain.workflow.facts import Ask
from casework.domain.workflow.table import EXPIRES
from casework.services import clockwork, decisions, statements, timers
from casework.services.engine import take
from casework.services.loading import Loaded, load
from casework.services.snapshot import snapshot
from casework.services.step import Step
from casework.text import t

ADVANCE_JOB = "advance"


def due(session: Session, now: datetime, limit: int = 100) -> list[UUID]:
    """The deadlines whose instant has come and that nothing has been done about, the oldest first."""
    query = (
        select(col(Deadline.id))
        .where(
            col(Deadline.ended).is_(None), col(Deadline.overdue_at).is_(None), col(Deadline.instant) < whole_minute(now)
        )
        .order_by(col(Deadline.instant))
        .limit(limit)
    )
    return list(session.exec(query))


def expire(session: Session, deadline_id: UUID, now: datetime) -> None:
    """Do what the procedure says when a deadline has run; nothing if it has ended or been moved meanwhile."""
    deadline = session.get(Deadline, deadline_id)
    if deadline is None or deadline.ended is not None or deadline.overdue_at is not None:
        return
    if deadline.instant is None or not has_run(deadline.instant, now):
        return
    action = EXPIRES[deadline.kind]

    def write(step: Step) -> None:
        row = next(d for d in step.loaded.deadlines if d.id == deadline_id)
        if action is ActionName.PASS_DEADLINE:
            row.overdue_at = step.now
            step.session.add(row)
            timers.plan(step.session, row, step.facts.profile, step.now, fresh=False)
        elif row.demand_id is not None:
            _fall_silent(step, row.demand_id)

    take(
        session,
        deadline.proceeding_id,
        action,
        SYSTEM,
        now=now,
        data={"demand_id": deadline.demand_id, "recorded": clockwork.delay(session, deadline.instant, now) or {}},
        subject_id=deadline_id,
        party_id=deadline.party_id,
        write=write,
    )


def run_timer(session: Session, timer_id: UUID, now: datetime) -> None:
    """Do a timer's step, or say why it is not needed; red where it comes too late to be of use."""
    timer = session.get(Timer, timer_id)
    deadline = session.get(Deadline, timer.deadline_id) if timer else None
    if timer is None or deadline is None:
        return
    loaded = load(session, deadline.proceeding_id, lock=True)
    session.refresh(timer)
    if timer.state is not TimerState.WAITING or timer.due_at > now:
        return
    deadline = next(d for d in loaded.deadlines if d.id == timer.deadline_id)
    kind = timer.step.partition(":")[0]
    if deadline.ended not in (None, DeadlineEnd.EXPIRED):
        timers.end(session, timer, now, TimerState.DONE, t("It was not needed: what it was about had been done."))
    elif kind == timers.REMIND_OFFICIAL and (deadline.overdue_at is not None or has_run(deadline.instant, now)):
        timers.end(session, timer, now, TimerState.DONE, t("It was not needed: the time had run out, which was told."))
    elif kind == timers.REMIND and (deadline.ended is not None or has_run(deadline.instant, now)):
        missed = t("The reminder was not sent before the time ran out. Ask the party.")
        timers.end(session, timer, now, TimerState.RED, missed)
    elif timers.followed(session, timer, now):
        later = t("It was told with the next step, as both were due: the system had stood still.")
        timers.end(session, timer, now, TimerState.DONE, later)
    else:
        _take_timer(session, loaded, deadline, timer, now)
        timers.end(session, timer, now, TimerState.DONE)


def _take_timer(session: Session, loaded: Loaded, deadline: Deadline, timer: Timer, now: datetime) -> None:
    late = clockwork.delay(session, timer.due_at, now)
    data: dict[str, object] = {"recorded": late or {}}
    action = ActionName.REMIND_OFFICIAL if deadline.overdue_at is None else ActionName.ESCALATE
    if deadline.demand_id is not None and deadline.party_id is not None:
        action = ActionName.REMIND
        data |= {"demand_id": deadline.demand_id, "demands": {deadline.party_id: deadline.demand_id}}
    take(session, loaded, action, SYSTEM, now=now, data=data, subject_id=deadline.id, party_id=deadline.party_id)


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

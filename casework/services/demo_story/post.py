"""The demo's past: mail that was handed over at once, deadlines that ran out, at their own times."""

from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters import mail, smtp
from casework.adapters.database import uow
from casework.domain.models import Case, Deadline, OutboxJob, Timer
from casework.domain.terms import JobState
from casework.domain.watch import TimerState
from casework.services import deadlines, history, notices


def settle(session: Session, case_id: UUID, now: datetime) -> None:
    """Do what worker and clock would have done in a case by `now`: mail, automatic steps, deadlines, checkpoints."""
    _remind(session, case_id, now)
    while jobs := _due(session, case_id, now):
        for job in jobs:
            _do(session, job, now)
            job.state, job.done_at = JobState.DONE, now
            session.add(job)
        session.flush()


def expire(session: Session, case_id: UUID, now: datetime) -> None:
    """Let every deadline of the case that has run by `now` run out."""
    _remind(session, case_id, now)
    for deadline_id in _running_out(session, case_id, now):
        deadlines.expire(session, deadline_id, now)
        session.flush()
    settle(session, case_id, now)


def _remind(session: Session, case_id: UUID, now: datetime) -> None:
    """Reminders and escalations, each at its own time."""
    session.flush()
    waiting = select(Timer).where(Timer.case_id == case_id, Timer.state == TimerState.WAITING, col(Timer.due_at) <= now)
    for timer in session.exec(waiting.order_by(col(Timer.due_at))).all():
        deadlines.run_timer(session, timer.id, timer.due_at)
        session.flush()


def _running_out(session: Session, case_id: UUID, now: datetime) -> list[UUID]:
    mine = set(session.exec(select(col(Deadline.id)).where(Deadline.case_id == case_id)))
    return [deadline_id for deadline_id in deadlines.due(session, now, limit=10_000) if deadline_id in mine]


def expire_all(now: datetime) -> None:
    """The same for every case."""
    with uow() as session:
        cases = list(session.exec(select(col(Case.id))))
    for case_id in cases:
        with uow(write=True) as session:
            expire(session, case_id, now)


def _due(session: Session, case_id: UUID, now: datetime) -> list[OutboxJob]:
    session.flush()
    query = select(OutboxJob).where(
        OutboxJob.case_id == case_id, col(OutboxJob.state) == JobState.DUE, col(OutboxJob.next_at) <= now
    )
    return list(session.exec(query.order_by(col(OutboxJob.created_at))))


def _do(session: Session, job: OutboxJob, now: datetime) -> None:
    match job.kind:
        case "mail":
            letter = notices.message_for(session, job.subject_id, now)
            notices.begin_sending(session, letter, now)
            message = mail.build(letter, now)
            handover = smtp.Handover.of(message, at=now, remote=smtp.MAILBOX, reply="250 kept in the mailbox")
            notices.record_handover(session, job.subject_id, handover)
        case "advance":
            deadlines.advance(session, job.subject_id, now)
        case "checkpoint":
            history.checkpoint(session, now)

"""What the system did while its clock was ahead, at times that have not come: put right where that is plain (F25).

A time that was ended because it had run out runs again, reminders wait again, and mails that said so and have not gone
are called back. What people did stands as it is, and so does what cannot be undone by itself: the office reads it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import and_, or_, update
from sqlmodel import Session, col, select

from casework import logs
from casework.adapters.outbox import BACKOFF, take_back
from casework.domain.access import SYSTEM
from casework.domain.delivery import OurReason
from casework.domain.errors import CaseworkError
from casework.domain.minutes import whole_minute
from casework.domain.models import Case, Deadline, Demand, Event, Notice, OutboxJob, Timer
from casework.domain.terms import (
    ActionName,
    Channel,
    DeadlineEnd,
    DeadlineKind,
    DemandEnd,
    JobState,
    NoticeKind,
    NoticeState,
    Part,
    State,
)
from casework.domain.watch import TimerState
from casework.services import timers
from casework.services.engine import take
from casework.services.loading import load
from casework.services.reopening import reopen
from casework.services.step import Step
from casework.settings import get_settings

log = logs.logger(__name__)
SHOWN = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Something that the system did at a time that has not come yet."""

    case_id: UUID
    number: str
    action: ActionName
    at: datetime
    put_right: bool


def deeds(session: Session, now: datetime) -> Sequence[Deed]:
    """What was done in false time, the first first; a proof is no deed of the clock's."""
    query = (
        select(Event, Case.number)
        .join(Case, col(Case.id) == col(Event.case_id))
        .where(col(Event.at) > now, Event.part == Part.SYSTEM, Event.action != ActionName.RECORD_PROOF)
        .order_by(col(Event.at), col(Event.seq))
        .limit(SHOWN)
    )
    found = list(session.exec(query))
    cases = {event.case_id for event, _ in found}
    again = (ActionName.RUN_AGAIN, ActionName.REOPEN)
    mended = session.exec(select(Event).where(col(Event.case_id).in_(cases), col(Event.action).in_(again))).all()
    return [
        Deed(
            case_id=event.case_id,
            number=number,
            action=ActionName(event.action),
            at=event.at,
            put_right=any(_mends(each, event) for each in mended),
        )
        for event, number in found
    ]


def _mends(later: Event, deed: Event) -> bool:
    if later.case_id != deed.case_id or later.seq < deed.seq:
        return False
    if deed.action == ActionName.FINALISE:
        return later.action == ActionName.REOPEN and later.proceeding_id == deed.proceeding_id
    return bool(deed.data.get("subject")) and later.data.get("subject") == deed.data["subject"]


def put_right(session: Session, now: datetime) -> None:
    """Undo what is plain, in the unit that lets the right clock go on; a case that resists stays on the list."""
    _let_times_run_again(session, now)
    _let_timers_wait_again(session, now)
    _let_jobs_go(session, now)


def _let_times_run_again(session: Session, now: datetime) -> None:
    ended = or_(col(Deadline.ended) == DeadlineEnd.EXPIRED, col(Deadline.overdue_at).is_not(None))
    ahead = select(col(Deadline.id)).where(ended, col(Deadline.instant) >= whole_minute(now))
    for deadline_id in session.exec(ahead.order_by(col(Deadline.case_id), col(Deadline.id))).all():
        try:
            with session.begin_nested():
                _run_again(session, deadline_id, now)
        except CaseworkError as error:
            log.warning("not_put_right", row_id=deadline_id, error=type(error).__name__)


def _run_again(session: Session, deadline_id: UUID, now: datetime) -> None:
    deadline = session.get_one(Deadline, deadline_id)
    loaded = load(session, deadline.proceeding_id, lock=True)
    row = next(each for each in loaded.deadlines if each.id == deadline_id)
    demand = next((each for each in loaded.demands if each.id == row.demand_id), None)
    was_final = loaded.proceeding.state is State.FINAL

    def write(step: Step) -> None:
        row.ended = row.ended_at = row.overdue_at = None
        session.add(row)
        if demand is not None:
            _ask_again(session, demand)
        timers.plan(session, row, step.facts.profile, now, fresh=False)

    step = take(
        session,
        loaded,
        ActionName.RUN_AGAIN,
        SYSTEM,
        now=now,
        subject_id=row.id,
        party_id=row.party_id,
        write=write,
    )
    session.flush()
    untrue = [*_of_events(session, row.case_id, now, subject=row.id)]
    if was_final and row.kind is DeadlineKind.APPEAL_WINDOW:
        untrue += _of_events(session, row.case_id, now, action=ActionName.FINALISE)
        reopen(session, step.loaded, now)
        session.flush()
    _call_back(session, untrue, now)
    if was_final:
        _tell_no_more_than_was_told(session, row, now)


def _ask_again(session: Session, demand: Demand) -> None:
    if demand.ended is DemandEnd.SILENT:
        demand.ended = demand.ended_at = None
        session.add(demand)


def _let_timers_wait_again(session: Session, now: datetime) -> None:
    early = select(Timer).where(
        col(Timer.due_at) > now, col(Timer.done_at) > now, col(Timer.state).in_((TimerState.RED, TimerState.DONE))
    )
    for timer in session.exec(early).all():
        timer.state, timer.attempts, timer.done_at, timer.words = TimerState.WAITING, 0, None, None
        session.add(timer)
        _call_back(session, _of_events(session, timer.case_id, now, subject=timer.deadline_id), now)


def _let_jobs_go(session: Session, now: datetime) -> None:
    """No job waits for a false moment: neither one that was made in it, nor one that was to be tried again."""
    late = or_(col(OutboxJob.created_at) > now, col(OutboxJob.next_at) > now + BACKOFF[-1])
    due = (col(OutboxJob.state) == JobState.DUE, col(OutboxJob.next_at) > now, late)
    session.execute(update(OutboxJob).where(*due).values(next_at=now))
    longest = now + get_settings().lease
    held = (col(OutboxJob.state).in_((JobState.CLAIMED, JobState.SENDING)), col(OutboxJob.claimed_until) > longest)
    session.execute(update(OutboxJob).where(*held).values(claimed_until=longest))


def _of_events(
    session: Session, case_id: UUID, now: datetime, *, subject: UUID | None = None, action: ActionName | None = None
) -> Iterator[UUID]:
    """The notices of the system's false deeds about a deadline, or of one kind."""
    query = select(Event).where(Event.case_id == case_id, col(Event.at) > now, Event.part == Part.SYSTEM)
    for event in session.exec(query).all():
        if event.action == action or (subject is not None and event.data.get("subject") == str(subject)):
            yield from map(UUID, event.data.get("notices", ()))


def _call_back(session: Session, notice_ids: Iterable[UUID], now: datetime) -> None:
    """Stop those that have not begun to go; a mail that tells several goes or stays for all of them."""
    wanted = set(notice_ids)
    waits: Any = and_(col(Notice.id).in_(wanted), col(Notice.state).in_((NoticeState.DUE, NoticeState.TO_BE_POSTED)))
    waiting = session.exec(select(Notice).where(waits).with_for_update()).all()
    mails = {notice.carried_by or notice.id for notice in waiting if notice.channel is Channel.MAIL}
    stopped = take_back(session, mails, now)
    for notice in waiting:
        if notice.channel is Channel.MAIL and (notice.carried_by or notice.id) not in stopped:
            continue
        notice.state, notice.reply = NoticeState.CALLED_BACK, OurReason.WRONG_CLOCK
        session.add(notice)


def _tell_no_more_than_was_told(session: Session, row: Deadline, now: datetime) -> None:
    """Who has not been told that it was final is not told that it no longer is."""
    of_kind = select(Notice).where(Notice.proceeding_id == row.proceeding_id)
    final = session.exec(of_kind.where(Notice.kind == NoticeKind.FINAL)).all()
    if all(notice.state is NoticeState.CALLED_BACK for notice in final):
        back = session.exec(of_kind.where(Notice.kind == NoticeKind.NO_LONGER_FINAL, Notice.due_at == now)).all()
        _call_back(session, [notice.id for notice in back], now)

"""Who is reminded before a hearing, and who has not said whether there is a conflict of interest (R17, R19, R26).

A hearing is moved and called anew, and a seat changes hands: so what is due is read from the rows at every look.
"""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters.outbox import enqueue
from casework.clock import LOCAL
from casework.domain.access import SYSTEM
from casework.domain.calendar import morning
from casework.domain.models import Notice, OutboxJob, Panel, Proceeding, Seat
from casework.domain.terms import UNANSWERED, ActionName, NoticeKind, State
from casework.domain.workflow.hearing import WITH_PANEL
from casework.services import reminder_choice
from casework.services.engine import take
from casework.services.loading import Loaded, load
from casework.services.panels import panel_of, panel_seats
from casework.services.snapshot import snapshot

KIND = "reminder"
"""The job's kind; its subject is the panel's proceeding."""


def find(session: Session, now: datetime) -> int:
    """Ask a worker to look at each panel of which somebody is to be reminded; returns how many.

    Each in a unit of its own: one that breaks is tried again and then red, and keeps no other from being reminded.
    """
    asked = 0
    for proceeding_id in _in_question(session, now):
        loaded = load(session, proceeding_id)
        moments = [_hearing_is_near(session, loaded, now), *(moment for _, moment in _silent(session, loaded, now))]
        newest = max((moment for moment in moments if moment is not None), default=None)
        if newest is None:
            continue
        key = f"{KIND}:{proceeding_id}:{newest.isoformat()}"
        if session.exec(select(OutboxJob.id).where(OutboxJob.dedupe_key == key)).first() is None:
            enqueue(session, kind=KIND, subject_id=proceeding_id, case_id=loaded.case.id, dedupe_key=key, due=now)
            asked += 1
    return asked


def remind(session: Session, proceeding_id: UUID, now: datetime) -> None:
    """Remind of the hearing that is near, and of the question that has no answer, where that is still so."""
    loaded = load(session, proceeding_id, lock=True)
    if _hearing_is_near(session, loaded, now):
        take(session, loaded, ActionName.REMIND_OF_HEARING, SYSTEM, now=now)
    if silent := [person_id for person_id, _ in _silent(session, loaded, now)]:
        take(session, loaded, ActionName.REMIND_OF_CONFLICT, SYSTEM, now=now, data={"seated": silent})


def _in_question(session: Session, now: datetime) -> set[UUID]:
    """Proceedings with a hearing ahead, or with a member who was seated before today and has not answered."""
    today = datetime.combine(now.astimezone(LOCAL).date(), time(), LOCAL)
    panels = select(Panel.proceeding_id).join(Proceeding, col(Proceeding.id) == col(Panel.proceeding_id))
    called = panels.where(Proceeding.state == State.CALLED, col(Panel.hearing_at) > now)
    asked = (
        panels.join(Seat, col(Seat.panel_id) == col(Panel.id))
        .where(col(Proceeding.state).in_(WITH_PANEL), col(Proceeding.ended_at).is_(None))
        .where(col(Seat.conflict).in_(UNANSWERED), col(Seat.seated_at) < today)
    )
    return {*session.exec(called).all(), *session.exec(asked.distinct()).all()}


def _hearing_is_near(session: Session, loaded: Loaded, now: datetime) -> datetime | None:
    """The moment of a reminder that has come, if everybody was called before it and nobody was reminded since."""
    panel = panel_of(loaded)
    if loaded.proceeding.state is not State.CALLED or panel is None:
        return None
    if panel.hearing_at is None or panel.hearing_at <= now or panel.parties_called_at is None:
        return None
    last_day = panel.hearing_at.astimezone(LOCAL).date()
    days = [last_day - timedelta(days=before) for before in snapshot(loaded).profile.numbers("reminders")]
    told = _told_last(session, panel.proceeding_id, NoticeKind.HEARING_REMINDER)
    return _has_come(days, now, asked=panel.parties_called_at, told=told)


def _silent(session: Session, loaded: Loaded, now: datetime) -> list[tuple[UUID, datetime]]:
    """Members who have been asked for so many days, and not reminded since, with the moment that has come."""
    panel = panel_of(loaded)
    if panel is None or loaded.proceeding.state not in WITH_PANEL or loaded.proceeding.ended_at is not None:
        return []
    days = snapshot(loaded).profile.numbers("conflict_reminders")
    found = []
    unanswered = [seat for seat in panel_seats(loaded) if seat.deciding and seat.conflict in UNANSWERED]
    stopped = reminder_choice.stopped(session, [seat.person_id for seat in unanswered])
    for seat in unanswered:
        if seat.person_id in stopped:
            continue
        day = seat.seated_at.astimezone(LOCAL).date()
        told = _told_last(session, panel.proceeding_id, NoticeKind.CONFLICT_REMINDER, seat.person_id)
        newest = _has_come([day + timedelta(days=after) for after in days], now, asked=seat.seated_at, told=told)
        if newest is not None:
            found.append((seat.person_id, newest))
    return found


def _has_come(days: Iterable[date], now: datetime, *, asked: datetime, told: datetime | None) -> datetime | None:
    """The last of the days' mornings that has come since somebody was asked, if he was not reminded since.

    One message says it for those before it.
    """
    since = max(asked, told) if told is not None else asked
    newest = max((moment for day in days if (moment := morning(day, LOCAL)) <= now), default=None)
    return newest if newest is not None and newest > since else None


def _told_last(
    session: Session, proceeding_id: UUID, kind: NoticeKind, person_id: UUID | None = None
) -> datetime | None:
    told = select(Notice.due_at).where(Notice.proceeding_id == proceeding_id, Notice.kind == kind)
    if person_id is not None:
        told = told.where(Notice.person_id == person_id)
    return session.exec(told.order_by(col(Notice.due_at).desc()).limit(1)).first()

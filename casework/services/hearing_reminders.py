"""Who is reminded before a hearing, and who has not said whether there is a conflict of interest (R17, R19, R26).

A hearing is moved and called anew, and a seat changes hands: so what is due is read from the rows at every look.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, time, timedelta
from uuid import UUID

from sqlmodel import Session, col, select

from casework.clock import LOCAL
from casework.domain.access import SYSTEM
from casework.domain.calendar import morning
from casework.domain.models import Notice, Panel, Proceeding, Seat
from casework.domain.terms import UNANSWERED, ActionName, NoticeKind, State
from casework.domain.workflow.hearing import WITH_PANEL
from casework.services.engine import take
from casework.services.loading import Loaded, load
from casework.services.panels import panel_of, panel_seats
from casework.services.snapshot import snapshot


def remind(session: Session, now: datetime) -> int:
    """Remind of the hearings that are near, and of questions without an answer; returns how many panels."""
    near = _near_hearings(session, now)
    for proceeding_id in near:
        take(session, proceeding_id, ActionName.REMIND_OF_HEARING, SYSTEM, now=now)
    asked = 0
    for loaded in _with_panel(session, now):
        silent = _silent(session, loaded, now)
        if silent:
            take(session, loaded, ActionName.REMIND_OF_CONFLICT, SYSTEM, now=now, data={"seated": silent})
            asked += 1
    return len(near) + asked


def _near_hearings(session: Session, now: datetime) -> list[UUID]:
    """Hearings that everybody was called to before the morning of a reminder, and was not reminded of since."""
    ahead = (
        select(Panel)
        .join(Proceeding, col(Proceeding.id) == col(Panel.proceeding_id))
        .where(Proceeding.state == State.CALLED, col(Panel.hearing_at) > now)
        .where(col(Panel.parties_called_at).is_not(None))
    )
    found = []
    for panel in session.exec(ahead).all():
        if panel.hearing_at is None or panel.parties_called_at is None:
            continue
        loaded = load(session, panel.proceeding_id)
        days = snapshot(loaded).profile.numbers("reminders")
        last_day = panel.hearing_at.astimezone(LOCAL).date()
        moments = (morning(last_day - timedelta(days=before), LOCAL) for before in days)
        newest = _newest(moments, now)
        told = _told_last(session, panel.proceeding_id, NoticeKind.HEARING_REMINDER)
        if newest is not None and newest > panel.parties_called_at and (told is None or told < newest):
            found.append(panel.proceeding_id)
    return found


def _with_panel(session: Session, now: datetime) -> Iterator[Loaded]:
    """The proceedings where a member who was seated before today has not answered."""
    today = datetime.combine(now.astimezone(LOCAL).date(), time(), LOCAL)
    open_ = (
        select(Panel.proceeding_id)
        .join(Proceeding, col(Proceeding.id) == col(Panel.proceeding_id))
        .join(Seat, col(Seat.panel_id) == col(Panel.id))
        .where(col(Proceeding.state).in_(WITH_PANEL), col(Proceeding.ended_at).is_(None))
        .where(col(Seat.conflict).in_(UNANSWERED), col(Seat.seated_at) < today)
    )
    for proceeding_id in session.exec(open_.distinct()).all():
        yield load(session, proceeding_id, lock=True)


def _silent(session: Session, loaded: Loaded, now: datetime) -> list[UUID]:
    """Members who have been asked for so many days, and not reminded since."""
    panel, days = panel_of(loaded), snapshot(loaded).profile.numbers("conflict_reminders")
    if panel is None:
        return []
    found = []
    for seat in panel_seats(loaded):
        if not seat.deciding or seat.conflict not in UNANSWERED:
            continue
        day = seat.seated_at.astimezone(LOCAL).date()
        newest = _newest((morning(day + timedelta(days=after), LOCAL) for after in days), now)
        told = _told_last(session, panel.proceeding_id, NoticeKind.CONFLICT_REMINDER, seat.person_id)
        if newest is not None and newest > seat.seated_at and (told is None or told < newest):
            found.append(seat.person_id)
    return found


def _newest(moments: Iterable[datetime], now: datetime) -> datetime | None:
    """The last of them that has come: one message says it for those before it."""
    return max((moment for moment in moments if moment <= now), default=None)


def _told_last(
    session: Session, proceeding_id: UUID, kind: NoticeKind, person_id: UUID | None = None
) -> datetime | None:
    told = select(Notice.due_at).where(Notice.proceeding_id == proceeding_id, Notice.kind == kind)
    if person_id is not None:
        told = told.where(Notice.person_id == person_id)
    return session.exec(told.order_by(col(Notice.due_at).desc()).limit(1)).first()

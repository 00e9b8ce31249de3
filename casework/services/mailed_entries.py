"""What stands in a reader's calendar because of our mails: the mails themselves are asked, as they were sent."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters.ics import statuses
from casework.domain.models import EarlierCopy, Notice
from casework.domain.terms import CalendarStatus, NoticeState
from casework.services.mail_rows import Rows

_CAME_BACK = (NoticeState.BOUNCED, NoticeState.FAILED)


def mailed(rows: Rows) -> Mapping[str, CalendarStatus]:
    """UID → what the newest mail to this reader said of it, before the one that is being written.

    A mail that only waits, and of which no byte has gone, says what holds when it goes.
    """
    before = _copies(rows.session, rows)
    found: dict[str, CalendarStatus] = {}
    for _, mime in sorted(before, key=lambda copy: copy[0]):
        found |= statuses(mime)
    return found


def _copies(session: Session, rows: Rows) -> list[tuple[datetime, bytes]]:
    """The mails to him, and to who is told by the same one, each with when it went."""
    people = {notice.person_id for notice in (rows.notice, *rows.carried)}
    his = select(Notice.id, Notice.carried_by).where(
        Notice.case_id == rows.notice.case_id, col(Notice.person_id).in_(people)
    )
    mails: set[UUID] = {carrier or own for own, carrier in session.exec(his)} - {rows.notice.id}
    kept = select(Notice.built_at, Notice.handed_over_at, Notice.mime).where(
        col(Notice.id).in_(mails), col(Notice.mime).is_not(None), col(Notice.state).not_in(_CAME_BACK)
    )
    went = [(built_at or handed_over_at, mime) for built_at, handed_over_at, mime in session.exec(kept)]
    earlier = select(EarlierCopy.built_at, EarlierCopy.mime).where(col(EarlierCopy.notice_id).in_(mails))
    went += list(session.exec(earlier))
    return [(at, mime) for at, mime in went if at is not None and mime is not None and at <= rows.sent_at]

"""What happens until the first byte of a mail goes: when it may go, its words, and what is kept of it before."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Uuid, bindparam, or_
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from casework import logs
from casework.adapters.mail import Letter, Message
from casework.domain.delivery import NotNeeded, NotWritten
from casework.domain.models import DeliveryTry, EarlierCopy, Notice
from casework.services.late_mails import asks_in_vain
from casework.services.notice_words import message_for
from casework.services.times_ahead import name_starts
from casework.settings import get_settings

log = logs.logger(__name__)

_MINUTE = timedelta(minutes=1)


def domain_of(notice: Notice) -> str:
    """The domain that it is mailed to."""
    return notice.address.rpartition("@")[2].lower()


_ONE_MAIL: Any = (
    select(Notice)
    .where(or_(col(Notice.id) == bindparam("carrier", type_=Uuid), col(Notice.carried_by) == bindparam("carrier")))
    .order_by(col(Notice.carried_by).is_not(None), col(Notice.id))
)


def of_one_mail(session: Session, notice_id: UUID) -> list[Notice]:
    """The notices that one mail tells, its carrier first."""
    return list(session.exec(_ONE_MAIL, params={"carrier": notice_id}))


def begin_sending(session: Session, letter: Letter, now: datetime) -> None:
    """Fix what the mail says of a time that it starts, before its first byte goes (`bases`).

    Raises:
        Outdated: it does not hold any more.
    """
    name_starts(session, letter.starts, now)


def record_sending(session: Session, notice_id: UUID, message: Message, now: datetime, remote: str) -> None:
    """Keep what is handed over before its first byte goes: whoever dies now leaves the proof (R-ONCE1, R-PROOF1).

    What an earlier try handed over, and may have arrived, is kept beside it.
    """
    for notice in of_one_mail(session, notice_id):
        carries = notice.id == notice_id
        if carries and notice.mime and notice.built_at and notice.sha256 != message.sha256:
            session.add(_earlier(notice, notice.built_at, notice.mime))
        notice.message_id, notice.sha256, notice.template = message.message_id, message.sha256, message.template
        notice.subject, notice.built_at, notice.remote = message.subject[:300], now, remote
        notice.mime = message.kept if carries else None
        session.add(notice)


def _earlier(notice: Notice, built_at: datetime, mime: bytes) -> EarlierCopy:
    return EarlierCopy(
        notice_id=notice.id,
        built_at=built_at,
        remote=notice.remote,
        template=notice.template,
        message_id=notice.message_id,
        sha256=notice.sha256,
        subject=notice.subject,
        mime=mime,
    )


def to_send(session: Session, notice_id: UUID, now: datetime) -> Letter | datetime:
    """The mail of a notice, or when it may go: its domain has had as many in the last minute as the settings allow.

    Raises:
        NotNeeded: it asks for what is done, or reminds of what is over.
        NotWritten: its words cannot be made.
    """
    notice = session.get_one(Notice, notice_id)  # held, so that it is read once
    if later := _crowded_until(session, domain_of(notice), now):
        return later
    try:
        letter = None if asks_in_vain(session, notice, now) else message_for(session, notice.id, now)
    except SQLAlchemyError:
        raise
    except Exception as error:
        log.exception("not_written")
        raise NotWritten from error
    if letter is None:
        raise NotNeeded
    return letter


_LATELY = (
    select(DeliveryTry.at)
    .where(DeliveryTry.domain == bindparam("theirs"), col(DeliveryTry.at) > bindparam("since"))
    .where(col(DeliveryTry.at) <= bindparam("now"))  # a wrong clock's tries hold nobody up
    .order_by(col(DeliveryTry.at).desc())
)


def _crowded_until(session: Session, domain: str, now: datetime) -> datetime | None:
    most = get_settings().mail_per_domain
    if not most:
        return None
    lately = _LATELY.offset(most - 1).limit(1)
    nth = session.exec(lately, params={"theirs": domain, "since": now - _MINUTE, "now": now}).first()
    return nth + _MINUTE if nth else None

"""A mail link for who has lost his: who asks learns nothing, what is found goes to the registered address (S-LINK5).

To ask writes the same rows whatever is asked for; a worker looks it up later.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import delete, func, or_
from sqlmodel import Session, col, select

from casework.adapters.outbox import enqueue
from casework.domain.models import Contact, Link, LinkRequest, Notice, Person
from casework.domain.terms import JobState, NoticeKind
from casework.services.links import replace_link, runs, shut_because
from casework.services.notices import send_link

KIND = "link_request"

_HOUR = timedelta(hours=1)
_MOST_AN_HOUR = 3
"""So often one link is mailed, whoever asks for it in whichever way."""
_MOST_LINKS = 10


def ask(session: Session, asked_for: str, now: datetime) -> None:
    """Let a worker send what belongs to an address or a member number."""
    request = LinkRequest(asked_for=asked_for, asked_at=now)
    session.add(request)
    enqueue(session, kind=KIND, subject_id=request.id, case_id=None, dedupe_key=f"{KIND}:{request.id}", due=now)


def answer(session: Session, request_id: UUID, now: datetime) -> None:
    """Mail each whose address or number it is the links that work; where none does, a new one for the last."""
    request = session.get(LinkRequest, request_id)
    if request is None:
        return
    for person_id in _meant(session, request.asked_for):
        for link in _links(session, person_id, now):
            if not _mailed_enough(session, link, now):
                send_link(session, link, now)
    session.delete(request)


def forget(session: Session, request_id: UUID, state: JobState, now: datetime) -> None:
    """Nothing came of it: what was typed is kept no longer."""
    session.execute(delete(LinkRequest).where(col(LinkRequest.id) == request_id))


def _meant(session: Session, asked_for: str) -> list[UUID]:
    wanted = asked_for.strip()
    mine = or_(col(Person.member_number) == wanted, func.lower(Contact.email) == wanted.lower())
    people = select(col(Person.id)).outerjoin(Contact, col(Contact.person_id) == col(Person.id)).where(mine)
    return list(session.exec(people.order_by(col(Person.id))))


def _links(session: Session, person_id: UUID, now: datetime) -> list[Link]:
    """What works goes out as it is: who asks in another's name must not shut him out."""
    known = list(_not_shut(session, person_id))
    working = [link for link in known if runs(link, now)]
    return working[:_MOST_LINKS] or [replace_link(session, link.id, now) for link in known[:1]]


def _not_shut(session: Session, person_id: UUID) -> Iterator[Link]:
    mine = select(Link).where(Link.person_id == person_id, col(Link.revoked_at).is_(None))
    for link in session.exec(mine.order_by(col(Link.created_at).desc(), col(Link.id))).all():
        if shut_because(session, link.seat_id) is None:
            yield link


def _mailed_enough(session: Session, link: Link, now: datetime) -> bool:
    lately = select(func.count()).where(
        Notice.link_id == link.id, Notice.kind == NoticeKind.LINK, col(Notice.due_at) > now - _HOUR
    )
    return session.exec(lately).one() >= _MOST_AN_HOUR

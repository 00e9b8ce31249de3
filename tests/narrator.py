"""A case with a clock of its own: who acts in it, and what happens by itself."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Self
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters import mail
from casework.adapters.database import uow
from casework.adapters.smtp import Handover
from casework.domain.access import Actor
from casework.domain.models import Appeal, Notice, Proceeding
from casework.domain.terms import Channel, NoticeKind, NoticeState, Side
from casework.services import deadlines, notices
from tests import factories
from tests.factories import Federation, OpenCase


@dataclass
class Narrator:
    """One case, and the people of its federation."""

    there: Federation
    case: OpenCase
    at: datetime = factories.START + timedelta(minutes=30)
    workers: bool = False
    """Whether workers hand over the mails, so that no step does."""

    @classmethod
    def begun(cls, *, workers: bool = False, **federation: Any) -> Self:
        """A federation and a case with the director."""
        there = factories.federation(**federation)
        return cls(there, factories.open_case(there), workers=workers)

    @classmethod
    def requested(cls, **federation: Any) -> Self:
        """The same before a director is appointed."""
        there = factories.federation(**federation)
        return cls(there, factories.open_case(there, director=None))

    @cached_property
    def actors(self) -> dict[str, Actor]:
        """Everybody, by the keys of the factories."""
        return {key: self.there.actor(key) for key in self.there.persons}

    def later(self, **by: float) -> datetime:
        """Let time pass: a minute if nothing else is said."""
        self.at += timedelta(**by) if by else timedelta(minutes=1)
        return self.at

    def write(self, deed: Callable[[Session], Any]) -> Any:
        """One step, then whatever the system does by itself."""
        with uow(write=True) as session:
            done = deed(session)
            session.flush()
            deadlines.advance(session, self.case.case_id, self.at)
            return done

    def deliver(self) -> None:
        """Hand over every mail that is due, each in a unit of its own; then what the system does by itself."""
        if self.workers:
            return
        now = self.later()
        with uow() as session:
            due = list(session.exec(select(col(Notice.id)).where(Notice.state == NoticeState.DUE)))
        for notice_id in due:
            with uow(write=True) as session:
                self.hand_over(session, notice_id, now)
        self.write(nothing)

    def hand_over(self, session: Session, notice_id: UUID, now: datetime) -> None:
        """What a worker does with one of them."""
        hand_over(session, notice_id, now)

    def expire(self, **by: float) -> None:
        """Let time pass, and every deadline that has run run out."""
        now = self.later(**by)
        with uow() as session:
            run = deadlines.due(session, now)
        for deadline_id in run:
            self.write(lambda s, one=deadline_id: deadlines.expire(s, one, now))  # type: ignore[misc]
        self.deliver()

    def newest(self) -> UUID:
        """The proceeding that was opened last."""
        with uow() as session:
            query = select(col(Proceeding.id)).where(Proceeding.case_id == self.case.case_id)
            return session.exec(query.order_by(col(Proceeding.opened_at).desc())).first() or self.case.proceeding_id

    def appeals(self) -> list[UUID]:
        """The appeals in the order in which they came."""
        with uow() as session:
            query = select(col(Appeal.id)).where(Appeal.case_id == self.case.case_id)
            return list(session.exec(query.order_by(col(Appeal.lodged_at))))

    def notice(self, kind: NoticeKind, *, proceeding_id: UUID | None = None) -> UUID:
        """A notice to North that no step of the story sends."""
        with uow(write=True) as session:
            made = Notice(
                case_id=self.case.case_id,
                proceeding_id=proceeding_id or self.newest(),
                kind=kind,
                channel=Channel.MAIL,
                state=NoticeState.DUE,
                person_id=self.there.persons["north"],
                party_id=self.case.party_ids[Side.NORTH_SOUTH],
                address="medlem@lindvalla.example",
                due_at=self.at,
            )
            session.add(made)
            return made.id


def nothing(_session: Session) -> None:
    """A step that does nothing: only what follows by itself is done."""


def hand_over(session: Session, notice_id: UUID, now: datetime) -> None:
    """What a worker does with a mail that the server takes at once."""
    letter = notices.message_for(session, notice_id, now)
    notices.begin_sending(session, letter, now)
    message = mail.build(letter, now)
    handover = Handover.of(message, at=now, remote="mail.example:25", reply="250 ok")
    notices.record_handover(session, notice_id, handover)

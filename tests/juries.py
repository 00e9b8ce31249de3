"""An appeal on its way through a jury, a step at a time, the way that people go.

Each function begins where the one before it ends: `appealed`, `composed`, `answered`, `called`, `heard`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters.database import uow
from casework.domain.access import Actor
from casework.domain.models import Appeal, Link, Panel, Seat
from casework.domain.terms import HearingStep, Position, SeatRole, Side
from casework.services import appeals, decisions, hearings, links
from casework.services.appeals import AppealInput
from casework.services.step import Step
from tests.factories import START, Federation, OpenCase, give_ruling, open_case

JURORS = ("juror_1", "juror_2", "juror_3")
"""The first is the chair."""


@dataclass(frozen=True)
class JuryCase:
    """A case whose ruling is appealed; `proceeding_id` is the appeal's."""

    there: Federation
    opened: OpenCase
    proceeding_id: UUID
    at: datetime

    @property
    def case_id(self) -> UUID:
        """The case."""
        return self.opened.case_id

    def do(self, verb: Callable[..., Step], who: str, minutes: int = 0, **fields: Any) -> Step:
        """Let somebody take a step, so many minutes after the appeal."""
        actor = self.there.actor(who)
        with uow(write=True) as session:
            return verb(session, self.proceeding_id, actor, now=self.at + timedelta(minutes=minutes), **fields)

    def seat(self, who: str) -> UUID:
        """Somebody's seat."""
        with uow() as session:
            mine = select(Seat).join(Panel, col(Panel.id) == col(Seat.panel_id))
            mine = mine.where(Panel.proceeding_id == self.proceeding_id, Seat.person_id == self.there.persons[who])
            return session.exec(mine).one().id

    def token(self, who: str) -> str:
        """The token of a juror's mail link."""
        with uow() as session:
            link = session.exec(select(Link).where(Link.seat_id == self.seat(who))).one()
            return links.link_token(link)

    def appeal_ids(self) -> list[UUID]:
        """The appeals of this proceeding, oldest first."""
        with uow() as session:
            query = select(Appeal).where(Appeal.proceeding_id == self.proceeding_id).order_by(col(Appeal.lodged_at))
            return [appeal.id for appeal in session.exec(query)]


def appealed(there: Federation, *, at: datetime = START, forward: bool = True) -> JuryCase:
    """North–South have appealed the director's ruling, and he has forwarded it."""
    case = open_case(there, at=at)
    give_ruling(there, case, at=at)
    lodged = AppealInput(party_id=case.party_ids[Side.NORTH_SOUTH], wants="Resultatet ska stå.", grounds="Ingen paus.")
    with uow(write=True) as session:
        step = appeals.lodge_appeal(session, case.proceeding_id, there.actor("north"), lodged, now=at)
        assert step.child is not None
        trying = step.child.id
    begun = JuryCase(there, case, trying, at)
    if forward:
        begun.do(appeals.concur, "south", 1, appeal_id=begun.appeal_ids()[0])
        begun.do(appeals.forward_appeal, "director", 1)
    return begun


def roles(there: Federation, members: Iterable[str] = JURORS) -> dict[UUID, SeatRole]:
    """The members with their roles; the first is the chair."""
    first, *others = members
    return {there.persons[first]: SeatRole.CHAIR} | {there.persons[who]: SeatRole.MEMBER for who in others}


def composed(there: Federation, *, at: datetime = START) -> JuryCase:
    """The jury is appointed, and nobody has answered yet."""
    case = appealed(there, at=at)
    case.do(hearings.compose_panel, "organiser", 2, seats=roles(there))
    return case


def answer(case: JuryCase, who: str, *, conflict: bool = False) -> Step:
    """A member answers about conflicts of interest."""
    reason = "Vi är släkt." if conflict else ""
    return case.do(hearings.declare_conflict, who, 3, seat_id=case.seat(who), has_conflict=conflict, reason=reason)


def answered(there: Federation, *, at: datetime = START) -> JuryCase:
    """All members have said that there is no conflict of interest."""
    case = composed(there, at=at)
    for who in JURORS:
        answer(case, who)
    return case


def called(there: Federation, *, at: datetime = START) -> JuryCase:
    """Everybody is called."""
    case = answered(there, at=at)
    case.do(hearings.call_hearing, "director", 4, place="Rum 2", at=at + timedelta(minutes=10))
    return case


def present(case: JuryCase) -> dict[UUID, bool]:
    """Both parties are there."""
    return dict.fromkeys(case.opened.party_ids.values(), True)


def heard(there: Federation, *, at: datetime = START) -> JuryCase:
    """The hearing is over; the panel is alone."""
    case = called(there, at=at)
    case.do(hearings.note_attendance, "director", 5, parties=present(case), seats={})
    case.do(hearings.open_hearing, "director", 6)
    for minute, step in enumerate(HearingStep, start=7):
        case.do(hearings.note_step, "director", minute, step_done=step)
    case.do(hearings.close_hearing, "director", 20)
    return case


def vote(case: JuryCase, who: str, position: Position = Position.CONFIRM, dissent: str = "") -> Step:
    """A member votes."""
    return case.do(decisions.cast_vote, who, 21, position=position, dissent=dissent)


def acting(case: JuryCase, who: str) -> Actor:
    """Somebody of the case."""
    return case.there.actor(who)


def fresh(work: Callable[[Session], Any]) -> Any:
    """What a read unit of its own finds."""
    with uow() as session:
        return work(session)

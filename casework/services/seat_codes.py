"""The code of a juror's seat: it lets in whoever scans it, so few show it, and the member is told each time."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.domain.access import Actor
from casework.domain.errors import Missing, NotAllowed
from casework.domain.models import AccessEntry, Link, Person
from casework.domain.terms import Body, Part, State
from casework.domain.workflow.audience import parts_of
from casework.domain.workflow.facts import Facts
from casework.services import link_codes
from casework.services.links import code_for, link_url
from casework.services.panels import panel_seats
from casework.services.papers import note_reading
from casework.services.queries import load_visible
from casework.services.snapshot import snapshot
from casework.text import t

SHOWERS = frozenset({Part.ORGANISER, Part.OFFICE})
DIRECTORS = frozenset({Part.DIRECTOR, Part.CHIEF_DIRECTOR})
BEFORE_THE_DELIBERATION = frozenset({State.COMPOSING, State.CALLED, State.HEARING})


@dataclass(frozen=True, slots=True)
class Showing:
    """Who showed the code of a seat, and when."""

    name: str
    at: datetime


def shows_codes(facts: Facts, actor: Actor, parts: frozenset[Part]) -> bool:
    """Whether the actor may ever show a code: never a director, whose ruling the jury tries, nor a party."""
    concerned = parts & DIRECTORS or actor.person_id in facts.directors or facts.party_of(actor.person_id)
    return facts.this.body is Body.JURY and bool(parts & SHOWERS) and not concerned


@dataclass(frozen=True, slots=True)
class SeatWay:
    """The address of a seat's link, and the code that it asks for; empty where none is asked for."""

    address: str
    code: str


def seat_way(session: Session, case_id: UUID, actor: Actor, seat_id: UUID) -> SeatWay:
    """What opens the case for a member who has no account; whoever holds it is that member.

    Raises:
        Missing: codes are not the actor's to show, or there is no such seat or open link.
        NotAllowed: the jury deliberates or is done, or the member has come in already.
    """
    loaded = load_visible(session, case_id, actor)
    facts = snapshot(loaded)
    deciding = {seat.id for seat in facts.panel.deciding} if facts.panel else set()
    mine = {seat.id for seat in panel_seats(loaded)} & deciding
    if not shows_codes(facts, actor, parts_of(actor, facts)) or seat_id not in mine:
        raise Missing
    if facts.this.state not in BEFORE_THE_DELIBERATION:
        raise NotAllowed(t("The code is shown only before the deliberation."))
    link = session.exec(select(Link).where(Link.seat_id == seat_id, col(Link.revoked_at).is_(None))).first()
    if link is None:
        raise Missing
    if link.opened_at is not None:
        raise NotAllowed(t("The member has already opened the link. The code is no longer shown."))
    return SeatWay(link_url(link), code_for(link) if link_codes.asked_for() else "")


def entered(session: Session, case_id: UUID) -> frozenset[UUID]:
    """The seats whose links have been opened."""
    opened = select(Link.seat_id).where(Link.case_id == case_id, col(Link.opened_at).is_not(None))
    return frozenset(seat for seat in session.exec(opened) if seat is not None)


def note_shown(session: Session, actor: Actor, case_id: UUID, seat_id: UUID, now: datetime) -> None:
    """Note that the code of a seat was shown."""
    note_reading(session, actor, case_id, _what(seat_id), now)


def showings(session: Session, case_id: UUID, seat_id: UUID) -> tuple[Showing, ...]:
    """Each time that the code of a seat was shown, oldest first."""
    rows = session.exec(
        select(Person, AccessEntry.at)
        .join(AccessEntry, col(AccessEntry.person_id) == col(Person.id))
        .where(AccessEntry.case_id == case_id, AccessEntry.what == _what(seat_id))
        .order_by(col(AccessEntry.at))
    )
    return tuple(Showing(person.name, at) for person, at in rows)


def _what(seat_id: UUID) -> str:
    return f"seat code:{seat_id}"

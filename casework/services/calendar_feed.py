"""A person's calendar to subscribe to, at a secret address (C2): made, changed, turned off and read.

Who signed in with a name has one of all his cases. Who came by a mail link has one of the link's case: whoever is
passed the link learns no more from it, and it ends with the link.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, exists, false, or_
from sqlmodel import Session, col, select

from casework.adapters.i18n import render
from casework.adapters.ics import Entry, calendar_feed
from casework.domain.access import NOBODY, Actor, as_party, visible_cases
from casework.domain.minutes import whole_minute
from casework.domain.models import (
    Appeal,
    CalendarFeed,
    Case,
    Deadline,
    Decision,
    Link,
    Panel,
    PartyMember,
    Person,
    Proceeding,
    Seat,
)
from casework.domain.terms import LEFT, Body, DeadlineKind, Role, SeatRole, State
from casework.services import calendar_entries, people, untold
from casework.services.calendar_entries import For
from casework.services.links import shut_because
from casework.services.secret_addresses import fits, row_named, secret_of
from casework.settings import get_settings
from casework.text import t

_KIND = "calendar"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """A calendar that is turned on; `generation` counts its addresses."""

    url: str
    generation: int


def subscription(session: Session, actor: Actor) -> Subscription | None:
    """The actor's calendar, or None where it is turned off."""
    feed = _feed(session, actor)
    if feed is None or feed.ended_at is not None:
        return None
    secret = secret_of(_KIND, feed.id, _state(session, feed))
    return Subscription(
        url=f"{get_settings().public_base_url.rstrip('/')}/kalender/{secret}.ics", generation=feed.generation
    )


def turn_on(session: Session, actor: Actor, now: datetime) -> None:
    """Turn it on, at an address that nobody had before; on already it stays as it is."""
    if actor.person_id is None:
        return
    session.get_one(Person, actor.person_id, with_for_update=True)  # Of two at once the second finds it turned on.
    feed = _feed(session, actor)
    if feed is None:
        link_id = actor.link.link_id if actor.link else None
        session.add(CalendarFeed(person_id=actor.person_id, link_id=link_id, created_at=now))
    elif feed.ended_at is not None:
        feed.generation, feed.ended_at = feed.generation + 1, None


def change_address(session: Session, actor: Actor, generation: int) -> None:
    """Make the address worthless that the actor saw, and give another; once, however often it is asked."""
    feed = _feed(session, actor)
    if feed is not None and feed.ended_at is None and feed.generation == generation:
        feed.generation += 1


def turn_off(session: Session, actor: Actor, now: datetime) -> None:
    """Turn it off: its address shows nothing any more."""
    feed = _feed(session, actor)
    if feed is not None and feed.ended_at is None:
        feed.ended_at = now


def read(session: Session, secret: str, now: datetime) -> bytes | None:
    """What stands at an address: what its holder may see now. None where the address is not, or no longer, one of ours.

    Who has lost access finds an empty calendar, so that his calendar program takes out what it has.
    """
    named = row_named(secret)
    feed = session.get(CalendarFeed, named) if named else None
    if feed is None or feed.ended_at is not None or not fits(secret, _KIND, feed.id, _state(session, feed)):
        return None
    language = session.get_one(Person, feed.person_id).language
    actor = _reader(session, feed, now)
    whom = For(language=language, by_link=feed.link_id is not None, shared=True)
    entries = [*_last_days(session, actor, whom, now), *_hearings(session, actor, whom, now)]
    name = render(t("{federation}, cases", federation=get_settings().federation_name), language)
    return calendar_feed(entries, language, key=f"feed-{feed.id}", name=name)


def _feed(session: Session, actor: Actor) -> CalendarFeed | None:
    mine = select(CalendarFeed).where(CalendarFeed.person_id == actor.person_id)
    link_id = actor.link.link_id if actor.link else None
    return session.exec(mine.where(col(CalendarFeed.link_id).is_not_distinct_from(link_id))).first()


def _state(session: Session, feed: CalendarFeed) -> str:
    """A mail link that is replaced takes the calendar's address with it: somebody else may have both."""
    link = session.get_one(Link, feed.link_id) if feed.link_id else None
    return f"{feed.generation}:{link.generation if link else ''}"


def _reader(session: Session, feed: CalendarFeed, now: datetime) -> Actor:
    """The holder as he is trusted now; nobody where he is let in no more."""
    if feed.link_id is None:
        return NOBODY if people.shut_out(session, feed.person_id) else people.actor_of(session, feed.person_id)
    link = session.get_one(Link, feed.link_id)
    actor = people.actor_by_link(session, link, now)
    return NOBODY if actor is None or shut_because(session, link.seat_id) else actor


def _last_days(session: Session, actor: Actor, whom: For, now: datetime) -> Iterator[Entry]:
    query = (
        select(Deadline, Case.number)
        .join(Case, col(Case.id) == col(Deadline.case_id))
        .join(Proceeding, col(Proceeding.id) == col(Deadline.proceeding_id))
        .where(
            col(Deadline.ended).is_(None),
            col(Deadline.instant).is_not(None),
            col(Case.id).in_(visible_cases(actor)),
            or_(_asked(actor, now), _his_to_do(actor)),
        )
    )
    found = session.exec(query).all()
    case_ids = {deadline.case_id for deadline, _ in found}
    among = _of_cases(session, case_ids)
    for deadline, number in found:
        yield calendar_entries.last_day(deadline, number, among=among, whom=whom)


def _of_cases(session: Session, case_ids: set[UUID]) -> Sequence[Deadline]:
    return session.exec(select(Deadline).where(col(Deadline.case_id).in_(case_ids))).all()


def _asked(actor: Actor, now: datetime) -> ColumnElement[bool]:
    """What the actor's own side is asked for, or can still do: who has appealed needs no time for it any more."""
    mine = select(col(PartyMember.party_id)).where(PartyMember.person_id == actor.person_id)
    appealed = (
        exists()
        .where(col(Decision.id) == col(Appeal.decision_id), col(Decision.proceeding_id) == col(Deadline.proceeding_id))
        .where(col(Appeal.party_id) == col(Deadline.party_id), col(Appeal.withdrawn_at).is_(None))
    )
    window = col(Deadline.kind) == DeadlineKind.APPEAL_WINDOW
    over = or_(appealed, col(Deadline.instant) < whole_minute(now))  # before its timer has come to it as well
    return and_(col(Deadline.party_id).in_(mine), ~and_(window, over))


def _his_to_do(actor: Actor) -> ColumnElement[bool]:
    """An official's own times: the director's, and of a body those who decide in it, or who lead it."""
    seated = (
        select(col(Panel.proceeding_id))
        .join(Seat, col(Seat.panel_id) == col(Panel.id))
        .where(Seat.person_id == actor.person_id, Seat.role != SeatRole.ATTENDEE)
        .where(col(Seat.conflict).not_in(LEFT))
    )
    in_lk = col(Proceeding.body) == Body.LAW_COMMISSION
    leads = in_lk if actor.link is None and actor.holds(Role.LK_CHAIR) else false()
    decides = or_(col(Proceeding.id).in_(seated), leads)
    duty = or_(
        and_(col(Deadline.kind).in_(_DIRECTORS), _directs(actor)),
        and_(col(Deadline.kind) == DeadlineKind.DECISION, decides),
    )
    return and_(duty, col(Deadline.case_id).not_in(as_party(actor.person_id)))


def _directs(actor: Actor) -> ColumnElement[bool]:
    return col(Proceeding.director_id) == actor.person_id if actor.link is None else false()


_DIRECTORS = (DeadlineKind.FORWARD_APPEAL, DeadlineKind.REPORT, DeadlineKind.SEND_IN)


def _hearings(session: Session, actor: Actor, whom: For, now: datetime) -> Iterator[Entry]:
    """The hearings to come to, as a party, on the panel or as the director; until the case has gone on from them."""
    seated = select(col(Seat.panel_id)).where(Seat.person_id == actor.person_id).where(col(Seat.conflict).not_in(LEFT))
    comes = or_(
        col(Case.id).in_(as_party(actor.person_id)),
        col(Panel.id).in_(seated),
        _directs(actor),
    )
    kept = untold.kept_from(session, actor, now, cases=visible_cases(actor))
    unheard = col(Proceeding.id).in_([one.proceeding_id for one in kept])
    goes_on = or_(col(Proceeding.ended_at).is_(None), col(Proceeding.state) == State.WRITTEN_OFF, unheard)
    query = (
        select(Panel, Proceeding, Case.number)
        .join(Proceeding, col(Proceeding.id) == col(Panel.proceeding_id))
        .join(Case, col(Case.id) == col(Proceeding.case_id))
        .where(col(Panel.hearing_at).is_not(None), goes_on, comes)
        .where(col(Case.id).in_(visible_cases(actor)))
    )
    found = session.exec(query).all()
    called = calendar_entries.calls(session, {proceeding.case_id for _, proceeding, _ in found})
    for panel, proceeding, number in found:
        entry = calendar_entries.hearing(panel, proceeding, number, called=called, whom=whom)
        if entry is not None:
            yield entry

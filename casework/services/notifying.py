"""One notice for each person a step must tell, with its address frozen and its job in the outbox (R32, R37)."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, false, func, or_
from sqlmodel import col, select

from casework.adapters.outbox import enqueue
from casework.domain.models import Contact, Link, Notice, Person
from casework.domain.terms import (
    Channel,
    LinkPurpose,
    NoticeKind,
    NoticeState,
)
from casework.domain.workflow.held import HOLD, step_waits
from casework.domain.workflow.reminding import REMINDING, can_be_stopped
from casework.domain.workflow.table import Telling
from casework.services import overtaking
from casework.services.appeal_rights import WITH_RIGHTS, NoAppealRights, has_rights
from casework.services.step import Step

MAIL_JOB = "mail"
SHUT_OUT = frozenset({NoticeKind.PANEL_LEFT})
"""Tells that the case is closed to its reader: with no way into it."""
_TO_ONE = frozenset({NoticeKind.CONCURRENCE_ASKED})
"""Asks one person for his own word."""
ABOUT_DECISION = frozenset({NoticeKind.RULING, NoticeKind.DECISION, NoticeKind.FINAL, NoticeKind.WINDOW_OPEN,
                            NoticeKind.WINDOW_MOVED})  # fmt: skip
ABOUT_DEMAND = frozenset(
    {
        NoticeKind.STATEMENT_DEMANDED,
        NoticeKind.STATEMENTS_OPEN,
        NoticeKind.MATERIAL_ADDED,
        NoticeKind.STATEMENT_REMINDER,
    }
)


def prepare(step: Step) -> None:
    """Write the step's notices: by mail where there is an address, else as a letter to be posted.

    `step.data["told"]` (person → instant) are those the director told himself: his record is their proof.

    Raises:
        NoAppealRights: a party would be told of a decision without how to appeal it, so nothing of the step stands.
    """
    tellings = step.changes.tellings
    if not tellings:
        return
    _refuse_without_rights(step)
    _know(step, {telling.person_id for telling in tellings})
    tellings = tuple(telling for telling in tellings if not _stopped(step, telling))
    told: dict[UUID, datetime] = step.data.get("told", {})
    held_until = _held_until(step)
    carriers: dict[tuple[object, ...], Notice] = {}
    for telling in tellings:
        if telling.person_id in told and telling.kind in ABOUT_DECISION:
            step.session.add(_spoken(step, telling, told[telling.person_id]))
            if not _address(step, telling.person_id):
                continue
        notice = _notice(step, telling)
        notice.held_until = held_until
        step.session.add(notice)
        step.notices.append(notice)
        carrier = carriers.setdefault(_mail(notice), notice)
        if carrier is not notice:
            notice.carried_by = carrier.id
        elif notice.channel is Channel.MAIL:
            enqueue(
                step.session,
                kind=MAIL_JOB,
                subject_id=notice.id,
                case_id=notice.case_id,
                dedupe_key=f"mail:{notice.id}",
                due=held_until or step.now,
            )
    about = step.data.get("recorded", {}).get("deadlines", ())
    first = step.facts.panel is None  # nobody has been told of a panel, so no question need be asked
    newer = [notice for notice in step.notices if not (first and notice.kind is NoticeKind.SEATED)]
    overtaking.overtake(step.session, newer, step.now, about)


def _stopped(step: Step, telling: Telling) -> bool:
    """E4: it would only remind somebody who wants no reminders."""
    if step.changes.action.name not in REMINDING or not can_be_stopped(telling.kind, telling.party_id):
        return False
    contact = step.loaded.contacts.get(telling.person_id)
    return contact is not None and contact.reminders_stopped_at is not None


def _refuse_without_rights(step: Step) -> None:
    """R32: what could never be sent is never saved."""
    about = (telling for telling in step.changes.tellings if telling.kind in WITH_RIGHTS)
    if not all(has_rights(step.loaded, step.facts, telling.party_id) for telling in about):
        raise NoAppealRights


def is_held(notice: Notice, now: datetime) -> bool:
    """Whether nobody is told by it yet: it is stopped, or can still be."""
    if notice.state is NoticeState.CALLED_BACK:
        return True
    waits = notice.state in (NoticeState.DUE, NoticeState.TO_BE_POSTED) and notice.phase is None
    return waits and notice.held_until is not None and notice.held_until > now


def held(notice: type[Notice], now: datetime) -> ColumnElement[bool]:
    """The same as `is_held`, for a query over notices."""
    waits = and_(
        col(notice.state).in_((NoticeState.DUE, NoticeState.TO_BE_POSTED)),
        col(notice.phase).is_(None),
        func.coalesce(col(notice.held_until) > now, false()),
    )
    return or_(col(notice.state) == NoticeState.CALLED_BACK, waits)


def _held_until(step: Step) -> datetime | None:
    """`step.data["waits"]`: it is one of many steps that together tell many people (`publication_waits`)."""
    people = len({telling.person_id for telling in step.changes.tellings})
    at, route = step.proceeding, step.loaded.tournament.appeal_route
    waits = step.data.get("waits") or step_waits(step.changes.action.name, at.kind, at.body, route, people)
    return step.now + HOLD if waits else None


def _mail(notice: Notice) -> tuple[object, ...]:
    """What two notices share that one mail can tell: persons of one side, with one address and one language."""
    if notice.channel is not Channel.MAIL or notice.party_id is None or notice.kind in _TO_ONE:
        return (notice.id,)
    return notice.party_id, notice.kind, notice.decision_id, notice.demand_id, notice.address.lower(), notice.language


def _know(step: Step, persons: set[UUID]) -> None:
    """Fetch the persons, addresses and links of seats that the case does not hold: officials and jurors."""
    unknown = persons - set(step.loaded.persons)
    if not unknown:
        return
    rows = step.session.exec(
        select(Person, Contact, Link)
        .outerjoin(Contact, col(Contact.person_id) == col(Person.id))
        .outerjoin(
            Link,
            and_(
                col(Link.person_id) == col(Person.id),
                col(Link.case_id) == step.loaded.case.id,
                col(Link.purpose) == LinkPurpose.SEAT,
                col(Link.revoked_at).is_(None),
            ),
        )
        .where(col(Person.id).in_(unknown))
        .order_by(col(Link.created_at))
    )
    for person, contact, link in rows:
        step.loaded.persons[person.id] = person
        if contact is not None:
            step.loaded.contacts[person.id] = contact
        if link is not None:
            step.loaded.links[person.id, None] = link


def _address(step: Step, person_id: UUID) -> str:
    contact = step.loaded.contacts.get(person_id)
    return contact.email if contact else ""


def _notice(step: Step, telling: Telling) -> Notice:
    address = _address(step, telling.person_id)
    link = _link(step, telling)
    return Notice(
        case_id=step.loaded.case.id,
        proceeding_id=step.proceeding.id,
        kind=telling.kind,
        channel=Channel.MAIL if address else Channel.LETTER,
        state=NoticeState.DUE if address else NoticeState.TO_BE_POSTED,
        person_id=telling.person_id,
        party_id=telling.party_id,
        decision_id=_decision(step, telling.kind),
        demand_id=_demand(step, telling),
        link_id=link.id if link else None,
        address=address,
        language=step.loaded.persons[telling.person_id].language,
        due_at=step.now,
    )


def _spoken(step: Step, telling: Telling, at: datetime) -> Notice:
    notice = _notice(step, telling)
    notice.channel, notice.state, notice.address = Channel.SPOKEN, NoticeState.TOLD, ""
    notice.proven_at, notice.proven_by = at, step.actor.person_id
    step.loaded.proofs.append(notice)
    return notice


def _decision(step: Step, kind: NoticeKind) -> UUID | None:
    if kind not in ABOUT_DECISION:
        return None
    standing = step.loaded.decision()
    return step.decision_id or (standing.id if standing else None)


def _demand(step: Step, telling: Telling) -> UUID | None:
    if telling.kind not in ABOUT_DEMAND or telling.party_id is None:
        return None
    demands: dict[UUID, UUID] = step.data.get("demands", {})
    return demands.get(telling.party_id)


def _link(step: Step, telling: Telling) -> Link | None:
    """The person's way into the case: a party's own link, made the first time, or the link of a seat."""
    if telling.kind in SHUT_OUT:
        return None
    seats: dict[UUID, Link] = step.data.get("seat_links", {})
    known = step.loaded.links.get((telling.person_id, telling.party_id))
    if telling.party_id is None:
        return seats.get(telling.person_id, known)
    if known is None:
        known = Link(
            purpose=LinkPurpose.PARTY,
            person_id=telling.person_id,
            case_id=step.loaded.case.id,
            party_id=telling.party_id,
            created_at=step.now,
        )
        step.loaded.links[telling.person_id, telling.party_id] = known
        step.session.add(known)
    return known

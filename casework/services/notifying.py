"""One notice for each person a step must tell, with its address frozen and its job in the outbox (R32, R37)."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import and_
from sqlmodel import col, select

from casework.adapters.outbox import enqueue
from casework.domain.models import Contact, Link, Notice, Person
from casework.domain.terms import Channel, LinkPurpose, NoticeKind, NoticeState
from casework.domain.workflow.table import Telling
from casework.services.step import Step

MAIL_JOB = "mail"
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
    """
    tellings = step.changes.tellings
    if not tellings:
        return
    _know(step, {telling.person_id for telling in tellings})
    told: dict[UUID, datetime] = step.data.get("told", {})
    for telling in tellings:
        if telling.person_id in told and telling.kind in ABOUT_DECISION:
            step.session.add(_spoken(step, telling, told[telling.person_id]))
            if not _address(step, telling.person_id):
                continue
        notice = _notice(step, telling)
        step.session.add(notice)
        step.notices.append(notice)
        if notice.channel is Channel.MAIL:
            enqueue(
                step.session,
                kind=MAIL_JOB,
                subject_id=notice.id,
                case_id=notice.case_id,
                dedupe_key=f"mail:{notice.id}",
                due=step.now,
            )


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

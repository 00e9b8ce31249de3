"""Address and telephone of director and parties, which the complete papers must give (R29)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, select

from casework.domain.access import Actor
from casework.domain.errors import Missing, NotAllowed
from casework.domain.models import Contact, Person
from casework.domain.terms import Part
from casework.services import papers, readings
from casework.services.loading import Loaded
from casework.text import t

KEEPERS = frozenset({Part.DIRECTOR, Part.CHIEF_DIRECTOR, Part.OFFICE})
"""Who may fill in what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reachable:
    """Somebody whose contact data belong to the papers; `whole`: there is an address and a telephone number."""

    person_id: UUID
    name: str
    party_id: UUID | None
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactInput:
    """What a paper letter and a call need."""

    phone: str
    street: str
    postal_code: str
    city: str


def people(session: Session, loaded: Loaded) -> Sequence[Reachable]:
    """Director and parties, with whether they can be reached on paper."""
    return [*_director(session, loaded), *_parties(loaded)]


def _director(session: Session, loaded: Loaded) -> Iterator[Reachable]:
    director = loaded.proceeding.director_id
    if director is not None:
        contact = session.exec(select(Contact).where(Contact.person_id == director)).first()
        yield Reachable(
            person_id=director, name=session.get_one(Person, director).name, party_id=None, whole=_whole(contact)
        )


def _parties(loaded: Loaded) -> Iterator[Reachable]:
    for person in readings.members(loaded):
        whole = _whole(loaded.contacts.get(person.id))
        yield Reachable(person_id=person.id, name=person.name, party_id=person.party_id, whole=whole)


def _whole(contact: Contact | None) -> bool:
    return contact is not None and bool(contact.street and contact.phone)


def contact_of(session: Session, loaded: Loaded, person_id: UUID) -> tuple[Reachable, ContactInput]:
    """What is known of one person of the papers. Raises Missing for anybody else."""
    person = next((person for person in people(session, loaded) if person.person_id == person_id), None)
    if person is None:
        raise Missing
    row = session.exec(select(Contact).where(Contact.person_id == person_id)).first() or Contact(person_id=person_id)
    return person, ContactInput(phone=row.phone, street=row.street, postal_code=row.postal_code, city=row.city)


def fill_in(
    session: Session,
    loaded: Loaded,
    actor: Actor,
    parts: frozenset[Part],
    *,
    person_id: UUID,
    contact: ContactInput,
    now: datetime,
) -> None:
    """Write address and telephone number of somebody of the papers; who did it stands in the access log."""
    if not parts & KEEPERS:
        raise NotAllowed(t("Only the director and the office fill in contact data."))
    contact_of(session, loaded, person_id)
    row = session.exec(select(Contact).where(Contact.person_id == person_id)).first() or Contact(person_id=person_id)
    row.phone, row.street = contact.phone, contact.street
    row.postal_code, row.city = contact.postal_code, contact.city
    session.add(row)
    papers.note_reading(session, actor, loaded.case.id, "contact data filled in", now)

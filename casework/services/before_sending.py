"""Who is told, and by which way, before anything is sent: the same persons as the step tells."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.domain.access import Actor
from casework.domain.labels import contestant, label
from casework.domain.models import Contact, Person
from casework.domain.shown import Piece, Shown
from casework.domain.terms import ActionName, Audience, Channel, Part
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.audience import recipients
from casework.domain.workflow.facts import Ask, Facts
from casework.services.loading import Loaded
from casework.services.notice_proof import masked_address
from casework.services.opening import Contestants
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Who will be told, as whom, and how."""

    party: Text
    """His side; an official's part."""
    name: str
    channel: Channel
    address: str
    """Masked; empty where a letter is posted."""


def parties_told(loaded: Loaded) -> tuple[Told, ...]:
    """The persons of the parties of a case."""
    emails = {person: contact.email for person, contact in loaded.contacts.items()}
    form, persons, members = loaded.tournament.form, loaded.persons, loaded.party_of_member
    return tuple(
        _told(contestant(form, party.number, party.name), persons[member.person_id].name, emails, member.person_id)
        for party in loaded.parties
        for member in members[party.id]
    )


def shown_parties(loaded: Loaded) -> Shown:
    """A page that shows whom of the parties it tells."""
    return Shown({Piece.TOLD: parties_told(loaded)})


def players_told(session: Session, found: Contestants) -> tuple[Told, ...]:
    """The persons of the contestants of a question at the table, before a case is opened."""
    seated = [(each.label, player) for side in found.sides.values() for each in side for player in each.players]
    known = _known(session, [player.person_id for _, player in seated])
    emails = {person: email for person, (_, email) in known.items()}
    return tuple(_told(party, player.name, emails, player.person_id) for party, player in seated)


def summoned(session: Session, facts: Facts, actor: Actor, now: datetime) -> tuple[Told, ...]:
    """Whom a call to the hearing tells: as the procedure says, each once (R17, R18)."""
    return _by_step(session, facts, ActionName.CALL_HEARING, actor, now)


def told_decision(session: Session, facts: Facts, actor: Actor, now: datetime) -> tuple[Told, ...]:
    """Whom a decision on an appeal tells: both sides, and the director, who sees to it that they know (R37)."""
    return _by_step(session, facts, ActionName.DECIDE_APPEAL, actor, now)


def _by_step(session: Session, facts: Facts, step: ActionName, actor: Actor, now: datetime) -> tuple[Told, ...]:
    return named(session, list(dict(_recipients(facts, step, actor, now)).items()))


def named(session: Session, found: Sequence[tuple[UUID, Text]]) -> tuple[Told, ...]:
    """These persons, each with whom he is told as, with name and address."""
    known = _known(session, [person for person, _ in found])
    emails = {person: email for person, (_, email) in known.items()}
    return tuple(_told(as_whom, known[person][0], emails, person) for person, as_whom in found)


def shown_summoned(session: Session, facts: Facts, actor: Actor, now: datetime) -> Shown:
    """The page that calls to the hearing."""
    return Shown({Piece.TOLD: summoned(session, facts, actor, now)})


def _recipients(facts: Facts, step: ActionName, actor: Actor, now: datetime) -> Iterator[tuple[UUID, Text]]:
    ask = Ask(person_id=actor.person_id, parts=frozenset(), now=now)
    seats = {seat.person_id: label(seat.role) for seat in facts.panel.deciding} if facts.panel else {}
    for tells in PROCEDURES[facts.this.kind].action(step).tells:
        for person, party in sorted(recipients(tells.to, facts, ask), key=str):
            directs = label(Part.DIRECTOR) if tells.to is Audience.DIRECTOR else t("Law Commission")
            yield person, facts.party(party).label if party else seats.get(person, directs)


def _known(session: Session, persons: Iterable[UUID]) -> dict[UUID, tuple[str, str]]:
    rows = session.exec(
        select(Person, Contact)
        .outerjoin(Contact, col(Contact.person_id) == col(Person.id))
        .where(col(Person.id).in_(list(persons)))
    )
    return {person.id: (person.name, contact.email if contact is not None else "") for person, contact in rows}


def _told(party: Text, name: str, emails: Mapping[UUID, str], person_id: UUID) -> Told:
    address = emails.get(person_id, "")
    return Told(
        party=party,
        name=name,
        channel=Channel.MAIL if address else Channel.LETTER,
        address=masked_address(address),
    )

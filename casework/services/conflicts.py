"""Conflicts of interest (jäv): what bars somebody from a panel, and what makes the system ask."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlmodel import Session, col, select

from casework.domain.models import EntryMember, Grant, Person
from casework.domain.terms import Body, Role, SeatRole
from casework.domain.workflow.facts import Facts
from casework.services.loading import Loaded
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Somebody who could sit: `barred` is why he cannot, `suggestion` what he should think about first."""

    person: Person
    role: Role
    barred: Text | None
    suggestion: Text | None


def candidates(session: Session, loaded: Loaded, facts: Facts) -> Sequence[Candidate]:
    """Who could sit on this proceeding's panel, by name, those of the body first and its reserves after them."""
    rows = session.exec(
        select(Person, Grant.role)
        .join(Grant, col(Grant.person_id) == col(Person.id))
        .where(
            col(Grant.role).in_(_roles(facts)),
            col(Grant.tournament_id).is_(None) | (col(Grant.tournament_id) == loaded.tournament.id),
        )
        .order_by(col(Person.family_name), col(Person.given_name))
    ).all()
    best: dict[UUID, tuple[Person, Role]] = {}
    for person, held in sorted(rows, key=lambda row: _RANK[Role(row[1])]):
        best.setdefault(person.id, (person, Role(held)))
    together = _played_together(session, loaded, best)
    return [_candidate(person, role, loaded, facts, together) for person, role in best.values()]


_RANK = {Role.LK_CHAIR: 0, Role.LK_MEMBER: 1, Role.JURY_MEMBER: 1, Role.LK_RESERVE: 2}


def _roles(facts: Facts) -> tuple[Role, ...]:
    if facts.this.body is Body.LAW_COMMISSION:
        return (Role.LK_CHAIR, Role.LK_MEMBER, Role.LK_RESERVE)
    return (Role.JURY_MEMBER, Role.LK_CHAIR, Role.LK_MEMBER, Role.LK_RESERVE)


def _candidate(person: Person, role: Role, loaded: Loaded, facts: Facts, together: set[UUID]) -> Candidate:
    barred = bar(person.id, facts)
    return Candidate(
        person=person,
        role=role,
        barred=barred,
        suggestion=None if barred else _suggestion(person, loaded, facts, together),
    )


def bar(person_id: UUID, facts: Facts) -> Text | None:
    """What nobody can decide away: a party, who ruled, and in LK who sat on the jury (R19)."""
    if facts.party_of(person_id) is not None:
        return t("is a party")
    if any(p.decided_by == person_id and p.body is Body.DIRECTOR for p in facts.proceedings):
        return t("gave the ruling")
    if any(p.director_id == person_id for p in facts.proceedings):
        return t("is the director of the case")
    if facts.this.body is Body.LAW_COMMISSION and person_id in facts.earlier_jurors:
        return t("sat on the jury")
    return None


def _suggestion(person: Person, loaded: Loaded, facts: Facts, together: set[UUID]) -> Text | None:
    if person.id in together:
        return t("plays with a party in this tournament")
    if _called_too(person.id, facts):
        return t("was called to the jury's hearing")
    if loaded.tournament.above_club_level and person.club and person.club in _clubs(loaded):
        return t("belongs to the same club as a party")
    return None


def _called_too(person_id: UUID, facts: Facts) -> bool:
    """R17: following the jury does not bar from LK, but is suggested and decided, whoever noted who came."""
    return any(
        seat.person_id == person_id and seat.role is SeatRole.ATTENDEE
        for panel in facts.panels
        if panel.proceeding_id != facts.this.id
        for seat in panel.seats
    )


def _clubs(loaded: Loaded) -> set[str]:
    return {loaded.persons[member.person_id].club for member in loaded.members}


def _played_together(session: Session, loaded: Loaded, persons: Iterable[UUID]) -> set[UUID]:
    """Who is entered in the same contestant as a party's member."""
    entries = [party.entry_id for party in loaded.parties]
    query = select(col(EntryMember.person_id)).where(
        col(EntryMember.entry_id).in_(entries), col(EntryMember.person_id).in_(list(persons))
    )
    return set(session.exec(query))

"""Opening a case: an incident at a table, its parties, its number, its law edition and its frozen profile."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlmodel import Session, col, select, update

from casework.domain.access import Actor
from casework.domain.errors import Invalid, Missing
from casework.domain.models import (
    Case,
    CaseCounter,
    Contact,
    Entry,
    EntryMember,
    Incident,
    Link,
    Party,
    PartyMember,
    Person,
    Proceeding,
    Tournament,
)
from casework.domain.models import Session as PlayingSession
from casework.domain.rules.editions import edition_on
from casework.domain.terms import (
    ActionName,
    Body,
    CaseKind,
    LinkPurpose,
    Part,
    ProceedingKind,
    Side,
    State,
)
from casework.services import history
from casework.services.loading import Loaded, load_staff
from casework.services.step import acting_person
from casework.settings import get_settings
from casework.text import t


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentInput:
    """Where and when it happened, and who sat there: side → number of the contestant in the tournament."""

    session_id: UUID
    contestants: Mapping[Side, int]
    occurred_on: date
    table: str = ""
    board: int | None = None
    absent: frozenset[UUID] = frozenset()
    """Members of a team who did not sit at the table."""


def open_case(
    session: Session, incident: IncidentInput, actor: Actor, *, now: datetime, director_id: UUID | None
) -> Loaded:
    """Open a case, with the director's proceeding open, or asked for when there is no director yet.

    Raises:
        Missing: there is no such session.
        Invalid: a contestant does not exist, or is on both sides.
    """
    row = session.exec(
        select(PlayingSession, Tournament)
        .join(Tournament, col(Tournament.id) == col(PlayingSession.tournament_id))
        .where(PlayingSession.id == incident.session_id)
    ).first()
    if row is None:
        raise Missing
    playing_session, tournament = row
    where = Incident(
        tournament_id=tournament.id,
        session_id=playing_session.id,
        table=incident.table,
        board=incident.board,
        occurred_on=incident.occurred_on,
    )
    case = Case(
        number=_next_number(session, now),
        kind=CaseKind.RULING,
        incident_id=where.id,
        law_edition=edition_on(incident.occurred_on),
        profile=tournament.profile,
        opened_at=now,
        opened_by=acting_person(actor),
    )
    proceeding = Proceeding(
        case_id=case.id,
        kind=ProceedingKind.RULING,
        body=Body.DIRECTOR,
        state=State.OPEN if director_id else State.REQUESTED,
        director_id=director_id,
        lk_open=tournament.lk_open,
        opened_at=now,
    )
    loaded = Loaded(case, where, tournament, playing_session, proceeding, proceedings=[proceeding])
    _seat_parties(session, loaded, incident, now)
    load_staff(session, loaded)
    session.add_all([where, case, proceeding])
    history.append(
        session,
        case,
        at=now,
        action=ActionName.OPEN_CASE,
        proceeding_id=proceeding.id,
        actor_id=actor.person_id,
        part=Part.DIRECTOR if director_id else Part.PARTY,
        data={"state": proceeding.state, "incident": where.id},
    )
    return loaded


def _next_number(session: Session, now: datetime) -> str:
    """The next number of the year, counted under the row's lock: no gaps, none twice (F48)."""
    counted = session.exec(
        update(CaseCounter)
        .where(col(CaseCounter.year) == now.year)
        .values(last=col(CaseCounter.last) + 1)
        .returning(col(CaseCounter.last))
    ).first()
    if counted is None:
        session.add(CaseCounter(year=now.year, last=1))
    last = counted[0] if counted else 1
    return f"{get_settings().case_prefix}-{now.year}-{last:04d}"


def _seat_parties(session: Session, loaded: Loaded, incident: IncidentInput, now: datetime) -> None:
    rows = session.exec(
        select(Entry, EntryMember, Person, Contact)
        .join(EntryMember, col(EntryMember.entry_id) == col(Entry.id))
        .join(Person, col(Person.id) == col(EntryMember.person_id))
        .outerjoin(Contact, col(Contact.person_id) == col(Person.id))
        .where(
            Entry.tournament_id == loaded.tournament.id,
            col(Entry.number).in_(list(incident.contestants.values())),
        )
        .order_by(col(Person.family_name), col(Person.given_name))
    ).all()
    entries = {entry.number: entry for entry, _, _, _ in rows}
    _refuse_strangers(incident, entries)
    for side, number in incident.contestants.items():
        entry = entries[number]
        party = Party(case_id=loaded.case.id, entry_id=entry.id, side=side, number=number, name=entry.name)
        loaded.parties.append(party)
        for _, member, person, contact in (row for row in rows if row[0] is entry):
            loaded.members.append(
                PartyMember(
                    party_id=party.id,
                    person_id=person.id,
                    captain=member.captain,
                    at_table=person.id not in incident.absent,
                )
            )
            loaded.persons[person.id] = person
            if contact is not None:
                loaded.contacts[person.id] = contact
            loaded.links[person.id, party.id] = Link(
                purpose=LinkPurpose.PARTY,
                person_id=person.id,
                case_id=loaded.case.id,
                party_id=party.id,
                created_at=now,
            )
    session.add_all([*loaded.parties, *loaded.members, *loaded.links.values()])


def _refuse_strangers(incident: IncidentInput, entries: Mapping[int, Entry]) -> None:
    wrong = {
        side.value: t("There is no contestant number {number} in this tournament.", number=number)
        for side, number in incident.contestants.items()
        if number not in entries
    }
    if len(set(incident.contestants.values())) < len(incident.contestants):
        wrong[Side.EAST_WEST.value] = t("The two sides must be different contestants.")
    if wrong:
        raise Invalid(wrong)

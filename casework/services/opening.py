"""Opening a case: an incident at a table, its parties, its number, its law edition and its frozen profile."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, select

from casework.clock import LOCAL
from casework.domain.access import Actor
from casework.domain.errors import Invalid, Missing
from casework.domain.labels import contestant
from casework.domain.models import (
    Case,
    CaseCounter,
    Contact,
    Entry,
    EntryMember,
    Event,
    FormReceipt,
    Incident,
    Link,
    Party,
    PartyMember,
    Person,
    Proceeding,
    Tournament,
)
from casework.domain.models import Session as PlayingSession
from casework.domain.rules.editions import LawEdition, edition_on
from casework.domain.terms import (
    ActionName,
    Body,
    CaseKind,
    Form,
    LinkPurpose,
    Part,
    ProceedingKind,
    Side,
    State,
)
from casework.services import history
from casework.services.loading import Loaded, load_staff
from casework.services.step import AlreadyDone, FormInstance, acting_person
from casework.settings import get_settings
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentInput:
    """Where and when it happened, and who sat there: side → number of the contestant in the tournament.

    In an individual event two can sit on a side. `edition` where the event has other laws than those in force that day.
    """

    session_id: UUID
    contestants: Mapping[Side, tuple[int, ...]]
    occurred_on: date
    table: str = ""
    board: int | None = None
    absent: frozenset[UUID] = frozenset()
    """Members of a team who did not sit at the table."""
    edition: LawEdition | None = None

    @property
    def laws(self) -> LawEdition:
        """By which laws it is judged: the day's (R43), unless the event's own rules say otherwise (R41)."""
        return self.edition or edition_on(self.occurred_on)

    @property
    def numbers(self) -> list[int]:
        """The numbers of all contestants."""
        return [number for numbers in self.contestants.values() for number in numbers]


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A member of a contestant, and how he can be reached: by mail, else by letter."""

    person_id: UUID
    name: str
    captain: bool
    by_mail: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """A contestant with its players."""

    label: Text
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestants:
    """What the numbers that were typed stand for, before a case is opened."""

    tournament: Tournament
    playing_session: PlayingSession
    sides: Mapping[Side, tuple[Seated, ...]]

    @property
    def played_on(self) -> date:
        """The local day of the session, which picks the laws (R43)."""
        return self.playing_session.starts_at.astimezone(LOCAL).date()

    @property
    def players(self) -> list[Player]:
        """Everybody who sat there."""
        return [player for side in self.sides.values() for seated in side for player in seated.players]


def open_case(
    session: Session, incident: IncidentInput, actor: Actor, *, now: datetime, director_id: UUID | None
) -> Loaded:
    """Open a case, with the director's proceeding open, or asked for when there is no director yet.

    Raises:
        Missing: there is no such session.
        Invalid: a contestant does not exist, or is on both sides.
    """
    loaded = begin_case(session, incident, actor, now=now, director_id=director_id)
    record_opening(session, loaded, actor, part=Part.DIRECTOR if director_id else Part.PARTY, now=now)
    return loaded


def begin_case(
    session: Session, incident: IncidentInput, actor: Actor, *, now: datetime, director_id: UUID | None
) -> Loaded:
    """The rows of a new case; the caller then writes its first event with `record_opening`.

    Raises:
        Missing: there is no such session.
        Invalid: a contestant does not exist, or is on both sides.
    """
    playing_session, tournament = _where(session, incident.session_id)
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
        law_edition=incident.laws,
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
    return loaded


def record_opening(
    session: Session, loaded: Loaded, actor: Actor, *, part: Part, now: datetime, data: Mapping[str, Any] | None = None
) -> Event:
    """Write the first event of a case; `data` says what was filed and who is told with it."""
    return history.append(
        session,
        loaded.case,
        at=now,
        action=ActionName.OPEN_CASE,
        proceeding_id=loaded.proceeding.id,
        actor_id=actor.person_id,
        part=part,
        data={
            "state": loaded.proceeding.state,
            "incident": loaded.incident.id,
            "laws": loaded.case.law_edition,
            **(data or {}),
        },
    )


def refuse_repeat(session: Session, form: FormInstance | None) -> None:
    """Raise AlreadyDone if the form has opened a case before.

    Asked when the case's number is drawn: of two clicks at once the second then sees what the first has done.
    """
    if form is None or form.form_id is None:
        return
    with session.no_autoflush:
        receipt = session.get(FormReceipt, form.form_id)
    if receipt is not None:
        raise AlreadyDone(receipt)


def contestants(session: Session, incident: IncidentInput) -> Contestants:
    """Who the numbers are, for the page that asks whether everything is right.

    Raises:
        Missing: there is no such session.
        Invalid: a contestant does not exist, or is on both sides.
    """
    playing_session, tournament = _where(session, incident.session_id)
    rows = list(session.exec(_members(tournament.id, incident.numbers)))
    entries = {entry.number: entry for entry, _, _, _ in rows}
    _refuse_strangers(incident, entries, tournament.form)

    def seated(number: int) -> Seated:
        label = contestant(tournament.form, number, entries[number].name)
        return Seated(label=label, players=tuple(_player(*row[1:]) for row in rows if row[0].number == number))

    return Contestants(
        tournament=tournament,
        playing_session=playing_session,
        sides={side: tuple(map(seated, numbers)) for side, numbers in incident.contestants.items()},
    )


def _player(member: EntryMember, person: Person, contact: Contact | None) -> Player:
    return Player(
        person_id=person.id, name=person.name, captain=member.captain, by_mail=bool(contact and contact.email)
    )


def _where(session: Session, session_id: UUID) -> tuple[PlayingSession, Tournament]:
    row = session.exec(
        select(PlayingSession, Tournament)
        .join(Tournament, col(Tournament.id) == col(PlayingSession.tournament_id))
        .where(PlayingSession.id == session_id)
    ).first()
    if row is None:
        raise Missing
    return row


def _members(tournament_id: UUID, numbers: Iterable[int]) -> Any:
    """Entry, member, person and contact of the contestants with these numbers, by name."""
    return (
        select(Entry, EntryMember, Person, Contact)
        .join(EntryMember, col(EntryMember.entry_id) == col(Entry.id))
        .join(Person, col(Person.id) == col(EntryMember.person_id))
        .outerjoin(Contact, col(Contact.person_id) == col(Person.id))
        .where(Entry.tournament_id == tournament_id, col(Entry.number).in_(list(numbers)))
        .order_by(col(Person.family_name), col(Person.given_name))
    )


def _next_number(session: Session, now: datetime) -> str:
    """The next number of the year, counted under the row's lock: no gaps, none twice (F48)."""
    insert = _INSERT[session.get_bind().dialect.name]
    counted = (
        insert(CaseCounter)
        .values(id=uuid4(), year=now.year, last=1)
        .on_conflict_do_update(index_elements=["year"], set_={"last": col(CaseCounter.last) + 1})
        .returning(col(CaseCounter.last))
    )
    last: int = session.execute(counted).scalar_one()
    return f"{get_settings().case_prefix}-{now.year}-{last:04d}"


_INSERT: Mapping[str, Any] = {"postgresql": postgresql.insert, "sqlite": sqlite.insert}
"""Both count the first case of a year without a second query; SQLAlchemy has no common word for it."""


def _seat_parties(session: Session, loaded: Loaded, incident: IncidentInput, now: datetime) -> None:
    rows = session.exec(_members(loaded.tournament.id, incident.numbers)).all()
    entries = {entry.number: entry for entry, _, _, _ in rows}
    _refuse_strangers(incident, entries, loaded.tournament.form)
    for side, number in ((side, number) for side, numbers in incident.contestants.items() for number in numbers):
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


def _refuse_strangers(incident: IncidentInput, entries: Mapping[int, Entry], form: Form) -> None:
    """The fields are named by side; a side's other player has its own, `north_south_2`."""
    wrong: dict[str, Text] = {}
    seen: set[int] = set()
    for side, numbers in incident.contestants.items():
        for place, number in enumerate(numbers, start=1):
            name = side.value if place == 1 else f"{side.value}_{place}"
            if place > (2 if form is Form.INDIVIDUAL else 1):
                wrong[name] = t("Two contestants sit on a side only in an individual event.")
            elif number in seen and place == 1:
                wrong[name] = t("The two sides must be different contestants.")
            elif number in seen:
                wrong[name] = t("Each contestant can be written once only.")
            elif number not in entries:
                wrong[name] = t("There is no contestant number {number} in this tournament.", number=number)
            seen.add(number)
    if wrong:
        raise Invalid(wrong)

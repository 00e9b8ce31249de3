"""A small federation for tests: one tournament with two pairs, its officials, the Law Commission and the office.

`federation()` writes the rows and gives their ids; `open_case` and `give_ruling` go the way that people go.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlmodel import Session

from casework.adapters.database import uow
from casework.domain.access import Actor
from casework.domain.models import Contact, Entry, EntryMember, Grant, Person, Tournament
from casework.domain.models import Session as PlayingSession
from casework.domain.rules.citations import find_law
from casework.domain.rules.editions import edition_on
from casework.domain.rules.procedure import profile_on
from casework.domain.terms import AppealRoute, Form, Role, RulingOutcome, Side
from casework.services import opening, people, rulings, tournaments
from casework.services.opening import IncidentInput
from casework.services.rulings import RulingInput

SATURDAY = date(2026, 11, 28)
START = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
"""When the session begins: 13.00 in Sweden."""
NAMES = {
    "director": "Karin Fjällbo",
    "chief": "Torsten Lodin",
    "organiser": "Maj Granström",
    "office": "Siv Hallberg",
    "lk_chair": "Hjalmar Rydén",
    "lk_1": "Ulla Sandvik",
    "lk_2": "Per Åsling",
    "lk_reserve": "Eskil Norling",
    "juror_1": "Göran Wiklund",
    "juror_2": "Inga Bergdal",
    "juror_3": "Sten Oskarsson",
    "north": "Birgit Ekestam",
    "south": "Arne Solvik",
    "east": "Lena Tvärås",
    "west": "Olof Hägglund",
}
ROLES = {
    "director": Role.DIRECTOR,
    "chief": Role.CHIEF_DIRECTOR,
    "organiser": Role.ORGANISER,
    "juror_1": Role.JURY_MEMBER,
    "juror_2": Role.JURY_MEMBER,
    "juror_3": Role.JURY_MEMBER,
}
"""Who is trusted with something at the tournament; `FEDERATION_ROLES` holds everywhere."""
FEDERATION_ROLES = {
    "office": Role.OFFICE,
    "lk_chair": Role.LK_CHAIR,
    "lk_1": Role.LK_MEMBER,
    "lk_2": Role.LK_MEMBER,
    "lk_reserve": Role.LK_RESERVE,
}
CONTESTANTS = {7: ("north", "south"), 12: ("east", "west")}
"""Number of the contestant → its players; the first is the captain of a team."""
SINGLES = {7: ("north",), 8: ("south",), 12: ("east",), 13: ("west",)}
"""The same in an individual event."""
PLAYERS = frozenset(key for players in CONTESTANTS.values() for key in players)
"""They play for another club than the officials, so that nobody is suggested as conflicted."""


@dataclass(frozen=True)
class Federation:
    """What `federation` made; `persons` by the keys of `NAMES`."""

    tournament_id: UUID
    session_id: UUID
    persons: Mapping[str, UUID]
    form: Form = Form.PAIRS

    def actor(self, key: str) -> Actor:
        """The person, signed in with all that he is trusted with."""
        with uow() as session:
            return people.actor_of(session, self.persons[key])


@dataclass(frozen=True)
class OpenCase:
    """A case with the director's proceeding."""

    case_id: UUID
    number: str
    proceeding_id: UUID
    party_ids: Mapping[Side, UUID] = field(default_factory=dict)
    """Side → its contestant, the first of an individual event's two."""
    parties: Mapping[int, UUID] = field(default_factory=dict)
    """Number → contestant."""


def person(
    session: Session, name: str, number: int, *, club: str = "", language: str = "sv", email: str | None = None
) -> Person:
    """A member with all contact data; `email=""` for somebody without mail."""
    given, _, family = name.partition(" ")
    made = Person(
        member_number=str(20_000 + number), given_name=given, family_name=family, club=club, language=language
    )
    contact = Contact(
        person_id=made.id,
        email=f"medlem{number}@lindvalla.example" if email is None else email,
        phone=f"08-000 00 {number:02}",
        street=f"Provgatan {number}",
        postal_code="111 11",
        city="Lindvalla",
    )
    session.add_all([made, contact])
    return made


def federation(
    *,
    form: Form = Form.PAIRS,
    route: AppealRoute = AppealRoute.JURY_ON_SITE,
    lk_open: bool = True,
    names: Mapping[str, str] | None = None,
    languages: Mapping[str, str] | None = None,
    without_mail: frozenset[str] = frozenset(),
    settings: Mapping[str, Any] | None = None,
    title: str = "Höstpokalen",
    session_name: str = "Lördag, omgång 1",
    team: str = "Lag {number}",
) -> Federation:
    """Write the federation. `settings` override the shipped profile's values by name, for example `appeal_fee=300`."""
    profile = profile_on(SATURDAY).with_overrides(dict(settings or {}))
    tournament = Tournament(
        name=title,
        organiser="Lindvalla BK",
        place="Lindvalla",
        form=form,
        starts_on=SATURDAY,
        ends_on=SATURDAY + timedelta(days=1),
        appeal_route=route,
        lk_open=lk_open,
        profile=profile.to_json(),
    )
    playing = PlayingSession(tournament_id=tournament.id, name=session_name, starts_at=START)
    with uow(write=True) as session:
        session.add_all([tournament, playing])
        persons = {
            key: person(
                session,
                (names or {}).get(key, name),
                number,
                club="Lindvalla BK" if key in PLAYERS else "Norrviks BK",
                language=(languages or {}).get(key, "sv"),
                email="" if key in without_mail else None,
            ).id
            for number, (key, name) in enumerate(NAMES.items(), start=1)
        }
        for key, role in ROLES.items():
            session.add(Grant(person_id=persons[key], role=role, tournament_id=tournament.id))
        for key, role in FEDERATION_ROLES.items():
            session.add(Grant(person_id=persons[key], role=role))
        for number, players in (SINGLES if form is Form.INDIVIDUAL else CONTESTANTS).items():
            name = team.format(number=number) if form is Form.TEAMS else ""
            entry = Entry(tournament_id=tournament.id, number=number, name=name)
            session.add(entry)
            for seat, key in enumerate(players):
                captain = form is Form.TEAMS and seat == 0
                session.add(EntryMember(entry_id=entry.id, person_id=persons[key], captain=captain))
    return Federation(tournament.id, playing.id, persons, form)


def open_case(
    there: Federation, *, at: datetime = START, director: str | None = "director", board: int = 18
) -> OpenCase:
    """A case about a board at table 5, North–South pair 7 against pair 12; in an individual 7 and 8, 12 and 13."""
    individual = there.form is Form.INDIVIDUAL
    incident = IncidentInput(
        session_id=there.session_id,
        contestants={
            Side.NORTH_SOUTH: (7, 8) if individual else (7,),
            Side.EAST_WEST: (12, 13) if individual else (12,),
        },
        occurred_on=SATURDAY,
        table="5",
        board=board,
    )
    actor = there.actor(director or "organiser")
    with uow(write=True) as session:
        loaded = opening.open_case(
            session, incident, actor, now=at, director_id=there.persons[director] if director else None
        )
        parties = {party.number: party.id for party in loaded.parties}
    first = {Side.NORTH_SOUTH: parties[7], Side.EAST_WEST: parties[12]}
    return OpenCase(loaded.case.id, loaded.case.number, loaded.proceeding.id, first, parties)


def ruling(**changes: Any) -> RulingInput:
    """A ruling of judgement about a slow pass, with what `changes` says otherwise."""
    law = find_law(edition_on(SATURDAY), "16B1")
    assert law is not None
    fields: dict[str, Any] = {
        "operative": "Resultatet ändras till 4♠ av Syd, nio stick.",
        "facts": "Nord tänkte länge och passade. Syd bjöd 4♠.",
        "laws": (law,),
        "outcome": RulingOutcome.ASSIGNED,
        "reasons": "Pass var ett logiskt alternativ.",
        "of_judgement": True,
    }
    return RulingInput(**(fields | changes))


def give_ruling(there: Federation, case: OpenCase, *, at: datetime = START, **changes: Any) -> UUID:
    """The director rules; gives the decision's id."""
    actor = there.actor("director")
    with uow(write=True) as session:
        step = rulings.give_ruling(session, case.proceeding_id, actor, ruling(**changes), now=at)
        assert step.decision_id is not None
        return step.decision_id


def publish_score(there: Federation, *, at: datetime, now: datetime | None = None) -> None:
    """The organiser records that the session's official score was made available at `at`."""
    actor = there.actor("organiser")
    with uow(write=True) as session:
        tournaments.record_publication(session, there.session_id, actor, published_at=at, now=now or at)

"""The people and tournaments of the demo. All names are invented."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from uuid import UUID

from sqlmodel import Session

from casework.clock import LOCAL
from casework.domain.access import Actor
from casework.domain.calendar import Span, Unit
from casework.domain.models import Account, Contact, Entry, EntryMember, Grant, Person, Presence, Tournament
from casework.domain.models import Session as PlayingSession
from casework.domain.rules.procedure import profile_on
from casework.domain.terms import AppealRoute, Form, Role
from casework.services import people

PASSWORD = "bridge i demoläge"  # noqa: S105  # of invented accounts on a database that only the demo opens
PLAYERS = (
    "Birgit Ekestam, Olle Strandmark, Ingrid Sandvall, Tore Lindhagen, Maj-Britt Hallvik, Sune Rosengård,"
    "Kerstin Almefors, Börje Tallmo, Anita Fagervik, Leif Ormsäter, Gunvor Stenhage, Rune Bergfalk,"
    "Solveig Näsvall, Hans Torpvik, Elsy Kvarnby, Arvid Lundmossa, Monica Sjöhed, Kjell Brännholm,"
    "Viveka Ranhed, Stig Åkervall, Ulla-Karin Mossberga, Nils Hedefalk, Barbro Lövsund, Åke Granvik,"
    "Inger Fridhem, Bo Klockmark, Yvonne Sågvik, Torsten Ljungheda, Gunilla Ekmarka, Roland Vikstrand,"
    "Marianne Håknäs, Ingvar Söderlid, Lisbet Tångmark, Evert Norrsäter, Doris Algutsby, Sixten Björkhed,"
    "Agneta Rosvall, Folke Marsätra, Harriet Limsäter, Gösta Vretfors, Irma Skogvall, Ragnar Ulvsby"
)
OFFICIALS = (
    "Karin Fjällbo, Per-Olof Visby, Jonas Ekeblom, Lena Norrbro, Eva Tallmark, Henrik Dalvik, Ylva Brandt,"
    "Staffan Ekevik, Margareta Sundhed, Anders Kullmo, Britta Hagfors, Claes Myrvall, Siv Larsbo,"
    "Mats Grönhage, Ewa Lindfjärd, Rolf Aspnäs, Cecilia Tornmark, Gustav Hällvik"
)
CLUBS = ("BK Trumfen", "Åsunda BS", "Lindvalla BK", "BK Singelton", "Norrviks BK", "Bridgesällskapet Sekvens")
OFFICIAL_CLUBS = ("BK Norrsken", "Västra BK", "BK Tolvan")
"""Officials play elsewhere, so that panels can be made; one plays with the others, and the system says so."""
CLUBMATE = "Gustav Hällvik"
ABROAD = "Hans Torpvik"
"""A player who reads English."""
WITHOUT_MAIL = ("Arvid Lundmossa", "Folke Marsätra")
"""Players who get letters."""
FEDERATION_ROLES = {
    "Lena Norrbro": Role.OFFICE,
    "Staffan Ekevik": Role.LK_CHAIR,
    "Margareta Sundhed": Role.LK_MEMBER,
    "Anders Kullmo": Role.LK_MEMBER,
    "Britta Hagfors": Role.LK_MEMBER,
    "Claes Myrvall": Role.LK_RESERVE,
    "Siv Larsbo": Role.LK_RESERVE,
    "Mats Grönhage": Role.BOARD_MEMBER,
    "Ewa Lindfjärd": Role.BOARD_MEMBER,
    "Rolf Aspnäs": Role.BOARD_MEMBER,
}
TOURNAMENT_ROLES = {
    "Karin Fjällbo": Role.DIRECTOR,
    "Per-Olof Visby": Role.CHIEF_DIRECTOR,
    "Jonas Ekeblom": Role.ASSISTANT_DIRECTOR,
    "Eva Tallmark": Role.ORGANISER,
    "Henrik Dalvik": Role.JURY_MEMBER,
    "Ylva Brandt": Role.JURY_MEMBER,
    "Cecilia Tornmark": Role.JURY_MEMBER,
    "Gustav Hällvik": Role.JURY_MEMBER,
}


@dataclass(frozen=True, slots=True)
class Playing:
    """A tournament of the demo with the session that its stories are played in."""

    tournament_id: UUID
    session_id: UUID
    starts_at: datetime


@dataclass(frozen=True, slots=True)
class Federation:
    """Everybody by name, and the three tournaments."""

    persons: Mapping[str, UUID]
    pairs: Playing
    teams: Playing
    district: Playing

    def actor(self, session: Session, name: str) -> Actor:
        """The person with all roles held, as signed in with an account."""
        return people.actor_of(session, self.persons[name])


def found(session: Session, now: datetime) -> Federation:
    """Write the federation: sixty members, officials of every role, three tournaments."""
    names = [name.strip() for name in (*PLAYERS.split(","), *OFFICIALS.split(","))]
    persons = {name: _member(session, name, number) for number, name in enumerate(names)}
    players = names[: len(PLAYERS.split(","))]
    pairs = _tournament(
        session,
        "Höstpokalen",
        "Lindvalla",
        form=Form.PAIRS,
        starts_at=now - timedelta(hours=5),
        route=AppealRoute.JURY_ON_SITE,
    )
    teams = _tournament(
        session,
        "Lagserien, division 2",
        "Norrvik",
        form=Form.TEAMS,
        starts_at=now - timedelta(days=40),
        route=AppealRoute.JURY_LATER,
    )
    district = _tournament(
        session,
        "Distriktets silverpar",
        "Åsunda",
        form=Form.PAIRS,
        starts_at=now - timedelta(days=40),
        route=AppealRoute.LAW_COMMISSION,
    )
    _enter(session, pairs, _in_pairs(players), persons)
    _enter(session, district, _in_pairs(players[::-1]), persons)
    _enter_teams(session, teams, players, persons)
    for name, role in FEDERATION_ROLES.items():
        session.add(Grant(person_id=persons[name], role=role))
    for name, role in TOURNAMENT_ROLES.items():
        for playing in (pairs, teams, district):
            session.add(Grant(person_id=persons[name], role=role, tournament_id=playing.tournament_id))
    session.add(Presence(tournament_id=pairs.tournament_id, person_id=persons["Margareta Sundhed"], registered_at=now))
    password_hash = people.hashed_password(PASSWORD)
    for name in (*FEDERATION_ROLES, *TOURNAMENT_ROLES):
        session.add(Account(person_id=persons[name], username=address(name), password_hash=password_hash))
    session.flush()
    return Federation(persons, pairs, teams, district)


def _member(session: Session, name: str, number: int) -> UUID:
    given, _, family = name.partition(" ")
    person = Person(
        member_number=str(41_000 + 7 * number),
        given_name=given,
        family_name=family,
        club=_club(name, number),
        district="Mellersta distriktet",
        language="en" if name == ABROAD else "sv",
    )
    session.add(person)
    session.add(
        Contact(
            person_id=person.id,
            email="" if name in WITHOUT_MAIL else address(name),
            phone=f"08-465 004 {number:02}",
            street=f"Rutervägen {number + 1}",
            postal_code=f"123 {number + 10}",
            city="Lindvalla",
        )
    )
    return person.id


def _club(name: str, number: int) -> str:
    if name in OFFICIALS and name != CLUBMATE:
        return OFFICIAL_CLUBS[number % len(OFFICIAL_CLUBS)]
    return CLUBS[number // 2 % len(CLUBS)]


def address(name: str) -> str:
    """The invented mail address, which is an official's user name too."""
    plain = name.lower().translate(str.maketrans("åäöé ", "aaoe."))
    return f"{plain}@spelare.example"


def _tournament(
    session: Session, name: str, place: str, *, form: Form, starts_at: datetime, route: AppealRoute
) -> Playing:
    day = starts_at.astimezone(LOCAL).date()
    profile = profile_on(day)
    if route is AppealRoute.JURY_LATER:
        profile = profile.with_overrides({"appeal_window": Span(48, Unit.hours)}, valid_from=day)
    tournament = Tournament(
        name=name,
        organiser="Mellersta distriktet",
        place=place,
        form=form,
        scoring="IMP" if form is Form.TEAMS else "MP",
        starts_on=day,
        ends_on=day,
        appeal_route=route,
        profile=profile.to_json(),
    )
    playing = PlayingSession(
        tournament_id=tournament.id,
        name="Match 4" if form is Form.TEAMS else "Session 2",
        starts_at=starts_at,
        ends_at=datetime.combine(day, time(23, 0), LOCAL),
    )
    session.add_all([tournament, playing])
    return Playing(tournament.id, playing.id, starts_at)


def _in_pairs(players: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(players[::2], players[1::2], strict=False))


def _enter(session: Session, playing: Playing, pairs: Sequence[tuple[str, str]], persons: Mapping[str, UUID]) -> None:
    for number, pair in enumerate(pairs, start=1):
        entry = Entry(tournament_id=playing.tournament_id, number=number)
        session.add(entry)
        session.add_all([EntryMember(entry_id=entry.id, person_id=persons[name]) for name in pair])


def _enter_teams(session: Session, playing: Playing, players: Sequence[str], persons: Mapping[str, UUID]) -> None:
    """Teams of four: the first is the captain."""
    for number, start in enumerate(range(0, 40, 4), start=1):
        entry = Entry(
            tournament_id=playing.tournament_id, number=number, name=f"Lag {CLUBS[(number - 1) % 6]} {number}"
        )
        session.add(entry)
        members = players[start : start + 4]
        session.add_all(
            [EntryMember(entry_id=entry.id, person_id=persons[name], captain=name == members[0]) for name in members]
        )

"""What the tournament's pages show: sessions, staff, LK, the profile."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, func, select

from casework.domain.access import TOURNAMENT_STAFF, Actor
from casework.domain.labels import label
from casework.domain.models import Grant, Incident, Person, Presence, Tournament
from casework.domain.models import Session as PlayingSession
from casework.domain.rules.procedure import ProcedureProfile, Setting, setting_label
from casework.domain.terms import Role
from casework.services import tournaments
from casework.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """A session with its publication, and how many rulings wait for it or run from it."""

    id: UUID
    name: str
    starts_at: datetime
    published_at: datetime | None
    rulings: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """A tournament as its staff sees it. `settings`: name, value, source of every value of its procedure."""

    tournament: Tournament
    sessions: Sequence[SessionRow]
    staff: Sequence[tuple[Text, str]]
    present: Sequence[Person]
    absent: Sequence[Person]
    settings: Sequence[tuple[Text, Setting]]


def run_tournaments(session: Session, actor: Actor) -> list[Tournament]:
    """The tournaments that the actor runs, the newest first; all of them for the office."""
    query = select(Tournament).order_by(col(Tournament.starts_on).desc(), col(Tournament.name))
    if not actor.holds(Role.OFFICE):
        query = query.where(
            col(Tournament.id).in_([place for role, place in actor.roles if role in _RUNNING and place])
        )
    return list(session.exec(query))


_RUNNING = TOURNAMENT_STAFF


def overview(session: Session, tournament_id: UUID, actor: Actor) -> Overview:
    """A tournament that the actor runs. Raises Missing where he does not."""
    tournament = tournaments.run_by(session, tournament_id, actor)
    present = set(session.exec(select(Presence.person_id).where(Presence.tournament_id == tournament_id)))
    members = tournaments.law_commission(session)
    profile = ProcedureProfile.from_json(tournament.profile)
    return Overview(
        tournament=tournament,
        sessions=_sessions(session, tournament_id),
        staff=_staff(session, tournament_id),
        present=[person for person in members if person.id in present],
        absent=[person for person in members if person.id not in present],
        settings=[(setting_label(name), setting) for name, setting in profile.settings()],
    )


def _sessions(session: Session, tournament_id: UUID) -> list[SessionRow]:
    rows = session.exec(
        select(PlayingSession, func.count(col(Incident.id)))
        .outerjoin(Incident, col(Incident.session_id) == col(PlayingSession.id))
        .where(PlayingSession.tournament_id == tournament_id)
        .group_by(col(PlayingSession.id))
        .order_by(col(PlayingSession.starts_at))
    )
    return [
        SessionRow(id=row.id, name=row.name, starts_at=row.starts_at, published_at=row.published_at, rulings=count)
        for row, count in rows
    ]


def _staff(session: Session, tournament_id: UUID) -> list[tuple[Text, str]]:
    rows = session.exec(
        select(Grant, Person)
        .join(Person, col(Person.id) == col(Grant.person_id))
        .where(Grant.tournament_id == tournament_id)
        .order_by(col(Person.family_name), col(Person.given_name))
    ).all()
    order = list(Role)
    return [
        (label(grant.role), person.name) for grant, person in sorted(rows, key=lambda row: order.index(row[0].role))
    ]


def directors_of(session: Session, tournament_id: UUID) -> list[Person]:
    """Who may rule at a tournament, by name."""
    query = (
        select(Person)
        .join(Grant, col(Grant.person_id) == col(Person.id))
        .where(
            col(Grant.role).in_([Role.DIRECTOR, Role.CHIEF_DIRECTOR, Role.ASSISTANT_DIRECTOR]),
            (col(Grant.tournament_id) == tournament_id) | col(Grant.tournament_id).is_(None),
        )
        .order_by(col(Person.family_name), col(Person.given_name))
        .distinct()
    )
    return list(session.exec(query))

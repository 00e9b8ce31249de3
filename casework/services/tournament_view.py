"""What the tournament's pages show: sessions, the times that run from their official scores, staff, LK, the profile."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, func, select

from casework.domain.access import TOURNAMENT_STAFF, Actor
from casework.domain.labels import contestant, label
from casework.domain.models import (
    Case,
    Deadline,
    Grant,
    Incident,
    Notice,
    Party,
    Person,
    Presence,
    Proceeding,
    Tournament,
)
from casework.domain.models import Session as PlayingSession
from casework.domain.rules.procedure import ProcedureProfile, Setting, setting_label
from casework.domain.terms import DeadlineEnd, DeadlineKind, NoticeKind, ProceedingKind, Role
from casework.domain.workflow.bases import not_before
from casework.services import tournaments
from casework.services.reckoning import instant_from, shortens
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """One party's time to appeal one ruling, as it is or as it would be; `until` is None while nothing has started."""

    case_id: UUID
    number: str
    party_id: UUID
    party: Text
    told_at: datetime | None
    until: datetime | None
    closed: bool
    ended: bool
    """Whether an appeal, a decision or a new time has taken its place."""
    kept: bool = False
    """Whether an earlier publication would have ended it earlier: it stands, as the side has been told it."""
    halted: bool = False


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


def windows(session: Session, session_id: UUID, now: datetime, *, published_at: datetime | None = None) -> list[Window]:
    """Every party's time to appeal the rulings of a session; with `published_at` as it would be if that were recorded.

    Three queries, however many rulings there are.
    """
    rows = session.exec(
        select(Deadline, Party, Case, Tournament)
        .join(Party, col(Party.id) == col(Deadline.party_id))
        .join(Case, col(Case.id) == col(Deadline.case_id))
        .join(Incident, col(Incident.id) == col(Case.incident_id))
        .join(Tournament, col(Tournament.id) == col(Incident.tournament_id))
        .join(Proceeding, col(Proceeding.id) == col(Deadline.proceeding_id))
        .where(
            Incident.session_id == session_id,
            Deadline.kind == DeadlineKind.APPEAL_WINDOW,
            Proceeding.kind == ProceedingKind.RULING,
            (col(Deadline.ended) != DeadlineEnd.MOVED) | col(Deadline.ended).is_(None),
        )
        .order_by(col(Case.number), col(Party.side).desc(), col(Party.number))
    ).all()
    told = _first_told(session, [party.id for _, party, _, _ in rows])
    found = []
    for deadline, party, case, tournament in rows:
        told_at = told.get(party.id)
        until = _until(deadline, told_at, published_at)
        found.append(
            Window(
                case_id=case.id,
                number=case.number,
                party_id=party.id,
                party=contestant(tournament.form, party.number, party.name),
                told_at=told_at,
                until=until,
                closed=until is not None and until <= now,
                ended=deadline.ended in _GONE_ON,
                kept=_keeps(deadline, told_at, published_at, now),
                halted=deadline.halted_at is not None,
            )
        )
    return found


def _first_told(session: Session, parties: Sequence[UUID]) -> dict[UUID, datetime]:
    rows = session.exec(
        select(Notice.party_id, Notice.proven_at).where(
            col(Notice.party_id).in_(parties), Notice.kind == NoticeKind.RULING, col(Notice.proven_at).is_not(None)
        )
    )
    first: dict[UUID, datetime] = {}
    for party, at in rows:
        if party is not None and at is not None:
            first[party] = min(at, first.get(party, at))
    return first


def _until(deadline: Deadline, told_at: datetime | None, published_at: datetime | None) -> datetime | None:
    """As the engine would move it: from the later of score and proof, and never to an earlier start."""
    if published_at is None or told_at is None or deadline.halted_at is not None or deadline.ended in _GONE_ON:
        return deadline.instant
    base = not_before(deadline.told_base, max(told_at, published_at))
    moves = deadline.base is None or base > deadline.base
    return instant_from(deadline, base, deadline.instant) if moves else deadline.instant


def _keeps(deadline: Deadline, told_at: datetime | None, published_at: datetime | None, now: datetime) -> bool:
    if published_at is None or told_at is None or deadline.base is None or deadline.ended is not None:
        return False
    base = not_before(deadline.told_base, max(told_at, published_at))
    return base < deadline.base and shortens(deadline, instant_from(deadline, base, None), now)


_GONE_ON = (DeadlineEnd.VOID, DeadlineEnd.MET)

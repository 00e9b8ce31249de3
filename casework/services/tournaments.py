"""What organisers record about a tournament: when the official score was published, and who of LK is present."""

from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.domain.access import Actor
from casework.domain.errors import Invalid, Missing, NotAllowed
from casework.domain.models import Case, Grant, Incident, Person, Presence, Proceeding, Tournament
from casework.domain.models import Session as PlayingSession
from casework.domain.terms import ActionName, ProceedingKind, Role, State
from casework.services.engine import take
from casework.services.step import acting_person
from casework.text import t

_MAY_RECORD = (Role.DIRECTOR, Role.CHIEF_DIRECTOR, Role.ASSISTANT_DIRECTOR, Role.ORGANISER, Role.OFFICE)


def playing_session(session: Session, session_id: UUID, actor: Actor) -> PlayingSession:
    """A session of a tournament that the actor runs; Missing where he does not."""
    row = session.get(PlayingSession, session_id)
    if row is None or not actor.holds(*_MAY_RECORD, at=row.tournament_id):
        raise Missing
    return row


def record_publication(
    session: Session, session_id: UUID, actor: Actor, *, published_at: datetime, now: datetime
) -> int:
    """Record when the official score of a session was made available: every window that waited for it starts.

    Returns how many rulings it concerned.

    Raises:
        Invalid: the instant lies in the future or before the session began.
    """
    row = playing_session(session, session_id, actor)
    if published_at > now:
        raise Invalid({"published_at": t("The score cannot have been made available in the future.")})
    if published_at < row.starts_at:
        raise Invalid({"published_at": t("The score cannot have been made available before the session began.")})
    row.published_at, row.publication_recorded_at = published_at, now
    row.publication_recorded_by = acting_person(actor)
    session.add(row)
    session.flush()
    ids = _rulings(session, session_id)
    for proceeding_id in ids:
        data = {"published_at": published_at, "happened_at": published_at}
        take(session, proceeding_id, ActionName.RECORD_PUBLICATION, actor, now=now, data=data)
    return len(ids)


def _rulings(session: Session, session_id: UUID) -> list[UUID]:
    query = (
        select(col(Proceeding.id))
        .join(Case, col(Case.id) == col(Proceeding.case_id))
        .join(Incident, col(Incident.id) == col(Case.incident_id))
        .where(
            Incident.session_id == session_id,
            Proceeding.kind == ProceedingKind.RULING,
            col(Proceeding.state).in_([State.GIVEN, State.APPEALED]),
        )
        .order_by(col(Proceeding.opened_at))
    )
    return list(session.exec(query))


def register_presence(session: Session, tournament_id: UUID, person_id: UUID, actor: Actor, *, now: datetime) -> None:
    """Register an LK member as present, so that he is called to every hearing of the jury (R18).

    Raises:
        Missing: no such tournament, or not the actor's.
        NotAllowed: the person is no member of LK.
    """
    if session.get(Tournament, tournament_id) is None or not actor.holds(*_MAY_RECORD, at=tournament_id):
        raise Missing
    member = select(Grant).where(
        Grant.person_id == person_id, col(Grant.role).in_([Role.LK_CHAIR, Role.LK_MEMBER, Role.LK_RESERVE])
    )
    if session.exec(member).first() is None:
        raise NotAllowed(t("Only members of the Law Commission are registered here."))
    known = select(Presence).where(Presence.tournament_id == tournament_id, Presence.person_id == person_id)
    if session.exec(known).first() is None:
        session.add(Presence(tournament_id=tournament_id, person_id=person_id, registered_at=now))


def law_commission(session: Session) -> list[Person]:
    """Members and reserves of LK by name."""
    query = (
        select(Person)
        .join(Grant, col(Grant.person_id) == col(Person.id))
        .where(col(Grant.role).in_([Role.LK_CHAIR, Role.LK_MEMBER, Role.LK_RESERVE]))
        .order_by(col(Person.family_name), col(Person.given_name))
        .distinct()
    )
    return list(session.exec(query))

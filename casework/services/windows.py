"""The times to appeal that run from a session's official score: as they are, and as another score would make them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.domain.labels import contestant
from casework.domain.minutes import has_run
from casework.domain.models import Case, Deadline, Incident, Notice, Party, Proceeding, Tournament
from casework.domain.terms import DeadlineEnd, DeadlineKind, NoticeKind, ProceedingKind, State
from casework.domain.workflow.bases import not_before
from casework.services.reckoning import instant_from, shortens
from casework.text import Text


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
                closed=has_run(until, now),
                ended=deadline.ended in _GONE_ON,
                kept=_keeps(deadline, told_at, published_at, now),
                halted=deadline.halted_at is not None,
            )
        )
    return found


def rulings_of(session: Session, session_id: UUID) -> list[UUID]:
    """The proceedings of the rulings of a session that a publication concerns, the oldest first."""
    query = (
        select(col(Proceeding.id))
        .join(Case, col(Case.id) == col(Proceeding.case_id))
        .join(Incident, col(Incident.id) == col(Case.incident_id))
        .where(
            Incident.session_id == session_id,
            Proceeding.kind == ProceedingKind.RULING,
            col(Proceeding.state).in_([State.GIVEN, State.APPEALED, State.FINAL]),
        )
        .order_by(col(Proceeding.opened_at))
    )
    return list(session.exec(query))


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

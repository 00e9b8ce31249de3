"""Loading a case with a fixed number of queries, however many parties, events and documents it has."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import String, Uuid, and_, bindparam, literal, or_, type_coerce, union_all
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from casework.domain.errors import Missing
from casework.domain.models import (
    Appeal,
    Attendance,
    Ballot,
    Case,
    Concurrence,
    Contact,
    Deadline,
    Decision,
    Demand,
    FormReceipt,
    Grant,
    Incident,
    Link,
    Notice,
    Panel,
    Party,
    PartyMember,
    Person,
    Presence,
    Proceeding,
    Seat,
    Statement,
    Tournament,
    Vote,
)
from casework.domain.models import Session as PlayingSession
from casework.domain.models.base import Row
from casework.domain.terms import LinkPurpose, NoticeKind, ProceedingKind

T = TypeVar("T", bound=Row)

_PRESENT = "present"


# The queries are built once: building them takes as long as asking them.
_THIS: Any = bindparam("case", type_=Uuid)
_CASE: Any = (
    select(Case, Incident, Tournament, PlayingSession, FormReceipt, Proceeding, Decision)  # type: ignore[call-overload]  # seven: typed are four
    .join(Incident, col(Incident.id) == col(Case.incident_id))
    .join(Tournament, col(Tournament.id) == col(Incident.tournament_id))
    .join(PlayingSession, col(PlayingSession.id) == col(Incident.session_id))
    .join(Proceeding, col(Proceeding.case_id) == col(Case.id))
    .outerjoin(FormReceipt, col(FormReceipt.id) == bindparam("form", type_=Uuid))
    .outerjoin(
        Decision,
        and_(col(Decision.proceeding_id) == col(Proceeding.id), col(Decision.replaced_by_id).is_(None)),
    )
    .where(
        col(Case.id)
        == select(col(Proceeding.case_id))
        .where(col(Proceeding.id) == bindparam("proceeding", type_=Uuid))
        .scalar_subquery()
    )
    .order_by(col(Proceeding.opened_at))
)
_LOCK: Any = (
    select(col(Case.id))
    .where(
        col(Case.id)
        == select(col(Proceeding.case_id))
        .where(col(Proceeding.id) == bindparam("proceeding", type_=Uuid))
        .scalar_subquery()
    )
    .with_for_update()
)
_PARTIES: Any = (
    select(Party, PartyMember, Person, Contact, Link)  # type: ignore[call-overload]  # five: typed are four
    .join(PartyMember, col(PartyMember.party_id) == col(Party.id))
    .join(Person, col(Person.id) == col(PartyMember.person_id))
    .outerjoin(Contact, col(Contact.person_id) == col(Person.id))
    .outerjoin(
        Link,
        and_(
            col(Link.person_id) == col(Person.id),
            col(Link.party_id) == col(Party.id),
            col(Link.purpose) == LinkPurpose.PARTY,
        ),
    )
    .where(col(Party.case_id) == _THIS)
    .order_by(col(Party.side).desc(), col(Party.number), col(Person.family_name), col(Person.given_name))
)
_APPEALS: Any = (
    select(Appeal, Concurrence)
    .outerjoin(Concurrence, col(Concurrence.appeal_id) == col(Appeal.id))
    .where(col(Appeal.case_id) == _THIS)
    .order_by(col(Appeal.lodged_at))
)
_STATEMENTS: Any = select(Statement).where(col(Statement.case_id) == _THIS).order_by(col(Statement.received_at))
_PANELS: Any = (
    select(Panel, Seat, Ballot, Vote, Attendance)  # type: ignore[call-overload]  # five: typed are four
    .join(Proceeding, col(Proceeding.id) == col(Panel.proceeding_id))
    .outerjoin(Seat, col(Seat.panel_id) == col(Panel.id))
    .outerjoin(Ballot, col(Ballot.panel_id) == col(Panel.id))
    .outerjoin(Vote, and_(col(Vote.seat_id) == col(Seat.id), col(Vote.ballot_id) == col(Ballot.id)))
    .outerjoin(Attendance, col(Attendance.panel_id) == col(Panel.id))
    .where(col(Proceeding.case_id) == _THIS)
    .order_by(col(Seat.seated_at))
)
_DEADLINES: Any = (
    select(Deadline, Demand)
    .outerjoin(Demand, col(Demand.id) == col(Deadline.demand_id))
    .where(col(Deadline.case_id) == _THIS)
    .order_by(col(Deadline.opened_at))
)
_PROOFS: Any = (
    select(Notice)
    .where(
        col(Notice.case_id) == _THIS,
        col(Notice.proven_at).is_not(None),
        or_(
            col(Notice.kind).in_((NoticeKind.RULING, NoticeKind.DECISION, NoticeKind.SUMMONS)),
            col(Notice.demand_id).is_not(None),
        ),
    )
    .options(defer(Notice.mime))  # type: ignore[arg-type]  # a column
)
_HERE: Any = bindparam("tournament", type_=Uuid)
_STAFF: Any = union_all(
    select(
        col(Grant.person_id).label("person"),
        type_coerce(col(Grant.role), String).label("held"),
        and_(col(Contact.street) != "", col(Contact.phone) != "").label("reachable"),
    )
    .outerjoin(Contact, col(Contact.person_id) == col(Grant.person_id))
    .where(or_(col(Grant.tournament_id).is_(None), col(Grant.tournament_id) == _HERE)),
    select(
        col(Presence.person_id).label("person"),
        literal(_PRESENT).label("held"),
        literal(True).label("reachable"),
    ).where(col(Presence.tournament_id) == _HERE),
)


@dataclass(frozen=True, slots=True)
class Untold:
    """A decision that somebody may not know of: of which proceeding, which tried the decision of `parent_id`."""

    decision_id: UUID
    proceeding_id: UUID
    parent_id: UUID | None
    case_id: UUID
    at: datetime
    """When it was signed: what has followed of it since is not known either."""


@dataclass
class Loaded:
    """The rows of a case around one proceeding; `services.snapshot` turns them into facts."""

    case: Case
    incident: Incident
    tournament: Tournament
    playing_session: PlayingSession
    proceeding: Proceeding
    proceedings: list[Proceeding] = field(default_factory=list)
    decisions: dict[UUID, Decision] = field(default_factory=dict)
    """Proceeding → its decision in force."""
    parties: list[Party] = field(default_factory=list)
    members: list[PartyMember] = field(default_factory=list)
    persons: dict[UUID, Person] = field(default_factory=dict)
    contacts: dict[UUID, Contact] = field(default_factory=dict)
    links: dict[tuple[UUID, UUID | None], Link] = field(default_factory=dict)
    """(person, party) → the link mailed to that member."""
    appeals: list[Appeal] = field(default_factory=list)
    concurrences: list[Concurrence] = field(default_factory=list)
    demands: list[Demand] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    panels: list[Panel] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    attendances: list[Attendance] = field(default_factory=list)
    ballots: list[Ballot] = field(default_factory=list)
    votes: list[Vote] = field(default_factory=list)
    deadlines: list[Deadline] = field(default_factory=list)
    proofs: list[Notice] = field(default_factory=list)
    staff: set[tuple[UUID, str]] = field(default_factory=set)
    present: set[UUID] = field(default_factory=set)
    unreachable_staff: set[UUID] = field(default_factory=set)
    receipt: FormReceipt | None = None
    confirmed: bool = False
    """Whether what the form's check page showed has been compared with what stands here: see `engine.confirmed`."""
    untold: tuple[Untold, ...] = ()
    """What its reader is not to know of yet: the rest is as it was before (`services.untold`)."""

    @cached_property
    def party_of_member(self) -> dict[UUID, list[PartyMember]]:
        """Party → its members."""
        return {party.id: [m for m in self.members if m.party_id == party.id] for party in self.parties}

    @property
    def root(self) -> Proceeding:
        """The director's proceeding: the first one."""
        return next(p for p in self.proceedings if p.kind is ProceedingKind.RULING)

    def decision(self, proceeding_id: UUID | None = None) -> Decision | None:
        """The decision in force of a proceeding (this one's if not named)."""
        return self.decisions.get(proceeding_id or self.proceeding.id)


def load(session: Session, proceeding_id: UUID, *, lock: bool = False, form_id: UUID | None = None) -> Loaded:
    """Load a case around a proceeding. With `lock` nobody else can act in the case until the transaction ends.

    Raises:
        Missing: there is no such proceeding.
    """
    if lock:
        lock_case(session, proceeding_id)
    loaded = _load_case(session, proceeding_id, form_id=form_id)
    _load_parties(session, loaded)
    _load_appeals(session, loaded)
    if loaded.proceeding.kind is ProceedingKind.APPEAL:
        _load_statements(session, loaded)
        _load_panels(session, loaded)
    _load_times(session, loaded)
    load_staff(session, loaded)
    return loaded


def lock_case(session: Session, proceeding_id: UUID) -> None:
    """Wait for whoever acts in the case, and forget what was read of it before his step.

    PostgreSQL takes the rows that a locking query joins as they were when it began to wait, so the lock has a query of
    its own. A write unit on SQLite has waited at its beginning.
    """
    if session.get_bind().dialect.name != "sqlite":
        session.exec(_LOCK, params={"proceeding": proceeding_id}).all()
        session.flush()  # what this unit has changed stays
        session.expire_all()


def _load_case(session: Session, proceeding_id: UUID, *, form_id: UUID | None) -> Loaded:
    rows = session.exec(_CASE, params={"proceeding": proceeding_id, "form": form_id}).all()
    if not rows:
        raise Missing
    case, incident, tournament, playing_session, receipt, _, _ = rows[0]
    proceedings = [row[5] for row in rows]
    return Loaded(
        case=case,
        incident=incident,
        tournament=tournament,
        playing_session=playing_session,
        proceeding=next(p for p in proceedings if p.id == proceeding_id),
        proceedings=proceedings,
        decisions={row[5].id: row[6] for row in rows if row[6] is not None},
        receipt=receipt,
    )


def _load_parties(session: Session, loaded: Loaded) -> None:
    for party, member, person, contact, link in session.exec(_PARTIES, params=_of(loaded)):
        if party not in loaded.parties:
            loaded.parties.append(party)
        loaded.members.append(member)
        loaded.persons[person.id] = person
        if contact is not None:
            loaded.contacts[person.id] = contact
        if link is not None:
            loaded.links[person.id, party.id] = link


def _load_appeals(session: Session, loaded: Loaded) -> None:
    rows = session.exec(_APPEALS, params=_of(loaded)).all()
    loaded.appeals = _distinct(appeal for appeal, _ in rows)
    loaded.concurrences = [concurrence for _, concurrence in rows if concurrence is not None]


def _load_statements(session: Session, loaded: Loaded) -> None:
    loaded.statements = [row for row in session.exec(_STATEMENTS, params=_of(loaded)) if not row.is_draft]


def _load_panels(session: Session, loaded: Loaded) -> None:
    rows = session.exec(_PANELS, params=_of(loaded)).all()
    loaded.panels, loaded.seats, loaded.ballots, loaded.votes, loaded.attendances = (
        _distinct(row[column] for row in rows if row[column] is not None) for column in range(5)
    )


def _load_times(session: Session, loaded: Loaded) -> None:
    """Deadlines with the demands they belong to: every demand has one."""
    rows = session.exec(_DEADLINES, params=_of(loaded)).all()
    loaded.deadlines = _distinct(deadline for deadline, _ in rows)
    loaded.demands = _distinct(demand for _, demand in rows if demand is not None)
    loaded.proofs = list(session.exec(_PROOFS, params=_of(loaded)))


def load_staff(session: Session, loaded: Loaded) -> None:
    """Who holds a role at the tournament or in the federation, and who of LK is present."""
    for person, held, reachable in session.execute(_STAFF, {"tournament": loaded.tournament.id}):
        if held == _PRESENT:
            loaded.present.add(person)
            continue
        loaded.staff.add((person, held))
        if not reachable:
            loaded.unreachable_staff.add(person)


def _of(loaded: Loaded) -> dict[str, UUID]:
    return {"case": loaded.case.id}


def _distinct(rows: Iterable[T]) -> list[T]:
    return list({row.id: row for row in rows}.values())

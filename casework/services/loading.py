"""Loading a case with a fixed number of queries, however many parties, events and documents it has."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar
from uuid import UUID

from sqlalchemy import String, and_, literal, or_, type_coerce, union_all
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
    loaded = _load_case(session, proceeding_id, lock=lock, form_id=form_id)
    _load_parties(session, loaded)
    _load_appeals(session, loaded)
    if loaded.proceeding.kind is ProceedingKind.APPEAL:
        _load_papers(session, loaded)
        _load_panels(session, loaded)
    _load_times(session, loaded)
    load_staff(session, loaded)
    return loaded


def _load_case(session: Session, proceeding_id: UUID, *, lock: bool, form_id: UUID | None) -> Loaded:
    mine = select(col(Proceeding.case_id)).where(col(Proceeding.id) == proceeding_id).scalar_subquery()
    query = (
        select(Case, Incident, Tournament, PlayingSession, FormReceipt)
        .join(Incident, col(Incident.id) == col(Case.incident_id))
        .join(Tournament, col(Tournament.id) == col(Incident.tournament_id))
        .join(PlayingSession, col(PlayingSession.id) == col(Incident.session_id))
        .outerjoin(FormReceipt, col(FormReceipt.id) == form_id)
        .where(col(Case.id) == mine)
    )
    if lock:
        query = query.with_for_update(of=Case)
    row = session.exec(query.execution_options(populate_existing=lock)).first()
    if row is None:
        raise Missing
    case, incident, tournament, playing_session, receipt = row
    pairs = session.exec(
        select(Proceeding, Decision)
        .outerjoin(
            Decision,
            and_(col(Decision.proceeding_id) == col(Proceeding.id), col(Decision.replaced_by_id).is_(None)),
        )
        .where(Proceeding.case_id == case.id)
        .order_by(col(Proceeding.opened_at))
        .execution_options(populate_existing=lock)
    ).all()
    proceedings = [proceeding for proceeding, _ in pairs]
    return Loaded(
        case=case,
        incident=incident,
        tournament=tournament,
        playing_session=playing_session,
        proceeding=next(p for p in proceedings if p.id == proceeding_id),
        proceedings=proceedings,
        decisions={p.id: decision for p, decision in pairs if decision is not None},
        receipt=receipt,
    )


def _load_parties(session: Session, loaded: Loaded) -> None:
    rows = session.exec(
        select(Party, PartyMember, Person, Contact, Link)  # type: ignore[call-overload]  # five is one more than typed
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
        .where(Party.case_id == loaded.case.id)
        .order_by(col(Party.side).desc(), col(Person.family_name), col(Person.given_name))
    ).all()
    for party, member, person, contact, link in rows:
        if party not in loaded.parties:
            loaded.parties.append(party)
        loaded.members.append(member)
        loaded.persons[person.id] = person
        if contact is not None:
            loaded.contacts[person.id] = contact
        if link is not None:
            loaded.links[person.id, party.id] = link


def _load_appeals(session: Session, loaded: Loaded) -> None:
    rows = session.exec(
        select(Appeal, Concurrence)
        .outerjoin(Concurrence, col(Concurrence.appeal_id) == col(Appeal.id))
        .where(Appeal.case_id == loaded.case.id)
        .order_by(col(Appeal.lodged_at))
    ).all()
    loaded.appeals = _distinct(appeal for appeal, _ in rows)
    loaded.concurrences = [concurrence for _, concurrence in rows if concurrence is not None]


def _load_papers(session: Session, loaded: Loaded) -> None:
    case_id = loaded.case.id
    demands = select(Demand).where(Demand.case_id == case_id).order_by(col(Demand.asked_at))
    statements = select(Statement).where(Statement.case_id == case_id).order_by(col(Statement.received_at))
    loaded.demands = list(session.exec(demands))
    loaded.statements = list(session.exec(statements))


def _load_panels(session: Session, loaded: Loaded) -> None:
    rows = session.exec(
        select(Panel, Seat, Ballot, Vote)
        .join(Proceeding, col(Proceeding.id) == col(Panel.proceeding_id))
        .outerjoin(Seat, col(Seat.panel_id) == col(Panel.id))
        .outerjoin(Ballot, col(Ballot.panel_id) == col(Panel.id))
        .outerjoin(Vote, and_(col(Vote.seat_id) == col(Seat.id), col(Vote.ballot_id) == col(Ballot.id)))
        .where(Proceeding.case_id == loaded.case.id)
        .order_by(col(Seat.seated_at))
    ).all()
    loaded.panels = _distinct(panel for panel, _, _, _ in rows)
    loaded.seats = _distinct(seat for _, seat, _, _ in rows if seat is not None)
    loaded.ballots = _distinct(ballot for _, _, ballot, _ in rows if ballot is not None)
    loaded.votes = [vote for _, _, _, vote in rows if vote is not None]
    loaded.attendances = list(
        session.exec(
            select(Attendance)
            .join(Panel, col(Panel.id) == col(Attendance.panel_id))
            .join(Proceeding, col(Proceeding.id) == col(Panel.proceeding_id))
            .where(Proceeding.case_id == loaded.case.id)
        )
    )


def _load_times(session: Session, loaded: Loaded) -> None:
    loaded.deadlines = list(
        session.exec(select(Deadline).where(Deadline.case_id == loaded.case.id).order_by(col(Deadline.opened_at)))
    )
    telling = (NoticeKind.RULING, NoticeKind.DECISION, NoticeKind.SUMMONS)
    loaded.proofs = list(
        session.exec(
            select(Notice).where(
                Notice.case_id == loaded.case.id,
                col(Notice.proven_at).is_not(None),
                or_(col(Notice.kind).in_(telling), col(Notice.demand_id).is_not(None)),
            )
        )
    )


def load_staff(session: Session, loaded: Loaded) -> None:
    reachable = and_(col(Contact.street) != "", col(Contact.phone) != "")
    granted = (
        select(
            col(Grant.person_id).label("person"),
            type_coerce(col(Grant.role), String).label("held"),
            reachable.label("reachable"),
        )
        .outerjoin(Contact, col(Contact.person_id) == col(Grant.person_id))
        .where(or_(col(Grant.tournament_id).is_(None), col(Grant.tournament_id) == loaded.tournament.id))
    )
    present = select(
        col(Presence.person_id).label("person"),
        literal(_PRESENT).label("held"),
        literal(True).label("reachable"),  # noqa: FBT003  # a column's value
    ).where(Presence.tournament_id == loaded.tournament.id)
    for person, held, reachable_on_paper in session.execute(union_all(granted, present)):
        if held == _PRESENT:
            loaded.present.add(person)
            continue
        loaded.staff.add((person, held))
        if not reachable_on_paper:
            loaded.unreachable_staff.add(person)


def _distinct(rows: Iterable[T]) -> list[T]:
    return list({row.id: row for row in rows}.values())

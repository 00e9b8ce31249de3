"""Where cases stand: for one case or a thousand with the same number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.orm import defer
from sqlmodel import Session, col, or_, select

from casework.domain.access import Actor
from casework.domain.labels import contestant
from casework.domain.minutes import has_run
from casework.domain.models import (
    Ballot,
    Case,
    Deadline,
    Decision,
    Demand,
    Grant,
    Incident,
    Notice,
    Panel,
    Party,
    PartyMember,
    Person,
    Proceeding,
    Seat,
    Statement,
    Tournament,
    Vote,
)
from casework.domain.models import Session as PlayingSession
from casework.domain.terms import (
    UNANSWERED,
    Body,
    ConflictState,
    DeadlineKind,
    ProceedingKind,
    Role,
    SeatRole,
    Side,
    State,
    StatementKind,
)
from casework.domain.workflow import PROCEDURES
from casework.services import concurrence, untold
from casework.services.waiting import Named, Scene, Waiting, waiting
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """A party of a case, with its members by name."""

    id: UUID
    side: Side
    label: Text
    members: tuple[Named, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A deadline of the proceeding that has not ended; no instant while its start event has not happened."""

    kind: DeadlineKind
    party_id: UUID | None
    instant: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A case as a row of a list: what it is, where it stands, and whom it waits for."""

    case_id: UUID
    number: str
    title: Text
    place: tuple[str, ...]
    """Tournament and session."""
    tournament_id: UUID
    scene: Scene
    waiting: Waiting
    parties: tuple[Contestant, ...]
    running: tuple[Running, ...]
    """Those that belong to the step it waits for."""
    concurring: frozenset[UUID]
    """Whose word the appeals tried here still lack: beside whatever else the case waits for."""
    opened_at: datetime
    since: datetime
    """When it came to where it stands."""
    over: bool

    @property
    def nearest(self) -> datetime | None:
        """The first instant that something must have been done by."""
        return min((d.instant for d in self.running if d.instant is not None), default=None)

    def party_of(self, person_id: UUID | None) -> Contestant | None:
        """The party that a person belongs to."""
        return next((p for p in self.parties if any(m.id == person_id for m in p.members)), None)

    def overdue(self, now: datetime) -> bool:
        """Whether those who handle the case have let a time run out; a party's own time only ends."""
        return any(d.party_id is None and has_run(d.instant, now) for d in self.running)

    def in_anothers_place(self, actor: Actor, now: datetime) -> bool:
        """Whether the director's time has run out, so that the actor may do it instead (R24, R30)."""
        late = (d for d in self.running if d.kind in _DIRECTORS and has_run(d.instant, now))
        if not any(late) or self.party_of(actor.person_id) is not None:
            return False
        chairs = self.scene.body is not Body.JURY and actor.holds(Role.LK_CHAIR)
        return chairs or actor.holds(Role.OFFICE) or actor.holds(Role.CHIEF_DIRECTOR, at=self.tournament_id)


_DIRECTORS = frozenset({DeadlineKind.FORWARD_APPEAL, DeadlineKind.REPORT, DeadlineKind.SEND_IN})
_AWAITED: Mapping[State, frozenset[DeadlineKind]] = {
    State.GIVEN: frozenset({DeadlineKind.APPEAL_WINDOW}),
    State.DECIDED: frozenset({DeadlineKind.APPEAL_WINDOW}),
    State.LODGED: frozenset({DeadlineKind.FORWARD_APPEAL}),
    State.PREPARING: frozenset({DeadlineKind.REPORT, DeadlineKind.STATEMENT}),
    State.ANSWERING: frozenset({DeadlineKind.ANSWER}),
    State.COMPLETE: frozenset({DeadlineKind.SEND_IN}),
    State.SENT_IN: frozenset({DeadlineKind.DECISION}),
    State.REGISTERED: frozenset({DeadlineKind.DECISION}),
    State.DELIBERATING: frozenset({DeadlineKind.DECISION}),
}


def awaited(deadline: Deadline, here: Proceeding) -> bool:
    """Whether a deadline belongs to the step that the case waits for in the proceeding where it stands."""
    kinds = _AWAITED.get(here.state, frozenset())
    return deadline.ended is None and deadline.proceeding_id == here.id and deadline.kind in kinds


def current(proceedings: Iterable[Proceeding]) -> Proceeding:
    """The proceeding that a case stands in: from the director's, down through those that were not written off."""
    rows = sorted(proceedings, key=lambda p: p.opened_at)
    at = next(p for p in rows if p.kind is ProceedingKind.RULING)
    while below := [p for p in rows if p.parent_id == at.id and p.state is not State.WRITTEN_OFF]:
        at = below[-1]
    return at


def ends(proceeding: Proceeding) -> bool:
    """Whether nothing more happens by itself in the proceeding."""
    return PROCEDURES[proceeding.kind].stage(proceeding.state).ends


def title_of(kind: ProceedingKind, incident: Incident) -> Text:
    """What a case is about, "Appeal of the ruling on board 18"."""
    appealed, board, table = kind is ProceedingKind.APPEAL, incident.board, incident.table
    if board is not None and appealed:
        return t("Appeal of the ruling on board {board}", board=board)
    if board is not None:
        return t("Ruling on board {board}", board=board)
    if table and appealed:
        return t("Appeal of the ruling at table {table}", table=table)
    if table:
        return t("Ruling at table {table}", table=table)
    return t("Appeal of a ruling") if appealed else t("Ruling at the tournament")


def standings(session: Session, case_ids: Sequence[UUID], actor: Actor, now: datetime) -> list[Standing]:
    """Where these cases stand as the actor may know it, in the order asked for."""
    if not case_ids:
        return []
    rows = _Rows(session, case_ids, actor, now)
    return [rows.standing(case_id) for case_id in dict.fromkeys(case_ids) if case_id in rows.places]


@dataclass
class _Panel:
    row: Panel
    seats: list[tuple[Seat, Named]] = field(default_factory=list)
    ballot: Ballot | None = None
    """The newest."""
    voted: set[UUID] = field(default_factory=set)


class _Rows:
    """Everything that says where some cases stand."""

    def __init__(self, session: Session, case_ids: Sequence[UUID], actor: Actor, now: datetime) -> None:
        self.session = session
        self.ids = list(case_ids)
        self.kept = untold.kept_from(session, actor, now, cases=self.ids)
        self.places = self._places()
        self.proceedings: dict[UUID, list[Proceeding]] = defaultdict(list)
        self.directors: dict[UUID, Named] = {}
        self._read_proceedings()
        self.parties = self._parties()
        self.running = self._running()
        self.demands = self._grouped(Demand)
        self.reported = set(
            session.exec(
                select(col(Statement.proceeding_id)).where(
                    col(Statement.case_id).in_(self.ids), Statement.kind == StatementKind.REPORT
                )
            )
        )
        self.panels = self._panels()
        self.staff = self._staff()
        self.decisions = self._decisions()
        self.withheld = untold.withheld(session, self.ids, now)
        self.lacking = concurrence.lacking(session, self.ids)
        self.told = set(
            session.exec(
                select(col(Notice.decision_id), col(Notice.person_id)).where(
                    col(Notice.case_id).in_(self.ids),
                    col(Notice.decision_id).is_not(None),
                    col(Notice.proven_at).is_not(None),
                )
            )
        )

    def standing(self, case_id: UUID) -> Standing:
        case, incident, tournament, playing = self.places[case_id]
        here = current(self.proceedings[case_id])
        scene = self._scene(case_id, here, tournament, playing)
        return Standing(
            case_id=case_id,
            number=case.number,
            title=title_of(here.kind, incident),
            place=(tournament.name, playing.name),
            tournament_id=tournament.id,
            scene=scene,
            waiting=waiting(scene),
            parties=tuple(self.parties[case_id]),
            concurring=frozenset() if here.id in self.decisions else self.lacking[here.id],
            running=tuple(
                Running(kind=d.kind, party_id=d.party_id, instant=d.instant)
                for d in self.running[case_id]
                if awaited(d, here)
            ),
            opened_at=case.opened_at,
            since=self._since(case_id, here),
            over=ends(here),
        )

    def _scene(self, case_id: UUID, here: Proceeding, tournament: Tournament, playing: PlayingSession) -> Scene:
        panel = self.panels.get(here.id)
        deciding = [(seat, name) for seat, name in panel.seats if seat.deciding] if panel else []
        demands = [d for d in self.demands[case_id] if d.proceeding_id == here.id]
        asked = {d.party_id for d in demands if d.ended is None}
        return Scene(
            kind=here.kind,
            body=here.body,
            state=here.state,
            director=self.directors.get(here.id),
            postponed_for=here.waits_for,
            organisers=tuple(self._holding(tournament.id, Role.ORGANISER)),
            office=tuple(self._holding(None, Role.OFFICE)),
            lk_chair=tuple(self._holding(None, Role.LK_CHAIR)),
            panel=tuple(name for _, name in deciding),
            chair=next((name for seat, name in deciding if seat.role is SeatRole.CHAIR), None),
            undeclared=tuple(name for seat, name in deciding if seat.conflict in UNANSWERED),
            doubted=tuple(name for seat, name in deciding if seat.conflict is ConflictState.DECLARED),
            short=panel is not None and len(deciding) < panel.row.quorum,
            voted=frozenset(panel.voted) if panel else frozenset(),
            vote_closed=bool(panel and panel.ballot and panel.ballot.closed_at),
            hearing_at=panel.row.hearing_at if panel else None,
            hearing_place=panel.row.hearing_place if panel else "",
            reported=here.id in self.reported,
            demanded=bool(demands),
            asked=self._members(case_id, asked),
            asked_parties=tuple(p.label for p in self.parties[case_id] if p.id in asked),
            untold=self._untold(case_id, here),
            **self._sending(here),
            published=playing.published_at is not None,
        )

    def _untold(self, case_id: UUID, here: Proceeding) -> tuple[Named, ...]:
        decision = self.decisions.get(here.id)
        if decision is None:
            return ()
        everybody = (member for party in self.parties[case_id] for member in party.members)
        return tuple(member for member in everybody if (decision.id, member.id) not in self.told)

    def _sending(self, here: Proceeding) -> dict[str, Any]:
        decision = self.decisions.get(here.id)
        waits = decision is not None and decision.id in self.withheld
        until = self.withheld[decision.id] if decision is not None and waits else None
        return {"sent_at": until, "stopped": waits and until is None}

    def _members(self, case_id: UUID, parties: set[UUID]) -> tuple[Named, ...]:
        return tuple(member for p in self.parties[case_id] if p.id in parties for member in p.members)

    def _since(self, case_id: UUID, here: Proceeding) -> datetime:
        panel, decision = self.panels.get(here.id), self.decisions.get(here.id)
        moments = [here.opened_at, here.forwarded_at, here.sent_in_at, here.registered_at]
        moments += [d.asked_at for d in self.demands[case_id] if d.proceeding_id == here.id]
        moments += [decision.recorded_at] if decision else []
        moments += [panel.row.parties_called_at, panel.row.opened_at, panel.row.closed_at] if panel else []
        return max(moment for moment in moments if moment is not None)

    def _places(self) -> Mapping[UUID, tuple[Case, Incident, Tournament, PlayingSession]]:
        query = (
            select(Case, Incident, Tournament, PlayingSession)
            .join(Incident, col(Incident.id) == col(Case.incident_id))
            .join(Tournament, col(Tournament.id) == col(Incident.tournament_id))
            .join(PlayingSession, col(PlayingSession.id) == col(Incident.session_id))
            .where(col(Case.id).in_(self.ids))
            .options(defer(Case.profile), defer(Tournament.profile))  # type: ignore[arg-type]  # columns
        )
        return {case.id: (case, *rest) for case, *rest in self.session.exec(query)}  # type: ignore[misc]  # four columns

    def _read_proceedings(self) -> None:
        query = (
            select(Proceeding, Person)
            .outerjoin(Person, col(Person.id) == col(Proceeding.director_id))
            .where(col(Proceeding.case_id).in_(self.ids))
        )
        for proceeding, person in self.session.exec(query):
            self.proceedings[proceeding.case_id].append(untold.proceeding_before(proceeding, self.kept))
            if person is not None:
                self.directors[proceeding.id] = Named(person.id, person.name)

    def _running(self) -> Mapping[UUID, list[Deadline]]:
        ended_since = min((one.at for one in self.kept), default=None)
        runs = col(Deadline.ended).is_(None)
        rows = self._rows(Deadline, runs if ended_since is None else or_(runs, col(Deadline.ended_at) >= ended_since))
        found: dict[UUID, list[Deadline]] = defaultdict(list)
        for row in untold.deadlines_before(rows, self.kept):
            if row.ended is None:
                found[row.case_id].append(row)
        return found

    def _decisions(self) -> Mapping[UUID, Decision]:
        hidden = {one.decision_id for one in self.kept}
        rows = self._rows(Decision, col(Decision.replaced_by_id).is_(None))
        return {row.proceeding_id: row for row in rows if row.id not in hidden}

    def _parties(self) -> Mapping[UUID, list[Contestant]]:
        query = (
            select(Party, Person)
            .join(PartyMember, col(PartyMember.party_id) == col(Party.id))
            .join(Person, col(Person.id) == col(PartyMember.person_id))
            .where(col(Party.case_id).in_(self.ids))
            .order_by(col(Party.side).desc(), col(Party.number), col(Person.family_name), col(Person.given_name))
        )
        members: dict[UUID, tuple[Party, list[Named]]] = {}
        for party, person in self.session.exec(query):
            members.setdefault(party.id, (party, []))[1].append(Named(person.id, person.name))
        found: dict[UUID, list[Contestant]] = defaultdict(list)
        for party, names in members.values():
            form = self.places[party.case_id][2].form
            words = contestant(form, party.number, party.name)
            found[party.case_id].append(Contestant(id=party.id, side=party.side, label=words, members=tuple(names)))
        return found

    def _panels(self) -> Mapping[UUID, _Panel]:
        query: Any = (
            select(Panel, Seat, Person, Ballot, Vote)  # type: ignore[call-overload]  # five: typed are four
            .join(Proceeding, col(Proceeding.id) == col(Panel.proceeding_id))
            .join(Seat, col(Seat.panel_id) == col(Panel.id))
            .join(Person, col(Person.id) == col(Seat.person_id))
            .outerjoin(Ballot, col(Ballot.panel_id) == col(Panel.id))
            .outerjoin(Vote, (col(Vote.seat_id) == col(Seat.id)) & (col(Vote.ballot_id) == col(Ballot.id)))
            .where(col(Proceeding.case_id).in_(self.ids))
            .order_by(col(Ballot.opened_at).desc(), col(Person.family_name), col(Person.given_name))
        )
        found: dict[UUID, _Panel] = {}
        for panel, seat, person, ballot, vote in self.session.exec(query):
            here = found.setdefault(panel.proceeding_id, _Panel(panel, ballot=ballot))
            if ballot is not here.ballot:
                continue
            here.seats.append((seat, Named(person.id, person.name)))
            if vote is not None:
                here.voted.add(person.id)
        return found

    def _staff(self) -> list[tuple[UUID | None, Role, Named]]:
        query = (
            select(Grant, Person)
            .join(Person, col(Person.id) == col(Grant.person_id))
            .where(
                col(Grant.role).in_([Role.ORGANISER, Role.OFFICE, Role.LK_CHAIR]),
                or_(
                    col(Grant.tournament_id).is_(None),
                    col(Grant.tournament_id).in_({place[2].id for place in self.places.values()}),
                ),
            )
            .order_by(col(Person.family_name), col(Person.given_name))
        )
        return [(g.tournament_id, g.role, Named(p.id, p.name)) for g, p in self.session.exec(query)]

    def _holding(self, tournament_id: UUID | None, role: Role) -> list[Named]:
        return [name for place, held, name in self.staff if held is role and place in (None, tournament_id)]

    def _rows(self, model: Any, *where: Any) -> list[Any]:
        return list(self.session.exec(select(model).where(col(model.case_id).in_(self.ids), *where)))

    def _grouped(self, model: Any, *where: Any) -> Mapping[UUID, list[Any]]:
        found: dict[UUID, list[Any]] = defaultdict(list)
        for row in self._rows(model, *where):
            found[row.case_id].append(row)
        return found

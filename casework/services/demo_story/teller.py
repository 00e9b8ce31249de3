"""Telling a story: each step at its own time, and what worker and clock did after it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from sqlmodel import Session, select

from casework.adapters.database import uow
from casework.clock import LOCAL
from casework.domain.access import Actor
from casework.domain.bridge.board import Board
from casework.domain.models import Case, Party, PartyMember
from casework.domain.rules.citations import parse_citations
from casework.domain.rules.editions import edition_on
from casework.domain.terms import (
    AppealOutcome,
    FilingChannel,
    HearingStep,
    Position,
    RulingOutcome,
    SeatRole,
    Side,
)
from casework.domain.workflow.held import HOLD
from casework.services import appeals, decisions, hearings, opening, panels, rulings, scores, statements, tournaments
from casework.services.demo_story import post
from casework.services.demo_story.federation import Federation, Playing
from casework.services.loading import load
from casework.services.opening import IncidentInput
from casework.services.rulings import RulingInput
from casework.services.scores import ScoreInput
from casework.services.step import Step

DIRECTOR = "Karin Fjällbo"
CHIEF = "Per-Olof Visby"
ORGANISER = "Eva Tallmark"
OFFICE = "Lena Norrbro"
JURY = ("Henrik Dalvik", "Ylva Brandt", "Cecilia Tornmark")
COMMISSION = ("Staffan Ekevik", "Anders Kullmo", "Britta Hagfors")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the director wrote down at the table."""

    board: int | None
    table: str
    sides: tuple[int, int]
    facts: str
    operative: str
    laws: str
    outcome: RulingOutcome = RulingOutcome.ASSIGNED
    reasons: str = ""
    deal: Board | None = None
    score: ScoreInput | None = None


@dataclass
class Story:
    """One case as it goes on; `at` is its own time."""

    federation: Federation
    playing: Playing
    at: datetime
    case_id: UUID | None = None
    proceeding_id: UUID | None = None
    appeal_ids: list[UUID] = field(default_factory=list)

    def later(self, **time: float) -> "Story":
        """Let time pass, and what has run out run out."""
        self.at += timedelta(**time)
        if self.case_id is not None:
            with uow(write=True) as session:
                post.expire(session, self.case_id, self.at)
        return self

    def _do(self, who: str, verb: Callable[[Session, Actor], Step | None]) -> Step | None:
        with uow(write=True) as session:
            step = verb(session, self.federation.actor(session, who))
            if self.case_id is not None:
                session.flush()
                post.settle(session, self.case_id, self.at)
        return step

    def open(self, told: Told, *, requested_by: str = "") -> "Story":
        """Open the case; without a director it waits for one to be appointed."""
        incident = IncidentInput(
            session_id=self.playing.session_id,
            contestants={Side.NORTH_SOUTH: told.sides[:1], Side.EAST_WEST: told.sides[1:]},
            occurred_on=self.at.astimezone(LOCAL).date(),
            table=told.table,
            board=told.board,
        )
        with uow(write=True) as session:
            actor = self.federation.actor(session, requested_by or DIRECTOR)
            director = None if requested_by else self.federation.persons[DIRECTOR]
            loaded = opening.open_case(session, incident, actor, now=self.at, director_id=director)
            if requested_by:
                rulings.ask_for_ruling(session, loaded, actor, text=told.facts, now=self.at)
            self.case_id, self.proceeding_id = loaded.case.id, loaded.proceeding.id
        return self

    def rule(self, told: Told, *, who: str = DIRECTOR, tell: bool = False) -> "Story":
        """Give the ruling; with `tell` both sides heard it at the table."""
        if self.case_id is None:
            self.open(told)
        if told.score is not None:
            self._do(who, lambda s, a: scores.keep_score(s, self.current, a, told.score, basis=None, now=self.at))
        laws, _ = parse_citations(edition_on(self.at.date()), told.laws)
        everybody = dict.fromkeys(self.members(), self.at) if tell else {}
        ruling = RulingInput(
            operative=told.operative,
            facts=told.facts,
            laws=tuple(laws),
            outcome=told.outcome,
            reasons=told.reasons,
            of_judgement=bool(told.reasons),
            told=everybody,
            board=told.deal,
        )
        self._do(who, lambda s, a: rulings.give_ruling(s, self.current, a, ruling, now=self.at))
        return self

    @property
    def current(self) -> UUID:
        """The newest proceeding."""
        if self.proceeding_id is None:
            raise ValueError("the story has not begun")
        return self.proceeding_id

    def members(self, side: Side | None = None) -> list[UUID]:
        """The persons of one side, or of both."""
        with uow() as session:
            query = select(PartyMember.person_id).join(Party).where(Party.case_id == self.case_id)
            return list(session.exec(query if side is None else query.where(Party.side == side)))

    def party(self, side: Side) -> UUID:
        """A side's party."""
        with uow() as session:
            return session.exec(select(Party.id).where(Party.case_id == self.case_id, Party.side == side)).one()

    def name_of(self, person: UUID) -> str:
        """A person's name, to act as him."""
        return next(name for name, known in self.federation.persons.items() if known == person)

    def postpone(self, waits_for: str) -> "Story":
        """Postpone the ruling."""
        self._do(DIRECTOR, lambda s, a: rulings.postpone_ruling(s, self.current, a, waits_for=waits_for, now=self.at))
        return self

    def appeal(self, side: Side, wants: str, grounds: str = "", *, concurred: bool = True) -> "Story":
        """One side appeals from its link, and the partner concurs from his."""
        first, *others = self.members(side)
        asked = appeals.AppealInput(party_id=self.party(side), wants=wants, grounds=grounds)
        step = self._do(self.name_of(first), lambda s, a: appeals.lodge_appeal(s, self.current, a, asked, now=self.at))
        if step is None or step.child is None or step.subject_id is None:
            raise ValueError("an appeal opens a proceeding")
        appeal_id, self.proceeding_id = step.subject_id, step.child.id
        self.appeal_ids.append(appeal_id)
        if concurred and self.playing is not self.federation.teams:
            self._do(
                self.name_of(others[0]),
                lambda s, a: appeals.concur(s, self.current, a, appeal_id=appeal_id, now=self.at),
            )
        return self

    def warn(self, how: str) -> "Story":
        """The director tells the appellant that the grounds look insufficient."""
        self._do(
            DIRECTOR,
            lambda s, a: appeals.warn_appellant(
                s, self.current, a, appeal_id=self.appeal_ids[-1], how=how, told_at=self.at, now=self.at
            ),
        )
        return self

    def withdraw(self, side: Side) -> "Story":
        """The side withdraws its appeal."""
        first = self.name_of(self.members(side)[0])
        self._do(
            first,
            lambda s, a: appeals.withdraw_appeal(s, self.current, a, appeal_id=self.appeal_ids[-1], now=self.at),
        )
        return self

    def forward(self) -> "Story":
        """The director forwards."""
        self._do(DIRECTOR, lambda s, a: appeals.forward_appeal(s, self.current, a, now=self.at))
        return self

    def compose(self) -> "Story":
        """The organiser appoints the jury."""
        seats = {self.federation.persons[name]: _role(n) for n, name in enumerate(JURY)}
        self._do(ORGANISER, lambda s, a: hearings.compose_panel(s, self.current, a, seats=seats, now=self.at))
        return self

    def declare(self, names: tuple[str, ...] = JURY) -> "Story":
        """Each member says that there is no conflict of interest."""
        for name in names:
            seat = self._seats()[self.federation.persons[name]]
            self._do(
                name,
                lambda s, a, seat=seat: hearings.declare_conflict(  # type: ignore[misc]  # bound to this member
                    s, self.current, a, seat_id=seat, has_conflict=False, reason="", now=self.at
                ),
            )
        return self

    def _seats(self) -> Mapping[UUID, UUID]:
        with uow() as session:
            loaded = load(session, self.current)
            return {seat.person_id: seat.id for seat in panels.panel_seats(loaded)}

    def call(self, place: str) -> "Story":
        """The organiser calls everybody to the hearing in half an hour."""
        at = self.at + timedelta(minutes=30)
        self._do(ORGANISER, lambda s, a: hearings.call_hearing(s, self.current, a, place=place, at=at, now=self.at))
        return self

    def hear(self, *, close: bool = True) -> "Story":
        """The chair notes who is there and takes the steps of the hearing."""
        present = {self.party(side): True for side in Side}
        seats = dict.fromkeys(self._seats().values(), True)
        chair = JURY[0]
        self._do(
            chair,
            lambda s, a: hearings.note_attendance(s, self.current, a, parties=present, seats=seats, now=self.at),
        )
        self._do(chair, lambda s, a: hearings.open_hearing(s, self.current, a, now=self.at))
        for done in tuple(HearingStep) if close else tuple(HearingStep)[:3]:
            self.at += timedelta(minutes=5)
            self._do(
                chair,
                lambda s, a, done=done: hearings.note_step(s, self.current, a, step_done=done, now=self.at),  # type: ignore[misc]  # bound to this step
            )
        if close:
            self._do(chair, lambda s, a: hearings.close_hearing(s, self.current, a, now=self.at))
        return self

    def vote(self, position: Position, names: tuple[str, ...]) -> "Story":
        """Each of these members votes."""
        for name in names:
            self._do(name, lambda s, a: decisions.cast_vote(s, self.current, a, position=position, now=self.at))
        return self

    def decide(
        self, outcome: AppealOutcome, operative: str, facts: str, reasons: str, laws: str, *, chair: str
    ) -> "Story":
        """The chair closes the vote and signs the decision."""
        self._do(chair, lambda s, a: decisions.close_ballot(s, self.current, a, now=self.at))
        cited, _ = parse_citations(edition_on(self.at.date()), laws)
        decision = decisions.DecisionInput(
            operative=operative,
            facts=facts,
            reasons=reasons,
            laws=tuple(cited),
            appeals={self.appeal_ids[-1]: decisions.AppealDecision(outcome=outcome)},
        )
        self._do(chair, lambda s, a: decisions.decide_appeal(s, self.current, a, decision, now=self.at))
        return self.later(seconds=HOLD.total_seconds())

    def report(self, told: Told) -> "Story":
        """The director reports and asks all parties."""
        report = statements.ReportInput(events=told.facts, ruling=told.operative, reasons=told.reasons or told.facts)
        self._do(DIRECTOR, lambda s, a: statements.file_report(s, self.current, a, report, now=self.at))
        self._do(DIRECTOR, lambda s, a: statements.demand_statements(s, self.current, a, now=self.at))
        return self

    def state(self, side: Side, text: str) -> "Story":
        """A side states its views."""
        person = self.members(side)[0]
        said = statements.StatementInput(party_id=self.party(side), text=text, channel=FilingChannel.LINK)
        self._do(self.name_of(person), lambda s, a: statements.file_statement(s, self.current, a, said, now=self.at))
        return self

    def nothing_to_add(self) -> "Story":
        """Both sides are content with what they have said."""
        for side in Side:
            person = self.members(side)[0]
            self._do(
                self.name_of(person),
                lambda s, a, side=side: statements.decline_statement(  # type: ignore[misc]  # bound to this side
                    s, self.current, a, party_id=self.party(side), now=self.at
                ),
            )
        return self

    def send_in(self) -> "Story":
        """The director sends in the papers."""
        self._do(DIRECTOR, lambda s, a: statements.send_in(s, self.current, a, now=self.at))
        return self

    def register(self) -> "Story":
        """LK's chair registers the case and seats its members."""
        seats = {self.federation.persons[name]: _role(n) for n, name in enumerate(COMMISSION)}
        self._do(
            COMMISSION[0],
            lambda s, a: statements.register_case(
                s,
                self.current,
                a,
                jurisdiction="Överklagande av hur lagarna har tillämpats (R1).",
                seats=seats,
                now=self.at,
            ),
        )
        return self

    def deliberate(self) -> "Story":
        """LK's members declare and begin."""
        self.declare(COMMISSION)
        self._do(COMMISSION[0], lambda s, a: hearings.begin_deliberation(s, self.current, a, now=self.at))
        return self


def publish(playing: Playing, federation: Federation, at: datetime) -> None:
    """The organiser records when the session's official score was published."""
    with uow(write=True) as session:
        actor = federation.actor(session, ORGANISER)
        tournaments.record_publication(session, playing.session_id, actor, published_at=at, now=at)
        cases = session.exec(select(Case.id)).all()
        session.flush()
        for case_id in cases:
            post.settle(session, case_id, at)


def _role(number: int) -> SeatRole:
    return SeatRole.CHAIR if number == 0 else SeatRole.MEMBER

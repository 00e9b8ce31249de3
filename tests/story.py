"""A case walked through the verbs, as far as a test wants: every step happens a minute after the last."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlmodel import col, select

from casework.adapters.database import uow
from casework.domain.calendar import Span
from casework.domain.models import Deadline, Panel, Seat
from casework.domain.terms import (
    AppealOutcome,
    ConflictState,
    DeadlineKind,
    HearingStep,
    Position,
    SeatRole,
    Side,
)
from casework.domain.workflow.audience import concurring
from casework.services import appeals, decisions, hearings, late_material, prolonging, rulings, statements, suspending
from casework.services.appeals import AppealInput
from casework.services.decisions import AppealDecision, DecisionInput
from casework.services.loading import load
from casework.services.snapshot import snapshot
from casework.services.statements import ReportInput, StatementInput
from casework.services.step import FormInstance
from tests import factories
from tests.narrator import Narrator

PLAYERS = {Side.NORTH_SOUTH: ("north", "south"), Side.EAST_WEST: ("east", "west")}
OTHER_WAY = {Position.CONFIRM: Position.CHANGE, Position.CHANGE: Position.CONFIRM, Position.DISMISS: Position.CHANGE}


@dataclass
class Story(Narrator):
    """One case with a clock of its own."""

    def ask(self) -> None:
        """Nobody has ruled: a captain asks, the organiser appoints the director, and he postpones the ruling."""
        with uow(write=True) as session:
            loaded = load(session, self.case.proceeding_id)
            rulings.ask_for_ruling(session, loaded, self.actors["north"], text="Fick Nord tänka?", now=self.at)
        self.appoint()

    def appoint(self) -> None:
        """The organiser appoints the director, and he postpones the ruling."""
        director, organiser = self.there.persons["director"], self.actors["organiser"]
        ours = self.case.proceeding_id
        self.write(lambda s: rulings.appoint_director(s, ours, organiser, director_id=director, now=self.later()))
        self.deliver()
        self.write(
            lambda s: rulings.postpone_ruling(
                s, ours, self.actors["director"], waits_for="Svar från Öst.", now=self.later()
            )
        )
        self.deliver()

    def rule(self, **ruling: Any) -> UUID:
        """The director gives his ruling and every mail goes out."""
        decision = factories.give_ruling(self.there, self.case, at=self.later(), **ruling)
        self.deliver()
        return decision

    def publish(self) -> None:
        """The organiser records that the score is available now."""
        factories.publish_score(self.there, at=self.later())
        self.deliver()

    def prolong(self, side: Side = Side.NORTH_SOUTH) -> None:
        """The director gives a side one more day to appeal."""
        self.prolong_by(self.at + timedelta(days=1), side)

    def prolong_by(self, more: Span | datetime, side: Side = Side.NORTH_SOUTH) -> None:
        """The director gives a side more time to appeal, by a span or until a moment."""
        with uow() as session:
            found = select(Deadline).where(
                Deadline.party_id == self.case.party_ids[side], Deadline.kind == DeadlineKind.APPEAL_WINDOW
            )
            window = session.exec(found.order_by(col(Deadline.opened_at).desc())).first()
        assert window is not None
        self.write(
            lambda s: prolonging.prolong_window(
                s,
                self.case.proceeding_id,
                self.actors["director"],
                deadline_id=window.id,
                party_id=self.case.party_ids[side],
                until=more,
                because="Anteckningen kom sent.",
                now=self.later(),
            )
        )
        self.deliver()

    def stand_still(
        self, *sides: Side, begins: datetime | None = None, ends: datetime | None = None, who: str = "director"
    ) -> None:
        """The sides' times, or all, stand still from now or `begins`, until `ends` or until they are let go on."""
        now, ours = self.later(), self.newest()
        with uow() as session:
            parties = {self.case.party_ids[side] for side in sides or Side}
            times = suspending.choices(load(session, ours))
            rows = [session.get_one(Deadline, each.deadline_id) for each in times]
        chosen = [row.id for row in rows if row.party_id in parties]
        self.write(
            lambda s: suspending.suspend_times(
                s,
                ours,
                self.actors[who],
                deadline_ids=chosen,
                begins=begins or now,
                ends=ends,
                because="Sjukdom.",
                now=now,
            )
        )
        self.deliver()

    def go_on(self, who: str = "director") -> None:
        """What stands still goes on."""
        now, ours = self.later(), self.newest()
        self.write(lambda s: suspending.lift_suspension(s, ours, self.actors[who], now=now))
        self.deliver()

    def appeal(
        self,
        key: str = "north",
        side: Side = Side.NORTH_SOUTH,
        *,
        wants: str = "Ge tillbaka 4♥ jämna.",
        grounds: str = "Nord tänkte inte länge.",
    ) -> UUID:
        """A party appeals the newest decision; gives the proceeding that tries it."""
        entered = AppealInput(party_id=self.case.party_ids[side], wants=wants, grounds=grounds)
        newest = self.newest()
        self.write(lambda s: appeals.lodge_appeal(s, newest, self.actors[key], entered, now=self.later()))
        self.deliver()
        return self.newest()

    def forward(self) -> None:
        """Who has not concurred does, and the director forwards the appeal."""
        newest = self.newest()
        self._all_concur(newest)
        self.write(lambda s: appeals.forward_appeal(s, newest, self.actors["director"], now=self.later()))
        self.deliver()

    def _all_concur(self, proceeding_id: UUID) -> None:
        with uow() as session:
            facts = snapshot(load(session, proceeding_id))
        keys = {actor.person_id: key for key, actor in self.actors.items()}
        for appeal in facts.tried_here:
            for person in concurring(facts, appeal.party_id) - appeal.concurred:
                actor = self.actors[keys[person]]
                self.write(
                    lambda s, who=actor, what=appeal.id: appeals.concur(  # type: ignore[misc]  # bound to this one
                        s, proceeding_id, who, appeal_id=what, now=self.later()
                    )
                )

    def concur(self, key: str = "south") -> None:
        """The partner concurs."""
        newest, appeal = self.newest(), self.appeals()[-1]
        self.write(
            lambda s: appeals.concur(
                s, newest, self.actors[key], appeal_id=appeal, now=self.later(), form=FormInstance()
            )
        )
        self.deliver()

    def warn(self) -> None:
        """The director tells the appellant that the grounds look insufficient."""
        newest, appeal = self.newest(), self.appeals()[-1]
        now = self.later()
        self.write(
            lambda s: appeals.warn_appellant(
                s, newest, self.actors["director"], appeal_id=appeal, how="Vid bordet.", told_at=now, now=now
            )
        )
        self.deliver()

    def withdraw(self, key: str = "north") -> None:
        """The appellant withdraws."""
        newest, appeal = self.newest(), self.appeals()[-1]
        self.write(lambda s: appeals.withdraw_appeal(s, newest, self.actors[key], appeal_id=appeal, now=self.later()))
        self.deliver()

    def hear(self, *jurors: str) -> None:
        """The jury is appointed, called, answers about conflicts, and hears both sides."""
        self.compose(*jurors)
        self.declare()
        self.sit()

    def compose(self, *jurors: str) -> None:
        """The jury is appointed; the first member is the chair."""
        newest, organiser = self.newest(), self.actors["organiser"]
        seats = self._seats(*(jurors or ("juror_1", "juror_2", "juror_3")))
        self.write(lambda s: hearings.compose_panel(s, newest, organiser, seats=seats, now=self.later()))

    def sit(self) -> None:
        """Everybody is called and comes."""
        self.call()
        self.attend()

    def attend(self, *, closed: bool = True) -> None:
        """Both sides come, and the jury hears them in the federation's order; then it deliberates."""
        newest, organiser = self.newest(), self.actors["organiser"]
        present = dict.fromkeys(self.case.party_ids.values(), True)
        self.write(
            lambda s: hearings.note_attendance(s, newest, organiser, parties=present, seats={}, now=self.later())
        )
        self.write(lambda s: hearings.open_hearing(s, newest, organiser, now=self.later()))
        for done in HearingStep:
            self.write(lambda s, d=done: hearings.note_step(s, newest, organiser, step_done=d, now=self.later()))  # type: ignore[misc]
        if closed:
            self.write(lambda s: hearings.close_hearing(s, newest, organiser, now=self.later()))

    def call(self, place: str = "Rum 3", *, in_days: int = 0) -> None:
        """Everybody is called to a place, an hour ahead or so many days."""
        newest, organiser = self.newest(), self.actors["organiser"]
        starts = self.at + timedelta(days=in_days, hours=0 if in_days else 1)
        self.write(lambda s: hearings.call_hearing(s, newest, organiser, place=place, at=starts, now=self.later()))
        self.deliver()

    def _seats(self, *keys: str) -> dict[UUID, SeatRole]:
        roles = (SeatRole.CHAIR, *[SeatRole.MEMBER] * (len(keys) - 1))
        return {self.there.persons[key]: role for key, role in zip(keys, roles, strict=True)}

    def declare(self) -> None:
        """Every member of the newest panel who is asked says that there is no conflict."""
        with uow() as session:
            seats = session.exec(select(Seat).order_by(col(Seat.seated_at).desc())).all()
        for seat in seats:
            key = next(key for key, person in self.there.persons.items() if person == seat.person_id)
            if seat.conflict is ConflictState.UNDECLARED:
                self.say_no_conflict(key, seat.id)

    def say_no_conflict(self, key: str, seat_id: UUID) -> None:
        """A member says that there is no conflict."""
        newest, member = self.newest(), self.actors[key]
        self.write(
            lambda s: hearings.declare_conflict(
                s, newest, member, seat_id=seat_id, has_conflict=False, reason="", now=self.later()
            )
        )

    def decide(
        self,
        *keys: str,
        outcome: AppealOutcome = AppealOutcome.REJECTED,
        position: Position | None = None,
        dissents: Mapping[str, str] | None = None,
        delivered: bool = True,
        **fields: Any,
    ) -> UUID:
        """The members vote and the chair, who is the first, signs; gives the decision's id.

        Who has a dissent votes the other way, with it. `fields` are those of `DecisionInput` that the test says itself.
        """
        position = position or (Position.CONFIRM if outcome is AppealOutcome.REJECTED else Position.CHANGE)
        self.vote(*keys, position=position, dissents=dissents)
        return self.sign(keys[0], outcome=outcome, delivered=delivered, **fields)

    def vote(self, *keys: str, position: Position, dissents: Mapping[str, str] | None = None) -> None:
        """The members vote, and the first closes the vote."""
        newest, dissents = self.newest(), dissents or {}
        for key in keys:
            own = OTHER_WAY[position] if key in dissents else position
            self.write(
                lambda s, k=key, p=own: decisions.cast_vote(  # type: ignore[misc]  # bound to this one
                    s, newest, self.actors[k], position=p, dissent=dissents.get(k, ""), now=self.later()
                )
            )
        self.write(lambda s: decisions.close_ballot(s, newest, self.actors[keys[0]], now=self.later()))

    def sign(
        self, key: str, *, outcome: AppealOutcome = AppealOutcome.REJECTED, delivered: bool = True, **fields: Any
    ) -> UUID:
        """The chair signs; gives the decision's id."""
        newest, given = self.newest(), factories.ruling()
        said: dict[str, Any] = {
            "operative": "Överklagandet avslås. Domslutet står fast.",
            "facts": given.facts,
            "reasons": given.reasons,
            "laws": given.laws,
            "appeals": {self.appeals()[-1]: AppealDecision(outcome=outcome)} if "appeals" not in fields else {},
        }
        decision = DecisionInput(**(said | fields))
        step = self.write(lambda s: decisions.decide_appeal(s, newest, self.actors[key], decision, now=self.later()))
        if delivered:
            self.deliver()
        decided: UUID = step.decision_id
        return decided

    def write_papers(self) -> None:
        """Report, statements of both sides, no answers, sent in."""
        self.report()
        self.demand()
        self.state({players[0]: "Pausen var kort." for players in PLAYERS.values()})
        self.finish_papers()

    def report(self, who: str = "director", report: ReportInput | None = None) -> None:
        """The director files his report."""
        newest, director = self.newest(), self.actors[who]
        report = report or ReportInput(events="Så gick det till.", ruling="4♠ nio stick.", reasons="Lag 16B1.")
        self.write(lambda s: statements.file_report(s, newest, director, report, now=self.later()))
        self.deliver()

    def demand(self, who: str = "director") -> None:
        """The director asks both sides for statements."""
        newest, director = self.newest(), self.actors[who]
        self.write(
            lambda s: statements.demand_statements(
                s, newest, director, question="Hur lång var pausen?", now=self.later()
            )
        )
        self.deliver()

    def state(self, said: Mapping[str, str]) -> None:
        """Players, by their keys, file what they have to say."""
        newest = self.newest()
        for key, text in said.items():
            side = next(side for side, players in PLAYERS.items() if key in players)
            mine = StatementInput(party_id=self.case.party_ids[side], text=text)
            self.write(
                lambda s, t=mine, k=key: statements.file_statement(s, newest, self.actors[k], t, now=self.later())  # type: ignore[misc]
            )
        self.deliver()

    def finish_papers(self, *sides: Side, who: str = "director") -> None:
        """These sides, or both, have nothing to add, and the papers are sent in."""
        newest, director = self.newest(), self.actors[who]
        for side in sides or PLAYERS:
            self.decline(side)
        self.write(lambda s: statements.send_in(s, newest, director, now=self.later()))
        self.deliver()

    def add_late(self) -> None:
        """North–South add something after the papers were sent in."""
        self.state({"north": "En sak till."})

    def decline(self, side: Side) -> None:
        """A side has nothing to add."""
        newest, player, party = self.newest(), self.actors[PLAYERS[side][0]], self.case.party_ids[side]
        self.write(lambda s: statements.decline_statement(s, newest, player, party_id=party, now=self.later()))
        self.deliver()

    def leave_out(self, who: str = "lk_chair") -> None:
        """The panel's chair leaves what waits for an answer out of account."""
        newest, chair = self.newest(), self.actors[who]
        with uow() as session:
            (waiting,) = late_material.waiting(load(session, newest))
        left: dict[str, Any] = {"statement_id": waiting.id, "because": "Det säger inget nytt."}
        self.write(lambda s: late_material.leave_out(s, newest, chair, now=self.later(), **left))
        self.deliver()

    def register(self, *members: str) -> None:
        """LK registers the case, its members have no conflict, and it deliberates when all times to appeal are over."""
        newest, chair = self.newest(), self.actors["lk_chair"]
        seats = self._seats(*(members or ("lk_chair", "lk_1", "lk_2")))
        self.write(
            lambda s: statements.register_case(
                s, newest, chair, jurisdiction="Överklagat domslut.", seats=seats, now=self.later()
            )
        )
        self.deliver()
        self.declare()
        self.expire(days=11)
        self.write(lambda s: hearings.begin_deliberation(s, newest, chair, now=self.later()))

    def recuse(self, who: str, by: str = "office") -> None:
        """Somebody else decides that a member of the newest panel has a conflict of interest."""
        newest, actor = self.newest(), self.actors[by]
        with uow() as session:
            panel = select(col(Panel.id)).where(Panel.proceeding_id == newest).scalar_subquery()
            mine = select(col(Seat.id)).where(Seat.panel_id == panel, Seat.person_id == self.there.persons[who])
            seat = session.exec(mine).one()
        self.write(
            lambda s: hearings.decide_conflict(
                s, newest, actor, seat_id=seat, recused=True, because="Släkt.", now=self.later()
            )
        )
        self.deliver()

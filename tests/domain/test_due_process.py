"""The due-process invariants: whatever is tried, by whomever, in whatever order, no decision comes about unfairly.

A random walk over the pure core: people of every kind try everything, time passes, notices arrive or do not.
"""

import os
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from casework.domain.errors import NotAllowed
from casework.domain.terms import (
    ActionName,
    AppealRoute,
    Body,
    DeadlineKind,
    Form,
    Part,
    ProceedingKind,
    SeatRole,
    State,
)
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.decide import available
from casework.domain.workflow.facts import Ask, Facts
from casework.domain.workflow.written import LATE
from tests.domain.workflow.begin import case
from tests.domain.workflow.build import Case
from tests.domain.workflow.due_process import AWAITED, SEEN, check, first_proof
from tests.domain.workflow.people import EAST, EVERYBODY, L1, LK_CHAIR, NORTH
from tests.domain.workflow.plausible import Typist, rank, type_for

# The same walks every time; CASEWORK_TEST_WALKS=5000 takes that many new ones.
WALKS = settings(
    max_examples=int(os.environ.get("CASEWORK_TEST_WALKS", "150")),
    stateful_step_count=40,
    deadline=None,
    derandomize="CASEWORK_TEST_WALKS" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
PLAYERS = (NORTH, EAST)
WAITING = (State.GIVEN, State.DECIDED, State.PREPARING, State.ANSWERING)
"""Where a case goes on, or ends, although nobody does anything."""
DECIDING = (State.REGISTERED, State.DELIBERATING)
begun = precondition(lambda machine: hasattr(machine, "case"))


class DueProcess(RuleBasedStateMachine):
    """Everybody tries everything."""

    case: Case
    versions: dict[UUID, int]

    @initialize(
        route=st.sampled_from(AppealRoute),
        lk_open=st.sampled_from((True, True, False)),
        asked=st.booleans(),
        form=st.sampled_from((Form.PAIRS, Form.PAIRS, Form.INDIVIDUAL)),
    )
    def begin(self, *, route: AppealRoute, lk_open: bool, asked: bool, form: Form) -> None:
        state = State.REQUESTED if asked else State.OPEN
        self.case = case(route=route, state=state, lk_open=lk_open, form=form)
        self.versions = {}

    @rule(data=st.data())
    def mischief(self, data: st.DataObject) -> None:
        """Anybody tries any action of the table, in any state."""
        facts = self._somewhere(data)
        action = data.draw(st.sampled_from(PROCEDURES[facts.this.kind].actions))
        self._attempt(action.name, data.draw(st.sampled_from((None, *EVERYBODY))), facts, data)

    @precondition(lambda self: self.case.view().this.kind is ProceedingKind.APPEAL)
    @rule(data=st.data())
    def change_of_mind(self, data: st.DataObject) -> None:
        """A party withdraws its appeal, or tries to."""
        self._attempt(ActionName.WITHDRAW_APPEAL, data.draw(st.sampled_from(PLAYERS)), self.case.view(), data)

    @rule(data=st.data())
    def offered(self, data: st.DataObject) -> None:
        """Somebody does something that the page offers him."""
        facts = self._somewhere(data)
        person = data.draw(st.sampled_from(EVERYBODY))
        names = [p.action.name for p in self.case.possible(person, facts.this.id) if p.allowed]
        if names:
            self._attempt(data.draw(st.sampled_from(names)), person, facts, data)

    @rule(data=st.data(), steps=st.integers(4, 20))
    def onwards(self, data: st.DataObject, steps: int) -> None:
        """The case goes on along its main line, as most cases do."""
        for _ in range(steps):
            self._one_step_on(data)
            self._tick()

    def _one_step_on(self, data: st.DataObject) -> None:
        facts = self.case.view()
        if facts.this.state in WAITING and data.draw(st.sampled_from((True, False, False))):
            self.post(data)
            self.case.now += timedelta(days=6)
            return
        if facts.this.state in LATE and data.draw(st.sampled_from((True, *(False,) * 6))):
            self._attempt(ActionName.FILE_STATEMENT, data.draw(st.sampled_from(PLAYERS)), facts, data)
            return
        if facts.this.state in DECIDING and any(d.about and not d.ended for d in facts.demands):
            seats = facts.panel.deciding if facts.panel else ()
            chairs = [seat.person_id for seat in seats if seat.role is SeatRole.CHAIR]
            self._attempt(ActionName.LEAVE_OUT, data.draw(st.sampled_from((*chairs, LK_CHAIR))), facts, data)
        offered = {
            (place, person)
            for person in EVERYBODY
            for possibility in self.case.possible(person, facts.this.id)
            if possibility.allowed and (place := rank(possibility.action.name, person, facts)) is not None
        }
        if not offered:
            self.post(data)
            return
        best = min(place for place, _ in offered)
        person = data.draw(st.sampled_from(sorted((p for place, p in offered if place == best), key=str)))
        name = next(
            p.action.name
            for p in self.case.possible(person, facts.this.id)
            if p.allowed and rank(p.action.name, person, facts) == best
        )
        if not self._attempt(name, person, facts, data):
            self.post(data)

    @rule(data=st.data())
    def post(self, data: st.DataObject) -> None:
        """Some of the notices under way arrive: some to one member only, some never."""
        for proof in list(self.case.underway):
            if data.draw(st.sampled_from((True, True, False))):
                self.case.underway.remove(proof)
                arrived = (replace(proof, at=self.case.now),)
                where = self.case.proceeding_of(proof)
                self.case.take(ActionName.RECORD_PROOF, None, where=where, proofs=arrived)

    @rule(minutes=st.sampled_from((1, 20, 31, 60 * 25, 60 * 24 * 4, 60 * 24 * 11, 60 * 24 * 20)))
    def wait(self, minutes: int) -> None:
        """Time passes, and the system does what is due."""
        self.case.now += timedelta(minutes=minutes)
        self._tick()

    @rule(person=st.sampled_from((L1, LK_CHAIR)))
    def a_member_of_lk_comes(self, person: UUID) -> None:
        """R18: whenever he comes, he must be called before the hearing opens."""
        self.case.facts = replace(self.case.facts, present_lk=self.case.facts.present_lk | {person})

    def _somewhere(self, data: st.DataObject) -> Facts:
        return self.case.view(data.draw(st.sampled_from(self.case.facts.proceedings)).id)

    def _attempt(self, name: ActionName, person: UUID | None, facts: Facts, data: st.DataObject) -> bool:
        """Try an action; the rules are held against it if the procedure lets it happen."""
        typed = type_for(name, Typist(self.case, facts, person, data))
        try:
            self.case.take(name, person, where=facts.this.id, **typed)
        except NotAllowed:
            return False
        check(self.case.history[-1], self.case)
        return True

    def _tick(self) -> None:
        known = len(self.case.history)
        self.case.tick()
        for taken in self.case.history[known:]:
            check(taken, self.case)

    @invariant()
    @begun
    def versions_only_grow(self) -> None:
        for proceeding in self.case.facts.proceedings:
            assert proceeding.version >= self.versions.get(proceeding.id, 0)
            self.versions[proceeding.id] = proceeding.version

    @invariant()
    @begun
    def no_clock_runs_before_its_party_is_told(self) -> None:
        decisions = {p.id: p.decision_id for p in self.case.facts.proceedings}
        for deadline in self.case.facts.deadlines:
            if deadline.party_id is None or deadline.instant is None:
                continue
            about = decisions[deadline.proceeding_id]
            told = first_proof(self.case.facts, deadline.party_id, about, deadline.demand_id)
            assert told is not None, f"{deadline.kind} runs, and nothing proves that its party was told"
            assert deadline.base is not None
            assert told <= deadline.base < deadline.instant

    @invariant()
    @begun
    def clocks_run_only_while_their_step_is_awaited(self) -> None:
        """R24, R27, R30: nobody is called late for what he has done."""
        states = {p.id: p.state for p in self.case.facts.proceedings}
        for deadline in self.case.facts.deadlines:
            if deadline.ended is None and deadline.kind is not DeadlineKind.APPEAL_WINDOW:
                assert states[deadline.proceeding_id] in AWAITED[deadline.kind], deadline.kind

    @invariant()
    @begun
    def a_decision_of_lk_has_no_way_on(self) -> None:
        """R5: for nobody, whatever he may be."""
        for proceeding in self.case.facts.proceedings:
            if proceeding.body is Body.LAW_COMMISSION and proceeding.decision_id:
                assert proceeding.state is State.FINAL
                ask = Ask(person_id=NORTH, parts=frozenset(Part), now=self.case.now)
                for possibility in available(PROCEDURES[proceeding.kind], self.case.view(proceeding.id), ask):
                    assert not (possibility.allowed and possibility.action.to)


def test_no_sequence_of_steps_leads_to_an_unfair_decision() -> None:
    SEEN.clear()
    run_state_machine_as_test(DueProcess, settings=WALKS)
    assert SEEN[ActionName.DECIDE_APPEAL], "walks that decide nothing prove nothing"
    assert SEEN[ActionName.FINALISE]
    assert SEEN["decided without late material"]

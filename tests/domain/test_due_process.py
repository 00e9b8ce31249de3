"""The due-process invariants: whatever is tried, by whomever, in whatever order, no decision comes about unfairly.

A random walk over the pure core: people of every kind try everything, time passes, notices arrive or do not.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar
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
    DeadlineEnd,
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
from casework.domain.workflow.suspending import can_stand_still, stand_still
from casework.domain.workflow.written import LATE
from tests.domain.workflow.begin import at_hearing, case, complete, in_writing
from tests.domain.workflow.build import Case
from tests.domain.workflow.due_process import AWAITED, check, first_proof
from tests.domain.workflow.own_time import Ends
from tests.domain.workflow.people import DIRECTOR, EAST, EVERYBODY, EW, L1, LK_CHAIR, NORTH, NS, OFFICE
from tests.domain.workflow.plausible import Typed, Typist, rank, type_for
from tests.domain.workflow.seen import SEEN

# The same walks every time; CASEWORK_TEST_WALKS=5000 takes that many new ones.
WALKS = settings(
    max_examples=int(os.environ.get("CASEWORK_TEST_WALKS", "150")),
    stateful_step_count=40,
    deadline=None,
    derandomize="CASEWORK_TEST_WALKS" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
SHORTER = settings(WALKS, max_examples=WALKS.max_examples // 5 + 1, stateful_step_count=20)
PLAYERS = (NORTH, EAST)
WAITING = (State.GIVEN, State.DECIDED, State.PREPARING, State.ANSWERING)
"""Where a case goes on, or ends, although nobody does anything."""
DECIDING = (State.REGISTERED, State.DELIBERATING)


def asked(route: AppealRoute = AppealRoute.LAW_COMMISSION) -> Case:
    """Both parties have been asked for a statement."""
    return in_writing(route).reported().demanded().arrives()


ON_THE_WAY: tuple[Callable[[], Case], ...] = (
    lambda: case().ruled().told(NS, EW).published(),
    lambda: at_hearing(lk_open=False),
    lambda: asked(AppealRoute.JURY_LATER),
    asked,
    lambda: asked().stated(NS).stated(EW).arrives(),
    lambda: complete().sent_in().registered().without_conflicts(),
)
TIMES_SEEN = (
    ActionName.LIFT_SUSPENSION,
    ActionName.PROLONG_WINDOW,
    "stands still for an interval",
    "stands still until it is let go on",
    "asked anew while its time stood still",
    "window that had stood still ran out",
    "demand that had stood still ran out",
    "given time ran out",
    "decided after a time had stood still",
)
begun = precondition(lambda machine: hasattr(machine, "case"))


class DueProcess(RuleBasedStateMachine):
    """Everybody tries everything."""

    case: Case
    versions: dict[UUID, int]
    ends: Ends

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
        self.ends = Ends()

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

    @rule(data=st.data(), minutes=st.sampled_from((5, 40, 60 * 24 * 4, 60 * 24 * 13)))
    def standstill(self, data: st.DataObject, minutes: int) -> None:
        """The body or the office lets a party's time stand still or gives more of it, and mostly lets it go on."""
        facts = self._somewhere(data)
        self._stop_or_start(data, facts)
        self.wait(minutes)
        if stand_still(self.case.view(facts.this.id)) and data.draw(st.sampled_from((True, True, False))):
            self._attempt(ActionName.LIFT_SUSPENSION, OFFICE, facts, data)

    def _stop_or_start(self, data: st.DataObject, facts: Facts) -> None:
        stop, go_on, more = ActionName.SUSPEND_TIMES, ActionName.LIFT_SUSPENSION, ActionName.PROLONG_WINDOW
        likely = [more] * bool(facts.running(DeadlineKind.APPEAL_WINDOW)) + [go_on] * bool(stand_still(facts))
        likely += [stop] * (2 if can_stand_still(facts) else not likely)
        person = data.draw(st.sampled_from((OFFICE, OFFICE, OFFICE, OFFICE, DIRECTOR, LK_CHAIR, NORTH)))
        self._attempt(data.draw(st.sampled_from(likely)), person, facts, data)

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

    def _anothers_time(self, data: st.DataObject) -> bool:
        """Somewhere in the case a time that can be stopped is, or one that stands still goes on."""
        views = [self.case.view(proceeding.id) for proceeding in self.case.facts.proceedings]
        concerned = [facts for facts in views if can_stand_still(facts) or stand_still(facts)]
        if concerned:
            self._stop_or_start(data, data.draw(st.sampled_from(concerned)))
        return bool(concerned)

    def _stands_still(self) -> bool:
        return any(d.halted and d.ended is None for d in self.case.facts.deadlines)

    def _one_step_on(self, data: st.DataObject) -> None:
        facts = self.case.view()
        if data.draw(st.sampled_from((True, *(False,) * 5))) and self._anothers_time(data):
            return
        if facts.this.state is State.DELIBERATING and self._stands_still() and data.draw(st.booleans()):
            self._attempt(ActionName.DECIDE_APPEAL, self.case.chair, facts, data)
            return
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
        """Try an action with what somebody might type."""
        return self._try(name, person, facts, type_for(name, Typist(self.case, facts, person, data)))

    def _try(self, name: ActionName, person: UUID | None, facts: Facts, typed: Typed) -> bool:
        """The rules are held against it if the procedure lets it happen."""
        try:
            self.case.take(name, person, where=facts.this.id, **typed)
        except NotAllowed as refusal:
            SEEN.update(f"refused {name}: {reason.msgid}" for reason in refusal.reasons)
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
    def no_end_comes_earlier(self) -> None:
        """C10: whoever has been told a last day may rely on it; what stands still has none."""
        self.ends.check(self.case)

    @invariant()
    @begun
    def no_clock_runs_before_its_party_is_told(self) -> None:
        """Nor has run out before; what has been answered, tried or given more of is over, whatever is put right."""
        owners = {p.id: p for p in self.case.facts.proceedings}
        for deadline in self.case.facts.deadlines:
            owner = owners[deadline.proceeding_id]
            appealable = deadline.kind is DeadlineKind.APPEAL_WINDOW and owner.state is not State.TRIED
            if deadline.ended and not (appealable and deadline.ended is DeadlineEnd.EXPIRED):
                continue
            if deadline.party_id is None or deadline.instant is None:
                continue
            told = first_proof(self.case.facts, deadline.party_id, owner.decision_id, deadline.demand_id)
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


class OwnTimes(DueProcess):
    """The same, of a case that is well on its way: its parties' times run, or are about to."""

    start: ClassVar[Callable[[], Case]]

    @initialize()
    def begin(self) -> None:
        self.case = type(self).start()
        self.versions, self.ends = {}, Ends()

    @rule(data=st.data(), days=st.sampled_from((1, 4, 9)))
    def goes_on_and_runs_out(self, data: st.DataObject, days: int) -> None:
        """Nobody does anything but let a time stand still, let all that do go on, and wait."""
        self._anothers_time(data)
        self.post(data)
        self.wait(60 * 24 * days)
        for proceeding in self.case.facts.proceedings:
            if stand_still(self.case.view(proceeding.id)):
                self._attempt(ActionName.LIFT_SUSPENSION, OFFICE, self.case.view(proceeding.id), data)
        self.wait(60 * 24 * 20)

    @precondition(lambda self: self.case.view().this.kind is ProceedingKind.APPEAL)
    @rule(data=st.data(), who=st.sampled_from(PLAYERS))
    def more_to_say_meanwhile(self, data: st.DataObject, who: UUID) -> None:
        """A party has answered; all other times stand still, and it adds something to the papers."""
        self._attempt(ActionName.DECLINE_STATEMENT, who, self.case.view(), data)
        facts = self.case.view()
        stopped = {
            "deadline_ids": frozenset(time.id for time in can_stand_still(facts)),
            "begins": self.case.now,
            "ends": data.draw(st.sampled_from((None, self.case.now + timedelta(days=9)))),
            "because": "Illness.",
        }
        self._try(ActionName.SUSPEND_TIMES, OFFICE, facts, stopped)
        self._attempt(ActionName.FILE_STATEMENT, who, self.case.view(), data)


def test_no_sequence_of_steps_leads_to_an_unfair_decision() -> None:
    SEEN.clear()
    run_state_machine_as_test(DueProcess, settings=WALKS)
    assert SEEN[ActionName.DECIDE_APPEAL], "walks that decide nothing prove nothing"
    assert SEEN[ActionName.FINALISE]
    assert SEEN["decided without late material"]


def test_nothing_takes_from_the_time_that_a_party_has() -> None:
    """C10, R30, R32: whatever stands still, goes on, is asked anew or is given more of, wherever the case is."""
    SEEN.clear()
    for start in ON_THE_WAY:
        machine = type("OnTheWay", (OwnTimes,), {"start": staticmethod(start)})
        run_state_machine_as_test(machine, settings=SHORTER)
    missing = [what for what in TIMES_SEEN if not SEEN[what]]
    assert not missing, "walks that never get there prove nothing"

"""Tests over the procedures' tables, not over examples."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from casework.domain.labels import label
from casework.domain.terms import ActionName, DeadlineKind, NoticeKind, NoticeState, Part, ProceedingKind, State
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.audience import AUDIENCES
from casework.domain.workflow.facts import Ask
from casework.domain.workflow.table import EXPIRES, Action, Per, Procedure
from casework.domain.workflow.written_guards import is_in_writing
from tests.domain.workflow.begin import at_hearing, before_lk, case, complete, in_writing
from tests.domain.workflow.build import START
from tests.domain.workflow.people import NS, profile

ANYWHERE = frozenset(State)
every_procedure = pytest.mark.parametrize("procedure", PROCEDURES.values(), ids=list(PROCEDURES))
every_action = pytest.mark.parametrize(
    ("procedure", "action"),
    [(procedure, action) for procedure in PROCEDURES.values() for action in procedure.actions],
    ids=[f"{kind}-{action.name}" for kind, procedure in PROCEDURES.items() for action in procedure.actions],
)


def states(procedure: Procedure) -> frozenset[State]:
    """The states that a procedure has."""
    return frozenset(stage.state for stage in procedure.stages)


def moves(procedure: Procedure) -> Iterator[tuple[State, Action, State]]:
    """Every way from a state to another."""
    for action in procedure.actions:
        for start in action.start & states(procedure):
            yield from ((start, action, to) for to in action.to if to is not start)


def test_every_kind_of_proceeding_has_its_procedure() -> None:
    assert set(PROCEDURES) == set(ProceedingKind)
    assert all(procedure.kind is kind for kind, procedure in PROCEDURES.items())


@every_procedure
def test_action_names_are_unique(procedure: Procedure) -> None:
    names = [action.name for action in procedure.actions]
    assert len(names) == len(set(names))


def test_every_action_name_is_used_by_a_procedure() -> None:
    used = {action.name for procedure in PROCEDURES.values() for action in procedure.actions}
    assert set(ActionName) - used == {ActionName.OPEN_CASE}, "a case is opened before it has a procedure"


@every_procedure
def test_states_are_described_once(procedure: Procedure) -> None:
    described = [stage.state for stage in procedure.stages]
    assert len(described) == len(set(described))
    assert procedure.initial <= set(described)


@every_action
def test_an_action_names_only_states_of_its_procedure(procedure: Procedure, action: Action) -> None:
    named = set(action.to) | (set() if action.start == ANYWHERE else action.start)
    assert named <= states(procedure)


@every_action
def test_an_action_has_words_a_rule_and_somebody_to_take_it(procedure: Procedure, action: Action) -> None:
    assert action.label.msgid.strip()
    assert action.done.msgid.strip()
    assert action.rule.startswith(("R", "C"))
    assert action.who
    assert action.start


@every_action
def test_an_action_that_leads_to_several_states_chooses(procedure: Procedure, action: Action) -> None:
    assert len(action.to) < 2 or action.choose is not None
    assert action.to or action.choose is None


@every_procedure
def test_every_state_is_reachable(procedure: Procedure) -> None:
    seen = set(procedure.initial)
    while new := {to for start, _, to in moves(procedure) if start in seen} - seen:
        seen |= new
    assert seen == states(procedure)


@every_procedure
def test_every_state_ends_or_leads_on(procedure: Procedure) -> None:
    leads_on = {start for start, _, _ in moves(procedure)}
    ends = {stage.state for stage in procedure.stages if stage.ends}
    assert states(procedure) - ends <= leads_on


@every_procedure
def test_an_end_is_reachable_from_every_state(procedure: Procedure) -> None:
    reaching = {stage.state for stage in procedure.stages if stage.ends}
    while new := {start for start, _, to in moves(procedure) if to in reaching} - reaching:
        reaching |= new
    assert reaching == states(procedure)


@every_procedure
def test_an_ended_state_is_left_only_by_a_late_appeal_or_more_time(procedure: Procedure) -> None:
    ends = {stage.state for stage in procedure.stages if stage.ends}
    leaving = {(start, action.name) for start, action, _ in moves(procedure) if start in ends}
    assert leaving == {(State.FINAL, ActionName.LODGE_APPEAL), (State.FINAL, ActionName.REOPEN)}


@every_procedure
def test_a_state_that_waits_names_who_is_waited_for_and_he_can_act(procedure: Procedure) -> None:
    """Where nobody of this proceeding is waited for, the appeal against it is: the system goes on when that ends."""
    for stage in procedure.stages:
        here = [action for action in procedure.actions if stage.state in action.start and action.start != ANYWHERE]
        if stage.ends:
            assert not stage.waits_for
        elif stage.waits_for:
            for part in stage.waits_for:
                assert any(part in action.who for action in here), f"{part} has nothing to do in {stage.state}"
        else:
            assert any(action.automatic for action in here), stage.state


FROM_OUTSIDE = {ActionName.RECORD_PROOF, ActionName.RECORD_RETURN}
"""What a mail server says is recorded whenever it says it."""


@every_action
def test_what_the_system_does_has_guards(procedure: Procedure, action: Action) -> None:
    """The system never acts on nothing, and takes no step that needs words or a person's judgement."""
    if Part.SYSTEM in action.who and action.name not in FROM_OUTSIDE:
        assert action.who == {Part.SYSTEM}
        assert action.guards
        assert not action.checks
    if action.automatic:
        assert action.who == {Part.SYSTEM}
        assert not action.override


@every_procedure
def test_automatic_actions_cannot_loop(procedure: Procedure) -> None:
    """Each moves on to another state, and no chain of them comes back."""
    automatic = [action for action in procedure.actions if action.automatic]
    assert all(action.to and not action.start & set(action.to) for action in automatic)
    leads = {start: set(action.to) for action in automatic for start in action.start}
    for action in automatic:
        for start in action.start:
            leads[start] |= set(action.to)
    for start in leads:
        seen, frontier = set[State](), {start}
        while frontier:
            frontier = {to for state in frontier for to in leads.get(state, ())} - seen
            assert start not in frontier, f"automatic actions lead from {start} back to it"
            seen |= frontier


@every_action
def test_a_repeatable_action_is_no_override(procedure: Procedure, action: Action) -> None:
    """An override is listed with its reason; the parts that may use it are named one by one."""
    if action.override:
        assert Part.PARTY not in action.who
        assert Part.APPELLANT not in action.who
        assert action.guards, "an override is taken only where its condition holds"


@every_action
def test_what_an_action_opens_is_a_setting_of_the_profile(procedure: Procedure, action: Action) -> None:
    for opens in action.opens:
        assert profile().span(opens.setting)
        assert (opens.per is Per.DEMAND) == (opens.kind in (DeadlineKind.STATEMENT, DeadlineKind.ANSWER))


@every_action
def test_adding_actions_leave_the_state_alone_except_an_appeal(procedure: Procedure, action: Action) -> None:
    """Three votes or two appeals at once all land."""
    if action.adds and action.name is not ActionName.LODGE_APPEAL:
        assert not action.to


# Deadlines, followed through every path

Running = frozenset[DeadlineKind]


ON_SITE = {State.COMPOSING, State.CALLED, State.HEARING}
IN_WRITING = {State.PREPARING, State.ANSWERING, State.COMPLETE, State.SENT_IN, State.REGISTERED}


def reachable(procedure: Procedure) -> set[tuple[State, Running]]:
    """Every state with the kinds of deadline that may run in it: an appeal goes on site or in writing, never both.

    A kind that is one for each party or demand may run on after one of them is closed; an end voids all.
    """
    return _reachable(procedure, without=ON_SITE) | _reachable(procedure, without=IN_WRITING)


def _reachable(procedure: Procedure, *, without: set[State]) -> set[tuple[State, Running]]:
    ends = {stage.state for stage in procedure.stages if stage.ends}
    born = frozenset({DeadlineKind.FORWARD_APPEAL})
    seen: set[tuple[State, Running]] = set()
    frontier = {(s, born if s is State.LODGED else Running()) for s in procedure.initial if s not in without}
    while frontier:
        seen |= frontier
        frontier = {
            found
            for state, running in frontier
            for action in procedure.actions
            if state in action.start and not (without is IN_WRITING and is_in_writing in action.guards)
            for found in _after(state, running, action, ends)
            if found[0] not in without
        } - seen
    return seen


def _after(state: State, running: Running, action: Action, ends: set[State]) -> Iterator[tuple[State, Running]]:
    each = {opens.kind for p in PROCEDURES.values() for a in p.actions for opens in a.opens if opens.per is Per.PARTY}
    each |= {DeadlineKind.STATEMENT, DeadlineKind.ANSWER}
    opened = {opens.kind for opens in action.opens if not opens.in_child}
    for to in {*action.to, state} if action.choose or not action.to else set(action.to):
        if to in ends:
            yield to, Running()
            continue
        left = running - set(action.voids)
        yield to, Running(left - set(action.closes) | opened)
        yield to, Running(left - (set(action.closes) - each) | opened)


@every_procedure
def test_what_runs_out_can_be_expired_where_it_may_run(procedure: Procedure) -> None:
    for state, running in reachable(procedure):
        for kind in running:
            action = procedure.action(EXPIRES[kind])
            assert state in action.start, f"{kind} may run out in {state}"
            assert Part.SYSTEM in action.who
            assert action.guards


@every_procedure
def test_every_deadline_that_is_opened_can_be_met_or_voided(procedure: Procedure) -> None:
    closed = {kind for action in procedure.actions for kind in (*action.closes, *action.voids)}
    opened = {opens.kind for p in PROCEDURES.values() for a in p.actions for opens in a.opens}
    here = {kind for _, running in reachable(procedure) for kind in running}
    assert here <= closed
    assert opened == set(EXPIRES) == set(DeadlineKind)


# Notices

SITUATIONS = [
    case().ruled(),
    at_hearing(),
    in_writing().reported().demanded(),
    complete(),
    before_lk(),
]


@every_action
def test_every_audience_is_persons(procedure: Procedure, action: Action) -> None:
    for situation in SITUATIONS:
        facts = situation.view()
        ask = Ask(person_id=None, parts=frozenset(), now=START, party_id=NS, data={"director_id": NS})
        for tells in action.tells:
            for person, party in AUDIENCES[tells.to](facts, ask):
                assert person is not None
                assert party is None or facts.party(party).has(person)


def test_every_audience_that_is_told_something_is_known() -> None:
    used = {tells.to for p in PROCEDURES.values() for action in p.actions for tells in action.tells}
    assert used <= set(AUDIENCES)


@every_procedure
def test_a_notice_goes_once_to_an_audience(procedure: Procedure) -> None:
    for action in procedure.actions:
        told = [(tells.kind, tells.to) for tells in action.tells]
        assert len(told) == len(set(told)), action.name


def test_every_decision_tells_all_parties() -> None:
    """R32, R36."""
    for name, kind in ((ActionName.GIVE_RULING, NoticeKind.RULING), (ActionName.DECIDE_APPEAL, NoticeKind.DECISION)):
        action = next(a for p in PROCEDURES.values() for a in p.actions if a.name is name)
        facts = SITUATIONS[0].view()
        people = {
            person
            for tells in action.tells
            if tells.kind is kind
            for person, _ in AUDIENCES[tells.to](facts, Ask(person_id=None, parts=frozenset(), now=START))
        }
        assert people == {member.person_id for party in facts.parties for member in party.members}


@pytest.mark.parametrize("part", Part)
def test_every_part_has_a_label(part: Part) -> None:
    assert label(part).msgid


def test_the_main_line_stands_in_the_order_of_the_stages() -> None:
    """The timeline of stages reads forwards: each step of the written way goes to a later stage."""
    stages = [stage.state for stage in PROCEDURES[ProceedingKind.APPEAL].stages]
    way = (State.LODGED, State.PREPARING, State.ANSWERING, State.COMPLETE, State.SENT_IN, State.REGISTERED)
    assert all(stages.index(before) < stages.index(after) for before, after in pairwise(way))


@pytest.mark.parametrize("term", [*NoticeKind, *NoticeState])
def test_every_notice_is_called_something(term: NoticeKind | NoticeState) -> None:
    """The proof names one that has no subject, as it was not sent or is a letter."""
    assert label(term).msgid

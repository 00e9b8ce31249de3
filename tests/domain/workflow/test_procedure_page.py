"""The generated procedure page says all that the tables say."""

import pytest

from casework.domain.terms import DeadlineKind, State
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.procedure_page import procedure_page
from casework.domain.workflow.table import Procedure
from tests.domain.workflow.people import profile

every_procedure = pytest.mark.parametrize("procedure", PROCEDURES.values(), ids=list(PROCEDURES))


@every_procedure
def test_every_action_stands_in_every_state_that_it_starts_from(procedure: Procedure) -> None:
    page = procedure_page(procedure, profile())
    shown = {(line.action.name, chapter.state) for chapter in page.chapters for line in chapter.lines}
    anywhere = {line.action.name for line in page.anywhere}
    for action in procedure.actions:
        if action.start == frozenset(State):
            assert action.name in anywhere
        else:
            assert {(action.name, state) for state in action.start} <= shown


@every_procedure
def test_every_state_is_a_chapter(procedure: Procedure) -> None:
    chapters = procedure_page(procedure, profile()).chapters
    assert [chapter.state for chapter in chapters] == [stage.state for stage in procedure.stages]


@every_procedure
def test_a_clock_shows_the_profile_s_own_value_and_its_source(procedure: Procedure) -> None:
    own = profile(answer=9)
    lines = [line for chapter in procedure_page(procedure, own).chapters for line in chapter.lines]
    for clock in (clock for line in lines for clock in line.clocks):
        assert clock.setting.rule
        assert clock.kind is not DeadlineKind.ANSWER or clock.setting.value == 9


@every_procedure
def test_a_line_says_who_and_where_to(procedure: Procedure) -> None:
    for chapter in procedure_page(procedure, profile()).chapters:
        for line in chapter.lines:
            assert line.who
            assert len(line.leads_to) == len(line.action.to)

"""What stands still keeps the case from going past it: no decision for good, and nobody is made to run by another."""

from datetime import timedelta

import pytest

from casework.domain.terms import ActionName, AppealOutcome, DeadlineKind, State
from tests.domain.workflow.begin import at_hearing, complete, in_writing
from tests.domain.workflow.build import DECISION_TEXT, ROOT, Case
from tests.domain.workflow.people import EW, NS, OFFICE

STANDS = "The time of {party} to appeal stands still. Let it go on first: the appeals are tried together."


def stopped(built: Case, kind: DeadlineKind, *, days: int = 0) -> Case:
    """East–West's time stands still for so many days, or until it is let go on."""
    time = built.deadline(kind, EW)
    ends = built.now + timedelta(days=days) if days else None
    return built.take(
        ActionName.SUSPEND_TIMES,
        OFFICE,
        where=time.proceeding_id,
        deadline_ids=frozenset({time.id}),
        begins=built.now,
        ends=ends,
        because="Illness.",
    )


def decision(built: Case) -> list[str]:
    """What speaks against deciding."""
    outcomes = {appeal.id: AppealOutcome.REJECTED for appeal in built.view().tried_here}
    more = {**DECISION_TEXT, "outcomes": outcomes}
    return built.refused(ActionName.DECIDE_APPEAL, built.chair, subject=built.fresh(), **more)


def test_a_jury_that_decides_for_good_waits_for_what_stands_still() -> None:
    """R38: the other side's time to appeal the ruling would end with the decision."""
    built = stopped(at_hearing(lk_open=False), DeadlineKind.APPEAL_WINDOW).heard().voted().later(days=2)
    assert decision(built) == [STANDS]
    built.take(ActionName.LIFT_SUSPENSION, OFFICE, where=ROOT).later(minutes=31)
    assert built.decided().state() is State.FINAL


def test_lk_says_that_it_waits_for_what_stands_still() -> None:
    built = stopped(complete(), DeadlineKind.APPEAL_WINDOW).sent_in().registered().without_conflicts().deliberating()
    assert STANDS in decision(built.voted())


@pytest.mark.parametrize("days", [0, 9])
def test_who_is_asked_anew_is_not_made_to_run(days: int) -> None:
    """R30: East–West's time to answer stands still while North–South add something: so does the new one."""
    built = in_writing().reported().demanded().arrives().stated(NS).stated(EW).declined(NS)
    stopped(built, DeadlineKind.ANSWER, days=days).stated(NS).arrives()
    asked = built.deadline(DeadlineKind.ANSWER, EW)
    assert asked.halted is (days == 0)
    assert asked.instant is None or asked.instant > built.now + timedelta(days=days + 5)

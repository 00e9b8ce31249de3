"""How long work takes is counted by kind, whoever does it (R-HEALTH1)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from math import inf
from uuid import uuid4

import pytest
from sqlmodel import Session

from casework import clock
from casework.adapters import durations
from casework.adapters.database import retrying, uow
from casework.adapters.outbox import Claim, Ending, Handler, enqueue
from casework.domain.operation import BOUNDS, Durations, WorkKind
from casework.domain.terms import JobState
from casework.services import health
from tests.story import Story
from workers.duties import Duties, Timed

AT_ONCE, EACH = 4, 25


def counted() -> dict[tuple[WorkKind, str], Durations]:
    with uow() as session:
        return {(one.work, one.kind): one for one in health.durations(session)}


@retrying
def count(seconds: float, kind: str = "mail") -> None:
    with uow(write=True) as session:
        durations.count(session, WorkKind.JOB, kind, seconds)


@pytest.mark.parametrize(("seconds", "bound"), [(0.0, 0.05), (0.05, 0.05), (0.051, 0.1), (1e6, inf), (-3.0, 0.05)])
def test_each_is_counted_under_the_bound_that_it_keeps_within(database: str, seconds: float, bound: float) -> None:
    """A clock that was moved back makes no time less than nothing."""
    count(seconds)
    (found,) = counted().values()
    assert found.numbers == {bound: 1}
    assert found.seconds == pytest.approx(max(seconds, 0.0))


def test_no_count_is_lost_when_several_work_at_once(database: str) -> None:
    def many(_number: int) -> None:
        for _ in range(EACH):
            count(0.2)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(many, range(AT_ONCE)))
    found = counted()[WorkKind.JOB, "mail"]
    assert found.numbers == {0.25: AT_ONCE * EACH}
    assert found.seconds == pytest.approx(0.2 * AT_ONCE * EACH)


def test_a_try_is_counted_when_it_has_ended_and_not_when_nothing_was_tried(sqlite: str) -> None:
    def tried(claim: Claim) -> Ending:
        return Ending(JobState.DONE)

    def not_yet(claim: Claim) -> Ending:
        return Ending(JobState.DUE, again_at=clock.now() + timedelta(hours=1))

    def broken(claim: Claim) -> Ending:
        raise ZeroDivisionError

    handlers = {"tried": Handler(tried), "not yet": Handler(not_yet), "broken": Handler(broken)}
    with uow(write=True) as session:
        for kind in handlers:
            enqueue(session, kind=kind, subject_id=uuid4(), case_id=None, dedupe_key=kind, due=clock.now())
    Duties(handlers=handlers).drain()
    assert {kind for _, kind in counted()} == {"tried", "broken"}


def test_a_notice_is_counted_by_its_kind_from_when_it_was_due(database: str) -> None:
    """Those told by one mail are told once; the story's mails go out a minute after the step."""
    story = Story.begun()
    story.rule()
    found = counted()[WorkKind.NOTICE, "ruling"]
    assert sum(found.numbers.values()) == 4
    assert found.seconds == pytest.approx(4 * 60)
    assert min(found.numbers) == 60.0


def test_a_step_of_the_clock_is_counted_by_its_kind(sqlite: str) -> None:
    waiting = [uuid4()]

    def pass_by(_session: Session, row_id: object, _now: object) -> None:
        waiting.clear()

    timed = Timed("reminder", lambda _session, _now, _limit: list(waiting), pass_by, pass_by)
    Duties(handlers={}, timed=[timed]).sweep(clock.now())
    assert sum(counted()[WorkKind.STEP, "reminder"].numbers.values()) == 1


def test_the_bounds_are_in_order_and_leave_nothing_out() -> None:
    assert list(BOUNDS) == sorted(set(BOUNDS))
    assert BOUNDS[-1] == inf

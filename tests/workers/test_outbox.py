"""The life of an outbox row, on both databases: claimed, past the point of no return, ended (reliability 2.3)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from casework import clock
from casework.adapters import outbox
from casework.adapters.database import BELLS, uow
from casework.adapters.outbox import BACKOFF, Claim, Ending, Handler
from casework.domain.models import Tick
from casework.domain.terms import JobState
from casework.services import health
from casework.services.clockwork import MACHINE
from tests.conftest import Set
from tests.logged import logged, text_of
from tests.workers import probe
from tests.workers.conftest import add_job, job
from workers.duties import Duties, Recurring, Timed

pytestmark = pytest.mark.usefixtures("database")

MINUTE = timedelta(minutes=1)


def work(job_id: UUID, handler: Callable[[Claim], Ending], *, now: datetime | None = None) -> JobState | None:
    """Try a job with a handler of the test's own."""
    return outbox.work(job_id, {"any": Handler(handler, probe.abandoned)}, lambda: now or clock.now())


def ticks() -> set[str]:
    """What the tests' jobs and the sweeps left, but for the machine's own time."""
    with uow() as session:
        return set(session.exec(select(Tick.name))) - {MACHINE}


def ends(state: JobState) -> Callable[[Claim], Ending]:
    return lambda _claim: Ending(state)


def test_effect_and_end_are_one_transaction() -> None:
    def fails_to_record(session: Session) -> None:
        session.add(Tick(name="half", at=clock.now()))
        session.flush()
        raise ZeroDivisionError

    job_id = add_job("any")
    assert work(job_id, lambda _: Ending(JobState.DONE, record=fails_to_record)) is JobState.DUE
    assert ticks() == set()


def test_a_job_is_claimed_once() -> None:
    """X33."""
    job_id = add_job("any")

    def second(claim: Claim) -> Ending:
        assert work(job_id, ends(JobState.DONE)) is None
        return Ending(JobState.DONE)

    assert work(job_id, second) is JobState.DONE
    assert work(job_id, ends(JobState.DONE)) is None
    assert job(job_id).attempts == 1


def test_a_job_is_not_done_before_its_time() -> None:
    job_id = add_job("any", due_in=60)
    assert work(job_id, ends(JobState.DONE)) is None
    assert work(job_id, ends(JobState.DONE), now=clock.now() + MINUTE) is JobState.DONE


def test_a_bell_is_rung_for_what_is_due_only() -> None:
    with uow(write=True) as session:
        jobs = [
            outbox.enqueue(
                session,
                kind="any",
                subject_id=uuid4(),
                case_id=None,
                dedupe_key=str(minutes),
                due=clock.now() + minutes,
            )
            for minutes in (timedelta(0), MINUTE)
        ]
        assert session.info[BELLS] == [jobs[0].id]


def test_the_same_cause_is_told_once() -> None:
    """B2.58, R-OUT1: the dedupe key."""
    add_job("any", key="mail:decision:person:event")
    with pytest.raises(IntegrityError):
        add_job("any", key="mail:decision:person:event")


def test_what_can_wait_waits_longer_each_time() -> None:
    """X34, R-ONCE3."""
    job_id, now = add_job("any"), clock.now()
    waits = []
    for _ in range(len(BACKOFF) + 1):
        assert work(job_id, ends(JobState.DUE), now=now) is JobState.DUE
        waits.append(job(job_id).next_at - now)
        now = job(job_id).next_at
    assert waits == [*BACKOFF, BACKOFF[-1]]
    assert [wait / MINUTE for wait in waits[:4]] == [1, 5, 15, 60]


def test_what_breaks_five_times_has_failed() -> None:
    """X34, X39, R-CEL3."""
    job_id, now, states = add_job("any"), clock.now(), []
    for _ in range(5):
        states.append(work(job_id, probe.broken, now=now))
        now = job(job_id).next_at
    assert states == [JobState.DUE] * 4 + [JobState.FAILED]
    assert ticks() == {f"failed-{job(job_id).subject_id.hex}"[:40]}


def test_what_breaks_past_the_point_of_no_return_is_unsure() -> None:
    """X30, R-ONCE2: never done again by itself."""

    def breaks(claim: Claim) -> Ending:
        claim.begin_sending()
        raise ZeroDivisionError

    job_id = add_job("any")
    assert work(job_id, breaks) is JobState.UNSURE
    assert ticks() == {f"unsure-{job(job_id).subject_id.hex}"[:40]}


@pytest.mark.parametrize(("sending", "state"), [(False, JobState.DUE), (True, JobState.UNSURE)])
def test_a_lease_that_ran_out(sending: bool, state: JobState) -> None:  # noqa: FBT001  # by name
    """X34, R-ONCE1; the process that comes back too late must not have the effect."""
    job_id = add_job("any")

    def sleeps_too_long(claim: Claim) -> Ending:
        if sending:
            claim.begin_sending()
        later = clock.now() + timedelta(hours=1)
        assert outbox.release(job_id, {"any": Handler(sleeps_too_long, probe.abandoned)}, later) is state
        return Ending(JobState.DONE, record=lambda session: session.add(Tick(name="effect", at=later)))

    assert work(job_id, sleeps_too_long) is None
    assert job(job_id).state is state
    assert "effect" not in ticks()


def test_a_lease_that_has_not_run_out_is_left_alone() -> None:
    job_id = add_job("any")

    def looked_at(claim: Claim) -> Ending:
        assert outbox.release(job_id, {}, clock.now()) is None
        return Ending(JobState.DONE)

    assert work(job_id, looked_at) is JobState.DONE


def test_a_lost_lease_stops_before_the_point_of_no_return() -> None:
    job_id, sent = add_job("any"), []

    def slow(claim: Claim) -> Ending:
        outbox.release(job_id, {}, clock.now() + timedelta(hours=1))
        claim.begin_sending()
        sent.append(claim)
        return Ending(JobState.DONE)

    assert work(job_id, slow) is None
    assert sent == []


def test_a_kind_that_is_not_known_yet_waits() -> None:
    """R-DEPLOY1: an older worker meets a newer release's job."""
    job_id = add_job("any")
    assert outbox.work(job_id, {}, clock.now) is JobState.DUE


def test_drain_does_all_that_is_due_and_no_more() -> None:
    due, broken, later = add_job("note"), add_job("broken"), add_job("note", due_in=3600)
    assert probe.DUTIES.drain() == 2
    assert [job(each).state for each in (due, broken, later)] == [JobState.DONE, JobState.DUE, JobState.DUE]
    assert health.SWEEP in ticks()
    assert probe.DUTIES.drain(clock.now() + timedelta(hours=2)) == 2


def test_one_deadline_that_breaks_does_not_stop_the_others() -> None:
    """F24: what broke is met again at the next sweep."""
    deadlines = [uuid4(), uuid4(), uuid4()]
    passed: list[UUID] = []

    def expire(session: Session, deadline_id: UUID, now: datetime) -> None:
        session.add(Tick(name=deadline_id.hex, at=now))
        if deadline_id == deadlines[1]:
            raise ZeroDivisionError
        passed.append(deadline_id)

    noted: list[UUID] = []
    timed = Timed(
        "deadline",
        due=lambda _session, _now, _limit: deadlines,
        run=expire,
        failed=lambda _session, deadline_id, _now: noted.append(deadline_id),
    )
    duties = Duties(handlers={}, timed=[timed])
    duties.sweep(clock.now())
    assert passed == [deadlines[0], deadlines[2]]
    assert noted == [deadlines[1]]
    assert ticks() == {health.SWEEP, deadlines[0].hex, deadlines[2].hex}


def test_recurring_work_is_done_once_in_its_time_and_never_caught_up() -> None:
    ran: list[datetime] = []
    work = Recurring("nightly", timedelta(days=1), lambda _session, now: ran.append(now))
    duties = Duties(handlers={}, recurring=[work])
    start = clock.now()
    times = [start + timedelta(hours=hours) for hours in (0, 1, 23, 24, 25, 24 * 9)]
    for now in times:
        duties.sweep(now)
        duties.sweep(now)
    assert ran == [times[0], times[3], times[5]]


def test_an_error_is_logged_without_its_words() -> None:
    """The words of an exception may quote a person's."""

    name = "Anna Exempel"

    def breaks(claim: Claim) -> Ending:
        raise ValueError(name)

    job_id = add_job("any")
    with logged() as said:
        work(job_id, breaks)
    assert [(line["event"], line["job_id"]) for line in said] == [("job_broke", str(job_id)), ("job", str(job_id))]
    assert said[0]["error"] == "ValueError"
    assert name not in text_of(said)


def test_the_clock_of_a_try_is_the_callers(settings: Set) -> None:
    """All times are passed in: a job that is worked in a moved time is stamped with it."""
    then = clock.now() + timedelta(days=8)
    job_id = add_job("any")
    work(job_id, ends(JobState.DONE), now=then)
    assert job(job_id).done_at == then

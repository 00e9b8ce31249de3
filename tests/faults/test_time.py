"""The clock under watch, on both databases: a pause is caught up once, a jump stops what goes out (F24, F25)."""

import re
import threading
from datetime import datetime, timedelta

import pytest
from sqlmodel import col, delete, select, update

from casework import clock
from casework.adapters.database import uow
from casework.domain.errors import Conflict
from casework.domain.models import Notice, OutboxJob, Tick
from casework.domain.operation import Periodic
from casework.domain.terms import (
    DeadlineEnd,
    JobState,
    NoticeKind,
    NoticeState,
)
from casework.domain.watch import InterruptionKind
from casework.services import clockwork, health
from casework.services.clockwork import ASKED
from tests.clocks import DAY, HOUR, Clocks, confirm, final_notices, interruptions, set_tick, watching, windows
from tests.story import Story
from workers.duties import Duties
from workers.handlers import MAIL


@pytest.fixture
def ruled(database: str) -> Story:
    """A ruling that everybody has been told, and whose time to appeal runs for half an hour."""
    story = Story.begun()
    story.rule()
    story.publish()
    return story


@pytest.mark.parametrize("jump", [HOUR, -HOUR, 3653 * DAY])
def test_f25_a_jump_stops_what_goes_out_and_asks(ruled: Story, jump: timedelta) -> None:
    """F25: nothing expires, nothing is mailed, filings are taken in; the confirmation is recorded, then all goes on."""
    clocks = Clocks()
    duties = watching(clocks)
    duties.sweep(ruled.at)
    clocks.wall += jump
    after = ruled.later(hours=1)
    duties.sweep(after)
    assert [one.kind for one in interruptions()] == [InterruptionKind.JUMP]
    assert windows() == [None, None]

    with uow() as session:
        assert health.stopped(session)
    duties.drain(after)
    assert windows() == [None, None]

    confirm(ruled)
    assert interruptions()[0].confirmed_by == ruled.there.persons["office"]
    set_tick(clocks.wall)  # the one who confirms looks at the same clock
    duties.drain(after)
    duties.drain(after)
    assert windows() == [DeadlineEnd.EXPIRED] * 2
    assert final_notices() == [NoticeState.HANDED_OVER] * len(final_notices())
    assert len(interruptions()) == 1


def test_f25_filings_work_and_their_mails_wait(ruled: Story) -> None:
    """F25: a party appeals while the clock is not believed; what it says goes out when somebody has confirmed."""
    clocks = Clocks()
    duties = watching(clocks)
    clocks.wall += HOUR
    duties.sweep(ruled.at)
    ruled.workers = True
    ruled.appeal()
    duties.drain(ruled.at)
    assert mails(JobState.DUE) > 0
    confirm(ruled)
    set_tick(clocks.wall)
    duties.drain(ruled.at)
    assert mails(JobState.DUE) == 0


def mails(state: JobState) -> int:
    """How many mails about the received appeal are in a state."""
    told = select(col(Notice.id)).where(col(Notice.kind) == NoticeKind.APPEAL_RECEIVED)
    with uow() as session:
        jobs = select(OutboxJob).where(
            OutboxJob.kind == MAIL, OutboxJob.state == state, col(OutboxJob.subject_id).in_(told)
        )
        return len(session.exec(jobs).all())


def test_f25_a_jump_is_seen_between_two_sweeps(ruled: Story) -> None:
    """A mail's own bell does not let it slip out before the next sweep."""
    clocks = Clocks()
    duties = watching(clocks)
    ruled.workers = True
    clocks.wall += HOUR
    ruled.appeal()
    with uow() as session:
        waiting = session.exec(
            select(OutboxJob.id).where(OutboxJob.kind == MAIL, OutboxJob.state == JobState.DUE)
        ).all()
    assert waiting
    for job_id in waiting:
        duties.run_job(str(job_id))
    assert mails(JobState.DONE) == 0
    assert len(interruptions()) == 1


def test_f24_a_pause_is_caught_up_once_with_a_note(ruled: Story) -> None:
    """F24: nothing ran for three days; every step is done once, and the note says from when to when."""
    set_tick(clock.machine() - 3 * DAY)
    duties = watching(Clocks())
    after = ruled.later(days=3)
    for _ in range(2):
        duties.drain(after)
    (pause,) = interruptions()
    assert (pause.kind, pause.ended_at) == (InterruptionKind.PAUSE, pause.found_at)
    assert windows() == [DeadlineEnd.EXPIRED] * 2
    assert len(final_notices()) == len(set(ruled.case.party_ids)) * 2 + 1
    with uow() as session:
        assert not health.stopped(session)


def test_f25_a_process_that_begins_ahead_of_others_is_not_believed(ruled: Story) -> None:
    """The clock process begins an hour ahead of a worker that lives: no pause, and no window ends early."""
    set_tick(clock.machine() - timedelta(minutes=10))
    false, right = watching(Clocks(wall=clock.machine() + HOUR)), watching(Clocks())
    after = ruled.at + HOUR
    false.sweep(after)
    right.sweep(ruled.at)  # by the bell that the clock process rings
    false.sweep(after)
    assert [one.kind for one in interruptions()] == [InterruptionKind.JUMP]
    assert windows() == [None, None]


def test_f25_a_worker_that_has_looked_before_contradicts_a_false_beginning(ruled: Story) -> None:
    """It follows its own clock, and so shows that the other's is wrong."""
    right = watching(Clocks())
    right.sweep(ruled.at)
    false = watching(Clocks(wall=clock.machine() + 11 * DAY))
    after = ruled.at + 11 * DAY
    false.sweep(after)
    with uow(write=True) as session:  # the worker looked at the same moment, before it could read what was asked
        session.execute(delete(Tick).where(col(Tick.name) == ASKED))
    right.sweep(ruled.at)
    false.sweep(after)
    assert [one.kind for one in interruptions()] == [InterruptionKind.JUMP]
    assert re.search("another process|the database's", interruptions()[0].words.msgid)  # PostgreSQL's objects itself
    assert windows() == [None, None]


def test_f25_who_begins_after_a_confirmation_is_compared_anew(ruled: Story) -> None:
    """The wrong clock process goes on after somebody has confirmed the right time."""
    clocks = Clocks(wall=clock.machine() + HOUR)
    false, right = watching(clocks), watching(Clocks())
    right.sweep(ruled.at)
    false.sweep(ruled.at)
    right.sweep(ruled.at)
    confirm(ruled)
    false.sweep(ruled.later(hours=1))
    assert windows() == [None, None]


def test_f25_a_machine_that_slept_only_paused(sqlite: str) -> None:
    """Both clocks moved alike."""
    clocks = Clocks()
    duties = watching(clocks)
    duties.sweep(clock.now())
    clocks.pass_by(2 * DAY)
    duties.sweep(clock.now())
    assert [one.kind for one in interruptions()] == [InterruptionKind.PAUSE]


@pytest.mark.parametrize(("ago", "stopped"), [(-HOUR, True), (timedelta(0), False), (401 * DAY, True)])
def test_f25_a_process_that_begins_compares_with_the_last_tick(database: str, ago: timedelta, stopped: bool) -> None:  # noqa: FBT001  # by name
    """F25: the clock was set back, or ten years ahead, while nothing ran."""
    set_tick(clock.machine() - ago)
    watching(Clocks()).sweep(clock.now())
    with uow() as session:
        assert health.stopped(session) is stopped


def test_f25_a_skew_against_the_databases_clock_stops_and_is_confirmed_once(postgres: str) -> None:
    """F25, and who has confirmed a skew is not asked about the same one every minute."""
    story = Story.begun()
    clocks = Clocks(wall=clock.machine() + timedelta(seconds=30))
    duties = watching(clocks)
    duties.sweep(clock.now())
    assert len(interruptions()) == 1
    confirm(story)
    set_tick(clocks.wall)
    duties.sweep(clock.now())
    assert [one.ended_at is None for one in interruptions()] == [False]


def test_f25_the_demos_offset_is_no_jump(sqlite: str) -> None:
    """The movable clock moves the procedure, not the machine."""
    duties = watching(Clocks())
    duties.sweep(clock.now())
    clock.advance(8 * DAY)
    duties.sweep(clock.now())
    assert interruptions() == []


def test_f25_a_confirmation_holds_for_every_process(ruled: Story) -> None:
    """A worker whose last look lies before the jump does not ask again."""
    clocks = Clocks()
    first, second = watching(clocks), watching(clocks)
    clocks.wall += HOUR
    first.sweep(ruled.at)
    confirm(ruled)
    set_tick(clocks.wall)
    second.sweep(ruled.at)
    first.sweep(ruled.at)
    assert len(interruptions()) == 1


def test_f25_another_jump_is_another_question(ruled: Story) -> None:
    """Who answers a page about the first has not seen the second."""
    clocks = Clocks()
    duties = watching(clocks)
    clocks.wall += HOUR
    duties.sweep(ruled.at)
    confirm(ruled)
    first = str(interruptions()[0].id)
    set_tick(clocks.wall)
    duties.sweep(ruled.at)
    clocks.wall -= HOUR
    duties.sweep(ruled.at)
    with pytest.raises(Conflict), uow(write=True) as session:
        clockwork.confirm(session, ruled.actors["office"], first)


def test_f24_two_clocks_find_one_jump_and_have_one_effect(ruled: Story) -> None:
    """F24, X68: two beats at once, one question; each deadline passes once."""
    clocks = Clocks()
    both = [watching(clocks), watching(clocks)]
    clocks.wall += HOUR
    at_once(both, ruled.at)
    assert len(interruptions()) == 1
    confirm(ruled)
    set_tick(clocks.wall)
    at_once(both, ruled.later(hours=1))
    assert windows() == [DeadlineEnd.EXPIRED] * 2


def at_once(all_duties: list[Duties], now: datetime) -> None:
    barrier = threading.Barrier(len(all_duties))

    def run(duties: Duties) -> None:
        barrier.wait()
        duties.sweep(now)

    threads = [threading.Thread(target=run, args=(duties,)) for duties in all_duties]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_f25_no_periodic_work_waits_for_a_false_time(ruled: Story) -> None:
    """R-BEAT1: a wrong clock wrote when each was last done; a bounced ruling must not count as delivered till then."""
    watching(Clocks()).sweep(clock.now())
    false = clock.now() + 11 * DAY
    with uow(write=True) as session:
        session.execute(update(Tick).where(col(Tick.name).in_(Periodic)).values(at=false))
    watching(Clocks()).sweep(clock.now())
    assert max(last_done().values()) < false


def test_f25_the_confirmation_puts_every_last_time_right(ruled: Story) -> None:
    """The clock process swept an hour ahead; then everything has the right time, not only what ticks each minute."""
    clocks = Clocks(wall=clock.machine() + HOUR)
    watching(clocks).sweep(clock.now() + HOUR)
    watching(Clocks()).sweep(clock.now())
    confirm(ruled)
    assert all(at <= clock.now() for at in last_done().values())


def last_done() -> dict[str, datetime]:
    with uow() as session:
        return dict(session.exec(select(Tick.name, Tick.at)).all())

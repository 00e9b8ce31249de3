"""Reminders and escalation, on both databases: each step once, done or red, however late the clock comes (R-DL2)."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from sqlmodel import Session, col, select

from casework import clock
from casework.adapters.database import uow
from casework.adapters.i18n import format_instant
from casework.clock import LOCAL
from casework.domain.models import Deadline, Demand, Event, Notice, Tick, Timer
from casework.domain.terms import ActionName, AppealRoute, DeadlineEnd, DeadlineKind, DemandEnd, DemandKind, NoticeKind
from casework.domain.watch import TimerState
from casework.services import notices, timers
from casework.services.clockwork import MACHINE, Watch
from tests.kept import kept
from tests.story import Story
from tests.web.readers import case_page
from workers.handlers import DUTIES

DAY = timedelta(days=1)


@kept
def asked_in_writing() -> Story:
    """An appeal to the Law Commission: both sides have been asked for a statement."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    return story


@pytest.fixture
def asked(database: str) -> Story:
    return asked_in_writing()


@kept
def appealed() -> Story:
    """An appeal that the director ought to forward within a day."""
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal()
    story.concur()
    return story


@pytest.fixture
def unforwarded(database: str) -> Story:
    return appealed()


def sweep(now: datetime, times: int = 1) -> None:
    """What the clock does at `now`."""
    duties = replace(DUTIES, watch=Watch())
    for _ in range(times):
        duties.sweep(now)


def told(kind: NoticeKind) -> list[Notice]:
    with uow() as session:
        return list(session.exec(select(Notice).where(Notice.kind == kind).order_by(col(Notice.due_at))))


def all_timers(step: str) -> list[Timer]:
    with uow() as session:
        return list(session.exec(select(Timer).where(Timer.step == step)))


def last_day(kind: DeadlineKind) -> datetime:
    with uow() as session:
        instants = session.exec(select(Deadline.instant).where(Deadline.kind == kind)).all()
    return max(instant for instant in instants if instant is not None)


def morning(end: datetime, days: int) -> datetime:
    """Nine o'clock some days after the day on which a time ends."""
    day = end.astimezone(LOCAL) + days * DAY
    return day.replace(hour=9, minute=0, second=0)


def down_since(due: datetime, now: datetime) -> None:
    """Nothing ran from a minute before `due` to `now`."""
    with uow(write=True) as session:
        tick = session.exec(select(Tick).where(Tick.name == MACHINE)).first() or Tick(name=MACHINE, at=now)
        tick.at = clock.machine() - (now - due) - timedelta(minutes=1)
        session.add(tick)


def test_who_has_not_answered_is_reminded_three_days_and_one_day_before(asked: Story) -> None:
    """B2.51, C10: T-3 and T-1, in the morning; each once, however often the clock looks."""
    end = last_day(DeadlineKind.STATEMENT)
    for before, reminded in ((4, 0), (3, 4), (2, 4), (1, 8)):
        sweep(morning(end, -before), times=2)
        assert len(told(NoticeKind.STATEMENT_REMINDER)) == reminded
    with uow() as session:
        assert timers.red(session) == []


def test_nobody_is_reminded_at_night(asked: Story) -> None:
    """B1.38."""
    hours = {timer.due_at.astimezone(LOCAL).hour for timer in (*all_timers("remind:3"), *all_timers("remind:1"))}
    assert hours == {9}


def test_who_has_answered_is_not_reminded(asked: Story) -> None:
    """B2.51."""
    asked.state({"north": "Pausen var kort."})
    sweep(morning(last_day(DeadlineKind.STATEMENT), -1))
    east_west = {asked.there.persons[key] for key in ("east", "west")}
    assert {notice.person_id for notice in told(NoticeKind.STATEMENT_REMINDER)} == east_west
    assert {timer.state for timer in all_timers("remind:1")} == {TimerState.DONE}


def test_after_an_outage_each_step_is_done_once_with_a_note(asked: Story) -> None:
    """R-DL2, B1.25: both reminders fell into three days without a clock; late is done in one mail, and says why."""
    end = last_day(DeadlineKind.STATEMENT)
    now = morning(end, -1) + timedelta(hours=3)
    down_since(morning(end, -3), now)
    sweep(now, times=2)
    reminders = told(NoticeKind.STATEMENT_REMINDER)
    assert len(reminders) == 4
    with uow() as session:
        letter = notices.message_for(session, reminders[0].id, now)
    assert "Det här kommer sent. Det skulle ha gjorts" in letter.text
    assert "Det här kommer sent. Det skulle ha gjorts" in letter.html
    asked.at = now
    assert "Det här kommer sent" in case_page(asked, "director").text("main")


def test_what_is_long_overdue_is_done_once(asked: Story) -> None:
    """B1.25: more than four days ago is neither skipped for ever nor made anew every four hours."""
    end = last_day(DeadlineKind.STATEMENT)
    now = end + 10 * DAY
    down_since(end, now)
    for hours in (0, 4, 8):
        sweep(now + timedelta(hours=hours), times=2)
    with uow() as session:
        ended = session.exec(select(Event.data).where(Event.action == ActionName.END_DEMAND)).all()
        demands = session.exec(select(Demand.ended).where(Demand.kind == DemandKind.STATEMENT)).all()
    assert len(ended) == len(demands) == 2
    assert set(demands) == {DemandEnd.SILENT}


def test_a_body_that_does_not_decide_in_time_is_red(database: str) -> None:
    """B1.33: the body sees its time; when that has run out all are told, and it may still decide."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.write_papers()
    end = last_day(DeadlineKind.DECISION)
    assert format_instant(end, "sv") in case_page(story, "lk_chair").text("main")
    sweep(end + timedelta(minutes=1), times=2)
    keys = ("office", "director", "north", "south", "east", "west")
    assert sorted(notice.person_id for notice in told(NoticeKind.DEADLINE_PASSED)) == sorted(
        story.there.persons[key] for key in keys
    )
    story.at = end + DAY
    story.register()


def test_what_is_done_in_time_says_nothing_of_a_delay(asked: Story) -> None:
    sweep(morning(last_day(DeadlineKind.STATEMENT), -3))
    with uow() as session:
        letter = notices.message_for(session, told(NoticeKind.STATEMENT_REMINDER)[0].id, asked.at)
    assert "kommer sent" not in letter.text


def test_a_reminder_that_came_to_nothing_is_red(asked: Story) -> None:
    """Never silently skipped: the time ran out while nothing ran, so a person asks the party."""
    end = last_day(DeadlineKind.STATEMENT)
    sweep(morning(end, -3))
    sweep(morning(end, 2))
    assert len(told(NoticeKind.STATEMENT_REMINDER)) == 4
    assert {timer.state for timer in all_timers("remind:1")} == {TimerState.RED}
    with uow() as session:
        assert [one.number for one in timers.red(session)] == [asked.case.number] * 2


def test_an_overdue_step_is_red_and_goes_to_a_person_again(unforwarded: Story) -> None:
    """B1.33, R24, C10: told when it is overdue, and again after three and seven days until it is done."""
    end = last_day(DeadlineKind.FORWARD_APPEAL)
    sweep(end + timedelta(minutes=1), times=2)
    first = len(told(NoticeKind.DEADLINE_PASSED))
    assert first > 0
    sweep(morning(end, 3), times=2)
    again = told(NoticeKind.DEADLINE_PASSED)[first:]
    assert {notice.person_id for notice in again} == {unforwarded.there.persons[key] for key in ("office", "director")}
    with uow() as session:
        assert "har sagts förut" in notices.message_for(session, again[0].id, morning(end, 3)).text
    unforwarded.at = morning(end, 4)
    unforwarded.write(lambda _session: None)
    unforwarded.forward()
    sweep(morning(end, 7))
    assert len(told(NoticeKind.DEADLINE_PASSED)) == first + len(again)
    assert {timer.state for timer in all_timers("escalate:7")} == {TimerState.DONE}


def test_a_deadline_that_cannot_end_becomes_red_and_is_tried_again(asked: Story) -> None:
    """B1.25: neither skipped for ever nor in the way of others."""
    end = last_day(DeadlineKind.STATEMENT) + timedelta(minutes=1)

    def breaks(_session: Session, _deadline_id: UUID, _now: datetime) -> None:
        raise ZeroDivisionError

    broken = replace(DUTIES, timed=[replace(DUTIES.timed[0], run=breaks)], watch=Watch())
    for _ in range(timers.MAX_ATTEMPTS + 1):
        broken.sweep(end)
    failed = all_timers(timers.EXPIRE)
    assert {(timer.state, timer.attempts) for timer in failed} == {(TimerState.RED, timers.MAX_ATTEMPTS)}
    with uow(write=True) as session:
        for timer in failed:
            timers.try_again(session, timer.id)
    sweep(end)
    with uow() as session:
        ended = session.exec(select(col(Deadline.ended)).where(Deadline.kind == DeadlineKind.STATEMENT)).all()
    assert set(ended) == {DeadlineEnd.EXPIRED}


def test_what_a_person_has_seen_to_leaves_the_list(asked: Story) -> None:
    sweep(morning(last_day(DeadlineKind.STATEMENT), 2))
    with uow(write=True) as session:
        for one in timers.red(session):
            timers.set_aside(session, one.timer_id, clock.now())
    with uow() as session:
        assert not timers.any_red(session)


def test_officials_are_reminded_of_their_own_tasks_and_no_party_is(database: str) -> None:
    """C10: three days and one day before, whose task it is: the director of his report, the body of its decision."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    sweep(morning(last_day(DeadlineKind.REPORT), -1), times=2)
    assert [notice.person_id for notice in told(NoticeKind.TASK_DUE)] == [story.there.persons["director"]]
    with uow() as session:
        letter = notices.message_for(session, told(NoticeKind.TASK_DUE)[0].id, story.at)
    assert "rapport" in letter.text


def test_who_has_done_his_task_is_not_reminded(asked: Story) -> None:
    sweep(morning(last_day(DeadlineKind.STATEMENT), -1))
    assert told(NoticeKind.TASK_DUE) == []


def test_several_reminders_that_are_due_at_once_are_one_mail(asked: Story) -> None:
    """The clock stood still over both mornings: the later one says it, and the earlier is done with its reason."""
    sweep(morning(last_day(DeadlineKind.STATEMENT), -1) + timedelta(hours=1), times=2)
    sent = told(NoticeKind.STATEMENT_REMINDER)
    assert len({notice.person_id for notice in sent}) == len(sent) == 4
    earlier, later = all_timers("remind:3"), all_timers("remind:1")
    assert {timer.state for timer in (*earlier, *later)} == {TimerState.DONE}
    assert {timer.words.msgid for timer in earlier if timer.words} == {
        "It was told with the next step, as both were due: the system had stood still."
    }
    assert {timer.words for timer in later} == {None}


def test_an_overdue_step_is_told_again_once_for_all_that_was_missed(unforwarded: Story) -> None:
    """The third and the seventh day come at once."""
    passed = last_day(DeadlineKind.FORWARD_APPEAL)
    sweep(passed + timedelta(minutes=1))
    before = len(told(NoticeKind.DEADLINE_PASSED))
    sweep(morning(passed, 8), times=2)
    again = told(NoticeKind.DEADLINE_PASSED)[before:]
    assert len({notice.person_id for notice in again}) == len(again) > 0
    assert {timer.state for step in ("escalate:3", "escalate:7") for timer in all_timers(step)} == {TimerState.DONE}

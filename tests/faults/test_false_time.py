"""What a clock that was ahead has done, put right when somebody confirms the right time, on both databases (F25)."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from casework import clock
from casework.adapters.database import uow
from casework.domain.delivery import OurReason
from casework.domain.labels import label
from casework.domain.models import Case, Demand, Notice, Proceeding, Timer
from casework.domain.terms import (
    ActionName,
    AppealRoute,
    DeadlineEnd,
    DemandEnd,
    NoticeKind,
    NoticeState,
    State,
)
from casework.domain.watch import TimerState
from casework.services import deadlines, dispatch, false_time, history, notice_proof, timers
from tests.clocks import DAY, HOUR, Clocks, confirm, final_notices, interruptions, watching, windows
from tests.story import Story
from tests.web.readers import case_page


@pytest.fixture
def ruled(database: str) -> Story:
    """A ruling that everybody has been told, and whose time to appeal runs for half an hour."""
    story = Story.begun()
    story.rule()
    story.publish()
    return story


def swept_ahead(by: timedelta) -> None:
    """The clock process was ahead, and the database's clock with it; then both are right, and the office is asked."""
    clocks = Clocks()
    duties = watching(clocks)
    duties.sweep(clock.now() + by)
    clocks.wall -= by
    duties.sweep(clock.now())
    assert len(interruptions()) == 1


@pytest.fixture
def ahead(ruled: Story) -> Story:
    """The clock process began an hour ahead, with nobody to object, and ended both times to appeal."""
    clock.advance(ruled.at - clock.now())
    swept_ahead(HOUR)
    assert windows() == [DeadlineEnd.EXPIRED] * 2
    return ruled


def test_f25_what_ended_in_false_time_runs_again_when_the_clock_is_confirmed(ahead: Story) -> None:
    """R32: nobody loses time; page, history and list say it, and the time ends once, when it has run."""
    with uow() as session:
        assert {deed.action for deed in false_time.deeds(session, clock.now())} == {ActionName.CLOSE_WINDOW}
    confirm(ahead)
    assert windows() == [None, None]
    with uow() as session:
        assert {deed.put_right for deed in false_time.deeds(session, clock.now())} == {True}
        assert history.verify(session, session.get_one(Case, ahead.case.case_id)) is None
    ahead.at = clock.now()
    for reader in ("north", "director"):
        page = case_page(ahead, reader).text("main")
        assert "Tiden löper vidare: systemets klocka gick fel" in page
        assert "kvar" in page
        assert "Tiden gick ut" not in page
    duties = watching(Clocks())
    duties.drain(clock.now())
    assert windows() == [None, None]
    assert final_notices() == []
    duties.drain(clock.now() + HOUR)
    assert windows() == [DeadlineEnd.EXPIRED] * 2
    assert len(final_notices()) == 5


def test_f25_a_time_that_false_time_ended_is_shown_as_what_it_is(ahead: Story) -> None:
    """Before anybody confirms the right time too: the side reads one thing, that it can still appeal in time."""
    ahead.at = clock.now()
    page = case_page(ahead, "north").text("main")
    assert "kvar" in page
    assert "Tiden gick ut" not in page


@pytest.mark.parametrize("told", [False, True])
def test_f25_what_became_final_in_false_time_is_taken_back(ahead: Story, told: bool) -> None:  # noqa: FBT001  # by name
    """What has gone is corrected by a mail; what has not is stopped, says why, and asks nothing of the office."""
    false = clock.now() + HOUR
    with uow(write=True) as session:
        deadlines.advance(session, ahead.case.case_id, false)
    assert len(final_notices()) == 5
    if told:
        ahead.at = false
        ahead.deliver()
    confirm(ahead)
    assert windows() == [None, None]
    with uow() as session:
        now = clock.now()
        back = session.exec(select(Notice).where(Notice.kind == NoticeKind.NO_LONGER_FINAL)).all()
        stopped = session.exec(select(Notice).where(Notice.state == NoticeState.CALLED_BACK)).all()
        assert {notice.state for notice in back} == {NoticeState.DUE if told else NoticeState.CALLED_BACK}
        assert all(notice_proof.state_of(one) == label(OurReason.WRONG_CLOCK) for one in stopped)
        waiting = session.exec(
            select(Notice.id).where(dispatch.needs_somebody(now), Notice.state == NoticeState.CALLED_BACK)
        )
        assert list(waiting) == []
        assert session.exec(select(Proceeding.state)).one() is State.GIVEN
    assert set(final_notices()) == {NoticeState.HANDED_OVER if told else NoticeState.CALLED_BACK}


def test_f25_reminders_of_false_time_wait_again(database: str) -> None:
    """Eleven days ahead: demands fell silent and reminders were red; none of it holds."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    clock.advance(story.at - clock.now())
    swept_ahead(11 * DAY)
    with uow() as session:
        assert timers.any_red(session)
        assert set(session.exec(select(Demand.ended))) == {DemandEnd.SILENT}
    confirm(story)
    with uow() as session:
        assert not timers.any_red(session)
        assert set(session.exec(select(Demand.ended))) == {None}
        early = select(Timer.state).where(col(Timer.due_at) > clock.now())
        assert set(session.exec(early)) == {TimerState.WAITING}
        mails = session.exec(select(Notice.state).where(col(Notice.due_at) > clock.now())).all()
        assert set(mails) <= {NoticeState.CALLED_BACK}

"""A day off that comes or goes while times run, on both databases; and what a rule version closed (B1.10, B1.137)."""

import json
from datetime import timedelta

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.cli import main
from casework.domain.calendar import Span, Unit
from casework.domain.models import Deadline, DeadlineMove, Event, Notice
from casework.domain.terms import ActionName, AppealRoute, DeadlineKind, NoticeKind
from casework.services.reckoning import rule_version
from tests import factories
from tests.conftest import Set
from tests.factories import START
from tests.kept import kept
from tests.story import Story
from tests.web.readers import case_page
from workers.handlers import DUTIES

NEW_DAY_OFF = '["2026-12-08"]'
"""The tenth day after the ruling, which nobody knew to be a day off."""


@kept
def ten_days() -> Story:
    """Ten days to appeal, until Tuesday 8 December."""
    story = Story.begun(settings={"appeal_window": Span(10, Unit.days)})
    factories.publish_score(story.there, at=START)
    story.rule()
    return story


@pytest.fixture
def story(database: str) -> Story:
    return ten_days()


def windows() -> list[Deadline]:
    with uow() as session:
        return list(session.exec(select(Deadline)))


def days() -> set[str]:
    return {str(window.last_day) for window in windows()}


def test_a_new_day_off_moves_what_runs_and_lists_it(
    story: Story, settings: Set, capsys: pytest.CaptureFixture[str]
) -> None:
    """B1.10: Each case that it moved; the old time is kept, the parties are told, the history says it."""
    before = rule_version()
    settings(extra_holidays=NEW_DAY_OFF)
    assert main(["deadlines", "recalc", "--dry-run"]) == 0
    assert "2 of 2 times would be moved." in capsys.readouterr().out
    assert days() == {"2026-12-08"}

    assert main(["deadlines", "recalc"]) == 0
    listed = capsys.readouterr().out
    assert listed.count(f"{story.case.number}  ") == 2
    assert "Tuesday 8 December 2026 at 23.59 -> Wednesday 9 December 2026 at 23.59  moved" in listed
    assert days() == {"2026-12-09"}
    with uow() as session:
        moves = session.exec(select(DeadlineMove)).all()
        told = session.exec(select(Notice).where(Notice.kind == NoticeKind.WINDOW_MOVED)).all()
        events = session.exec(select(Event).where(Event.action == ActionName.RECALCULATE)).all()
    assert {(move.action, move.rule_version) for move in moves} == {(ActionName.RECALCULATE, before)}
    assert len(told) == 4
    assert len(events) == 2

    assert main(["deadlines", "recalc"]) == 0
    assert capsys.readouterr().out == "0 of 0 times are moved.\n"


def test_a_day_off_that_goes_takes_nothing(story: Story, settings: Set, capsys: pytest.CaptureFixture[str]) -> None:
    """Who has been told of the later day keeps it; the list says so."""
    settings(extra_holidays=NEW_DAY_OFF)
    main(["deadlines", "recalc"])
    settings(extra_holidays="[]")
    assert main(["deadlines", "recalc"]) == 0
    assert "stays, as somebody has been told of the later day" in capsys.readouterr().out
    assert days() == {"2026-12-09"}


def test_which_windows_a_rule_version_closed(story: Story, settings: Set, capsys: pytest.CaptureFixture[str]) -> None:
    """Base and end were kept, so that a wrong rule's victims can be listed."""
    old = rule_version()
    DUTIES.sweep(story.later(days=11))
    settings(extra_holidays=NEW_DAY_OFF)
    assert main(["deadlines", "rule-version", old]) == 0
    listed = capsys.readouterr().out
    assert listed.count(story.case.number) == 2
    assert "2 windows to appeal ran out by" in listed
    assert main(["deadlines", "rule-version"]) == 0
    assert f"{old}  2 times, 2 windows to appeal have run out\n" == capsys.readouterr().out
    assert main(["deadlines", "rule-version", "9/nothing"]) == 1


def test_a_time_that_has_run_out_is_left_alone(story: Story, settings: Set) -> None:
    DUTIES.sweep(story.later(days=11))
    settings(extra_holidays=NEW_DAY_OFF)
    main(["deadlines", "recalc"])
    assert days() == {"2026-12-08"}
    assert {window.ended_at is not None for window in windows()} == {True}


def test_minutes_are_not_counted_again(database: str, settings: Set, capsys: pytest.CaptureFixture[str]) -> None:
    """An exact time has no last day."""
    story = Story.begun()
    story.rule()
    story.publish()
    settings(extra_holidays=f'["{(story.at + timedelta(minutes=30)).date()}"]')
    assert main(["deadlines", "recalc"]) == 0
    assert capsys.readouterr().out == "0 of 0 times are moved.\n"


def test_a_moved_statement_is_told_to_its_side_and_named_in_history_and_list(
    database: str, settings: Set, capsys: pytest.CaptureFixture[str]
) -> None:
    """No last day is moved without a mail: the list and the history say whose, from when and to when."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    with uow() as session:
        last = {d.last_day for d in session.exec(select(Deadline).where(Deadline.kind == DeadlineKind.STATEMENT))}
    settings(extra_holidays=json.dumps([str(day) for day in last]))
    assert main(["deadlines", "recalc"]) == 0
    assert "pair 7: " in capsys.readouterr().out
    with uow() as session:
        told = session.exec(select(Notice).where(Notice.kind == NoticeKind.STATEMENT_REMINDER)).all()
    assert len(told) == 4
    assert {notice.demand_id is None for notice in told} == {False}
    history = case_page(story, "office").text("main")
    assert "För par 7 är den flyttad från" in history

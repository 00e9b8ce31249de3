"""Deadlines end at their instant and at no other, in the nights when the clock moves and over feasts (F26, F27)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import col, select

from casework import clock
from casework.adapters.database import uow
from casework.domain.calendar import Span
from casework.domain.minutes import over_from
from casework.domain.models import Deadline, Event
from casework.domain.models import Session as PlayingSession
from casework.domain.terms import ActionName, DeadlineEnd
from casework.services.clockwork import Watch
from tests import factories
from tests.faults.pairs import WITHOUT_BROKER, Pair
from tests.faults.settled import settle
from tests.scenarios.test_one_instant import CASES
from tests.smtp import SmtpSink
from workers.handlers import DUTIES

NIGHTS = [name for name in CASES if name.startswith(("the hour", "the last day", "the second", "summer"))]
FEASTS = [name for name in CASES if name not in NIGHTS]
SECOND = timedelta(seconds=1)


@pytest.mark.fault(bites=WITHOUT_BROKER[1], pairs=WITHOUT_BROKER)
@pytest.mark.parametrize("name", NIGHTS)
def test_f26_a_window_ends_at_its_instant_when_the_clock_moves(name: str, on_pair: Pair, smtp_sink: SmtpSink) -> None:
    """F26, B1.2, B1.24: the hour that comes twice or never ends no time early, late or twice."""
    ends_once(name, smtp_sink)


@pytest.mark.fault(bites=WITHOUT_BROKER[0], pairs=WITHOUT_BROKER)
@pytest.mark.parametrize("name", FEASTS)
def test_f27_a_window_ends_at_its_instant_over_feasts(name: str, on_pair: Pair, smtp_sink: SmtpSink) -> None:
    """F27, B1.15, B1.35: leap day, year-end, Easter, Midsummer and working days."""
    ends_once(name, smtp_sink)


def ends_once(name: str, sink: SmtpSink) -> None:
    """A ruling's window: open as long as the minute of its instant lasts, ended then, and never again."""
    base, rule, end = CASES[name]
    expected = over_from(datetime.fromisoformat(end))
    publish(datetime.fromisoformat(base).astimezone(UTC), rule)
    duties = replace(DUTIES, watch=Watch())
    for half_hours in range(4, 0, -1):
        duties.sweep(expected - half_hours * timedelta(minutes=30) + timedelta(minutes=29))
    duties.sweep(expected - SECOND)
    assert ends() == [None, None]
    for later in (timedelta(0), SECOND, timedelta(hours=1), timedelta(hours=2)):
        duties.sweep(expected + later)
    assert ends() == [DeadlineEnd.EXPIRED] * 2
    with uow() as session:
        closed = session.exec(select(col(Event.at)).where(Event.action == ActionName.CLOSE_WINDOW)).all()
    assert closed == [expected, expected]
    settle(sink, now=expected + timedelta(days=1))


def publish(base: datetime, rule: str) -> None:
    """A ruling told at the table half an hour before its score is made available at `base`."""
    there = factories.federation(settings={"appeal_window": Span.read(rule)})
    given = base - timedelta(minutes=30)
    with uow(write=True) as session:
        session.get_one(PlayingSession, there.session_id).starts_at = given - timedelta(hours=2)
    clock.advance(base - clock.now())
    case = factories.open_case(there, at=given)
    told = {there.persons[key]: given for key in ("north", "east")}
    factories.give_ruling(there, case, at=given, told=told)
    factories.publish_score(there, at=base)


def ends() -> list[DeadlineEnd | None]:
    """How the two windows have ended."""
    with uow() as session:
        return list(session.exec(select(col(Deadline.ended))))

"""Back in the browser, other answers, the same form sent again: what was sent counts, and the page says so (F29)."""

from datetime import timedelta

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.clock import now
from casework.domain.models import Panel, Vote
from casework.domain.terms import Position
from tests.factories import federation
from tests.juries import answered, heard
from tests.web.panels import AGO, at, browser, by_link

pytestmark = pytest.mark.usefixtures("sqlite")

COUNTS = "det som stod då är det som gäller"


def test_a_vote_that_is_changed_is_not_said_to_be_kept() -> None:
    """Nothing of it is prose: the page does not promise words below."""
    case = heard(federation(), at=now() - AGO)
    member = by_link(case, "juror_1")
    page = member.get(at(case, "overlaggning"))
    member.submit(page, "Lägg din röst", position="confirm")
    assert member.submit(page, "Lägg din röst", position="confirm").h1 != "Något har hänt under tiden"
    again = member.submit(page, "Lägg din röst", status=409, position="change")
    assert COUNTS in again.text("main")
    assert "står nedan" not in again.text("main")
    with uow() as session:
        assert session.exec(select(Vote)).one().position is Position.CONFIRM


def test_the_hour_of_a_call_that_is_changed_is_not_said_to_be_sent() -> None:
    case = answered(federation(), at=now() - AGO)
    director, day = browser(case.there, "director"), (now() + timedelta(days=2)).date().isoformat()
    page = director.get(at(case, "sammantrade/kalla"))
    director.submit(page, "Kalla till sammanträdet", place="Rum 3", day=day, clock="19.00")
    with uow() as session:
        called = session.exec(select(Panel)).one().hearing_at
    changed = {"place": "Rum 3", "day": day, "clock": "20.00"}
    assert COUNTS in director.submit(page, "Kalla till sammanträdet", status=409, **changed).text("main")
    with uow() as session:
        assert session.exec(select(Panel)).one().hearing_at == called

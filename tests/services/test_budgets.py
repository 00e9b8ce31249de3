"""Budgets of SQL: a step is cheap however many it concerns, lists and pages however much there is."""

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session, col, select

from casework import clock
from casework.adapters import mail
from casework.adapters.database import uow
from casework.adapters.smtp import Handover
from casework.domain.models import Entry, EntryMember, Notice
from casework.domain.terms import AppealRoute, Form, NoticeState, Side
from casework.services import deadlines, notices, queries
from casework.services.case_view import case_view
from casework.services.queries import View
from casework.settings import get_settings
from tests import factories
from tests.conftest import Set
from tests.counting import Unit, counted
from tests.story import Story

MOST = 21
"""Statements that a step may take from BEGIN to COMMIT."""


class Stepwise(Story):
    """Each step in the unit that it has in service: what the system does is the worker's, a mail is written before."""

    def write(self, deed: Callable[[Session], Any]) -> Any:
        with uow(write=True) as session:
            done = deed(session)
        self.advance()
        return done

    def advance(self) -> None:
        for _ in range(5):
            with uow(write=True) as session:
                deadlines.advance_one(session, self.case.case_id, self.at)

    def deliver(self) -> None:
        now = self.later()
        with uow() as session:
            due = list(session.exec(select(col(Notice.id)).where(Notice.state == NoticeState.DUE)))
            messages = {notice: mail.build(notices.message_for(session, notice, now), now) for notice in due}
        for notice, sent in messages.items():
            handover = Handover.of(sent, at=now, remote="mail.example:25", reply="250 ok")
            with uow(write=True) as session:
                notices.record_handover(session, notice, handover)
        self.advance()


def teams(members: int, route: AppealRoute) -> Stepwise:
    """A case between two teams of so many members."""
    there = factories.federation(form=Form.TEAMS, route=route)
    with uow(write=True) as session:
        for entry in session.exec(select(Entry)).all():
            for number in range(members - 2):
                name = f"Lagkamrat{number} Ek{entry.number}"
                member = factories.person(session, name, 100 + 20 * (entry.number or 0) + number)
                session.add(EntryMember(entry_id=entry.id, person_id=member.id))
    return Stepwise(there, factories.open_case(there))


def walk(members: int, route: AppealRoute) -> list[Unit]:
    """Every step from the ruling to LK's decision."""
    with counted() as units:
        story = teams(members, route)
        story.rule()
        story.publish()
        story.appeal()
        story.forward()
        if route is AppealRoute.JURY_ON_SITE:
            story.hear()
            story.decide("juror_1", "juror_2", "juror_3")
            story.appeal("east", Side.EAST_WEST)
            story.forward()
        story.write_papers()
        story.register()
        story.decide("lk_chair", "lk_1", "lk_2")
    return [unit for unit in units if unit.actions]


def named(units: list[Unit]) -> list[tuple[str, int]]:
    return [("+".join(unit.actions), len(unit.statements)) for unit in units]


@pytest.fixture(params=[AppealRoute.JURY_ON_SITE, AppealRoute.LAW_COMMISSION])
def walks(request: pytest.FixtureRequest, settings: Set, sqlite_template: Path) -> list[list[tuple[str, int]]]:
    """The same way for teams of two and of eight, each in a database of its own."""
    walked = []
    for members in (2, 8):
        file = get_settings().data / f"{members}.sqlite3"
        shutil.copyfile(sqlite_template, file)
        settings(database_url=f"sqlite:///{file}")
        walked.append(named(walk(members, request.param)))
    return walked


def test_a_step_takes_as_many_statements_for_teams_of_two_as_of_eight(walks: list[list[tuple[str, int]]]) -> None:
    """At most so many, the same whoever is told."""
    few, many = walks
    worst: dict[str, tuple[int, int]] = {}
    for name in {name for name, _ in few}:
        worst[name] = (max(n for each, n in few if each == name), max(n for each, n in many if each == name))
    assert {name: pair for name, pair in worst.items() if pair[0] != pair[1] or pair[1] > MOST} == {}


def reads(deed: Callable[[Session], object]) -> int:
    """How many statements a reading takes."""
    with counted() as units, uow() as session:
        deed(session)
    return sum(len(unit.statements) for unit in units)


@pytest.mark.usefixtures("database")
def test_the_list_of_cases_takes_as_many_queries_for_one_case_as_for_many() -> None:
    there = factories.federation()
    case = factories.open_case(there)
    factories.give_ruling(there, case)
    office = there.actor("office")

    def listed(session: Session) -> None:
        queries.case_list(session, office, view=View.ALL)

    one = reads(listed)
    for _ in range(7):
        factories.give_ruling(there, factories.open_case(there))
    assert reads(listed) == one


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("reader", ["office", "director", "north"])
def test_the_page_of_a_case_takes_as_many_queries_early_as_late(reader: str) -> None:
    """However many events, papers and notices there are."""
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal()
    actor = story.actors[reader]

    def shown(session: Session) -> None:
        case_view(session, story.case.case_id, actor, clock.now() + timedelta(days=1))

    early = reads(shown)
    story.concur()
    story.forward()
    story.hear()
    story.decide("juror_1", "juror_2", "juror_3")
    assert reads(shown) == early

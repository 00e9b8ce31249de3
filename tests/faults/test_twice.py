"""The same thing sent more than once, and numbers that must be each other's neighbours (F28, F48)."""

from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from sqlmodel import select
from werkzeug.test import TestResponse

from casework import clock
from casework.adapters.database import retrying, uow
from casework.app import create_app
from casework.domain.models import Appeal, Case, CaseCounter, FormReceipt, Statement, Vote
from casework.domain.terms import AppealRoute, Side
from casework.services import opening
from casework.services.opening import IncidentInput
from tests import factories
from tests.conftest import Set
from tests.factories import SATURDAY, Federation
from tests.faults.invariants import Receipt
from tests.faults.settled import settle
from tests.faults.together import together
from tests.juries import heard
from tests.page import Page, PageClient
from tests.smtp import SmtpSink
from tests.story import Story
from tests.web import at_table, panels, signing
from tests.web.readers import browser

CLICKS = 10
"""How often one form is sent at once: double click, Enter twice, two tabs, and a retry after a time-out."""


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> int:
    """How often it is tried."""
    return 100 if request.config.getoption("--matrix", default=False) else 2


@pytest.fixture
def app(database: str, smtp_sink: SmtpSink, settings: Set) -> Flask:
    """The application on the afternoon of the session; a hundred rounds make more mails than one domain gets."""
    settings(mail_per_domain=0)
    clock.advance(at_table.LATER - clock.now())
    return create_app()


def sent(page: Page, which: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    """Where a form goes and what it sends."""
    form, button = page.form(which), page.button(which)
    values: dict[str, Any] = page.values(which) | {name: [value] for name, value in fields.items()}
    if button is not None and button.get("name"):
        values[button.get("name", "")] = [button.get("value") or ""]
    return form.get("action") or page.path, values


def clicked(client: PageClient, page: Page, which: str, **fields: Any) -> UUID:
    """Send one form many times at once: every answer leads to the same receipt; gives the form's id."""
    path, values = sent(page, which, **fields)
    cookie = client.client.get_cookie("casework-browser", domain="127.0.0.1")
    assert cookie is not None

    def click() -> TestResponse:
        tab = PageClient(client.app)
        tab.client.set_cookie("casework-browser", cookie.value, domain="127.0.0.1")
        return tab.raw(path, method="POST", data=values)

    answers = together(*[click] * CLICKS)
    assert [answer.status_code for answer in answers] == [303] * CLICKS
    assert len({answer.headers["Location"] for answer in answers}) == 1
    return UUID(values["form_id"][0])


def rows(table: Any) -> int:
    """How many rows a table has."""
    with uow() as session:
        return len(session.exec(select(table)).all())


def test_f28_a_ruling_sent_ten_times_at_once_opens_one_case(app: Flask, smtp_sink: SmtpSink, rounds: int) -> None:
    """F28, R-DBL1: there is no case yet that could be locked."""
    director = signing.official(app, factories.federation(), "director")
    forms = []
    for round_ in range(1, rounds + 1):
        forms.append(clicked(director, at_table.check(director), at_table.TELL))
        assert (rows(Case), rows(FormReceipt)) == (round_, round_)
    settle(smtp_sink, *map(Receipt, forms))


def test_f28_an_appeal_sent_ten_times_at_once_is_lodged_once(app: Flask, smtp_sink: SmtpSink, rounds: int) -> None:
    """F28, R-DBL1, X50: one row, one receipt, one mail to each."""
    there, forms = factories.federation(), []
    for round_ in range(1, rounds + 1):
        case = factories.open_case(there)
        factories.give_ruling(there, case)
        north = signing.party(app, there, case, "north")
        page = north.get(f"/arenden/{case.case_id}/overklaga")
        check = north.submit(page, "Fortsätt till kontrollen", wants="Allt.")
        forms.append(clicked(north, check, "Överklaga domslutet"))
        assert rows(Appeal) == round_
    settle(smtp_sink, *map(Receipt, forms))


def test_f28_a_statement_sent_ten_times_at_once_is_filed_once(app: Flask, smtp_sink: SmtpSink) -> None:
    """F28: an action that can be taken any number of times, each by a form of its own."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION, workers=True)
    for step in (story.rule, story.appeal, story.forward, story.report, story.demand):
        step()
    north = browser(story, "north")
    page = north.get(f"/arenden/{story.case.case_id}/yttrande")
    check = north.submit(page, "Fortsätt till kontrollen", text="En gång.")
    before = rows(Statement)
    form = clicked(north, check, "Lämna in yttrandet")
    assert rows(Statement) == before + 1
    assert north.submit(page, "Fortsätt till kontrollen", text="En gång.").h1 == "Ditt yttrande är inlämnat"
    changed = north.submit(page, "Fortsätt till kontrollen", text="Bakåt och igen.", status=409)
    assert "Bakåt och igen." in changed.text("main")
    assert rows(Statement) == before + 1
    settle(smtp_sink, Receipt(form))


def test_f28_a_vote_sent_ten_times_at_once_is_cast_once(app: Flask, smtp_sink: SmtpSink) -> None:
    """F28: three members, ten clicks each, all at once."""
    case = heard(factories.federation(), at=clock.now() - panels.AGO)
    for who in ("juror_1", "juror_2", "juror_3"):
        member = panels.by_link(case, who)
        clicked(member, member.get(panels.at(case, "overlaggning")), "Lägg din röst", position="confirm")
    assert rows(Vote) == 3


THREADS = 8


def test_f48_numbers_have_no_gap_and_none_comes_twice(request: pytest.FixtureRequest, database: str) -> None:
    """F48: eight at once, every fifth of whose cases comes to nothing; the year's first case among them."""
    there = factories.federation()
    each = 200 if request.config.getoption("--matrix", default=False) else 10

    def open_some(thread: int) -> int:
        return sum(opened(there, fails=(thread + turn) % 5 == 0) for turn in range(each))

    made = sum(together(*[partial(open_some, thread) for thread in range(THREADS)]))
    with uow() as session:
        numbers = sorted(session.exec(select(Case.number)))
        last = session.exec(select(CaseCounter.last)).one()
    assert numbers == [f"SBF-2026-{number:04}" for number in range(1, made + 1)]
    assert last == made == THREADS * each * 4 // 5


@retrying
def opened(there: Federation, *, fails: bool) -> bool:
    """Whether the case was opened, or rolled back."""
    incident = IncidentInput(
        session_id=there.session_id,
        contestants={Side.NORTH_SOUTH: (7,), Side.EAST_WEST: (12,)},
        occurred_on=SATURDAY,
    )
    director = there.persons["director"]
    with suppress(ZeroDivisionError), uow(write=True) as session:
        opening.open_case(session, incident, there.actor("director"), now=factories.START, director_id=director)
        session.flush()
        return not (fails and 1 // 0)
    return False

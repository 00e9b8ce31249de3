"""Browsers of the people around a jury."""

from datetime import timedelta

from casework.adapters.database import uow
from casework.app import create_app
from casework.clock import now
from casework.services import people
from tests.factories import Federation
from tests.juries import JuryCase
from tests.page import Page, PageClient

AGO = timedelta(hours=2)
"""How long ago the cases of these tests began."""


def browser(there: Federation, who: str) -> PageClient:
    """Somebody signed in with an account."""
    client = PageClient(create_app())
    with uow(write=True) as session:
        token = people.sign_in_as(session, there.persons[who], now())
    client.client.set_cookie("casework-browser", token, domain="127.0.0.1")
    return client


def by_link(case: JuryCase, who: str) -> PageClient:
    """A juror without an account, who has pressed the button of the seat's link."""
    client = PageClient(create_app())
    page = client.get(f"/l/{case.token(who)}")
    sent = {name: values[0] for name, values in page.values("Fortsätt").items()}
    assert client.raw(page.path, method="POST", data=sent).status_code == 303
    return client


def at(case: JuryCase, place: str) -> str:
    """An address within the case."""
    return f"/arenden/{case.case_id}/{place}"


def rows(page: Page) -> str:
    """What the page's content says."""
    return page.text("main")

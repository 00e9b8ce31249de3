"""The start page of somebody who is signed in: what waits for him, for his own, and for others (U11)."""

import pytest

from casework.app import create_app
from tests import factories
from tests.conftest import Set
from tests.page import Page, PageClient, words
from tests.web import shell


@pytest.fixture
def client(sqlite: str, settings: Set) -> PageClient:
    """A browser in the demo, where anybody can be signed in as."""
    settings(demo=1)
    return PageClient(create_app())


def start_page(client: PageClient, there: factories.Federation, key: str) -> Page:
    """The start page of one of the federation's people."""
    token = shell.form_token(client.get("/demo"))
    return client.post("/demo/logga-in", {"csrf_token": token, "person": str(there.persons[key])})


def lists(page: Page) -> dict[str, list[str]]:
    """Heading → the case numbers under it."""
    found = {}
    for section in page.tree.iter("section"):
        heading = next(section.iter("h2"), None)
        if heading is not None:
            found[words(heading)] = [words(node) for node in section.iter("b") if node.get("class") == "num"]
    return found


def test_a_case_waits_for_its_director_and_is_others_for_the_office(client: PageClient) -> None:
    there = factories.federation()
    case = factories.open_case(there)
    assert lists(start_page(client, there, "director"))["Väntar på dig"] == [case.number]
    assert lists(start_page(client, there, "office"))["Väntar på andra"] == [case.number]


def test_a_row_says_what_to_do_and_leads_to_the_case(client: PageClient) -> None:
    there = factories.federation()
    case = factories.open_case(there)
    row = start_page(client, there, "director").one("main .row a")
    assert row.get("href") == f"/arenden/{case.case_id}"


def test_who_has_nothing_to_do_reads_so(client: PageClient) -> None:
    page = start_page(client, factories.federation(), "director")
    assert "Du har inget att göra just nu" in page.text("main")

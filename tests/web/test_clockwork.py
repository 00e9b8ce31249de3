"""The page about the clock: who is asked, what it says, and that an answer is recorded once (F25)."""

from datetime import timedelta

import pytest
from flask import Flask
from sqlmodel import select

from casework.adapters.database import uow
from casework.app import create_app
from casework.clock import machine
from casework.domain.models import Interruption
from casework.domain.terms import Role
from casework.domain.watch import Look
from casework.services import clockwork
from casework.services.clockwork import Watch
from tests import factories
from tests.page import PageClient
from tests.web import shell, signing


@pytest.fixture
def app(database: str) -> Flask:
    """The application, on both databases."""
    return create_app()


@pytest.fixture
def office(app: Flask) -> PageClient:
    """Somebody of the office, signed in."""
    shell.official(Role.OFFICE)
    client = PageClient(app)
    shell.sign_in(client)
    return client


def jump(by: timedelta = timedelta(hours=1)) -> None:
    """A process finds that the clock was moved."""
    before = Look(machine(), 0.0)
    with uow(write=True) as session:
        assert not clockwork.believed(session, Watch(read=lambda: Look(before.wall + by, 60.0), before=before))


def confirmations() -> list[object]:
    with uow() as session:
        return list(session.exec(select(Interruption.confirmed_by).order_by(Interruption.seq)))  # type: ignore[arg-type]  # a column


def health(client: PageClient) -> object:
    """What the machine that watches is told."""
    return (client.raw("/healthz").json or {})["status"]


def test_the_office_is_asked_and_answers(office: PageClient) -> None:
    jump()
    page = office.get("/")
    assert "Systemets klocka har hoppat" in page.text("main")
    page = office.get("/klockan")
    assert page.h1 == "Går klockan rätt?"
    assert "medan 60 sekunder gick" in page.text("main")
    assert health(office) == "stopped"
    done = office.submit(page, "Klockan går rätt, fortsätt")
    assert done.h1 == "Klockan"
    assert "Karin Fjällbo bekräftade klockan" in done.text("main")
    assert "hoppat" not in office.get("/").text("main")
    assert health(office) != "stopped"


def test_who_is_not_asked_reads_that_nothing_goes_out(app: Flask) -> None:
    """On his start page, and on the receipt of what he does meanwhile."""
    there = factories.federation()
    case = factories.open_case(there)
    director = signing.official(app, there, "director")
    assert "Systemets klocka kontrolleras" not in director.get("/").text("main")
    factories.give_ruling(there, case)
    jump()
    assert "Inget skickas och ingen tid går ut" in director.get("/").text("main")
    north = signing.party(app, there, case, "north")
    page = north.get(f"/arenden/{case.case_id}/overklaga")
    checked = north.submit(page, "Fortsätt till kontrollen", wants="Bordsresultatet.", grounds="Vi tvekade inte.")
    receipt = north.submit(checked, "Överklaga domslutet")
    assert "Inget skickas och ingen tid går ut" in receipt.text("main")


def test_a_second_press_changes_nothing(office: PageClient) -> None:
    """R-DBL1: two tabs."""
    jump()
    tab = office.get("/klockan")
    for _ in range(2):
        office.submit(tab, "Klockan går rätt, fortsätt")
    assert len(confirmations()) == 1


def test_an_old_page_does_not_answer_a_new_question(office: PageClient) -> None:
    jump()
    tab = office.get("/klockan")
    office.submit(tab, "Klockan går rätt, fortsätt")
    jump(timedelta(hours=-3))
    again = office.submit(tab, "Klockan går rätt, fortsätt", status=409)
    assert "Klockan har hoppat igen" in again.text("main")
    assert confirmations()[-1] is None
    office.submit(again, "Klockan går rätt, fortsätt")
    assert confirmations()[-1] is not None


def test_all_is_well_when_nothing_happened(office: PageClient) -> None:
    assert "Det har inte stått stilla." in office.get("/klockan").text("main")


def test_others_are_not_asked(app: Flask) -> None:
    shell.official(Role.DIRECTOR)
    client = PageClient(app)
    shell.sign_in(client)
    jump()
    assert "hoppat" not in client.get("/").text("main")
    client.get("/klockan", status=403)

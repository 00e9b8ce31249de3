"""A ruling is asked for where no director was: by a player himself, or entered for him (R22)."""

from flask import Flask

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import Case, Entry, EntryMember, Proceeding, Statement
from casework.domain.terms import FilingChannel
from tests import factories
from tests.factories import Federation
from tests.web import signing
from tests.web.at_table import CHECK, PLACE, errors, rows


def test_the_office_enters_a_request_and_appoints_the_director(app: Flask, there: Federation) -> None:
    office = signing.official(app, there, "office")
    page = office.submit(office.get("/domslut/begaran"), CHECK, **PLACE, happened="Fel förklaring av 2♣.")
    missing = office.submit(page, "Begär domslutet", status=422)
    assert "Välj vilken spelare" in errors(missing)
    done = office.submit(missing, "Begär domslutet", asked_by=str(there.persons["south"]), channel="phone")
    assert done.h1 == "Domslutet är begärt"
    (asked,) = rows(Statement)
    assert (asked.author_id, asked.channel) == (there.persons["south"], FilingChannel.PHONE)
    (case,) = rows(Case)
    appoint = office.get(f"/arenden/{case.id}/domslut/ledare")
    office.submit(appoint, "Utse en tävlingsledare", director_id=str(there.persons["director"]))
    assert [p.director_id for p in rows(Proceeding)] == [there.persons["director"]]


def test_a_player_with_an_account_asks_himself(app: Flask, there: Federation) -> None:
    own = signing.official(app, there, "north")
    page = own.submit(own.get("/domslut/begaran"), CHECK, **PLACE, happened="Fel förklaring av 2♣.")
    assert not page.has("[name=asked_by]")
    assert own.submit(page, "Begär domslutet").h1 == "Domslutet är begärt"
    assert [s.author_id for s in rows(Statement)] == [there.persons["north"]]


def test_a_link_opens_one_case_and_asks_for_no_new_ruling(app: Flask, there: Federation) -> None:
    """S-LINK: the page says who enters it instead."""
    case = factories.open_case(there, at=clock.now())
    page = signing.party(app, there, case, "north").get("/domslut/begaran", status=403)
    assert "arrangör" in page.text("main")


def test_a_player_lists_no_other_contestants_names(app: Flask, there: Federation) -> None:
    with uow(write=True) as session:
        third = Entry(tournament_id=there.tournament_id, number=3)
        session.add_all([third, EntryMember(entry_id=third.id, person_id=there.persons["juror_1"])])
    own = signing.official(app, there, "juror_1")
    page = own.submit(own.get("/domslut/begaran"), CHECK, status=422, **PLACE, happened="Vad säger de?")
    assert "du själv tävlar i" in errors(page)
    assert "Hägglund" not in page.text("body")
    assert page.values(CHECK)["happened"] == ["Vad säger de?"]
    asked = own.submit(page, CHECK, north_south="3", happened="Fel förklaring.")
    assert own.submit(asked, "Begär domslutet").h1 == "Domslutet är begärt"

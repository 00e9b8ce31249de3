"""Calendar files on a case's page, and a person's calendar at a secret address (C1-C4, S-LINK)."""

from datetime import timedelta
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from flask import Flask
from sqlmodel import select
from werkzeug.test import TestResponse

from casework import clock
from casework.adapters.database import uow
from casework.app import create_app
from casework.domain.models import CalendarFeed, Deadline
from casework.domain.terms import Side
from casework.settings import get_settings
from tests import factories, ics
from tests.counting import counted
from tests.factories import START, Federation, OpenCase
from tests.logged import logged, text_of
from tests.page import Page, PageClient
from tests.story import Story
from tests.web import panels, signing


@pytest.fixture
def app(sqlite: str) -> Flask:
    """The application, two minutes after the ruling was told."""
    clock.advance(START + timedelta(minutes=2) - clock.now())
    return create_app()


@pytest.fixture
def there(app: Flask) -> Federation:
    """A federation whose score is available."""
    made = factories.federation()
    factories.publish_score(made, at=START)
    return made


@pytest.fixture
def case(there: Federation) -> OpenCase:
    """A ruling that both sides were told at the table, and may appeal for half an hour."""
    opened = factories.open_case(there)
    told = {there.persons[key]: START for key in ("north", "east")}
    factories.give_ruling(there, opened, told=told)
    return opened


def window(case: OpenCase, side: Side) -> Deadline:
    with uow() as session:
        return session.exec(select(Deadline).where(Deadline.party_id == case.party_ids[side])).one()


def url(case: OpenCase, deadline_id: UUID) -> str:
    return f"/arenden/{case.case_id}/kalender/{deadline_id}.ics"


def to_calendar(page: Page) -> list[str]:
    """Where the page's links to calendar files lead."""
    return [link.get("href", "") for link in page.select(".to-calendar a")]


def feed_of(page: Page) -> str:
    """The path of the address that the page shows."""
    return urlsplit(page.text(".address")).path


def fetched(app: Flask, path: str, **options: object) -> TestResponse:
    """What a calendar program gets, which is signed in nowhere."""
    return PageClient(app).raw(path, **options)


def test_a_party_takes_the_last_day_of_its_page_as_a_file(app: Flask, there: Federation, case: OpenCase) -> None:
    north = signing.party(app, there, case, "north")
    mine = window(case, Side.NORTH_SOUTH)
    page = north.get(f"/arenden/{case.case_id}")
    assert to_calendar(page) == [url(case, mine.id)]
    assert page.text(".to-calendar").startswith("Lägg till i kalendern")
    answer = north.raw(url(case, mine.id))
    assert answer.content_type == "text/calendar; charset=utf-8"
    assert answer.headers["Content-Disposition"] == "attachment; filename=SBF-2026-0001.ics"
    assert answer.headers["Cache-Control"] == "no-store"
    (entry,) = ics.read(answer.data)
    assert (entry.at, entry.title) == (mine.instant, "Tiden går ut, SBF-2026-0001")
    north.client.set_cookie("casework-language", "en", domain="127.0.0.1")
    (entry,) = ics.read(north.raw(url(case, mine.id)).data)
    assert entry.title == "The time runs out, SBF-2026-0001"


def test_nobody_takes_a_time_that_his_page_does_not_show(app: Flask, there: Federation, case: OpenCase) -> None:
    mine, theirs = window(case, Side.NORTH_SOUTH), window(case, Side.EAST_WEST)
    north = signing.party(app, there, case, "north")
    north.get(url(case, theirs.id), status=404)
    signing.official(app, there, "juror_1").get(url(case, mine.id), status=404)
    assert fetched(app, url(case, mine.id)).status_code == 303
    clock.advance(timedelta(minutes=40))
    assert to_calendar(north.get(f"/arenden/{case.case_id}")) == []
    north.get(url(case, mine.id), status=404)


def test_the_hearing_is_taken_from_the_case_and_from_the_room(sqlite: str) -> None:
    clock.advance(START + timedelta(minutes=40) - clock.now())
    story = Story.begun()
    story.rule()
    story.appeal()
    story.forward()
    story.compose()
    story.declare()
    story.call("Rum 3")
    organiser, case = panels.browser(story.there, "organiser"), f"/arenden/{story.case.case_id}"
    assert f"{case}/kalender/sammantrade.ics" in to_calendar(organiser.get(case))
    assert to_calendar(organiser.get(f"{case}/sammantrade")) == [f"{case}/kalender/sammantrade.ics"]
    (entry,) = ics.read(organiser.raw(f"{case}/kalender/sammantrade.ics").data)
    assert (entry.title, entry.place) == ("Sammanträde, SBF-2026-0001", "Rum 3")
    clock.advance(timedelta(hours=2))
    assert f"{case}/kalender/sammantrade.ics" not in to_calendar(organiser.get(case))


def test_a_case_without_a_hearing_has_no_file_of_one(app: Flask, there: Federation, case: OpenCase) -> None:
    signing.party(app, there, case, "north").get(f"/arenden/{case.case_id}/kalender/sammantrade.ics", status=404)


def test_a_calendar_is_fetched_by_its_address_alone(app: Flask, there: Federation, case: OpenCase) -> None:
    """S-LINK4, S-LINK7, C2: nothing is written, kept by anybody between, or handed on."""
    east = signing.party(app, there, case, "east")
    page = east.submit(east.get("/jag"), "Skapa en kalenderadress")
    assert page.text(".address").startswith(f"{get_settings().public_base_url}/kalender/")
    assert "det är ärendets sida som gäller" in page.text("main")
    with counted() as units:
        answer = fetched(app, feed_of(page))
    assert not [line for unit in units for line in unit.statements if not line.startswith("SELECT")]
    assert [entry.at for entry in ics.read(answer.data)] == [window(case, Side.EAST_WEST).instant]
    assert answer.content_type == "text/calendar; charset=utf-8"
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "Set-Cookie" not in answer.headers
    again = fetched(app, feed_of(page), headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert fetched(app, feed_of(page), method="HEAD").data == b""


def test_another_address_ends_the_old_once(app: Flask, there: Federation, case: OpenCase) -> None:
    director = signing.official(app, there, "director")
    page = director.submit(director.get("/jag"), "Skapa en kalenderadress")
    changed = director.submit(page, "Byt adress")
    assert "ny adress" in changed.text(".banner")
    assert feed_of(changed) != feed_of(page)
    assert [fetched(app, feed_of(each)).status_code for each in (page, changed)] == [404, 200]
    assert feed_of(director.submit(page, "Byt adress")) == feed_of(changed)  # the same button, pressed twice


def test_a_calendar_that_is_turned_off_is_gone_and_comes_back_elsewhere(
    app: Flask, there: Federation, case: OpenCase
) -> None:
    director = signing.official(app, there, "director")
    page = director.submit(director.get("/jag"), "Skapa en kalenderadress")
    off = director.submit(page, "Stäng av kalendern")
    assert not off.has(".address")
    assert fetched(app, feed_of(page)).status_code == 404
    on = director.submit(off, "Skapa en kalenderadress")
    assert feed_of(on) != feed_of(page)
    assert [fetched(app, feed_of(each)).status_code for each in (page, on)] == [404, 200]
    with uow() as session:
        assert len(session.exec(select(CalendarFeed)).all()) == 1


def test_a_guessed_address_is_none(app: Flask, there: Federation, case: OpenCase) -> None:
    """Nor does the address of a calendar open a case."""
    director = signing.official(app, there, "director")
    path = feed_of(director.submit(director.get("/jag"), "Skapa en kalenderadress"))
    secret = path.removeprefix("/kalender/").removesuffix(".ics")
    guesses = (
        ("B" if secret[0] == "A" else "A") + secret[1:],
        secret[:-5] + ("B" if secret[-5] == "A" else "A") + secret[-4:],
        secret[:-4],
        secret + "AAAA",
        "kalender",
        "ärende",
    )
    assert {fetched(app, f"/kalender/{guess}.ics").status_code for guess in guesses} == {404}
    assert fetched(app, f"/l/{secret}").status_code == 404
    assert fetched(app, path).status_code == 200


def test_an_address_is_fetched_sixty_times_an_hour_and_shuts_no_other_out(
    app: Flask, there: Federation, case: OpenCase
) -> None:
    """S-RATE3."""
    paths = []
    for key in ("director", "organiser"):
        client = signing.official(app, there, key)
        paths.append(feed_of(client.submit(client.get("/jag"), "Skapa en kalenderadress")))
    assert {fetched(app, paths[0]).status_code for _ in range(60)} == {200}
    assert [fetched(app, path).status_code for path in paths] == [429, 200]


def broken(token: str) -> str:
    """A view with a fault."""
    return token * (1 // 0)


def test_a_fault_is_logged_without_the_address(app: Flask) -> None:
    """S-LINK4: an address that opens something stands in no log."""
    app.view_functions["calendars.feed"] = app.view_functions["links.open_link"] = broken
    with logged() as said:
        assert fetched(app, "/kalender/hemlig.ics").status_code == 500
        assert fetched(app, "/l/hemlig").status_code == 500
    broke = [(line["page"], line["error"]) for line in said if line["event"] == "request_broke"]
    assert broke == [("/kalender/<token>.ics", "ZeroDivisionError"), ("/l/<token>", "ZeroDivisionError")]
    assert "hemlig" not in text_of(said)

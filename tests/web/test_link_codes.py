"""The code beside a mail link (S-LINK2): asked for in a browser that is new to the link, where the setting says so."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from sqlmodel import col, select

from casework import clock
from casework.adapters import mail
from casework.adapters.database import uow
from casework.app import create_app
from casework.domain.models import Contact, Link, Notice
from casework.services import link_codes, links, notices, proofs
from casework.services.links import code_for
from tests.conftest import Set
from tests.factories import federation
from tests.juries import composed
from tests.page import Page, PageClient
from tests.story import Story
from tests.web import shell
from tests.web.panels import AGO, at, browser

WRONG = "AAA-AAA"


@pytest.fixture
def app(sqlite: str, settings: Set) -> Flask:
    """An installation whose mail passes scanners that press buttons."""
    settings(link_codes=1)
    return create_app()


def the_link() -> Link:
    with uow() as session:
        return session.exec(select(Link)).one()


def code() -> str:
    """What stands in the mail now."""
    return code_for(the_link())


def typed(client: PageClient, token: str, text: str) -> int:
    """The status of the answer to a code; no case page stands behind it yet."""
    page = client.get(f"/l/{token}")
    sent = {name: values[0] for name, values in page.values("Fortsätt").items()}
    return client.raw(f"/l/{token}", method="POST", data=sent | {"code": text}).status_code


def refused(client: PageClient, token: str, text: str) -> Page:
    return client.submit(client.get(f"/l/{token}"), "Fortsätt", status=422, code=text)


def test_nothing_is_asked_for_unless_the_setting_says_so(sqlite: str) -> None:
    page = PageClient(create_app()).get(f"/l/{shell.reader().token}")
    assert not page.has("input[name=code]")


def test_the_code_lets_in_once_and_its_browser_is_not_asked_again(app: Flask) -> None:
    token, client = shell.reader().token, PageClient(app)
    page = client.get(f"/l/{token}")
    assert page.text("label[for=code]") == "Kod i mejlet"
    assert typed(client, token, code()) == 303
    assert len(shell.sign_ins()) == 1
    assert not client.get(f"/l/{token}").has("input[name=code]")
    assert shell.open_link(client, token) == 303
    assert PageClient(app).get(f"/l/{token}").has("input[name=code]")


@pytest.mark.parametrize(
    "spelling",
    [
        lambda code: code,
        lambda code: code.replace("-", ""),
        lambda code: f"  {code.lower()}\t",
        lambda code: "–".join(code.replace("-", "").lower()),
        lambda code: code.replace("0", "O").replace("1", "l"),
    ],
)
def test_a_code_is_known_however_it_is_written(app: Flask, spelling: Callable[[str], str]) -> None:
    """Case, spaces and dashes do not matter, nor letters that look like digits."""
    token = shell.reader().token
    assert typed(PageClient(app), token, spelling(code())) == 303


def test_every_letter_that_is_taken_for_another_is_read_as_it() -> None:
    assert link_codes.tidy("oO iI lL") == "001111"


def test_a_wrong_code_is_told_how_often_it_may_be_tried_and_what_is_no_code_is_no_try(app: Flask) -> None:
    token, client = shell.reader().token, PageClient(app)
    assert "Försök kvar: 9." in refused(client, token, WRONG).text(".error-summary")
    assert "sex tecken" in refused(client, token, "ABC").text(".error-summary")
    assert "Skriv koden" in refused(client, token, "").text(".error-summary")
    assert the_link().wrong_codes == 1
    assert shell.sign_ins() == []


def test_after_ten_wrong_codes_it_needs_a_new_link_with_a_new_code(app: Flask) -> None:
    """A browser that has shown the code gets in all the same; nobody can shut the link's holder out of it."""
    token, client, at_home = shell.reader().token, PageClient(app), PageClient(app)
    old = code()
    assert typed(at_home, token, old) == 303
    for left in range(9, -1, -1):
        assert f"Försök kvar: {left}." in refused(client, token, WRONG).text(".error-summary")
    page = client.get(f"/l/{token}", status=410)
    assert "För många felaktiga koder" in page.text(".lead")
    assert shell.open_link(at_home, token) == 303
    client.submit(page, "Skicka ny länk")
    fresh = links.link_token(the_link())
    assert code() != old
    refused(client, fresh, old)
    assert typed(client, fresh, code()) == 303


def test_the_right_code_comes_too_late_after_ten_wrong_ones(app: Flask) -> None:
    """Also for a page that was opened before."""
    token, client = shell.reader().token, PageClient(app)
    page = client.get(f"/l/{token}")
    with uow(write=True) as session:
        session.exec(select(Link)).one().wrong_codes = link_codes.MOST_WRONG
    client.submit(page, "Fortsätt", status=410, code=code())
    with uow(write=True) as session:
        assert links.proves_code(session, the_link().id, code()) == 0
    assert shell.sign_ins() == []


def test_a_code_fits_its_own_link_only(app: Flask) -> None:
    shell.reader()
    mine = the_link()
    other = Link(**mine.model_dump() | {"id": mine.case_id})
    assert code_for(mine) != code_for(other)


def test_the_code_stands_in_the_mail_and_nowhere_else(database: str, settings: Set) -> None:
    """R-PROOF1, S-LINK3: what is kept opens nothing, and is proven all the same."""
    settings(link_codes=1)
    story = Story.begun()
    story.rule()
    with uow() as session:
        notice = session.exec(select(Notice).where(Notice.person_id == story.there.persons["north"])).one()
        link = session.exec(select(Link).where(Link.id == notice.link_id)).one()
        letter = notices.message_for(session, notice.id, story.at)
        sent = mail.build(letter, story.at).mime.replace(b"=\r\n", b"").decode()
        kept = (notice.mime or b"").replace(b"=\r\n", b"").decode()
        assert sent.count(code_for(link)) == 2
        assert f"skriv: {code_for(link)}" in notices.with_links(session, notice.id, letter.text)
        assert code_for(link) not in kept + str(notice.model_dump()) + str(link.model_dump())
        assert all(found.whole for found in proofs.checked(session))
    settings(link_codes=0)
    with uow(write=True) as session:
        links.replace_link(session, link.id, story.at)
    with uow() as session:
        assert [found.whole for found in proofs.checked(session)] == [True] * 4


def test_two_with_one_address_read_each_his_own_code(sqlite: str, settings: Set) -> None:
    settings(link_codes=1)
    story = Story.begun()
    with uow(write=True) as session:
        pair = [story.there.persons[key] for key in ("north", "south")]
        for contact in session.exec(select(Contact).where(col(Contact.person_id).in_(pair))):
            contact.email = "paret@lindvalla.example"
    story.rule()
    with uow() as session:
        carrier = select(Notice).where(col(Notice.person_id).in_(pair), col(Notice.carried_by).is_(None))
        text = notices.message_for(session, session.exec(carrier).one().id, story.at).text
    assert len(set(re.findall(r"\{code:.*?\}", text))) == 2


def test_a_seats_code_shows_what_its_page_asks_for(app: Flask) -> None:
    """A juror at the event has no mail before him."""
    case = composed(federation(), at=clock.now() - AGO)
    place = at(case, f"jury/kod/{case.seat('juror_2')}")
    shown = browser(case.there, "organiser").get(place).text("main")
    with uow() as session:
        seat = session.exec(select(Link).where(Link.seat_id == case.seat("juror_2"))).one()
    assert f"Sidan frågar sedan efter en kod: {code_for(seat)}" in shown

"""Signing in with an account, and what ends it."""

from datetime import timedelta

import pytest

from casework import clock
from casework.adapters.database import uow
from casework.domain.terms import Role
from casework.services import people
from casework.web import sessions
from tests.page import PageClient
from tests.web import shell


def name_in_menu(client: PageClient) -> bool:
    """Whether the browser is signed in."""
    return "Karin Fjällbo" in client.get("/hjalp").text("header")


def test_name_and_password_open_the_start_page(client: PageClient) -> None:
    shell.official()
    page = shell.sign_in(client)
    assert page.path == "/"
    assert name_in_menu(client)


def test_the_reader_comes_back_to_the_page_that_asked(client: PageClient) -> None:
    shell.official()
    asked = client.get("/jag")
    assert asked.path == "/logga-in?back=/jag"
    assert client.submit(asked, "Logga in", username="karin", password=shell.PASSWORD).path == "/jag"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:1"])
def test_signing_in_never_leads_to_another_site(client: PageClient, elsewhere: str) -> None:
    shell.official()
    page = client.get("/logga-in?back=" + elsewhere)
    assert client.submit(page, "Logga in", username="karin", password=shell.PASSWORD).path == "/"


@pytest.mark.parametrize(("username", "password"), [("karin", "fel lösenord"), ("okänd", shell.PASSWORD)])
def test_a_wrong_name_or_password_gets_one_answer(client: PageClient, username: str, password: str) -> None:
    shell.official()
    page = shell.sign_in(client, username, password, status=422)
    assert page.text(".error-summary li") == "Användarnamn och lösenord hör inte ihop"
    assert page.title.startswith("Fel:")
    assert page.values("Logga in")["username"] == [username]
    assert shell.PASSWORD not in page.html


def test_an_empty_form_says_what_to_write(client: PageClient) -> None:
    page = shell.sign_in(client, "", "", status=422)
    assert "Skriv ditt användarnamn" in page.text(".error-summary")
    assert "Skriv ditt lösenord" in page.text(".error-summary")


def test_signing_in_gives_the_browser_a_new_number(client: PageClient) -> None:
    shell.official()
    client.get("/logga-in")
    before = client.client.get_cookie("casework-browser", domain="127.0.0.1")
    shell.sign_in(client)
    after = client.client.get_cookie("casework-browser", domain="127.0.0.1")
    assert before
    assert after
    assert before.value != after.value


def test_the_database_knows_only_a_hash(client: PageClient) -> None:
    shell.official()
    shell.sign_in(client)
    cookie = client.client.get_cookie("casework-browser", domain="127.0.0.1")
    assert cookie
    assert [row.token_hash == cookie.value for row in shell.sign_ins()] == [False]


def test_signing_out_ends_the_sign_in_for_a_copied_cookie_too(client: PageClient) -> None:
    shell.official()
    shell.sign_in(client)
    cookie = client.client.get_cookie("casework-browser", domain="127.0.0.1")
    assert cookie
    page = client.submit(client.get("/jag"), "Logga ut")
    assert page.text(".banner") == "Du har loggat ut."
    client.client.set_cookie("casework-browser", cookie.value, domain="127.0.0.1")
    assert not name_in_menu(client)


def test_a_disabled_account_is_out_at_once(client: PageClient) -> None:
    known = shell.official()
    shell.sign_in(client)
    with uow(write=True) as session:
        people.disable_account(session, known.account_id, clock.now())
    assert not name_in_menu(client)
    assert shell.sign_in(client, status=422).has(".error-summary")


def test_a_role_counts_from_the_next_page(client: PageClient) -> None:
    known = shell.official(role=None)
    shell.sign_in(client)
    with uow(write=True) as session:
        people.grant(session, known.person_id, Role.OFFICE)
        people.grant(session, known.person_id, Role.OFFICE)
    with client.client:
        client.get("/jag")
        assert sessions.current_actor().roles == {(Role.OFFICE, None)}


def test_a_sign_in_ends_when_nothing_is_opened(client: PageClient) -> None:
    shell.official()
    shell.sign_in(client)
    clock.advance(people.IDLE - timedelta(minutes=1))
    assert name_in_menu(client)
    clock.advance(people.IDLE - timedelta(minutes=1))
    assert name_in_menu(client)
    clock.advance(people.IDLE)
    assert not name_in_menu(client)


def test_a_sign_in_ends_after_twelve_hours_in_any_case(client: PageClient) -> None:
    shell.official()
    shell.sign_in(client)
    for _ in range(3):
        clock.advance(timedelta(hours=3, minutes=55))
        assert name_in_menu(client)
    clock.advance(timedelta(minutes=20))
    assert not name_in_menu(client)


def test_last_seen_is_written_at_most_once_a_minute(client: PageClient) -> None:
    shell.official()
    shell.sign_in(client)
    (first,) = shell.sign_ins()
    client.get("/hjalp")
    assert shell.sign_ins()[0].seen_at == first.seen_at
    clock.advance(timedelta(minutes=1, seconds=1))
    client.get("/hjalp")
    assert shell.sign_ins()[0].seen_at > first.seen_at


def test_tries_are_limited_for_one_name_and_never_shut_an_account(client: PageClient) -> None:
    shell.official()
    shell.official(username="lena-norrbro")
    for _ in range(10):
        shell.sign_in(client, password="fel", status=422)
    assert "Vänta en minut" in shell.sign_in(client, password="fel", status=429).text("main")
    assert shell.sign_in(client, "lena-norrbro").path == "/"
    elsewhere = client.client.post("/logga-in", environ_base={"REMOTE_ADDR": "192.0.2.7"}, data={"username": "karin"})
    assert elsewhere.status_code == 422


def test_a_short_password_is_refused() -> None:
    with pytest.raises(Exception, match="at least"):
        people.hashed_password("kort")

"""Headers, hosts, cookies, and the proof that a form comes from our own page."""

import pytest
from flask.testing import FlaskClient

from casework.app import create_app
from casework.web import security
from tests.conftest import Set
from tests.page import PageClient
from tests.web import shell


def test_every_answer_is_guarded(client: PageClient) -> None:
    for path in ("/", "/finns-inte", "/static/favicon.svg", "/healthz"):
        with client.raw(path) as answer:
            headers = answer.headers
        assert headers["Content-Security-Policy"] == security.POLICY
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"


def test_pages_are_never_kept_and_files_with_a_version_long(client: PageClient) -> None:
    page = client.raw("/")
    assert page.headers["Cache-Control"] == "no-store"
    assert "Cookie" in page.headers["Vary"]
    sheet = client.get("/").one("link[rel=stylesheet][href*=tokens]").get("href", "")
    assert "?v=" in sheet
    with client.raw(sheet) as versioned, client.raw(sheet.partition("?")[0]) as bare:
        assert "immutable" in versioned.headers["Cache-Control"]
        assert "immutable" not in bare.headers["Cache-Control"]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8000"])
def test_a_foreign_host_is_refused(client: PageClient, host: str) -> None:
    """S-LINK7."""
    answer = client.client.get("/", headers={"Host": host})
    assert answer.status_code == 400
    assert host not in answer.get_data(as_text=True)


def test_under_https_cookies_have_the_guarded_name(sqlite: str, settings: Set) -> None:
    settings(public_base_url="https://arenden.bridge.example")
    client = PageClient(create_app(), base_url="https://arenden.bridge.example")
    shell.official()
    cookie = client.raw("/logga-in").headers["Set-Cookie"]
    assert cookie.startswith("__Host-casework-browser=")
    for part in ("Secure", "HttpOnly", "Path=/", "SameSite=Lax"):
        assert part in cookie
    assert "Domain" not in cookie
    assert shell.sign_in(client).path == "/"
    assert "max-age" in client.raw("/").headers["Strict-Transport-Security"]


@pytest.mark.parametrize("proto", ["http", "https", "https, http", "ftp"])
def test_a_proxy_that_says_the_wrong_protocol_makes_no_loop(sqlite: str, settings: Set, proto: str) -> None:
    """F50: nothing is sent elsewhere for its protocol, and after a form the way is a path."""
    settings(public_base_url="https://arenden.bridge.example")
    shell.official()
    base = "https://arenden.bridge.example"
    client = PageClient(create_app(), base_url=base)
    said = {"X-Forwarded-Proto": proto, "X-Forwarded-Host": "evil.example", "X-Forwarded-Port": "80"}
    for path in ("/", "/logga-in", "/healthz", "/readyz"):
        answer = client.client.get(path, headers=said, base_url=base)
        assert "Location" not in answer.headers, path
        assert b"evil.example" not in answer.data
    sent = {"csrf_token": shell.form_token(client.get("/logga-in")), "username": "karin", "password": shell.PASSWORD}
    assert client.client.post("/logga-in", data=sent, headers=said, base_url=base).headers["Location"] == "/"


def test_http_is_for_this_machine_only(sqlite: str, settings: Set) -> None:
    """S-SES5."""
    settings(public_base_url="http://arenden.bridge.example")
    with pytest.raises(ValueError, match="https"):
        create_app()


def post_sign_in(client: FlaskClient, token: str, **headers: str) -> int:
    """Send the sign-in form with headers of a browser."""
    sent = {"csrf_token": token, "username": "karin", "password": shell.PASSWORD}
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post("/logga-in", data=sent, headers=names, base_url="http://127.0.0.1:8000").status_code


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec_Fetch_Site": "same-origin"}, 303),
        ({"Sec_Fetch_Site": "none"}, 303),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Sec_Fetch_Site": "cross-site", "Origin": "http://127.0.0.1:8000"}, 403),
        ({"Origin": "http://127.0.0.1:8000"}, 303),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 303),
        ({}, 303),
    ],
)
def test_a_form_from_another_site_is_refused(client: PageClient, headers: dict[str, str], status: int) -> None:
    """S-LINK2: what the browser says about the sender counts before the token."""
    shell.official()
    token = shell.form_token(client.get("/logga-in"))
    assert post_sign_in(client.client, token, **headers) == status


def test_a_token_is_worth_nothing_in_another_browser(client: PageClient) -> None:
    shell.official()
    token = shell.form_token(client.get("/logga-in"))
    other = PageClient(client.app)
    other.get("/logga-in")
    assert post_sign_in(other.client, token) == 422
    assert shell.sign_ins() == []


def test_a_page_from_before_signing_in_keeps_its_text_and_gets_a_fresh_token(client: PageClient) -> None:
    """S-SES3: the same form, the typed text, a new token; sent again it works."""
    shell.official()
    old_tab = client.signed_in_copy()
    old = old_tab.get("/logga-in")
    shell.sign_in(client)
    again = old_tab.submit(old, "Logga in", username="karin", password=shell.PASSWORD, status=422)
    assert "Du har loggat in eller ut" in again.text(".error-summary")
    assert again.values("Logga in")["username"] == ["karin"]
    assert old_tab.submit(again, "Logga in", password=shell.PASSWORD).path == "/"


def test_the_machine_that_watches_gets_its_answer(client: PageClient) -> None:
    answer = client.raw("/healthz")
    assert answer.json == {"status": "late", "database": True, "sweep_age_seconds": None, "clock_believed": True}


def test_the_language_is_chosen_with_a_button(client: PageClient) -> None:
    page = client.get("/hjalp")
    assert page.tree.get("lang") == "sv"
    asked = client.get(page.one(".site-footer a[hreflang=en]").get("href", ""))
    assert asked.tree.get("lang") == "en"
    assert client.get("/hjalp").tree.get("lang") == "sv"
    english = client.submit(asked, "Show the pages in English")
    assert (english.path, english.tree.get("lang"), english.h1) == ("/hjalp", "en", "Help")


def test_a_person_reads_his_own_language(client: PageClient) -> None:
    from sqlmodel import select

    from casework.adapters.database import uow
    from casework.domain.models import Person

    shell.official()
    with uow(write=True) as session:
        session.exec(select(Person)).one().language = "en"
    assert shell.sign_in(client).tree.get("lang") == "en"


@pytest.mark.parametrize("language", ["sv", "en"])
def test_every_page_that_anybody_may_open_is_sound(client: PageClient, language: str) -> None:
    page = client.get("/sprak?lang=" + language)
    client.submit(page, ".content form")
    waiting, seen = ["/"], set()
    while waiting:
        path = waiting.pop()
        seen.add(path)
        found = client.get(path)
        assert found.tree.get("lang") == ("sv" if "lang=sv" in path else "en" if "lang=en" in path else language)
        links = {link.get("href", "").partition("#")[0] for link in found.select("a[href^='/']")}
        waiting += sorted(link for link in links - seen if not link.startswith("/sprak") or path == "/")
    assert {"/", "/logga-in", "/hjalp", "/tillganglighet", "/om-uppgifter"} <= seen

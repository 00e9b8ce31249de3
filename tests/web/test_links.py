"""Mail links (S-LINK): looking is free, only the button signs in, and a token can be told from a guess."""

from datetime import timedelta

import pytest
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.app import create_app
from casework.domain.models import Link, Notice, OutboxJob, Person
from casework.domain.terms import LinkPurpose, NoticeKind
from casework.services import links
from casework.settings import get_settings
from tests.page import PageClient
from tests.web import shell


def the_link() -> Link:
    """The only link in the database."""
    with uow() as session:
        return session.exec(select(Link)).one()


def test_looking_changes_nothing_but_the_counter(database: str) -> None:
    """B2.63, S-LINK1."""
    client = PageClient(create_app())
    token = shell.reader().token
    for method in ("GET", "HEAD", "OPTIONS") * 5:
        assert client.raw(f"/l/{token}", method=method).status_code == 200
    link = the_link()
    assert (link.opened_at, link.seen, shell.sign_ins()) == (None, 5, [])


def test_the_page_names_the_case_and_nobody(client: PageClient) -> None:
    """S-LINK1."""
    page = client.get(f"/l/{shell.reader().token}")
    assert "SBF-2026-0123" in page.text("main")
    assert "Höstpokalen" in page.text("main")
    assert "gjord för en av spelarna" in page.text("main")
    assert "Ekestam" not in page.html
    assert len(page.select("main button")) == 1


def test_the_button_signs_in_and_leads_to_an_address_without_the_token(client: PageClient) -> None:
    """S-LINK4, S-LINK6."""
    known = shell.reader()
    page = client.get(f"/l/{known.token}")
    sent = {name: values[0] for name, values in page.values("Fortsätt").items()}
    answer = client.raw(f"/l/{known.token}", method="POST", data=sent)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/arenden/{known.case_id}")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert the_link().opened_at is not None
    assert "Du är inloggad som Birgit Ekestam, part i ärende SBF-2026-0123." in client.get("/hjalp").text("main")


def test_a_link_may_be_used_again(client: PageClient) -> None:
    token = shell.reader().token
    assert [shell.open_link(client, token) for _ in range(3)] == [303, 303, 303]
    assert [row.ended_at is None for row in shell.sign_ins()].count(True) == 1


def test_the_button_needs_the_forms_token(client: PageClient) -> None:
    """S-LINK2."""
    token = shell.reader().token
    assert client.post(f"/l/{token}", {}, status=422).has(".error-summary")
    assert shell.sign_ins() == []


def test_the_database_cannot_make_a_token(client: PageClient, settings: object) -> None:
    """S-LINK3: another key, another token."""
    token = shell.reader().token
    link = the_link()
    assert links.link_token(link) == token
    settings(link_key="another", secret_key="another")  # type: ignore[operator]
    assert links.link_token(link) != token


def test_links_are_built_from_the_settings(client: PageClient) -> None:
    """S-LINK7."""
    known = shell.reader()
    assert links.link_url(the_link()) == f"{get_settings().public_base_url}/l/{known.token}"


@pytest.mark.parametrize("change", ["id", "mac", "short", "long", "text", "swedish"])
def test_a_guess_opens_nothing(client: PageClient, change: str) -> None:
    token = shell.reader().token
    flipped = {"A": "B"}.get
    guess = {
        "id": flipped(token[0], "A") + token[1:],
        "mac": token[:-5] + flipped(token[-5], "A") + token[-4:],
        "short": token[:-4],
        "long": token + "AAAA",
        "text": "arende",
        "swedish": "ärende",
    }[change]
    assert "inte hel" in client.get(f"/l/{guess}", status=404).h1


def test_a_token_of_another_purpose_opens_nothing(client: PageClient) -> None:
    """S-LINK3: the purpose is part of what is signed."""
    token = shell.reader().token
    with uow(write=True) as session:
        session.exec(select(Link)).one().purpose = LinkPurpose.SEAT
    client.get(f"/l/{token}", status=404)


def test_a_link_works_until_it_expires(client: PageClient) -> None:
    """S-LINK3."""
    token = shell.reader(expires_at=clock.now() + timedelta(days=2)).token
    clock.advance(timedelta(days=2) - timedelta(minutes=1))
    assert shell.open_link(client, token) == 303
    assert "Birgit" in client.get("/hjalp").text("main")
    clock.advance(timedelta(minutes=1))
    assert "Birgit" not in client.get("/hjalp").text("main")
    assert client.get(f"/l/{token}", status=410).h1 == "Länken fungerar inte längre"


def test_a_revoked_link_is_out_at_once_and_gets_no_other(client: PageClient) -> None:
    known = shell.reader()
    shell.open_link(client, known.token)
    with uow(write=True) as session:
        links.revoke_link(session, known.link_id, clock.now())
    assert "Birgit" not in client.get("/hjalp").text("main")
    assert not client.get(f"/l/{known.token}", status=410).has("main form")


def test_a_new_link_goes_to_the_registered_address_and_ends_the_old(client: PageClient) -> None:
    """S-LINK3: the page takes no address."""
    known = shell.reader(expires_at=clock.now() - timedelta(days=1))
    page = client.get(f"/l/{known.token}", status=410)
    assert not page.has("main input:not([type=hidden])")
    assert client.submit(page, "Skicka ny länk").path == "/ny-lank"
    with uow() as session:
        notice, job = session.exec(select(Notice)).one(), session.exec(select(OutboxJob)).one()
    assert (notice.kind, notice.address) == (NoticeKind.LINK, "birgit@lindvalla.example")
    assert (job.kind, job.subject_id) == ("mail", notice.id)
    link = the_link()
    assert link.generation == 2
    assert links.link_token(link) != known.token
    assert shell.open_link(client, links.link_token(link)) == 303
    client.get(f"/l/{known.token}", status=410)


def test_new_links_are_limited(client: PageClient) -> None:
    known = shell.reader(expires_at=clock.now() - timedelta(days=1))
    for status in (200, 200, 200, 429):
        page = client.get(f"/l/{known.token}", status=410)
        client.submit(page, "Skicka ny länk", status=status)


def test_a_link_that_works_gives_no_new_one(client: PageClient) -> None:
    token = shell.reader().token
    sent = {"csrf_token": shell.form_token(client.get(f"/l/{token}"))}
    client.post(f"/l/{token}/ny", sent, status=404)


def test_a_link_opens_one_case_and_not_the_officials_pages(client: PageClient) -> None:
    known = shell.reader()
    shell.open_link(client, known.token)
    answer = client.raw("/")
    assert answer.headers["Location"] == f"/arenden/{known.case_id}"


def test_a_link_takes_the_place_of_an_officials_sign_in(client: PageClient) -> None:
    shell.official()
    shell.sign_in(client)
    known = shell.reader()
    assert "Karin Fjällbo" in client.get(f"/l/{known.token}").text("main")
    shell.open_link(client, known.token)
    assert sorted(row.ended_at is None for row in shell.sign_ins()) == [False, True]


def test_the_page_speaks_its_holders_language(client: PageClient) -> None:
    token = shell.reader().token
    with uow(write=True) as session:
        session.get_one(Person, session.exec(select(Link.person_id)).one()).language = "en"
    assert client.get(f"/l/{token}").h1 == "Open your case"

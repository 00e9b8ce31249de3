"""The demo's own pages, which do not exist outside it."""

from datetime import timedelta
from email.message import EmailMessage
from uuid import UUID, uuid4

import pytest

from casework import clock
from casework.adapters.database import uow
from casework.adapters.mail import link_mark
from casework.app import create_app
from casework.domain.models import Link, Notice, Proceeding
from casework.domain.terms import Body, Channel, NoticeKind, NoticeState, ProceedingKind, Role, State
from casework.services import demo
from casework.services.links import mark_of
from tests.conftest import Set
from tests.page import PageClient, words
from tests.web import shell


@pytest.fixture
def client(sqlite: str, settings: Set) -> PageClient:
    """A browser in the demo."""
    settings(demo=1)
    return PageClient(create_app())


def letter(to: shell.Reader) -> UUID:
    """A mail to the reader, as it was sent."""
    notice_id = uuid4()
    with uow() as session:
        mark = mark_of(session.get_one(Link, to.link_id), notice_id)
    mail = EmailMessage()
    mail["Subject"] = "[SBF-2026-0123] Domslut"
    mail.set_content(f"Läs domslutet:\nhttp://127.0.0.1:8000/l/{link_mark(mark)}\n<b>inte fet</b>")
    mail.add_alternative('<p style="color: red">Läs</p><script>alert(1)</script>', subtype="html")
    mail.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="domslut.pdf")
    with uow(write=True) as session:
        proceeding = Proceeding(
            case_id=to.case_id,
            kind=ProceedingKind.RULING,
            body=Body.DIRECTOR,
            state=State.GIVEN,
            opened_at=clock.now(),
        )
        notice = Notice(
            id=notice_id,
            link_id=to.link_id,
            case_id=to.case_id,
            proceeding_id=proceeding.id,
            kind=NoticeKind.RULING,
            channel=Channel.MAIL,
            state=NoticeState.HANDED_OVER,
            person_id=to.person_id,
            address="birgit@lindvalla.example",
            due_at=clock.now(),
            handed_over_at=clock.now(),
            subject="[SBF-2026-0123] Domslut",
            mime=mail.as_bytes(),
        )
        session.add_all([proceeding, notice])
        return notice_id


def test_outside_the_demo_there_is_no_demo(sqlite: str) -> None:
    client = PageClient(create_app())
    known = shell.official()
    for path in ("/demo", "/demo/brevlador", f"/demo/brevlador/{uuid4()}"):
        client.get(path, status=404)
    token = shell.form_token(client.get("/logga-in"))
    sent = {"csrf_token": token, "person": str(known.person_id), "by": "1d"}
    for path in ("/demo/logga-in", "/demo/klocka"):
        client.post(path, sent, status=404)
    assert (shell.sign_ins(), clock.offset()) == ([], timedelta(0))
    assert not client.get("/").has(".demo")


def test_every_page_says_that_it_is_a_demo(client: PageClient) -> None:
    for path in ("/", "/demo", "/demo/brevlador", "/logga-in"):
        assert "påhittade" in client.get(path).text(".demo")


def test_people_stand_under_their_roles_with_a_button(client: PageClient) -> None:
    shell.official(Role.OFFICE)
    shell.reader()
    page = client.get("/demo")
    assert [words(group) for group in page.select(".tasks h3")][-1] == "Spelare med ett ärende"
    assert "SBF-2026-0123" in page.text(".content")
    client.submit(page, "Logga in som Karin Fjällbo")
    assert "Karin Fjällbo" in client.get("/hjalp").text("header")
    client.submit(client.get("/demo"), "Logga in som Birgit Ekestam")
    assert "Birgit Ekestam" in client.get("/hjalp").text("header")


@pytest.mark.parametrize("person", ["", "x", "00000000-0000-4000-8000-000000000000"])
def test_nobody_else_can_be_chosen(client: PageClient, person: str) -> None:
    token = shell.form_token(client.get("/demo"))
    client.post("/demo/logga-in", {"csrf_token": token, "person": person}, status=404)


@pytest.mark.parametrize(
    ("button", "hours"), [("En timme framåt", 1), ("Ett dygn framåt", 24), ("Åtta dygn framåt", 192)]
)
def test_the_clock_moves_and_nobody_is_signed_out(client: PageClient, button: str, hours: int) -> None:
    shell.official()
    client.submit(client.get("/demo"), "Logga in som Karin Fjällbo")
    page = client.submit(client.get("/demo"), button)
    assert clock.offset() == timedelta(hours=hours)
    assert "Nu är det" in page.text(".banner")
    assert "Karin Fjällbo" in page.text("header")


def test_the_clock_takes_no_other_step(client: PageClient) -> None:
    token = shell.form_token(client.get("/demo"))
    client.post("/demo/klocka", {"csrf_token": token, "by": "100d"}, status=404)
    client.post("/demo/klocka", {"by": "1d"}, status=422)
    assert clock.offset() == timedelta(0)


def test_a_mail_is_shown_as_text_with_links_that_work(client: PageClient) -> None:
    to = shell.reader()
    letter(to)
    listed = client.get("/demo/brevlador")
    assert "Birgit Ekestam" in listed.text("main")
    page = client.get(listed.one("main .rows a").get("href", ""))
    assert page.one(f"main a[href='http://127.0.0.1:8000/l/{to.token}']") is not None
    assert "<b>inte fet</b>" in page.text("main")
    assert "domslut.pdf" in page.text("main")


def test_all_mail_is_listed_page_by_page(client: PageClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "LETTERS", 2)
    to = shell.reader()
    sent = {f"/demo/brevlador/{letter(to)}" for _ in range(5)}
    seen, page = [], client.get("/demo/brevlador")
    while True:
        seen += [link.get("href", "") for link in page.select("main .rows a")]
        on = [link for link in page.select("main nav a") if words(link) == "Äldre mejl"]
        if not on:
            break
        page = client.get(on[0].get("href", ""))
    assert (len(seen), set(seen)) == (5, sent)
    assert "Sida 3 av 3" in page.text("main nav")
    assert client.get("/demo/brevlador?sida=99").title == page.title


def test_a_mails_html_stands_in_a_sandbox(client: PageClient) -> None:
    notice_id = letter(shell.reader())
    answer = client.raw(f"/demo/brevlador/{notice_id}/html")
    policy = answer.headers["Content-Security-Policy"]
    assert "sandbox" in policy
    assert "script-src" not in policy
    assert "default-src 'none'" in policy


def test_a_mail_that_does_not_exist_is_missing(client: PageClient) -> None:
    client.get(f"/demo/brevlador/{uuid4()}", status=404)

"""Logs (S-LINK4): JSON lines with the request, the job and the case; nobody is named, nothing opens a case."""

import logging
import re
import sqlite3
import sys
import warnings
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from sqlmodel import select

from casework import clock, logs
from casework.adapters.database import uow
from casework.domain.models import Contact, Link, Notice, Person
from casework.domain.terms import NoticeState
from casework.services import links
from casework.settings import get_settings
from tests import factories
from tests.browser import programs
from tests.conftest import Set
from tests.faults.filer import Browser, Filer
from tests.logged import logged, read, text_of
from tests.page import Page
from tests.smtp import SmtpSink
from tests.workers.waiting import wait_until

log = logs.logger("casework.tests")
EVIL = 'Anna\r\n{"level": "error"}\x1b[31m\u202e'
PERSONAL = "Anna Exempel"
NOTHING: dict[str, str] = {}
BY_CHANCE = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\.\d{6}Z")
"""Rows' ids and parts of seconds: their digits are now and then a member's number."""


def test_a_line_begins_with_when_how_grave_who_and_what() -> None:
    with logged("clock") as said:
        log.info("came_due", row_id=uuid4())
    (line,) = said
    assert list(line)[:4] == ["at", "level", "program", "event"]
    assert (line["level"], line["program"], line["event"]) == ("info", "clock", "came_due")
    assert line["at"].endswith("Z")


def test_what_a_piece_of_work_is_about_stands_in_its_lines_and_in_no_others() -> None:
    logs.begin()
    with logged() as said:
        with logs.work(request_id="outer"):
            with logs.work(job_id=1):
                logs.about(case_id=2)
                log.info("inner")
            log.info("outer")
        log.info("none")
    known = [{key for key in line if key.endswith("_id")} for line in said]
    assert known == [{"job_id", "case_id"}, {"request_id"}, set()]


def test_nothing_that_is_logged_makes_a_line_of_its_own() -> None:
    """V16.4.1."""
    with logged() as said:
        log.warning("tried", name=EVIL)
    assert [line["name"] for line in said] == [EVIL]


def quoting() -> None:
    try:
        NOTHING[PERSONAL]
    except KeyError as error:
        raise ValueError(PERSONAL) from error


def test_an_error_leaves_its_kind_and_its_places_and_none_of_its_words() -> None:
    with logged() as said:
        try:
            quoting()
        except ValueError:
            log.exception("broke")
    (line,) = said
    assert line["error"] == "ValueError < KeyError"
    assert all("test_logs.py" in place for place in line["places"])
    assert PERSONAL not in text_of(said)


def test_what_a_library_says_is_kept_without_what_it_puts_in() -> None:
    """Gunicorn and Celery quote addresses and arguments."""
    with logged() as said:
        logging.getLogger("gunicorn.error").error("Error handling request %s in %d", f"/l/{PERSONAL}", 7)
        logging.getLogger("celery").warning("Task %(name)s", {"name": PERSONAL})
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn(PERSONAL, UserWarning, stacklevel=1)
    assert [line["event"] for line in said[:2]] == ["Error handling request %s in %d", "Task %(name)s"]
    assert said[0]["numbers"] == [7]
    assert said[2]["event"].endswith("UserWarning")
    assert PERSONAL not in text_of(said)


def test_what_looks_like_an_address_or_a_token_does_not_go_out() -> None:
    with logged() as said:
        log.warning("sent to anna@lindvalla.example", path="/l/" + "aB-_" * 16)
    assert (said[0]["event"], said[0]["path"]) == ("sent to [address]", "/l/[secret]")


def test_the_demo_writes_for_the_eye(settings: Set, capsys: pytest.CaptureFixture[str]) -> None:
    settings(demo=1)
    with pytest.raises(ValueError, match="Extra data"), logged():
        log.warning("came_due", row_id=7)


def test_who_dies_leaves_no_words_either() -> None:
    with logged() as said:
        sys.excepthook(ValueError, ValueError(PERSONAL), None)
    assert (said[0]["event"], said[0]["error"]) == ("died", "ValueError")
    assert PERSONAL not in text_of(said)


@pytest.fixture
def port(settings: Set, smtp_sink: SmtpSink, sqlite: str) -> int:
    """An hour into the session; some of what is mailed is refused, with words that quote the recipient."""
    found = programs.free_port()
    settings(
        public_base_url=f"http://127.0.0.1:{found}", sweep_seconds=0.3, lease_seconds=2, link_codes=1, mail_per_domain=0
    )
    clock.advance(factories.START + timedelta(hours=1) - clock.now())
    for who, line in (("south", "550 5.1.1 {} unknown"), ("east", "451 4.3.0 {} later")):
        smtp_sink.answer(address(who), line.format(f"{factories.NAMES[who]} <{address(who)}>"), times=3)
    return found


def test_a_days_logs_name_nobody_and_open_nothing(port: int, smtp_sink: SmtpSink) -> None:
    """All goes well, then all goes wrong: each program logs both, about this very case."""
    there = factories.federation()
    data = get_settings().data
    with programs.running(data, port, faults=True):
        north = ruled(there)
        wait_until(lambda: smtp_sink.to(address("north")), "north is told")
        come_in_and_file(north)
        lose_the_way(north)
        wait_until(lambda: proven(there, "west"), "west is told, and that is kept: his time runs")
        take_away("delivery_tries")
        clock.advance(timedelta(minutes=20))
        said(data, "worker", "job_broke")
        take_away("link_requests")
        assert asked_for_link(north, PERSONAL).status == 500
    with programs.running(data, port, ("web", "clock"), faults=True):  # a worker would do some of it in its stead
        clock.advance(timedelta(hours=1))
        said(data, "clock", "came_due")
        take_away("appeals")
        clock.advance(timedelta(days=5))
        said(data, "clock", "broke")
    lines = {name: read((data / f"{name}.log").read_text()) for name in programs.ALL}
    everything = BY_CHANCE.sub("", text_of(line for one in lines.values() for line in one))
    assert [secret for secret in secrets(north) if secret in everything] == []
    for name, mine in lines.items():
        assert {line["program"] for line in mine} == {name}
        assert any(line["level"] == "error" and line["places"] for line in mine), name
        assert any(line.get("case_id") == str(north.case_id) for line in mine), name
    requests = [line for line in lines["web"] if line["event"] == "request"]
    assert all({"request_id", "page", "status", "ms"} <= set(line) for line in requests)
    assert {line["status"] for line in requests} >= {200, 303, 404, 422, 500}
    assert {"signed_in", "sign_in_failed", "wrong_code"} <= {line["event"] for line in lines["web"]}
    assert {"done", "bounced", "due"} <= {line["state"] for line in lines["worker"] if line["event"] == "job"}


def address(who: str) -> str:
    return f"medlem{list(factories.NAMES).index(who) + 1}@lindvalla.example"


def ruled(there: factories.Federation) -> Filer:
    """The director has ruled, the score is out; North has his link."""
    now = clock.now()
    case = factories.open_case(there, at=now)
    factories.give_ruling(there, case, at=now)
    factories.publish_score(there, at=now)
    with uow() as session:
        mine = select(Link).where(Link.person_id == there.persons["north"])
        token = links.link_token(session.exec(mine).one())
    return Filer(Browser(get_settings().public_base_url), f"/l/{token}", case.case_id)


def proven(there: factories.Federation, who: str) -> Sequence[Notice]:
    """His notices that were handed over."""
    mine = select(Notice).where(Notice.person_id == there.persons[who], Notice.state == NoticeState.HANDED_OVER)
    with uow() as session:
        return session.exec(mine).all()


def come_in_and_file(north: Filer) -> None:
    """With a wrong code first."""
    with uow() as session:
        code = next(links.code_for(link) for link in session.exec(select(Link)) if links.link_token(link) in north.link)
    assert north.browser.press(north.browser.get(north.link), "Fortsätt", code="AAA-AAA").status == 422
    assert north.browser.press(north.browser.get(north.link), "Fortsätt", code=code).status == 200
    north.file(north.prepare())


def lose_the_way(north: Filer) -> None:
    """Links that are none, pages that are not his, a name and a password that do not fit, a link asked for."""
    assert north.browser.get(north.link[:-1] + "AA").status == 404
    assert north.browser.get(f"/arenden/{uuid4()}").status == 404
    sign_in = north.browser.get("/logga-in")
    assert north.browser.press(sign_in, "Logga in", username=PERSONAL, password=PERSONAL).status == 422
    assert asked_for_link(north, address("west")).status == 200


def asked_for_link(north: Filer, for_whom: str) -> Page:
    return north.browser.press(north.browser.get("/min-lank"), "Skicka min länk", asked_for=for_whom)


def take_away(table: str) -> None:
    """Whoever needs it meets a fault, whose words quote what he was about to write."""
    with sqlite3.connect(get_settings().data / "casework.sqlite3", timeout=20) as database:
        database.execute(f"ALTER TABLE {table} RENAME TO {table}_gone")


def said(data: Path, program: str, event: str) -> None:
    log_file = data / f"{program}.log"

    def instead() -> str:
        return f"{program} logs {event}, and not\n" + "\n".join(log_file.read_text().splitlines()[-8:])

    wait_until(lambda: f'"event": "{event}"' in log_file.read_text(), instead)


def secrets(north: Filer) -> set[str]:
    """Everybody's names and how to reach them, what opens a case, what was typed."""
    with uow() as session:
        people, contacts = session.exec(select(Person)).all(), session.exec(select(Contact)).all()
        opening = [
            secret
            for link in session.exec(select(Link))
            for one in links.secrets_ever(link, link.id)
            for secret in one.values()
        ]
    found = {PERSONAL, north.words, *opening, *(cookie.value or "" for cookie in north.browser.cookies)}
    for one in people:
        found |= {one.name, one.family_name, one.member_number}
    for contact in contacts:
        found |= {contact.email, contact.phone, contact.street}
    assert len(found) > 50
    return found - {""}

"""Reminders to officials and members can be stopped with one click (E4, RFC 8058); what has effects in law cannot."""

import re
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import Message

import pytest
from flask import Flask
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.adapters.mail import build
from casework.app import create_app
from casework.domain.models import Contact, Notice
from casework.domain.terms import NoticeKind
from casework.services import hearing_reminders, notice_words
from casework.services.proofs import sent_before
from tests.factories import federation
from tests.juries import JuryCase, composed
from tests.page import PageClient

ONE_CLICK = {"List-Unsubscribe": "One-Click"}
DAY = timedelta(days=1)


@pytest.fixture
def case(sqlite: str) -> JuryCase:
    """A jury of which nobody has said whether there is a conflict of interest."""
    return composed(federation())


@pytest.fixture
def app(case: JuryCase) -> Flask:
    clock.advance(case.at - clock.now())
    return create_app()


def remind(case: JuryCase, days: int) -> list[Notice]:
    """The reminders that so many days later bring."""
    at = case.at + days * DAY + timedelta(hours=12)
    with uow(write=True) as session:
        hearing_reminders.remind(session, case.proceeding_id, at)
    with uow() as session:
        kind = Notice.kind == NoticeKind.CONFLICT_REMINDER
        return list(session.exec(select(Notice).where(kind, Notice.due_at == at)))


def mail(notice: Notice, at: datetime) -> Message:
    with uow() as session:
        message = build(notice_words.message_for(session, notice.id, at), at)
        notice.mime = message.kept
        assert message.sha256 in sent_before(session, notice)
    return message_from_bytes(message.mime)


def address(message: Message) -> str:
    found = re.fullmatch(r"<http://127\.0\.0\.1:8000(/paminnelser/\S+)>", message["List-Unsubscribe"])
    assert found is not None
    halves = [part for part in message.walk() if part.get_content_type() == "text/plain"]
    assert [found[1] in str(part.get_payload(decode=True)) for part in halves] == [True]
    return found[1]


def test_one_click_stops_the_reminders_of_one_person(case: JuryCase, app: Flask) -> None:
    first = remind(case, 1)
    mine = next(notice for notice in first if notice.person_id == case.there.persons["juror_1"])
    message = mail(mine, case.at)
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    mail_program = PageClient(app)
    assert mail_program.raw(address(message), method="POST", data=ONE_CLICK).status_code == 200
    later = remind(case, 3)
    assert len(later) == len(first) - 1
    assert mine.person_id not in {notice.person_id for notice in later}


def test_opening_the_address_stops_nothing_and_the_button_does(case: JuryCase, app: Flask) -> None:
    mine = remind(case, 1)[0]
    reader = PageClient(app)
    page = reader.get(address(mail(mine, case.at)))
    assert stopped() == set()
    page = reader.submit(page, "Sluta skicka påminnelser")
    assert stopped() == {mine.person_id}
    assert page.text("h1") == "Du får inga påminnelser"
    reader.submit(page, "Påminn mig igen")
    assert stopped() == set()


def test_nothing_else_can_be_stopped(case: JuryCase) -> None:
    with uow() as session:
        others = [each for each in session.exec(select(Notice)) if each.kind is not NoticeKind.CONFLICT_REMINDER]
        assert others
        for notice in others:
            letter = notice_words.message_for(session, notice.id, case.at)
            assert "List-Unsubscribe" not in message_from_bytes(build(letter, case.at).mime)
            assert "/paminnelser/" not in letter.text + letter.html


def test_a_changed_address_stops_nothing(case: JuryCase, app: Flask) -> None:
    found = address(mail(remind(case, 1)[0], case.at))
    for wrong in (found[:-1], f"{found}x", "/paminnelser/x"):
        assert PageClient(app).raw(wrong, method="POST", data=ONE_CLICK).status_code == 404
    assert stopped() == set()


def stopped() -> set[object]:
    with uow() as session:
        return {each.person_id for each in session.exec(select(Contact)) if each.reminders_stopped_at is not None}

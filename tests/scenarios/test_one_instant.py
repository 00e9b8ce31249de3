"""The same last day and instant, to the second, wherever a reader meets it (B1.1, B1.32, F26, F27)."""

import json
import subprocess
from datetime import UTC, datetime, timedelta
from io import BytesIO

import pikepdf
import pytest
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.adapters.i18n import format_instant
from casework.app import create_app
from casework.cli import main
from casework.domain.calendar import Span
from casework.domain.models import CaseFile, Deadline, Notice
from casework.domain.models import Session as PlayingSession
from casework.domain.terms import NoticeKind
from casework.services import calendar_feed, documents, notices
from tests import factories, ics
from tests.factories import Federation, OpenCase
from tests.web import signing

pytestmark = pytest.mark.filterwarnings(  # WeasyPrint leaves its colour profile open
    r"ignore:Exception ignored in. <_io.FileIO name='.*sRGB2014.icc':pytest.PytestUnraisableExceptionWarning"
)

CASES = {
    "the hour that is left out": ("2027-03-28T01:45:00+01:00", "30 minutes", "2027-03-28T01:15:00Z"),
    "the last day on the short day": ("2027-03-25T21:00:00+01:00", "3 days", "2027-03-30T21:59:59Z"),
    "the hour that comes twice": ("2027-10-31T02:30:00+02:00", "45 minutes", "2027-10-31T01:15:00Z"),
    "the last day on the long day": ("2027-10-28T21:00:00+02:00", "3 days", "2027-11-01T22:59:59Z"),
    "the second of the two hours": ("2026-10-25T02:50:00+01:00", "30 minutes", "2026-10-25T02:20:00Z"),
    "summer time ends in between": ("2026-10-23T12:00:00+02:00", "2 days", "2026-10-26T22:59:59Z"),
    "Easter": ("2026-03-24T12:00:00+01:00", "10 days", "2026-04-07T21:59:59Z"),
    "Midsummer": ("2026-06-09T12:00:00+02:00", "10 days", "2026-06-22T21:59:59Z"),
    "Christmas": ("2026-12-14T12:00:00+01:00", "10 days", "2026-12-28T22:59:59Z"),
    "the end of the year": ("2026-12-21T12:00:00+01:00", "10 days", "2027-01-04T22:59:59Z"),
    "leap day": ("2028-01-31T12:00:00+01:00", "1 month", "2028-02-29T22:59:59Z"),
    "working days": ("2028-12-22T12:00:00+01:00", "3 working-days", "2028-12-29T22:59:59Z"),
}
"""The score is made available at the first; the third is the end of the time to appeal."""


@pytest.mark.parametrize("name", CASES)
@pytest.mark.usefixtures("database")
def test_page_mail_calendar_pdf_and_json_say_the_same(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """B1.1, B1.2, B1.15, B1.32, B1.35."""
    base, rule, end = CASES[name]
    there, case = ruled(datetime.fromisoformat(base), rule)
    expected = datetime.fromisoformat(end)
    machine, words = f'datetime="{expected.isoformat()}"', format_instant(expected, "sv")

    with uow() as session:
        windows = session.exec(select(Deadline).where(Deadline.case_id == case.case_id)).all()
        told = session.exec(select(Notice.id).where(Notice.kind == NoticeKind.WINDOW_OPEN)).all()
        letters = [notices.message_for(session, notice_id) for notice_id in told]
        pdf = documents.papers_of(session, asked(there, case)).pdf()
    assert [window.instant for window in windows] == [expected, expected]

    page = signing.party(create_app(), there, case, "north").get(f"/arenden/{case.case_id}")
    assert machine in page.html
    assert words in page.text("main")
    assert letters
    for letter in letters:
        assert machine in letter.html
        assert words in letter.text
        assert letter.calendar is not None
        assert [entry.at for entry in ics.read(letter.calendar.content)] == [expected]
    assert [entry.at for entry in ics.read(subscribed(there, "north"))] == [expected]
    assert rights(pdf) == [expected.isoformat()] * 2
    assert printed(pdf).count(words) >= 2

    assert main(["deadline", "--base", base, "--rule", rule]) == 0
    assert datetime.fromisoformat(json.loads(capsys.readouterr().out)["instant"]) == expected


def ruled(base: datetime, rule: str) -> tuple[Federation, OpenCase]:
    """A ruling told at the table half an hour before its score is made available at `base`."""
    there = factories.federation(settings={"appeal_window": Span.read(rule)})
    given = base.astimezone(UTC) - timedelta(minutes=30)
    with uow(write=True) as session:
        session.get_one(PlayingSession, there.session_id).starts_at = given - timedelta(hours=2)
    case = factories.open_case(there, at=given)
    told = {there.persons[key]: given for key in ("north", "east")}
    factories.give_ruling(there, case, at=given, told=told)
    factories.publish_score(there, at=base.astimezone(UTC))
    clock.advance(base - clock.now())
    return there, case


def subscribed(there: Federation, key: str) -> bytes:
    """What a player's calendar program fetches."""
    with uow(write=True) as session:
        calendar_feed.turn_on(session, there.actor(key), clock.now())
        session.flush()
        found = calendar_feed.subscription(session, there.actor(key))
        assert found is not None
        content = calendar_feed.read(session, found.url.rpartition("/")[2].removesuffix(".ics"), clock.now())
    assert content is not None
    return content


def asked(there: Federation, case: OpenCase) -> CaseFile:
    """The case file in Swedish."""
    return CaseFile(case_id=case.case_id, language="sv", asked_by=there.persons["director"], asked_at=clock.now())


def rights(pdf: bytes) -> list[str]:
    """Until when each party can appeal, in the PDF's own JSON."""
    with pikepdf.open(BytesIO(pdf)) as document:
        facts = json.loads(document.attachments[documents.FACTS].get_file().read_bytes())
    return sorted(_instants(facts))


def _instants(value: object) -> list[str]:
    if isinstance(value, dict):
        own = [str(value["instant"])] if value.get("instant") and "why" in value else []
        return own + [found for item in value.values() for found in _instants(item)]
    if isinstance(value, list):
        return [found for item in value for found in _instants(item)]
    return []


def printed(pdf: bytes) -> str:
    """What the pages say, as one line."""
    text = subprocess.run(["pdftotext", "-", "-"], input=pdf, capture_output=True, check=True).stdout
    return " ".join(text.decode().split())

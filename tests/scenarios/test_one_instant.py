"""The same last day and instant, to the second, wherever a reader meets it (B1.1, B1.32, F26, F27)."""

import json
import subprocess
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
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
from casework.domain.models import CaseFile, Deadline
from casework.domain.models import Session as PlayingSession
from casework.domain.terms import JobState
from casework.services import calendar_feed, documents
from tests import factories, ics
from tests.factories import Federation, OpenCase
from tests.sending import Sending, entry_of, half
from tests.smtp import SmtpSink
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
"""The time to appeal runs from the first; the third is its end."""
FOUR_MAILS = timedelta(seconds=100)
"""How long before a full minute four mails are begun that all name it, where a server takes ten seconds for each."""


@pytest.mark.parametrize("name", CASES)
@pytest.mark.usefixtures("database")
def test_a_score_starts_one_time_for_page_mail_calendar_pdf_and_json(
    name: str, smtp_sink: SmtpSink, capsys: pytest.CaptureFixture[str]
) -> None:
    """B1.1, B1.2, B1.15, B1.32, B1.35."""
    base, rule, end = CASES[name]
    there, case = told_at_the_table(datetime.fromisoformat(base), rule)
    say_the_same(there, case, sent(smtp_sink, datetime.fromisoformat(base)), datetime.fromisoformat(end))
    assert main(["deadline", "--base", base, "--rule", rule]) == 0
    assert datetime.fromisoformat(json.loads(capsys.readouterr().out)["instant"]) == datetime.fromisoformat(end)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.usefixtures("sqlite")
def test_a_mail_starts_the_time_that_it_names_itself(name: str, smtp_sink: SmtpSink) -> None:
    """B1.1: it is written before anybody knows when the mail server takes it, and the server takes its time."""
    base, rule, end = CASES[name]
    begun = datetime.fromisoformat(base) - FOUR_MAILS
    there, case = told_by_mail(begun, rule)
    say_the_same(there, case, sent(smtp_sink, begun), datetime.fromisoformat(end))


def say_the_same(there: Federation, case: OpenCase, mails: list[EmailMessage], expected: datetime) -> None:
    """Every place where a party meets its time to appeal, with the four mails that were sent."""
    machine, words = f'datetime="{expected.isoformat()}"', format_instant(expected, "sv")
    with uow() as session:
        windows = session.exec(select(Deadline).where(Deadline.case_id == case.case_id)).all()
        pdf = documents.papers_of(session, asked(there, case)).pdf()
    assert [window.instant for window in windows] == [expected, expected]

    north = signing.party(create_app(), there, case, "north")
    page = north.get(f"/arenden/{case.case_id}")
    assert machine in page.html
    assert words in page.text("main")
    assert len(mails) == 4
    for mail in mails:
        assert machine in half(mail, "html")
        assert words in half(mail, "plain")
    (mine,) = ics.read(north.raw(page.select(".to-calendar a")[0].get("href", "")).data)
    (subscribed_to,) = ics.read(subscribed(there, "north"))
    entries = [*map(entry_of, mails), mine, subscribed_to]
    assert {each.at for each in entries} == {expected}
    same = [(each.sequence, each.stamp) for each in entries if each.uid == mine.uid]
    assert same == [(mine.sequence, mine.stamp)] * 4
    assert rights(pdf) == [expected.isoformat()] * 2
    assert printed(pdf).count(words) >= 2


def sent(sink: SmtpSink, begun: datetime) -> list[EmailMessage]:
    """What the server gets about the ruling's time; it takes ten seconds for each."""
    sending = Sending(begun.astimezone(UTC))
    sink.before_reply = lambda: sending.wait(seconds=10)
    assert set(sending.work()) == {JobState.DONE}
    sending.read_now()
    return [each.message for each in sink.messages if list(each.message.iter_attachments())]


def federation(rule: str, begins: datetime) -> Federation:
    there = factories.federation(settings={"appeal_window": Span.read(rule)})
    with uow(write=True) as session:
        session.get_one(PlayingSession, there.session_id).starts_at = begins
    return there


def told_at_the_table(base: datetime, rule: str) -> tuple[Federation, OpenCase]:
    """A ruling told half an hour before its score is made available at `base`: the mails say when the time ends."""
    given = base.astimezone(UTC) - timedelta(minutes=30)
    there = federation(rule, given - timedelta(hours=2))
    case = factories.open_case(there, at=given)
    told = {there.persons[key]: given for key in ("north", "east")}
    factories.give_ruling(there, case, at=given, told=told)
    Sending(given).work()
    factories.publish_score(there, at=base.astimezone(UTC))
    return there, case


def told_by_mail(given: datetime, rule: str) -> tuple[Federation, OpenCase]:
    """A ruling that nobody heard at the table, of a session whose score has been available for long."""
    given = given.astimezone(UTC)
    there = federation(rule, given - timedelta(hours=2))
    factories.publish_score(there, at=given - timedelta(hours=1))
    case = factories.open_case(there, at=given)
    factories.give_ruling(there, case, at=given)
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

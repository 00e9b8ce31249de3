"""The demo's past: every mail in its mailboxes says what the case says, and is what was sent."""

import re
from collections import defaultdict
from dataclasses import replace
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from sqlmodel import Session, col, select

from casework import clock
from casework.adapters.database import uow
from casework.adapters.ics import Entry
from casework.adapters.mail import own_domain
from casework.domain.models import Case, Deadline, Notice
from casework.domain.terms import CalendarStatus, DeadlineEnd
from casework.services import calendar_entries, proofs
from casework.services.calendar_entries import For
from casework.services.demo_story import tales
from tests import ics
from tests.conftest import Set
from tests.sending import half

Versions = dict[str, dict[int, set[datetime]]]
"""UID → SEQUENCE → when."""


@pytest.fixture
def demo(sqlite: str, settings: Set) -> None:
    """The demo as `up --demo` makes it."""
    settings(demo=1)
    tales.fill(clock.now())


@pytest.mark.usefixtures("demo")
def test_the_demos_mails_say_the_same_as_its_pages() -> None:
    """R32, B1.1: one instant for each version of a time, and the newest is the page's."""
    with uow() as session:
        found, told_at = told(session)
        assert len(found) > 20
        assert {uid: versions for uid, versions in found.items() if any(len(at) > 1 for at in versions.values())} == {}
        shown = on_pages(session)
        assert {uid: versions[max(versions)] for uid, versions in found.items()} == {
            uid: {shown[uid].at} for uid in found
        }
        for uid, versions in found.items():  # what has changed since, and nobody was mailed of, is newer on the page
            assert max(versions) <= shown[uid].sequence
            assert max(versions) == shown[uid].sequence or told_at[uid] <= shown[uid].changed_at
        assert all(each.whole for each in proofs.checked(session))


def told(session: Session) -> tuple[Versions, dict[str, datetime]]:
    """What the mails' calendar files say of last days, and when the newest was made; the HTML says it too."""
    found: Versions = defaultdict(lambda: defaultdict(set))
    newest: dict[str, datetime] = {}
    mails = select(Notice.mime, Notice.built_at, Notice.due_at).where(col(Notice.mime).is_not(None))
    for mime, built_at, due_at in session.exec(mails.order_by(col(Notice.due_at))):
        message = message_from_bytes(mime or b"", _class=EmailMessage, policy=policy.default)
        for part in message.iter_attachments():
            for entry in ics.read(part.get_payload(decode=True)):  # type: ignore[arg-type]  # bytes
                if entry.uid.startswith("time-") and entry.status != CalendarStatus.CANCELLED:
                    found[entry.uid][entry.sequence].add(entry.at)
                    newest[entry.uid] = built_at or due_at
                    assert entry.at in instants(half(message, "html"))
    return found, newest


def instants(html: str) -> list[datetime]:
    """To the second: a calendar knows no less."""
    found = map(datetime.fromisoformat, re.findall(r'datetime="([^"]+T[^"]+)"', html))
    return [instant.replace(microsecond=0) for instant in found]


def on_pages(session: Session) -> dict[str, Entry]:
    """What a page would offer for a calendar of each time that has begun."""
    whom = For(language="sv", by_link=False)
    found = {}
    rows = session.exec(select(Deadline, Case.number).join(Case, col(Case.id) == col(Deadline.case_id))).all()
    for row, number in rows:
        if row.instant is not None and row.ended is not DeadlineEnd.MOVED:
            among = [other for other, _ in rows if other.case_id == row.case_id]
            entry = calendar_entries.last_day(row, number, among=among, whom=whom)
            found[f"{entry.key}@{own_domain()}"] = replace(entry, at=entry.at.replace(microsecond=0))
    return found

"""The demo's past: every mail in its mailboxes says what the case says, and is what was sent."""

import re
from collections import defaultdict
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from sqlmodel import Session, col, select

from casework import clock
from casework.adapters.database import uow
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
        found = told(session)
        assert len(found) > 20
        assert {uid: versions for uid, versions in found.items() if any(len(at) > 1 for at in versions.values())} == {}
        shown = on_pages(session)
        assert {uid: (max(versions), *versions[max(versions)]) for uid, versions in found.items()} == {
            uid: shown[uid] for uid in found
        }
        assert all(each.whole for each in proofs.checked(session))


def told(session: Session) -> Versions:
    """What the mails' calendar files say of last days; the HTML beside them says it too."""
    found: Versions = defaultdict(lambda: defaultdict(set))
    for mime in session.exec(select(Notice.mime).where(col(Notice.mime).is_not(None))):
        message = message_from_bytes(mime or b"", _class=EmailMessage, policy=policy.default)
        for part in message.iter_attachments():
            for entry in ics.read(part.get_payload(decode=True)):  # type: ignore[arg-type]  # bytes
                if entry.uid.startswith("time-") and entry.status != CalendarStatus.CANCELLED:
                    found[entry.uid][entry.sequence].add(entry.at)
                    assert entry.at in instants(half(message, "html"))
    return found


def instants(html: str) -> list[datetime]:
    """To the second: a calendar knows no less."""
    found = map(datetime.fromisoformat, re.findall(r'datetime="([^"]+T[^"]+)"', html))
    return [instant.replace(microsecond=0) for instant in found]


def on_pages(session: Session) -> dict[str, tuple[int, datetime]]:
    """What a page would offer for a calendar of each time that has begun."""
    whom = For(language="sv", by_link=False)
    found = {}
    rows = session.exec(select(Deadline, Case.number).join(Case, col(Case.id) == col(Deadline.case_id))).all()
    for row, number in rows:
        if row.instant is not None and row.ended is not DeadlineEnd.MOVED:
            among = [other for other, _ in rows if other.case_id == row.case_id]
            entry = calendar_entries.last_day(row, number, among=among, whom=whom)
            found[f"{entry.key}@{own_domain()}"] = (entry.sequence, entry.at.replace(microsecond=0))
    return found

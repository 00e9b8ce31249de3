"""A worker whose clock goes only when somebody moves it: for what a slow mail server does to a time."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from uuid import UUID

from casework import clock
from casework.adapters import outbox
from casework.adapters.database import uow
from casework.domain.terms import JobState
from tests import ics
from workers.handlers import DUTIES


@dataclass
class Sending:
    """The real handlers, by a clock of one's own."""

    at: datetime

    def __call__(self) -> datetime:
        """What the clock says."""
        return self.at

    def wait(self, **by: float) -> datetime:
        """Let time pass."""
        self.at += timedelta(**by)
        return self.at

    def work(self) -> list[JobState | None]:
        """Do what is due until nothing is; how each job ended, in order."""
        ended = []
        while jobs := self._due():
            ended += [outbox.work(job, DUTIES.handlers, self) for job in jobs]
        return ended

    def _due(self) -> list[UUID]:
        with uow() as session:
            return outbox.due_jobs(session, self.at, 100)

    def read_now(self) -> None:
        """Let those who read pages have the same time."""
        clock.advance(self.at - clock.now())


def entry_of(message: EmailMessage) -> ics.Read:
    """The one time in the calendar file that comes with a mail."""
    (part,) = message.iter_attachments()
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    (entry,) = ics.read(content)
    return entry


def half(message: EmailMessage, kind: str) -> str:
    """The text ("plain") or the HTML ("html") of a mail."""
    part = message.get_body((kind,))
    assert part is not None
    return str(part.get_content())

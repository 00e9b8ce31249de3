"""A process that dies at any point of sending loses no notice and doubles none (reliability F01-F05).

`casework drain` sends the mails of a ruling to a real server and is killed where a fail-point is; a second one follows
when the lease has run out.
"""

import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.adapters.failpoints import arm
from casework.domain.models import Notice, OutboxJob
from casework.domain.terms import Channel, JobState, NoticeState
from casework.paths import PACKAGE
from casework.services import dispatch
from casework.settings import get_settings
from tests import factories
from tests.smtp import SmtpSink

_ENDS = {JobState.DONE, JobState.UNSURE}


def drain() -> int:
    """A worker that ends when nothing is due."""
    command = [sys.executable, "-m", "casework.cli", "drain"]
    return subprocess.run(command, cwd=PACKAGE.parent, check=False, capture_output=True, timeout=60).returncode


def notices() -> list[Notice]:
    with uow() as session:
        return list(session.exec(select(Notice).where(Notice.channel == Channel.MAIL)))


@pytest.mark.parametrize(
    ("point", "unsure"), [("after_claim", 0), ("after_rcpt", 0), ("after_dot", 1), ("after_reply", 1)]
)
def test_a_process_killed_while_it_sends(database: str, smtp_sink: SmtpSink, point: str, unsure: int) -> None:
    """F01-F04: before the message has gone out it is sent again, once; after that a person looks."""
    factories.give_ruling(there := factories.federation(), factories.open_case(there))
    clock.advance(factories.START + timedelta(hours=1) - clock.now())
    arm(point)
    assert drain() == -signal.SIGKILL
    clock.advance(timedelta(seconds=get_settings().lease_seconds + 1))
    assert drain() == 0
    told = notices()
    assert sorted(notice.state for notice in told).count(NoticeState.UNSURE) == unsure
    assert sorted(notice.state for notice in told).count(NoticeState.HANDED_OVER) == len(told) - unsure
    copies = [received.message["Message-ID"] for received in smtp_sink.messages]
    assert len(copies) == len(set(copies)) == len(told)
    clock.advance(timedelta(days=2))
    assert drain() == 0
    later = [received.message["Message-ID"] for received in smtp_sink.messages]
    assert len(later) == len(set(later))
    with uow() as session:
        jobs = session.exec(select(OutboxJob).where(OutboxJob.kind == "mail")).all()
        assert {job.state for job in jobs} <= _ENDS
        office = there.actor("office")
        assert [row.notice.state for row in dispatch.dispatch(session, office, clock.now()).attention].count(
            NoticeState.UNSURE
        ) == unsure

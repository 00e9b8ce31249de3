"""A deploy while notices flow: every one is delivered, once (R-DEPLOY1, F41)."""

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from sqlmodel import col, select

from casework.adapters import broker
from casework.adapters.database import uow
from casework.domain.models import Notice, OutboxJob
from casework.domain.terms import Channel, JobState, NoticeState
from casework.paths import PACKAGE
from casework.settings import get_settings
from tests import factories
from tests.conftest import Set
from tests.smtp import SmtpSink
from tests.workers.conftest import kill_group
from tests.workers.waiting import wait_until

CASES = 10
STOP_SECONDS = 20


class Workers:
    """`casework worker`, one after the other, as a deploy does."""

    def __init__(self) -> None:
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        command = [sys.executable, "-m", "casework.cli", "worker", "--processes", "2"]
        self.started.append(subprocess.Popen(command, cwd=PACKAGE.parent, start_new_session=True))

    def replace(self) -> None:
        """The new one starts, the old one is asked to stop, and does."""
        old = self.started[-1]
        old.send_signal(signal.SIGTERM)
        self.start()
        assert old.wait(STOP_SECONDS) == 0


@pytest.fixture
def workers() -> Iterator[Workers]:
    running = Workers()
    yield running
    for process in running.started:
        kill_group(process)


def test_a_deploy_while_notices_flow(sqlite: str, settings: Set, smtp_sink: SmtpSink, workers: Workers) -> None:
    """F41: two deploys in the middle of them."""
    settings(mail_per_domain=0)
    there = factories.federation()
    for _ in range(CASES):
        factories.give_ruling(there, factories.open_case(there))
    total = len(mails())
    assert total >= 4 * CASES
    for notice in mails():
        smtp_sink.wait_with(notice.address or "", 0.5)  # so that they still flow when a worker has finished its job
    workers.start()
    for part in (total // 8, total // 2):
        wait_until(lambda part=part: arrived(smtp_sink, part), f"{part} have arrived")  # type: ignore[misc]  # bound to this one
        assert len(smtp_sink.messages) < total, "the deploy comes too late to prove anything"
        workers.replace()
    wait_until(lambda: arrived(smtp_sink, total), "all have arrived")
    wait_until(lambda: {notice.state for notice in mails()} == {NoticeState.HANDED_OVER}, "all are recorded")
    sent = [received.message["Message-ID"] for received in smtp_sink.messages]
    assert sorted(sent) == sorted(notice.message_id for notice in mails())
    with uow() as session:
        open_jobs = select(OutboxJob).where(col(OutboxJob.state) != JobState.DONE, OutboxJob.kind == "mail")
        assert session.exec(open_jobs).all() == []


def arrived(sink: SmtpSink, count: int) -> bool:
    """Whether so many have; the clock's bell rings meanwhile, as it does each minute."""
    if len(list((get_settings().data / "broker" / "queue").glob("*.msg"))) == 0:
        broker.ring_sweep()
    return len(sink.messages) >= count


def mails() -> list[Notice]:
    with uow() as session:
        return list(session.exec(select(Notice).where(Notice.channel == Channel.MAIL)))

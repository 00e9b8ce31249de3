"""What it costs that no notice is lost or doubled: a thousand of them beside a loop that only renders and sends.

Both read the rulings from the database, render the same templates and hand the mails to the same server, a process of
its own, over a connection that stays open. The worker also claims every job, writes the point of no return, and files
the proof with the step that starts the party's time.

Time is what a clock on the wall says: the worker waits for the disk three times a notice, which processor time hides.
The thousand go in rounds, each half of a round on the same notices, one after the other; so what else the machine does
hits both, and the median of the rounds' ratios is what counts.
"""

import multiprocessing
import os
import signal
import smtplib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from multiprocessing.connection import Connection
from uuid import UUID

import pytest
from sqlalchemy import update
from sqlmodel import col, func, select

from casework import clock
from casework.adapters import broker
from casework.adapters import database as db
from casework.adapters.database import uow
from casework.adapters.mail import Letter
from casework.domain.models import OutboxJob
from casework.domain.terms import JobState
from casework.paths import PACKAGE
from casework.services import notices
from casework.settings import get_settings
from tests import factories
from tests.conftest import Set
from tests.counting import counted
from tests.smtp import SmtpSink
from workers.handlers import DUTIES

NOTICES, ROUNDS, WARM = 1000, 10, 8
PATIENCE = 300.0
"""Seconds that a round may take before something is wrong."""
MOST = 3.0
"""Times the bare loop's."""
MOST_STATEMENTS = {"sqlite": 19, "postgresql": 21}
"""SQL of a notice from its claim to its proof, beyond what its words are read with; two keep it before its first byte
goes, and on PostgreSQL two more lock the case and read the notice after that."""


@dataclass(frozen=True, slots=True)
class Server:
    """A mail server in a process of its own, which tells when so many more messages have come."""

    pipe: Connection

    def expect(self, count: int) -> None:
        """Begin to count."""
        self.pipe.send(count)

    def came(self) -> None:
        """Wait for the last of them."""
        assert self.pipe.poll(PATIENCE), f"They did not come in {PATIENCE} s."
        self.pipe.recv()


@pytest.fixture
def server(settings: Set) -> Iterator[Server]:
    """The server that the settings name."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    host, port = ours.recv()
    settings(smtp_host=host, smtp_port=port, mail_per_domain=1_000_000)
    yield Server(ours)
    ours.send(0)
    process.join()


def serve(pipe: Connection) -> None:
    with SmtpSink() as sink:
        pipe.send((sink.host, sink.port))
        while count := pipe.recv():
            sink.wait(len(sink.messages) + count, seconds=PATIENCE)
            pipe.send("came")


@contextmanager
def worker() -> Iterator[None]:
    """A real worker, as `casework worker` starts it, that does one job at a time."""
    command = [sys.executable, "-m", "casework.cli", "worker", "--processes", "1"]
    with (get_settings().data / "worker.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=PACKAGE.parent, stdout=log, stderr=log, start_new_session=True)
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def told(count: int) -> dict[UUID, UUID]:
    """Rulings, each told to four players: the job of each mail → its notice."""
    there = factories.federation()
    for _ in range(count // 4):
        now = clock.now()
        factories.give_ruling(there, factories.open_case(there, at=now), at=now)
    with uow() as session:
        jobs = session.exec(select(OutboxJob).where(OutboxJob.kind == "mail"))
        return {job.id: job.subject_id for job in jobs}


def bare(notice_ids: list[UUID]) -> None:
    """Read, render and send, and nothing else."""
    settings = get_settings()
    with smtplib.SMTP(settings.smtp_host, settings.smtp_port) as line:
        for notice_id in notice_ids:
            with uow() as session:
                letter = notices.message_for(session, notice_id, clock.now())
            line.send_message(plain(letter))


def plain(letter: Letter) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = letter.sender, letter.to_address, letter.subject
    message.set_content(letter.text)
    message.add_alternative(letter.html, subtype="html")
    return message


def through_outbox(jobs: list[UUID], server: Server) -> None:
    """Let the jobs come due, and wait until each but the last has its proof.

    One worker does them one by one, the longest due first: when it sends the last, it is done with all before.
    """
    *proven, last = jobs
    server.expect(len(jobs))
    due(proven, since=timedelta(minutes=1))
    due([last], since=timedelta(0))
    broker.ring(*jobs)
    server.came()
    broker.application().control.purge()  # bells of what is done must not disturb the other half


def due(jobs: list[UUID], *, since: timedelta) -> None:
    with uow(write=True) as session:
        session.execute(update(OutboxJob).where(col(OutboxJob.id).in_(jobs)).values(next_at=clock.now() - since))


def proven() -> int:
    with uow() as session:
        done = select(func.count()).where(OutboxJob.kind == "mail", OutboxJob.state == JobState.DONE)
        return session.exec(done).one()


def seconds(deed: Callable[[], None]) -> float:
    began = time.perf_counter()
    deed()
    return time.perf_counter() - began


@pytest.mark.usefixtures("database")
def test_a_thousand_notices_through_the_outbox_beside_a_bare_loop(server: Server) -> None:
    waiting = told(WARM + NOTICES + ROUNDS)
    jobs = list(waiting)
    due(jobs, since=-timedelta(days=1))  # a worker goes on with whatever is due
    broker.application().control.purge()
    each = NOTICES // ROUNDS + 1
    rounds = [jobs[first : first + each] for first in range(WARM, WARM + ROUNDS * each, each)]
    alone, ours = [], []
    with worker():
        through_outbox(jobs[:WARM], server)
        for part in rounds:
            told_of = [waiting[job] for job in part]
            alone.append(seconds(lambda told_of=told_of: bare(told_of)))  # type: ignore[misc]  # bound to this round
            ours.append(seconds(lambda part=part: through_outbox(part, server)))  # type: ignore[misc]  # as above
    ratios = [mine / bare for mine, bare in zip(ours, alone, strict=True)]
    ratio = statistics.median(ratios)
    print(
        f"\n{db.engine().dialect.name}: {NOTICES} notices {sum(ours):.1f} s, the bare loop {sum(alone):.1f} s; the "
        f"median ratio of {ROUNDS} rounds {ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f}, at most {MOST})"
    )
    assert proven() >= NOTICES
    assert ratio <= MOST


@pytest.mark.usefixtures("database", "smtp_sink")
def test_a_notice_takes_few_statements() -> None:
    waiting = told(8)
    first, *_, job = waiting
    DUTIES.run_job(str(first))
    with counted() as alone, uow() as session:
        notices.message_for(session, waiting[job], clock.now())
    with counted() as units:
        DUTIES.run_job(str(job))
    took = [len(unit.statements) for unit in units]
    beyond = sum(took) - sum(len(unit.statements) for unit in alone)
    kind = db.engine().dialect.name
    print(f"\n{kind}: a notice takes {took} statements, {beyond} beyond its words (at most {MOST_STATEMENTS[kind]})")
    assert beyond <= MOST_STATEMENTS[kind]

"""What it costs that no notice is lost or doubled: a thousand of them beside a loop that only renders and sends.

Both read the rulings from the database, render the same templates and hand the mails to the same server, a process of
its own, over a connection that stays open. The worker also claims every job, writes the point of no return, and files
the proof with the step that starts the party's time.
"""

import multiprocessing
import os
import signal
import smtplib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from email.message import EmailMessage
from multiprocessing.connection import Connection
from uuid import UUID

import pytest
from sqlalchemy import update
from sqlmodel import col, func, select

from casework import clock
from casework.adapters import broker
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
from tests.workers.waiting import wait_until
from workers.handlers import DUTIES

NOTICES, WARM = 1000, 8
MOST = 3.0
"""Times the bare loop's."""
MOST_STATEMENTS = 28
"""SQL of a notice from its claim to its proof."""


@pytest.fixture
def server(settings: Set) -> Iterator[None]:
    """A mail server in a process of its own, named by the settings."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    host, port = ours.recv()
    settings(smtp_host=host, smtp_port=port, mail_per_domain=1_000_000)
    yield
    ours.send("stop")
    process.join()


def serve(pipe: Connection) -> None:
    with SmtpSink() as sink:
        pipe.send((sink.host, sink.port))
        pipe.recv()


@contextmanager
def worker() -> Iterator[None]:
    """A real worker, as `casework worker` starts it, that does one job at a time."""
    command = [sys.executable, "-m", "casework.cli", "worker", "--processes", "1"]
    process = subprocess.Popen(command, cwd=PACKAGE.parent, start_new_session=True)
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


def through_outbox(jobs: list[UUID]) -> None:
    """Let the jobs come due, ring for them, and wait until each has its proof."""
    before = ended()
    put(clock.now(), jobs)
    broker.ring(*jobs)
    wait_until(lambda: ended() - before >= len(jobs), "Every notice has its proof.", seconds=600)


def put(due: datetime, jobs: list[UUID]) -> None:
    with uow(write=True) as session:
        session.execute(update(OutboxJob).where(col(OutboxJob.id).in_(jobs)).values(next_at=due))


def ended() -> int:
    time.sleep(0.1)  # what asks takes nothing from what is measured
    with uow() as session:
        done = select(func.count()).where(OutboxJob.kind == "mail", OutboxJob.state == JobState.DONE)
        return session.exec(done).one()


def seconds(deed: Callable[[list[UUID]], None], ids: list[UUID]) -> float:
    began = time.perf_counter()
    deed(ids)
    return time.perf_counter() - began


@pytest.mark.usefixtures("sqlite", "server")
def test_a_thousand_notices_through_the_outbox_beside_a_bare_loop(settings: Set) -> None:
    settings(broker_url="memory://")  # nobody hears of the rulings before the worker is there
    waiting = told(WARM + NOTICES)
    settings(broker_url="")
    jobs = list(waiting)
    put(clock.now() + timedelta(hours=1), jobs)  # a worker goes on with whatever is due
    with worker():
        through_outbox(jobs[:WARM])
        half = NOTICES // 2
        parts = [jobs[WARM : WARM + half], jobs[WARM + half :]]
        ours = alone = 0.0
        for part in parts:  # by turns, so that what else the machine does hits both
            alone += seconds(bare, [waiting[job] for job in part])
            ours += seconds(through_outbox, part)
    print(f"\n{NOTICES} notices: {ours:.1f} s, the bare loop {alone:.1f} s, ratio {ours / alone:.2f} (at most {MOST})")
    assert ours <= MOST * alone


@pytest.mark.usefixtures("database", "smtp_sink")
def test_a_notice_takes_few_statements() -> None:
    jobs = list(told(8))
    DUTIES.run_job(str(jobs[0]))
    with counted() as units:
        DUTIES.run_job(str(jobs[5]))
    took = [len(unit.statements) for unit in units]
    print(f"\n{sum(took)} statements of a notice, in units of {took} (at most {MOST_STATEMENTS})")
    assert sum(took) <= MOST_STATEMENTS

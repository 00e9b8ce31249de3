"""Brokers and workers for the tests: real ones, each test with a queue of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import pytest
from celery import Celery

from casework import clock
from casework.adapters import outbox
from casework.adapters.database import uow
from casework.domain.models import OutboxJob
from casework.paths import PACKAGE
from tests import support
from tests.brokers import rabbit_vhost
from tests.conftest import Set
from tests.faults.pairs import EACH, Pair
from tests.workers.waiting import wait_until

if TYPE_CHECKING:
    import redis

StartWorker = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture
def file_broker() -> str:
    return ""


@pytest.fixture
def redis_broker() -> Iterator[str]:
    import redis

    url = support.need_broker(support.REDIS)
    with redis.Redis.from_url(url) as server:
        wait_until(lambda: not _waits(server), "Redis knows that the worker of the test before is dead")
        server.flushdb()
        yield url
        server.flushdb()


def _waits(server: "redis.Redis") -> bool:
    """Whether a worker waits for a bell: one that was killed this instant still gets the next one, and it is lost."""
    mine = str(server.client_info()["db"])
    return any(client["db"] == mine and client["cmd"] == "brpop" for client in server.client_list())


@pytest.fixture(scope="session")
def vhost() -> Iterator[str]:
    with rabbit_vhost() as url:
        yield url


@pytest.fixture
def rabbitmq_broker(vhost: str) -> Iterator[str]:
    yield vhost
    with Celery(broker=vhost, set_as_current=False).connection_for_write() as connection:
        connection.default_channel.queue_purge("casework")


@pytest.fixture(
    params=[
        pytest.param(
            pair,
            id=str(pair),
            marks=() if pair.embedded else (pytest.mark.services, pytest.mark.xdist_group(pair.broker)),
        )
        for pair in EACH
    ]
)
def broker_url(request: pytest.FixtureRequest, settings: Set) -> str:
    """Each kind of broker in turn, and both databases, in the settings, with short leases."""
    pair: Pair = request.param
    request.getfixturevalue(pair.database)
    url: str = request.getfixturevalue(f"{pair.broker}_broker")
    settings(broker_url=url, lease_seconds=30)
    return url


@pytest.fixture
def start_worker() -> Iterator[StartWorker]:
    """Start a worker with the probe's duties, in a process group of its own; all are killed at the end."""
    started: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.workers.probe"], cwd=PACKAGE.parent, start_new_session=True
        )
        started.append(process)
        return process

    yield start
    for process in started:
        kill_group(process)


def kill_group(process: "subprocess.Popen[bytes]") -> None:
    """Kill a worker with its children, as a power cut would."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def add_job(kind: str, *, due_in: float = 0.0, key: str = "") -> UUID:
    """Put a job into the outbox, as a step does; gives its id. The subject's id is the job's dedupe key."""
    subject = uuid4()
    with uow(write=True) as session:
        job = outbox.enqueue(
            session,
            kind=kind,
            subject_id=subject,
            case_id=None,
            dedupe_key=key or f"{kind}:{subject}",
            due=clock.now() + timedelta(seconds=due_in),
        )
    return job.id


def job(job_id: UUID) -> OutboxJob:
    """The job as it stands."""
    with uow() as session:
        return session.get_one(OutboxJob, job_id)

"""The bell and the row, with real workers on each kind of broker. What goes wrong with them: tests/faults."""

import pytest

from casework.adapters import broker
from casework.domain.terms import JobState
from casework.settings import get_settings
from tests.conftest import Set
from tests.workers import probe
from tests.workers.conftest import StartWorker, add_job, job
from tests.workers.waiting import wait_until


def runs() -> list[str]:
    """The subjects of the effects that were begun, in order."""
    return probe.mark("runs").read_text().split() if probe.mark("runs").exists() else []


def done(job_id: object) -> bool:
    return job(job_id).state is JobState.DONE  # type: ignore[arg-type]


def test_a_bell_starts_a_job(broker_url: str, start_worker: StartWorker) -> None:
    job_id = add_job("note")
    start_worker()
    wait_until(lambda: done(job_id), "the job is done")
    assert runs() == [str(job(job_id).subject_id)]


def test_many_bells_have_one_effect(broker_url: str, start_worker: StartWorker) -> None:
    """B2.57, X35, X68."""
    job_id = add_job("note")
    broker.ring(*[job_id] * 20)
    start_worker()
    last = add_job("note")
    wait_until(lambda: done(last) and done(job_id), "both are done")
    assert sorted(runs()) == sorted(str(job(each).subject_id) for each in (job_id, last))
    assert job(job_id).attempts == 1


def test_a_worker_that_is_asked_to_stop_finishes_its_job(broker_url: str, start_worker: StartWorker) -> None:
    """R-DEPLOY1, X85: and what waited behind it is done by the next one."""
    job_id = add_job("slow")
    worker = start_worker()
    wait_until(probe.mark("held").exists, "the job is in hand")
    behind = add_job("note")
    worker.terminate()
    probe.mark("go").touch()
    worker.wait(30)
    assert done(job_id)
    start_worker()
    broker.ring_sweep()
    wait_until(lambda: done(behind), "what waited is done")
    assert sorted(runs()) == sorted(str(job(each).subject_id) for each in (job_id, behind))


def test_bells_carry_ids_only(sqlite: str) -> None:
    """R-CEL2: nothing on the broker names a person."""
    job_id = add_job("note")
    queue = get_settings().data / "broker" / "queue"
    wait_until(lambda: [file for file in queue.glob("*.msg") if file.stat().st_size], "the bell is written")
    with broker.application().connection_for_read() as connection:
        bell = connection.default_channel.basic_get("casework", no_ack=True)
    assert bell.decode()[:2] == [[str(job_id)], {}]


def test_the_configuration_of_celery(sqlite: str) -> None:
    """R-CEL1, with the order of the limits (R-ONCE2)."""
    conf, settings = broker.application().conf, get_settings()
    expected = {
        "accept_content": ["json"],
        "broker_connection_retry_on_startup": True,
        "enable_utc": True,
        "task_acks_late": True,
        "task_ignore_result": True,
        "task_reject_on_worker_lost": True,
        "timezone": "UTC",
        "worker_enable_remote_control": False,
        "worker_max_tasks_per_child": 200,
        "worker_prefetch_multiplier": 1,
        "worker_soft_shutdown_timeout": 20,
    }
    assert {name: conf[name] for name in expected} == expected
    assert conf.worker_max_memory_per_child
    assert settings.smtp_data_timeout < conf.task_soft_time_limit < conf.task_time_limit < settings.lease_seconds


@pytest.mark.services
@pytest.mark.xdist_group("redis")
def test_redis_gives_nothing_out_again_that_is_still_in_hand(redis_broker: str, sqlite: str, settings: Set) -> None:
    """X84: the time that really holds, not the one that is written down, is longer than any lease or task."""
    longest = max(settings(broker_url=redis_broker).lease_seconds, broker.application().conf.task_time_limit)
    with broker.application().connection_for_read() as connection:
        assert connection.default_channel.visibility_timeout > longest


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("redis://127.0.0.1/0", {"socket_timeout", "socket_connect_timeout"}),
        ("amqp://127.0.0.1//", {"confirm_publish"}),
    ],
)
def test_a_broker_that_falls_silent_is_given_up(sqlite: str, settings: Set, url: str, options: set[str]) -> None:
    settings(broker_url=url)
    assert options <= set(broker.application().conf.broker_transport_options)

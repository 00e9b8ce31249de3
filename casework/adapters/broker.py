"""The doorbell: the Celery application with its configuration, and ringing for a job by its id.

A bell may be lost, late or doubled: the outbox row is the truth and the sweep rings again (R-CEL4). So ringing
waits for nobody: a thread of its own talks to the broker.
"""

import atexit
import os
import queue
import threading
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any
from uuid import UUID

from celery import Celery

from casework import logs
from casework.settings import TASK_SECONDS, TASK_SOFT_SECONDS, get_settings

RUN_JOB = "workers.run_job"
SWEEP = "workers.sweep"

_SHUTDOWN_SECONDS = 1.0
_BELL_LIFE = 600.0  # seconds after which the sweep has long rung again
_CONFIRM_SECONDS = 2.0  # RabbitMQ that is short of memory takes a message and does not answer
_WAITING_BELLS = 1000

log = logs.logger(__name__)

_Bell = tuple[Celery, str, tuple[str, ...]]


def ring(*job_ids: UUID) -> None:
    """Ask the workers to look at these jobs now. Never waits, never raises."""
    for job_id in job_ids:
        _ringer.ring(RUN_JOB, str(job_id))


def ring_sweep() -> None:
    """Ask the workers to look at everything that is due. Never waits, never raises."""
    _ringer.ring(SWEEP)


def unreachable() -> str:
    """Empty when the broker answers, else the kind of error."""
    try:
        with application().connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, timeout=3)
    except Exception as error:  # noqa: BLE001  # each transport has errors of its own
        return type(error).__name__
    return ""


def application() -> Celery:
    """The Celery application for the present settings."""
    settings = get_settings()
    return _application(settings.broker, settings.data.resolve())


@lru_cache(maxsize=1)
def _application(url: str, data: Path) -> Celery:
    named = url if url.partition("://")[2] else f"{url}localhost"  # without a host kombu complains
    app = Celery("casework", broker=named, set_as_current=False)
    app.conf.update(
        accept_content=["json"],
        broker_connection_max_retries=None,
        broker_connection_retry_on_startup=True,
        broker_connection_timeout=2,
        enable_utc=True,
        task_acks_late=True,
        task_default_queue="casework",
        task_ignore_result=True,
        task_publish_retry=False,
        task_reject_on_worker_lost=True,
        task_serializer="json",
        task_soft_time_limit=TASK_SOFT_SECONDS,
        task_time_limit=TASK_SECONDS,
        timezone="UTC",
        worker_cancel_long_running_tasks_on_connection_loss=False,
        worker_enable_remote_control=False,
        worker_hijack_root_logger=False,
        worker_lost_wait=1,
        worker_max_memory_per_child=400_000,
        worker_max_tasks_per_child=200,
        worker_prefetch_multiplier=1,
        worker_send_task_events=False,
        worker_soft_shutdown_timeout=20,
        **_for_transport(url, data),
    )
    return app


def _for_transport(url: str, data: Path) -> dict[str, Any]:
    kind = url.partition("://")[0].partition("+")[0]
    if kind == "filesystem":
        return {
            "broker_transport": "casework.adapters.file_queue:Transport",
            "broker_transport_options": _file_options(data / "broker"),
        }
    if kind in {"redis", "rediss", "valkey"}:
        from casework.adapters import redis_queue  # noqa: PLC0415  # only who uses Redis waits for its import

        redis_queue.install()
        return {
            "broker_transport_options": {
                "socket_timeout": 5,
                "socket_connect_timeout": 2,
                "socket_keepalive": True,
                "visibility_timeout": 300,
            }
        }
    return {
        # Celery makes 28 queues for tasks that wait. None waits here, and as quorum queues they burden the server.
        "broker_native_delayed_delivery_queue_type": "classic",
        "broker_transport_options": {"confirm_publish": True},
        "task_default_queue_type": "quorum",
    }


def _file_options(folder: Path) -> dict[str, Any]:
    for name in ("queue", "control"):
        (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    return {
        "data_folder_in": str(folder / "queue"),
        "data_folder_out": str(folder / "queue"),
        "control_folder": str(folder / "control"),
        "polling_interval": 0.1,
    }


class _Ringer:
    """One thread per process that sends what waits; when the broker does not answer, what waits is thrown away."""

    def __init__(self) -> None:
        self._bells: queue.Queue[_Bell | None] = queue.Queue(_WAITING_BELLS)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def ring(self, task: str, *args: str) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._send, name="bells", daemon=True)
                self._thread.start()
        with suppress(queue.Full):
            self._bells.put_nowait((application(), task, args))

    def close(self) -> None:
        """Send what waits, if that takes no longer than a second."""
        if self._thread is not None:
            with suppress(queue.Full):
                self._bells.put_nowait(None)
            self._thread.join(_SHUTDOWN_SECONDS)

    def _send(self) -> None:
        while bell := self._bells.get():
            app, task, args = bell
            try:
                app.send_task(task, args=args, expires=_BELL_LIFE, confirm_timeout=_CONFIRM_SECONDS)
            except Exception as error:  # noqa: BLE001  # whatever it is: the sweep rings again, and this thread must live
                log.warning("broker_takes_no_bells", error=type(error).__name__)
                self._throw_away()

    def _throw_away(self) -> None:
        with suppress(queue.Empty):
            while self._bells.get_nowait():
                pass


def _start_anew() -> None:
    """After a fork the thread and the connections are the parent's."""
    global _ringer  # noqa: PLW0603  # one per process
    _ringer = _Ringer()
    _application.cache_clear()


def _close() -> None:
    _ringer.close()


_ringer = _Ringer()
atexit.register(_close)
os.register_at_fork(after_in_child=_start_anew)

"""Running: web, worker and clock, each alone or all together."""

import http.client
import os
import signal
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path

from alembic import command
from sqlmodel import select

from casework import clock, logs
from casework.adapters import database, schema
from casework.cli.supervisor import STOP_SECONDS, Child, Supervisor, die_with_parent
from casework.domain.models import Person
from casework.services import demo
from casework.services.demo_story import tales
from casework.settings import get_settings

HOST = "127.0.0.1"
DEMO_SWEEP_SECONDS = "2"
"""In the demo somebody moves the clock and waits for what happens."""


def port() -> int:
    """PORT, else 8000."""
    value = os.environ.get("PORT", "8000")
    if not value.isdigit() or not 0 < int(value) < 65536:
        raise SystemExit(f"PORT is {value!r}: it must be a number from 1 to 65535.")
    return int(value)


def up(*, with_demo: bool) -> int:
    """All together, until Ctrl-C. Starts again on the same data, whatever ended it the last time."""
    where = port()
    if not _free(where):
        print(f"Port {where} is busy. Stop what listens there, or choose another: PORT={where + 1}", file=sys.stderr)
        return 1
    _prepare_environment(where, with_demo=with_demo)
    migrate()
    if get_settings().demo:
        _fill_demo()
    database.dispose()
    supervisor = Supervisor(
        [Child(name, [sys.executable, "-m", "casework.cli", name]) for name in ("web", "worker", "clock")], os.environ
    )
    return supervisor.run(ready=lambda: _answers(where), when_ready=lambda: _tell(where))


def web(*, bind: str | None, processes: int) -> int:
    """Become gunicorn."""
    die_with_parent()
    get_settings()  # said once and here, not by each process that gunicorn starts
    _refuse_misfit()
    server = [sys.executable, "-m", "gunicorn", "--bind", bind or f"{HOST}:{port()}", "--workers", str(processes)]
    server += ["--threads", "2", "--timeout", "30", "--graceful-timeout", str(int(STOP_SECONDS) - 2)]
    server += ["--max-requests", "1000", "--max-requests-jitter", "100"]
    server += [
        "--log-level",
        "warning",
        "--logger-class",
        "casework.web.server_log.ServerLog",
        "--no-control-socket",
        "casework.app:create_app()",
    ]
    os.execv(sys.executable, server)  # noqa: S606  # the list above is all of it


def worker(*, processes: int) -> int:
    """Run a Celery worker until SIGTERM."""
    die_with_parent()
    _refuse_misfit()
    logs.set_up("worker")
    from workers.app import app  # noqa: PLC0415  # only the worker needs all handlers
    from workers.entry import run_worker  # noqa: PLC0415  # as above

    run_worker(app, processes=processes)
    return 0


def run_clock() -> int:
    """Tick until SIGTERM."""
    die_with_parent()
    _refuse_misfit()
    logs.set_up("clock")
    from workers import clock as ticking  # noqa: PLC0415  # as in `worker`
    from workers.handlers import DUTIES  # noqa: PLC0415  # as in `worker`

    stop = threading.Event()
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda *_: stop.set())
    ticking.run(DUTIES, stop)
    return 0


def drain() -> int:
    """Work until nothing is due."""
    schema.refuse_misfit()
    logs.set_up("drain")
    from workers.handlers import DUTIES  # noqa: PLC0415  # as in `worker`

    print(f"{DUTIES.drain()} jobs worked.")
    return 0


def migrate() -> None:
    """Bring the database of the settings to the newest revision."""
    command.upgrade(schema.config(), "head")


def _refuse_misfit() -> None:
    """As `schema.refuse_misfit`, but a database that is away is waited for, as it is later on (F14)."""
    with suppress(database.DatabaseAway):
        schema.refuse_misfit()
    database.dispose()  # what is started next has connections of its own


def _prepare_environment(where: int, *, with_demo: bool) -> None:
    """The children read the same settings, wherever they stand."""
    if with_demo:
        os.environ["CASEWORK_DEMO"] = "1"
        os.environ.setdefault("CASEWORK_SWEEP_SECONDS", DEMO_SWEEP_SECONDS)
    os.environ.setdefault("CASEWORK_PUBLIC_BASE_URL", f"http://{HOST}:{where}")
    get_settings.cache_clear()
    os.environ["CASEWORK_DATA"] = str(Path(get_settings().data).resolve())
    os.environ["PORT"] = str(where)
    get_settings.cache_clear()


def _fill_demo() -> None:
    with database.uow() as session:
        empty = session.exec(select(Person.id).limit(1)).first() is None
    if empty:
        print("Making the demo federation", flush=True)
        tales.fill(clock.now())


def _tell(where: int) -> None:
    lines = [f"casework is ready at http://{HOST}:{where}"]
    if get_settings().demo:
        with database.uow() as session:
            found = demo.officials(session)
        database.dispose()
        lines.append(f"Sign in without a password at http://{HOST}:{where}/demo, for example as")
        lines += [f"  {role.value.replace('_', ' ')}: {people[0].name}" for role, people in found.items()]
    print("\n".join(lines), flush=True)


def _free(where: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, where))
        except OSError:
            return False
    return True


def _answers(where: int) -> bool:
    connection = http.client.HTTPConnection(HOST, where, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()

"""Servers of a test's own, on this machine only, for faults that stop, kill or starve one."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tests import support
from tests.workers.waiting import wait_until

HOST = "127.0.0.1"


class Server(Protocol):
    """What can be taken away and come back, with what it had on disk."""

    url: str

    def start(self) -> None:
        """Come back; returns when it answers."""

    def kill(self) -> None:
        """Die at once."""


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def listens(port: int) -> bool:
    """Whether something takes connections there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0


@dataclass
class Redis:
    """A Redis that keeps nothing: what is killed comes back empty."""

    port: int
    folder: Path
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--bind", HOST, "--save", "", "--appendonly", "no"]
        with (self.folder / "redis.log").open("ab") as log:
            self.process = subprocess.Popen([*command, "--dir", str(self.folder)], stdout=log, stderr=log)
        wait_until(lambda: listens(self.port), "redis-server answers", seconds=30)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@contextmanager
def own_redis(folder: Path) -> Iterator[Redis]:
    """A running Redis for as long as the block lasts."""
    support.need("redis-server", reachable=shutil.which("redis-server") is not None)
    server = Redis(free_port(), folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()


@dataclass
class Postgres:
    """A PostgreSQL of the test's own. It is root's only where root may not start one: there it is `postgres`' own."""

    port: int
    folder: Path

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://postgres@{HOST}:{self.port}/casework"

    def make(self) -> None:
        """Make the cluster, and the empty database in it."""
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        self._run("initdb", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C", "--username=postgres")
        self.start()
        import psycopg

        with psycopg.connect(f"postgresql://postgres@{HOST}:{self.port}/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE casework")

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses={HOST} -c fsync=off -c max_connections=60"
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def kill(self) -> None:
        """As its machine's death: no time to finish anything."""
        self._run("pg_ctl", "-w", "-m", "immediate", "stop", check=False)

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        command = [_postgres_program(program), "-D", str(self.folder / "data"), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        with (self.folder / "commands.log").open("ab") as log:  # no pipe: the server would hold it open
            subprocess.run(command, check=check, stdout=log, stderr=log, cwd=self.folder)


@contextmanager
def own_postgres() -> Iterator[Postgres]:
    """A running PostgreSQL with an empty database `casework` for as long as the block lasts."""
    support.need("initdb", reachable=_postgres_program("initdb") is not None)
    folder = Path(tempfile.mkdtemp(prefix="casework-pg-"))  # not under pytest's folders: only root may enter those
    server = Postgres(free_port(), folder)
    try:
        server.make()
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


def _postgres_program(name: str) -> str:
    """Debian keeps all but the clients outside PATH."""
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = str(newest[-1]) if newest else shutil.which(name)
    support.need(name, reachable=found is not None)
    return found or name


@dataclass
class Rabbit:
    """A RabbitMQ node of the test's own, ten seconds to start."""

    port: int
    folder: Path
    environment: Mapping[str, str]
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"amqp://guest:guest@{HOST}:{self.port}//"

    def start(self) -> None:
        with (self.folder / "rabbit.log").open("ab") as log:
            self.process = subprocess.Popen(
                [_rabbit_program("rabbitmq-server")], env=dict(self.environment), stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        wait_until(lambda: listens(self.port), "RabbitMQ answers", seconds=120)

    def kill(self) -> None:
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def ctl(self, *arguments: str) -> str:
        """Tell the node something."""
        command = [_rabbit_program("rabbitmqctl"), "--quiet", *arguments]
        return subprocess.run(
            command, env=dict(self.environment), check=True, capture_output=True, text=True, timeout=60
        ).stdout


@contextmanager
def own_rabbit(folder: Path, *, consumer_timeout: int = 10) -> Iterator[Rabbit]:
    """A running node for as long as the block lasts; it closes the channel of who holds a message `consumer_timeout`
    seconds."""
    support.need("rabbitmq-server", reachable=Path(_RABBIT).is_dir() or shutil.which("rabbitmq-server") is not None)
    port = free_port()
    config = [f"listeners.tcp.1 = {HOST}:{port}", f"consumer_timeout = {consumer_timeout * 1000}", "log.console = true"]
    (folder / "rabbit.conf").write_text("\n".join(config) + "\n")
    (folder / "plugins").write_text("[].\n")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "ERL_EPMD_ADDRESS": HOST,
        "RABBITMQ_CONFIG_FILE": str(folder / "rabbit.conf"),
        "RABBITMQ_DIST_PORT": str(free_port()),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
        "RABBITMQ_LOG_BASE": str(folder),
        "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
        "RABBITMQ_NODENAME": f"casework{port}@localhost",
    }
    server = Rabbit(port, folder, environment)
    server.start()
    try:
        yield server
    finally:
        server.kill()


_RABBIT = "/usr/lib/rabbitmq/bin"


def _rabbit_program(name: str) -> str:
    """Not Debian's wrapper in PATH, which becomes another user and forgets the environment."""
    own = Path(_RABBIT) / name
    return str(own) if own.exists() else name

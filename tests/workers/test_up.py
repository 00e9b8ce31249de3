"""`casework up` as a person starts it: all three programs, and none of them left behind."""

import http.client
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.workers.waiting import wait_until

SECONDS = 120.0


class Running:
    """A `casework up` of the test's own, on a free port."""

    def __init__(self, data: Path) -> None:
        self.data, self.port = data, free_port()
        self.output = data / "output"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CASEWORK_")}
        environment |= {"CASEWORK_SECRET_KEY": "a" * 32, "CASEWORK_LINK_KEY": "b" * 32}
        environment |= {"CASEWORK_DATA": str(data), "PORT": str(self.port), "CASEWORK_SWEEP_SECONDS": "0.5"}
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "casework.cli", "up"],
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def said(self) -> str:
        return self.output.read_text()

    def ready(self) -> bool:
        assert self.process.poll() is None, self.said()
        return f"casework is ready at http://127.0.0.1:{self.port}" in self.said()

    def pids(self) -> dict[int, str]:
        """Every living process that this one started, and theirs, by what they were started with."""
        mark = f"CASEWORK_DATA={self.data}".encode()
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        return found

    def healthy(self) -> bool:
        with suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
            connection.request("GET", "/healthz")
            body = connection.getresponse().read()
            connection.close()
            return b'"status":"ok"' in body
        return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def up(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path)
    yield running
    for pid in running.pids():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    running.process.wait()


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def test_it_starts_heals_and_stops(up: Running) -> None:
    """Three programs; one that dies is started again; Ctrl-C leaves nothing behind."""
    wait_until(up.ready, "it is ready", seconds=SECONDS)
    wait_until(up.healthy, "the clock has swept", seconds=SECONDS)
    (clock,) = [pid for pid, command in up.pids().items() if command.endswith("casework.cli clock ")]
    os.kill(clock, signal.SIGKILL)
    wait_until(lambda: "clock ended (code -9) and is started again." in up.said(), "it says so", seconds=SECONDS)
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait(60) == 0
    assert up.pids() == {}


def test_nothing_outlives_it_when_it_is_killed(up: Running) -> None:
    """As the end of a terminal, or a crash: the next start finds its port and its data free."""
    wait_until(up.ready, "it is ready", seconds=SECONDS)
    up.process.kill()
    up.process.wait()
    wait_until(lambda: not up.pids(), "all children have ended", seconds=SECONDS)


def test_a_busy_port_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        result = subprocess.run(
            [sys.executable, "-m", "casework.cli", "up", "--demo"],
            env={**os.environ, "PORT": str(port), "CASEWORK_DATA": str(tmp_path / "data")},
            capture_output=True,
            text=True,
            check=False,
        )
    assert result.returncode == 1
    assert result.stderr.splitlines() == [
        f"Port {port} is busy. Stop what listens there, or choose another: PORT={port + 1}"
    ]
    assert result.stdout == ""


def test_public_secrets_are_refused(tmp_path: Path) -> None:
    """Without --demo nobody starts with the secrets that everybody knows."""
    result = subprocess.run(
        [sys.executable, "-m", "casework.cli", "up"],
        env={"PATH": os.environ["PATH"], "PORT": str(free_port()), "CASEWORK_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert "CASEWORK_SECRET_KEY" in result.stderr
    assert "Traceback" not in result.stderr

"""The programs of one installation, each a process of its own, on a free port."""

import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.workers.waiting import wait_until

ALL = ("web", "worker", "clock")
STOP_SECONDS = 20.0
FAULT = re.compile(r'Traceback|"level": "(error|critical)"')


def free_port() -> int:
    """A port that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(data: Path, port: int, names: Sequence[str] = ALL, *, faults: bool = False) -> Iterator[None]:
    """The programs with the environment's settings, from ready until the block ends; none may have met an error.

    With `faults` they may. What they say stands in `<program>.log` in the data folder, after what an earlier run said.
    """
    children = {name: _start(name, data, port) for name in names}
    wanted = b'"status":"ok"' if "clock" in names else b'"database":true'
    try:
        wait_until(lambda: wanted in _health(port) or _dead(children, data), "the programs are ready")
        yield
    finally:
        for child in children.values():
            child.terminate()
        for child in children.values():
            _end(child)
    for name in () if faults else names:
        said = _log(data, name).read_text()
        assert not FAULT.search(said), f"{name}: {said}"


def _start(name: str, data: Path, port: int) -> subprocess.Popen[bytes]:
    few = () if name == "clock" else ("--processes", "1")
    with _log(data, name).open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "casework.cli", name, *few],
            env={**os.environ, "PORT": str(port)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def _health(port: int) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
        connection.request("GET", "/healthz")
        return connection.getresponse().read()
    return b""


def _dead(children: dict[str, subprocess.Popen[bytes]], data: Path) -> bool:
    for name, child in children.items():
        assert child.poll() is None, f"{name} ended: {_log(data, name).read_text()}"
    return False


def _end(child: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(STOP_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _log(data: Path, name: str) -> Path:
    return data / f"{name}.log"

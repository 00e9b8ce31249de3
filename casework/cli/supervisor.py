"""Running several programs as one: children in process groups of their own, restarted when they die, stopped together.

No child outlives the supervisor: it stops them when it ends, and on Linux the kernel does when it is killed
(`die_with_parent`, which each child calls first).
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType

STOP_SECONDS = 20.0
"""What children get to finish their work in before they are killed."""
LOOK_SECONDS = 0.2
SOON_SECONDS = 10.0
"""A child that dies younger than this died soon."""
SOON_TIMES = 5
"""A child that died soon so often in a row will not come up; then all stop."""

PARENT = "CASEWORK_SUPERVISOR"
"""Environment variable with the supervisor's process id, in its children."""

_PR_SET_PDEATHSIG = 1


@dataclass(slots=True)
class Child:
    """A program and how often in a row it died soon."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    soon: int = 0

    def start(self, environment: Mapping[str, str]) -> None:
        """Start it in a process group of its own, so that Ctrl-C reaches the supervisor only."""
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            self.command, env=dict(environment), stdin=subprocess.DEVNULL, start_new_session=True
        )

    @property
    def running(self) -> bool:
        """Whether its first process lives."""
        return self.process is not None and self.process.poll() is None

    def kill(self) -> None:
        """Kill all that is left of its process group."""
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Supervisor:
    """Starts children and watches them until SIGINT or SIGTERM; a second one kills instead of asking."""

    def __init__(
        self, children: Sequence[Child], environment: Mapping[str, str], say: Callable[[str], None] = print
    ) -> None:
        self._children = children
        self._environment = {**environment, PARENT: str(os.getpid())}
        self._say = say
        self._stop = threading.Event()
        self._kill = False

    def run(self, *, ready: Callable[[], bool], when_ready: Callable[[], None]) -> int:
        """Start all, call `when_ready` once `ready()` is true, watch until stopped. Returns the exit code."""
        for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(signum, self._on_signal)
        told = False
        try:
            for child in self._children:
                child.start(self._environment)
            while not self._stop.wait(LOOK_SECONDS):
                alive = [self._keep(child) for child in self._children]
                if not all(alive):
                    return 1
                if not told and ready():
                    when_ready()
                    told = True
        finally:
            self._stop_all()
        return 0

    def _keep(self, child: Child) -> bool:
        """Start a dead child again; False when there is no point in it."""
        if child.running:
            return True
        child.kill()  # what it leaves behind would work beside its successor
        code = child.process.returncode if child.process else 0
        died_soon = time.monotonic() - child.started < SOON_SECONDS
        child.soon = child.soon + 1 if died_soon else 1
        if child.soon >= SOON_TIMES:
            self._say(f"{child.name} ended {child.soon} times at once (code {code}): giving up.")
            return False
        self._say(f"{child.name} ended (code {code}) and is started again.")
        child.start(self._environment)
        return True

    def _stop_all(self) -> None:
        for child in self._children:
            if child.running and child.process:
                child.process.terminate()
        end = time.monotonic() + STOP_SECONDS
        while any(child.running for child in self._children) and time.monotonic() < end and not self._kill:
            threading.Event().wait(LOOK_SECONDS / 4)
        for child in self._children:
            child.kill()

    def _on_signal(self, _signum: int, _frame: FrameType | None) -> None:
        self._kill = self._stop.is_set()
        self._stop.set()


def die_with_parent() -> None:
    """Ask the kernel for SIGTERM when the supervisor that started this process ends; only Linux can."""
    supervisor = os.environ.get(PARENT)
    if supervisor is None or sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(supervisor):  # it ended before we could ask
        sys.exit(0)

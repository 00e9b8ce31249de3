"""Places where a test may kill the process, as a power cut would (reliability 2.4)."""

import os
import signal
from pathlib import Path

from casework.settings import get_settings


def failpoint(name: str) -> None:
    """Die here, once, if the test asked for it with `arm`; outside test mode nothing is looked for."""
    if get_settings().testing and _file(name).exists():
        _file(name).unlink()
        os.kill(os.getpid(), signal.SIGKILL)


def arm(name: str) -> None:
    """Let the next process that passes this place die."""
    _file(name).touch()


def _file(name: str) -> Path:
    return get_settings().data / f"failpoint-{name}"

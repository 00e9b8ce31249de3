"""Waiting for something that another process does."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_until(condition: Callable[[], T], what: str | Callable[[], str], *, seconds: float = 90.0) -> T:
    """The condition's first true value; fails when it does not come in time, and says `what` as it then stands."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() >= end:
            raise AssertionError(f"In {seconds} s it was not so: {what if isinstance(what, str) else what()}")
        threading.Event().wait(0.02)
    return value

"""The only place that reads the clock.

In demo and test mode an offset from a file in the data folder is added, so that web, worker and clock move
together; outside those modes the file is never read.
"""

import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from casework.settings import get_settings

LOCAL = ZoneInfo("Europe/Stockholm")
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Goes on while the machine sleeps, where there is such a clock: sleep is a pause, not a jump."""


def now() -> datetime:
    """The present instant, aware, in UTC."""
    return datetime.now(UTC) + offset()


def machine() -> datetime:
    """The machine's own clock, without the demo's offset: for watching it, never for the procedure."""
    return datetime.now(UTC)


def steady() -> float:
    """Seconds that only ever go forward, at an even pace; nobody can set them."""
    return time.clock_gettime(_STEADY)


def today() -> date:
    """The present date where the federation is."""
    return now().astimezone(LOCAL).date()


def offset() -> timedelta:
    """How far the demo's or the test's clock stands from the real one."""
    if not get_settings().movable_clock:
        return timedelta(0)
    try:
        return timedelta(seconds=float(_file().read_text()))
    except FileNotFoundError:
        return timedelta(0)


def advance(by: timedelta) -> None:
    """Move the clock of all processes of this demo or test."""
    if not get_settings().movable_clock:
        raise RuntimeError("The clock can be moved in demo and test mode only.")
    target = _file()
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_suffix(".new")
    fresh.write_text(str((offset() + by).total_seconds()))
    fresh.replace(target)


def _file() -> Path:
    return get_settings().data / "clock-offset"

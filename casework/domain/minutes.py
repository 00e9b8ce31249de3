"""Time is written to the minute: typed so, shown so, and a minute that was shown counts whole."""

from datetime import datetime


def whole_minute(at: datetime) -> datetime:
    """The minute that something was in."""
    return at.replace(second=0, microsecond=0)


def has_run(instant: datetime | None, now: datetime) -> bool:
    """Whether the time that ends at `instant` is over: never while the minute lasts that its reader was shown."""
    return instant is not None and instant < whole_minute(now)

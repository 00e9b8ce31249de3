"""Time is written to the minute: typed so, shown so, and a minute that was shown counts whole."""

from datetime import datetime, timedelta

_MINUTE = timedelta(minutes=1)


def whole_minute(at: datetime) -> datetime:
    """The minute that something was in."""
    return at.replace(second=0, microsecond=0)


def over_from(instant: datetime) -> datetime:
    """When the time that ends at `instant` is over: not while the minute lasts that its reader was shown."""
    return whole_minute(instant) + _MINUTE


def has_run(instant: datetime | None, now: datetime) -> bool:
    """Whether the time that ends at `instant` is over."""
    return instant is not None and over_from(instant) <= now

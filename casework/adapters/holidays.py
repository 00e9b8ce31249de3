"""Swedish holidays, from the `holidays` package; pinned, as upgrades have moved the eves between categories."""

from collections.abc import Container
from datetime import date
from functools import cache
from hashlib import sha256

from holidays import DE_FACTO, PUBLIC, country_holidays

from casework.settings import get_calendar_settings

_FIRST, _LAST = 2024, 2040
"""The years whose days off name a calendar: old enough for any case, and past what runs today."""


@cache
def swedish_holidays(first_year: int, last_year: int) -> frozenset[date]:
    """Public holidays and the eves of Midsummer, Christmas and New Year, both years included."""
    years = range(first_year, last_year + 1)
    return frozenset(country_holidays("SE", years=years, categories=(PUBLIC, DE_FACTO)))


class _DaysOff(Container[date]):
    """All days off, however far a time reaches, with the federation's own."""

    def __contains__(self, day: object) -> bool:
        own = get_calendar_settings().extra_holidays
        return isinstance(day, date) and (day in swedish_holidays(day.year, day.year) or day in own)


DAYS_OFF: Container[date] = _DaysOff()
"""What `reckon` asks: holidays, eves, and the one-off days off of `CASEWORK_EXTRA_HOLIDAYS`."""


def calendar_version() -> str:
    """A short name of the table of days off in use: it changes when, and only when, a day off does."""
    return _version(get_calendar_settings().extra_holidays)


@cache
def _version(own: frozenset[date]) -> str:
    days = sorted(swedish_holidays(_FIRST, _LAST) | own)
    return sha256(" ".join(day.isoformat() for day in days).encode()).hexdigest()[:8]

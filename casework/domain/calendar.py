"""Deadline arithmetic with its explanation: page, guard, mail, PDF and calendar file all ask here.

Minutes and hours are exact time. Everything else is counted in local dates, the day of the event itself not
counted; the last day runs to 23:59:59 local time and is moved once, at the end, past Saturdays, Sundays and
holidays.
"""

import re
from calendar import monthrange
from collections.abc import Container
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Self
from zoneinfo import ZoneInfo

from casework.domain.errors import Invalid
from casework.text import Text, t

LONGEST = 10_000
RULE_VERSION = 1
"""Changes whenever the same base, span and days off would give another end: each deadline keeps the one it had."""
_DAY = timedelta(days=1)
_END_OF_DAY = time(23, 59, 59)
_MORNING = time(9)


class Unit(StrEnum):
    """What a span is counted in."""

    minutes = "minutes"
    hours = "hours"
    days = "days"
    weeks = "weeks"
    months = "months"
    working_days = "working_days"

    @property
    def exact(self) -> bool:
        """Whether the span is elapsed time and not a number of dates."""
        return self in (Unit.minutes, Unit.hours)


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time in the unit the rule uses; ValueError unless 1 <= value <= LONGEST."""

    value: int
    unit: Unit

    def __post_init__(self) -> None:
        if not 1 <= self.value <= LONGEST:
            raise ValueError(f"a span is 1 to {LONGEST} {self.unit}, not {self.value}")

    @property
    def words(self) -> Text:
        """For example "30 minutes"."""
        one, many = _words(self.unit, self.value)
        return one if self.value == 1 else many

    @classmethod
    def read(cls, text: str) -> Self:
        """Read "14 days", "1 week" or "3 working-days".

        Raises:
            Invalid: (`rule`) it is no such text, or the number is out of range.
        """
        written = re.fullmatch(r"([0-9]{1,5}) ?([a-z_-]+)", text.strip().lower())
        unit = written and _UNITS_WRITTEN.get(written[2].replace("_", "-").removesuffix("s"))
        if not written or not unit:
            raise Invalid({"rule": t('"{text}" is no rule. Write a number and minutes, hours, days, weeks, months or '
                                     'working-days, for example "14 days".', text=text)})  # fmt: skip
        if not 1 <= int(written[1]) <= LONGEST:
            raise Invalid({"rule": t("A rule is at least 1 and at most {longest}, not {number}.",
                                     longest=LONGEST, number=int(written[1]))})  # fmt: skip
        return cls(int(written[1]), unit)


_UNITS_WRITTEN = {unit.value.replace("_", "-").removesuffix("s"): unit for unit in Unit}


@dataclass(frozen=True, slots=True)
class Reckoning:
    """A deadline with the way it was reached.

    `instant` is UTC and still in time itself. `unrolled` and `last_day` are local dates, None for minutes and
    hours; `moved` says that they differ.
    """

    base: datetime
    span: Span
    unrolled: date | None
    last_day: date | None
    instant: datetime
    moved: bool
    explanation: Text


def reckon(base: datetime, span: Span, *, because: Text, zone: ZoneInfo, holidays: Container[date]) -> Reckoning:
    """When `span` from `base` (an aware instant) ends.

    `because` says what happened at `base`, as a clause without a full stop: t("You were told {at}", at=base).
    `holidays` must reach some days past the end.

    Raises:
        ValueError: `base` is naive.
        Invalid: (`base`) the end lies past the last date of the calendar.
    """
    if base.tzinfo is None:
        raise ValueError("a deadline is counted from an aware instant")
    try:
        return _reckon(base, span, because=because, zone=zone, holidays=holidays)
    except (OverflowError, ValueError) as error:
        raise Invalid({"base": t("The time would end after the last date of the calendar.")}) from error


def _reckon(base: datetime, span: Span, *, because: Text, zone: ZoneInfo, holidays: Container[date]) -> Reckoning:
    if span.unit.exact:
        instant = base.astimezone(UTC) + timedelta(**{span.unit.value: span.value})
        words = t("{because}. The time is {span} and runs out {instant}.", because=because, span=span.words,
                  instant=instant)  # fmt: skip
        return Reckoning(base, span, None, None, instant, moved=False, explanation=words)
    unrolled = _counted(base.astimezone(zone).date(), span, holidays)
    last_day = _rolled(unrolled, holidays)
    end = datetime.combine(last_day, _END_OF_DAY, zone).astimezone(UTC)
    words = _explained(span, because=because, unrolled=unrolled, last_day=last_day)
    return Reckoning(base, span, unrolled, last_day, end, moved=last_day != unrolled, explanation=words)


def morning(day: date, zone: ZoneInfo) -> datetime:
    """When people are reminded on a day: nine o'clock where they are, never at night."""
    return datetime.combine(day, _MORNING, zone).astimezone(UTC)


def left(instant: datetime, now: datetime) -> Text:
    """What is left until `instant`, in whole units rounded down, or when it ran out."""
    if now > instant:
        return t("The time ran out {at}.", at=instant)
    minutes = int((instant - now) / timedelta(minutes=1))
    if minutes < 1:
        return t("less than a minute left")
    if minutes == 1:
        return t("1 minute left")
    if minutes < 2 * 60:
        return t("{number} minutes left", number=minutes)
    if minutes < 48 * 60:
        return t("{number} hours left", number=minutes // 60)
    return t("{number} days left", number=minutes // (24 * 60))


def is_working_day(day: date, holidays: Container[date]) -> bool:
    """Whether a deadline may end on `day`."""
    return day.weekday() < 5 and day not in holidays


def _counted(start: date, span: Span, holidays: Container[date]) -> date:
    match span.unit:
        case Unit.months:
            months = start.year * 12 + start.month - 1 + span.value
            year, month = months // 12, months % 12 + 1
            return date(year, month, min(start.day, monthrange(year, month)[1]))
        case Unit.working_days:
            day = start
            for _ in range(span.value):
                day = _rolled(day + _DAY, holidays)
            return day
        case Unit.weeks:
            return start + timedelta(weeks=span.value)
        case _:
            return start + timedelta(days=span.value)


def _rolled(day: date, holidays: Container[date]) -> date:
    while not is_working_day(day, holidays):
        day += _DAY
    return day


def _explained(span: Span, *, because: Text, unrolled: date, last_day: date) -> Text:
    if span.unit is Unit.working_days:
        return t(
            "{because}. The time is {span}, so the last day is {last_day}. "
            "Saturdays, Sundays and holidays are not counted.",
            because=because, span=span.words, last_day=last_day,
        )  # fmt: skip
    if last_day == unrolled:
        return t(
            "{because}. The time is {span}. The last day is {last_day}, a working day, and is not moved.",
            because=because, span=span.words, last_day=last_day,
        )  # fmt: skip
    return t(
        "{because}. {day} is {reason}, so the last day is moved to {last_day}.",
        because=because, day=_day_words(span), reason=_day_off(unrolled), last_day=last_day,
    )  # fmt: skip


def _words(unit: Unit, number: int) -> tuple[Text, Text]:
    match unit:
        case Unit.minutes:
            return t("1 minute"), t("{number} minutes", number=number)
        case Unit.hours:
            return t("1 hour"), t("{number} hours", number=number)
        case Unit.days:
            return t("1 day"), t("{number} days", number=number)
        case Unit.weeks:
            return t("1 week"), t("{number} weeks", number=number)
        case Unit.months:
            return t("1 month"), t("{number} months", number=number)
        case Unit.working_days:
            return t("1 working day"), t("{number} working days", number=number)


_ORDINALS = (
    t("The first day"),
    t("The second day"),
    t("The third day"),
    t("The fourth day"),
    t("The fifth day"),
    t("The sixth day"),
    t("The seventh day"),
    t("The eighth day"),
    t("The ninth day"),
    t("The tenth day"),
)


def _day_words(span: Span) -> Text:
    if span.unit is not Unit.days:
        return t("The day {span} later", span=span.words)
    if span.value <= len(_ORDINALS):
        return _ORDINALS[span.value - 1]
    return t("Day {number}", number=span.value)


_FIXED_HOLIDAYS = {
    (1, 1): t("New Year's Day"),
    (1, 6): t("Epiphany"),
    (5, 1): t("1 May"),
    (6, 6): t("the National Day"),
    (12, 24): t("Christmas Eve"),
    (12, 25): t("Christmas Day"),
    (12, 26): t("the second day of Christmas"),
    (12, 31): t("New Year's Eve"),
}


_MOVABLE_HOLIDAYS = (
    ((3, 4), 4, t("Good Friday")),
    ((3, 4), 0, t("Easter Monday")),
    ((4, 5, 6), 3, t("Ascension Day")),
    ((6,), 4, t("Midsummer Eve")),
)


def _day_off(day: date) -> Text:
    """Why no deadline ends on `day`; the weekday goes before the holiday, as everybody knows it."""
    if day.weekday() >= 5:
        return t("a Saturday") if day.weekday() == 5 else t("a Sunday")
    if named := _FIXED_HOLIDAYS.get((day.month, day.day)):
        return named
    return next((name for months, weekday, name in _MOVABLE_HOLIDAYS
                 if day.month in months and day.weekday() == weekday), t("a public holiday"))  # fmt: skip

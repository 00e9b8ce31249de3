"""Deadline arithmetic with its explanation: page, guard, mail, PDF and calendar file all ask here.

Minutes and hours are exact time. Everything else is counted in local dates, the day of the event itself not
counted; the last day runs to 23:59:59 local time and is moved once, at the end, past Saturdays, Sundays and
holidays. More time is counted on from the day before that move. What is paused is not counted: of minutes and hours
exactly, of dates every day that the pause touches, and none of them is a last day.
"""

import re
from calendar import monthrange
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Self
from zoneinfo import ZoneInfo

from casework.domain.errors import Invalid
from casework.domain.explaining import (
    Interval,
    ends_within,
    off_between,
    put_off,
    the_day,
    why_moved,
    with_clock_change,
    without,
)
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
        written = re.fullmatch(r"(-?[0-9]{1,40}) ?([a-z_-]+)", text.strip().lower())
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
class Pause:
    """An interval, `begins` to `ends` (aware, the end not in it), in which a time stands still; ValueError if empty."""

    begins: datetime
    ends: datetime

    def __post_init__(self) -> None:
        if self.begins >= self.ends:
            raise ValueError("a pause ends after it begins")

    def days(self, zone: ZoneInfo) -> Iterable[date]:
        """Every local date that it touches."""
        day, last = self.begins.astimezone(zone).date(), (self.ends - _INSTANT).astimezone(zone).date()
        return (day + timedelta(days=number) for number in range((last - day).days + 1))


_INSTANT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Reckoning:
    """A deadline with the way it was reached.

    `instant` is UTC; its whole minute is still in time (`minutes.has_run`). `unrolled` and `last_day` are local dates,
    None for minutes and hours; `moved` says that they differ.
    """

    base: datetime | None
    span: Span
    unrolled: date | None
    last_day: date | None
    instant: datetime
    moved: bool
    explanation: Text


@dataclass(frozen=True, slots=True)
class _Days:
    """What a zone's days are: which are off, and which a pause takes."""

    zone: ZoneInfo
    holidays: Container[date]
    paused: tuple[date, ...] = ()

    def can_be_last(self, day: date) -> bool:
        return is_working_day(day, self.holidays) and day not in self.paused

    def stood(self, after: date, to: date) -> list[date]:
        return [day for day in self.paused if after < day <= to]

    def why_moved(self, unrolled: date, last_day: date) -> Text:
        return why_moved(_each(unrolled, last_day), self.paused)


def reckon(
    base: datetime,
    span: Span,
    *,
    because: Text,
    zone: ZoneInfo,
    holidays: Container[date],
    more: Sequence[Span] = (),
    pauses: Sequence[Pause] = (),
) -> Reckoning:
    """When `span` from `base` (an aware instant) ends, and then each span of `more` from the unrolled end before it.

    `because` says what happened at `base`, as a clause without a full stop: t("You were told {at}", at=base).
    `holidays` must reach some days past the end.

    Raises:
        ValueError: `base` is naive.
        Invalid: (`base`) the end lies past the last date of the calendar; (`more`) minutes or hours more on a last day.
    """
    if base.tzinfo is None:
        raise ValueError("a deadline is counted from an aware instant")
    days = _days(zone, holidays, pauses)
    try:
        return _prolonged_by(_reckon(base, span, because, days, pauses), more, days, pauses)
    except (OverflowError, ValueError) as error:
        raise Invalid({"base": t("The time would end after the last date of the calendar.")}) from error


def reckon_given(
    until: datetime | date,
    *,
    since: datetime,
    by_itself: Reckoning | None,
    span: Span,
    zone: ZoneInfo,
    holidays: Container[date],
    over: Text | None = None,
    more: Sequence[Span] = (),
    pauses: Sequence[Pause] = (),
) -> Reckoning:
    """The same where somebody gave more time at `since`, `until` a moment or a day: never before it ends `by_itself`.

    `by_itself` is reckoned without `more`; None where its start is not known. `over`: how it was reckoned before.
    A day is moved as every last day is, and more time is counted on from before that.
    """
    days = _days(zone, holidays, pauses)
    base = by_itself.base if by_itself else None
    if isinstance(until, datetime):
        instant, stood = _after_end(since, until, pauses)
        words = put_off(_until(over, until), stood, instant)
        given = Reckoning(base, span, None, None, instant, moved=False, explanation=words)
    else:
        unrolled, last_day, words = _to_day(until, since, days, over)
        given = Reckoning(base, span, unrolled, last_day, end_of(last_day, days.zone), last_day != unrolled, words)
    later = by_itself if by_itself is not None and by_itself.instant > given.instant else given
    return _prolonged_by(later, more, days, pauses)


def _until(over: Text | None, until: datetime | date | Text) -> Text:
    if over is None:
        return t("More time was given, until {until}.", until=until)
    return t("{before} After that more time was given, until {until}.", before=over, until=until)


def _to_day(day: date, since: datetime, days: _Days, over: Text | None) -> tuple[date, date, Text]:
    unrolled = day
    start = since.astimezone(days.zone).date()
    for paused in days.paused:
        if start < paused <= unrolled:
            unrolled += _DAY
    last_day, stood = _rolled(unrolled, days), days.stood(start, unrolled)
    words = _until(over, without(day, stood))
    if stood:
        words = t("{before} Then it would end {unrolled}.", before=words, unrolled=unrolled)
    if last_day != unrolled:
        words = t("{before} That is {reason}, so the last day is moved to {last_day}.", before=words,
                  reason=days.why_moved(unrolled, last_day), last_day=last_day)  # fmt: skip
    return unrolled, last_day, words


def _days(zone: ZoneInfo, holidays: Container[date], pauses: Sequence[Pause]) -> _Days:
    return _Days(zone, holidays, tuple(sorted({day for pause in pauses for day in pause.days(zone)})))


def _prolonged_by(reached: Reckoning, more: Sequence[Span], days: _Days, pauses: Sequence[Pause]) -> Reckoning:
    for each in more:
        reached = _prolonged(reached, each, days, pauses)
    return reached


def _reckon(base: datetime, span: Span, because: Text, days: _Days, pauses: Sequence[Pause]) -> Reckoning:
    if span.unit.exact:
        start = base.astimezone(UTC)
        instant, stood = _after(start, span, pauses)
        words = t("{because}. The time is {span} and runs out {instant}.", because=because,
                  span=ends_within(span.words, stood), instant=instant)  # fmt: skip
        words = with_clock_change(words, start, instant, days.zone)
        return Reckoning(base, span, None, None, instant, moved=False, explanation=words)
    start_day = base.astimezone(days.zone).date()
    unrolled = _counted(start_day, span, days)
    last_day = _rolled(unrolled, days)
    words = _explained(span, because=because, start=start_day, unrolled=unrolled, days=days)
    return Reckoning(base, span, unrolled, last_day, end_of(last_day, days.zone), last_day != unrolled, words)


def _prolonged(old: Reckoning, more: Span, days: _Days, pauses: Sequence[Pause]) -> Reckoning:
    """`old` with more time, counted on from before its end was moved; said with the end that it had."""
    if more.unit.exact:
        if old.last_day is not None:
            raise Invalid({"more": t("A last day can be moved by days, weeks, months or working days.")})
        instant, stood = _after(old.instant, more, pauses)
        words = t("{before} {more} more has been given: the time that ran out {old} runs out {instant}.",
                  before=old.explanation, more=ends_within(more.words, stood), old=old.instant,
                  instant=instant)  # fmt: skip
        words = with_clock_change(words, old.instant, instant, days.zone)
        return Reckoning(old.base, old.span, None, None, instant, moved=False, explanation=words)
    start = old.unrolled or old.instant.astimezone(days.zone).date()
    unrolled = _counted(start, more, days)
    last_day = _rolled(unrolled, days)
    words = _more_words(old, more, (start, unrolled, last_day), days)
    return Reckoning(old.base, old.span, unrolled, last_day, end_of(last_day, days.zone), last_day != unrolled, words)


def _more_words(old: Reckoning, more: Span, counted: tuple[date, date, date], days: _Days) -> Text:
    """`counted`: from, to, and the last day."""
    (first, unrolled, last_day), was = counted, old.last_day or old.instant
    start = without(first, days.stood(first, unrolled))
    if last_day == unrolled:
        return t(
            "{before} {more} more has been given, counted from {start}. The last day was {old} and is now {last_day}.",
            before=old.explanation, more=more.words, start=start, old=was, last_day=last_day,
        )  # fmt: skip
    return t(
        "{before} {more} more has been given, counted from {start}. {unrolled} is {reason}, so the last day, which was "
        "{old}, is now {last_day}.",
        before=old.explanation, more=more.words, start=start, unrolled=unrolled,
        reason=days.why_moved(unrolled, last_day), old=was, last_day=last_day,
    )  # fmt: skip


def _after(start: datetime, span: Span, pauses: Sequence[Pause]) -> tuple[datetime, list[Interval]]:
    return _after_end(start, start + timedelta(**{span.unit.value: span.value}), pauses)


def _after_end(start: datetime, end: datetime, pauses: Sequence[Pause]) -> tuple[datetime, list[Interval]]:
    """`end` put off by what stands still after `start`, and the intervals that do, none of them counted twice."""
    stood = []
    counted_to = start
    for pause in sorted(pauses, key=lambda each: each.begins):
        begins = max(pause.begins, counted_to)
        if begins <= end and pause.ends > begins:
            end += pause.ends - begins
            counted_to = pause.ends
            stood.append((begins, pause.ends))
    return end.astimezone(UTC), stood


def end_of(day: date, zone: ZoneInfo) -> datetime:
    """The last instant of a last day."""
    return datetime.combine(day, _END_OF_DAY, zone).astimezone(UTC)


def morning(day: date, zone: ZoneInfo) -> datetime:
    """When people are reminded on a day: nine o'clock where they are, never at night."""
    return datetime.combine(day, _MORNING, zone).astimezone(UTC)


def is_working_day(day: date, holidays: Container[date]) -> bool:
    """Whether a deadline may end on `day`."""
    return day.weekday() < 5 and day not in holidays


def _counted(start: date, span: Span, days: _Days) -> date:
    if span.unit is Unit.working_days:
        day = start
        for _ in range(span.value):
            day = _rolled(day + _DAY, days)
        return day
    end = _on_the_calendar(start, span)
    for day in days.paused:
        if start < day <= end:
            end += _DAY
    return end


def _on_the_calendar(start: date, span: Span) -> date:
    if span.unit is Unit.months:
        months = start.year * 12 + start.month - 1 + span.value
        year, month = months // 12, months % 12 + 1
        return date(year, month, min(start.day, monthrange(year, month)[1]))
    return start + (timedelta(weeks=span.value) if span.unit is Unit.weeks else timedelta(days=span.value))


def _rolled(day: date, days: _Days) -> date:
    while not days.can_be_last(day):
        day += _DAY
    return day


def _explained(span: Span, *, because: Text, start: date, unrolled: date, days: _Days) -> Text:
    last_day, stood = _rolled(unrolled, days), days.stood(start, unrolled)
    length = without(span.words, stood)
    if span.unit is Unit.working_days:
        off = [day for day in _each(start + _DAY, last_day) if day in days.holidays and day not in stood]
        return t(
            "{because}. The time is {span}, so the last day is {last_day}. {days} are not counted.",
            because=because, span=length, last_day=last_day, days=off_between(off),
        )  # fmt: skip
    if last_day == unrolled:
        return t(
            "{because}. The time is {span}. The last day is {last_day}, a working day, and is not moved.",
            because=because, span=length, last_day=last_day,
        )  # fmt: skip
    reason = days.why_moved(unrolled, last_day)
    if stood:
        return t(
            "{because}. The time is {span} and would end {unrolled}. That is {reason}, so the last day is moved to "
            "{last_day}.",
            because=because, span=length, unrolled=unrolled, reason=reason, last_day=last_day,
        )  # fmt: skip
    return t(
        "{because}. {day} is {reason}, so the last day is moved to {last_day}.",
        because=because, day=_day_words(span), reason=reason, last_day=last_day,
    )  # fmt: skip


def _each(first: date, before: date) -> list[date]:
    return [first + timedelta(days=number) for number in range((before - first).days)]


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


def _day_words(span: Span) -> Text:
    return the_day(span.value) if span.unit is Unit.days else t("The day {span} later", span=span.words)

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

from casework.domain.days_off import day_off
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

    `instant` is UTC and still in time itself. `unrolled` and `last_day` are local dates, None for minutes and
    hours; `moved` says that they differ.
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
    until: datetime,
    *,
    since: datetime,
    by_itself: Reckoning | None,
    span: Span,
    zone: ZoneInfo,
    holidays: Container[date],
    more: Sequence[Span] = (),
    pauses: Sequence[Pause] = (),
) -> Reckoning:
    """The same where somebody gave more time, `until` a moment, at `since`: never before the time ends `by_itself`.

    `by_itself` is reckoned without `more`; None where its start is not known.
    """
    days = _days(zone, holidays, pauses)
    instant, stood = _after_end(since, until, pauses)
    words = with_pauses(t("More time was given, until {until}.", until=until), stood)
    base = by_itself.base if by_itself else None
    given = Reckoning(base, span, None, None, instant, moved=False, explanation=words)
    later = by_itself if by_itself is not None and by_itself.instant > instant else given
    return _prolonged_by(later, more, days, pauses)


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
        words = t("{because}. The time is {span} and runs out {instant}.", because=because, span=span.words,
                  instant=instant)  # fmt: skip
        words = with_pauses(words, stood)
        return Reckoning(base, span, None, None, instant, moved=False, explanation=words)
    start_day = base.astimezone(days.zone).date()
    unrolled = _counted(start_day, span, days)
    last_day = _rolled(unrolled, days)
    words = _explained(span, because=because, unrolled=unrolled, last_day=last_day, days=days)
    stood = _touching(pauses, start_day + _DAY, last_day, days.zone)
    words = with_pauses(words, stood)
    return Reckoning(base, span, unrolled, last_day, _end_of(last_day, days), last_day != unrolled, words)


def _prolonged(old: Reckoning, more: Span, days: _Days, pauses: Sequence[Pause]) -> Reckoning:
    """`old` with more time, counted on from before its end was moved; said with the end that it had."""
    if more.unit.exact:
        if old.last_day is not None:
            raise Invalid({"more": t("A last day can be moved by days, weeks, months or working days.")})
        instant, stood = _after(old.instant, more, pauses)
        words = t("{before} {more} more has been given: the time that ran out {old} runs out {instant}.",
                  before=old.explanation, more=more.words, old=old.instant, instant=instant)  # fmt: skip
        words = with_pauses(words, stood)
        return Reckoning(old.base, old.span, None, None, instant, moved=False, explanation=words)
    start = old.unrolled or old.instant.astimezone(days.zone).date()
    unrolled = _counted(start, more, days)
    last_day = _rolled(unrolled, days)
    reason = None if last_day == unrolled else _not_last(unrolled, days)
    words = _more_words(old, more, (start, unrolled, last_day), reason)
    stood = _touching(pauses, start + _DAY, last_day, days.zone)
    words = with_pauses(words, stood)
    return Reckoning(old.base, old.span, unrolled, last_day, _end_of(last_day, days), last_day != unrolled, words)


def _more_words(old: Reckoning, more: Span, counted: tuple[date, date, date], reason: Text | None) -> Text:
    """`counted`: from, to, and the last day; `reason`: why it is moved, None where it is not."""
    (start, unrolled, last_day), was = counted, old.last_day or old.instant
    if reason is None:
        return t(
            "{before} {more} more has been given, counted from {start}. The last day was {old} and is now {last_day}.",
            before=old.explanation, more=more.words, start=start, old=was, last_day=last_day,
        )  # fmt: skip
    return t(
        "{before} {more} more has been given, counted from {start}. {unrolled} is {reason}, so the last day, which was "
        "{old}, is now {last_day}.",
        before=old.explanation, more=more.words, start=start, unrolled=unrolled, reason=reason,
        old=was, last_day=last_day,
    )  # fmt: skip


def _after(start: datetime, span: Span, pauses: Sequence[Pause]) -> tuple[datetime, list[Pause]]:
    return _after_end(start, start + timedelta(**{span.unit.value: span.value}), pauses)


def _after_end(start: datetime, end: datetime, pauses: Sequence[Pause]) -> tuple[datetime, list[Pause]]:
    stood = []
    counted_to = start
    for pause in sorted(pauses, key=lambda each: each.begins):
        begins = max(pause.begins, counted_to)
        if begins <= end and pause.ends > begins:
            end += pause.ends - begins
            counted_to = pause.ends
            stood.append(pause)
    return end.astimezone(UTC), stood


def _touching(pauses: Sequence[Pause], start: date, last_day: date, zone: ZoneInfo) -> list[Pause]:
    return [pause for pause in sorted(pauses, key=lambda each: each.begins)
            if any(start <= day <= last_day for day in pause.days(zone))]  # fmt: skip


def with_pauses(words: Text, pauses: Iterable[Pause]) -> Text:
    """`words` and then each interval that is not counted."""
    for pause in pauses:
        words = t("{before} From {begins} to {ends} the time stands still, and that is not counted.",
                  before=words, begins=pause.begins, ends=pause.ends)  # fmt: skip
    return words


def _end_of(day: date, days: _Days) -> datetime:
    return datetime.combine(day, _END_OF_DAY, days.zone).astimezone(UTC)


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


def _explained(span: Span, *, because: Text, unrolled: date, last_day: date, days: _Days) -> Text:
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
        because=because, day=_day_words(span), reason=_not_last(unrolled, days), last_day=last_day,
    )  # fmt: skip


def _not_last(day: date, days: _Days) -> Text:
    return day_off(day) if not is_working_day(day, days.holidays) else t("a day on which the time stands still")


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

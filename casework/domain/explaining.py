"""What a time says of itself: what is left of it, and what is left out of it, so that a reader can count it."""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from casework.domain.days_off import day_off
from casework.domain.minutes import has_run
from casework.text import Text, Value, t

Interval = tuple[datetime, datetime]

_WEEKEND = [t("a Saturday"), t("a Sunday")]


def left(instant: datetime, now: datetime) -> Text:
    """What is left until `instant`, in whole units rounded down, or when it ran out."""
    if has_run(instant, now):
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


def without(what: Text | date, days: Sequence[date]) -> Text | date:
    """A number of days, or from when they are counted, with those on which the time stands still."""
    if not days:
        return what
    return t("{what} (not counting {days}, when the time stands still)", what=what, days=_runs(days))


def ends_within(span: Text, stood: Sequence[Interval]) -> Text:
    """The same of minutes and hours."""
    if not stood:
        return span
    minutes: list[Value] = [t("the time from {begins} to {ends}", begins=begins, ends=ends) for begins, ends in stood]
    return t("{what} (not counting {days}, when the time stands still)", what=span, days=minutes)


def put_off(words: Text, stood: Sequence[Interval], instant: datetime) -> Text:
    """The same of a moment that was given."""
    if not stood:
        return words
    return t("{before} The time stands still {intervals}, so it runs out {instant}.",
             before=words, intervals=_intervals(stood), instant=instant)  # fmt: skip


def stands_still(words: Text, intervals: Iterable[Interval]) -> Text:
    """The same of a time that has not begun."""
    listed = _intervals(list(intervals))
    return t("{before} The time stands still {intervals}.", before=words, intervals=listed) if listed else words


def why_moved(skipped: Sequence[date], stands_still: Collection[date]) -> Text:
    """Why no time ends on these days, one after another; the weekend by its first day, as everybody knows it."""
    named = groupby(skipped, lambda day: None if day in stands_still else day)
    first, *others = [day_off(day) if day else _standing(len(list(days))) for day, days in named]
    if not others or [first, *others] == _WEEKEND:
        return first
    return t("{first}, followed by {others}", first=first, others=list(others))


def off_between(days: Sequence[date]) -> list[Value]:
    """What working days leave out, as the beginning of a sentence."""
    return [t("Saturdays"), t("Sundays"), *_runs([day for day in days if day.weekday() < 5])]


def with_clock_change(words: Text, start: datetime, end: datetime, zone: ZoneInfo) -> Text:
    """`words`, and what happens to the clock between two instants."""
    before, after = (at.astimezone(zone).utcoffset() for at in (start, end))
    if before is None or after is None or before == after:
        return words
    low, high = start.astimezone(UTC), end.astimezone(UTC)
    while high - low > timedelta(seconds=1):
        middle = low + (high - low) / 2
        low, high = (middle, high) if middle.astimezone(zone).utcoffset() == before else (low, middle)
    at = (high + timedelta(milliseconds=500)).replace(microsecond=0)
    old, new = (f"{at.astimezone(UTC) + offset:%H.%M}" for offset in (before, after))
    day = at.astimezone(zone).date()
    if after < before:
        return t("{before} {day} the clock is set back from {old} to {new}; what is counted is the time that passes.",
                 before=words, day=day, old=old, new=new)  # fmt: skip
    return t("{before} {day} the clock is set forward from {old} to {new}; what is counted is the time that passes.",
             before=words, day=day, old=old, new=new)  # fmt: skip


def _standing(number: int) -> Text:
    if number == 1:
        return t("a day on which the time stands still")
    return t("{number} days on which the time stands still", number=number)


def _intervals(stood: Sequence[Interval]) -> list[Value]:
    return [t("from {begins} to {ends}", begins=begins, ends=ends) for begins, ends in stood]


def _runs(days: Sequence[date]) -> list[Value]:
    """Days that follow each other as one: "Tuesday 1 December 2026 to Thursday 3 December 2026"."""
    runs: list[list[date]] = []
    for day in days:
        if runs and day - runs[-1][-1] == timedelta(days=1):
            runs[-1].append(day)
        else:
            runs.append([day])
    return [run[0] if len(run) == 1 else t("{first} to {last}", first=run[0], last=run[-1]) for run in runs]


def the_day(number: int) -> Text:
    """A day by its number from the one on which the time began."""
    return _ORDINALS[number - 1] if number <= len(_ORDINALS) else t("Day {number}", number=number)


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

"""Deadlines: the golden table of dates, the nights when the clock changes, and what must hold for all."""

from datetime import UTC, date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.adapters.holidays import DAYS_OFF, calendar_version, swedish_holidays
from casework.domain.calendar import Pause, Reckoning, Span, Unit, is_working_day, reckon
from casework.domain.days_off import day_off
from casework.domain.errors import Invalid
from casework.domain.explaining import left
from casework.text import Text, t
from tests.conftest import Set

STOCKHOLM = ZoneInfo("Europe/Stockholm")
HOLIDAYS = swedish_holidays(2025, 2032)
BECAUSE = t("You were told")


def reckoned(base: str, value: int, unit: Unit) -> Reckoning:
    """`base` is local time in ISO form."""
    start = datetime.fromisoformat(base).replace(tzinfo=STOCKHOLM)
    return reckon(start, Span(value, unit), because=BECAUSE, zone=STOCKHOLM, holidays=HOLIDAYS)


GOLDEN_HOLIDAYS = {
    2024: "01-01 01-06 03-29 03-31 04-01 05-01 05-09 05-19 06-06 06-21 06-22 11-02 12-24 12-25 12-26 12-31",
    2025: "01-01 01-06 04-18 04-20 04-21 05-01 05-29 06-06 06-08 06-20 06-21 11-01 12-24 12-25 12-26 12-31",
    2026: "01-01 01-06 04-03 04-05 04-06 05-01 05-14 05-24 06-06 06-19 06-20 10-31 12-24 12-25 12-26 12-31",
    2027: "01-01 01-06 03-26 03-28 03-29 05-01 05-06 05-16 06-06 06-25 06-26 11-06 12-24 12-25 12-26 12-31",
    2028: "01-01 01-06 04-14 04-16 04-17 05-01 05-25 06-04 06-06 06-23 06-24 11-04 12-24 12-25 12-26 12-31",
    2029: "01-01 01-06 03-30 04-01 04-02 05-01 05-10 05-20 06-06 06-22 06-23 11-03 12-24 12-25 12-26 12-31",
    2030: "01-01 01-06 04-19 04-21 04-22 05-01 05-30 06-06 06-09 06-21 06-22 11-02 12-24 12-25 12-26 12-31",
    2031: "01-01 01-06 04-11 04-13 04-14 05-01 05-22 06-01 06-06 06-20 06-21 11-01 12-24 12-25 12-26 12-31",
    2032: "01-01 01-06 03-26 03-28 03-29 05-01 05-06 05-16 06-06 06-25 06-26 11-06 12-24 12-25 12-26 12-31",
}


@pytest.mark.parametrize("year", GOLDEN_HOLIDAYS)
def test_the_holidays_of_a_year(year: int) -> None:
    """B1.40: Day roll: public holidays and the eves of Midsummer, Christmas and New Year (C10)."""
    expected = {date.fromisoformat(f"{year}-{day}") for day in GOLDEN_HOLIDAYS[year].split()}
    assert swedish_holidays(year, year) == expected


@pytest.mark.parametrize(
    ("base", "value", "unit", "last_day"),
    [
        ("2026-11-27T21:12:00", 10, Unit.days, "2026-12-07"),
        ("2026-11-29T10:00:00", 7, Unit.days, "2026-12-07"),
        ("2026-06-12T09:00:00", 3, Unit.weeks, "2026-07-03"),
        ("2026-03-27T00:00:00", 10, Unit.days, "2026-04-07"),
        ("2026-04-30T12:00:00", 1, Unit.days, "2026-05-04"),
        ("2026-05-04T23:59:59", 10, Unit.days, "2026-05-15"),
        ("2026-06-14T12:00:00", 5, Unit.days, "2026-06-22"),
        ("2026-12-14T12:00:00", 10, Unit.days, "2026-12-28"),
        ("2026-12-21T12:00:00", 10, Unit.days, "2027-01-04"),
        ("2027-01-05T12:00:00", 1, Unit.days, "2027-01-07"),
        ("2027-03-24T12:00:00", 1, Unit.weeks, "2027-03-31"),
        ("2027-03-16T12:00:00", 10, Unit.days, "2027-03-30"),
        ("2027-06-20T12:00:00", 5, Unit.days, "2027-06-28"),
        ("2027-12-14T12:00:00", 10, Unit.days, "2027-12-27"),
        ("2027-12-21T12:00:00", 10, Unit.days, "2028-01-03"),
        ("2028-01-31T12:00:00", 1, Unit.months, "2028-02-29"),
        ("2027-01-31T12:00:00", 1, Unit.months, "2027-03-01"),
        ("2026-11-30T12:00:00", 14, Unit.months, "2028-01-31"),
        ("2028-02-22T12:00:00", 1, Unit.weeks, "2028-02-29"),
        ("2028-04-04T12:00:00", 10, Unit.days, "2028-04-18"),
        ("2028-05-30T12:00:00", 7, Unit.days, "2028-06-07"),
        ("2026-12-22T12:00:00", 3, Unit.working_days, "2026-12-29"),
        ("2026-12-23T12:00:00", 5, Unit.working_days, "2027-01-05"),
        ("2026-12-05T12:00:00", 1, Unit.working_days, "2026-12-07"),
    ],
)
def test_the_last_day(base: str, value: int, unit: Unit, last_day: str) -> None:
    """B1.7, B1.15, B1.35: The day of the event is not counted; rolled once, at the end, from the unrolled date."""
    assert reckoned(base, value, unit).last_day == date.fromisoformat(last_day)


@pytest.mark.parametrize(
    ("base", "value", "unit", "instant"),
    [
        # 25 October 2026 and 31 October 2027: 3 o'clock becomes 2; 28 March 2027: 2 becomes 3.
        ("2026-10-24T23:59:00", 2, Unit.hours, "2026-10-24T23:59:00"),
        ("2026-10-25T02:30:00", 1, Unit.hours, "2026-10-25T01:30:00"),
        ("2026-10-25T01:45:00", 30, Unit.minutes, "2026-10-25T00:15:00"),
        ("2026-10-23T12:00:00", 3, Unit.days, "2026-10-26T22:59:59"),
        ("2026-10-22T12:00:00", 1, Unit.days, "2026-10-23T21:59:59"),
        ("2027-03-28T01:45:00", 30, Unit.minutes, "2027-03-28T01:15:00"),
        ("2027-03-27T20:00:00", 24, Unit.hours, "2027-03-28T19:00:00"),
        ("2027-03-24T12:00:00", 1, Unit.days, "2027-03-25T22:59:59"),
        ("2027-03-27T12:00:00", 3, Unit.days, "2027-03-30T21:59:59"),
        ("2027-10-31T00:30:00", 3, Unit.hours, "2027-10-31T01:30:00"),
        ("2027-10-31T02:59:00", 1, Unit.minutes, "2027-10-31T01:00:00"),
        ("2027-10-30T12:00:00", 2, Unit.days, "2027-11-01T22:59:59"),
    ],
)
def test_nights_when_the_clock_changes(base: str, value: int, unit: Unit, instant: str) -> None:
    """F26: minutes and hours are elapsed time, last days end at 23:59:59 by the local clock."""
    assert reckoned(base, value, unit).instant == datetime.fromisoformat(instant).replace(tzinfo=UTC)


def test_minutes_are_never_moved() -> None:
    """Law 92B: 30 minutes after the official score, on a Sunday as on any day."""
    window = reckoned("2026-11-29T21:12:00", 30, Unit.minutes)
    assert (window.last_day, window.moved) == (None, False)
    assert window.instant.astimezone(STOCKHOLM).isoformat() == "2026-11-29T21:42:00+01:00"


@pytest.mark.parametrize(
    ("base", "value", "reason"),
    [
        ("2026-11-29T10:00:00", 7, t("a Sunday")),
        ("2026-12-02T10:00:00", 10, t("a Saturday")),
        ("2026-12-14T10:00:00", 10, t("Christmas Eve")),
        ("2026-03-24T10:00:00", 10, t("Good Friday")),
        ("2026-03-27T10:00:00", 10, t("Easter Monday")),
        ("2026-05-04T10:00:00", 10, t("Ascension Day")),
        ("2026-06-09T10:00:00", 10, t("Midsummer Eve")),
    ],
)
def test_the_explanation_says_why_the_day_is_moved(base: str, value: int, reason: Text) -> None:
    """R-DL1: a deadline carries its reckoning, never only its result."""
    explanation = reckoned(base, value, Unit.days).explanation
    assert "so the last day is moved" in explanation.msgid
    said = explanation.params["reason"]
    assert isinstance(said, Text)
    assert said.params.get("first", said) == reason


def test_the_explanation_counts_the_day() -> None:
    """Tone: "The seventh day is a Sunday"."""
    assert reckoned("2026-11-29T10:00:00", 7, Unit.days).explanation == t(
        "{because}. {day} is {reason}, so the last day is moved to {last_day}.",
        because=BECAUSE,
        day=t("The seventh day"),
        reason=t("a Sunday"),
        last_day=date(2026, 12, 7),
    )


def test_an_unmoved_day_says_so() -> None:
    """Whether it was moved is said in both cases."""
    assert "is not moved" in reckoned("2026-06-12T09:00:00", 3, Unit.weeks).explanation.msgid


def test_a_day_off_of_another_calendar_is_called_so() -> None:
    """The event's zone and holidays are arguments: a date without a Swedish name still has a reason."""
    base = datetime(2026, 7, 13, 12, tzinfo=UTC)
    paris = reckon(base, Span(1, Unit.days), because=BECAUSE, zone=ZoneInfo("Europe/Paris"),
                   holidays=[date(2026, 7, 14)])  # fmt: skip
    assert paris.explanation.params["reason"] == t("a day off in the federation's calendar")
    assert paris.last_day == date(2026, 7, 15)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (8 * 86400 + 3600, t("{number} days left", number=8)),
        (2 * 86400, t("{number} days left", number=2)),
        (2 * 86400 - 60, t("{number} hours left", number=47)),
        (7200, t("{number} hours left", number=2)),
        (7199, t("{number} minutes left", number=119)),
        (24 * 60 + 5, t("{number} minutes left", number=24)),
        (61, t("1 minute left")),
        (0, t("less than a minute left")),
    ],
)
def test_what_is_left(seconds: int, words: Text) -> None:
    """Whole units rounded down: nobody is promised more than there is."""
    now = datetime(2026, 11, 28, 20, tzinfo=UTC)
    assert left(now + timedelta(seconds=seconds), now) == words


def test_what_is_left_afterwards() -> None:
    """A passed deadline says when it ran out; while its minute lasts it is not passed."""
    instant = datetime(2026, 11, 28, 20, 42, tzinfo=UTC)
    assert left(instant, instant + timedelta(seconds=59)) == t("less than a minute left")
    assert left(instant, instant + timedelta(minutes=1)) == t("The time ran out {at}.", at=instant)


def test_a_one_off_day_off_is_a_day_off(settings: Set) -> None:
    """A day that the federation declares off moves what would end on it, and gives the calendar another name."""
    before, end = calendar_version(), date(2027, 5, 7)
    assert end not in DAYS_OFF
    settings(extra_holidays='["2027-05-07"]')
    assert end in DAYS_OFF
    assert calendar_version() != before


@pytest.mark.parametrize(
    ("day", "name"),
    [
        (date(2027, 3, 29), t("Easter Monday")),
        (date(2027, 3, 15), t("a day off in the federation's calendar")),
        (date(2027, 3, 26), t("Good Friday")),
        (date(2027, 5, 6), t("Ascension Day")),
        (date(2027, 5, 13), t("a day off in the federation's calendar")),
        (date(2027, 6, 25), t("Midsummer Eve")),
        (date(2027, 6, 11), t("a day off in the federation's calendar")),
    ],
)
def test_a_day_off_has_its_own_name(day: date, name: Text) -> None:
    """A one-off day off is called by no feast's name."""
    assert day_off(day) == name


def test_the_days_off_reach_as_far_as_any_time() -> None:
    """A long time is moved past its last day's holidays as well."""
    long = reckon(datetime(2026, 6, 1, tzinfo=UTC), Span(336, Unit.months), because=BECAUSE, zone=STOCKHOLM,
                  holidays=DAYS_OFF)  # fmt: skip
    eve = reckon(datetime(2040, 12, 23, tzinfo=UTC), Span(132, Unit.months), because=BECAUSE, zone=STOCKHOLM,
                 holidays=DAYS_OFF)  # fmt: skip
    assert (long.last_day, eve.last_day) == (date(2054, 6, 1), date(2051, 12, 27))


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("30 minutes", Span(30, Unit.minutes)),
        ("1 hour", Span(1, Unit.hours)),
        ("14 days", Span(14, Unit.days)),
        (" 2 WEEKS ", Span(2, Unit.weeks)),
        ("1 month", Span(1, Unit.months)),
        ("3 working-days", Span(3, Unit.working_days)),
    ],
)
def test_a_rule_is_read(text: str, span: Span) -> None:
    """As the command line takes it."""
    assert Span.read(text) == span


@pytest.mark.parametrize(
    "text", ["", "days", "14", "14 moons", "0 days", "10001 days", "-3 days", "1.5 days", "٣ days"]
)
def test_what_is_no_rule_is_refused_in_words(text: str) -> None:
    """Never a traceback."""
    with pytest.raises(Invalid):
        Span.read(text)


def test_a_time_past_the_calendar_is_refused_in_words() -> None:
    """The last year that a date can have is 9999."""
    with pytest.raises(Invalid):
        reckoned("9999-12-30T12:00:00", 3, Unit.days)


@pytest.mark.parametrize("value", [0, -1, 10_001])
def test_a_span_has_a_length(value: int) -> None:
    """Nothing, or more than a calendar holds, is no deadline."""
    with pytest.raises(ValueError, match="a span is"):
        Span(value, Unit.days)


def test_a_naive_base_is_refused() -> None:
    """A date without a zone would move the deadline by the reader's clock."""
    with pytest.raises(ValueError, match="aware"):
        reckon(datetime(2026, 1, 1), Span(1, Unit.days), because=BECAUSE, zone=STOCKHOLM, holidays=())  # noqa: DTZ001


BASES = st.datetimes(datetime(2026, 1, 1), datetime(2031, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001
SPANS = st.builds(Span, st.integers(1, 60), st.sampled_from(Unit)).filter(
    lambda span: span.unit is not Unit.months or span.value <= 12
)


@given(BASES, SPANS)
def test_a_deadline_never_ends_before_it_began(base: datetime, span: Span) -> None:
    """Nor on a day off, nor with a gap: from the unrolled date to the last day nobody worked."""
    result = reckon(base, span, because=BECAUSE, zone=STOCKHOLM, holidays=HOLIDAYS)
    assert result.instant > base
    if result.last_day is not None and result.unrolled is not None:
        assert is_working_day(result.last_day, HOLIDAYS)
        skipped = (result.last_day - result.unrolled).days
        days = [result.unrolled + timedelta(days=n) for n in range(skipped)]
        assert not any(is_working_day(day, HOLIDAYS) for day in days)


@given(BASES, SPANS, st.timedeltas(timedelta(0), timedelta(days=40)))
def test_a_later_event_never_gives_an_earlier_deadline(base: datetime, span: Span, later: timedelta) -> None:
    """Monotone in the event."""
    first = reckon(base, span, because=BECAUSE, zone=STOCKHOLM, holidays=HOLIDAYS)
    second = reckon(base + later, span, because=BECAUSE, zone=STOCKHOLM, holidays=HOLIDAYS)
    assert first.instant <= second.instant


@given(BASES, SPANS.filter(lambda span: span.value < 12))
def test_a_longer_span_never_ends_earlier(base: datetime, span: Span) -> None:
    """Monotone in the span."""
    longer = Span(span.value + 1, span.unit)
    first = reckon(base, span, because=BECAUSE, zone=STOCKHOLM, holidays=HOLIDAYS)
    second = reckon(base, longer, because=BECAUSE, zone=STOCKHOLM, holidays=HOLIDAYS)
    assert first.instant <= second.instant


def paused(base: str, value: int, unit: Unit, *pauses: tuple[str, str], more: tuple[Span, ...] = ()) -> Reckoning:
    """As `reckoned`, with local intervals that are not counted and spans given on top."""
    at = [datetime.fromisoformat(each).replace(tzinfo=STOCKHOLM) for pause in pauses for each in pause]
    return reckon(
        datetime.fromisoformat(base).replace(tzinfo=STOCKHOLM),
        Span(value, unit),
        because=BECAUSE,
        zone=STOCKHOLM,
        holidays=HOLIDAYS,
        more=more,
        pauses=[Pause(begins, ends) for begins, ends in zip(at[::2], at[1::2], strict=True)],
    )


@pytest.mark.parametrize(
    ("base", "value", "unit", "pause", "last_day"),
    [
        ("2026-11-27T12:00", 10, Unit.days, ("2026-12-01T09:00", "2026-12-03T09:00"), "2026-12-10"),
        ("2026-11-27T12:00", 10, Unit.days, ("2026-12-01T00:00", "2026-12-03T00:00"), "2026-12-09"),
        ("2026-11-27T12:00", 10, Unit.days, ("2026-11-20T00:00", "2026-11-27T18:00"), "2026-12-07"),
        ("2026-11-27T12:00", 10, Unit.days, ("2026-12-07T12:00", "2026-12-09T12:00"), "2026-12-10"),
        ("2026-11-27T12:00", 10, Unit.days, ("2026-12-08T00:00", "2026-12-20T00:00"), "2026-12-07"),
        ("2026-11-27T12:00", 3, Unit.working_days, ("2026-12-01T00:00", "2026-12-02T00:00"), "2026-12-03"),
        ("2026-11-29T10:00", 7, Unit.days, ("2026-12-07T10:00", "2026-12-07T12:00"), "2026-12-08"),
    ],
)
def test_days_that_a_pause_touches_are_not_counted(
    base: str, value: int, unit: Unit, pause: tuple[str, str], last_day: str
) -> None:
    """No touched day is counted, and none is a last day; a pause before the start or after the end changes nothing."""
    assert paused(base, value, unit, pause).last_day == date.fromisoformat(last_day)


def test_minutes_stand_still_exactly() -> None:
    """Two pauses that overlap are one."""
    window = paused(
        "2026-11-28T21:00", 30, Unit.minutes, ("2026-11-28T21:10", "2026-11-28T21:20"),
        ("2026-11-28T21:15", "2026-11-28T21:25"),
    )  # fmt: skip
    assert window.instant.astimezone(STOCKHOLM).strftime("%H.%M") == "21.45"


@pytest.mark.parametrize(
    ("more", "last_day"),
    [
        ((Span(2, Unit.weeks),), "2026-12-21"),  # from Sunday 6 December, not from Monday the 7th
        ((Span(1, Unit.days),), "2026-12-07"),
        ((Span(1, Unit.weeks), Span(1, Unit.weeks)), "2026-12-21"),
        ((Span(3, Unit.working_days),), "2026-12-09"),
        ((Span(19, Unit.days),), "2026-12-28"),
    ],
)
def test_more_time_is_counted_from_the_unrolled_day_and_moved_once(more: tuple[Span, ...], last_day: str) -> None:
    """The sentence says what the last day was, from which day it is counted on, and what it is now."""
    longer = paused("2026-11-29T10:00", 7, Unit.days, more=more)
    assert longer.last_day == date.fromisoformat(last_day)
    said = longer.explanation.params
    assert {"before", "more", "start", "old", "last_day"} <= said.keys()
    assert said["last_day"] == longer.last_day


def test_more_hours_are_no_more_days() -> None:
    with pytest.raises(Invalid):
        paused("2026-11-29T10:00", 7, Unit.days, more=(Span(4, Unit.hours),))


reckon_here = partial(reckon, because=BECAUSE, zone=STOCKHOLM, holidays=HOLIDAYS)


@given(
    start=st.integers(0, 24 * 1400),
    days=st.integers(1, 40),
    offset=st.integers(-100, 2000),
    hours=st.integers(1, 600),
)
def test_a_pause_never_shortens_and_nothing_runs_out_in_it(start: int, days: int, offset: int, hours: int) -> None:
    """Whatever stands still: the end is not earlier than without, and never inside the pause."""
    base = datetime(2026, 1, 1, tzinfo=STOCKHOLM) + timedelta(hours=start)
    begins = base + timedelta(hours=offset)
    pause = Pause(begins, begins + timedelta(hours=hours))
    for unit in (Unit.days, Unit.working_days, Unit.hours):
        without, paused_ = reckon_here(base, Span(days, unit)), reckon_here(base, Span(days, unit), pauses=[pause])
        assert paused_.instant >= without.instant
        assert not pause.begins <= paused_.instant < pause.ends
        if unit.exact and pause.begins <= without.instant:  # in UTC: on two nights the clock on the wall is set
            stood = pause.ends.astimezone(UTC) - max(pause.begins, base).astimezone(UTC)
            assert paused_.instant - without.instant == max(stood, timedelta(0))

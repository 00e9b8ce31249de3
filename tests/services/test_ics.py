"""Calendar files keep RFC 5545, and say an instant to the second over every change of the clock (C1, C3)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from icalendar import Calendar

from casework.adapters.ics import Entry, calendar_feed, calendar_file
from casework.clock import LOCAL
from casework.domain.terms import CalendarStatus
from tests import ics

LAST_DAY = Entry(
    key="time-1",
    sequence=0,
    changed_at=datetime(2026, 11, 28, 12, 0, tzinfo=UTC),
    at=datetime(2026, 12, 7, 22, 59, 59, tzinfo=UTC),
    title="Sista dag, SBF-2026-0001",
    text="Vad som ska vara gjort till dess står på ärendets sida.",
)


@pytest.mark.parametrize(
    "instant",
    [
        "2026-12-07T22:59:59Z",
        "2027-03-28T00:59:59Z",
        "2027-03-28T01:00:00Z",
        "2027-07-01T21:59:59Z",
        "2027-10-31T00:30:00Z",
        "2027-10-31T01:00:00Z",
        "2027-10-31T01:30:00Z",
        "2027-12-31T22:59:59Z",
        "2027-12-31T23:00:00Z",
        "2045-07-01T21:59:59Z",
    ],
)
def test_an_instant_is_read_back_to_the_second(instant: str) -> None:
    """By the file's own definition of Swedish time; the second of two equal hours too."""
    at = datetime.fromisoformat(instant)
    (entry,) = ics.read(calendar_file([replace(LAST_DAY, at=at)], "sv"))
    assert entry.at == at


def test_swedish_time_is_written_as_such() -> None:
    """Some programs show what is written in UTC as it stands (C1)."""
    assert b"DTSTART;TZID=Europe/Stockholm:20261207T235959\r\n" in calendar_file([LAST_DAY], "sv")


def test_the_file_defines_swedish_time_for_all_its_years() -> None:
    years = [replace(LAST_DAY, key=f"time-{year}", at=LAST_DAY.at.replace(year=year)) for year in (2026, 2031)]
    (zone,) = Calendar.from_ical(calendar_file(years, "sv")).timezones
    own = zone.to_tz(lookup_tzid=False)
    for days in range(0, 6 * 365, 5):
        noon = datetime(2026, 1, 1, 12, tzinfo=LOCAL) + timedelta(days=days)
        assert noon.replace(tzinfo=own).utcoffset() == noon.utcoffset()


@pytest.mark.parametrize("text", ["a, b; c\\d\ne", "å" * 200, "♠♥♦♣ " * 40, "BEGIN:VEVENT\r\nX", 'Rum "3": öst'])
def test_odd_words_come_back_as_they_were(text: str) -> None:
    (entry,) = ics.read(calendar_file([replace(LAST_DAY, title=text, text=text, place=text)], "sv"))
    assert entry.text == text.replace("\r\n", "\n")
    assert entry.title == entry.place == entry.text


def test_the_same_entries_give_the_same_bytes() -> None:
    other = replace(LAST_DAY, key="time-2", at=LAST_DAY.at + timedelta(days=1))
    one, two = ([LAST_DAY, other], [other, LAST_DAY])
    assert calendar_feed(one, "sv", key="feed-1", name="Ärenden") == calendar_feed(
        two, "sv", key="feed-1", name="Ärenden"
    )


def test_a_calendar_to_subscribe_to_says_how_often_it_is_worth_fetching() -> None:
    """C2."""
    content = calendar_feed([], "sv", key="feed-1", name="Bridgeförbundet, ärenden")
    ics.lint(content)
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT12H\r\n" in content
    assert b"X-PUBLISHED-TTL:PT12H\r\n" in content
    assert "X-WR-CALNAME:Bridgeförbundet\\, ärenden\r\n".encode() in content.replace(b"\r\n ", b"")


def test_what_is_called_off_says_so_and_reminds_of_nothing() -> None:
    alarm = LAST_DAY.at - timedelta(days=1)
    (entry,) = ics.read(calendar_file([replace(LAST_DAY, alarm=alarm)], "sv"))
    assert (entry.status, entry.alarm) == ("CONFIRMED", alarm)
    (entry,) = ics.read(calendar_file([replace(LAST_DAY, alarm=alarm, status=CalendarStatus.CANCELLED)], "sv"))
    assert (entry.status, entry.alarm) == ("CANCELLED", None)

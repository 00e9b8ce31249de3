"""Calendar files as a calendar program reads them, by what the file itself says of time zones."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from icalendar import Calendar

NEEDED = ("UID", "DTSTAMP", "LAST-MODIFIED", "DTSTART", "SEQUENCE", "SUMMARY", "DESCRIPTION", "ORGANIZER", "STATUS")
"""Of an entry: RFC 5545 3.6.1 and, for METHOD:PUBLISH and CANCEL, RFC 5546 3.2, with what C1 asks for."""


@dataclass(frozen=True, slots=True)
class Read:
    """An entry of a file. `alarm`: when it reminds."""

    uid: str
    sequence: int
    at: datetime
    title: str
    text: str
    status: str
    place: str
    stamp: datetime
    alarm: datetime | None
    lasts: timedelta | None
    method: str


def read(content: bytes) -> list[Read]:
    """The entries of a file that keeps RFC 5545, in its order."""
    lint(content)
    calendar = Calendar.from_ical(content)
    zones = {str(zone["TZID"]): zone.to_tz(lookup_tzid=False) for zone in calendar.timezones}
    return [_entry(event, zones, str(calendar["METHOD"])) for event in calendar.events]


def lint(content: bytes) -> None:
    """The essentials: line ends, lengths and letters of lines, needed properties, a definition for every zone (C3)."""
    assert content.endswith(b"END:VCALENDAR\r\n")
    lines = content.split(b"\r\n")
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    assert max(map(len, lines)) <= 75
    for line in lines:
        line.decode()  # never cut within a letter
    whole = content.replace(b"\r\n ", b"").decode()
    assert not any(ord(letter) < 32 for letter in whole.replace("\r\n", ""))
    calendar = Calendar.from_ical(content)
    cancels = {str(event["STATUS"]) for event in calendar.events} == {"CANCELLED"}
    assert (calendar["VERSION"], calendar["METHOD"]) in {
        ("2.0", "PUBLISH"),
        ("2.0", "CANCEL" if cancels else "PUBLISH"),
    }
    assert calendar["PRODID"]
    assert calendar.subcomponents
    uids = [event["UID"] for event in calendar.events]
    assert len(uids) == len(set(uids))
    defined = {str(zone["TZID"]) for zone in calendar.timezones}
    for event in calendar.walk():
        assert not event.errors
    for event in calendar.events:
        assert [name for name in NEEDED if name not in event] == []
        assert not {"ATTENDEE", "DTEND"} & set(event)
        assert {event["DTSTART"].params.get("TZID")} - {None} <= defined


def _entry(event: Any, zones: dict[str, Any], method: str) -> Read:
    start = event["DTSTART"]
    zone = zones.get(start.params.get("TZID"), UTC)
    at = start.dt.replace(tzinfo=zone).astimezone(UTC)
    alarms = [at + alarm["TRIGGER"].dt for alarm in event.walk("VALARM")]
    return Read(
        uid=str(event["UID"]),
        sequence=int(event["SEQUENCE"]),
        at=at,
        title=str(event["SUMMARY"]),
        text=str(event["DESCRIPTION"]),
        status=str(event["STATUS"]),
        place=str(event.get("LOCATION", "")),
        stamp=event["DTSTAMP"].dt,
        alarm=alarms[0] if alarms else None,
        lasts=event["DURATION"].dt if "DURATION" in event else None,
        method=method,
    )

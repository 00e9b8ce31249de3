"""Calendar files (RFC 5545): times as entries of a calendar. The same entries give the same bytes.

Nothing in them opens anything: a calendar is copied, shared and looked at over shoulders (S-LINK6).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import lru_cache

from icalendar import TRANSP, Alarm, Calendar, Event, Timezone, vCalAddress, vDuration, vText
from icalendar.enums import STATUS

from casework.adapters.mail import own_domain
from casework.clock import LOCAL
from casework.domain.terms import CalendarStatus
from casework.settings import get_settings

REFRESH = timedelta(hours=12)
"""How often a subscribed calendar is to be fetched (C2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A time in a calendar. A last day is an instant and has no end; `lasts`: how long its owner is to be free.

    `key` is the same for the same time whenever it is moved, `sequence` grows when it is; `changed_at` is when it was
    set. `alarm`: when the calendar is to remind of it.
    """

    key: str
    sequence: int
    changed_at: datetime
    at: datetime
    title: str
    text: str
    place: str = ""
    url: str = ""
    alarm: datetime | None = None
    status: CalendarStatus = CalendarStatus.CONFIRMED
    lasts: timedelta | None = None
    busy: bool = False
    """Whether its owner cannot be anywhere else."""


def calendar_file(entries: Iterable[Entry], language: str) -> bytes:
    """A file with these entries, to be put into a calendar."""
    found = list(entries)
    return _bytes(_frame(language, method_of(found)), found)


def method_of(entries: Sequence[Entry]) -> str:
    """A file that only takes one time away says so (RFC 5546 3.2.5: what is cancelled together has one UID).

    A file has one method. One that brings a time and takes another away brings it (3.2.1), and the other stands in it
    as cancelled: who keeps a day too long is reminded in vain, who does not get one loses his right.
    """
    cancels = len(entries) == 1 and entries[0].status is CalendarStatus.CANCELLED
    return "CANCEL" if cancels else "PUBLISH"


@lru_cache(maxsize=256)
def statuses(mime: bytes) -> Mapping[str, CalendarStatus]:
    """UID → how sure the calendar file of a kept mail says that it is; nothing of a mail without one.

    Remembered, for every later mail to its reader asks again and a kept mail never changes.
    """
    if b"text/calendar" not in mime:
        return {}
    message = message_from_bytes(mime, _class=EmailMessage, policy=policy.default)
    files = [part.get_content() for part in message.iter_attachments() if part.get_content_type() == "text/calendar"]
    events = [event for content in files for event in Calendar.from_ical(content).events]
    return {str(event["UID"]): CalendarStatus(str(event["STATUS"])) for event in events}


def calendar_feed(entries: Iterable[Entry], language: str, *, key: str, name: str) -> bytes:
    """A calendar to subscribe to; `key` tells it from others."""
    calendar = _frame(language, "PUBLISH")
    calendar.uid = uid_of(key)
    for title in ("name", "x-wr-calname"):  # the standard's (RFC 7986) and what programs read
        calendar.add(title, vText(name))
    calendar.add("refresh-interval", vDuration(REFRESH), {"VALUE": "DURATION"})
    calendar.add("x-published-ttl", vDuration(REFRESH))
    return _bytes(calendar, entries)


def _frame(language: str, method: str) -> Calendar:
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", f"-//{get_settings().federation_name}//casework//{language.upper()}")
    calendar.add("method", method)
    return calendar


def _bytes(calendar: Calendar, entries: Iterable[Entry]) -> bytes:
    found = sorted(entries, key=lambda each: (each.at, each.key))
    for entry in found:
        calendar.add_component(_event(entry))
    if found:
        first, last = (entry.at.astimezone(LOCAL).year for entry in (found[0], found[-1]))
        calendar.add_missing_timezones(date(first, 1, 1), date(last + 1, 1, 1))
    else:
        calendar.add_component(Timezone.from_tzid(LOCAL.key))  # Something must stand in a calendar (RFC 5545 3.6).
    return bytes(calendar.to_ical())


def _event(entry: Entry) -> Event:
    settings = get_settings()
    event = Event.new(
        uid=uid_of(entry.key),
        sequence=entry.sequence,
        stamp=entry.changed_at.astimezone(UTC),
        last_modified=entry.changed_at.astimezone(UTC),
        start=_shown(entry.at),
        summary=entry.title,
        description=entry.text,
        location=entry.place or None,
        url=entry.url or None,
        organizer=vCalAddress.new(settings.mail_from, cn=settings.federation_name),
        status=STATUS(entry.status.value),
        transparency=TRANSP.OPAQUE if entry.busy else TRANSP.TRANSPARENT,
    )
    if entry.lasts is not None:
        event.add("duration", vDuration(entry.lasts))
    for alarm in _alarms(entry):
        event.add_component(alarm)
    return event


def _shown(instant: datetime) -> datetime:
    """Swedish time; but in the hour that comes twice a calendar takes Swedish time to be the first (RFC 5545 3.3.5)."""
    local = instant.astimezone(LOCAL).replace(microsecond=0)
    return local.astimezone(UTC) if local.fold else local


def _alarms(entry: Entry) -> Iterator[Alarm]:
    if entry.alarm is not None and entry.status is not CalendarStatus.CANCELLED:
        alarm = Alarm.new(description=entry.title)
        alarm.add("action", "DISPLAY")
        alarm.add("trigger", entry.alarm.astimezone(UTC) - _shown(entry.at).astimezone(UTC))
        yield alarm


def uid_of(key: str) -> str:
    """By what a calendar knows a time again."""
    return f"{key}@{own_domain()}"

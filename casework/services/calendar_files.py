"""A time of a case's page as a file for a calendar: what stands on the page, for the one who reads it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session

from casework.adapters.ics import Entry, calendar_file
from casework.domain.access import Actor, Permission
from casework.domain.errors import Missing
from casework.domain.models import Deadline
from casework.services import calendar_entries
from casework.services.calendar_entries import For
from casework.services.case_choices import choices
from casework.services.case_rows import CaseRows, read_case
from casework.services.case_times import times
from casework.services.standing import standings


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarFile:
    """What is downloaded."""

    name: str
    content: bytes


def last_day_file(
    session: Session, case_id: UUID, deadline_id: UUID, actor: Actor, now: datetime, *, language: str
) -> CalendarFile:
    """A last day that the reader's page shows and that is still ahead. Raises Missing for any other."""
    rows = read_case(session, case_id, actor, now)
    (standing,) = standings(session, [case_id], actor, now)
    first, others = times(rows, standing, choices(rows, standing))
    if not any(time is not None and time.id == deadline_id and time.ahead for time in (first, *others)):
        raise Missing
    deadlines: Mapping[UUID, Deadline] = {row.id: row for row in rows.loaded.deadlines}
    entry = calendar_entries.last_day(
        deadlines[deadline_id],
        rows.loaded.case.number,
        among=deadlines.values(),
        whom=_whom(actor, language),
    )
    return _file(rows, entry, language)


def hearing_file(session: Session, case_id: UUID, actor: Actor, now: datetime, *, language: str) -> CalendarFile:
    """The hearing that the case waits for or has held. Raises Missing where there is none for this reader."""
    rows = read_case(session, case_id, actor, now)
    here = next((p for p in rows.loaded.proceedings if p.id == rows.stands_in), None)
    panel = next((p for p in rows.loaded.panels if p.proceeding_id == rows.stands_in), None)
    if here is None or panel is None or not rows.may(Permission.READ_PAPERS):
        raise Missing
    called = calendar_entries.calls(session, [case_id])
    number = rows.loaded.case.number
    entry = calendar_entries.hearing(panel, here, number, called=called, whom=_whom(actor, language))
    if entry is None:
        raise Missing
    return _file(rows, entry, language)


def _whom(actor: Actor, language: str) -> For:
    return For(language=language, by_link=actor.link is not None)


def _file(rows: CaseRows, entry: Entry, language: str) -> CalendarFile:
    return CalendarFile(name=f"{rows.loaded.case.number}.ics", content=calendar_file([entry], language))

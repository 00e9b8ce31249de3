"""The calendar file of a notice: the last day or the hearing that it announces, or that the hearing is called off."""

from collections.abc import Mapping, Sequence
from typing import Any

from casework.adapters.ics import Entry, calendar_file, method_of
from casework.domain.minutes import has_run
from casework.domain.models import Deadline
from casework.domain.terms import CalendarStatus, NoticeKind
from casework.services import calendar_entries
from casework.services.calendar_entries import For
from casework.services.mail_rows import Rows
from casework.services.mail_times import times_of
from casework.text import Text, t


def calendar_of(rows: Rows, deadline: Deadline | None) -> Mapping[str, Any] | None:
    """`file`, `name` and `words` about it; none where no time is announced. `deadline`: what the notice shows."""
    whom = For(language=rows.notice.language, by_link=rows.notice.link_id is not None)
    entries = _last_days(rows, deadline, whom) if deadline else _hearing(rows, whom)
    if not entries:
        return None
    return {
        "file": calendar_file(entries, whom.language),
        "method": method_of(entries),
        "name": f"{rows.loaded.case.number}.ics",
        "words": _words(rows, entries, of_time=deadline is not None),
    }


def _words(rows: Rows, entries: Sequence[Entry], *, of_time: bool) -> Text:
    if any(entry.status is not CalendarStatus.CANCELLED for entry in entries):
        return _ATTACHED
    if rows.notice.kind is NoticeKind.PANEL_LEFT:
        return _NOT_FOR_YOU
    return _TAKEN_AWAY if of_time else _CALLED_OFF


_ATTACHED = t(
    "The time comes with this mail as a file for your calendar. The calendar can lag behind: the case's page is what "
    "counts."
)
_CALLED_OFF = t("The hearing is called off. The file that comes with this mail says so in your calendar.")
_NOT_FOR_YOU = t("The hearing is held without you. The file that comes with this mail takes it out of your calendar.")
_TAKEN_AWAY = t(
    "The last day that you were told of no longer holds. The file that comes with this mail takes it out of your "
    "calendar."
)


def _last_days(rows: Rows, deadline: Deadline, whom: For) -> list[Entry]:
    """The time that is announced; where times stand still or go on, all of the reader's."""
    found = (_last_day(rows, each, whom) for each in (times_of(rows) or [deadline]))
    return [entry for entry in found if entry is not None]


def _last_day(rows: Rows, deadline: Deadline, whom: For) -> Entry | None:
    number, among = rows.loaded.case.number, rows.loaded.deadlines
    if deadline.halted_at is not None:
        moved = calendar_entries.moves(rows.session, [deadline.case_id])
        return calendar_entries.no_last_day(deadline, number, among=among, moved=moved, whom=whom)
    if deadline.instant is None or deadline.ended is not None or has_run(deadline.instant, rows.sent_at):
        return None
    return calendar_entries.last_day(deadline, number, among=among, whom=whom)


def _hearing(rows: Rows, whom: For) -> list[Entry]:
    if rows.panel is None or not _concerns_hearing(rows):
        return []
    case = rows.loaded.case
    called = calendar_entries.calls(rows.session, [case.id])
    entry = calendar_entries.hearing(rows.panel, rows.loaded.proceeding, case.number, called=called, whom=whom)
    if entry is not None and rows.notice.kind is NoticeKind.PANEL_LEFT:
        times = called[rows.notice.proceeding_id]
        return [calendar_entries.no_hearing(entry, case.number, called=times, left_at=rows.notice.due_at, whom=whom)]
    ends = rows.notice.kind is NoticeKind.APPEAL_WITHDRAWN
    if not ends and has_run(rows.panel.hearing_at, rows.sent_at):
        return []  # nobody is to come any more
    return [] if entry is None or ends != (entry.status is CalendarStatus.CANCELLED) else [entry]


def _concerns_hearing(rows: Rows) -> bool:
    """Only who was called to a hearing is told that it is called off, or that it is nothing of his any more."""
    if rows.notice.kind is NoticeKind.PANEL_LEFT:
        return rows.hearing is not None
    return rows.notice.kind is NoticeKind.SUMMONS or (
        rows.notice.kind is NoticeKind.APPEAL_WITHDRAWN and rows.was_called
    )

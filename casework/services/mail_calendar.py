"""The calendar file of a notice: the last day or the hearing that it announces, or that they no longer hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from casework.adapters.ics import Entry, calendar_file, method_of, uid_of
from casework.domain.minutes import has_run
from casework.domain.models import Deadline
from casework.domain.terms import CalendarStatus, DeadlineEnd, DeadlineKind, NoticeKind, Part
from casework.services import calendar_entries
from casework.services.calendar_entries import For, Needless
from casework.services.mail_rows import Rows
from casework.services.mail_times import times_of
from casework.services.mailed_entries import mailed
from casework.text import Text, sentences, t


def calendar_of(rows: Rows, deadline: Deadline | None) -> Mapping[str, Any] | None:
    """`file`, `name` and `words` about it; none where no time is announced. `deadline`: what the notice shows."""
    whom = For(language=rows.notice.language, by_link=rows.notice.link_id is not None)
    hearing = [] if deadline else [_Said(entry, _of_hearing(rows, entry)) for entry in _hearing(rows, whom)]
    said = [*hearing, *_LastDays(rows, whom).said(deadline)]
    if not said:
        return None
    entries = [each.entry for each in said]
    return {
        "file": calendar_file(entries, whom.language),
        "method": method_of(entries),
        "name": f"{rows.loaded.case.number}.ics",
        "words": _words(said),
    }


@dataclass(frozen=True, slots=True)
class _Said:
    """An entry, and what the mail says of it."""

    entry: Entry
    words: Text


def _words(said: Sequence[_Said]) -> Text:
    """Each thing once: what is taken out, then what is new. Nobody may read that the time just shown does not hold."""
    announces = any(each.words == _ATTACHED for each in said)
    if announces and any(each.entry.status is CalendarStatus.CANCELLED for each in said):
        return _INSTEAD
    gone_first = sorted(said, key=lambda each: each.entry.status is not CalendarStatus.CANCELLED)
    words: list[Text] = []
    for each in gone_first:
        if each.words not in words:
            words.append(each.words)
    return sentences(words)


def _of_hearing(rows: Rows, entry: Entry) -> Text:
    if entry.status is not CalendarStatus.CANCELLED:
        return _ATTACHED
    return _NOT_FOR_YOU if rows.notice.kind is NoticeKind.PANEL_LEFT else _CALLED_OFF


_ATTACHED = t(
    "The time comes with this mail as a file for your calendar. The calendar can lag behind: the case's page is what "
    "counts."
)
_INSTEAD = t(
    "The new time comes with this mail as a file for your calendar, and the file takes out the earlier one. The "
    "calendar can lag behind: the case's page is what counts."
)
_CALLED_OFF = t("The hearing is called off. The file that comes with this mail says so in your calendar.")
_NOT_FOR_YOU = t("The hearing is held without you. The file that comes with this mail takes it out of your calendar.")
_TAKEN_AWAY = t(
    "The last day that you were told of no longer holds. The file that comes with this mail takes it out of your "
    "calendar."
)
_DONE = t(
    "What was to be done in time is done. The file that comes with this mail takes the time out of your calendar."
)


def _again(at: datetime) -> Text:
    return t(
        "If you want to appeal again, do it no later than {at}. That time comes with this mail as a file for your "
        "calendar. The calendar can lag behind: the case's page is what counts.",
        at=at,
    )


@dataclass(frozen=True)
class _LastDays:
    """The last days that a mail brings to a reader's calendar, or takes out of it: only what our mails put in."""

    rows: Rows
    whom: For

    def said(self, announced: Deadline | None) -> Iterator[_Said]:
        """The time that is announced, or all of the reader's that stand still or go on; then what the step ended."""
        shown = (times_of(self.rows) or [announced]) if announced is not None else []
        for deadline in shown:
            if one := self._gone(deadline) or self._holds(deadline):
                yield one
        others = (each for each in self.rows.loaded.deadlines if each not in shown and self._touched(each))
        for deadline in others:
            if one := self._gone(deadline) or self._back(deadline):
                yield one

    def _holds(self, deadline: Deadline) -> _Said | None:
        over = deadline.ended is not None or self._needless(deadline) is not None
        if deadline.instant is None or over or has_run(deadline.instant, self.rows.sent_at):
            return None
        return _Said(self._entry(deadline), _ATTACHED)

    def _entry(self, deadline: Deadline) -> Entry:
        loaded = self.rows.loaded
        return calendar_entries.last_day(deadline, loaded.case.number, among=loaded.deadlines, whom=self.whom)

    def _gone(self, deadline: Deadline) -> _Said | None:
        loaded, needless = self.rows.loaded, self._needless(deadline)
        entry = calendar_entries.no_last_day(
            deadline,
            loaded.case.number,
            among=loaded.deadlines,
            moved=self._moved,
            whom=self.whom,
            needless=needless,
        )
        if entry is None or self._mailed.get(uid_of(entry.key)) is not CalendarStatus.CONFIRMED:
            return None
        return _Said(entry, _DONE if calendar_entries.is_done(deadline, needless) else _TAKEN_AWAY)

    def _back(self, deadline: Deadline) -> _Said | None:
        """Who withdraws in time can appeal again: what our mail took out comes back."""
        held = self._holds(deadline)
        if held is None or self._mailed.get(uid_of(held.entry.key)) is not CalendarStatus.CANCELLED:
            return None
        return _Said(held.entry, _again(held.entry.at))

    def _touched(self, deadline: Deadline) -> bool:
        """Whether the step that the mail tells of ended a time, or made it needless, or needed again."""
        notice = self.rows.notice
        if deadline.ended_at == notice.due_at and deadline.ended in (DeadlineEnd.MET, DeadlineEnd.VOID):
            cause = self.rows.cause  # what the system does at the same moment follows from it, and ends nothing
            return cause is None or cause.part is not Part.SYSTEM
        own = deadline.party_id is not None and deadline.party_id == notice.party_id
        return own and deadline.kind is DeadlineKind.APPEAL_WINDOW and notice.kind in _OF_WINDOWS

    def _needless(self, deadline: Deadline) -> Needless | None:
        if deadline.kind is not DeadlineKind.APPEAL_WINDOW:
            return None
        loaded, notice = self.rows.loaded, self.rows.notice
        decision = loaded.decision(deadline.proceeding_id)
        for appeal in loaded.appeals:
            against = decision is not None and appeal.decision_id == decision.id and appeal.withdrawn_at is None
            if against and appeal.party_id == deadline.party_id:
                return Needless(since=appeal.lodged_at, done=True)
        tried = notice.kind is NoticeKind.DECISION and loaded.proceeding.parent_id == deadline.proceeding_id
        return Needless(since=notice.due_at, done=False) if tried else None

    @cached_property
    def _mailed(self) -> Mapping[str, CalendarStatus]:
        return mailed(self.rows)

    @cached_property
    def _moved(self) -> calendar_entries.Moves:
        return calendar_entries.moves(self.rows.session, [self.rows.notice.case_id])


_OF_WINDOWS = frozenset({NoticeKind.APPEAL_RECEIVED, NoticeKind.APPEAL_WITHDRAWN, NoticeKind.DECISION})
"""What makes a time to appeal needless although it runs, or needed again."""


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

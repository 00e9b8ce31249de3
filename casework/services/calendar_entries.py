"""Last days and hearings as entries of a calendar, alike in a mail, on a page and in a calendar subscribed to.

Whoever glances at a shared calendar learns the number of a case and a time: no name, and not what it is about (C2).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from uuid import UUID, uuid5

from sqlmodel import Session, col, select

from casework.adapters.i18n import render
from casework.adapters.ics import Entry
from casework.clock import LOCAL
from casework.domain.minutes import has_run
from casework.domain.models import Deadline, DeadlineMove, Event, Panel, Proceeding
from casework.domain.terms import ActionName, CalendarStatus, DeadlineEnd, State
from casework.settings import get_settings
from casework.text import Text, t

ALARM = time(9, 0)
"""When, on the day before a last day, a calendar reminds of it: 24 hours before would be at midnight."""
HEARING_LASTS = timedelta(hours=1)
"""How long a calendar keeps its owner free: nobody knows how long a hearing takes, and it takes what it needs."""
LAST_SECOND = time(23, 59, 59)

Instants = Mapping[UUID, Sequence[datetime]]
Moves = Mapping[UUID, Sequence[DeadlineMove]]


@dataclass(frozen=True, slots=True, kw_only=True)
class For:
    """For whom an entry is written. `by_link`: he opens the case by the link in his mail, and has no other way."""

    language: str
    by_link: bool
    shared: bool = False
    """In a calendar subscribed to, which others are often let into: without the place of a hearing, a typed text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needless:
    """Why a time runs on and is nothing to its side: it has appealed (`done`), or the others' appeal is decided."""

    since: datetime
    done: bool


def moves(session: Session, case_ids: Iterable[UUID]) -> Moves:
    """Deadline → how it was moved, or brought to stand still, in order."""
    query = select(DeadlineMove).where(col(DeadlineMove.case_id).in_(list(case_ids)))
    found: dict[UUID, list[DeadlineMove]] = defaultdict(list)
    for move in session.exec(query.order_by(col(DeadlineMove.moved_at))):
        found[move.deadline_id].append(move)
    return found


def calls(session: Session, case_ids: Iterable[UUID]) -> Instants:
    """Proceeding → when its hearing was called, again and again, or held by others than were called, in order."""
    actions = (ActionName.CALL_HEARING, ActionName.COMPOSE_PANEL)
    query = select(Event.proceeding_id, Event.at, Event.action).where(
        col(Event.case_id).in_(list(case_ids)), col(Event.action).in_(actions)
    )
    found: dict[UUID, list[datetime]] = {}
    for place, at, action in session.exec(query.order_by(col(Event.at), col(Event.seq))):
        if place is not None and (action == ActionName.CALL_HEARING or place in found):
            found.setdefault(place, []).append(at)
    return found


def last_day(deadline: Deadline, number: str, *, among: Iterable[Deadline], whom: For) -> Entry:
    """A deadline that runs. `among`: all of its case, so that a prolonged time is the same entry, moved.

    Raises:
        ValueError: its time has not started.
    """
    if deadline.instant is None:
        raise ValueError("A deadline without an instant is in no calendar.")
    changed_at = _changed_at(deadline)
    alarm = _day_before(deadline.instant)
    return Entry(
        key=_key(deadline),
        sequence=_sequence(deadline, among),
        changed_at=changed_at,
        at=deadline.instant,
        title=render(_ending(deadline.instant, number), whom.language),
        text=_text(deadline.case_id, t("What is to be done by then stands on the case's page."), whom),
        url=_url(deadline.case_id, whom),
        alarm=alarm if alarm > changed_at else None,
    )


def no_last_day(
    deadline: Deadline,
    number: str,
    *,
    among: Iterable[Deadline],
    moved: Moves,
    whom: For,
    needless: Needless | None = None,
) -> Entry | None:
    """What takes a last day out of a calendar; none where there was none, where it holds, or where it has run out.

    It goes when its time stands still, ends before it has run out, or runs on and is `needless` to its side.
    """
    told = deadline.instant or next((m.instant for m in reversed(moved.get(deadline.id, ())) if m.instant), None)
    gone = _gone(deadline, needless)
    since = deadline.ended_at or (needless.since if needless else None)
    if told is None or gone is None or (since is not None and has_run(told, since)):
        return None
    title, text = gone
    return Entry(
        key=_key(deadline),
        sequence=_sequence(deadline, among),
        changed_at=_changed_at(deadline),
        at=told,
        title=render(Text(title.msgid, {"number": number}), whom.language),
        text=_text(deadline.case_id, text, whom),
        url=_url(deadline.case_id, whom),
        status=CalendarStatus.CANCELLED,
    )


def is_done(deadline: Deadline, needless: Needless | None = None) -> bool:
    """Whether a last day goes because what it was for is done."""
    return deadline.ended is DeadlineEnd.MET or (deadline.ended is None and needless is not None and needless.done)


def _gone(deadline: Deadline, needless: Needless | None) -> tuple[Text, Text] | None:
    """Title and text of what takes it out."""
    if is_done(deadline, needless):
        return t("Done, {number}"), t("What was to be done in time is done.")
    if deadline.ended is DeadlineEnd.VOID or (deadline.ended is None and needless is not None):
        return t("The last day no longer holds, {number}"), NO_LONGER
    if deadline.ended is None and deadline.halted_at is not None:
        return t("The time stands still, {number}"), NO_LONGER
    return None


NO_LONGER = t("The last day that you were told of no longer holds.")


def _sequence(deadline: Deadline, among: Iterable[Deadline]) -> int:
    """How often its end has changed since it was first told, with what it was prolonged from.

    That it goes out of a calendar is a change, and that it comes back is another (`reckoning`).
    """
    return sum(row.changes for row in among if _key(row) == _key(deadline)) - 1


def _changed_at(deadline: Deadline) -> datetime:
    return deadline.changed_at or deadline.opened_at


def hearing(panel: Panel, proceeding: Proceeding, number: str, *, called: Instants, whom: For) -> Entry | None:
    """A hearing that was called; none where nobody was called.

    Between two calls it is not sure: others try the case, and everybody is called again. With its proceeding it is
    called off. Each of the three is a change of its own.
    """
    times = called.get(proceeding.id, ())
    if panel.hearing_at is None or not times:
        return None
    status = _status(panel, proceeding)
    changed_at = _hearing_changed_at(panel, proceeding, status, times[-1])
    return Entry(
        key=f"hearing-{panel.id}",
        sequence=_hearing_sequence(times, status),
        changed_at=changed_at,
        at=panel.hearing_at,
        title=render(_title(status, number), whom.language),
        text=_text(proceeding.case_id, t("What it is about stands on the case's page."), whom),
        place="" if whom.shared else panel.hearing_place,
        url=_url(proceeding.case_id, whom),
        status=status,
        busy=status is not CalendarStatus.CANCELLED,
        lasts=HEARING_LASTS,
        alarm=_before_hearing(panel.hearing_at, changed_at),
    )


def no_hearing(entry: Entry, number: str, *, called: Sequence[datetime], left_at: datetime, whom: For) -> Entry:
    """What takes a hearing out of the calendar of who left the panel: the others go on without him."""
    return replace(
        entry,
        sequence=_hearing_sequence(called, CalendarStatus.CANCELLED),
        changed_at=left_at,
        title=render(t("Hearing, no longer for you, {number}", number=number), whom.language),
        text=render(t("You no longer sit in the jury."), whom.language),
        url="",
        status=CalendarStatus.CANCELLED,
        busy=False,
    )


def _hearing_sequence(times: Sequence[datetime], status: CalendarStatus) -> int:
    return len(CalendarStatus) * (len(times) - 1) + list(CalendarStatus).index(status)


def _before_hearing(at: datetime, changed_at: datetime) -> datetime | None:
    """The day before; who is called later than that is reminded an hour before, or ten minutes."""
    moments = (_day_before(at), at - timedelta(hours=1), at - timedelta(minutes=10))
    return next((moment for moment in moments if moment > changed_at), None)


def _hearing_changed_at(panel: Panel, proceeding: Proceeding, status: CalendarStatus, called_at: datetime) -> datetime:
    changes = {CalendarStatus.CANCELLED: proceeding.ended_at, CalendarStatus.TENTATIVE: panel.unsure_since}
    return changes.get(status) or called_at


def _title(status: CalendarStatus, number: str) -> Text:
    if status is CalendarStatus.CANCELLED:
        return t("Hearing called off, {number}", number=number)
    if status is CalendarStatus.TENTATIVE:
        return t("Hearing, not sure, {number}", number=number)
    return t("Hearing, {number}", number=number)


def _status(panel: Panel, proceeding: Proceeding) -> CalendarStatus:
    if proceeding.state is State.WRITTEN_OFF and panel.opened_at is None:
        return CalendarStatus.CANCELLED
    return CalendarStatus.CONFIRMED if panel.parties_called_at is not None else CalendarStatus.TENTATIVE


def _key(deadline: Deadline) -> str:
    """The same for a time and for what it was prolonged to; nothing in it tells what the time is for."""
    what = f"{deadline.kind}:{deadline.demand_id or deadline.appeal_id or deadline.party_id}"
    return f"time-{uuid5(deadline.proceeding_id, what)}"


def _ending(instant: datetime, number: str) -> Text:
    """Minutes, and the time that somebody was given, end within a day."""
    if instant.astimezone(LOCAL).time() < LAST_SECOND:
        return t("The time runs out, {number}", number=number)
    return t("Last day, {number}", number=number)


def _day_before(instant: datetime) -> datetime:
    day = instant.astimezone(LOCAL).date() - timedelta(days=1)
    return datetime.combine(day, ALARM, LOCAL)


def _text(case_id: UUID, words: Text, whom: For) -> str:
    way = (
        t("You open it by the link in the mail about the case.")
        if whom.by_link
        else t("You find it here: {url}", url=_url(case_id, whom))
    )
    lines = (t("{what} {way}", what=words, way=way), LAGS)
    return "\n".join(render(line, whom.language) for line in lines)


LAGS = t("The calendar can lag behind: the case's page is what counts.")


def _url(case_id: UUID, whom: For) -> str:
    return "" if whom.by_link else f"{get_settings().public_base_url.rstrip('/')}/arenden/{case_id}"

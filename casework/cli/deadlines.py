"""Deadlines on the command line: one reckoned, all counted again, and what a rule version closed."""

import json
import sys
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from casework import clock
from casework.adapters import database, i18n
from casework.domain.calendar import Pause, Span
from casework.domain.errors import Invalid
from casework.services import recalculating
from casework.services.reckoning import reckoned
from casework.services.reckoning import rule_version as in_use
from casework.text import Text, t

LANGUAGE = "en"
FIRST_YEAR = 2000
"""No case is older; what days were off before is not looked up."""


def reckon(base: str, rule: str, language: str, *, more: Sequence[str] = (), paused: Sequence[str] = ()) -> int:
    """Print as JSON when a time ends, and why: the same reckoning as page, mail and PDF have.

    `more`: spans given on top, in their order; `paused`: intervals not counted, each "FROM/TO" as ISO instants.
    """
    at = _instant(base)
    pauses = [_pause(interval) for interval in paused]
    spans = [Span.read(span) for span in more]
    found = reckoned(at, Span.read(rule), t("Counted from {at}", at=at), more=spans, pauses=pauses)
    answer = {
        "unrolled": found.unrolled and found.unrolled.isoformat(),
        "last_day": found.last_day and found.last_day.isoformat(),
        "instant": found.instant.isoformat().replace("+00:00", "Z"),
        "explanation": i18n.render(found.explanation, language),
    }
    print(json.dumps(answer, ensure_ascii=False, indent=2))
    return 0


def recalculate(*, dry_run: bool) -> int:
    """Move what runs to where today's days off put it, and list every case that it moved."""
    with database.uow() as session:
        found = recalculating.outdated(session)
    moved = 0
    for one in found:
        done = not one.kept and (dry_run or _recalculated(one.deadline_id))
        moved += done
        said = ("would move" if dry_run else "moved") if done else "stays, as somebody has been told of the later day"
        whose = f", {_words(one.party)}" if one.party is not None else ""
        print(f"{one.number}  {_words(one.kind)}{whose}: {_day(one.old)} -> {_day(one.new.instant)}  {said}")
    print(f"{moved} of {len(found)} times {'would be' if dry_run else 'are'} moved.")
    return 0


@database.retrying
def _recalculated(deadline_id: UUID) -> bool:
    with database.uow(write=True) as session:
        return recalculating.recalculate(session, deadline_id, clock.now())


def rule_version(version: str | None) -> int:
    """List the rule versions, or the windows to appeal that one of them closed; 1 if there is no such version."""
    with database.uow() as session:
        known = recalculating.versions(session)
        closed = recalculating.closed_by(session, version) if version else []
    if version is None:
        for name, count, windows in known:
            mark = "  (in use)" if name == in_use() else ""
            print(f"{name}  {count} times, {windows} windows to appeal have run out{mark}")
        return 0
    if version not in {name for name, _, _ in known}:
        print(f"No time was reckoned by {version}. Known: {', '.join(name for name, _, _ in known)}", file=sys.stderr)
        return 1
    for one in closed:
        base = one.base.isoformat() if one.base else ""
        print(f"{one.number}  {_words(one.kind)}: from {base} until {_day(one.instant)}")
    print(f"{len(closed)} windows to appeal ran out by {version}.")
    return 0


def _day(instant: datetime | None) -> str:
    return i18n.format_instant(instant, LANGUAGE) if instant else "(not begun)"


def _words(text: Text) -> str:
    return i18n.render(text, LANGUAGE)


def _pause(text: str) -> Pause:
    """An interval, "2027-03-14T00:00+01:00/2027-03-21T00:00+01:00"."""
    begins, _, ends = text.partition("/")
    first, last = _instant(begins), _instant(ends)
    if first >= last:
        raise Invalid({"paused": t("It must end after it begins.")})
    return Pause(first, last)


def _instant(text: str) -> datetime:
    """An instant with its offset: without one, the night when the clock goes back has two of each time."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise Invalid({"base": t('"{text}" is no instant. Write date, time and offset from UTC, for example '
                                 '"2027-03-12T14:05+01:00".', text=text)})  # fmt: skip
    if at.year < FIRST_YEAR:
        raise Invalid({"base": t("Times are counted from the year {year} on.", year=FIRST_YEAR)})
    return at

"""How long a deadline runs: by its rule, by what it was given on top, and without what it stood still."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from casework.domain.calendar import Pause, Span, reckon, reckon_given
from casework.domain.terms import Body, DeadlineEnd, DeadlineKind, ProceedingKind
from casework.domain.workflow.facts import DeadlineFacts, Facts, ProceedingFacts
from casework.text import t
from tests.domain.workflow.taken import Taken

ZONE = ZoneInfo("Europe/Stockholm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Time(DeadlineFacts):
    """A deadline with what is kept of it beside what the procedure sees."""

    pauses: tuple[Pause, ...] = ()
    halted_at: datetime | None = None
    given: tuple[datetime, datetime] | None = None
    """When more time was given, and until when."""


def times(facts: Facts) -> tuple[Time, ...]:
    """All deadlines of the case."""
    return tuple(each for each in facts.deadlines if isinstance(each, Time))


def setting_of(kind: DeadlineKind, owner: ProceedingFacts) -> str:
    """Which setting a deadline of a kind is reckoned by."""
    if kind is DeadlineKind.APPEAL_WINDOW:
        return "appeal_window" if owner.kind is ProceedingKind.RULING else "jury_to_lk"
    return {
        DeadlineKind.FORWARD_APPEAL: "forward_appeal",
        DeadlineKind.REPORT: "report_and_demands",
        DeadlineKind.STATEMENT: "statement",
        DeadlineKind.ANSWER: "answer",
        DeadlineKind.SEND_IN: "papers_sent_in",
        DeadlineKind.DECISION: "jury_decides" if owner.body is Body.JURY else "lk_decides",
    }[kind]


def span_of(time: DeadlineFacts, facts: Facts) -> Span:
    """How long a deadline is by its rule."""
    owner = next(p for p in facts.proceedings if p.id == time.proceeding_id)
    return facts.profile.span(setting_of(time.kind, owner))


def reckoned(time: Time, facts: Facts) -> Time:
    """With its end as everything now stands; without one while it has not begun or stands still."""
    if time.halted or (time.base is None and time.given is None):
        return replace(time, instant=None)
    span, so = span_of(time, facts), t("So")
    itself = reckon(time.base, span, because=so, zone=ZONE, holidays=(), pauses=time.pauses) if time.base else None
    if time.given is None:
        assert itself is not None
        return replace(time, instant=itself.instant)
    since, until = time.given
    longer = reckon_given(until, since=since, by_itself=itself, span=span, zone=ZONE, holidays=(), pauses=time.pauses)
    return replace(time, instant=longer.instant)


def rebased(time: Time, base: datetime | None, facts: Facts, now: datetime) -> Time:
    """From another start. What had run out from an earlier one runs again, if there is time left; no end is cut."""
    moved = reckoned(replace(time, base=base), facts)
    if moved.instant is None:
        return moved if time.halted else replace(moved, ended=None)
    if time.instant is not None and moved.instant < time.instant and now < time.instant:
        return time
    return replace(moved, ended=None if moved.instant > now else moved.ended)


def prolong(taken: Taken, facts: Facts) -> Facts:
    """A new time takes the old one's place, until a moment that counts what was to stand still."""
    old = next(d for d in times(facts) if d.id == taken.subject)
    now, until = taken.ask.now, taken.data["until"]
    stood = tuple(Pause(pause.begins, min(pause.ends, now)) for pause in old.pauses if pause.begins < now)
    fresh = replace(old, id=taken.fresh(), ended=None, instant=until, given=(now, until), pauses=stood)
    kept = tuple(replace(d, ended=DeadlineEnd.MOVED) if d is old else d for d in facts.deadlines)
    return replace(facts, deadlines=(*kept, fresh))


def suspend(taken: Taken, facts: Facts) -> Facts:
    """The chosen times stand still: for an interval, or until they are let go on."""
    begins, ends = taken.data["begins"], taken.data["ends"]
    change: dict[str, Any] = {"halted": True, "halted_at": begins}

    def stopped(time: Time) -> Time:
        return replace(time, **change if ends is None else {"pauses": (*time.pauses, Pause(begins, ends))})

    return _changed(facts, taken.data["deadline_ids"], stopped)


def standing_as(earlier: Time | None, time: Time) -> Time:
    """What takes the place of a time that stands still does so as long."""
    if earlier is None:
        return time
    return replace(time, pauses=earlier.pauses, halted=earlier.halted, halted_at=earlier.halted_at)


def lift(taken: Taken, facts: Facts) -> Facts:
    """What stands still in the proceeding goes on."""
    here = {d.id for d in times(facts) if d.halted and d.proceeding_id == taken.before.this.id and d.ended is None}

    def going_on(time: Time) -> Time:
        assert time.halted_at is not None
        stood = (Pause(time.halted_at, taken.ask.now),) if time.halted_at < taken.ask.now else ()
        return replace(time, halted=False, halted_at=None, pauses=(*time.pauses, *stood))

    return _changed(facts, here, going_on)


def _changed(facts: Facts, which: Collection[UUID], change: Callable[[Time], Time]) -> Facts:
    deadlines = tuple(reckoned(change(d), facts) if d.id in which else d for d in times(facts))
    return replace(facts, deadlines=deadlines)

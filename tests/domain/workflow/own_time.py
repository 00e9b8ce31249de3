"""A party's own time is whole: what it stood still is not counted, what it was given is kept.

Written from the rules (C10, R30, R32) and from what was done, not from how the procedure reckons.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from uuid import UUID

from casework.domain.calendar import Unit
from casework.domain.terms import ActionName, DeadlineEnd, DeadlineKind, DemandEnd, NoticeKind, State
from casework.domain.workflow.facts import Facts
from tests.domain.workflow.build import Case
from tests.domain.workflow.seen import SEEN
from tests.domain.workflow.taken import Taken
from tests.domain.workflow.times import ZONE, Time, span_of, times

OWN = {DeadlineKind.APPEAL_WINDOW, DeadlineKind.STATEMENT, DeadlineKind.ANSWER}
IN_DATES = {Unit.days: 1, Unit.weeks: 7}
Interval = tuple[datetime, datetime | None]
"""From when to when a time stood still; None: it still does."""


def standstills(time: Time, case: Case, *, since_given: bool = False) -> list[Interval]:
    """What the body and the office have let this time stand still, as far as the steps tell.

    `since_given`: since its end was given as a moment, which counts what was to come.
    """
    mine, found = {time.id} if since_given else set(_line(time, case.facts)), list[Interval]()
    for taken in case.history:
        name = taken.changes.action.name
        if name is ActionName.SUSPEND_TIMES and mine & taken.data["deadline_ids"]:
            found.append((taken.data["begins"], taken.data["ends"]))
        if name is ActionName.LIFT_SUSPENSION and taken.before.this.id == time.proceeding_id:
            found = [(begins, ends or taken.ask.now) for begins, ends in found]
    return [(begins, ends) for begins, ends in found if begins != ends]


def _line(time: Time, facts: Facts) -> Iterator[UUID]:
    """A time and those whose place it took: what is prolonged, and a question that was asked anew."""
    renewed = {demand.id for demand in facts.demands if demand.ended is DemandEnd.RENEWED}
    same = [d for d in times(facts) if _of(d) == _of(time)]
    before = same[: [d.id for d in same].index(time.id)]
    yield time.id
    for earlier in reversed(before):
        if earlier.ended is not DeadlineEnd.MOVED and earlier.demand_id not in renewed:
            return
        yield earlier.id


def _of(time: Time) -> tuple[UUID, DeadlineKind, UUID | None]:
    return time.proceeding_id, time.kind, time.party_id


def was_whole(time: Time, case: Case) -> None:
    """It ran as long as its rule says, or until what was given, and nothing that it stood still was counted."""
    stood, end = standstills(time, case), time.instant
    assert end is not None
    assert not time.halted
    assert all(ends is not None for _, ends in stood), "a time ran out while it stood still"
    assert not any(begins <= end < ends for begins, ends in stood if ends), "a time ended while it stood still"
    closed = [(begins, ends) for begins, ends in stood if ends]
    since_given = [(begins, ends) for begins, ends in standstills(time, case, since_given=True) if ends]
    SEEN[f"{'demand' if time.demand_id else 'window'} that had stood still ran out"] += bool(closed)
    SEEN["given time ran out"] += time.given is not None
    if time.given is not None:
        since, until = time.given
        assert end - since - _overlap(since_given, since, end) >= until - since or _ends_by_rule(time, closed, case)
    else:
        assert _ends_by_rule(time, closed, case), f"cut short: {time} stood still {closed}"


def _ends_by_rule(time: Time, stood: list[tuple[datetime, datetime]], case: Case) -> bool:
    span, base, end = span_of(time, case.facts), time.base, time.instant
    assert end is not None
    if base is None:
        return False
    if span.unit.exact:
        return end - base - _overlap(stood, base, end) >= timedelta(**{span.unit.value: span.value})
    first, last = base.astimezone(ZONE).date() + timedelta(days=1), end.astimezone(ZONE).date()
    dates = {first + timedelta(days=n) for n in range((last - first).days + 1)}
    touched = {
        day for day in dates for begins, ends in stood
        if begins.astimezone(ZONE).date() <= day <= (ends - timedelta(microseconds=1)).astimezone(ZONE).date()
    }  # fmt: skip
    return len(dates - touched) >= span.value * IN_DATES[span.unit] and last not in touched


def _overlap(stood: list[tuple[datetime, datetime]], start: datetime, end: datetime) -> timedelta:
    """How much of an interval stood still, each moment of it once."""
    total, counted_to = timedelta(0), start
    for begins, ends in sorted(stood):
        first, last = max(begins, counted_to), min(ends, end)
        if first < last:
            total, counted_to = total + (last - first), last
    return total


def check_own_time(taken: Taken, case: Case) -> None:
    """What stands still is ended by its own party, with what it is for, or goes over to what takes its place."""
    before = {d.id: d for d in times(taken.before)}
    for deadline_id, end in taken.changes.endings:
        ended = before[deadline_id]
        if not ended.halted:
            continue
        SEEN[f"stood still and was {end}"] += 1
        assert end is not DeadlineEnd.EXPIRED
        if end is DeadlineEnd.MET:
            assert taken.ask.party_id == ended.party_id
        elif taken.changes.to not in (State.TRIED, State.WRITTEN_OFF):
            _stands_still_on(ended, taken, case)
    if check := _CHECKS.get(taken.changes.action.name):
        check(taken, case)


def _stands_still_on(ended: Time, taken: Taken, case: Case) -> None:
    """Asked anew, a party whose time stands still is not made to run; and what is left out needs no answer."""
    if taken.changes.action.name is ActionName.LEAVE_OUT:
        return
    successor = [d for d in times(case.facts) if _of(d) == _of(ended)][-1]
    SEEN["asked anew while its time stood still"] += 1
    assert successor.id != ended.id
    assert successor.halted, "its time stood still, and runs since another has added something"


def _suspended(taken: Taken, case: Case) -> None:
    """Only parties' own times that had not ended, for a stated reason, within bounds; everybody is told."""
    before = {d.id: d for d in times(taken.before)}
    chosen, begins, ends = (taken.data[name] for name in ("deadline_ids", "begins", "ends"))
    now, furthest = taken.ask.now, timedelta(days=60)
    SEEN["stands still until it is let go on" if ends is None else "stands still for an interval"] += 1
    assert chosen
    assert str(taken.data["because"]).strip()
    assert abs(begins - now) <= furthest
    assert begins <= now if ends is None else begins < ends <= begins + furthest
    for time in (before[each] for each in chosen):
        assert time.proceeding_id == taken.before.this.id
        assert time.kind in OWN
        assert time.ended is None
        assert time.instant is None or time.instant > max(begins, now), "what has run out does not begin again"
    _all_are_told(taken, NoticeKind.TIME_SUSPENDED)


def _lifted(taken: Taken, case: Case) -> None:
    """Something stood still, and nothing in this proceeding does any longer; what it had left it has.

    It has nothing left only where a start that was recorded meanwhile shows that it had run out before.
    """
    was = {d.id: d for d in times(taken.before) if d.halted and not d.ended and d.proceeding_id == taken.before.this.id}
    assert was
    for time in (d for d in times(case.facts) if d.id in was):
        assert not time.halted
        if time.instant is not None and time.instant <= taken.ask.now:
            stood_since = was[time.id].halted_at
            assert stood_since is not None
            assert time.instant <= stood_since, "it goes on with nothing left"
    _all_are_told(taken, NoticeKind.TIME_RESUMED)


def _all_are_told(taken: Taken, kind: NoticeKind) -> None:
    members = {member.person_id for party in taken.before.parties for member in party.members}
    told = {telling.person_id for telling in taken.changes.tellings if telling.kind is kind}
    assert members <= told
    assert taken.before.this.director_id in {None, *told}


def _prolonged(taken: Taken, case: Case) -> None:
    """Later than before and than now, for a stated reason; the old time is kept beside it."""
    old = next(d for d in times(taken.before) if d.id == taken.subject)
    assert str(taken.data["because"]).strip()
    assert old.instant is not None
    assert taken.data["until"] > max(old.instant, taken.ask.now)
    kept = next(d for d in times(case.facts) if d.id == old.id)
    assert (kept.ended, kept.instant) == (DeadlineEnd.MOVED, old.instant)


_CHECKS: dict[ActionName, Callable[[Taken, Case], None]] = {
    ActionName.SUSPEND_TIMES: _suspended,
    ActionName.LIFT_SUSPENSION: _lifted,
    ActionName.PROLONG_WINDOW: _prolonged,
}


def nobody_stands_still(taken: Taken, facts: Facts, case: Case) -> None:
    """No decision while a party's time here stands still, nor one for good while its time to appeal the same does."""
    appealing = {a.party_id for a in facts.appeals if a.proceeding_id == facts.this.id and not a.withdrawn}
    tried = next((p.id for p in facts.proceedings if p.decision_id == facts.this.tries_id is not None), None)
    SEEN["decided after a time had stood still"] += any(standstills(d, case) for d in times(facts))
    for time in times(facts):
        if time.ended is not None or time.party_id is None:
            continue
        assert time.proceeding_id != facts.this.id, "a party's time runs here"
        if taken.changes.to is State.FINAL and time.proceeding_id == tried and time.party_id not in appealing:
            assert not time.halted, "decided for good while a party's time to appeal the same stands still"
            assert not any(b <= taken.ask.now < (e or b) for b, e in standstills(time, case)), "as it does for a while"


class Ends:
    """The ends that the times of a case have had: none comes earlier while it runs."""

    def __init__(self) -> None:
        self._known: dict[UUID, datetime] = {}

    def check(self, case: Case) -> None:
        """After each step."""
        for time in times(case.facts):
            if time.halted and time.ended is None:
                assert time.instant is None, "what stands still has no end"
            if time.instant is None or time.ended is not None:
                continue
            assert time.instant >= self._known.get(time.id, time.instant), f"{time.kind} ends earlier than it did"
            self._known[time.id] = time.instant

"""Letting the parties' times stand still and go on again: what it would move is shown before it is done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlmodel import Session

from casework.adapters.holidays import DAYS_OFF
from casework.clock import LOCAL
from casework.domain.access import Actor
from casework.domain.calendar import Span, Unit, is_working_day
from casework.domain.errors import Invalid
from casework.domain.labels import contestant, label
from casework.domain.models import Deadline
from casework.domain.shown import Piece, Shown
from casework.domain.terms import ActionName
from casework.domain.workflow.bases import base_is
from casework.domain.workflow.facts import Ask
from casework.domain.workflow.suspending import can_stand_still, chosen_objection, interval_objection, stand_still
from casework.domain.workflow.table import Base
from casework.services import moved_times, timers
from casework.services.engine import confirmed, take
from casework.services.loading import Loaded
from casework.services.reckoning import (
    as_if,
    halt,
    not_yet,
    note_change,
    pauses_of,
    reckoned_for,
    stands_still,
    write_move,
)
from casework.services.reckoning import because as because_of
from casework.services.snapshot import snapshot
from casework.services.step import FormInstance, Step
from casework.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Standstill:
    """A time that may stand still: whose, and when it ends as it is and as it would."""

    deadline_id: UUID
    party: Text
    kind: Text
    old: datetime | None
    new: datetime | None = None
    """None: it has no end, before it begins or while it stands still."""
    explanation: Text

    @property
    def stays(self) -> bool:
        """Whether it ends as it would have ended anyway."""
        return self.old is not None and self.old == self.new


def choices(loaded: Loaded) -> list[Standstill]:
    """The times of the proceeding that may be suspended, as they are."""
    rows = {row.id: row for row in loaded.deadlines}
    return [_shown(loaded, rows[each.id], rows[each.id]) for each in can_stand_still(snapshot(loaded))]


def standing_still(loaded: Loaded) -> list[Standstill]:
    """The times of the proceeding that stand still until they are let go on."""
    rows = {row.id: row for row in loaded.deadlines}
    return [_shown(loaded, rows[each.id], rows[each.id]) for each in stand_still(snapshot(loaded))]


def preview(
    loaded: Loaded, deadline_ids: Sequence[UUID], begins: datetime, ends: datetime | None, now: datetime
) -> list[Standstill]:
    """Every chosen time as it is and as it would be.

    Raises:
        Invalid: (`ends`, `deadlines`) with what the procedure says against it.
    """
    data = {"deadline_ids": frozenset(deadline_ids), "begins": begins, "ends": ends}
    facts, ask = snapshot(loaded), Ask(person_id=None, parts=frozenset(), now=now, data=data)
    found = {"ends": interval_objection(facts, ask), "deadlines": chosen_objection(facts, ask)}
    if said := {field: reason for field, reason in found.items() if reason is not None}:
        raise Invalid(said)
    chosen = (row for row in loaded.deadlines if row.id in deadline_ids)
    return [_shown(loaded, row, _suspended(loaded, row, begins, ends)) for row in chosen]


def preview_lifting(loaded: Loaded, now: datetime) -> list[Standstill]:
    """When the times that stand still would end if they were let go on now."""
    rows = [row for row in loaded.deadlines if row.id in {each.id for each in stand_still(snapshot(loaded))}]
    return [_shown(loaded, row, _gone_on(loaded, row, now)) for row in rows]


def shown_times(times: Sequence[Standstill]) -> Shown:
    """A page that shows these. Of times that go on: as they stand still, for where they end moves with the clock."""
    return Shown({Piece.TIMES: {each.deadline_id: each for each in times}})


def suspend_times(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    deadline_ids: Sequence[UUID],
    begins: datetime,
    ends: datetime | None,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Let parties' times stand still, from `begins` to `ends` or until it is lifted; the old ends are kept.

    Raises:
        NotAllowed: the interval is none, or a time has ended, runs out before it or stands still already.
        Conflict: it would move the times otherwise than the check page showed.
    """
    loaded = confirmed(
        session, proceeding_id, form, lambda _, case: shown_times(preview(case, deadline_ids, begins, ends, now))
    )

    def write(step: Step) -> None:
        for row in step.loaded.deadlines:
            if row.id in deadline_ids:
                _write(step, row, begins, ends)

    recorded = {
        "deadlines": sorted(map(str, deadline_ids)),
        "begins": begins.isoformat(),
        "ends": ends.isoformat() if ends else "",
        "moved": [_entry(loaded, row, begins, ends, now) for row in loaded.deadlines if row.id in deadline_ids],
    }
    return take(
        session,
        loaded,
        ActionName.SUSPEND_TIMES,
        actor,
        now=now,
        data={
            "deadline_ids": frozenset(deadline_ids),
            "begins": begins,
            "ends": ends,
            "because": because,
            "recorded": recorded,
        },
        form=form,
        write=write,
    )


def lift_suspension(
    session: Session, proceeding_id: UUID, actor: Actor, *, now: datetime, form: FormInstance | None = None
) -> Step:
    """Let every time of the proceeding that stands still go on from now.

    Raises:
        NotAllowed: none stands still.
        Conflict: others stand still than the page showed.
    """
    loaded = confirmed(session, proceeding_id, form, lambda _, case: shown_times(standing_still(case)))

    def write(step: Step) -> None:
        for row in step.loaded.deadlines:
            if row.id in waiting:
                _move(step, row, _gone_on(step.loaded, row, step.now), ActionName.LIFT_SUSPENSION)

    waiting = {each.id for each in stand_still(snapshot(loaded))}
    rows = [row for row in loaded.deadlines if row.id in waiting]
    recorded = {
        "deadlines": sorted(str(row.id) for row in rows),
        "moved": [moved_times.entry(row, _gone_on(loaded, row, now).instant) for row in rows],
    }
    return take(
        session,
        loaded,
        ActionName.LIFT_SUSPENSION,
        actor,
        now=now,
        data={"recorded": recorded},
        form=form,
        write=write,
    )


def _write(step: Step, row: Deadline, begins: datetime, ends: datetime | None) -> None:
    if ends is None:
        halt(step.session, row, begins, now=step.now)
        step.session.add(row)
        timers.plan(step.session, row, step.facts.profile, step.now, fresh=False)
    else:
        _move(step, row, _suspended(step.loaded, row, begins, ends), ActionName.SUSPEND_TIMES)


def _move(step: Step, row: Deadline, to: Deadline, action: ActionName) -> None:
    row.pauses, row.halted_at = to.pauses, to.halted_at
    if to.instant is None:
        row.explanation = to.explanation
        note_change(row, step.now)
    else:
        new = reckoned_for(row, row.base, _clause(step.loaded, row))
        write_move(step.session, row, new, action=action, now=step.now)
    step.session.add(row)
    timers.plan(step.session, row, step.facts.profile, step.now, fresh=False)


def _suspended(loaded: Loaded, row: Deadline, begins: datetime, ends: datetime | None) -> Deadline:
    """A deadline as it would be: a new row in memory."""
    if ends is None:
        return as_if(row, halted_at=begins, instant=None, explanation=stands_still(begins))
    longer = as_if(row, pauses=[*row.pauses, [begins.isoformat(), ends.isoformat()]])
    return _reckoned(loaded, longer)


def _gone_on(loaded: Loaded, row: Deadline, now: datetime) -> Deadline:
    since = row.halted_at
    pauses = [*row.pauses, [since.isoformat(), now.isoformat()]] if since is not None and since < now else row.pauses
    return _reckoned(loaded, as_if(row, pauses=pauses, halted_at=None))


def _reckoned(loaded: Loaded, row: Deadline) -> Deadline:
    if row.base is None and row.given_until is None:
        return as_if(row, explanation=not_yet(_base_is(loaded, row)))
    ends = reckoned_for(row, row.base, _clause(loaded, row))
    return as_if(
        row, instant=ends.instant, last_day=ends.last_day, unrolled=ends.unrolled, explanation=ends.explanation
    )


def _entry(loaded: Loaded, row: Deadline, begins: datetime, ends: datetime | None, now: datetime) -> dict[str, str]:
    """A time as the history keeps it, if it may stand still from `begins` to `ends`: the procedure is asked after."""
    if ends is None:
        return moved_times.entry(row, None, _left(loaded, row, begins, now))
    return moved_times.entry(row, _suspended(loaded, row, begins, ends).instant if begins < ends else None)


def _left(loaded: Loaded, row: Deadline, begins: datetime, now: datetime) -> Sequence[Span]:
    """How much is left when it goes on, as if it did now: the day of that is not counted, nor what stands still ahead.

    Nothing of what has not begun, or has less than a minute.
    """
    if row.instant is None:
        return ()
    now = max(now, begins + timedelta(microseconds=1))  # it stands still a while, so the day of that is touched
    ends = _gone_on(loaded, as_if(row, halted_at=begins), now)
    if ends.instant is None or ends.unrolled is None:
        return _exactly(ends.instant - now) if ends.instant else ()
    unit = Unit(row.span_unit) if row.span_unit == Unit.working_days else Unit.days
    ahead = {day for pause in pauses_of(row) for day in pause.days(LOCAL)}
    today = now.astimezone(LOCAL).date()
    days = [today + timedelta(days=number) for number in range(1, (ends.unrolled - today).days + 1)]
    counted = [day for day in days if day not in ahead and (unit is Unit.days or is_working_day(day, DAYS_OFF))]
    return (Span(len(counted), unit),) if counted else ()


def _exactly(remains: timedelta) -> tuple[Span, ...]:
    """To the minute."""
    hours, minutes = divmod(int(remains / timedelta(minutes=1)), 60)
    days, hours = divmod(hours, 24)
    counted = ((days, Unit.days), (hours, Unit.hours), (minutes, Unit.minutes))
    return tuple(Span(number, unit) for number, unit in counted if number)


def _clause(loaded: Loaded, row: Deadline) -> Text:
    return because_of(row, row.base or row.opened_at, _base_is(loaded, row), loaded.playing_session.published_at)


def _base_is(loaded: Loaded, row: Deadline) -> Base:
    facts = snapshot(loaded)
    return base_is(next(each for each in facts.deadlines if each.id == row.id), facts)


def _shown(loaded: Loaded, row: Deadline, to: Deadline) -> Standstill:
    party = next(p for p in loaded.parties if p.id == row.party_id)
    return Standstill(
        deadline_id=row.id,
        party=contestant(loaded.tournament.form, party.number, party.name),
        kind=label(row.kind),
        old=row.instant,
        new=to.instant,
        explanation=to.explanation,
    )

"""More time to appeal for a side, and whether it can be given, said before it is."""

from datetime import date, datetime
from uuid import UUID

from sqlmodel import Session

from casework.domain.access import Actor
from casework.domain.calendar import Reckoning, Span, Unit
from casework.domain.errors import Invalid
from casework.domain.models import Deadline
from casework.domain.shown import Piece, Shown
from casework.domain.terms import ActionName, DeadlineEnd
from casework.domain.workflow.bases import base_is
from casework.domain.workflow.facts import Ask
from casework.domain.workflow.guards import longer_than_before
from casework.services import moved_times
from casework.services.appeal_rights import window_of
from casework.services.engine import confirmed, take
from casework.services.lateness import propose_again
from casework.services.loading import Loaded
from casework.services.reckoning import because as because_of
from casework.services.reckoning import give, reckoned_for, rule_version
from casework.services.reopening import reopen
from casework.services.snapshot import snapshot
from casework.services.step import FormInstance, Step
from casework.text import Text

More = Span | datetime | date
"""What is given: so much longer, or until a moment, or until a day has ended."""

_KEPT = set(
    "case_id proceeding_id kind party_id base told_base span_value span_unit source pauses given_until given_day "
    "given_over more explanation".split()
)
"""What a prolonged time has of the old one."""


def prolonged(loaded: Loaded, deadline: Deadline, more: More, now: datetime) -> tuple[Deadline, Reckoning]:
    """A time that runs, with more: a new row, and when it ends. The old reckoning stays in its words.

    A span is counted on from the unrolled last day and moved once at the end; a day is moved as every last day is.

    Raises:
        Invalid: (`more`) minutes or hours more on a last day; (`base`) past the last date of the calendar.
    """
    counts_on = isinstance(more, Span)
    since = deadline.opened_at if counts_on and deadline.given_until else now
    longer = Deadline.model_validate({name: getattr(deadline, name) for name in _KEPT} | {"opened_at": since})
    if isinstance(more, Span):
        longer.more = [*deadline.more, f"{more.value} {more.unit}"]
    else:
        give(longer, more, now)
    facts = snapshot(loaded)
    here = next(d for d in facts.deadlines if d.id == deadline.id)
    why = base_is(here, facts)
    clause = because_of(deadline, deadline.base or deadline.opened_at, why, loaded.playing_session.published_at)
    return longer, reckoned_for(longer, deadline.base, clause)


def units(deadline: Deadline) -> list[Unit]:
    """In what more time can be given: a last day is moved by days, a moment by anything, its own unit first."""
    rule = Unit(deadline.span_unit)
    possible = [unit for unit in Unit if deadline.last_day is None or not unit.exact]
    return sorted(possible, key=lambda unit: (unit is not rule, possible.index(unit)))


def preview(loaded: Loaded, deadline: Deadline, given: More, now: datetime) -> tuple[datetime, Text]:
    """When the time would end, and how that is reckoned; Invalid for what cannot be given."""
    if deadline.instant is None:
        refuse_prolonging(loaded, deadline, until=now, now=now, field=_field(given))
    _, ends = prolonged(loaded, deadline, given, now)
    refuse_prolonging(loaded, deadline, until=ends.instant, now=now, field=_field(given))
    return ends.instant, ends.explanation


def _field(given: More) -> str:
    if isinstance(given, Span):
        return "number"
    return "until" if isinstance(given, datetime) else "day"


def shown_ends(window: Deadline, ends: tuple[datetime, Text]) -> Shown:
    """The check page: a party's time as it is and as it would be, with how that is reckoned."""
    return Shown({Piece.TIMES: [window.id, window.instant, ends]})


def _ends_now(loaded: Loaded, party_id: UUID, given: More, now: datetime) -> Shown:
    """The same, gathered as the page gathers it."""
    window = window_of(loaded, party_id)
    return shown_ends(window, preview(loaded, window, given, now)) if window else Shown({Piece.TIMES: None})


def refuse_prolonging(
    loaded: Loaded, deadline: Deadline, *, until: datetime, now: datetime, field: str = "until"
) -> None:
    """Say at the field what the guard says of the whole step: raise Invalid for a time that cannot be given."""
    ask = Ask(
        person_id=None,
        parts=frozenset(),
        now=now,
        data={"until": until},
        subject_id=deadline.id,
        party_id=deadline.party_id,
    )
    if reason := longer_than_before(snapshot(loaded), ask):
        raise Invalid({field: reason})


def prolong_window(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    deadline_id: UUID,
    party_id: UUID,
    until: More,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Give a party more time to appeal, by a span, to a moment or a day; the old time stays in the history.

    Raises:
        Invalid: a span of minutes or hours on a last day.
        NotAllowed: the new time is not later than the old one or than now, or too far off.
        Conflict: the old or the new time is not as the check page showed it.
    """
    loaded = confirmed(session, proceeding_id, form, lambda _, case: _ends_now(case, party_id, until, now))
    old = next((d for d in loaded.deadlines if d.id == deadline_id), None)
    end = prolonged(loaded, old, until, now)[1].instant if old is not None and old.instant else None
    recorded = {"moved": [moved_times.entry(old, end)]} if old is not None else {}

    def write(step: Step) -> None:
        old = next(d for d in step.loaded.deadlines if d.id == deadline_id)
        fresh, ends = prolonged(loaded, old, until, step.now)
        fresh.unrolled, fresh.last_day, fresh.instant = ends.unrolled, ends.last_day, ends.instant
        fresh.explanation, fresh.rule_version = ends.explanation, rule_version()
        fresh.prolonged_because, fresh.changes, fresh.changed_at = because.strip(), 1, step.now
        old.ended, old.ended_at = DeadlineEnd.MOVED, step.now
        session.add_all([old, fresh])
        step.loaded.deadlines.append(fresh)
        propose_again(step)

    step = take(
        session,
        loaded,
        ActionName.PROLONG_WINDOW,
        actor,
        now=now,
        data={"until": end, "because": because, "recorded": recorded},
        subject_id=deadline_id,
        party_id=party_id,
        form=form,
        write=write,
    )
    reopen(session, step.loaded, now)
    return step

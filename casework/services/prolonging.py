"""More time to appeal for a side, and whether it can be given, said before it is."""

from datetime import datetime
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
from casework.services.appeal_rights import window_of
from casework.services.engine import confirmed, take
from casework.services.lateness import propose_again
from casework.services.loading import Loaded
from casework.services.reckoning import because as because_of
from casework.services.reckoning import give, reckoned_for, rule_version
from casework.services.reopening import reopen
from casework.services.snapshot import snapshot
from casework.services.step import FormInstance, Step
from casework.text import Text, t

_KEPT = set(
    "case_id proceeding_id kind party_id base told_base span_value span_unit source rule_version pauses".split()
)
"""What a prolonged time has of the old one."""


def ends_with(loaded: Loaded, deadline: Deadline, more: Span) -> Reckoning:
    """When a time that runs would end with `more`, counted on from its unrolled last day and moved once at the end.

    Raises:
        Invalid: (`more`) minutes or hours more on a last day; (`base`) past the last date of the calendar.
    """
    longer = Deadline.model_validate(deadline.model_dump() | {"more": [*deadline.more, _written(more)]})
    facts = snapshot(loaded)
    here = next(d for d in facts.deadlines if d.id == deadline.id)
    why = base_is(here, facts)
    clause = because_of(deadline, deadline.base or deadline.opened_at, why, loaded.playing_session.published_at)
    return reckoned_for(longer, deadline.base, clause)


def units(deadline: Deadline) -> list[Unit]:
    """In what more time can be given: a last day is moved by days, a moment by anything, its own unit first."""
    rule = Unit(deadline.span_unit)
    possible = [unit for unit in Unit if deadline.last_day is None or not unit.exact]
    return sorted(possible, key=lambda unit: (unit is not rule, possible.index(unit)))


def preview(loaded: Loaded, deadline: Deadline, given: Span | datetime, now: datetime) -> tuple[datetime, Text | None]:
    """When the time would end, and how that is reckoned where it is counted; Invalid for what cannot be given."""
    counted = ends_with(loaded, deadline, given) if isinstance(given, Span) and deadline.instant else None
    until = counted.instant if counted else given if isinstance(given, datetime) else now
    refuse_prolonging(loaded, deadline, until=until, now=now, field="number" if counted else "until")
    return until, counted.explanation if counted else None


def shown_ends(window: Deadline, ends: tuple[datetime, Text | None]) -> Shown:
    """The check page: a party's time as it is and as it would be, with how that is reckoned."""
    return Shown({Piece.TIMES: [window.id, window.instant, ends]})


def _ends_now(loaded: Loaded, party_id: UUID, given: Span | datetime, now: datetime) -> Shown:
    """The same, gathered as the page gathers it."""
    window = window_of(loaded, party_id)
    return shown_ends(window, preview(loaded, window, given, now)) if window else Shown({Piece.TIMES: None})


def _written(span: Span) -> str:
    return f"{span.value} {span.unit}"


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
    until: datetime | Span,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Give a party more time to appeal, to a moment or by a span; the old time stays in the history.

    Raises:
        Invalid: a span of minutes or hours on a last day.
        NotAllowed: the new time is not later than the old one or than now, or too far off.
        Conflict: the old or the new time is not as the check page showed it.
    """
    loaded = confirmed(session, proceeding_id, form, lambda _, case: _ends_now(case, party_id, until, now))
    old = next((d for d in loaded.deadlines if d.id == deadline_id), None)
    counted = ends_with(loaded, old, until) if isinstance(until, Span) and old is not None and old.instant else None
    end = counted.instant if counted else until if isinstance(until, datetime) else None

    def write(step: Step) -> None:
        old = next(d for d in step.loaded.deadlines if d.id == deadline_id)
        times: dict[str, object] = {"opened_at": step.now, "prolonged_because": because.strip()}
        times |= {"changes": 1, "changed_at": step.now}
        if counted is not None and isinstance(until, Span):
            given = {"given_until": old.given_until, "opened_at": old.opened_at} if old.given_until else {}
            times |= {name: getattr(counted, name) for name in ("unrolled", "last_day", "instant", "explanation")}
            times |= given | {"more": [*old.more, _written(until)], "rule_version": rule_version()}
        elif isinstance(until, datetime):
            more = t("More time was given, until {until}.", until=until)
            times |= {"instant": until, "explanation": more}
        fresh = Deadline.model_validate(old.model_dump(include=_KEPT) | times)
        if isinstance(until, datetime):
            give(fresh, until, step.now)
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
        data={"until": end, "because": because},
        subject_id=deadline_id,
        party_id=party_id,
        form=form,
        write=write,
    )
    reopen(session, step.loaded, now)
    return step

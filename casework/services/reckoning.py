"""Deadlines as rows: opened, moved and ended by a step, each with its reckoning in words."""

from collections.abc import Sequence
from datetime import date, datetime
from uuid import UUID

from sqlmodel import Session

from casework.adapters.holidays import DAYS_OFF, calendar_version
from casework.clock import LOCAL
from casework.domain.calendar import RULE_VERSION, Pause, Reckoning, Span, Unit, end_of, reckon, reckon_given
from casework.domain.minutes import has_run
from casework.domain.models import Deadline, DeadlineMove
from casework.domain.rules.procedure import ProcedureProfile
from casework.domain.terms import ActionName, DeadlineEnd, DeadlineKind
from casework.domain.workflow.table import Base, Opening, Rebase
from casework.services import timers
from casework.services.lateness import propose_again
from casework.services.step import Step
from casework.text import Text, t


def reckoned(
    base: datetime, span: Span, because: Text, *, more: Sequence[Span] = (), pauses: Sequence[Pause] = ()
) -> Reckoning:
    """When a time ends, where the federation is: page, mail, PDF, JSON and command line all ask here."""
    return reckon(base, span, because=because, zone=LOCAL, holidays=DAYS_OFF, more=more, pauses=pauses)


def pauses_of(deadline: Deadline) -> list[Pause]:
    """The intervals in which a deadline stood or will stand still."""
    return [Pause(*map(datetime.fromisoformat, interval)) for interval in deadline.pauses]


def span_of(deadline: Deadline) -> Span:
    """How long a deadline is by its rule, without what has been given on top."""
    return Span(deadline.span_value, Unit(deadline.span_unit))


def reckoned_for(deadline: Deadline, base: datetime | None, because: Text) -> Reckoning:
    """When a deadline ends that runs from `base`, with what has been given on top and without what is not counted.

    ValueError where neither its start nor an end that somebody gave is known.
    """
    span, pauses = span_of(deadline), pauses_of(deadline)
    more = [Span.read(text) for text in deadline.more]
    if deadline.given_until is None:
        if base is None:
            raise ValueError("this time has not begun")
        return reckoned(base, span, because, more=more, pauses=pauses)
    return reckon_given(
        deadline.given_day or deadline.given_until,
        since=deadline.opened_at,
        by_itself=reckoned(base, span, because, pauses=pauses) if base is not None else None,
        span=span,
        zone=LOCAL,
        holidays=DAYS_OFF,
        over=deadline.given_over,
        more=more,
        pauses=pauses,
    )


def as_if(row: Deadline, **values: object) -> Deadline:
    """A deadline as it would be: a new row in memory, its words whole."""
    return Deadline.model_validate({name: getattr(row, name) for name in Deadline.model_fields} | values)


def apply(step: Step) -> None:
    """Open, move and end the deadlines that a step changes."""
    rows = {deadline.id: deadline for deadline in step.loaded.deadlines}
    profile = ProcedureProfile.from_json(step.loaded.case.profile)
    _note_needless(step)
    for deadline_id, end in step.changes.endings:
        rows[deadline_id].ended, rows[deadline_id].ended_at = end, step.now
        if end is not DeadlineEnd.EXPIRED:
            note_change(rows[deadline_id], step.now)
        step.session.add(rows[deadline_id])
    for opening in step.changes.openings:
        deadline = _opened(step, opening, profile)
        if opening.instead_of is not None:
            _stand_still_as(rows[opening.instead_of], deadline)
        step.session.add(deadline)
        step.loaded.deadlines.append(deadline)
        timers.plan(step.session, deadline, profile, step.now, fresh=True)
    for rebase in step.changes.rebases:
        _move(rows[rebase.deadline_id], rebase, step)
        step.session.add(rows[rebase.deadline_id])
        timers.plan(step.session, rows[rebase.deadline_id], profile, step.now, fresh=False)
    if step.changes.rebases:
        propose_again(step)


def _note_needless(step: Step) -> None:
    """A time to appeal that runs on, and that its side needs no more, or needs again: a calendar is told of each (C1).

    Who has appealed needs it no more until he withdraws; whoever has not appealed what has been tried, not either.
    """
    name, above = step.changes.action.name, step.proceeding.parent_id
    place = {
        ActionName.LODGE_APPEAL: step.proceeding.id,
        ActionName.WITHDRAW_APPEAL: above,
        ActionName.DECIDE_APPEAL: above,
    }.get(name)
    for row in step.loaded.deadlines:
        concerned = name is ActionName.DECIDE_APPEAL or row.party_id == step.party_id
        here = row.proceeding_id == place and row.kind is DeadlineKind.APPEAL_WINDOW
        if here and concerned and row.ended is None and row.changes:
            note_change(row, step.now)
            step.session.add(row)


def _move(deadline: Deadline, rebase: Rebase, step: Step) -> None:
    """A start that becomes known, or is corrected, moves a deadline; what somebody has been given is never cut.

    A time that had run out from an earlier start runs again. One that stands still is reckoned when it is let go on.
    """
    if deadline.halted_at is not None:
        deadline.base = rebase.base
        return
    if rebase.base is None:
        _lose_base(deadline, rebase.base_is, step.now)
        return
    new = reckoned_from(deadline, rebase.base, rebase.base_is, step.loaded.playing_session.published_at)
    if shortens(deadline, new.instant, step.now):
        return
    given = deadline.instant if deadline.prolonged_because else None
    if given is not None and given > new.instant:
        deadline.base = rebase.base
        return
    write_move(step.session, deadline, new, action=step.changes.action.name, now=step.now)
    if not has_run(new.instant, step.now):
        deadline.ended = deadline.ended_at = None


def _lose_base(deadline: Deadline, base_is: Base, now: datetime) -> None:
    """Its start is no longer proven: it has not begun. An end that somebody was given stands by itself."""
    deadline.base = deadline.unrolled = deadline.last_day = None
    if not deadline.prolonged_because:
        deadline.instant, deadline.explanation = None, not_yet(base_is)
        deadline.ended = deadline.ended_at = None
        note_change(deadline, now)
    elif deadline.given_until is None and deadline.instant is not None:
        give(deadline, deadline.instant, now)


def give(deadline: Deadline, until: datetime | date, now: datetime) -> None:
    """Let a deadline end at a moment or on a day: what was given before, and was to stand still, is counted in it."""
    past = [pause for pause in pauses_of(deadline) if pause.begins < now]
    deadline.pauses = [[pause.begins.isoformat(), min(pause.ends, now).isoformat()] for pause in past]
    moment = isinstance(until, datetime)
    deadline.given_until = until if isinstance(until, datetime) else end_of(until, LOCAL)
    deadline.given_day, deadline.given_over = None if moment else until, deadline.explanation
    deadline.opened_at, deadline.more = now, []


def instant_from(deadline: Deadline, base: datetime, given: datetime | None) -> datetime:
    """When a deadline ends that runs from `base`; more time that somebody was `given` is never cut."""
    ends = reckoned_for(deadline, base, not_yet(Base.NOW)).instant
    return max(ends, given) if given is not None and deadline.prolonged_because else ends


def shortens(deadline: Deadline, new: datetime, now: datetime) -> bool:
    """Whether a time that still runs would end earlier: then it stays as it has been told."""
    return deadline.instant is not None and new < deadline.instant and not has_run(deadline.instant, now)


def note_kept(deadline: Deadline, right: datetime) -> None:
    """Say with a deadline that its start has been put right to an earlier moment, and that its end stands."""
    words = deadline.explanation
    before = words.params["before"] if words.msgid == _KEPT.msgid else words
    deadline.explanation = Text(_KEPT.msgid, {"before": before, "at": right})


_KEPT = t(
    "{before} This has been put right to {at}, but the later time stands, as the side has been told it and may rely on "
    "it."
)


def halt(session: Session, deadline: Deadline, since: datetime, *, now: datetime) -> None:
    """Let a deadline stand still until it is lifted: it has no end meanwhile. How it stood before is kept."""
    _keep(session, deadline, None, action=ActionName.SUSPEND_TIMES, now=now)
    deadline.halted_at = since
    deadline.unrolled = deadline.last_day = deadline.instant = None
    deadline.explanation = stands_still(since)
    note_change(deadline, now)


def stands_still(since: datetime) -> Text:
    """What a deadline says that has no end until it is let go on."""
    return t(
        "The time stands still since {since}, and nothing can run out. When this is lifted it goes on with what was "
        "left of it.",
        since=since,
    )


def write_move(session: Session, deadline: Deadline, new: Reckoning, *, action: ActionName, now: datetime) -> None:
    """Let a deadline run anew; how it stood before is kept."""
    _keep(session, deadline, new.instant, action=action, now=now)
    _set(deadline, new, now)


def _keep(session: Session, deadline: Deadline, to: datetime | None, *, action: ActionName, now: datetime) -> None:
    if deadline.instant is not None and deadline.instant != to:
        session.add(
            DeadlineMove(
                case_id=deadline.case_id,
                deadline_id=deadline.id,
                moved_at=now,
                action=action,
                base=deadline.base,
                last_day=deadline.last_day,
                instant=deadline.instant,
                explanation=deadline.explanation,
                rule_version=deadline.rule_version,
                new_instant=to,
            )
        )


def note_change(deadline: Deadline, now: datetime) -> None:
    """The end of a deadline is another one from now: what has been told of it before is older."""
    deadline.changes, deadline.changed_at = deadline.changes + 1, now


def _set(deadline: Deadline, reckoning: Reckoning, now: datetime) -> None:
    as_named = deadline.base is None and deadline.told_base is not None and deadline.told_base == reckoning.base
    if reckoning.instant != deadline.instant and not as_named:
        note_change(deadline, now)
    deadline.base = reckoning.base
    deadline.unrolled = reckoning.unrolled
    deadline.last_day = reckoning.last_day
    deadline.instant = reckoning.instant
    deadline.explanation = reckoning.explanation
    deadline.rule_version = rule_version()


def rule_version() -> str:
    """By what a deadline is reckoned now: our arithmetic, and the days off."""
    return f"{RULE_VERSION}/{calendar_version()}"


def _opened(step: Step, opening: Opening, profile: ProcedureProfile) -> Deadline:
    span = profile.span(opening.setting)
    setting = profile.values[opening.setting]
    proceeding = step.child if opening.in_child and step.child is not None else step.proceeding
    deadline = Deadline(
        case_id=step.loaded.case.id,
        proceeding_id=proceeding.id,
        kind=opening.kind,
        party_id=opening.party_id or _party_of_demand(step, opening),
        demand_id=opening.demand_id,
        appeal_id=opening.appeal_id,
        span_value=span.value,
        span_unit=span.unit,
        source=setting.rule,
        confirmed=setting.confirmed,
        explanation=not_yet(opening.base_is),
        opened_at=step.now,
    )
    if opening.base is not None:
        published = step.loaded.playing_session.published_at
        _set(deadline, reckoned_from(deadline, opening.base, opening.base_is, published), step.now)
    return deadline


def _stand_still_as(earlier: Deadline, deadline: Deadline) -> None:
    """What takes the place of a time that stands still, or is to, does so as long: nobody is made to run by another."""
    deadline.pauses, deadline.halted_at = earlier.pauses, earlier.halted_at
    if earlier.halted_at is not None:
        deadline.explanation = stands_still(earlier.halted_at)


def _party_of_demand(step: Step, opening: Opening) -> UUID | None:
    demands: dict[UUID, UUID] = step.data.get("demands", {})
    return next((party for party, demand in demands.items() if demand == opening.demand_id), None)


def reckoned_from(deadline: Deadline, base: datetime, base_is: Base, published_at: datetime | None) -> Reckoning:
    """When a deadline ends that runs from `base`, in the words of its kind."""
    return reckoned_for(deadline, base, because(deadline, base, base_is, published_at))


def not_yet(base_is: Base) -> Text:
    """What a deadline says while its start event has not happened."""
    match base_is:
        case Base.PUBLICATION_AND_PROOF:
            return t(
                "The time starts when the official score has been made available and you have been told the ruling."
            )
        case Base.PROOF_OF_DECISION:
            return t("The time starts when the decision has reached you.")
        case _:
            return t("The time starts when the question has reached you.")


def because(deadline: Deadline, base: datetime, base_is: Base, published_at: datetime | None) -> Text:
    """What happened at the start of a deadline, as a clause."""
    if base_is is Base.PUBLICATION_AND_PROOF and base == published_at:
        return t("The official score was made available {at}", at=base)
    if base == deadline.told_base:
        return t("The message counts as received {at}", at=base)
    words = _FROM_NOW[deadline.kind] if base_is is Base.NOW else _FROM_PROOF[base_is]
    return Text(words.msgid, {"at": base})


_FROM_PROOF = {
    Base.PUBLICATION_AND_PROOF: t("The ruling was told {at}"),
    Base.PROOF_OF_DECISION: t("The decision arrived {at}"),
    Base.PROOF_OF_DEMAND: t("The question arrived {at}"),
}
_FROM_NOW = {
    DeadlineKind.FORWARD_APPEAL: t("The appeal was received {at}"),
    DeadlineKind.REPORT: t("The appeal was forwarded {at}"),
    DeadlineKind.SEND_IN: t("The papers became complete {at}"),
    DeadlineKind.DECISION: t("The papers were sent in {at}"),
}

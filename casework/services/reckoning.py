"""Deadlines as rows: opened, moved and ended by a step, each with its reckoning in words."""

from datetime import datetime, timedelta
from uuid import UUID

from casework.adapters.holidays import swedish_holidays
from casework.adapters.outbox import enqueue
from casework.clock import LOCAL
from casework.domain.calendar import Span, Unit, reckon
from casework.domain.models import Deadline
from casework.domain.rules.procedure import ProcedureProfile
from casework.domain.terms import DeadlineKind
from casework.domain.workflow.table import Base, Opening, Rebase
from casework.services.lateness import propose_again
from casework.services.step import Step
from casework.text import Text, t

REMINDER_JOB = "remind"


def apply(step: Step) -> None:
    """Open, move and end the deadlines that a step changes."""
    rows = {deadline.id: deadline for deadline in step.loaded.deadlines}
    profile = ProcedureProfile.from_json(step.loaded.case.profile)
    for deadline_id, end in step.changes.endings:
        rows[deadline_id].ended, rows[deadline_id].ended_at = end, step.now
        step.session.add(rows[deadline_id])
    for opening in step.changes.openings:
        deadline = _opened(step, opening, profile)
        step.session.add(deadline)
        step.loaded.deadlines.append(deadline)
    for rebase in step.changes.rebases:
        _move(rows[rebase.deadline_id], rebase, step)
        step.session.add(rows[rebase.deadline_id])
        _remind(step, rows[rebase.deadline_id], profile)
    if step.changes.rebases:
        propose_again(step)


def _remind(step: Step, deadline: Deadline, profile: ProcedureProfile) -> None:
    """A party that was asked for something is reminded some days before its last day, unless it has answered."""
    if deadline.demand_id is None or deadline.instant is None:
        return
    for days in profile.numbers("reminders"):
        due = deadline.instant - timedelta(days=days)
        if due > step.now:
            enqueue(
                step.session,
                kind=REMINDER_JOB,
                subject_id=deadline.id,
                case_id=deadline.case_id,
                dedupe_key=f"{REMINDER_JOB}:{deadline.id}:{due.isoformat()}",
                due=due,
            )


def _move(deadline: Deadline, rebase: Rebase, step: Step) -> None:
    """A start that becomes known later moves a deadline; if it had run out from an earlier one, it runs again."""
    given, why = deadline.instant, deadline.explanation
    _run_from(deadline, rebase.base, rebase.base_is, step)
    if instant_from(deadline, rebase.base, given) != deadline.instant:
        deadline.instant, deadline.explanation, deadline.last_day, deadline.unrolled = given, why, None, None
    if deadline.instant is not None and deadline.instant > step.now:
        deadline.ended = deadline.ended_at = None


def instant_from(deadline: Deadline, base: datetime, given: datetime | None) -> datetime:
    """When a deadline ends that runs from `base`; more time that somebody was `given` is never cut."""
    span = Span(deadline.span_value, Unit(deadline.span_unit))
    holidays = swedish_holidays(base.year, base.year + 2)
    ends = reckon(base, span, because=not_yet(Base.NOW), zone=LOCAL, holidays=holidays).instant
    return max(ends, given) if given is not None and deadline.prolonged_because else ends


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
        span_value=span.value,
        span_unit=span.unit,
        source=setting.rule,
        confirmed=setting.confirmed,
        explanation=not_yet(opening.base_is),
        opened_at=step.now,
    )
    if opening.base is not None:
        _run_from(deadline, opening.base, opening.base_is, step)
    return deadline


def _party_of_demand(step: Step, opening: Opening) -> UUID | None:
    demands: dict[UUID, UUID] = step.data.get("demands", {})
    return next((party for party, demand in demands.items() if demand == opening.demand_id), None)


def _run_from(deadline: Deadline, base: datetime, base_is: Base, step: Step) -> None:
    reckoning = reckon(
        base,
        Span(deadline.span_value, Unit(deadline.span_unit)),
        because=_because(deadline, base, base_is, step),
        zone=LOCAL,
        holidays=swedish_holidays(base.year, base.year + 2),
    )
    deadline.base = base
    deadline.unrolled = reckoning.unrolled
    deadline.last_day = reckoning.last_day
    deadline.instant = reckoning.instant
    deadline.explanation = reckoning.explanation


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


def _because(deadline: Deadline, base: datetime, base_is: Base, step: Step) -> Text:
    if base_is is Base.PUBLICATION_AND_PROOF and base == step.loaded.playing_session.published_at:
        return t("The official score was made available {at}", at=base)
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

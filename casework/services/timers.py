"""What a deadline brings besides its end: reminders before it, escalation after it. Each is done once, or red (R-DL2).

A step that breaks is tried again at the next sweeps, and is then a person's.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlmodel import Session, col, select

from casework.clock import LOCAL
from casework.domain.calendar import morning
from casework.domain.labels import contestant, label
from casework.domain.models import Case, Deadline, Incident, Party, Timer, Tournament
from casework.domain.rules.procedure import ProcedureProfile
from casework.domain.watch import TimerState
from casework.text import Text, t

MAX_ATTEMPTS = 5
EXPIRE = "expire"
"""The step of a deadline's own end; a timer has it only where the end could not be done."""
REMIND, REMIND_OFFICIAL, ESCALATE = "remind", "remind_official", "escalate"


def plan(session: Session, deadline: Deadline, profile: ProcedureProfile, now: datetime, *, fresh: bool) -> None:
    """Write or move the timers of a deadline that runs; what lay in the past when it began is left out."""
    known = {} if fresh else _timers(session, deadline.id)
    if deadline.halted_at is not None:
        for waiting in (timer for timer in known.values() if timer.state is TimerState.WAITING):
            end(session, waiting, now, TimerState.DONE, t("It was not needed: the time stands still."))
        return
    for step, due in _steps(deadline, profile):
        timer = known.get(step)
        if timer is None and due > now:
            session.add(Timer(case_id=deadline.case_id, deadline_id=deadline.id, step=step, due_at=due))
        elif timer is not None and (due > now or timer.state is TimerState.WAITING):
            timer.due_at, timer.state, timer.done_at = due, TimerState.WAITING, None
            session.add(timer)


def due(session: Session, now: datetime, limit: int = 100) -> list[UUID]:
    """The timers whose time has come, the oldest first, however old."""
    waiting = (Timer.state == TimerState.WAITING, col(Timer.due_at) <= now, Timer.step != EXPIRE)
    return list(session.exec(select(col(Timer.id)).where(*waiting).order_by(col(Timer.due_at)).limit(limit)))


def followed(session: Session, timer: Timer, now: datetime) -> bool:
    """Whether a later step of the same kind is due as well, so that one message says it for both."""
    kind = timer.step.partition(":")[0]
    return any(
        other.state is TimerState.WAITING and timer.due_at < other.due_at <= now
        for step, other in _timers(session, timer.deadline_id).items()
        if step.partition(":")[0] == kind
    )


def failed(session: Session, timer_id: UUID, now: datetime) -> None:
    """A step broke: it is met again, and red after `MAX_ATTEMPTS` tries."""
    timer = session.get(Timer, timer_id, with_for_update=True)
    if timer is not None and timer.state is TimerState.WAITING:
        _count(session, timer, now)


def failed_to_end(session: Session, deadline_id: UUID, now: datetime) -> None:
    """The same for a deadline's own end: when it is red nobody looks at the deadline by himself any more."""
    deadline = session.get(Deadline, deadline_id, with_for_update=True)
    if deadline is None or deadline.instant is None:
        return
    found = _timers(session, deadline_id).get(EXPIRE)
    timer = found or Timer(case_id=deadline.case_id, deadline_id=deadline_id, step=EXPIRE, due_at=deadline.instant)
    if timer.state is not TimerState.WAITING:
        timer.state, timer.attempts, timer.done_at = TimerState.WAITING, 0, None
    _count(session, timer, now)
    if timer.state is TimerState.RED:
        deadline.overdue_at = now
        session.add(deadline)


@dataclass(frozen=True, slots=True, kw_only=True)
class RedStep:
    """A step that a person must look at: what it was, in which case, and why it is red."""

    timer_id: UUID
    case_id: UUID
    number: str
    title: Text
    party: Text | None
    """Whose time it is, where it is a side's."""
    due_at: datetime
    words: Text


def red(session: Session) -> list[RedStep]:
    """The steps that a person must look at, the oldest first."""
    query: Any = (
        select(Timer, Deadline, col(Case.number), Party, col(Tournament.form))  # type: ignore[call-overload]  # five
        .join(Deadline, col(Deadline.id) == col(Timer.deadline_id))
        .join(Case, col(Case.id) == col(Timer.case_id))
        .join(Incident, col(Incident.id) == col(Case.incident_id))
        .join(Tournament, col(Tournament.id) == col(Incident.tournament_id))
        .outerjoin(Party, col(Party.id) == col(Deadline.party_id))
        .where(Timer.state == TimerState.RED)
        .order_by(col(Timer.due_at))
    )
    return [
        RedStep(
            timer_id=timer.id,
            case_id=timer.case_id,
            number=number,
            title=_TITLES[timer.step.partition(":")[0]](label(deadline.kind)),
            party=contestant(form, party.number, party.name) if party is not None else None,
            due_at=timer.due_at,
            words=timer.words or t("The system could not do it, though it tried several times."),
        )
        for timer, deadline, number, party, form in session.exec(query)
    ]


def any_red(session: Session) -> bool:
    """Whether there is a step that a person must look at."""
    return session.exec(select(Timer.id).where(Timer.state == TimerState.RED).limit(1)).first() is not None


_TITLES: dict[str, Callable[[Text], Text]] = {
    EXPIRE: lambda what: t('The time "{what}" has not been ended', what=what),
    REMIND_OFFICIAL: lambda what: t('The reminder of "{what}" has not been sent', what=what),
    REMIND: lambda what: t('The reminder of "{what}" has not been sent', what=what),
    ESCALATE: lambda what: t('Nobody has been told again that the time "{what}" has run out', what=what),
}


def try_again(session: Session, timer_id: UUID) -> None:
    """Let the system try a red step once more at its next sweep."""
    timer = _red(session, timer_id)
    if timer is None:
        return
    timer.state, timer.attempts, timer.done_at, timer.words = TimerState.WAITING, 0, None, None
    if timer.step == EXPIRE:
        deadline = session.get_one(Deadline, timer.deadline_id)
        deadline.overdue_at = None
        session.add(deadline)
    session.add(timer)


def set_aside(session: Session, timer_id: UUID, now: datetime) -> None:
    """A person has seen to a red step himself."""
    timer = _red(session, timer_id)
    if timer is not None:
        end(session, timer, now, TimerState.DONE, t("Somebody of the office has seen to it."))


def _red(session: Session, timer_id: UUID) -> Timer | None:
    timer = session.get(Timer, timer_id, with_for_update=True)
    return timer if timer is not None and timer.state is TimerState.RED else None


def _steps(deadline: Deadline, profile: ProcedureProfile) -> Iterator[tuple[str, datetime]]:
    if deadline.instant is None:
        return
    last_day = deadline.instant.astimezone(LOCAL).date()
    if deadline.demand_id is not None:
        for days in profile.numbers("reminders"):
            yield f"{REMIND}:{days}", morning(last_day - timedelta(days=days), LOCAL)
    elif deadline.overdue_at is None:
        if deadline.party_id is None:
            for days in profile.numbers("official_reminders"):
                yield f"{REMIND_OFFICIAL}:{days}", morning(last_day - timedelta(days=days), LOCAL)
    else:
        for days in profile.numbers("escalation"):
            yield f"{ESCALATE}:{days}", morning(last_day + timedelta(days=days), LOCAL)


def _timers(session: Session, deadline_id: UUID) -> dict[str, Timer]:
    return {timer.step: timer for timer in session.exec(select(Timer).where(Timer.deadline_id == deadline_id))}


def _count(session: Session, timer: Timer, now: datetime) -> None:
    timer.attempts += 1
    session.add(timer)
    if timer.attempts >= MAX_ATTEMPTS:
        end(session, timer, now, TimerState.RED, t("The system could not do it, though it tried several times."))


def end(session: Session, timer: Timer, now: datetime, state: TimerState, words: Text | None = None) -> None:
    """How a timer ended, and why: nothing is said of a step that was simply done."""
    timer.state, timer.done_at, timer.words = state, now, words
    session.add(timer)

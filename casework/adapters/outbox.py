"""The outbox: work that must happen after a commit, as rows. The row is the truth, the broker only rings.

A job is worked in three transactions: claimed with a lease; past the point of no return, if it has one; ended, with
its effect in the same transaction. A process that dies leaves a lease that runs out: before the point of no return
the job is due again, after it nobody knows, and a person must look (`unsure`).
"""

import os
import socket
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from secrets import token_hex
from time import monotonic
from uuid import UUID

from sqlalchemy import ColumnElement, bindparam, or_, update
from sqlmodel import Session, col, select

from casework import logs
from casework.adapters import durations
from casework.adapters.database import BELLS, retrying, uow
from casework.adapters.failpoints import failpoint
from casework.clock import now as clock_now
from casework.domain.models import Interruption, OutboxJob
from casework.domain.operation import WorkKind
from casework.domain.terms import JobState
from casework.settings import get_settings

Clock = Callable[[], datetime]

MAX_ATTEMPTS = 5
"""A job that has broken this many tries fails, so that a poisoned one does not go round for ever (R-CEL3)."""
BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 4 * 60, 12 * 60, 24 * 60))
"""How long a job waits after its first, second … try; the last goes on (R-ONCE3)."""

GOES_OUT = frozenset({"mail"})
"""Kinds of jobs that reach people: they wait while the clock cannot be believed (F25)."""

_NOT_GOING = frozenset({JobState.DUE, JobState.CLAIMED})
_ENDS = frozenset({JobState.DONE, JobState.UNSURE, JobState.BOUNCED, JobState.FAILED, JobState.CALLED_BACK})
_HELD = (JobState.CLAIMED, JobState.SENDING)

# The statements of every job are built once, and of the table: building them takes longer than asking them.
_JOBS = OutboxJob.__table__  # type: ignore[attr-defined]  # SQLModel does not tell of it
_STOPPED = select(Interruption.id).where(col(Interruption.ended_at).is_(None)).exists()
_MAY_GO = or_(_JOBS.c.kind.not_in(GOES_OUT), ~_STOPPED)
"""Whether a job may be done now: what goes out may not while a jump of the clock is not confirmed."""
_CLAIM = (
    update(_JOBS)
    .where(_JOBS.c.id == bindparam("job"), _JOBS.c.state == JobState.DUE, _JOBS.c.next_at <= bindparam("now"), _MAY_GO)
    .values(
        state=JobState.CLAIMED,
        claimed_by=bindparam("token"),
        claimed_until=bindparam("until"),
        attempts=_JOBS.c.attempts + 1,
    )
    .returning(_JOBS.c.kind, _JOBS.c.subject_id, _JOBS.c.case_id, _JOBS.c.attempts)
)
_CHANGE = update(_JOBS).where(
    _JOBS.c.id == bindparam("job"), _JOBS.c.claimed_by == bindparam("token"), _JOBS.c.state.in_(_HELD)
)

log = logs.logger(__name__)


class LeaseLost(Exception):
    """The lease ran out and the job was taken away: this process must leave it alone."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a try ended: an end state, or `DUE` for "later". `record` writes the effect in the job's last transaction.

    `note` is for the log and the row (a reply line, an error's type): never a name, an address or a free text. With
    `again_at` nothing was tried: it is due again then, and the try is not counted.
    """

    state: JobState
    note: str = ""
    record: Callable[[Session], None] | None = None
    again_at: datetime | None = None


@dataclass(slots=True)
class Claim:
    """A job that this process holds until its lease runs out."""

    job_id: UUID
    kind: str
    subject_id: UUID
    case_id: UUID | None
    attempts: int
    clock: Clock
    token: str
    sending: bool = field(default=False, init=False)
    begun: float = field(default_factory=monotonic, init=False)

    def begin_sending(self, record: Callable[[Session], None] | None = None) -> None:
        """The point of no return, committed before the deed, with what `record` writes. Raises LeaseLost."""
        now = self.clock()
        _change(self, record=record, state=JobState.SENDING, claimed_until=_lease(now))
        self.sending = True


def _leave(_session: Session, _subject_id: UUID, _state: JobState, _at: datetime) -> None:
    """Nothing but the job's row needs to know."""


@dataclass(frozen=True, slots=True)
class Handler:
    """What is done for one kind of job.

    `run` works outside any transaction. `abandoned(session, subject_id, state, at)` records that the job ended
    without `run` having had the last word: `UNSURE` or `FAILED`.
    """

    run: Callable[[Claim], Ending]
    abandoned: Callable[[Session, UUID, JobState, datetime], None] = _leave


Handlers = Mapping[str, Handler]


def enqueue(
    session: Session, *, kind: str, subject_id: UUID, case_id: UUID | None, dedupe_key: str, due: datetime
) -> OutboxJob:
    """Add a job to a write unit; it is rung for after the commit unless it is due later.

    `dedupe_key` is kind:subject:recipient:cause; a second job with the same key fails the whole unit.
    """
    now = clock_now()
    job = OutboxJob(
        kind=kind, subject_id=subject_id, case_id=case_id, dedupe_key=dedupe_key, next_at=due, created_at=now
    )
    session.add(job)
    if due <= now:
        session.info.setdefault(BELLS, []).append(job.id)
    return job


def take_back(session: Session, subject_ids: Collection[UUID], now: datetime) -> set[UUID]:
    """Take from the workers what has not passed its point of no return. Returns the subjects whose job was taken."""
    if not subject_ids:
        return set()
    waiting = (col(OutboxJob.subject_id).in_(subject_ids), col(OutboxJob.state).in_(_NOT_GOING))
    taken = update(OutboxJob).where(*waiting).values(state=JobState.CALLED_BACK, done_at=now)
    return set(session.exec(taken.returning(col(OutboxJob.subject_id))).scalars())


def due_jobs(session: Session, now: datetime, limit: int) -> list[UUID]:
    """The ids of jobs that wait for a worker, longest waiting first."""
    due = (col(OutboxJob.state) == JobState.DUE, col(OutboxJob.next_at) <= now, _MAY_GO)
    return _ids(session, due, limit)


def abandoned_jobs(session: Session, now: datetime, limit: int) -> list[UUID]:
    """The ids of jobs whose lease ran out."""
    return _ids(session, (col(OutboxJob.state).in_(_HELD), col(OutboxJob.claimed_until) < now), limit)


def work(job_id: UUID, handlers: Handlers, clock: Clock) -> JobState | None:
    """Claim a job, run its handler and end it. Returns the job's state after, None if it was not ours to do.

    A handler's exception never passes: past the point of no return the job is unsure, before it tried again later.
    """
    claim = _claim(job_id, clock)
    if claim is None:
        return None
    failpoint("after_claim")
    with logs.work(job_id=claim.job_id, job=claim.kind):
        if claim.case_id is not None:
            logs.about(case_id=claim.case_id)
        try:
            return _run(claim, handlers.get(claim.kind, _UNKNOWN))
        except LeaseLost:
            log.warning("lease_lost")
            return None


@retrying
def release(job_id: UUID, handlers: Handlers, now: datetime) -> JobState | None:
    """Take a job from a process that let its lease run out. Returns its state after, None if it was not abandoned."""
    with uow(write=True) as session:
        wanted = select(OutboxJob).where(
            col(OutboxJob.id) == job_id, col(OutboxJob.state).in_(_HELD), col(OutboxJob.claimed_until) < now
        )
        job = session.exec(wanted.with_for_update(skip_locked=True)).first()
        if job is None:
            return None
        if job.state is JobState.SENDING:
            job.state = JobState.UNSURE
        else:
            job.state = JobState.FAILED if job.attempts >= MAX_ATTEMPTS else JobState.DUE
        job.error = "the worker died"
        if job.state is JobState.DUE:
            job.next_at = now
            session.info.setdefault(BELLS, []).append(job.id)
        else:
            job.done_at = now
            handlers.get(job.kind, _UNKNOWN).abandoned(session, job.subject_id, job.state, now)
        log.warning("worker_died", job_id=job.id, job=job.kind, case_id=job.case_id, state=job.state.value)
        return job.state


@retrying
def _claim(job_id: UUID, clock: Clock) -> Claim | None:
    now = clock()
    token = f"{socket.gethostname()[:40]}:{os.getpid()}:{token_hex(8)}"
    ours = {"job": job_id, "now": now, "token": token, "until": _lease(now)}
    with uow(write=True) as session:
        job = session.connection().execute(_CLAIM, ours).one_or_none()
    if job is None:
        return None
    return Claim(
        job_id=job_id,
        kind=job.kind,
        subject_id=job.subject_id,
        case_id=job.case_id,
        attempts=job.attempts,
        clock=clock,
        token=token,
    )


def _run(claim: Claim, handler: Handler) -> JobState:
    try:
        ending = handler.run(claim)
        _finish(claim, ending)
    except LeaseLost:
        raise
    except Exception as error:  # noqa: BLE001  # one broken job never stops the others
        ending = _broken(claim, handler, error)
        _finish(claim, ending)
    return ending.state


def _finish(claim: Claim, ending: Ending) -> None:
    now, took = claim.clock(), monotonic() - claim.begun
    note = ending.note[:500]

    def record(session: Session) -> None:
        if ending.record is not None:
            ending.record(session)
        durations.count(session, WorkKind.JOB, claim.kind, took)

    if ending.state in _ENDS:
        _change(claim, record=record, state=ending.state, error=note, done_at=now)
    elif ending.again_at is not None:
        _change(claim, state=JobState.DUE, error=note, next_at=ending.again_at, attempts=claim.attempts - 1)
        return
    else:
        later = now + BACKOFF[min(claim.attempts, len(BACKOFF)) - 1]
        _change(claim, record=record, state=JobState.DUE, error=note, next_at=later)
    said = log.info if ending.state is JobState.DONE else log.warning
    said("job", state=ending.state.value, attempt=claim.attempts, ms=round(took * 1000))


@retrying
def _change(claim: Claim, *, record: Callable[[Session], None] | None = None, **values: object) -> None:
    """Change the row while it is ours, with the effect in the same transaction. Raises LeaseLost.

    A lease that ran out is still ours until `release` or another claim has changed the row.
    """
    with uow(write=True) as session:
        changed = session.connection().execute(_CHANGE, {"job": claim.job_id, "token": claim.token, **values})
        if changed.rowcount != 1:
            raise LeaseLost
        if record is not None:
            record(session)


def _broken(claim: Claim, handler: Handler, error: Exception) -> Ending:
    log.error("job_broke", exc_info=error)
    note = type(error).__name__
    if not claim.sending and claim.attempts < MAX_ATTEMPTS:
        return Ending(JobState.DUE, note)
    state = JobState.UNSURE if claim.sending else JobState.FAILED
    at = claim.clock()
    return Ending(state, note, lambda session: handler.abandoned(session, claim.subject_id, state, at))


def _unknown(_claim: Claim) -> Ending:
    """A newer release's job, met by an older worker: somebody else will know it."""
    return Ending(JobState.DUE, "unknown kind")


_UNKNOWN = Handler(_unknown)


def _ids(session: Session, conditions: tuple[ColumnElement[bool], ...], limit: int) -> list[UUID]:
    return list(session.exec(select(OutboxJob.id).where(*conditions).order_by(col(OutboxJob.next_at)).limit(limit)))


def _lease(now: datetime) -> datetime:
    return now + timedelta(seconds=get_settings().lease_seconds)

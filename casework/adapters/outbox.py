"""The outbox: work that must happen after a commit, as rows. The row is the truth, the broker only rings.

A job is worked in three transactions: claimed with a lease; past the point of no return, if it has one; ended, with
its effect in the same transaction. A process that dies leaves a lease that runs out: before the point of no return
the job is due again, after it nobody knows, and a person must look (`unsure`).
"""

import logging
import os
import socket
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from secrets import token_hex
from uuid import UUID

from sqlalchemy import ColumnElement, or_
from sqlmodel import Session, col, select, update

from casework.adapters.database import BELLS, retrying, uow
from casework.adapters.failpoints import failpoint
from casework.clock import now as clock_now
from casework.domain.models import Interruption, OutboxJob
from casework.domain.terms import JobState
from casework.settings import get_settings

Clock = Callable[[], datetime]

MAX_ATTEMPTS = 5
"""A job that has broken this many tries fails, so that a poisoned one does not go round for ever (R-CEL3)."""
BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 4 * 60, 12 * 60, 24 * 60))
"""How long a job waits after its first, second … try; the last goes on (R-ONCE3)."""

GOES_OUT = frozenset({"mail"})
"""Kinds of jobs that reach people: they wait while the clock cannot be believed (F25)."""

_ENDS = frozenset({JobState.DONE, JobState.UNSURE, JobState.BOUNCED, JobState.FAILED})
_HELD = (JobState.CLAIMED, JobState.SENDING)

log = logging.getLogger(__name__)


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


def due_jobs(session: Session, now: datetime, limit: int) -> list[UUID]:
    """The ids of jobs that wait for a worker, longest waiting first."""
    due = (col(OutboxJob.state) == JobState.DUE, col(OutboxJob.next_at) <= now, _may_go())
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
    try:
        return _run(claim, handlers.get(claim.kind, _UNKNOWN))
    except LeaseLost:
        log.warning("Job %s (%s): the lease ran out", claim.job_id, claim.kind)
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
        log.warning("Job %s (%s): the worker died, now %s", job.id, job.kind, job.state)
        return job.state


def log_broken(what: str, error: Exception) -> None:
    """Log an error's kind and places, not its words: they may quote a person's."""
    places = "".join(traceback.format_tb(error.__traceback__))
    log.error("%s broke: %s\n%s", what, type(error).__name__, places)


@retrying
def _claim(job_id: UUID, clock: Clock) -> Claim | None:
    now = clock()
    token = f"{socket.gethostname()[:40]}:{os.getpid()}:{token_hex(8)}"
    with uow(write=True) as session:
        job = session.exec(
            update(OutboxJob)
            .where(col(OutboxJob.id) == job_id, col(OutboxJob.state) == JobState.DUE, col(OutboxJob.next_at) <= now)
            .where(_may_go())
            .values(
                state=JobState.CLAIMED,
                claimed_by=token,
                claimed_until=_lease(now),
                attempts=col(OutboxJob.attempts) + 1,
            )
            .returning(OutboxJob)
        ).scalar_one_or_none()
    if job is None:
        return None
    return Claim(
        job_id=job.id,
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
    now = claim.clock()
    note = ending.note[:500]
    if ending.state in _ENDS:
        _change(claim, record=ending.record, state=ending.state, error=note, done_at=now)
    elif ending.again_at is not None:
        _change(claim, state=JobState.DUE, error=note, next_at=ending.again_at, attempts=claim.attempts - 1)
        return
    else:
        later = now + BACKOFF[min(claim.attempts, len(BACKOFF)) - 1]
        _change(claim, record=ending.record, state=JobState.DUE, error=note, next_at=later)
    if ending.state is not JobState.DONE:
        log.warning("Job %s (%s), try %d: %s", claim.job_id, claim.kind, claim.attempts, ending.state)


@retrying
def _change(claim: Claim, *, record: Callable[[Session], None] | None = None, **values: object) -> None:
    """Change the row while it is ours, with the effect in the same transaction. Raises LeaseLost.

    A lease that ran out is still ours until `release` or another claim has changed the row.
    """
    with uow(write=True) as session:
        changed = session.exec(
            update(OutboxJob)
            .where(
                col(OutboxJob.id) == claim.job_id,
                col(OutboxJob.claimed_by) == claim.token,
                col(OutboxJob.state).in_(_HELD),
            )
            .values(**values)
        )
        if changed.rowcount != 1:
            raise LeaseLost
        if record is not None:
            record(session)


def _broken(claim: Claim, handler: Handler, error: Exception) -> Ending:
    log_broken(f"Job {claim.job_id} ({claim.kind})", error)
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


def _may_go() -> ColumnElement[bool]:
    """Whether a job may be done now: what goes out may not while a jump of the clock is not confirmed."""
    stopped = select(Interruption.id).where(col(Interruption.ended_at).is_(None)).exists()
    return or_(col(OutboxJob.kind).not_in(GOES_OUT), ~stopped)


def _ids(session: Session, conditions: tuple[ColumnElement[bool], ...], limit: int) -> list[UUID]:
    return list(session.exec(select(OutboxJob.id).where(*conditions).order_by(col(OutboxJob.next_at)).limit(limit)))


def _lease(now: datetime) -> datetime:
    return now + timedelta(seconds=get_settings().lease_seconds)

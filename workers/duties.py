"""What workers do: jobs, the sweep, and the same without a broker. *Which* jobs is an argument (`handlers.DUTIES`)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import wraps
from time import monotonic
from typing import ParamSpec, TypeVar
from uuid import UUID

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select, update

from casework import clock, logs
from casework.adapters import broker, durations, outbox
from casework.adapters.database import DatabaseAway, retrying, uow
from casework.adapters.outbox import Clock, Handlers
from casework.domain.models import Tick
from casework.domain.operation import WorkKind
from casework.domain.watch import comes
from casework.services import clockwork, health
from casework.services.clockwork import Watch

P = ParamSpec("P")
R = TypeVar("R")

BATCH = 500
"""How many of a kind one sweep takes."""
FEW = 20
"""How many jobs a worker looks up to go on with."""
ANSWERING = 2.0
"""Seconds after a bell in which a worker begins another job: a task has an end (`task_time_limit`)."""

log = logs.logger(__name__)


@dataclass(frozen=True, slots=True)
class Recurring:
    """Work that is done now and then: `run(session, now)`, at most once in `every`; late once, never caught up.

    `before` is done first, outside the unit of work: what waits for another server. Where it breaks the work is not
    done, and is met again at the next sweep.
    """

    name: str
    every: timedelta
    run: Callable[[Session, datetime], object]
    before: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True)
class Timed:
    """Rows that come due by themselves.

    `due(session, now, limit)` gives ids, `run(session, id, now)` must see to it that it is not given again, and
    `failed(session, id, now)` notes that it broke.
    """

    name: str
    due: Callable[[Session, datetime, int], list[UUID]]
    run: Callable[[Session, UUID, datetime], None]
    failed: Callable[[Session, UUID, datetime], None]


@dataclass(frozen=True, slots=True)
class Duties:
    """Job kind → handler; what comes due by itself; what is done now and then."""

    handlers: Handlers
    timed: Sequence[Timed] = ()
    recurring: Sequence[Recurring] = ()
    watch: Watch = field(default_factory=Watch)
    """This process's view of the clock: while it is not believed, nothing goes out and nothing expires (F25)."""

    def run_job(self, job_id: str) -> None:
        """Work one job, if it is due and nobody else has it. The only argument is its id (R-CEL2)."""
        try:
            if self.watch.jumped():
                _believed(self.watch)  # records it: the job cannot be claimed if it goes out
            outbox.work(UUID(job_id), self.handlers, clock.now)
        except DatabaseAway:
            log.warning("database_away", job_id=job_id)

    def answer(self, job_id: str) -> None:
        """What a worker does at a job's bell: that job, and for a short while whatever else waits.

        A broker hands out one bell at a time, the file broker ten a second: many jobs would wait for their bells.
        """
        until = monotonic() + ANSWERING
        self.run_job(job_id)
        while monotonic() < until:
            try:
                with uow() as session:
                    waiting = outbox.due_jobs(session, clock.now(), FEW)
            except DatabaseAway:
                return
            if not waiting:
                return
            for each in waiting:
                self.run_job(str(each))
                if monotonic() >= until:
                    return

    def ring_due(self) -> None:
        """What a worker does at the clock's bell: sweep, and ring for each job whose own bell was lost."""
        now = clock.now()
        try:
            self.sweep(now, name=health.WORKER)
            with uow() as session:
                waiting = outbox.due_jobs(session, now, BATCH)
        except DatabaseAway:
            log.warning("database_away")
        else:
            broker.ring(*waiting)

    def sweep(self, now: datetime, *, name: str = health.SWEEP) -> None:
        """Release what was abandoned and let pass what is over at `now`; then write the tick. Raises DatabaseAway.

        Nothing of it while the clock is not believed. Each in a unit of its own: one that breaks is logged and met
        again, the others go on. Two sweeps at once, or none for days, do no harm (F24).
        """
        if not _believed(self.watch):
            return
        with uow() as session:
            abandoned = outbox.abandoned_jobs(session, now, BATCH)
            due = [(timed, row_id) for timed in self.timed for row_id in timed.due(session, now, BATCH)]
        for job_id in abandoned:
            with logs.work(deed="release", job_id=job_id):
                _alone(outbox.release, job_id, self.handlers, now)
        for timed, row_id in due:
            with logs.work(deed=timed.name, row_id=row_id):
                if _alone(_do, timed, timed.run, row_id, now):
                    log.info("came_due")
                else:
                    _alone(_do, timed, timed.failed, row_id, now)
        for work in self.recurring:
            with logs.work(deed=work.name):
                if work.before is None or not _comes(work, now) or _alone(work.before):
                    _alone(_recur, work, now)
        _tick(name, now)

    def drain(self, now: datetime | None = None) -> int:
        """Do all that is due at `now` (None: as time goes) until nothing is. Returns how many jobs were worked.

        What broke waits for its next try and is in the log.
        """
        present: Clock = clock.now if now is None else lambda: now
        worked = 0
        while True:
            self.sweep(present())
            if self.watch.asked is not None:  # by hand and without a bell: nobody would answer
                self.sweep(present())
            with uow() as session:
                waiting = outbox.due_jobs(session, present(), BATCH)
            if not waiting:
                return worked
            for job_id in waiting:
                outbox.work(job_id, self.handlers, present)
            worked += len(waiting)


@retrying
def _do(timed: Timed, deed: Callable[[Session, UUID, datetime], None], row_id: UUID, now: datetime) -> None:
    begun = monotonic()
    with uow(write=True) as session:
        deed(session, row_id, now)
        durations.count(session, WorkKind.STEP, timed.name, monotonic() - begun)


def _alone(deed: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
    """Whether it did not break."""
    try:
        deed(*args, **kwargs)
    except DatabaseAway:
        raise
    except Exception:  # one broken case never stops the others
        log.exception("broke")
        return False
    return True


def _once_more(function: Callable[P, R]) -> Callable[P, R]:
    """Two processes' first time ever: the row that both would write is there the second time."""

    @wraps(function)
    def tried(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except IntegrityError:
            return function(*args, **kwargs)

    return tried


@_once_more
@retrying
def _believed(watch: Watch) -> bool:
    with uow(write=True) as session:
        return clockwork.believed(session, watch)


def _comes(work: Recurring, now: datetime) -> bool:
    with uow() as session:
        last = session.exec(select(Tick.at).where(Tick.name == work.name)).first()
    return comes(last, work.every, now)


@_once_more
@retrying
def _recur(work: Recurring, now: datetime) -> None:
    """Run it if its time has come; the tick is in the same unit, so two sweeps at once run it once."""
    with uow(write=True) as session:
        last = session.exec(select(Tick).where(Tick.name == work.name).with_for_update()).first()
        if last is not None and not comes(last.at, work.every, now):
            return
        if last is None:
            session.add(Tick(name=work.name, at=now))
        else:
            last.at = now
        work.run(session, now)


@_once_more
@retrying
def _tick(name: str, now: datetime) -> None:
    with uow(write=True) as session:
        if session.exec(update(Tick).where(col(Tick.name) == name).values(at=now)).rowcount == 0:
            session.add(Tick(name=name, at=now))

"""A worker with duties of its own: `python -m tests.workers.probe`. What it did stands in files of the data folder."""

import threading
from datetime import datetime
from pathlib import Path
from uuid import UUID

from sqlmodel import Session

from casework.adapters.outbox import Claim, Ending, Handler
from casework.domain.models import Tick
from casework.domain.terms import JobState
from casework.settings import get_settings
from workers.duties import Duties
from workers.entry import run_worker, worker_app


def mark(name: str) -> Path:
    """A file by which the test and the worker speak."""
    return get_settings().data / f"mark-{name}"


def note(claim: Claim) -> Ending:
    """Have an effect: a row that cannot be written twice."""
    with mark("runs").open("a") as runs:
        runs.write(f"{claim.subject_id}\n")
    return Ending(JobState.DONE, record=lambda session: session.add(effect(claim.subject_id, claim.clock())))


def effect(subject_id: UUID, at: datetime) -> Tick:
    return Tick(name=subject_id.hex, at=at)


def slow(claim: Claim) -> Ending:
    """Hold the job until the test says go."""
    mark("held").touch()
    while not mark("go").exists():
        threading.Event().wait(0.02)
    return note(claim)


def broken(claim: Claim) -> Ending:
    """Raise, whenever it is tried."""
    raise ZeroDivisionError


def abandoned(session: Session, subject_id: UUID, state: JobState, at: datetime) -> None:
    """Leave a trace of the state in the same transaction."""
    session.add(Tick(name=f"{state}-{subject_id.hex}"[:40], at=at))


HANDLERS = {
    "note": Handler(note),
    "slow": Handler(slow),
    "broken": Handler(broken, abandoned),
}
DUTIES = Duties(handlers=HANDLERS)

if __name__ == "__main__":
    run_worker(worker_app(DUTIES), processes=1)

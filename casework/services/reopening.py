"""What had become final is not, when a side has time to appeal again: it got more, or its time had begun too early."""

from datetime import datetime

from sqlalchemy import update
from sqlmodel import Session, col

from casework.domain.access import SYSTEM
from casework.domain.models import Consequence
from casework.domain.terms import ActionName, ConsequenceKind, ConsequenceState, DeadlineKind, State
from casework.services.engine import take
from casework.services.loading import Loaded
from casework.services.snapshot import snapshot
from casework.services.step import Step
from casework.text import t


def reopen(session: Session, loaded: Loaded, now: datetime, *, waits: bool = False) -> None:
    """Take back that the decision is final and tell the others, if a side's time runs; titles wait again (R9, R32).

    `waits`: the notices are held, with those of the step that it follows.
    """
    if loaded.proceeding.state is State.FINAL and snapshot(loaded).running(DeadlineKind.APPEAL_WINDOW):
        take(session, loaded, ActionName.REOPEN, SYSTEM, now=now, data={"waits": waits}, write=_hold_titles)


def _hold_titles(step: Step) -> None:
    held = (
        col(Consequence.case_id) == step.loaded.case.id,
        col(Consequence.kind) == ConsequenceKind.TITLES_HELD,
    )
    waits = t("Until the decision is final. The result list stays published, marked preliminary.")
    values = {"state": ConsequenceState.HELD, "since": step.now, "explanation": waits}
    step.session.execute(update(Consequence).where(*held).values(values))

"""Job kind → what is done, by the services."""

from sqlmodel import Session

from casework.adapters.outbox import Claim, Ending, Handler
from casework.domain.terms import JobState
from casework.services import deadlines, documents, history, notices
from workers import mailing, papers
from workers.duties import Duties

MAIL = "mail"
PDF = "pdf"
ADVANCE = "advance"
CHECKPOINT = "checkpoint"


def _advance(claim: Claim) -> Ending:
    """Take the automatic steps that a step has made possible, with the job's end in one transaction."""

    def record(session: Session) -> None:
        deadlines.advance(session, claim.subject_id, claim.clock())

    return Ending(JobState.DONE, record=record)


def _checkpoint(claim: Claim) -> Ending:
    """Chain all cases' heads (S-AUD4)."""

    def record(session: Session) -> None:
        history.checkpoint(session, claim.clock())

    return Ending(JobState.DONE, record=record)


DUTIES = Duties(
    handlers={
        MAIL: mailing.handler(notices),
        PDF: papers.handler(documents),
        ADVANCE: Handler(run=_advance),
        CHECKPOINT: Handler(run=_checkpoint),
    },
    passed=deadlines.due,
    expire=deadlines.expire,
)

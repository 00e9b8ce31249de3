"""Jobs of the kind "mail": the subject is a Notice. How a try ended is the notice's proof (R-PROOF1)."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from sqlmodel import Session

from casework.adapters import mail
from casework.adapters.database import uow
from casework.adapters.outbox import Claim, Ending, Handler
from casework.domain.terms import JobState

LOST = "the worker died while the message went out"
GAVE_UP = "given up after repeated errors"


class Notices(Protocol):
    """What the mail handler needs of `services.notices`; `reply` is the server's line or our reason."""

    def message_for(self, session: Session, notice_id: UUID) -> mail.Letter:
        """The notice's letter, in its reader's language; called in a read unit."""

    def record_handover(self, session: Session, notice_id: UUID, handover: mail.Handover) -> None:
        """The server took it."""

    def record_bounce(self, session: Session, notice_id: UUID, at: datetime, reply: str) -> None:
        """The recipient is refused for good: somebody must be told at once (R-ONCE3)."""

    def record_unsure(self, session: Session, notice_id: UUID, at: datetime, reply: str) -> None:
        """It may have been sent: a person looks (R-ONCE2)."""

    def record_failure(self, session: Session, notice_id: UUID, at: datetime, reply: str) -> None:
        """It was not sent and will not be: the letter cannot be made, or the server refuses us."""


def handler(notices: Notices) -> Handler:
    """The handler of mail jobs."""

    def run(claim: Claim) -> Ending:
        with uow() as session:
            letter = notices.message_for(session, claim.subject_id)
        try:
            message = mail.build(letter, claim.clock())
            handover = mail.post(message, begin_sending=claim.begin_sending, clock=claim.clock)
        except mail.MailError as error:
            return _not_handed_over(notices, claim, error)
        return Ending(
            JobState.DONE, record=lambda session: notices.record_handover(session, claim.subject_id, handover)
        )

    def abandoned(session: Session, notice_id: UUID, state: JobState, at: datetime) -> None:
        if state is JobState.UNSURE:
            notices.record_unsure(session, notice_id, at, LOST)
        else:
            notices.record_failure(session, notice_id, at, GAVE_UP)

    return Handler(run=run, abandoned=abandoned)


def _not_handed_over(notices: Notices, claim: Claim, error: mail.MailError) -> Ending:
    note = type(error).__name__  # the job's row is no place for a server's line, which often repeats the address
    match error:
        case mail.Refused():
            state, write = JobState.BOUNCED, notices.record_bounce
        case mail.NotTaken():
            state, write = JobState.FAILED, notices.record_failure
        case mail.Unsure():
            state, write = JobState.UNSURE, notices.record_unsure
        case _:
            return Ending(JobState.DUE, note)
    at, reply = claim.clock(), error.reply
    return Ending(state, note, lambda session: write(session, claim.subject_id, at, reply))

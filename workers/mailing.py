"""Jobs of the kind "mail": the subject is a Notice. How a try ended is the notice's proof (R-PROOF1)."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Protocol
from uuid import UUID

from sqlmodel import Session

from casework.adapters import mail, smtp
from casework.adapters.database import uow
from casework.adapters.outbox import Claim, Ending, Handler
from casework.domain.delivery import NotNeeded, NotWritten, OurReason, Outdated, SmtpPhase
from casework.domain.terms import JobState


class Notices(Protocol):
    """What the mail handler needs of `services.notices`."""

    def to_send(self, session: Session, notice_id: UUID, now: datetime) -> mail.Letter | datetime:
        """The notice's letter, in its reader's language, or when its domain may be written to; in a read unit.

        Raises NotWritten where there are no words for it: somebody must be told at once (F40); NotNeeded where nobody
        need be told any more.
        """

    def begin_sending(self, session: Session, letter: mail.Letter, now: datetime) -> None:
        """Make true what the letter says; raises Outdated where it cannot be made true any more."""

    def record_sending(
        self, session: Session, notice_id: UUID, message: mail.Message, now: datetime, remote: str
    ) -> None:
        """What is handed over, kept before its first byte goes."""

    def record_handover(self, session: Session, notice_id: UUID, handover: smtp.Handover) -> None:
        """The server took it."""

    def record_later(self, session: Session, notice_id: UUID, trouble: smtp.Trouble) -> None:
        """Nothing was handed over; it is tried again."""

    def record_not_needed(self, session: Session, notice_id: UUID) -> None:
        """Nobody need be told any more."""

    def record_bounce(self, session: Session, notice_id: UUID, trouble: smtp.Trouble) -> None:
        """The recipient is refused for good: somebody must be told at once (R-ONCE3)."""

    def record_unsure(self, session: Session, notice_id: UUID, trouble: smtp.Trouble) -> None:
        """It may have been sent: a person looks (R-ONCE2)."""

    def record_failure(self, session: Session, notice_id: UUID, trouble: smtp.Trouble) -> None:
        """It was not sent and will not be: the letter cannot be made, or the server refuses us."""


def handler(notices: Notices) -> Handler:
    """The handler of mail jobs."""

    def run(claim: Claim) -> Ending:
        letter = _letter(notices, claim)
        if isinstance(letter, Ending):
            return letter
        message = None
        try:
            message = mail.build(letter, claim.clock())
            handover = smtp.post(message, begin_sending=_beginning(notices, claim, letter, message), clock=claim.clock)
        except Outdated:
            return Ending(JobState.DUE, "written anew", again_at=claim.clock())
        except mail.BadAddress:
            return _not_handed_over(notices, claim, smtp.Refused(SmtpPhase.ADDRESS, OurReason.NO_ADDRESS))
        except smtp.MailError as error:
            return _not_handed_over(notices, claim, error, message)
        return Ending(
            JobState.DONE, record=lambda session: notices.record_handover(session, claim.subject_id, handover)
        )

    def abandoned(session: Session, notice_id: UUID, state: JobState, at: datetime) -> None:
        if state is JobState.UNSURE:
            notices.record_unsure(session, notice_id, smtp.Trouble(at, SmtpPhase.FINAL_DOT, OurReason.WORKER_DIED))
        else:
            notices.record_failure(session, notice_id, smtp.Trouble(at, SmtpPhase.CONNECT, OurReason.GAVE_UP))

    return Handler(run=run, abandoned=abandoned)


def _letter(notices: Notices, claim: Claim) -> mail.Letter | Ending:
    """What is to go now, or how the try ends without it."""
    try:
        with uow() as session:
            letter = notices.to_send(session, claim.subject_id, claim.clock())
    except NotNeeded:
        record = partial(notices.record_not_needed, notice_id=claim.subject_id)
        return Ending(JobState.CALLED_BACK, OurReason.NOT_NEEDED, record)
    except NotWritten:
        return _not_handed_over(notices, claim, smtp.NotTaken(SmtpPhase.WORDS, OurReason.NOT_WRITTEN))
    if isinstance(letter, datetime):
        return Ending(JobState.DUE, "many mails to one domain", again_at=letter)
    return letter


def _not_handed_over(
    notices: Notices, claim: Claim, error: smtp.MailError, message: mail.Message | None = None
) -> Ending:
    note = type(error).__name__  # the job's row is no place for a server's line, which often repeats the address
    match error:
        case smtp.Refused():
            state, write = JobState.BOUNCED, notices.record_bounce
        case smtp.NotTaken():
            state, write = JobState.FAILED, notices.record_failure
        case smtp.Unsure():
            state, write = JobState.UNSURE, notices.record_unsure
        case _:
            state, write = JobState.DUE, notices.record_later
    trouble = smtp.Trouble(claim.clock(), error.phase, error.reply, error.remote, message)
    return Ending(state, note, lambda session: write(session, claim.subject_id, trouble))


def _beginning(notices: Notices, claim: Claim, letter: mail.Letter, message: mail.Message) -> Callable[[], None]:
    """What is written before the first byte goes: what the letter makes true, and its very bytes."""
    built_at = claim.clock()

    def fix(session: Session) -> None:
        notices.begin_sending(session, letter, claim.clock())
        notices.record_sending(session, claim.subject_id, message, built_at, smtp.remote_of())

    return lambda: claim.begin_sending(fix)

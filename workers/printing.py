"""Jobs of the kind "pdf": the subject is a CaseFile. Made again it does no harm: there is no point of no return."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from sqlmodel import Session

from casework.adapters.outbox import Claim, Ending, Handler
from casework.domain.terms import JobState
from casework.text import Text, t

GAVE_UP = t("The PDF was not made: the program that makes it stopped time after time.")


class Documents(Protocol):
    """What the PDF handler needs of `services.documents`."""

    def make_case_file(self, case_file_id: UUID) -> None:
        """Make the file and record it, in units of its own."""

    def record_failure(self, session: Session, case_file_id: UUID, at: datetime, reason: Text) -> None:
        """There will be no PDF; the page still shows the case (F35)."""


def handler(documents: Documents) -> Handler:
    """The handler of PDF jobs."""

    def run(claim: Claim) -> Ending:
        documents.make_case_file(claim.subject_id)
        return Ending(JobState.DONE)

    def abandoned(session: Session, case_file_id: UUID, _state: JobState, at: datetime) -> None:
        documents.record_failure(session, case_file_id, at, GAVE_UP)

    return Handler(run=run, abandoned=abandoned)

"""Jobs of the kind "double_dummy": the subject is a BoardRecord. Solved again it does no harm."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol
from uuid import UUID

from sqlmodel import Session

from casework.adapters.database import uow
from casework.adapters.double_dummy import NotSolved
from casework.adapters.outbox import Claim, Ending, Handler
from casework.domain.bridge.deal import Deal
from casework.domain.bridge.double_dummy import DoubleDummy
from casework.domain.terms import JobState


class Advice(Protocol):
    """What the handler needs of `services.double_dummy`."""

    def deal_of(self, session: Session, board_record_id: UUID) -> Deal:
        """The hands to solve."""

    def record(self, session: Session, board_record_id: UUID, made: DoubleDummy, now: datetime) -> None:
        """Keep the answer."""


def handler(advice: Advice, solve: Callable[[Deal], DoubleDummy]) -> Handler:
    """The handler of double-dummy jobs. A deal that is not solved has no advice; nobody waits for it."""

    def run(claim: Claim) -> Ending:
        with uow() as session:
            deal = advice.deal_of(session, claim.subject_id)
        try:
            made = solve(deal)
        except NotSolved as failed:
            return Ending(JobState.FAILED, failed.detail)

        def record(session: Session) -> None:
            advice.record(session, claim.subject_id, made, claim.clock())

        return Ending(JobState.DONE, record=record)

    return Handler(run=run)

"""What is held for some minutes before it goes out, so that a wrong sending can be stopped (U10)."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from casework.domain.terms import ActionName, AppealRoute, Body, ProceedingKind
from casework.domain.workflow.table import Changes

HOLD = timedelta(minutes=5)
"""How long a notice is held that can be stopped."""
MANY = 10
"""A sending to more people than this is held, and its number must be confirmed."""
AT_ONCE = timedelta(hours=24)
"""A score recorded so soon after it was made available is told at once: times of minutes run from it (own reading)."""

TAKEN_IN = frozenset(
    {
        ActionName.CONCUR,
        ActionName.RECORD_CONCURRENCE,
        ActionName.DEEM_CONCURRENCE,
        ActionName.FILE_STATEMENT,
        ActionName.ENTER_STATEMENT,
        ActionName.DECLINE_STATEMENT,
    }
)
"""What is taken in after a decision that its actor may not know of yet, as it was before: what has been decided rests
on it no more than on a letter that comes too late (own reading)."""


def as_taken_in(before: Changes, party_id: UUID | None) -> Changes:
    """What such a step changes: its own side is told; no time begins or ends, and nobody is asked to answer it."""
    tellings = tuple(telling for telling in before.tellings if telling.party_id == party_id)
    return replace(before, to=None, openings=(), rebases=(), endings=(), tellings=tellings)


def publication_waits(people: int, published_at: datetime, now: datetime) -> bool:
    """Whether what tells `people` of an official score, in all its cases together, is held: many, and afterwards."""
    return people > MANY and now - published_at >= AT_ONCE


def step_waits(action: ActionName, kind: ProceedingKind, body: Body | None, route: AppealRoute, people: int) -> bool:
    """Nothing waits at the event; a decision of the Law Commission, and what goes to many people, can be stopped."""
    on_site = body is Body.JURY and route is AppealRoute.JURY_ON_SITE
    if kind is ProceedingKind.RULING or on_site:
        return False
    return people > MANY or (action is ActionName.DECIDE_APPEAL and body is Body.LAW_COMMISSION)

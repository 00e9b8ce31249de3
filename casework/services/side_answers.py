"""What a side is asked and has answered, for its members: one answers for all; and whether it was silent too long."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, select

from casework.domain.models import Demand, Event
from casework.domain.shown import Piece, Shown
from casework.domain.terms import ActionName, DemandEnd
from casework.domain.workflow.facts import Ask
from casework.domain.workflow.written import LATE
from casework.domain.workflow.written_guards import fits_the_time
from casework.services.loading import Loaded
from casework.services.snapshot import snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How a side answered what it was last asked: who for it, and when."""

    by: UUID | None
    at: datetime
    nothing_to_add: bool


def open_demand(loaded: Loaded, party_id: UUID) -> Demand | None:
    """What this party is asked for here and has not yet answered."""
    return next((demand for demand in _asked(loaded, party_id) if demand.ended is None), None)


def shown_of_filing(loaded: Loaded, party_id: UUID) -> Shown:
    """The check page of a statement: what it answers, and so who reads it when."""
    demand = open_demand(loaded, party_id)
    return Shown({Piece.PAPERS: [demand.id if demand else None, loaded.proceeding.state in LATE]})


def out_of_time(loaded: Loaded, party_id: UUID, now: datetime) -> datetime | None:
    """When the side's time ran out, where it was silent and may still be heard: a closed time closes no door."""
    last = max(_asked(loaded, party_id), key=lambda demand: demand.asked_at, default=None)
    ask = Ask(person_id=None, parts=frozenset(), now=now, party_id=party_id)
    if last is None or last.ended is not DemandEnd.SILENT or fits_the_time(snapshot(loaded), ask) is not None:
        return None
    return next((deadline.instant for deadline in loaded.deadlines if deadline.demand_id == last.id), None)


def _asked(loaded: Loaded, party_id: UUID) -> list[Demand]:
    return [d for d in loaded.demands if (d.proceeding_id, d.party_id) == (loaded.proceeding.id, party_id)]


def answer_of(session: Session, loaded: Loaded, party_id: UUID) -> Answer | None:
    """The side's own answer to its last demand here; None where it has not answered."""
    ended = [d for d in _asked(loaded, party_id) if d.ended in (DemandEnd.ANSWERED, DemandEnd.DECLINED)]
    demand = max(ended, key=lambda each: each.ended_at or each.asked_at, default=None)
    if demand is None or demand.ended_at is None:
        return None
    declined = demand.ended is DemandEnd.DECLINED
    if declined:
        by = _declined_by(session, demand)
    else:
        by = next((s.author_id for s in loaded.statements if s.demand_id == demand.id), None)
    return Answer(by=by, at=demand.ended_at, nothing_to_add=declined)


def _declined_by(session: Session, demand: Demand) -> UUID | None:
    """Who said it stands in the history alone."""
    events = session.exec(
        select(Event).where(
            Event.case_id == demand.case_id,
            Event.proceeding_id == demand.proceeding_id,
            Event.action == ActionName.DECLINE_STATEMENT,
        )
    )
    return next((event.actor_id for event in events if event.data.get("subject") == str(demand.id)), None)

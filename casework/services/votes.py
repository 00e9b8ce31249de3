"""How the members of a body voted: named and open to everybody who reads the decision, never before it."""

from uuid import UUID

from casework.domain.models import Decision, Seat, Vote
from casework.domain.terms import SeatRole
from casework.services.loading import Loaded


def votes_of(loaded: Loaded, proceeding_id: UUID) -> list[tuple[Seat, Vote]]:
    """Who voted what in the vote that decided, which is the newest; the chair first."""
    panels = {panel.id for panel in loaded.panels if panel.proceeding_id == proceeding_id}
    ballots = [ballot for ballot in loaded.ballots if ballot.panel_id in panels]
    newest = max(ballots, key=lambda ballot: ballot.opened_at, default=None)
    cast = {vote.seat_id: vote for vote in loaded.votes if newest and vote.ballot_id == newest.id}
    voted = [(seat, cast[seat.id]) for seat in loaded.seats if seat.id in cast]
    return sorted(voted, key=lambda pair: pair[0].role is not SeatRole.CHAIR)


def own_words(vote: Vote, decision: Decision) -> str:
    """What a member thought instead, where the decision itself does not say it: nothing is read twice."""
    return "" if vote.dissent in decision.dissent else vote.dissent

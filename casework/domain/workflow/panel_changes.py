"""What a step does to who sits: the panel after it, and who must be told of the change (R17, R19)."""

from collections.abc import Mapping
from uuid import UUID

from casework.domain.terms import SeatRole, State
from casework.domain.workflow.facts import Ask, Facts, PanelFacts

_KNOWN = frozenset({State.REGISTERED, State.HEARING, State.DELIBERATING})
"""Where the parties have been told who sits; until a hearing opens, every change means another call instead."""


def heir(panel: PanelFacts, leaving: UUID) -> UUID | None:
    """The seat that takes over the chair of a seat that is left: the first that still decides."""
    return next((seat.id for seat in panel.deciding if seat.id != leaving), None)


def panel_after(facts: Facts, ask: Ask) -> Mapping[UUID, SeatRole]:
    """Who decides after a step that appoints or recuses, with their roles."""
    if "seats" in ask.data:
        return {person: role for person, role in ask.data["seats"].items() if role is not SeatRole.ATTENDEE}
    panel = facts.panel
    if panel is None:
        return {}
    sitting = {seat.person_id: seat.role for seat in panel.deciding}
    if not (ask.data.get("has_conflict") or ask.data.get("recused")):
        return sitting
    left = next((seat for seat in panel.deciding if seat.id == ask.subject_id), None)
    if left is None:
        return sitting
    chair = heir(panel, left.id) if left.role is SeatRole.CHAIR else None
    stay = {
        seat.person_id: SeatRole.CHAIR if seat.id == chair else seat.role for seat in panel.deciding if seat != left
    }
    return stay | dict.fromkeys(ask.data.get("seated", ()), SeatRole.RESERVE)


def parties_know_another_panel(facts: Facts, ask: Ask) -> bool:
    """The parties know who sits, others do now, and no new call will say so; too few is no panel yet."""
    panel = facts.panel
    if panel is None or facts.this.state not in _KNOWN:
        return False
    heard_anew = facts.on_site and "seats" in ask.data
    after = panel_after(facts, ask)
    return not heard_anew and len(after) >= panel.quorum and set(after) != {s.person_id for s in panel.deciding}


def new_chair(facts: Facts, ask: Ask) -> UUID | None:
    """Who sat already and becomes the chair by this step; who is seated by it is told so in that notice."""
    before = {seat.person_id: seat.role for seat in facts.panel.deciding} if facts.panel else {}
    return next(
        (
            person
            for person, role in panel_after(facts, ask).items()
            if role is SeatRole.CHAIR and before.get(person, role) is not role
        ),
        None,
    )

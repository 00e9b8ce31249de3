"""What a step does to who sits: the panel after it, and who must be told of the change (R17, R19)."""

from collections.abc import Mapping
from uuid import UUID

from casework.domain.terms import SeatRole, State
from casework.domain.workflow.facts import Ask, Facts, PanelFacts

_KNOWN = frozenset({State.REGISTERED, State.HEARING, State.DELIBERATING})
"""Where the parties have been told who sits, whether or not a hearing is ahead."""


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


def hearing_stands(facts: Facts, ask: Ask) -> bool:
    """Others try the case at the hearing that everybody was called to: who joins is called, and the parties are told.

    With too few members, or when its time has come, everybody is called again instead.
    """
    panel = facts.panel
    if panel is None or facts.this.state is not State.CALLED or panel.hearing_at is None:
        return False
    called, enough = any(seat.called for seat in panel.seats), len(panel_after(facts, ask)) >= panel.quorum
    return called and enough and panel.hearing_at > ask.now and _changes(panel, facts, ask)


def _changes(panel: PanelFacts, facts: Facts, ask: Ask) -> bool:
    return set(panel_after(facts, ask)) != {seat.person_id for seat in panel.deciding}


def leaving(facts: Facts, ask: Ask) -> tuple[UUID, ...]:
    """Who decided until this step, and does no more."""
    stay = panel_after(facts, ask)
    return tuple(s.person_id for s in facts.panel.deciding if s.person_id not in stay) if facts.panel else ()


def staying(facts: Facts, ask: Ask) -> tuple[UUID, ...]:
    """Who decided before this step and does after it; a new chair has a notice of his own, which says who sits."""
    stay = panel_after(facts, ask).keys() - {new_chair(facts, ask)}
    return tuple(s.person_id for s in facts.panel.deciding if s.person_id in stay) if facts.panel else ()


def attending(facts: Facts, ask: Ask) -> tuple[UUID, ...]:
    """Who is called to attend (R17), and is not seated to decide by this step."""
    seats = facts.panel.seats if facts.panel else ()
    attends = (s for s in seats if s.role is SeatRole.ATTENDEE and s.called and s.conflict.sits)
    return tuple(s.person_id for s in attends if s.person_id not in panel_after(facts, ask))


def parties_know_another_panel(facts: Facts, ask: Ask) -> bool:
    """The parties know who sits, others do now, and no new call will say so; too few is no panel yet."""
    panel = facts.panel
    if hearing_stands(facts, ask):
        return True
    if panel is None or facts.this.state not in _KNOWN:
        return False
    heard_anew = facts.on_site and "seats" in ask.data
    return not heard_anew and len(panel_after(facts, ask)) >= panel.quorum and _changes(panel, facts, ask)


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

"""Who sits on a panel: its seats with their links, who is recused, and who steps in (R17, R19)."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID, uuid4

from sqlmodel import Session, col, select

from casework.domain.models import Event, Link, Panel, Seat
from casework.domain.terms import ActionName, Body, ConflictState, LinkPurpose, Role, SeatRole, State
from casework.domain.workflow.facts import Ask
from casework.domain.workflow.hearing_guards import quorum
from casework.domain.workflow.panel_changes import hearing_stands, heir
from casework.services import conflicts
from casework.services.conflicts import Candidate
from casework.services.loading import Loaded
from casework.services.snapshot import snapshot
from casework.services.step import Step
from casework.text import Text


def seat_links(session: Session, loaded: Loaded, persons: Mapping[UUID, SeatRole], now: datetime) -> dict[UUID, Link]:
    """A link for each who is not seated to decide; who only attended (R17), or was replaced, keeps the seat."""
    seats = {seat.person_id: seat.id for seat in panel_seats(loaded)}
    decide = {seat.person_id for seat in panel_seats(loaded) if _decides(seat)}
    known = {link.seat_id: link for link in session.exec(select(Link).where(col(Link.seat_id).in_(seats.values())))}
    return {
        person: known.get(seats.get(person))
        or Link(
            purpose=LinkPurpose.SEAT,
            person_id=person,
            case_id=loaded.case.id,
            seat_id=seats.get(person, uuid4()),
            created_at=now,
        )
        for person in persons
        if person not in decide
    }


def hear_anew(step: Step) -> None:
    """Who joined must hear the parties: call, attendance, checklist and vote begin again."""
    panel = panel_of(step.loaded)
    if panel is None:
        return
    panel.parties_called_at = panel.opened_at = panel.closed_at = None
    panel.unsure_since = step.now
    panel.steps = {}
    for ballot in step.loaded.ballots:
        if ballot.panel_id == panel.id and ballot.closed_at is None:
            ballot.closed_at = step.now
            step.session.add(ballot)
    for row in step.loaded.attendances:
        if row.panel_id == panel.id:
            step.session.delete(row)
    for seat in panel_seats(step.loaded):
        seat.called_at = seat.attended = None
        step.session.add(seat)


def panel_seats(loaded: Loaded) -> list[Seat]:
    """The seats of this proceeding's panel."""
    panel = panel_of(loaded)
    return [seat for seat in loaded.seats if panel is not None and seat.panel_id == panel.id]


def panel_of(loaded: Loaded) -> Panel | None:
    """This proceeding's panel, if it has been composed."""
    return next((panel for panel in loaded.panels if panel.proceeding_id == loaded.proceeding.id), None)


def composer(session: Session, loaded: Loaded) -> UUID | None:
    """Who appointed this proceeding's panel, or changed it last; None where there is no panel."""
    if panel_of(loaded) is None:
        return None
    appointed = select(Event.actor_id).where(
        Event.proceeding_id == loaded.proceeding.id,
        col(Event.action).in_((ActionName.COMPOSE_PANEL, ActionName.REGISTER_CASE)),
    )
    return session.exec(appointed.order_by(col(Event.seq).desc()).limit(1)).first()


def seat_panel(step: Step, seats: Mapping[UUID, SeatRole], links: Mapping[UUID, Link]) -> None:
    """Write panel and seats; the system's suggestions stand on the seats until they are answered."""
    panel, before = panel_of(step.loaded), _deciding(step.loaded)
    if panel is None:
        panel = Panel(
            proceeding_id=step.proceeding.id,
            size=len(seats),
            quorum=quorum(step.facts),
            composed_at=step.now,
        )
        step.loaded.panels.append(panel)
    panel.size = len(seats)
    step.session.add(panel)
    known = {c.person.id: c for c in conflicts.candidates(step.session, step.loaded, step.facts)}
    present = {seat.person_id: seat for seat in panel_seats(step.loaded)}
    for person, role in seats.items():
        suggestion = known[person].suggestion if person in known else None
        if person not in present:
            _seat(step, panel, role, links[person], suggestion)
            continue
        seat = present[person]
        if not _decides(seat):
            seat.conflict, seat.suggestion, seat.decided_by = _unanswered(suggestion), suggestion, None
            seat.seated_at = step.now
            step.session.add(links[person])
        seat.role = role
        step.session.add(seat)
    for person, seat in present.items():
        if person not in seats and seat.deciding:
            seat.conflict, seat.decided_by = ConflictState.REPLACED, step.actor.person_id
            step.session.add(seat)
    _call_anew_if_changed(step, panel, before)


def _deciding(loaded: Loaded) -> set[UUID]:
    return {seat.person_id for seat in panel_seats(loaded) if seat.deciding}


def _call_anew_if_changed(step: Step, panel: Panel, before: set[UUID]) -> None:
    """The parties know who tries the case: before the hearing opens they are told of others, or called again."""
    if step.proceeding.state not in (State.COMPOSING, State.CALLED) or _deciding(step.loaded) == before:
        return
    step.session.add(panel)
    ask = Ask(person_id=None, parts=frozenset(), now=step.now, data=step.data, subject_id=step.subject_id)
    if not hearing_stands(step.facts, ask):
        panel.parties_called_at, panel.unsure_since = None, step.now
        return
    panel.parties_called_at = panel.parties_called_at or step.now
    for seat in panel_seats(step.loaded):
        seat.called_at = seat.called_at or step.now


def _seat(step: Step, panel: Panel, role: SeatRole, link: Link, suggestion: Text | None) -> None:
    seat = Seat(
        id=link.seat_id or uuid4(),
        panel_id=panel.id,
        person_id=link.person_id,
        role=role,
        seated_at=step.now,
        conflict=_unanswered(suggestion),
        suggestion=suggestion,
    )
    step.loaded.seats.append(seat)
    step.session.add_all([seat, link])


def _decides(seat: Seat) -> bool:
    """Has a link as a member: neither who only attended (R17) nor who was replaced."""
    return seat.role is not SeatRole.ATTENDEE and seat.conflict is not ConflictState.REPLACED


def _unanswered(suggestion: Text | None) -> ConflictState:
    return ConflictState.SUGGESTED if suggestion else ConflictState.UNDECLARED


def next_reserve(session: Session, loaded: Loaded, now: datetime) -> dict[UUID, Link]:
    """R19: in LK the next free reserve steps in without anyone having to remember."""
    if loaded.proceeding.body is not Body.LAW_COMMISSION:
        return {}
    seated = {seat.person_id for seat in panel_seats(loaded)}
    free = (
        candidate.person.id
        for candidate in conflicts.candidates(session, loaded, snapshot(loaded))
        if candidate.barred is None and candidate.person.id not in seated
    )
    person = next(free, None)
    return seat_links(session, loaded, {person: SeatRole.RESERVE}, now) if person is not None else {}


def _role(candidate: Candidate) -> SeatRole:
    """An ordinary member who steps in is a member like the others."""
    return SeatRole.RESERVE if candidate.role is Role.LK_RESERVE else SeatRole.MEMBER


def recuse(step: Step, seat: Seat, reserve: Mapping[UUID, Link]) -> None:
    """Recuse a member at once (S-AC5) and seat who steps in; a recused chair hands the chair on."""
    before = _deciding(step.loaded)
    seat.conflict = ConflictState.RECUSED
    panel = next(panel for panel in step.loaded.panels if panel.id == seat.panel_id)
    known = {c.person.id: c for c in conflicts.candidates(step.session, step.loaded, step.facts)} if reserve else {}
    for person, link in reserve.items():
        _seat(step, panel, _role(known[person]), link, known[person].suggestion)
    _call_anew_if_changed(step, panel, before)
    if seat.role is SeatRole.CHAIR and step.facts.panel is not None:
        seat.role, taking_over = SeatRole.MEMBER, heir(step.facts.panel, seat.id)
        for other in panel_seats(step.loaded):
            if other.id == taking_over:
                other.role = SeatRole.CHAIR
                step.session.add(other)

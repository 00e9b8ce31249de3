"""The jury on site: composed, checked for conflicts of interest, called, heard (R17-R19, R25-R26)."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID, uuid4

from sqlmodel import Session

from casework.domain.access import Actor
from casework.domain.models import Attendance, Ballot, Link, Panel, Seat
from casework.domain.terms import (
    ActionName,
    Body,
    ConflictState,
    HearingStep,
    LinkPurpose,
    SeatRole,
    State,
)
from casework.domain.workflow.audience import called
from casework.domain.workflow.hearing_guards import heard_in, quorum
from casework.domain.workflow.panel_changes import heir
from casework.services import conflicts
from casework.services.engine import locked, take
from casework.services.loading import Loaded
from casework.services.snapshot import snapshot
from casework.services.step import FormInstance, Step, acting_person
from casework.text import Text


def compose_panel(
    session: Session,
    proceeding: UUID | Loaded,
    actor: Actor,
    *,
    seats: Mapping[UUID, SeatRole],
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Appoint the jury, or complete it; each new member gets a link and is asked about conflicts of interest."""
    loaded = locked(session, proceeding, form)
    links = _seat_links(loaded, seats, now)
    data = {"seats": seats, "seated": list(links), "seat_links": links}

    def write(step: Step) -> None:
        seat_panel(step, seats, links)
        if step.changes.to is State.CALLED and step.proceeding.state in (State.HEARING, State.DELIBERATING):
            _hear_anew(step)

    return take(session, loaded, ActionName.COMPOSE_PANEL, actor, now=now, data=data, form=form, write=write)


def _seat_links(loaded: Loaded, persons: Mapping[UUID, SeatRole], now: datetime) -> dict[UUID, Link]:
    """A link for each who is not seated to decide; who only attended (R17) keeps the seat and gets its link."""
    seats = {seat.person_id: seat for seat in panel_seats(loaded)}
    return {
        person: Link(
            purpose=LinkPurpose.SEAT,
            person_id=person,
            case_id=loaded.case.id,
            seat_id=seats[person].id if person in seats else uuid4(),
            created_at=now,
        )
        for person in persons
        if person not in seats or seats[person].role is SeatRole.ATTENDEE
    }


def _hear_anew(step: Step) -> None:
    """Who joined must hear the parties: call, attendance, checklist and vote begin again."""
    panel = panel_of(step.loaded)
    if panel is None:
        return
    panel.parties_called_at = panel.opened_at = panel.closed_at = None
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
        if seat.role is SeatRole.ATTENDEE:
            seat.conflict, seat.suggestion = _unanswered(suggestion), suggestion
            step.session.add(links[person])
        seat.role = role
        step.session.add(seat)
    for person, seat in present.items():
        if person not in seats and seat.deciding:
            seat.conflict, seat.decided_by = ConflictState.RECUSED, step.actor.person_id
    _call_anew_if_changed(step, panel, before)


def _deciding(loaded: Loaded) -> set[UUID]:
    return {seat.person_id for seat in panel_seats(loaded) if seat.deciding}


def _call_anew_if_changed(step: Step, panel: Panel, before: set[UUID]) -> None:
    """The parties know who tries the case: before the hearing opens, other members mean another call."""
    if step.proceeding.state in (State.COMPOSING, State.CALLED) and _deciding(step.loaded) != before:
        panel.parties_called_at = None
        step.session.add(panel)


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


def _unanswered(suggestion: Text | None) -> ConflictState:
    return ConflictState.SUGGESTED if suggestion else ConflictState.UNDECLARED


def declare_conflict(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    seat_id: UUID,
    has_conflict: bool,
    reason: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """A member answers. Who has a conflict is recused at once; a denied suggestion is decided by another."""
    loaded = locked(session, proceeding_id, form)
    reserve = _reserve(session, loaded, now) if has_conflict else {}
    data = {"has_conflict": has_conflict, "seated": list(reserve), "seat_links": reserve}

    def write(step: Step) -> None:
        seat = next(s for s in step.loaded.seats if s.id == seat_id)
        seat.conflict_reason = reason.strip()
        if has_conflict:
            recuse(step, seat, reserve)
        else:
            seat.conflict = ConflictState.DECLARED if seat.suggestion is not None else ConflictState.NONE
        session.add(seat)

    action = ActionName.DECLARE_CONFLICT
    return take(session, loaded, action, actor, now=now, data=data, subject_id=seat_id, form=form, write=write)


def decide_conflict(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    seat_id: UUID,
    recused: bool,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Somebody else decides about a member's conflict of interest, with a reason."""
    loaded = locked(session, proceeding_id, form)
    reserve = _reserve(session, loaded, now) if recused else {}
    data = {"recused": recused, "because": because, "seated": list(reserve), "seat_links": reserve}

    def write(step: Step) -> None:
        seat = next(s for s in step.loaded.seats if s.id == seat_id)
        seat.decided_by = actor.person_id
        if recused:
            recuse(step, seat, reserve)
        else:
            seat.conflict = ConflictState.NONE
        session.add(seat)

    action = ActionName.DECIDE_CONFLICT
    return take(session, loaded, action, actor, now=now, data=data, subject_id=seat_id, form=form, write=write)


def _reserve(session: Session, loaded: Loaded, now: datetime) -> dict[UUID, Link]:
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
    return _seat_links(loaded, {person: SeatRole.RESERVE}, now) if person is not None else {}


def recuse(step: Step, seat: Seat, reserve: Mapping[UUID, Link]) -> None:
    """Recuse a member at once (S-AC5) and seat who steps in; a recused chair hands the chair on."""
    before = _deciding(step.loaded)
    seat.conflict = ConflictState.RECUSED
    panel = next(panel for panel in step.loaded.panels if panel.id == seat.panel_id)
    known = {c.person.id: c for c in conflicts.candidates(step.session, step.loaded, step.facts)} if reserve else {}
    for person, link in reserve.items():
        _seat(step, panel, SeatRole.RESERVE, link, known[person].suggestion if person in known else None)
    _call_anew_if_changed(step, panel, before)
    if seat.role is SeatRole.CHAIR and step.facts.panel is not None:
        seat.role, taking_over = SeatRole.MEMBER, heir(step.facts.panel, seat.id)
        for other in panel_seats(step.loaded):
            if other.id == taking_over:
                other.role = SeatRole.CHAIR
                step.session.add(other)


def call_hearing(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    place: str,
    at: datetime,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Call parties, panel and every LK member present (R18); calling again tells everybody the new time."""

    def write(step: Step) -> None:
        panel = panel_of(step.loaded)
        if panel is None:
            return
        panel.hearing_place, panel.hearing_at, panel.parties_called_at = place.strip(), at, step.now
        session.add(panel)
        for seat in panel_seats(step.loaded):
            seat.called_at = step.now
            session.add(seat)
        for person in called(step.facts) - {seat.person_id for seat in panel_seats(step.loaded)}:
            session.add(_attendee(step, panel, person))

    data = {"place": place, "at": at}
    return take(session, proceeding_id, ActionName.CALL_HEARING, actor, now=now, data=data, form=form, write=write)


def _attendee(step: Step, panel: Panel, person: UUID) -> Seat:
    return Seat(
        panel_id=panel.id,
        person_id=person,
        role=SeatRole.ATTENDEE,
        seated_at=step.now,
        called_at=step.now,
        conflict=ConflictState.NONE,
    )


def note_attendance(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    parties: Mapping[UUID, bool],
    seats: Mapping[UUID, bool],
    now: datetime,
    note: str = "",
    form: FormInstance | None = None,
) -> Step:
    """Note which parties, members and LK members are there."""

    def write(step: Step) -> None:
        panel = panel_of(step.loaded)
        if panel is None:
            return
        noted = {row.party_id: row for row in step.loaded.attendances if row.panel_id == panel.id}
        for party_id, present in parties.items():
            row = noted.get(party_id) or Attendance(
                panel_id=panel.id,
                party_id=party_id,
                present=present,
                noted_at=step.now,
                noted_by=acting_person(actor),
            )
            if row.present is not present:
                row.noted_at = step.now
            row.present, row.note = present, "" if present else note.strip()
            session.add(row)
        for seat in panel_seats(step.loaded):
            if seat.id in seats:
                seat.attended = seats[seat.id]
                session.add(seat)

    data = {"parties": parties, "recorded": {"absent": [party for party, present in parties.items() if not present]}}
    return take(session, proceeding_id, ActionName.NOTE_ATTENDANCE, actor, now=now, data=data, form=form, write=write)


def open_hearing(
    session: Session, proceeding_id: UUID, actor: Actor, *, now: datetime, form: FormInstance | None = None
) -> Step:
    """Open the hearing."""

    def write(step: Step) -> None:
        panel = panel_of(step.loaded)
        if panel is not None:
            panel.opened_at = step.now
            session.add(panel)

    return take(session, proceeding_id, ActionName.OPEN_HEARING, actor, now=now, form=form, write=write)


def note_step(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    step_done: HearingStep,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Tick the next step of the hearing; who was not there to be heard in it is recorded with it."""
    loaded = locked(session, proceeding_id, form)

    def write(step: Step) -> None:
        panel = panel_of(step.loaded)
        if panel is not None:
            panel.steps = {**panel.steps, step_done.value: step.now.isoformat()}
            session.add(panel)

    data = {"step": step_done, "recorded": {"step": step_done, "absent": _absent(loaded, step_done)}}
    return take(session, loaded, ActionName.NOTE_STEP, actor, now=now, data=data, form=form, write=write)


def _absent(loaded: Loaded, step: HearingStep) -> list[UUID]:
    """The parties that a step hears and that are not there."""
    facts = snapshot(loaded)
    attendance = facts.panel.attendance if facts.panel else {}
    return [party for party in heard_in(facts, step) if attendance.get(party) is False]


def close_hearing(
    session: Session, proceeding_id: UUID, actor: Actor, *, now: datetime, form: FormInstance | None = None
) -> Step:
    """Close the hearing and open the ballot: the panel is alone from here."""

    def write(step: Step) -> None:
        panel = panel_of(step.loaded)
        if panel is not None:
            panel.closed_at = step.now
            session.add_all([panel, Ballot(panel_id=panel.id, opened_at=step.now)])

    return take(session, proceeding_id, ActionName.CLOSE_HEARING, actor, now=now, form=form, write=write)


def begin_deliberation(
    session: Session, proceeding_id: UUID, actor: Actor, *, now: datetime, form: FormInstance | None = None
) -> Step:
    """Open the ballot of a body that decides from the papers."""

    def write(step: Step) -> None:
        panel = panel_of(step.loaded)
        if panel is not None:
            session.add(Ballot(panel_id=panel.id, opened_at=step.now))

    return take(session, proceeding_id, ActionName.BEGIN_DELIBERATION, actor, now=now, form=form, write=write)

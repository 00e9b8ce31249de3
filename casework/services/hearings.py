"""The jury on site: composed, checked for conflicts of interest, called, heard (R17-R19, R25-R26)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlmodel import Session

from casework.domain.access import Actor
from casework.domain.models import Attendance, Ballot, Link, Panel, Seat
from casework.domain.terms import (
    ActionName,
    ConflictState,
    HearingStep,
    SeatRole,
    State,
)
from casework.domain.workflow.audience import called
from casework.domain.workflow.hearing_guards import heard_in
from casework.services.before_sending import shown_summoned
from casework.services.engine import confirmed, locked, take
from casework.services.loading import Loaded
from casework.services.panels import (
    composer,
    hear_anew,
    next_reserve,
    panel_of,
    panel_seats,
    recuse,
    seat_links,
    seat_panel,
)
from casework.services.snapshot import snapshot
from casework.services.step import FormInstance, Step, acting_person


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
    links = seat_links(session, loaded, seats, now)
    data = {"seats": seats, "seated": list(links), "seat_links": links}

    def write(step: Step) -> None:
        seat_panel(step, seats, links)
        if step.changes.to is State.CALLED and step.proceeding.state in (State.HEARING, State.DELIBERATING):
            hear_anew(step)

    return take(session, loaded, ActionName.COMPOSE_PANEL, actor, now=now, data=data, form=form, write=write)


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
    reserve = next_reserve(session, loaded, now) if has_conflict else {}
    data = {"has_conflict": has_conflict, **_in_place(session, loaded, reserve, leaves=has_conflict)}

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


def _in_place(session: Session, loaded: Loaded, reserve: Mapping[UUID, Link], *, leaves: bool) -> dict[str, Any]:
    """Who takes the place of a member who `leaves`, or who appointed the panel and has a seat to fill."""
    nobody = leaves and not reserve
    return {
        "seated": list(reserve),
        "seat_links": reserve,
        "composer": composer(session, loaded) if nobody else None,
    }


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
    reserve = next_reserve(session, loaded, now) if recused else {}
    data = {"recused": recused, "because": because, **_in_place(session, loaded, reserve, leaves=recused)}

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
    loaded = confirmed(session, proceeding_id, form, lambda s, case: shown_summoned(s, snapshot(case), actor, now))

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
    return take(session, loaded, ActionName.CALL_HEARING, actor, now=now, data=data, form=form, write=write)


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
    seats: Mapping[UUID, bool | None],
    now: datetime,
    note: str = "",
    form: FormInstance | None = None,
) -> Step:
    """Note which parties, members and LK members are there; None is not noted, and never counts as absent."""

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

    recorded = {
        "absent": [party for party, present in parties.items() if not present],
        "present": [party for party, present in parties.items() if present],
    }
    data = {"parties": parties, "recorded": recorded}
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

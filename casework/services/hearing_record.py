"""A hearing as its record tells it: how it was called, who came, and what was gone through."""

from datetime import datetime
from typing import Any
from uuid import UUID

from casework.domain.labels import label
from casework.domain.models import Panel, Proceeding, Seat
from casework.domain.terms import HearingStep
from casework.services.case_rows import CaseRows
from casework.services.votes import votes_of
from casework.text import Text, t


def hearing_record(rows: CaseRows, proceeding: Proceeding) -> dict[str, Any] | None:
    """`calls`, `presence` and `steps` as sentences; none where no hearing was called."""
    panel = next((p for p in rows.loaded.panels if p.proceeding_id == proceeding.id), None)
    if panel is None or panel.hearing_at is None:
        return None
    seats = [s for s in rows.loaded.seats if s.panel_id == panel.id and s.conflict.sits]
    steps = sorted(panel.steps.items(), key=lambda taken: taken[1])
    return {
        "place": panel.hearing_place,
        "at": panel.hearing_at,
        "calls": _calls(rows, panel, seats),
        "presence": [*_parties(rows, panel.id), *_members(rows, proceeding, seats)],
        "steps": [
            {"at": datetime.fromisoformat(instant), "title": _went(rows, proceeding, HearingStep(step))}
            for step, instant in steps
        ],
        "closed_at": panel.closed_at,
    }


def _went(rows: CaseRows, proceeding: Proceeding, step: HearingStep) -> Text:
    """What was gone through: a side that was noted absent was not heard, whatever the step is called."""
    taken = (e for e in rows.events if e.proceeding_id == proceeding.id and e.data.get("step") == step.value)
    absent = [rows.party_label(UUID(party)) for event in taken for party in event.data.get("absent", ())]
    return t("{party} was not there", party=list(absent)) if absent else label(step)


def _calls(rows: CaseRows, panel: Panel, seats: list[Seat]) -> list[Text]:
    parties = [t("The parties were called {at}.", at=panel.parties_called_at)] if panel.parties_called_at else []
    members = [
        t("{name} was called {at}: {how}", name=rows.name(seat.person_id), at=seat.called_at, how=seat.called_how)
        if seat.called_how
        else t("{name} was called {at}.", name=rows.name(seat.person_id), at=seat.called_at)
        for seat in seats
        if seat.called_at is not None
    ]
    return parties + members


def _parties(rows: CaseRows, panel_id: UUID) -> list[dict[str, Any]]:
    return [
        {"who": rows.party_label(row.party_id), "there": _there(present=row.present), "note": row.note}
        for row in rows.loaded.attendances
        if row.panel_id == panel_id
    ]


def _members(rows: CaseRows, proceeding: Proceeding, seats: list[Seat]) -> list[dict[str, Any]]:
    """Who was noted; and of a decision, who voted was there, whatever was noted."""
    decided = rows.loaded.decision(proceeding.id) is not None
    voted = {seat.id for seat, _ in votes_of(rows.loaded, proceeding.id)} if decided else set()
    return [
        {
            "who": t("{name}, {part}", name=rows.name(seat.person_id), part=label(seat.role)),
            "there": _there(present=seat.id in voted or bool(seat.attended)),
            "note": "",
        }
        for seat in seats
        if seat.id in voted or seat.attended is not None
    ]


def _there(*, present: bool) -> Text:
    return t("was present") if present else t("was absent")

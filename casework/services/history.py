"""Appending to a case's history, and checking that nobody has changed it since."""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from sqlmodel import Session, col, select

from casework.domain.chain import canonical, commitment, event_hash
from casework.domain.models import Case, Checkpoint, Event
from casework.domain.models.base import Filed
from casework.domain.terms import Part

_OUTSIDE = {"id", "case_id", "salt"}
_CHANGING = {"replaced_by_id", "opened_at", "withdrawn_at", "withdrawn_by", "outcome", "without_merit", "found_in_time"}
_CHANGING |= {"in_time", "warned_at", "warned_by", "warned_how", "left_out_at", "left_out_by", "left_out_because"}


def append(
    session: Session,
    case: Case,
    *,
    at: datetime,
    action: str,
    proceeding_id: UUID | None,
    actor_id: UUID | None,
    part: Part,
    data: Mapping[str, Any],
) -> Event:
    """Write the next event of a case; the caller holds the case's lock and does this last."""
    event = Event(
        case_id=case.id,
        seq=case.head_seq + 1,
        at=at,
        action=action,
        proceeding_id=proceeding_id,
        actor_id=actor_id,
        part=part,
        data=canonical(data),
        prev=case.head_hash,
        hash="",
    )
    event.hash = event_hash(event.prev, _fields(event))
    case.head_seq, case.head_hash = event.seq, event.hash
    session.add(event)
    return event


def committed(row: Filed) -> str:
    """The commitment to a filed row: to everything that is never changed once it is filed."""
    content = {k: v for k, v in row.model_dump().items() if k not in _OUTSIDE | _CHANGING}
    return commitment(row.salt, content)


def verify(session: Session, case: Case) -> int | None:
    """The first sequence number at which a case's chain is broken; None if it is whole."""
    prev, expected = "", 1
    for event in session.exec(select(Event).where(Event.case_id == case.id).order_by(col(Event.seq))):
        if event.seq != expected or event.prev != prev or event.hash != event_hash(prev, _fields(event)):
            return expected
        prev, expected = event.hash, expected + 1
    return None if (case.head_seq, case.head_hash) == (expected - 1, prev) else expected


def checkpoint(session: Session, now: datetime) -> Checkpoint:
    """Chain all cases' heads, so that a cut-off tail is found too (S-AUD4)."""
    heads = session.exec(select(Case.number, Case.head_seq, Case.head_hash).order_by(Case.number)).all()
    last = session.exec(select(Checkpoint).order_by(col(Checkpoint.seq).desc()).limit(1)).first()
    digest = sha256(repr([tuple(head) for head in heads]).encode()).hexdigest()
    prev = last.hash if last else ""
    point = Checkpoint(
        seq=last.seq + 1 if last else 1,
        at=now,
        cases=len(heads),
        heads=digest,
        prev=prev,
        hash=event_hash(prev, {"at": now, "cases": len(heads), "heads": digest}),
    )
    session.add(point)
    return point


def _fields(event: Event) -> dict[str, Any]:
    return {
        "case": event.case_id,
        "seq": event.seq,
        "at": event.at,
        "action": event.action,
        "proceeding": event.proceeding_id,
        "actor": event.actor_id,
        "part": event.part,
        "data": event.data,
    }

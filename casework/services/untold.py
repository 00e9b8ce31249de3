"""Whether a decision is told yet, and a case as it is to who may not know of it before its notices go (R36, R37).

A decision whose notices are held or stopped is known to the body that made it and to the federation's office. To
everybody else the case stands where it stood before: every page, list, count, calendar and paper asks here.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, exists, false, or_, select, true
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from casework.domain.access import Actor, as_party
from casework.domain.errors import NotAllowed
from casework.domain.models import Appeal, Consequence, Deadline, Decision, Event, Notice, Panel, Proceeding, Seat
from casework.domain.models.base import Row
from casework.domain.terms import (
    ActionName,
    Body,
    ConflictState,
    ConsequenceState,
    NoticeKind,
    NoticeState,
    ProceedingKind,
    Role,
    SeatRole,
    State,
)
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.held import TAKEN_IN
from casework.services.consequences import explained, while_appealed
from casework.services.loading import Loaded, Untold
from casework.services.notifying import held
from casework.text import t

R = TypeVar("R", bound=Row)


DELIBERATION = frozenset(
    {
        ActionName.WRITE_NOTE,
        ActionName.COUNT_SCORE,
        ActionName.CAST_VOTE,
        ActionName.CLOSE_BALLOT,
        ActionName.RECORD_ROOM_VOTE,
        ActionName.VOTE_AGAIN,
    }
)
"""Acts that stand in the panel's room alone (S-AC4): no paper shows them before the decision is told."""
_OF_TAKEN_IN = frozenset({NoticeKind.CONCURRED, NoticeKind.STATEMENT_RECEIVED})
"""What tells of a step that is `TAKEN_IN`."""


def kept_from(
    session: Session, actor: Actor, now: datetime, *, cases: Sequence[UUID] | Select[UUID]
) -> tuple[Untold, ...]:
    """The decisions in these cases that the actor is not to know of yet, in one query."""
    if actor.system:
        return ()
    query = (
        select(
            col(Decision.id),
            col(Decision.proceeding_id),
            col(Proceeding.parent_id),
            col(Decision.case_id),
            col(Decision.recorded_at),
        )
        .join(Proceeding, col(Proceeding.id) == col(Decision.proceeding_id))
        .where(col(Decision.case_id).in_(cases), _waits(now), ~_knows(actor))
    )
    return tuple(Untold(*row) for row in session.execute(query))


def withheld(session: Session, case_ids: Sequence[UUID], now: datetime) -> dict[UUID, datetime | None]:
    """Decisions in these cases whose notices wait, and until when; None: they are stopped until somebody acts."""
    query = select(col(Notice.decision_id), col(Notice.held_until), col(Notice.state)).where(
        col(Notice.case_id).in_(case_ids), col(Notice.kind) == NoticeKind.DECISION, held(Notice, now)
    )
    found: dict[UUID, datetime | None] = {}
    for decision_id, until, state in session.execute(query):
        found[decision_id] = None if state is NoticeState.CALLED_BACK else found.get(decision_id, until)
    return found


def is_withheld(session: Session, loaded: Loaded, now: datetime) -> bool:
    """Whether the decision of the proceeding waits to be sent, or its sending is stopped."""
    decision = loaded.decision()
    return decision is not None and decision.id in withheld(session, [loaded.case.id], now)


@contextmanager
def refusing_alike(known: Loaded) -> Iterator[None]:
    """A refusal gives nothing away to who may not know yet what stands in the way."""
    try:
        yield
    except NotAllowed as refusal:
        if known.untold:
            raise NotAllowed(t("This cannot be done right now. Look at the case again in a few minutes.")) from refusal
        raise


def known(actor: Actor, now: datetime) -> ColumnElement[bool]:
    """For a query over notices: whether one is none of a decision that the actor is not to know of yet."""
    kept = (
        select(col(Decision.id))
        .join(Proceeding, col(Proceeding.id) == col(Decision.proceeding_id))
        .where(col(Decision.proceeding_id) == col(Notice.proceeding_id))
        .where(col(Decision.recorded_at) <= col(Notice.due_at), col(Notice.kind).not_in(_OF_TAKEN_IN))
        .where(_waits(now), ~_knows(actor))
        .correlate(Notice)
    )
    return ~kept.exists()


def is_kept(session: Session, notice: Notice, actor: Actor, now: datetime) -> bool:
    """Whether a notice tells what the actor is not to know of yet."""
    kept = kept_from(session, actor, now, cases=[notice.case_id])
    return not notices_before([notice], kept)


def _waits(now: datetime) -> ColumnElement[bool]:
    """Its notices are held or stopped, and nobody has been told in another way."""
    notice = aliased(Notice)
    telling = and_(col(notice.decision_id) == col(Decision.id), col(notice.kind) == NoticeKind.DECISION)
    waits = held(notice, now)
    return and_(exists().where(telling, waits), ~exists().where(telling, ~waits))


def _knows(actor: Actor) -> ColumnElement[bool]:
    """Who decided it, the office, and LK's chair of what LK decides; nobody in his own case."""
    if actor.person_id is None:
        return false()
    sat = (
        select(col(Panel.proceeding_id))
        .join(Seat, col(Seat.panel_id) == col(Panel.id))
        .where(
            col(Seat.person_id) == actor.person_id,
            col(Seat.role) != SeatRole.ATTENDEE,
            col(Seat.conflict) == ConflictState.NONE,
        )
    )
    by_role = false() if actor.link is not None else true() if actor.holds(Role.OFFICE) else _leads(actor)
    return and_(
        or_(by_role, col(Proceeding.id).in_(sat)),
        col(Decision.case_id).not_in(as_party(actor.person_id)),
    )


def _leads(actor: Actor) -> ColumnElement[bool]:
    """R19: not who was recused, sat on the jury or is the case's director."""
    if not actor.holds(Role.LK_CHAIR):
        return false()
    elsewhere = col(Panel.proceeding_id) != col(Decision.proceeding_id)
    barred = (
        exists()
        .where(col(Panel.id) == col(Seat.panel_id), col(Seat.person_id) == actor.person_id)
        .where(col(Panel.proceeding_id).in_(_siblings()), or_(elsewhere, col(Seat.conflict) == ConflictState.RECUSED))
    )
    directs = and_(col(Proceeding.director_id).is_not(None), col(Proceeding.director_id) == actor.person_id)
    return and_(col(Proceeding.body) == Body.LAW_COMMISSION, ~barred, ~directs)


def _siblings() -> Select[UUID]:
    other = aliased(Proceeding)
    return select(col(other.id)).where(col(other.case_id) == col(Decision.case_id))


def may_be_kept(loaded: Loaded) -> bool:
    """Whether a decision of the case can be untold, without a query: a ruling goes at once, what is proven is told."""
    told = {row.decision_id for row in loaded.proofs}
    bodies = {row.id for row in loaded.proceedings if row.kind is not ProceedingKind.RULING}
    return any(at in bodies and decision.id not in told for at, decision in loaded.decisions.items())


def as_reader(session: Session, loaded: Loaded, actor: Actor, now: datetime) -> Loaded:
    """The same as `as_known`, without a query where nothing can be kept from anybody."""
    return as_known(session, loaded, actor, now) if may_be_kept(loaded) else loaded


def as_known(session: Session, loaded: Loaded, actor: Actor, now: datetime) -> Loaded:
    """The case as the actor may know it; the rows that differ are copies in memory, which no unit of work saves."""
    kept = kept_from(session, actor, now, cases=[loaded.case.id])
    if not kept:
        return loaded
    hidden, tried_in = {one.decision_id for one in kept}, {one.proceeding_id for one in kept}
    moved = _moves_since(session, loaded, kept)
    proceedings = [_moved_back(proceeding_before(row, kept), moved[row.id]) for row in loaded.proceedings]
    return replace(
        loaded,
        untold=kept,
        proceeding=next(row for row in proceedings if row.id == loaded.proceeding.id),
        proceedings=proceedings,
        decisions={at: row for at, row in loaded.decisions.items() if row.id not in hidden},
        appeals=[_undecided(row) if row.proceeding_id in tried_in else row for row in loaded.appeals],
        deadlines=[*deadlines_before(loaded.deadlines, kept)],
        proofs=[row for row in loaded.proofs if row.decision_id not in hidden],
    )


def _moves_since(session: Session, loaded: Loaded, kept: Sequence[Untold]) -> Counter[UUID]:
    """How often each proceeding has moved by what is kept: the version of a form tells no more than its page."""
    query = select(Event).where(col(Event.case_id) == loaded.case.id, col(Event.at) >= min(one.at for one in kept))
    since = session.scalars(query.order_by(col(Event.seq))).all()
    shown = {event.seq for event in events_before(since, kept)}
    kinds = {row.id: row.kind for row in loaded.proceedings}
    return Counter(
        event.proceeding_id
        for event in since
        if event.seq not in shown and event.proceeding_id in kinds and _moved(event, kinds[event.proceeding_id])
    )


def _moved_back(row: Proceeding, moves: int) -> Proceeding:
    return _as_if(row, version=row.version - moves) if moves else row


def _moved(event: Event, kind: ProceedingKind) -> bool:
    procedure, name = PROCEDURES[kind], ActionName(event.action)
    return "to" in event.data or (procedure.has(name) and procedure.action(name).moves)


def proceeding_before(row: Proceeding, kept: Iterable[Untold]) -> Proceeding:
    """Where a proceeding stood before what is kept from its reader."""
    if any(one.proceeding_id == row.id for one in kept):
        return _as_if(row, state=State.DELIBERATING, ended_at=None)
    if row.state is State.TRIED and any(one.parent_id == row.id for one in kept):
        return _as_if(row, state=State.APPEALED, ended_at=None)
    return row


def deadlines_before(rows: Iterable[Deadline], kept: Sequence[Untold]) -> Iterable[Deadline]:
    """The times that ran before: what a kept decision ended runs on, what it opened is not there."""
    since = {at: one.at for one in kept for at in (one.proceeding_id, one.parent_id) if at is not None}
    for row in rows:
        at = since.get(row.proceeding_id)
        if at is None or (row.opened_at < at and (row.ended_at is None or row.ended_at < at)):
            yield row
        elif row.opened_at < at:
            yield _as_if(row, ended=None, ended_at=None)


def events_before(rows: Iterable[Event], kept: Sequence[Untold]) -> list[Event]:
    """The history without what is kept, and what has followed of it."""
    events = list(rows)
    signed = {one.proceeding_id: event.seq for one in kept for event in events
              if event.data.get("subject") == str(one.decision_id)}  # fmt: skip
    first = min(signed.values(), default=None)
    parents = {one.parent_id for one in kept}

    def follows(event: Event) -> bool:
        began = signed.get(event.proceeding_id) if event.proceeding_id else None
        tried = event.action == ActionName.BE_TRIED and event.proceeding_id in parents
        if event.action in TAKEN_IN:
            return False
        return (began is not None and event.seq >= began) or (tried and first is not None and event.seq > first)

    return [event for event in events if not follows(event)]


def notices_before(rows: Iterable[Notice], kept: Sequence[Untold]) -> list[Notice]:
    """The notices without those that tell what is kept, or that it has been decided."""
    since = {one.proceeding_id: one.at for one in kept}
    return [
        row
        for row in rows
        if row.kind in _OF_TAKEN_IN or row.proceeding_id not in since or row.due_at < since[row.proceeding_id]
    ]


def consequences_before(
    rows: Iterable[Consequence], kept: Sequence[Untold], body: Body, rulings: Collection[UUID]
) -> list[Consequence]:
    """What followed of earlier decisions, some of them `rulings`, as it was while `body` tried the appeal."""
    hidden, moments = {one.decision_id for one in kept}, {one.at for one in kept}
    known = (row for row in rows if row.decision_id not in hidden)
    return [
        _followed(row, body, of_ruling=row.decision_id in rulings) if row.since in moments else row for row in known
    ]


def _followed(row: Consequence, body: Body, *, of_ruling: bool) -> Consequence:
    if row.state is ConsequenceState.REPLACED:
        words = explained(row.kind, of_ruling=of_ruling)
        return _as_if(row, state=ConsequenceState.PENDING, explanation=words)
    if row.state is ConsequenceState.RELEASED:
        state, explanation = while_appealed(body)[row.kind]
        return _as_if(row, state=state, explanation=explanation)
    return row


def _undecided(row: Appeal) -> Appeal:
    return _as_if(row, outcome=None, without_merit=None, found_in_time=None)


def _as_if(row: R, **values: Any) -> R:
    return type(row).model_validate(row.model_dump() | values)

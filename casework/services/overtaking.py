"""Notices that wait and are overtaken by a newer one: they are not sent, and the proof says so (`workflow.overtaking`).

A mail is taken from the worker with its job; what is past the point of no return goes, as what it said was true then.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from casework.adapters.outbox import take_back
from casework.domain.models import Event, Notice, Proceeding
from casework.domain.terms import Channel, NoticeKind, NoticeState
from casework.domain.workflow.overtaking import OVERTAKEN_BY, OVERTAKING

_WAITING = (NoticeState.DUE, NoticeState.TO_BE_POSTED, NoticeState.CALLED_BACK)


def overtake(session: Session, newer: Sequence[Notice], now: datetime, recorded: Collection[Any] = ()) -> None:
    """Mark what the newer notices of one step overtake. `recorded`: the deadlines that the step is about."""
    telling = [notice for notice in newer if notice.kind in OVERTAKING]
    if not telling:
        return
    waiting = select(Notice).where(
        Notice.proceeding_id == telling[0].proceeding_id,
        col(Notice.state).in_(_WAITING),
        col(Notice.kind).in_([kind for kind, by in OVERTAKEN_BY.items() if by & {one.kind for one in telling}]),
        Notice.due_at < telling[0].due_at,
    )
    found = session.exec(waiting.options(defer(Notice.mime))).all()  # type: ignore[arg-type]  # a column
    _mark(session, found, [one for one in found if _overtaken(session, one, telling, recorded)], now)


def give_up_overtaken(session: Session, notices: Sequence[Notice], now: datetime) -> None:
    """The same of one mail that is to be tried again, or of a letter in its place: something newer may have come."""
    _mark(session, notices, [one for one in notices if newer_of(session, one) is not None], now)


def newer_of(session: Session, notice: Notice) -> Notice | None:
    """The notice that has taken the place of this one, or would if it was sent now."""
    later = select(Notice).where(
        Notice.proceeding_id == notice.proceeding_id,
        Notice.person_id == notice.person_id,
        col(Notice.kind).in_(OVERTAKEN_BY.get(notice.kind, ())),
        Notice.due_at > notice.due_at,
    )
    found = session.exec(later.order_by(col(Notice.due_at)).options(defer(Notice.mime))).all()  # type: ignore[arg-type]
    return next((one for one in found if _overtaken(session, notice, [one], ())), None)


def newer_among(notice: Notice, notices: Iterable[Notice]) -> Notice | None:
    """The same of one that is marked, among all of its case."""
    later = (one for one in notices if one.due_at > notice.due_at and _in_its_place(one, notice))
    return min(later, key=lambda one: one.due_at, default=None)


def _overtaken(session: Session, earlier: Notice, newer: Iterable[Notice], recorded: Collection[Any]) -> bool:
    return any(_in_its_place(one, earlier) and _says_all(session, one, earlier, recorded) for one in newer)


def _in_its_place(newer: Notice, earlier: Notice) -> bool:
    """To the same person, in the same matter."""
    if newer.kind not in OVERTAKEN_BY.get(earlier.kind, ()):
        return False
    matter = (earlier.proceeding_id, earlier.person_id, earlier.party_id, earlier.demand_id)
    same_decision = earlier.decision_id in (None, newer.decision_id)
    return same_decision and matter == (newer.proceeding_id, newer.person_id, newer.party_id, newer.demand_id)


def _says_all(session: Session, newer: Notice, earlier: Notice, recorded: Collection[Any]) -> bool:
    """Of times, all that the earlier one named; that an appeal is withdrawn, only where nothing else is tried."""
    if newer.kind is NoticeKind.APPEAL_WITHDRAWN:
        return session.get_one(Proceeding, newer.proceeding_id).ended_at is not None
    if earlier.kind not in (NoticeKind.TIME_SUSPENDED, NoticeKind.TIME_RESUMED):
        return True
    return _times(session, earlier) <= (set(map(str, recorded)) or _times(session, newer))


def _times(session: Session, notice: Notice) -> set[str]:
    """The deadlines that the step of a notice names."""
    steps = select(Event).where(Event.proceeding_id == notice.proceeding_id, Event.at == notice.due_at)
    return {str(each) for event in session.exec(steps) for each in event.data.get("deadlines", ())}


def _mark(session: Session, waiting: Iterable[Notice], overtaken: Sequence[Notice], now: datetime) -> None:
    """A mail that tells two is given up only where both are told anew."""
    told_anew = {one.id for one in overtaken}
    goes_on = {_carrier(one) for one in waiting if one.state is NoticeState.DUE and one.id not in told_anew}
    given_up = [one for one in overtaken if _carrier(one) not in goes_on]
    stopped = take_back(session, {_carrier(one) for one in given_up if one.state is NoticeState.DUE}, now)
    for one in given_up:
        if one.state is not NoticeState.DUE or _carrier(one) in stopped:
            one.state = NoticeState.OVERTAKEN
            session.add(one)


def _carrier(notice: Notice) -> UUID:
    return notice.carried_by or notice.id if notice.channel is Channel.MAIL else notice.id

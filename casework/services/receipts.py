"""The receipt of what somebody did with a form: what, when, who is told, what happens next and until when (U5)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from sqlalchemy import ColumnElement, and_, func
from sqlmodel import Session, col, select

from casework.domain.access import Actor
from casework.domain.errors import Missing
from casework.domain.labels import label
from casework.domain.models import Attachment, DeadlineMove, Event, FormReceipt, Notice
from casework.domain.terms import ActionName, Channel, DeadlineKind, ProceedingKind
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.audience import parts_of
from casework.services import clockwork, papers, readings
from casework.services.lateness import came_late
from casework.services.loading import Loaded
from casework.services.notice_proof import masked_address
from casework.services.snapshot import snapshot
from casework.services.step import AlreadyDone
from casework.text import Text, t

SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""No sign that can be read as another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Somebody who is told, and how; the address is masked and given only for the reader's own side."""

    name: str
    channel: Channel
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """`happens` are sentences; `until` is the last moment of what happens next."""

    number: str
    title: Text
    action: ActionName
    at: datetime
    told: tuple[Told, ...]
    happens: tuple[Text, ...]
    until: datetime | None
    files: tuple[Attachment, ...]
    subject_id: UUID | None


TITLES: Mapping[ActionName, Text] = {
    ActionName.LODGE_APPEAL: t("The appeal is lodged"),
    ActionName.CONCUR: t("You have concurred in the appeal"),
    ActionName.RECORD_CONCURRENCE: t("The concurrence is recorded"),
    ActionName.DEEM_CONCURRENCE: t("The concurrence is recorded"),
    ActionName.WARN_APPELLANT: t("What you told the appellant is recorded"),
    ActionName.WITHDRAW_APPEAL: t("The appeal has been withdrawn"),
    ActionName.FORWARD_APPEAL: t("The appeal is forwarded"),
    ActionName.FORWARD_IN_PLACE: t("The appeal is forwarded"),
    ActionName.FILE_REPORT: t("The report is filed"),
    ActionName.REPORT_IN_PLACE: t("The report is filed"),
    ActionName.DEMAND_STATEMENTS: t("The parties are asked for statements"),
    ActionName.DEMAND_IN_PLACE: t("The parties are asked for statements"),
    ActionName.FILE_STATEMENT: t("Your statement is filed"),
    ActionName.ENTER_STATEMENT: t("The statement is entered"),
    ActionName.DECLINE_STATEMENT: t("You have said that you have nothing to add"),
    ActionName.LEAVE_OUT: t("The material is left out of account"),
    ActionName.SEND_IN: t("The papers are sent in"),
    ActionName.SEND_IN_IN_PLACE: t("The papers are sent in"),
    ActionName.TAKE_UP: t("The case is taken up"),
    ActionName.REGISTER_CASE: t("The case has been registered"),
}


def done_before(session: Session, loaded: Loaded, actor: Actor, names: Sequence[ActionName]) -> Text | None:
    """That a step which can be taken once has been taken, when and by whom: for who could have taken it himself."""
    events = session.exec(
        select(Event)
        .where(Event.case_id == loaded.case.id, col(Event.action).in_(names))
        .order_by(col(Event.seq).desc())
    )
    for event in events:
        here = next((p for p in loaded.proceedings if p.id == event.proceeding_id), None)
        if here is None:
            continue
        action = PROCEDURES[here.kind].action(ActionName(event.action))
        parts = parts_of(actor, snapshot(readings.around(loaded, here.id)))
        if action.moves and here.state not in action.start and action.who & parts:
            done, by = TITLES.get(action.name, action.done), readings.names(session, loaded, [event.actor_id])
            return t("This is done already: {done}, {at}, by {name}.", done=done, at=event.at, name=by[event.actor_id])
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A form that somebody has sent, and its receipt."""

    form_id: UUID
    case_id: UUID
    title: Text
    at: datetime


def last_sent(session: Session, loaded: Loaded, actor: Actor, names: Sequence[ActionName]) -> Sent | None:
    """The form of such an action that the actor sent last in the case."""
    mine = select(FormReceipt).where(
        FormReceipt.case_id == loaded.case.id,
        FormReceipt.person_id == actor.person_id,
        col(FormReceipt.action).in_(names),
    )
    row = session.exec(mine.order_by(col(FormReceipt.at).desc()).limit(1)).first()
    if row is None or row.action is None:
        return None
    return Sent(form_id=row.id, case_id=loaded.case.id, title=_title(row.action), at=row.at)


def _title(action: ActionName) -> Text:
    """What the receipt of an action is headed, whatever procedure it is of."""
    return TITLES.get(action) or next(p.action(action).done for p in PROCEDURES.values() if p.has(action))


def receipt_number(case_number: str, subject_id: UUID) -> str:
    """The number on page and mail: the case's running number and three signs of what was filed, "0123-7K4"."""
    digest = sha256(subject_id.bytes).digest()
    return f"{case_number.rpartition('-')[2]}-{''.join(SIGNS[byte % len(SIGNS)] for byte in digest[:3])}"


def refuse_repeat(session: Session, case_id: UUID, form_id: str, actor: Actor) -> None:
    """Raise AlreadyDone where the actor has sent this very form before, whatever has become possible since."""
    try:
        row = session.get(FormReceipt, UUID(form_id))
    except ValueError:
        return
    if row is not None and row.case_id == case_id and row.person_id == actor.person_id:
        raise AlreadyDone(row)


def receipt(session: Session, loaded: Loaded, form_id: UUID, actor: Actor) -> Receipt:
    """The receipt of one of the actor's own forms. Raises Missing."""
    row = session.get(FormReceipt, form_id)
    if row is None or row.case_id != loaded.case.id or row.person_id != actor.person_id or row.action is None:
        raise Missing
    event = session.exec(
        select(Event)
        .where(Event.case_id == row.case_id, Event.action == row.action.value, Event.at == row.at)
        .order_by(col(Event.seq).desc())
        .limit(1)
    ).one()
    here = readings.around(loaded, event.proceeding_id) if event.proceeding_id else loaded
    stage_of = _newest(here) if row.action is ActionName.LODGE_APPEAL else here
    happens, until = _next(session, stage_of, row)
    return Receipt(
        number=receipt_number(loaded.case.number, row.subject_id or row.id),
        title=TITLES.get(row.action, _done(here, row.action)),
        action=row.action,
        at=row.at,
        told=_told(session, loaded, event, actor),
        happens=(*happens, clockwork.STANDS_STILL) if clockwork.stop(session) else happens,
        until=until,
        files=tuple(
            file
            for file in papers.attached(session, loaded)
            if row.subject_id is not None and row.subject_id in (file.statement_id, file.appeal_id)
        ),
        subject_id=row.subject_id,
    )


def _newest(loaded: Loaded) -> Loaded:
    return readings.around(loaded, loaded.proceedings[-1].id)


def _done(loaded: Loaded, action: ActionName) -> Text:
    return PROCEDURES[loaded.proceeding.kind].action(action).done


def _next(session: Session, loaded: Loaded, row: FormReceipt) -> tuple[tuple[Text, ...], datetime | None]:
    procedure = PROCEDURES[ProceedingKind(loaded.proceeding.kind)]
    sentences: list[Text] = []
    if row.action in (ActionName.LODGE_APPEAL, ActionName.CONCUR) and row.subject_id:
        view = readings.appeal(session, loaded, row.subject_id)
        sentences += [
            t("{name} must concur and has got a link for it.", name=person.name)
            for person in view.missing
            if view.withdrawn_at is None
        ]
    sentences += _late(loaded, row)
    sentences += _held(session, loaded, row)
    sentences += _times(session, loaded, row)
    if row.action is ActionName.CALL_BACK:
        sentences.append(t("Nobody is told until somebody sends it, in the case."))
    else:
        sentences.append(t("{step}.", step=procedure.stage(loaded.proceeding.state).next_step))
    kinds = (DeadlineKind.FORWARD_APPEAL, DeadlineKind.REPORT, DeadlineKind.SEND_IN, DeadlineKind.DECISION)
    here = (d for d in loaded.deadlines if d.proceeding_id == loaded.proceeding.id and d.kind in kinds)
    running = [d for d in here if d.ended is None and d.instant and d.instant > row.at]
    ours = [d for d in running if d.appeal_id is not None and d.appeal_id == row.subject_id]
    return tuple(sentences), min((d.instant for d in ours or running if d.instant), default=None)


def _held(session: Session, loaded: Loaded, row: FormReceipt) -> Iterator[Text]:
    """Until when what was decided can be stopped (U10)."""
    query = select(func.max(Notice.held_until)).where(
        col(Notice.case_id) == loaded.case.id, col(Notice.due_at) == row.at, col(Notice.held_until) > row.at
    )
    if (until := session.exec(query).one()) is not None and row.action is not ActionName.SEND_NOW:
        yield t("Nobody is told before {at}. Until then it can be stopped, or sent at once, in the case.", at=until)


_MOVES_TIMES = frozenset({ActionName.PROLONG_WINDOW, ActionName.SUSPEND_TIMES, ActionName.LIFT_SUSPENSION})


def _times(session: Session, loaded: Loaded, row: FormReceipt) -> Iterator[Text]:
    """Until when the sides have after a step that moves their times."""
    if row.action not in _MOVES_TIMES:
        return
    moved = select(DeadlineMove.deadline_id).where(
        DeadlineMove.case_id == loaded.case.id, DeadlineMove.moved_at == row.at
    )
    touched = {row.subject_id, *session.exec(moved)}
    parties = {d.party_id for d in loaded.deadlines if d.id in touched and d.party_id is not None}
    for deadline in loaded.deadlines:
        if deadline.party_id in parties and deadline.ended is None:
            party = readings.party_label(loaded, deadline.party_id)
            if deadline.instant is None:
                yield t("The time of {party} stands still.", party=party)
            else:
                yield t("The time of {party} ends {at}.", party=party, at=deadline.instant)


def _late(loaded: Loaded, row: FormReceipt) -> Iterator[Text]:
    """That what was filed came late: it is taken in all the same (R-DL1)."""
    appeal = next((a for a in loaded.appeals if a.id == row.subject_id), None)
    if row.action is ActionName.LODGE_APPEAL and appeal is not None and appeal.in_time is False:
        body = label(loaded.proceeding.body)
        yield t("The appeal came in after the time had run out. Then {body} decides whether it is tried.", body=body)
    if any(s.id == row.subject_id and came_late(loaded, s) for s in loaded.statements):
        yield t("It came in after the time had run out. It stands in the case, and with it when it came in.")


def _told(session: Session, loaded: Loaded, event: Event, actor: Actor) -> tuple[Told, ...]:
    ids = [UUID(str(notice_id)) for notice_id in event.data.get("notices", [])]
    told: ColumnElement[bool] = col(Notice.id).in_(ids)
    if event.action == ActionName.SEND_NOW:  # it tells what another step has written
        told = and_(col(Notice.proceeding_id) == event.proceeding_id, col(Notice.held_until) == event.at)
    rows: Sequence[Notice] = session.exec(select(Notice).where(told)).all()
    called = readings.names(session, loaded, [row.person_id for row in rows])
    mine = readings.party_of(loaded, actor)
    each = {
        row.person_id: Told(
            name=called[row.person_id],
            channel=row.channel,
            address=masked_address(row.address) if _own(row, actor, mine) else "",
        )
        for row in rows
    }
    return tuple(sorted(each.values(), key=lambda one: (not one.address, one.name)))


def _own(row: Notice, actor: Actor, party_id: UUID | None) -> bool:
    return row.person_id == actor.person_id or (party_id is not None and row.party_id == party_id)

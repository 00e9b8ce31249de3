"""Notices are held for some minutes before they go, so that a wrong sending can be stopped.

What is decided is decided when it is signed: stopping takes nothing back, and nothing filed is overwritten. It keeps
the decision from being told, to all of its recipients or to none, so that no party knows before another; meanwhile
no party reads it and nobody's time runs. A decision that is wrong is put right in the body's own way and then told;
until it is sent the office has it among what needs somebody.

What tells when an official score was made available goes at once when it is recorded within 24 hours of that moment:
times of minutes run from it. Recorded or corrected later, to more than ten people in all cases of the session
together, it waits as well, in each of the cases (own reading). The times run from the score and never from the
notice; what is recorded stands, whether the notices are sent or stopped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import defer
from sqlmodel import Session, col, select, update

from casework.adapters.outbox import enqueue, take_back
from casework.domain.access import Actor, as_party
from casework.domain.errors import NotAllowed, Overtaken
from casework.domain.models import Case, Contact, Event, Incident, Notice, OutboxJob, Person, Proceeding, Remark
from casework.domain.shown import Piece, Shown
from casework.domain.terms import ActionName, Channel, JobState, NoticeState, ProceedingKind
from casework.services import notice_proof, untold
from casework.services.engine import confirmed, take
from casework.services.loading import Loaded
from casework.services.notifying import MAIL_JOB, is_held
from casework.services.notifying import held as waits
from casework.services.step import FormInstance, Step
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What one step has to tell and has not told: its recipients, and until when it is held (None: stopped)."""

    notice_id: UUID
    """One of its notices, by which it is named."""
    at: datetime
    score: bool
    """Whether it tells when the official score was made available: nothing else of a ruling's proceeding waits."""
    decision: bool
    """Whether it tells a decision."""
    until: datetime | None
    told: Sequence[tuple[str, Text, str]]
    """Name, how, and the address as it may be shown."""


def held(session: Session, case_id: UUID, actor: Actor, now: datetime, *, masked: bool) -> list[Held]:
    """What is held or stopped in a case and the actor may know of, the oldest first."""
    query = (
        select(Notice, Person, Contact, Proceeding.kind)
        .join(Person, col(Person.id) == col(Notice.person_id))
        .join(Proceeding, col(Proceeding.id) == col(Notice.proceeding_id))
        .outerjoin(Contact, col(Contact.person_id) == col(Notice.person_id))
        .where(Notice.case_id == case_id, col(Notice.held_until).is_not(None), untold.known(actor, now))
        .order_by(col(Notice.due_at), col(Person.family_name), col(Person.given_name))
        .options(defer(Notice.mime))  # type: ignore[arg-type]  # a column
    )
    steps: dict[tuple[datetime, UUID], list[tuple[Notice, Person, Contact | None]]] = {}
    kinds: dict[UUID, ProceedingKind] = {}
    for notice, person, contact, kind in session.exec(query):
        if is_held(notice, now):
            kinds[notice.proceeding_id] = ProceedingKind(kind)
            steps.setdefault((notice.due_at, notice.proceeding_id), []).append((notice, person, contact))
    return [
        Held(
            notice_id=rows[0][0].id,
            at=at,
            score=kinds[proceeding_id] is ProceedingKind.RULING,
            decision=_decision([row[0] for row in rows]) is not None,
            until=rows[0][0].held_until if rows[0][0].state is not NoticeState.CALLED_BACK else None,
            told=[
                (person.name, _how(notice), _address(notice, contact, masked=masked))
                for notice, person, contact in rows
            ],
        )
        for (at, proceeding_id), rows in steps.items()
    ]


def held_scores(session: Session, session_id: UUID, actor: Actor, now: datetime) -> list[tuple[UUID, str]]:
    """The cases, by id and number, in which notices of a session's official score are held or stopped."""
    query = (
        select(Case.id, Case.number)
        .join(Incident, col(Incident.id) == col(Case.incident_id))
        .join(Notice, col(Notice.case_id) == col(Case.id))
        .join(Proceeding, col(Proceeding.id) == col(Notice.proceeding_id))
        .where(
            Incident.session_id == session_id,
            Proceeding.kind == ProceedingKind.RULING,
            col(Notice.held_until).is_not(None),
            waits(Notice, now),
            col(Case.id).not_in(as_party(actor.person_id)),
        )
        .order_by(col(Case.number))
        .distinct()
    )
    return list(session.exec(query))


def shown_held(one: Held | None) -> Shown:
    """Where it is sent from: whom it tells, and how, and whether somebody has stopped it."""
    return Shown({Piece.TOLD: one and one.told, Piece.STOPPED: one and one.until is None})


def _held_now(session: Session, case_id: UUID, notice_id: UUID, actor: Actor, now: datetime) -> Shown:
    """The same, gathered as the page gathers it."""
    found = held(session, case_id, actor, now, masked=True)
    return shown_held(next((one for one in found if one.notice_id == notice_id), None))


def call_back(
    session: Session,
    notice_id: UUID,
    actor: Actor,
    *,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Stop everything that a notice's step would tell: nobody is told, the step itself stands.

    Raises:
        NotAllowed: something of it has begun to go out, or stopping is not the actor's.
        Overtaken: somebody has stopped or sent it already.
    """
    first = session.get_one(Notice, notice_id)
    decision_id = _decision(_of_step(session, first))

    def write(step: Step) -> None:
        notices = [n for n in _of_step(session, first) if n.held_until is not None]
        if not notices or not all(is_held(n, now) and n.state is not NoticeState.CALLED_BACK for n in notices):
            _refuse_overtaken(session, first)
            raise NotAllowed(t("It is too late: the notices have begun to go out."))
        mails = [n.id for n in notices if n.channel is Channel.MAIL and n.carried_by is None]
        if len(take_back(session, mails, now)) != len(mails):
            raise NotAllowed(t("It is too late: the notices have begun to go out."))
        for notice in notices:
            notice.state = NoticeState.CALLED_BACK
            session.add(notice)

    return take(
        session,
        first.proceeding_id,
        ActionName.CALL_BACK,
        actor,
        now=now,
        data={"because": because, "decision_id": decision_id},
        form=form,
        write=write,
    )


def send_now(
    session: Session,
    notice_id: UUID,
    actor: Actor,
    *,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Send what is held, or was stopped, without waiting longer; what was stopped goes to the addresses of today.

    Raises:
        NotAllowed: there is nothing to send, or sending is not the actor's.
        Conflict: it would go to others, or elsewhere, than its page showed, or somebody has stopped or sent it since.
    """
    first = session.get_one(Notice, notice_id)

    def shows(session: Session, case: Loaded) -> Shown:
        found = _held_now(session, case.case.id, notice_id, actor, now)
        if form is not None and form.seen is not None and Piece.STOPPED in found.changed_since(form.seen):
            _refuse_overtaken(session, first)
        return found

    loaded = confirmed(session, first.proceeding_id, form, shows)
    decision_id = _decision(_of_step(session, first))

    def write(step: Step) -> None:
        notices = [n for n in _of_step(session, first) if is_held(n, now)]
        if not notices:
            _refuse_overtaken(session, first)
            raise NotAllowed(t("There is nothing that waits to be sent."))
        for notice in notices:
            if notice.state is NoticeState.CALLED_BACK:
                _revive(session, notice)
            notice.held_until = now
            session.add(notice)
        mails = [n.id for n in notices if n.channel is Channel.MAIL and n.carried_by is None]
        session.exec(
            update(OutboxJob)
            .where(col(OutboxJob.subject_id).in_(mails), col(OutboxJob.state) == JobState.DUE)
            .values(state=JobState.CALLED_BACK, done_at=now)
        )
        for mail_id in mails:
            enqueue(
                session,
                kind=MAIL_JOB,
                subject_id=mail_id,
                case_id=step.loaded.case.id,
                dedupe_key=f"mail:{mail_id}:{now.isoformat()}",
                due=now,
            )

    return take(
        session,
        loaded,
        ActionName.SEND_NOW,
        actor,
        now=now,
        data={"decision_id": decision_id},
        form=form,
        write=write,
    )


def _refuse_overtaken(session: Session, first: Notice) -> None:
    """Say who has stopped or sent it since, when, and why (R-TWO1): what follows is a new step, by who knows of it."""
    stopped = first.state is NoticeState.CALLED_BACK
    done = (
        select(Event, Person)
        .join(Person, col(Person.id) == col(Event.actor_id))
        .where(Event.proceeding_id == first.proceeding_id, col(Event.at) >= first.due_at)
        .where(Event.action == (ActionName.CALL_BACK if stopped else ActionName.SEND_NOW))
        .where(stopped or Event.at == first.held_until)
        .order_by(col(Event.seq).desc())
    )
    newest = session.exec(done).first()
    if newest is None:
        return
    event, by = newest
    if not stopped:
        raise Overtaken(t("{name} sent it {when}. It can no longer be stopped, and is not sent twice.", name=by.name,
                          when=event.at))  # fmt: skip
    given = select(Remark.text).where(
        Remark.proceeding_id == first.proceeding_id,
        Remark.action == ActionName.CALL_BACK,
        Remark.written_at == event.at,
    )
    why = session.exec(given).first() or ""
    raise Overtaken(t("{name} stopped the sending {when}: “{why}” You have sent nothing. See how it stands before you "
                      "send it.", name=by.name, when=event.at, why=why))  # fmt: skip


def _of_step(session: Session, first: Notice) -> Sequence[Notice]:
    query = select(Notice).where(Notice.proceeding_id == first.proceeding_id, Notice.due_at == first.due_at)
    return session.exec(query.order_by(col(Notice.id)).with_for_update()).all()


def _revive(session: Session, notice: Notice) -> None:
    """Due again, each by himself: addresses may differ now."""
    contact = session.exec(select(Contact).where(Contact.person_id == notice.person_id)).first()
    if notice.channel is Channel.MAIL and contact is not None and contact.email:
        notice.address = contact.email
    notice.carried_by = None
    notice.state = NoticeState.DUE if notice.channel is Channel.MAIL else NoticeState.TO_BE_POSTED


def _decision(notices: Sequence[Notice]) -> UUID | None:
    """The decision that a step's notices tell, whoever of its recipients is named first."""
    return next((notice.decision_id for notice in notices if notice.decision_id), None)


def _how(notice: Notice) -> Text:
    return t("by mail") if notice.channel is Channel.MAIL else t("by letter")


def _address(notice: Notice, contact: Contact | None, *, masked: bool) -> str:
    """Where it goes; what was stopped goes to the address of today."""
    today = notice.state is NoticeState.CALLED_BACK and notice.channel is Channel.MAIL
    address = contact.email if today and contact is not None and contact.email else notice.address
    return notice_proof.masked_address(address) if masked else address

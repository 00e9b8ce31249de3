"""How the sending of notices is recorded: what went out, what came back, and from when somebody is proven told.

A proof is a step like any other: with it the party's own time begins to run (R32, R37, R-PROOF1).
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters import durations
from casework.adapters.mail import message_id
from casework.adapters.outbox import enqueue
from casework.adapters.smtp import Handover, Trouble
from casework.domain.access import SYSTEM, Actor
from casework.domain.delivery import OurReason, SmtpPhase
from casework.domain.errors import Invalid, NotAllowed
from casework.domain.minutes import whole_minute
from casework.domain.models import Contact, DeliveryTry, Link, Notice, Person, Proceeding
from casework.domain.operation import WorkKind
from casework.domain.terms import ActionName, Channel, NoticeKind, NoticeState
from casework.domain.workflow.audience import parts_of
from casework.domain.workflow.facts import ProofFacts
from casework.domain.workflow.lodging import TELLERS
from casework.services.engine import locked, take
from casework.services.handing_over import begin_sending, domain_of, of_one_mail, record_sending, to_send
from casework.services.instead import write_instead
from casework.services.loading import Loaded
from casework.services.notice_words import (
    PaperLetter,
    letter_for,
    message_for,
    with_links,
)
from casework.services.notifying import MAIL_JOB
from casework.services.overtaking import give_up_overtaken, overtake
from casework.services.snapshot import snapshot
from casework.services.step import FormInstance, Step
from casework.text import Text, t

__all__ = [
    "PaperLetter",
    "begin_sending",
    "letter_for",
    "message_for",
    "note_opened",
    "record_arrived",
    "record_bounce",
    "record_failure",
    "record_handover",
    "record_later",
    "record_not_needed",
    "record_sending",
    "record_unsure",
    "send_link",
    "to_send",
    "with_links",
]

_PROOF_COUNTS = frozenset({NoticeKind.RULING, NoticeKind.DECISION, NoticeKind.SUMMONS})
"""Kinds whose proof the procedure asks for; so is every notice about a demand."""
UNDELIVERED = frozenset({NoticeState.UNSURE, NoticeState.BOUNCED, NoticeState.FAILED})
"""Mails that did not arrive, or may not have."""


def record_handover(session: Session, notice_id: UUID, handover: Handover) -> None:
    """The mail server took it: that is the proof (R-PROOF1), and it starts the party's time."""
    came = Trouble(handover.at, SmtpPhase.ACCEPTED, handover.reply, handover.remote)
    notices = of_one_mail(session, notice_id)
    for notice in notices:
        case = locked(session, notice.proceeding_id) if _starts_time(notice) else None  # before anything is changed
        with session.no_autoflush:  # delivery and proof are written at once
            _note_answer(notice, came)
            notice.state, notice.handed_over_at = NoticeState.HANDED_OVER, handover.at
            notice.message_id, notice.sha256, notice.template = handover.message_id, handover.sha256, handover.template
            notice.subject = handover.subject[:300]
            if notice.id == notice_id:
                notice.mime = handover.kept
            session.add(notice)
            note_tried(session, notice, handover.at)
            _prove(session, notice, handover.at, case)
        session.flush()
    mailed = notices[0]
    waited = handover.at - (mailed.held_until or mailed.due_at)
    durations.count(session, WorkKind.NOTICE, mailed.kind, waited.total_seconds())


def record_later(session: Session, notice_id: UUID, trouble: Trouble) -> None:
    """The server said "later", or nothing: the notice is still due, and somebody can see why it waits (F18)."""
    waiting = one_mail(session, notice_id, trouble)
    for notice in waiting:
        session.add(notice)
        note_tried(session, notice, trouble.at)
    give_up_overtaken(session, waiting, trouble.at)


def record_not_needed(session: Session, notice_id: UUID) -> None:
    """What it asked for was done or over before it went: nobody is told, and its proof says why."""
    for notice in of_one_mail(session, notice_id):
        notice.state, notice.reply = NoticeState.OVERTAKEN, OurReason.NOT_NEEDED
        session.add(notice)


def record_bounce(session: Session, notice_id: UUID, trouble: Trouble) -> None:
    """The address is refused for good: the same notice becomes a letter to be posted."""
    for notice in one_mail(session, notice_id, trouble):
        if notice.state is not NoticeState.BOUNCED:
            notice.state = NoticeState.BOUNCED
            session.add(notice)
            note_tried(session, notice, trouble.at)
            write_instead(session, notice, trouble.at)


def record_unsure(session: Session, notice_id: UUID, trouble: Trouble) -> None:
    """It may have arrived: it proves nothing until the link is opened or somebody has asked (R-ONCE2)."""
    for notice in one_mail(session, notice_id, trouble):
        notice.state = NoticeState.UNSURE
        notice.message_id = message_id(notice_id)
        session.add(notice)
        died = trouble.message is None and notice.built_at is not None
        note_tried(session, notice, notice.built_at if died and notice.built_at else trouble.at)


def record_failure(session: Session, notice_id: UUID, trouble: Trouble) -> None:
    """It was not sent and will not be by itself."""
    for notice in one_mail(session, notice_id, trouble):
        notice.state = NoticeState.FAILED
        session.add(notice)
        note_tried(session, notice, trouble.at)


def record_arrived(
    session: Session,
    notice_id: UUID,
    actor: Actor,
    *,
    arrived_at: datetime,
    note: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Somebody knows that it arrived, and how: from then the party is told.

    Raises:
        Invalid: the instant lies in the future, or before the notice was due or posted.
        NotAllowed: it is proven already or not posted, or recording is not the actor's.
    """
    notice = session.get_one(Notice, notice_id)
    if notice.proven_at is not None:
        raise NotAllowed(t("It is already recorded that this notice arrived."))
    if notice.state is NoticeState.TO_BE_POSTED:
        raise NotAllowed(t("The letter is not recorded as posted. Do that first."))
    refuse_arrival(notice, arrived_at, now)
    notice.proof_note = note.strip()
    return take_proof(session, notice, actor, arrived_at, now=now, form=form)


def refuse_arrival(notice: Notice, arrived_at: datetime, now: datetime) -> None:
    """Refuse a time at which a notice cannot have arrived. Raises Invalid as `record_arrived`."""
    if arrived_at > now:
        raise Invalid({"arrived_at": t("The notice cannot have arrived in the future.")})
    if arrived_at < whole_minute(notice.due_at):
        raise Invalid({"arrived_at": t("The notice cannot have arrived before it was written.")})
    if words := not_before_posted(notice, arrived_at):
        raise Invalid({"arrived_at": words})


def not_before_posted(notice: Notice, arrived_at: datetime) -> Text | None:
    """Why a letter cannot have arrived at a time that is typed to the minute."""
    posted = notice.handed_over_at
    if notice.channel is not Channel.LETTER or not posted or arrived_at >= whole_minute(posted):
        return None
    return t("The letter was posted {posted}, so it cannot have arrived before that.", posted=posted)


def note_opened(session: Session, link_id: UUID, now: datetime) -> None:
    """The link was opened: its reader has what was sent to him, although nothing else may prove it."""
    sent = (NoticeState.HANDED_OVER, NoticeState.UNSURE, NoticeState.POSTED)
    unopened = select(Notice).where(
        Notice.link_id == link_id, col(Notice.opened_at).is_(None), col(Notice.state).in_(sent), Notice.due_at <= now
    )
    for notice in session.exec(unopened.order_by(col(Notice.due_at))).all():
        notice.opened_at = now
        if notice.state is NoticeState.UNSURE:
            notice.state = NoticeState.HANDED_OVER
        session.add(notice)
        _prove(session, notice, now)


def send_link(session: Session, link: Link, now: datetime) -> None:
    """Mail somebody his new link, to the registered address and to no other; nothing where there is none."""
    address = registered(session, link.person_id)
    if not address:
        return
    newest = select(Proceeding).where(Proceeding.case_id == link.case_id).order_by(col(Proceeding.opened_at).desc())
    proceeding = session.exec(newest).first()
    if proceeding is None:
        raise LookupError("a case has a proceeding")
    notice = Notice(
        case_id=link.case_id,
        proceeding_id=proceeding.id,
        kind=NoticeKind.LINK,
        channel=Channel.MAIL,
        state=NoticeState.DUE,
        person_id=link.person_id,
        party_id=link.party_id,
        link_id=link.id,
        address=address,
        language=session.get_one(Person, link.person_id).language,
        due_at=now,
    )
    session.add(notice)
    _enqueue(session, notice, f"mail:{notice.id}", now)
    overtake(session, [notice], now)


def one_mail(session: Session, notice_id: UUID, came: Trouble) -> Sequence[Notice]:
    """The notices of one mail, its carrier first, with how far it came and what was answered."""
    notices = of_one_mail(session, notice_id)
    for notice in notices:
        _note_answer(notice, came)
    return notices


def _note_answer(notice: Notice, came: Trouble) -> None:
    notice.phase, notice.remote, notice.reply = came.phase, came.remote or notice.remote, came.reply[:500]
    if came.message is None:
        return
    if came.phase is SmtpPhase.FINAL_DOT:  # every byte of it has gone
        notice.sha256 = came.message.sha256
        notice.mime = came.message.kept if notice.carried_by is None else None
    elif notice.sha256 == came.message.sha256:  # no byte of it was taken: it was only about to go
        notice.sha256, notice.mime, notice.built_at = "", None, None
    if not notice.sha256 or notice.sha256 == came.message.sha256:
        notice.message_id, notice.template = came.message.message_id, came.message.template
        notice.subject = came.message.subject[:300]


def note_tried(session: Session, notice: Notice, at: datetime) -> None:
    """Keep the try beside all earlier ones; persons told by one mail share it."""
    if notice.carried_by is None and notice.phase is not None:
        session.add(
            DeliveryTry(
                notice_id=notice.id,
                at=at,
                state=notice.state,
                phase=notice.phase,
                remote=notice.remote,
                reply=notice.reply,
                address=notice.address,
                domain=domain_of(notice),
            )
        )


def counts(notice: Notice) -> bool:
    """Whether a party's time, or the procedure's course, hangs on the proof of this notice."""
    return notice.party_id is not None and (notice.kind in _PROOF_COUNTS or notice.demand_id is not None)


def _starts_time(notice: Notice) -> bool:
    """Whether a delivery of it is a step in the case: nothing has proved it yet, and something hangs on it."""
    return notice.proven_at is None and counts(notice)


def _prove(session: Session, notice: Notice, at: datetime, case: Loaded | None = None) -> None:
    """Take a delivery as proof, unless there is an earlier one. `case` is given where it is locked already."""
    if _starts_time(notice):
        take_proof(session, notice, SYSTEM, at, now=at, case=case)
    elif notice.proven_at is None:
        notice.proven_at = at
        session.add(notice)


def take_proof(
    session: Session,
    notice: Notice,
    actor: Actor,
    at: datetime,
    *,
    now: datetime,
    form: FormInstance | None = None,
    case: Loaded | None = None,
) -> Step:
    """Take the step that says from when somebody is told; his party's time begins to run."""

    def write(step: Step) -> None:
        notice.proven_at, notice.proven_by = at, step.actor.person_id
        session.add(notice)

    proof = ProofFacts(
        kind=notice.kind,
        person_id=notice.person_id,
        party_id=notice.party_id,
        decision_id=notice.decision_id,
        demand_id=notice.demand_id,
        at=at,
    )
    return take(
        session,
        case or notice.proceeding_id,
        ActionName.RECORD_PROOF,
        actor,
        now=now,
        data={"proofs": (proof,), "happened_at": at, "recorded": {"sha256": notice.sha256} if notice.sha256 else {}},
        subject_id=notice.id,
        party_id=notice.party_id,
        form=form,
        write=write,
    )


def refuse_others(session: Session, notice: Notice, actor: Actor, case: Loaded | None = None) -> None:
    """Sending is the work of those who may tell a party, in this very case; `case` where it is locked already."""
    loaded = case or locked(session, notice.proceeding_id)
    if not TELLERS & parts_of(actor, snapshot(loaded)):
        raise NotAllowed(t("This is not yours to do: {action}.", action=t("Send notices")))


def registered(session: Session, person_id: UUID) -> str:
    """The mail address that the register has now; empty where there is none."""
    return contact_of(session, person_id).email


def contact_of(session: Session, person_id: UUID) -> Contact:
    """What the register has now of where to reach a person; all of it empty where it has nothing."""
    found = session.exec(select(Contact).where(Contact.person_id == person_id)).first()
    return found or Contact(person_id=person_id)


def _enqueue(session: Session, notice: Notice, key: str, now: datetime) -> None:
    enqueue(session, kind=MAIL_JOB, subject_id=notice.id, case_id=notice.case_id, dedupe_key=key, due=now)

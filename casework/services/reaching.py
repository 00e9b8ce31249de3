"""Who was not reached by mail: what came back, what was not opened, the mail, call or letter after it (R-PROOF2)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from casework.adapters import bounces
from casework.adapters.outbox import enqueue
from casework.adapters.smtp import Trouble
from casework.domain.access import SYSTEM, Actor
from casework.domain.delivery import SmtpPhase
from casework.domain.errors import Invalid, NotAllowed
from casework.domain.models import Case, Notice
from casework.domain.rules.procedure import ProcedureProfile
from casework.domain.shown import Piece, Shown
from casework.domain.terms import ActionName, Channel, NoticeState
from casework.domain.workflow import guards
from casework.services.engine import locked, take
from casework.services.instead import letter_instead, write_instead
from casework.services.notice_proof import masked_address
from casework.services.notices import (
    UNDELIVERED,
    contact_of,
    counts,
    note_tried,
    one_mail,
    refuse_others,
    registered,
    take_proof,
)
from casework.services.notifying import MAIL_JOB, is_held
from casework.services.overtaking import newer_of
from casework.services.reopening import reopen
from casework.services.step import AlreadyDone, FormInstance, remember_form
from casework.settings import get_settings
from casework.text import t

MOST = 200
"""How many messages or notices are looked at in one go."""
_SENT = (NoticeState.HANDED_OVER, NoticeState.UNSURE)


def read_mailbox(session: Session, now: datetime) -> None:
    """Record what has come back. A message is put away when it changes nothing: so none is lost with its unit.

    Raises NoMailbox where the settings name a Maildir that cannot be read.
    """
    maildir = get_settings().bounce_mailbox
    if maildir is None:
        return
    if get_settings().bounce_maildir is not None:
        bounces.refuse_unusable(maildir)
    for message in bounces.waiting(maildir, MOST):
        found = bounces.read(message)
        if found is None or not record_return(session, found.notice_id, now, found.said):
            bounces.put_away(message, understood=found is not None)


def record_return(session: Session, notice_id: UUID, at: datetime, said: str) -> bool:
    """A mail that was handed over came back: its proof falls, and a letter goes in its place. Whether this is news.

    Who has opened his link since has what was sent to him; for him nothing changes.
    """
    carrier = session.get(Notice, notice_id)
    if carrier is None or carrier.state not in _SENT or carrier.phase is SmtpPhase.RETURNED:
        return False
    remote = carrier.remote
    for notice in one_mail(session, notice_id, Trouble(at, SmtpPhase.RETURNED, said, remote)):
        if notice.opened_at is None:
            notice.state = NoticeState.BOUNCED
            write_instead(session, notice, at)
            _unprove(session, notice, at)
        session.add(notice)
        note_tried(session, notice, at)
    return True


def _unprove(session: Session, notice: Notice, at: datetime) -> None:
    """Take a proof back that rested on the handover alone; time that ran from it does not run (R32)."""
    if notice.proven_at is None or notice.proven_by is not None:
        return
    notice.proven_at = None
    session.add(notice)
    session.flush()
    if counts(notice):
        step = take(
            session,
            notice.proceeding_id,
            ActionName.RECORD_RETURN,
            SYSTEM,
            now=at,
            subject_id=notice.id,
            party_id=notice.party_id,
        )
        reopen(session, step.loaded, at)


def find_unopened(session: Session, now: datetime) -> None:
    """Ask the office to reach those who have had a mail for the profile's days and not opened it (R-PROOF2)."""
    query = (
        select(Notice, Case.profile)
        .join(Case, col(Case.id) == col(Notice.case_id))
        .where(
            Notice.state == NoticeState.HANDED_OVER,
            col(Notice.opened_at).is_(None),
            col(Notice.unopened_at).is_(None),
            col(Notice.link_id).is_not(None),
            col(Notice.party_id).is_not(None),
            col(Notice.handed_over_at) < now - timedelta(days=1),
        )
        .order_by(col(Notice.handed_over_at))
        .limit(MOST)
        .options(defer(Notice.mime))  # type: ignore[arg-type]  # a column
    )
    for notice, stored in session.exec(query).all():
        days = ProcedureProfile.from_json(stored).number("unopened")
        sent = notice.handed_over_at
        if counts(notice) and sent is not None and sent + timedelta(days=days) <= now:
            notice.unopened_at = now
            session.add(notice)


def send_letter(
    session: Session, notice_id: UUID, actor: Actor, *, now: datetime, form: FormInstance | None = None
) -> Notice:
    """Make a letter in place of a mail that did not arrive or is not opened; the proof of the mail stands.

    Raises:
        AlreadyDone: the form's instance has made the letter before.
        NotAllowed: it arrived, something is under way in its place, or sending is not the actor's.
    """
    _refuse_repeated(session, notice_id, form)
    notice = _unreached(session, notice_id, actor)
    if notice.state is NoticeState.TO_BE_POSTED:
        raise NotAllowed(t("The letter is made already and waits to be posted."))
    letter = letter_instead(notice)
    session.add(letter)
    remember_form(session, form, person_id=actor.person_id, case_id=letter.case_id, at=now, subject_id=letter.id)
    return letter


def _refuse_repeated(session: Session, notice_id: UUID, form: FormInstance | None) -> None:
    """Raise AlreadyDone where this very form has taken effect (R-DBL1); the notice's case is locked."""
    receipt = locked(session, session.get_one(Notice, notice_id).proceeding_id, form).receipt
    if receipt is not None:
        raise AlreadyDone(receipt)


def record_call(
    session: Session,
    notice_id: UUID,
    actor: Actor,
    *,
    at: datetime,
    note: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Notice:
    """The person was told by telephone: proof of its own, from when he was, unless there is an earlier one.

    Raises:
        AlreadyDone: the form's instance has recorded it before.
        Invalid: the instant lies in the future or before the notice was due; nothing is written about the call.
        NotAllowed: as `send_letter`, or the letter itself still waits to be sent.
    """
    _refuse_repeated(session, notice_id, form)
    notice = _unreached(session, notice_id, actor)
    if is_held(notice, now):
        raise NotAllowed(guards.WAITS)
    if not note.strip():
        raise Invalid({"note": t("Write whom you talked to and what you said.")})
    if at > now:
        raise Invalid({"at": t("The call cannot have been in the future.")})
    if at < notice.due_at:
        raise Invalid({"at": t("The call cannot have been before the notice was written.")})
    call = letter_instead(notice)
    call.channel, call.state = Channel.PHONE, NoticeState.TOLD
    call.handed_over_at, call.proof_note = at, note.strip()
    call.address = contact_of(session, notice.person_id).phone
    session.add(call)
    session.flush()
    if counts(call):
        take_proof(session, call, actor, at, now=now, form=form)
    else:
        call.proven_at, call.proven_by = at, actor.person_id
        remember_form(session, form, person_id=actor.person_id, case_id=call.case_id, at=now, subject_id=call.id)
    return call


def _unreached(session: Session, notice_id: UUID, actor: Actor) -> Notice:
    notice = session.get_one(Notice, notice_id, with_for_update=True)
    refuse_others(session, notice, actor)
    if not is_unreached(notice):
        raise NotAllowed(t("This person has been reached already."))
    if replacements(session, notice_id):
        raise NotAllowed(t("A letter or a call stands in for this notice already."))
    return notice


def is_unreached(notice: Notice) -> bool:
    """Whether somebody should call or write: nothing proves that it arrived, or its reader has not opened it."""
    waits = notice.state in (NoticeState.UNSURE, NoticeState.FAILED, NoticeState.TO_BE_POSTED, NoticeState.POSTED)
    unopened = notice.unopened_at is not None and notice.opened_at is None
    return unopened or (waits and notice.proven_at is None)


def replacements(session: Session, notice_id: UUID) -> Sequence[Notice]:
    """What stands in for a notice, the oldest first."""
    return session.exec(select(Notice).where(Notice.replaces_id == notice_id).order_by(col(Notice.id))).all()


def shown_again(address: str) -> Shown:
    """The page that sends a mail again: where it goes."""
    return Shown({Piece.TOLD: masked_address(address)})


def send_again(
    session: Session,
    notice_id: UUID,
    actor: Actor,
    *,
    now: datetime,
    although_it_may_be_there: bool = False,
    form: FormInstance | None = None,
) -> None:
    """Try a mail once more, to the address that the register has now (R-ONCE2: a double has the same Message-ID).

    Raises:
        AlreadyDone: the form's instance has sent it before.
        Invalid: it may have arrived, and nobody has said that it is to be sent all the same.
        NotAllowed: the mail is on its way or delivered, there is no address, or it is not the actor's.
        Conflict: it would go elsewhere than the page showed.
    """
    _refuse_repeated(session, notice_id, form)
    notice = session.get_one(Notice, notice_id, with_for_update=True)
    refuse_others(session, notice, actor)
    address = registered(session, notice.person_id)
    stands = session.exec(select(Notice.id).where(Notice.replaces_id == notice_id)).first()
    if notice.channel is not Channel.MAIL or notice.state not in UNDELIVERED or not address or stands:
        raise NotAllowed(t("This notice cannot be sent again."))
    if form is not None and form.seen is not None:
        shown_again(address).refuse_unseen(form.seen)
    if notice.state is NoticeState.UNSURE and not although_it_may_be_there:
        raise Invalid({"anyway": t("Tick that you want to send it although it may have arrived already.")})
    if newer_of(session, notice) is not None:
        raise NotAllowed(t("A newer notice has taken its place, so it is not sent any more."))
    notice.state, notice.address, notice.phase = NoticeState.DUE, address, None
    session.add(notice)
    key = f"mail:{notice.id}:{now.isoformat()}"
    enqueue(session, kind=MAIL_JOB, subject_id=notice.id, case_id=notice.case_id, dedupe_key=key, due=now)
    remember_form(session, form, person_id=actor.person_id, case_id=notice.case_id, at=now, subject_id=notice.id)

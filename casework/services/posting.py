"""That a letter is posted, and when: noted by a person, who can have been mistaken (R37)."""

from datetime import datetime
from uuid import UUID

from sqlmodel import Session

from casework.domain.access import Actor
from casework.domain.errors import Invalid, NotAllowed
from casework.domain.minutes import whole_minute
from casework.domain.models import Notice, Posting
from casework.domain.terms import NoticeState
from casework.services import case_files
from casework.services.engine import locked
from casework.services.notice_words import postal_address
from casework.services.notices import contact_of, refuse_others
from casework.services.notifying import is_held
from casework.services.step import AlreadyDone, FormInstance, remember_form
from casework.text import Text, t


def record_posted(
    session: Session, notice_id: UUID, actor: Actor, *, at: datetime, now: datetime, note: str = ""
) -> None:
    """The letter is in the post since `at`, as it was printed by then: that print's bytes and hash are kept (R-PROOF1).

    It proves nothing until `notices.record_arrived`.

    Raises:
        Invalid: the instant lies in the future, or before the letter was to be posted.
        NotAllowed: the notice is no letter to be posted, or posting is not the actor's.
    """
    notice = session.get_one(Notice, notice_id)
    refuse_others(session, notice, actor)
    if notice.state is NoticeState.OVERTAKEN:
        raise NotAllowed(t("A newer notice has taken the place of this letter, so it is not to be posted."))
    if notice.state is not NoticeState.TO_BE_POSTED or is_held(notice, now):
        raise NotAllowed(t("This is no letter that waits to be posted."))
    _refuse(notice, at, now)
    notice.state, notice.proof_note = NoticeState.POSTED, note.strip()
    notice.address = ", ".join(postal_address(contact_of(session, notice.person_id)))
    _note(session, notice, actor, at, now)


def correct_posted(
    session: Session,
    notice_id: UUID,
    actor: Actor,
    *,
    at: datetime,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> None:
    """The letter was posted at another time than was noted. No time runs from it, so nothing is moved.

    Raises:
        AlreadyDone: the form's instance has taken effect before.
        Invalid: as `record_posted`, or the letter had arrived by then, or it is the time that stands.
        NotAllowed: the notice is no posted letter, or posting is not the actor's.
    """
    notice = session.get_one(Notice, notice_id)
    loaded = locked(session, notice.proceeding_id, form)
    if loaded.receipt is not None:
        raise AlreadyDone(loaded.receipt)
    refuse_others(session, notice, actor, loaded)
    if notice.state is not NoticeState.POSTED or notice.handed_over_at is None:
        raise NotAllowed(t("The letter is not recorded as posted. Do that first."))
    if at == notice.handed_over_at:
        raise Invalid({"posted_at": t("This is the time that is recorded already.")})
    _refuse(notice, at, now)
    _note(session, notice, actor, at, now, because=because.strip())
    remember_form(session, form, person_id=actor.person_id, case_id=notice.case_id, at=now, subject_id=notice.id)


def _note(session: Session, notice: Notice, actor: Actor, at: datetime, now: datetime, *, because: str = "") -> None:
    if actor.person_id is None:
        raise NotAllowed(t("This is not yours to do: {action}.", action=t("Send notices")))
    notice.handed_over_at = at
    if notice.proven_at is None:  # with the proof the history has taken the hash
        printed = case_files.print_at(session, notice, at)
        notice.sha256 = printed.sha256 if printed else ""
    session.add(notice)
    session.add(Posting(notice_id=notice.id, posted_at=at, noted_at=now, noted_by=actor.person_id, because=because))


def _refuse(notice: Notice, at: datetime, now: datetime) -> None:
    if words := _impossible(notice, at, now):
        raise Invalid({"posted_at": words})


def _impossible(notice: Notice, at: datetime, now: datetime) -> Text | None:
    due, arrived = notice.held_until or notice.due_at, notice.proven_at
    if at > now:
        return t("The letter cannot have been posted in the future.")
    if at < whole_minute(due):
        return t("The letter was to be posted from {due}, so it cannot have been posted before that.", due=due)
    if arrived is not None and whole_minute(at) > arrived:
        return t("The letter arrived {arrived}, so it cannot have been posted after that.", arrived=arrived)
    return None

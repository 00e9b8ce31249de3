"""Letters for people without mail: made as PDF, posted, and known to have arrived (R37)."""

from uuid import UUID

from flask import Response, request, url_for

from casework.domain.access import Permission
from casework.domain.terms import NoticeState
from casework.services import case_files, notices, posting
from casework.services import letters as letters_of
from casework.services.letters import LetterPage
from casework.web import typed
from casework.web.acting import EDIT, FILE, pressed
from casework.web.case_files.blueprint import blueprint
from casework.web.case_files.forms import ArrivedForm, PostedForm, RightPostedForm
from casework.web.forms import Form
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.sessions import current_actor
from casework.web.time_fields import begin_with
from casework.web.units import reading, write

_LETTER = "/arenden/<uuid:case_id>/brev/<uuid:notice_id>"


@blueprint.get("/brev")
@permission(Permission.RUN_TOURNAMENT)
def letters() -> Response:
    """What waits to be posted, and what is posted and not known to have arrived."""
    with reading() as session:
        waiting, posted = letters_of.letters(session, current_actor())
    return page("case_files/letters.html", waiting=waiting, posted=posted)


@blueprint.route(_LETTER, methods=["GET", "POST"])
@permission(Permission.READ_PROOF)
def letter(case_id: UUID, notice_id: UUID) -> Response:
    """One letter: whom it goes to, its PDF, and what is to be recorded about it."""
    view, form = _read(case_id, notice_id), Form()
    if form.sent():
        write(lambda session: case_files.ask_for_letter(session, notice_id, current_actor(), now=now()))
        return see_other(url_for("case_files.letter", case_id=case_id, notice_id=notice_id))
    return page("case_files/letter.html", form=form, view=view)


@blueprint.route(f"{_LETTER}/postat", methods=["GET", "POST"])
@permission(Permission.READ_PROOF)
def posted(case_id: UUID, notice_id: UUID) -> Response:
    """The letter is in the post; sent twice it is recorded once."""
    view, form = _read(case_id, notice_id), PostedForm()
    if view.notice.state is NoticeState.POSTED:
        return _to_receipt(case_id, notice_id)
    if form.sent():
        with form.showing_errors():
            write(
                lambda session: posting.record_posted(
                    session, notice_id, current_actor(), at=form.posted_at.instant or now(), now=now()
                )
            )
            return _to_receipt(case_id, notice_id)
    elif request.method == "GET":
        begin_with(form, form.posted_at, now())
    return page("case_files/posted.html", form=form, view=view)


@blueprint.route(f"{_LETTER}/postat/ratta", methods=["GET", "POST"])
@permission(Permission.READ_PROOF)
def correct_posted(case_id: UUID, notice_id: UUID) -> Response:
    """The letter was posted at another time than was noted: what was noted is kept beside it; sent twice, once."""
    view, form = _read(case_id, notice_id), RightPostedForm()
    if view.notice.state is not NoticeState.POSTED:
        return see_other(url_for("case_files.letter", case_id=case_id, notice_id=notice_id))
    if form.sent():
        with form.showing_errors():
            with typed.once():
                write(
                    lambda session: posting.correct_posted(
                        session,
                        notice_id,
                        current_actor(),
                        at=form.posted_at.instant or now(),
                        because=form.because.data or "",
                        now=now(),
                        form=form.instance,
                    )
                )
            return _to_receipt(case_id, notice_id)
    elif request.method == "GET":
        begin_with(form, form.posted_at, view.notice.handed_over_at)
    return page("case_files/correct_posted.html", form=form, view=view)


@blueprint.route(f"{_LETTER}/framme", methods=["GET", "POST"])
@permission(Permission.READ_PROOF)
def arrived(case_id: UUID, notice_id: UUID) -> Response:
    """The letter is known to have arrived: from then the party is told."""
    view, form = _read(case_id, notice_id), ArrivedForm()
    if view.notice.proven_at is not None:
        return _to_receipt(case_id, notice_id)
    if view.notice.state is NoticeState.TO_BE_POSTED:
        return see_other(url_for("case_files.letter", case_id=case_id, notice_id=notice_id))
    if pressed() != EDIT and form.sent():
        with form.showing_errors():
            if pressed() != FILE:
                notices.refuse_arrival(view.notice, form.arrived_at.instant or now(), now())
                return page("case_files/check_arrived.html", form=form, view=view)
            write(
                lambda session: notices.record_arrived(
                    session,
                    notice_id,
                    current_actor(),
                    arrived_at=form.arrived_at.instant or now(),
                    note=form.note.data or "",
                    now=now(),
                    form=form.instance,
                )
            )
            return _to_receipt(case_id, notice_id)
    return page("case_files/arrived.html", form=form, view=view)


@blueprint.get(f"{_LETTER}/kvitto")
@permission(Permission.READ_PROOF)
def receipt(case_id: UUID, notice_id: UUID) -> Response:
    """What is recorded about the letter, and what happens next."""
    view = _read(case_id, notice_id)
    if view.notice.state is NoticeState.TO_BE_POSTED and view.notice.proven_at is None:
        return see_other(url_for("case_files.letter", case_id=case_id, notice_id=notice_id))
    return page("case_files/receipt.html", view=view)


def _read(case_id: UUID, notice_id: UUID) -> LetterPage:
    with reading() as session:
        return letters_of.letter(session, case_id, notice_id, current_actor())


def _to_receipt(case_id: UUID, notice_id: UUID) -> Response:
    return see_other(url_for("case_files.receipt", case_id=case_id, notice_id=notice_id))

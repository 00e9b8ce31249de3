"""Pages about what goes out."""

from uuid import UUID, uuid4

from flask import Blueprint, Response, request, url_for

from casework.domain.access import Permission
from casework.services import dispatch, holding, reaching
from casework.services.dispatch import NoticePage
from casework.services.step import AlreadyDone
from casework.text import t
from casework.web import typed
from casework.web.dispatch.forms import AgainForm, CallForm, StopForm
from casework.web.forms import CheckedForm, Form, searched
from casework.web.moment import now
from casework.web.pages import menu, page, see_other
from casework.web.permission import permission
from casework.web.sessions import current_actor
from casework.web.time_fields import begin_with
from casework.web.units import reading, write
from casework.web.words import flash

blueprint = Blueprint("dispatch", __name__)
menu(t("Notices sent"), "dispatch.listing", Permission.SEE_ALL_CASES)

_NOTICE = "/arenden/<uuid:case_id>/utskick/<uuid:notice_id>"


@blueprint.get("/utskick")
@permission(Permission.SEE_ALL_CASES)
def listing() -> Response:
    """Every notice, the ones that need somebody first."""
    search = searched()
    number = request.args.get("sida", 1, type=int)
    whole = "alla" in request.args
    with reading() as session:
        found = dispatch.dispatch(session, current_actor(), now(), search=search, page=number, whole=whole)

    def turned(to: int) -> str:
        return url_for("dispatch.listing", q=search or None, sida=to)

    return page(
        "dispatch/listing.html",
        found=found,
        search=search,
        turned=turned,
    )


@blueprint.get(_NOTICE)
@permission(Permission.READ_PROOF)
def notice(case_id: UUID, notice_id: UUID) -> Response:
    """One notice: what is proven about it, and what can be done."""
    return page("dispatch/notice.html", form=Form(), view=_read(case_id, notice_id))


@blueprint.route(f"{_NOTICE}/igen", methods=["GET", "POST"])
@permission(Permission.READ_PROOF)
def again(case_id: UUID, notice_id: UUID) -> Response:
    """Run a mail again that failed; one that may have arrived only by a person's word."""
    view, form = _read(case_id, notice_id), AgainForm()
    if form.sent():
        with form.showing_errors():
            anyway = bool(form.anyway.data)
            with typed.once():
                write(
                    lambda session: reaching.send_again(
                        session,
                        notice_id,
                        current_actor(),
                        now=now(),
                        although_it_may_be_there=anyway,
                        form=form.instance,
                    )
                )
            flash(t("The mail to {name} is on its way again.", name=view.proof.name))
            return _to_notice(case_id, notice_id)
    form.has_shown(view.again)
    return page("dispatch/again.html", form=form, view=view)


@blueprint.post(f"{_NOTICE}/brev")
@permission(Permission.READ_PROOF)
def letter(case_id: UUID, notice_id: UUID) -> Response:
    """A letter in the mail's place."""
    view, form = _read(case_id, notice_id), Form()
    if form.sent():
        with form.showing_errors():
            actor = current_actor()
            made: UUID | None
            try:
                made = write(lambda s: reaching.send_letter(s, notice_id, actor, now=now(), form=form.instance)).id
            except AlreadyDone as repeat:  # it has no words
                made = repeat.receipt.subject_id
            return see_other(url_for("case_files.letter", case_id=case_id, notice_id=made))
    return page("dispatch/notice.html", form=form, view=view)


@blueprint.route(f"{_NOTICE}/samtal", methods=["GET", "POST"])
@permission(Permission.READ_PROOF)
def call(case_id: UUID, notice_id: UUID) -> Response:
    """Somebody was told by telephone."""
    view, form = _read(case_id, notice_id), CallForm()
    if form.sent():
        with form.showing_errors():
            with typed.once():
                write(
                    lambda session: reaching.record_call(
                        session,
                        notice_id,
                        current_actor(),
                        at=form.at.instant or now(),
                        note=form.note.data or "",
                        now=now(),
                        form=form.instance,
                    )
                )
            flash(t("It is recorded that {name} was told by phone.", name=view.proof.name))
            return see_other(url_for("case_files.proof", case_id=case_id))
    elif request.method == "GET":
        begin_with(form, form.at, now())
    return page("dispatch/call.html", form=form, view=view)


@blueprint.get("/arenden/<uuid:case_id>/utskick")
@permission(Permission.READ_PROOF)
def held(case_id: UUID) -> Response:
    """What is held in a case before it is sent, and what was stopped."""
    return _show_held(case_id)


@blueprint.post(f"{_NOTICE}/skicka")
@permission(Permission.READ_PROOF)
def send(case_id: UUID, notice_id: UUID) -> Response:
    """Send what is held, or was stopped, without waiting."""
    form = CheckedForm()
    _read(case_id, notice_id)
    if form.sent():
        with form.showing_errors():
            write(lambda s: holding.send_now(s, notice_id, current_actor(), now=now(), form=form.instance))
            flash(t("The notices are on their way."))
            return see_other(url_for("case_files.proof", case_id=case_id))
    return _show_held(case_id, form, notice_id)


@blueprint.route(f"{_NOTICE}/stoppa", methods=["GET", "POST"])
@permission(Permission.READ_PROOF)
def stop(case_id: UUID, notice_id: UUID) -> Response:
    """Stop what is held, for all of its recipients, with the reason."""
    view, form = _read(case_id, notice_id), StopForm()
    if form.sent():
        with form.showing_errors():
            because = form.because.data or ""
            write(
                lambda s: holding.call_back(
                    s, notice_id, current_actor(), because=because, now=now(), form=form.instance
                )
            )
            return see_other(url_for("dispatch.held", case_id=case_id))
    return page("dispatch/stop.html", form=form, view=view)


def _show_held(case_id: UUID, failed: CheckedForm | None = None, notice_id: UUID | None = None) -> Response:
    """A form for each step that waits; the one that was refused says why."""
    with reading() as session:
        found = dispatch.held_page(session, case_id, current_actor(), now())
    forms = {one.notice_id: failed if failed and one.notice_id == notice_id else CheckedForm() for one in found.held}
    for one in found.held:
        if forms[one.notice_id] is not failed:
            forms[one.notice_id].form_id.data = str(uuid4())
        forms[one.notice_id].has_shown(holding.shown_held(one))
    return page("dispatch/held.html", form=failed, forms=forms, view=found)


def _read(case_id: UUID, notice_id: UUID) -> NoticePage:
    with reading() as session:
        return dispatch.notice_page(session, case_id, notice_id, current_actor(), now())


def _to_notice(case_id: UUID, notice_id: UUID) -> Response:
    return see_other(url_for("dispatch.notice", case_id=case_id, notice_id=notice_id))

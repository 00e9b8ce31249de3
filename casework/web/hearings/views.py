"""Composing the panel, its conflicts of interest, and the hearing from the call to the end."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from uuid import UUID, uuid4

import segno
from flask import Blueprint, Response, make_response, request, url_for

from casework.domain.access import Permission
from casework.domain.errors import Missing
from casework.domain.labels import label
from casework.domain.shown import Piece
from casework.domain.terms import ActionName, HearingStep, SeatRole
from casework.services import hearings, panel_view, room_view, seat_codes
from casework.services.before_sending import shown_summoned
from casework.services.case_rows import read_case
from casework.services.panel_view import Member, PanelView
from casework.services.seat_codes import SeatWay
from casework.services.timeline import reached
from casework.text import Text, t
from casework.web.cases.actions import leads_to
from casework.web.forms import Form, MovingForm
from casework.web.hearings import progress
from casework.web.hearings.acting import about, case_url, own_place, panel, sent_before, took
from casework.web.hearings.forms import (
    CallForm,
    ComposeForm,
    ConflictForm,
    LaterConflictForm,
    SettleForm,
    attendance_form,
)
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.sessions import current_actor
from casework.web.units import after_response, reading
from casework.web.words import flash

blueprint = Blueprint("hearings", __name__)
for action, endpoint in (
    (ActionName.COMPOSE_PANEL, "hearings.compose"),
    (ActionName.DECLARE_CONFLICT, "hearings.hearing"),
    (ActionName.DECIDE_CONFLICT, "hearings.hearing"),
    (ActionName.CALL_HEARING, "hearings.call"),
    (ActionName.NOTE_ATTENDANCE, "hearings.attendance"),
    (ActionName.OPEN_HEARING, "hearings.hearing"),
    (ActionName.NOTE_STEP, "hearings.hearing"),
    (ActionName.CLOSE_HEARING, "hearings.hearing"),
):
    leads_to(action, endpoint)


@blueprint.route("/arenden/<uuid:case_id>/jury", methods=["GET", "POST"])
@permission(Permission.READ_CASE)
def compose(case_id: UUID) -> Response:
    """Choose who sits. Who is barred is shown with the reason and cannot be chosen."""
    view = panel(case_id)
    view.demand(ActionName.COMPOSE_PANEL)
    with reading() as session:
        candidates = panel_view.choices(session, case_id, current_actor())
    free = [candidate for candidate in candidates if candidate.barred is None]
    chair = next((str(m.person_id) for m in view.members if m.role is SeatRole.CHAIR), "")
    form = ComposeForm(members=[str(member.person_id) for member in view.members], chair=chair)
    form.offers((candidate.person_id, candidate.name) for candidate in free)
    if form.sent():
        seats = _seats(form, view)
        if took(
            form,
            lambda session: hearings.compose_panel(
                session, view.proceeding_id, current_actor(), seats=seats, now=now(), form=form.instance
            ),
        ):
            flash(_APPOINTED if panel(case_id).called_at is None else _APPOINTED_TO_THE_HEARING)
            return see_other(url_for("hearings.hearing", case_id=case_id))
    form.shows(view.version)
    notes = {str(candidate.person_id): candidate.note for candidate in free}
    barred = [candidate for candidate in candidates if candidate.barred is not None]
    return page("hearings/compose.html", form=form, view=view, barred=barred, notes=notes, case_url=case_url(case_id))


_APPOINTED = t("The panel is appointed. Each new member gets a link by mail and is asked about conflicts.")
_APPOINTED_TO_THE_HEARING = t(
    "The panel is appointed, and the hearing stands. New members are called to it, who has left is told, and the "
    "parties learn who sits."
)


def _seats(form: ComposeForm, view: PanelView) -> dict[UUID, SeatRole]:
    """The chosen with their roles; a reserve who has stepped in stays one."""
    reserves = {str(m.person_id) for m in view.members if m.role is SeatRole.RESERVE}
    return {
        UUID(person): SeatRole.CHAIR
        if person == form.chair.data
        else (SeatRole.RESERVE if person in reserves else SeatRole.MEMBER)
        for person in form.members.data
    }


@blueprint.get("/arenden/<uuid:case_id>/jury/kod/<uuid:seat_id>")
@permission(Permission.READ_CASE)
def code(case_id: UUID, seat_id: UUID) -> Response:
    """The seat's link as a code for the member's own telephone, until the member has come in."""
    view, member, way = _coded_seat(case_id, seat_id)
    return page("hearings/code.html", view=view, member=member, way=way, case_url=case_url(case_id))


@blueprint.get("/arenden/<uuid:case_id>/jury/kod/<uuid:seat_id>.svg")
@permission(Permission.READ_CASE)
def code_image(case_id: UUID, seat_id: UUID) -> Response:
    """The code itself. What it holds opens the case, so nothing may keep it, and its showing is noted."""
    _, member, way = _coded_seat(case_id, seat_id)
    actor, at = current_actor(), now()
    after_response(lambda session: seat_codes.note_shown(session, actor, case_id, member.seat_id, at))
    drawn = BytesIO()
    segno.make(way.address, error="m").save(
        drawn, kind="svg", scale=8, border=4, light="#fff", svgclass=None, lineclass=None
    )
    answer: Response = make_response(drawn.getvalue())
    answer.headers["Content-Type"] = "image/svg+xml"
    return answer


def _coded_seat(case_id: UUID, seat_id: UUID) -> tuple[PanelView, Member, SeatWay]:
    """The seat and what its code holds, for who may show it now."""
    view = panel(case_id)
    with reading() as session:
        way = seat_codes.seat_way(session, case_id, current_actor(), seat_id)
    return view, _seat(view, seat_id), way


def _seat(view: PanelView, seat_id: UUID) -> Member:
    member = next((member for member in view.members if member.seat_id == seat_id), None)
    if member is None:
        raise Missing
    return member


@blueprint.route("/arenden/<uuid:case_id>/jav", methods=["GET", "POST"])
@permission(Permission.SIGNED_IN)
def own_conflict(case_id: UUID) -> Response:
    """The first page of a member: what the case is about, and the question about conflicts of interest.

    Who has a conflict is out of the case with the first press of the button; a second one leads to the receipt. Until
    the decision a member who answered no can say here that there is one after all (R17).
    """
    if sent_before(case_id) and request.form.get("answer") == "yes":
        return see_other(url_for("hearings.recused", form_id=request.form["form_id"]))
    view = panel(case_id)
    if view.own is None:
        raise Missing
    if view.undecided:
        return _declare(view, view.own, ConflictForm(), own=True)
    if ActionName.DECLARE_CONFLICT not in view.can:
        return see_other(own_place(view))
    return _declare(view, view.own, LaterConflictForm(), own=True)


@blueprint.route("/arenden/<uuid:case_id>/jav/<uuid:seat_id>", methods=["GET", "POST"])
@permission(Permission.READ_CASE)
def conflict(case_id: UUID, seat_id: UUID) -> Response:
    """Enter at the laptop what a member of the jury answers."""
    view = panel(case_id)
    view.demand(ActionName.DECLARE_CONFLICT)
    member = _seat(view, seat_id)
    if member == view.own:
        return see_other(url_for("hearings.own_conflict", case_id=case_id))
    if not view.answers_for_others:
        raise Missing
    form = ConflictForm()
    form.asks_about(member.name)
    return _declare(view, member, form, own=False)


def _declare(view: PanelView, member: Member, form: ConflictForm | LaterConflictForm, *, own: bool) -> Response:
    if form.sent():
        recused = form.recuses
        if took(
            form,
            lambda session: hearings.declare_conflict(
                session,
                view.proceeding_id,
                current_actor(),
                seat_id=member.seat_id,
                has_conflict=recused,
                reason=form.reason.data if recused else "",
                now=now(),
                form=form.instance,
            ),
        ):
            return _answered(view, form, own=own, recused=recused)
    later = isinstance(form, LaterConflictForm)
    shown = "hearings/conflict_later.html" if later else "hearings/conflict.html"
    return page(shown, form=form, view=view, member=member, own=own, case_url=case_url(view.case_id))


def _answered(view: PanelView, form: Form, *, own: bool, recused: bool) -> Response:
    if own and recused:
        return see_other(url_for("hearings.recused", form_id=form.instance.form_id))
    flash(t("The member is recused.") if recused else t("The answer is recorded."))
    return see_other(own_place(panel(view.case_id)) if own else url_for("hearings.hearing", case_id=view.case_id))


@blueprint.get("/jav/kvitto/<uuid:form_id>")
@permission(Permission.SIGNED_IN)
def recused(form_id: UUID) -> Response:
    """The receipt of who has a conflict of interest: the case itself is closed to him."""
    with reading() as session:
        receipt = room_view.recusal_receipt(session, form_id, current_actor())
    return page("hearings/recused.html", receipt=receipt)


@blueprint.route("/arenden/<uuid:case_id>/jav/<uuid:seat_id>/avgor", methods=["GET", "POST"])
@permission(Permission.READ_CASE)
def settle(case_id: UUID, seat_id: UUID) -> Response:
    """Decide whether another member has a conflict of interest."""
    view = panel(case_id)
    view.demand(ActionName.DECIDE_CONFLICT)
    member, form = _seat(view, seat_id), SettleForm()
    if form.sent() and took(
        form,
        lambda session: hearings.decide_conflict(
            session,
            view.proceeding_id,
            current_actor(),
            seat_id=seat_id,
            recused=form.answer.data == "yes",
            because=form.because.data,
            now=now(),
            form=form.instance,
        ),
    ):
        flash(t("The question about the conflict of interest is decided."))
        return see_other(url_for("hearings.hearing", case_id=case_id))
    return page("hearings/settle.html", form=form, view=view, member=member, case_url=case_url(case_id))


@blueprint.get("/arenden/<uuid:case_id>/sammantrade")
@permission(Permission.READ_CASE)
def hearing(case_id: UUID) -> Response:
    """The panel and its hearing, as one person at one laptop follows it."""
    view = panel(case_id)
    if view.undecided:
        return see_other(url_for("hearings.own_conflict", case_id=case_id))
    return _hearing(view, MovingForm())


def _hearing(view: PanelView, form: MovingForm) -> Response:
    if view.parts.isdisjoint(progress.FOLLOWERS):
        raise Missing
    following = progress.following(view)
    return page(
        "hearings/hearing.html",
        form=form,
        view=view,
        about=about(view),
        steps=progress.checklist(view),
        following=following,
        label=label,
        following_words=progress.step_words(view, following, now()) if following else None,
        fresh=uuid4,
        case_url=case_url(view.case_id),
        reached=_reached(view),
    )


def _reached(view: PanelView) -> tuple[Text, ...]:
    """Called is not reached: whom the call has come to (R26)."""
    if view.called_at is None:
        return ()
    with reading() as session:
        rows = read_case(session, view.case_id, current_actor(), now())
        return reached(rows, ActionName.CALL_HEARING)


@blueprint.route("/arenden/<uuid:case_id>/sammantrade/kalla", methods=["GET", "POST"])
@permission(Permission.READ_CASE)
def call(case_id: UUID) -> Response:
    """Call to the hearing: everybody who is told is named first (R18)."""
    view = panel(case_id)
    view.demand(ActionName.CALL_HEARING)
    with reading() as session:
        facts = panel_view.open_panel(session, case_id, current_actor()).facts
        shown = shown_summoned(session, facts, current_actor(), now())
    form = CallForm(place=view.place, day=view.at or now(), clock=view.at)
    if form.sent() and form.clock.instant is not None:
        at = form.clock.instant
        if not form.asks(at, now(), on_site=facts.on_site) and took(
            form,
            lambda session: hearings.call_hearing(
                session,
                view.proceeding_id,
                current_actor(),
                place=form.place.data,
                at=at,
                now=now(),
                form=form.instance,
            ),
        ):
            flash(t("The call is on its way to all who are called."))
            return see_other(url_for("hearings.hearing", case_id=case_id))
    form.shows(view.version)
    form.has_shown(shown)
    told = shown.pieces[Piece.TOLD]
    return page("hearings/call.html", form=form, view=view, told=told, case_url=case_url(case_id))


@blueprint.route("/arenden/<uuid:case_id>/sammantrade/narvaro", methods=["GET", "POST"])
@permission(Permission.READ_CASE)
def attendance(case_id: UUID) -> Response:
    """Note who is there, and what was done to reach who is not (R26)."""
    view = panel(case_id)
    view.demand(ActionName.NOTE_ATTENDANCE)
    form = attendance_form(view)
    if form.sent() and took(
        form,
        lambda session: hearings.note_attendance(
            session,
            view.proceeding_id,
            current_actor(),
            parties=form.parties(),
            seats={member.seat_id: str(member.seat_id) in form.seats.data or None for member in view.everybody},
            note=form.note.data,
            now=now(),
            form=form.instance,
        ),
    ):
        flash(t("The attendance is noted."))
        return see_other(url_for("hearings.hearing", case_id=case_id))
    return page("hearings/attendance.html", form=form, view=view, case_url=case_url(case_id))


@blueprint.post("/arenden/<uuid:case_id>/sammantrade/oppna")
@permission(Permission.READ_CASE)
def open_hearing(case_id: UUID) -> Response:
    """Open the hearing."""
    return _press(case_id, hearings.open_hearing)


@blueprint.post("/arenden/<uuid:case_id>/sammantrade/moment")
@permission(Permission.READ_CASE)
def note_step(case_id: UUID) -> Response:
    """Tick the next step of the checklist."""
    step = request.form.get("step", "")
    if step not in set(HearingStep):
        raise Missing
    return _press(case_id, partial(hearings.note_step, step_done=HearingStep(step)))


@blueprint.post("/arenden/<uuid:case_id>/sammantrade/avsluta")
@permission(Permission.READ_CASE)
def close_hearing(case_id: UUID) -> Response:
    """Close the hearing: from here the panel is alone."""
    return _press(case_id, hearings.close_hearing)


def _press(case_id: UUID, verb: Callable[..., object]) -> Response:
    """Do what one button says; refused, the page says why."""
    view, form = panel(case_id), MovingForm()
    if view.parts.isdisjoint(progress.FOLLOWERS):
        raise Missing
    if form.sent() and took(
        form, lambda session: verb(session, view.proceeding_id, current_actor(), now=now(), form=form.instance)
    ):
        return see_other(url_for("hearings.hearing", case_id=case_id))
    fresh = panel(case_id)
    form.shows(fresh.version)
    return _hearing(fresh, form)

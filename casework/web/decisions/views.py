"""The panel alone: what it reads, notes, votes and decides."""

from collections.abc import Callable
from uuid import UUID, uuid4

from flask import Blueprint, Response, request, url_for

from casework.domain.access import Permission
from casework.domain.errors import Conflict
from casework.domain.labels import label
from casework.domain.terms import ActionName, Body, Position
from casework.services import decisions, hearings, room_view
from casework.services.board_view import board_view
from casework.services.boards import let_stand
from casework.services.room_view import RoomView
from casework.text import t
from casework.web.acting import CHECK, FILE, pressed
from casework.web.advice import advice
from casework.web.cases.actions import leads_to
from casework.web.decisions.forms import (
    DecisionForm,
    OwnNoteForm,
    SharedNoteForm,
    VoteForm,
    decision_form,
    question,
    room_vote_form,
)
from casework.web.forms import Form, MovingForm
from casework.web.hearings import progress
from casework.web.hearings.acting import about, case_url, sent_before, took
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.sessions import current_actor
from casework.web.units import reading
from casework.web.words import flash, language

blueprint = Blueprint("decisions", __name__)
for action, endpoint in (
    (ActionName.BEGIN_DELIBERATION, "decisions.room"),
    (ActionName.WRITE_NOTE, "decisions.room"),
    (ActionName.CAST_VOTE, "decisions.room"),
    (ActionName.CLOSE_BALLOT, "decisions.room"),
    (ActionName.VOTE_AGAIN, "decisions.room"),
    (ActionName.RECORD_ROOM_VOTE, "decisions.room_vote"),
    (ActionName.DECIDE_APPEAL, "decisions.decide"),
):
    leads_to(action, endpoint)


def _room(case_id: UUID) -> RoomView:
    with reading() as session:
        return room_view.room_view(session, case_id, current_actor(), now())


@blueprint.get("/arenden/<uuid:case_id>/overlaggning")
@permission(Permission.READ_DELIBERATION)
def room(case_id: UUID) -> Response:
    """The panel's room."""
    return _show(_room(case_id))


def _show(view: RoomView, failed: Form | None = None) -> Response:
    forms = {
        kind: failed if isinstance(failed, kind) else _another(kind())
        for kind in (OwnNoteForm, SharedNoteForm, VoteForm)
    }
    return page(
        "decisions/room.html",
        form=failed,
        room=view,
        view=view.panel,
        about=about(view.panel),
        steps=progress.whole_way(view.panel),
        board=board_view(view.board, language()) if view.board else None,
        advice=advice(view.panel.case_id),
        label=label,
        question=question(view.panel),
        own_note=forms[OwnNoteForm],
        shared_note=forms[SharedNoteForm],
        vote=forms[VoteForm],
        fresh=uuid4,
        case_url=case_url(view.panel.case_id),
    )


def _another(form: Form) -> Form:
    """A form beside the one that was sent: an instance of its own, or the next to be sent would count as a repeat."""
    form.form_id.data = str(uuid4())
    return form


def _back(case_id: UUID) -> Response:
    return see_other(url_for("decisions.room", case_id=case_id))


@blueprint.post("/arenden/<uuid:case_id>/overlaggning/egen-anteckning")
@permission(Permission.READ_DELIBERATION)
def own_note(case_id: UUID) -> Response:
    """Write a note that nobody else reads."""
    form = OwnNoteForm()
    return _note(case_id, form, form.own_note.data or "", shared=False)


@blueprint.post("/arenden/<uuid:case_id>/overlaggning/anteckning")
@permission(Permission.READ_DELIBERATION)
def shared_note(case_id: UUID) -> Response:
    """Write a note to the panel."""
    form = SharedNoteForm()
    return _note(case_id, form, form.shared_note.data or "", shared=True)


def _note(case_id: UUID, form: Form, text: str, *, shared: bool) -> Response:
    view = _room(case_id)
    if form.sent() and took(
        form,
        lambda session: decisions.write_note(
            session,
            view.panel.proceeding_id,
            current_actor(),
            text=text,
            shared=shared,
            now=now(),
            form=form.instance,
        ),
    ):
        return _back(case_id)
    return _show(view, form)


@blueprint.post("/arenden/<uuid:case_id>/overlaggning/rost")
@permission(Permission.READ_DELIBERATION)
def vote(case_id: UUID) -> Response:
    """Vote, blind."""
    view, form = _room(case_id), VoteForm()
    if form.sent() and took(
        form,
        lambda session: decisions.cast_vote(
            session,
            view.panel.proceeding_id,
            current_actor(),
            position=Position(form.position.data),
            dissent=form.dissent.data or "",
            now=now(),
            form=form.instance,
        ),
    ):
        flash(t("Your vote is kept. It is shown to the panel when the vote is closed."))
        return _back(case_id)
    return _show(_room(case_id), form)


@blueprint.post("/arenden/<uuid:case_id>/overlaggning/stang")
@permission(Permission.READ_DELIBERATION)
def close(case_id: UUID) -> Response:
    """Close the vote and show it to the panel."""
    return _press(case_id, decisions.close_ballot)


@blueprint.post("/arenden/<uuid:case_id>/overlaggning/rosta-om")
@permission(Permission.READ_DELIBERATION)
def vote_again(case_id: UUID) -> Response:
    """Vote again where the vote decided nothing."""
    return _press(case_id, decisions.vote_again)


@blueprint.post("/arenden/<uuid:case_id>/overlaggning/borja")
@permission(Permission.READ_DELIBERATION)
def begin(case_id: UUID) -> Response:
    """Begin the deliberation of a body that decides from the papers."""
    return _press(case_id, hearings.begin_deliberation)


def _press(case_id: UUID, verb: Callable[..., object]) -> Response:
    """Do what one button says; refused, the room says why."""
    view, form = _room(case_id), MovingForm()
    if form.sent() and took(
        form, lambda session: verb(session, view.panel.proceeding_id, current_actor(), now=now(), form=form.instance)
    ):
        return _back(case_id)
    return _show(_room(case_id), form)


@blueprint.route("/arenden/<uuid:case_id>/overlaggning/roster-i-rummet", methods=["GET", "POST"])
@permission(Permission.READ_DELIBERATION)
def room_vote(case_id: UUID) -> Response:
    """Record the vote taken in the room, each member's position and dissent by name."""
    view = _room(case_id).panel
    form = room_vote_form(view)
    if form.sent() and took(
        form,
        lambda session: decisions.record_room_vote(
            session,
            view.proceeding_id,
            current_actor(),
            positions={m.seat_id: Position(form.position(m.seat_id.hex).data) for m in view.members},
            dissents={m.seat_id: form.dissent(m.seat_id.hex).data or "" for m in view.members},
            now=now(),
            form=form.instance,
        ),
    ):
        return _back(case_id)
    view.demand(ActionName.RECORD_ROOM_VOTE)
    form.shows(view.version)
    return page("decisions/room_vote.html", form=form, view=view, case_url=case_url(case_id))


@blueprint.route("/arenden/<uuid:case_id>/beslut/skriv", methods=["GET", "POST"])
@permission(Permission.SIGNED_IN)
def decide(case_id: UUID) -> Response:
    """Write the decision, check it, sign it. The text goes along from page to page until it is signed.

    A chair who came by a link is out of the case with the signature; a second press leads to the receipt.
    """
    if sent_before(case_id):
        return see_other(url_for("decisions.receipt", form_id=request.form["form_id"]))
    view = _room(case_id)
    view.panel.demand(ActionName.DECIDE_APPEAL)
    form = decision_form(view)
    if form.sent():
        if pressed() == FILE and not form.confirms(len(view.told)):
            return _check(view, form)
        if pressed() == FILE and _signed(view, form):
            return see_other(url_for("decisions.receipt", form_id=form.instance.form_id))
        if form.status == Conflict.status:
            view = _room(case_id)
            view.panel.demand(ActionName.DECIDE_APPEAL)
        if (pressed() == CHECK or form.status == Conflict.status) and _can_be_signed(view, form):
            return _check(view, form)
    form.shows(view.panel.version)
    return page(
        "decisions/decide.html",
        form=form,
        room=view,
        view=view.panel,
        board=board_view(view.board, language()) if view.board else None,
        label=label,
        case_url=case_url(case_id),
    )


def _signed(view: RoomView, form: DecisionForm) -> bool:
    return took(
        form,
        lambda session: decisions.decide_appeal(
            session, view.panel.proceeding_id, current_actor(), form.decision(), now=now(), form=form.instance
        ),
    )


def _can_be_signed(view: RoomView, form: DecisionForm) -> bool:
    """Whether nothing stands against the decision as it is written; else the form says what does."""
    with form.showing_errors(), reading() as session:
        decisions.check_decision(session, view.panel.proceeding_id, current_actor(), form.decision(), now=now())
        return True
    return False


def _check(view: RoomView, form: DecisionForm) -> Response:
    decision = form.decision()
    board = let_stand(view.board, decision.board_because) if view.board else None
    form.shows(view.panel.version)
    form.has_shown(view.shown)
    return page(
        "decisions/check.html",
        form=form,
        room=view,
        view=view.panel,
        decision=decision,
        board=board_view(board, language()) if board else None,
        span=view.panel.profile.span("jury_to_lk").words,
        label=label,
        case_url=case_url(view.panel.case_id),
    )


@blueprint.get("/beslut/kvitto/<uuid:form_id>")
@permission(Permission.SIGNED_IN)
def receipt(form_id: UUID) -> Response:
    """The receipt of a signed decision: a chair without an account has no other page left."""
    with reading() as session:
        signed = room_view.decision_receipt(session, form_id, current_actor())
    return page("decisions/receipt.html", receipt=signed, jury=signed.body is Body.JURY)

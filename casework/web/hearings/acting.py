"""Doing what a form asks for, and the panel as its reader sees it."""

from collections.abc import Callable
from uuid import UUID

from flask import request, url_for
from sqlmodel import Session

from casework.services import receipts
from casework.services.panel_view import PanelView, panel_view
from casework.services.step import AlreadyDone
from casework.text import Text, t
from casework.web import typed
from casework.web.forms import Form
from casework.web.moment import now
from casework.web.sessions import current_actor
from casework.web.units import reading, write


def took(form: Form, work: Callable[[Session], object]) -> bool:
    """Whether the work is done, now or by the same form before; else the form says why not."""
    with form.showing_errors():
        with typed.once():
            write(work)
        return True
    return False


def sent_before(case_id: UUID) -> bool:
    """Whether this request sends a form that has taken effect before, perhaps shutting its sender out of the case."""
    if request.method != "POST":
        return False
    with reading() as session:
        try:
            receipts.refuse_repeat(session, case_id, request.form.get("form_id", ""), current_actor())
        except AlreadyDone as repeat:
            if not typed.is_as_sent(repeat):
                raise
            return True
    return False


def panel(case_id: UUID) -> PanelView:
    """The panel of the appeal that is being tried. Raises `Missing` for who has no part in it."""
    with reading() as session:
        return panel_view(session, case_id, current_actor(), now())


def case_url(case_id: UUID) -> str:
    """The case's own page."""
    return f"/arenden/{case_id}"


def own_place(view: PanelView) -> str:
    """Where a reader goes on: to the question about conflicts of interest first, to the room where he deliberates."""
    if view.undecided:
        return url_for("hearings.own_conflict", case_id=view.case_id)
    if view.deliberates and not view.on_site:
        return url_for("decisions.room", case_id=view.case_id)
    return url_for("hearings.hearing", case_id=view.case_id)


def about(view: PanelView) -> Text:
    """What the hearing is about, for headings."""
    return t("board {number}", number=view.board) if view.board else t("the ruling")

"""Letting parties' times stand still and go on: what it moves is shown before anything is saved."""

from typing import Any
from uuid import UUID

from flask import Blueprint, Response, request

from casework.clock import now
from casework.domain.access import Permission
from casework.domain.terms import ActionName
from casework.services import suspending
from casework.services.loading import Loaded
from casework.services.suspending import Standstill as Shown
from casework.text import t
from casework.web.acting import EDIT, FILE, acted, allowed, pressed
from casework.web.cases.actions import leads_to
from casework.web.forms import options
from casework.web.pages import page
from casework.web.permission import permission
from casework.web.sessions import current_actor
from casework.web.times.forms import GoOn, Standstill
from casework.web.units import reading
from casework.web.words import words

blueprint = Blueprint("times", __name__)
leads_to(ActionName.SUSPEND_TIMES, "times.suspend")
leads_to(ActionName.LIFT_SUSPENSION, "times.go_on")


@blueprint.route("/arenden/<uuid:case_id>/sta-still", methods=["GET", "POST"])
@permission(Permission.READ_CASE)
def suspend(case_id: UUID) -> Response:
    """Which times stand still, from when and why; what it moves; and the step."""
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.SUSPEND_TIMES)
    times = suspending.choices(loaded)
    form = Standstill()
    form.deadlines.choices = options(*((str(each.deadline_id), _named(each)) for each in times))
    form.shows(loaded.proceeding.version)
    shown: dict[str, Any] = {"form": form, "loaded": loaded, "times": times}
    if request.method == "GET":
        form.begins.process_data(now())
        form.deadlines.data = [str(each.deadline_id) for each in times]
    if request.method == "GET" or pressed() == EDIT or not form.sent():
        return page("times/suspend.html", **shown)
    begins, ends = form.interval
    moved: list[Shown] = []
    with form.showing_errors():
        chosen = [UUID(each) for each in form.deadlines.data]
        moved = suspending.preview(loaded, chosen, begins, ends, now())
    if pressed() == FILE and not form.errors and (done := _suspended(form, loaded)):
        return done
    form.shows(loaded.proceeding.version)
    if not form.to_check:
        return page("times/suspend.html", **shown)
    form.has_shown(suspending.shown_times(moved))
    return page("times/check_suspend.html", moved=moved, begins=begins, ends=ends, **shown)


def _suspended(form: Standstill, loaded: Loaded) -> Response | None:
    begins, ends = form.interval
    return acted(
        form,
        loaded.case.id,
        lambda session: suspending.suspend_times(
            session,
            loaded.proceeding.id,
            current_actor(),
            deadline_ids=[UUID(each) for each in form.deadlines.data],
            begins=begins,
            ends=ends,
            because=form.because.data,
            now=now(),
            form=form.instance,
        ),
    )


@blueprint.route("/arenden/<uuid:case_id>/ga-vidare", methods=["GET", "POST"])
@permission(Permission.READ_CASE)
def go_on(case_id: UUID) -> Response:
    """Let what stands still go on: the new last days are shown first."""
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.LIFT_SUSPENSION)
    form = GoOn()
    form.shows(loaded.proceeding.version)
    if form.sent():
        done = acted(
            form,
            case_id,
            lambda session: suspending.lift_suspension(
                session, loaded.proceeding.id, current_actor(), now=now(), form=form.instance
            ),
        )
        if done:
            return done
        form.shows(loaded.proceeding.version)
    form.has_shown(suspending.shown_times(suspending.standing_still(loaded)))
    return page("times/go_on.html", form=form, loaded=loaded, moved=suspending.preview_lifting(loaded, now()))


def _named(time: Shown) -> str:
    name = t("{what}, {party}", what=time.kind, party=time.party)
    return str(
        words(t("{name}: until {at}", name=name, at=time.old) if time.old else t("{name}: not begun", name=name))
    )

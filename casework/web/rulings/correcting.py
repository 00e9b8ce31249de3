"""Correcting when somebody was told: first what it would move, then the step."""

from typing import Any
from uuid import UUID

from flask import Response, request

from casework.domain.access import Permission
from casework.domain.terms import ActionName
from casework.services import correcting, telling
from casework.services.correcting import Moved
from casework.web.acting import EDIT, FILE, acted, allowed, pressed
from casework.web.moment import now
from casework.web.pages import page
from casework.web.permission import permission
from casework.web.rulings.blueprint import blueprint
from casework.web.rulings.forms import at
from casework.web.rulings.telling_forms import RightTime
from casework.web.sessions import current_actor
from casework.web.units import reading


@blueprint.route("/arenden/<uuid:case_id>/besked/<uuid:notice_id>/ratta", methods=["GET", "POST"])
@permission(Permission.READ_PROOF)
def correct(case_id: UUID, notice_id: UUID) -> Response:
    """The right time and why; what it would move; and the step, which cannot be undone but corrected again."""
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.CORRECT_TIME, subject_id=notice_id)
        loaded, notice = correcting.recorded(session, loaded, notice_id)
    form = RightTime()
    name = loaded.persons[notice.person_id].name
    shown: dict[str, Any] = {"form": form, "loaded": loaded, "notice": notice, "name": name}
    if request.method == "GET":
        form.right_at.process_data(notice.proven_at)
    if request.method == "GET" or pressed() == EDIT or not form.sent():
        return page("rulings/correct.html", proof_words=telling.proof_words, **shown)
    moved: list[Moved] = []
    with form.showing_errors():
        moved = correcting.preview(loaded, notice, at(form.right_at), now())
    if pressed() == FILE and not form.errors and (done := _filed(form, case_id, notice_id)):
        return done
    if not form.to_check:
        return page("rulings/correct.html", proof_words=telling.proof_words, **shown)
    form.has_shown(correcting.shown_moved(notice, moved))
    return page("rulings/check_correct.html", moved=moved, **shown)


def _filed(form: RightTime, case_id: UUID, notice_id: UUID) -> Response | None:
    return acted(
        form,
        case_id,
        lambda session: correcting.correct_telling(
            session,
            notice_id,
            current_actor(),
            right_at=at(form.right_at),
            because=form.because.data,
            now=now(),
            form=form.instance,
        ),
    )

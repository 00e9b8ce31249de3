"""The proof of notice of a case, on a page and as PDF: for those who may read it (R37, R-PROOF1)."""

from uuid import UUID

from flask import Response, url_for

from casework.domain.access import Permission
from casework.services import case_files, proof_page
from casework.web.case_files.blueprint import blueprint
from casework.web.forms import Form
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.sessions import current_actor
from casework.web.units import reading, write
from casework.web.words import language


@blueprint.route("/arenden/<uuid:case_id>/delgivning", methods=["GET", "POST"])
@permission(Permission.READ_PROOF)
def proof(case_id: UUID) -> Response:
    """Who was told what, when, where and how, and what proves it; a button makes the same as PDF."""
    form, actor = Form(), current_actor()
    if form.sent():
        write(lambda session: case_files.ask_for_proof(session, case_id, actor, language=language(), now=now()))
        return see_other(url_for("case_files.proof", case_id=case_id))
    with reading() as session:
        view = proof_page.proof_page(session, case_id, actor, now(), language=language())
    return page("case_files/proof.html", form=form, view=view)

"""The whole case as PDF: asked for, made by a worker, fetched by those who may read it."""

from uuid import UUID

from flask import Response, send_file, url_for

from casework.domain.access import Permission
from casework.domain.errors import Missing
from casework.services import case_files
from casework.web.case_files import letters, proof
from casework.web.case_files.blueprint import blueprint
from casework.web.forms import Form
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.sessions import current_actor
from casework.web.units import reading, write
from casework.web.words import language

__all__ = ["blueprint", "letters", "proof"]

DOWNLOAD_POLICY = "default-src 'none'; sandbox"
"""A file never becomes a page of ours, whatever a browser thinks it is (S-UP7)."""


@blueprint.route("/arenden/<uuid:case_id>/akten", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def show(case_id: UUID) -> Response:
    """Ask for the case file, and see how it goes; a PDF that fails leaves the case as it is (F35)."""
    form, actor = Form(), current_actor()
    if form.sent():
        write(lambda session: case_files.ask_for_case_file(session, case_id, actor, language=language(), now=now()))
        return see_other(url_for("case_files.show", case_id=case_id))
    with reading() as session:
        view = case_files.file_page(session, case_id, actor, language=language())
    return page("case_files/show.html", form=form, view=view, case_id=case_id)


@blueprint.post("/arenden/<uuid:case_id>/akten/beslut/<uuid:notice_id>")
@permission(Permission.READ_PAPERS)
def decision(case_id: UUID, notice_id: UUID) -> Response:
    """A decision that the reader was told of, as a letter of its own."""
    if Form().sent():
        write(lambda session: case_files.ask_for_letter(session, notice_id, current_actor(), now=now()))
    return see_other(url_for("case_files.show", case_id=case_id))


@blueprint.get("/arenden/<uuid:case_id>/akten/<uuid:document_id>")
@permission(Permission.READ_PAPERS)
def download(case_id: UUID, document_id: UUID) -> Response:
    """A PDF that is made, only if its reader may read all that it holds."""
    with reading() as session:
        file, case = case_files.readable_file(session, document_id, current_actor())
        if file.case_id != case_id:
            raise Missing
        kind = "brev" if file.notice_id else "bevis om delgivning" if file.of_proof else "akt"
        name = f"{case.number} {kind}.pdf"
        stream = case_files.content(file)
    answer = send_file(
        stream, mimetype="application/pdf", as_attachment=True, download_name=name, conditional=False, etag=False
    )
    answer.headers["Content-Security-Policy"] = DOWNLOAD_POLICY
    return answer

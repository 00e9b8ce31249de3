"""The receipt of one form: only who sent it sees it, as often as he likes."""

from uuid import UUID

from flask import Blueprint, Response

from casework.domain.access import Permission
from casework.services import receipts
from casework.web.acting import visible
from casework.web.pages import page
from casework.web.permission import permission
from casework.web.sessions import current_actor
from casework.web.units import reading

blueprint = Blueprint("receipts", __name__)


@blueprint.get("/arenden/<uuid:case_id>/kvitto/<uuid:form_id>")
@permission(Permission.READ_CASE)
def show(case_id: UUID, form_id: UUID) -> Response:
    """What was done, when, who is told, and what happens next."""
    with reading() as session:
        loaded = visible(session, case_id)
        receipt = receipts.receipt(session, loaded, form_id, current_actor())
        return page("receipts/show.html", loaded=loaded, receipt=receipt)

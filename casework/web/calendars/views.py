"""Times as calendar files of a case's page, and a person's calendar at its secret address."""

from uuid import UUID

from flask import Blueprint, Response, request

from casework.clock import now
from casework.domain.access import Permission
from casework.domain.errors import Missing
from casework.services import calendar_feed, calendar_files
from casework.services.calendar_files import CalendarFile
from casework.web.limits import limiter, link_itself
from casework.web.permission import permission
from casework.web.sessions import current_actor
from casework.web.units import reading
from casework.web.words import language

blueprint = Blueprint("calendars", __name__)

TYPE = "text/calendar; charset=utf-8"


@blueprint.get("/arenden/<uuid:case_id>/kalender/<uuid:deadline_id>.ics")
@permission(Permission.READ_PAPERS)
def last_day(case_id: UUID, deadline_id: UUID) -> Response:
    """A last day of the case's page."""
    with reading() as session:
        file = calendar_files.last_day_file(session, case_id, deadline_id, current_actor(), now(), language=language())
    return _download(file)


@blueprint.get("/arenden/<uuid:case_id>/kalender/sammantrade.ics")
@permission(Permission.READ_PAPERS)
def hearing(case_id: UUID) -> Response:
    """The hearing of the case's page."""
    with reading() as session:
        file = calendar_files.hearing_file(session, case_id, current_actor(), now(), language=language())
    return _download(file)


@blueprint.get("/kalender/<token>.ics")
@limiter.limit("300 per minute")
@limiter.limit("60 per hour", key_func=link_itself)
@permission(Permission.ANYONE)
def feed(token: str) -> Response:
    """What its holder may see now. Nobody signs in: calendar programs cannot, and the address says whose it is."""
    with reading() as session:
        content = calendar_feed.read(session, token, now())
    if content is None:
        raise Missing
    answer = Response(content, content_type=TYPE)
    answer.cache_control.private = True
    answer.cache_control.no_cache = True
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def _download(file: CalendarFile) -> Response:
    answer = Response(file.content, content_type=TYPE)
    answer.headers.set("Content-Disposition", "attachment", filename=file.name)
    return answer

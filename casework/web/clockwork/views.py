"""Whether the system's clock is right: asked when it has jumped, and answered by a person."""

from flask import Blueprint, Response, url_for

from casework.clock import machine
from casework.domain.access import Permission
from casework.services import clockwork
from casework.text import t
from casework.web.clockwork.forms import ClockIsRight
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.sessions import current_actor
from casework.web.units import reading, write
from casework.web.words import flash

blueprint = Blueprint("clockwork", __name__, url_prefix="/klockan")


@blueprint.route("", methods=["GET", "POST"])
@permission(Permission.TEND_SYSTEM)
def show() -> Response:
    """What happened to the clock, and the button that lets everything go on."""
    with reading() as session:
        stop = clockwork.stop(session)
        form = ClockIsRight(stop_id=str(stop.id) if stop else "")
        recent = clockwork.recent(session)
    if form.sent():
        with form.showing_errors():
            write(lambda session: clockwork.confirm(session, current_actor(), form.stop_id.data))
            flash(t("Everything goes on. What was waiting is done within a few minutes."))
            return see_other(url_for("clockwork.show"))
    if stop:
        form.stop_id.data = str(stop.id)
    return page("clockwork/show.html", form=form, stop=stop, recent=recent, now=machine())

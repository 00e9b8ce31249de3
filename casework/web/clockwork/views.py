"""Whether the system's clock is right: asked when it has jumped, and answered by a person."""

from collections.abc import Sequence
from uuid import UUID

from flask import Blueprint, Response, url_for

from casework.clock import machine
from casework.domain.access import Permission
from casework.services import clockwork, false_time, health, timers
from casework.services.timeline import words_of
from casework.text import Text, t
from casework.web.acting import pressed
from casework.web.clockwork.forms import ClockIsRight
from casework.web.forms import Form
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.sessions import current_actor
from casework.web.units import reading, write
from casework.web.words import flash

AGAIN = "again"
"""What the button to try once more sends; the other one takes the step off the list."""

blueprint = Blueprint("clockwork", __name__, url_prefix="/klockan")


@blueprint.route("", methods=["GET", "POST"])
@permission(Permission.TEND_SYSTEM)
def show() -> Response:
    """What happened to the clock, and the button that lets everything go on."""
    with reading() as session:
        red = timers.red(session)
        stop = clockwork.stop(session)
        form = ClockIsRight(stop_id=str(stop.id) if stop else "")
        recent, overdue = clockwork.recent(session), health.overdue(session, now())
        deeds = false_time.deeds(session, now())
    if form.sent():
        with form.showing_errors():
            write(lambda session: clockwork.confirm(session, current_actor(), form.stop_id.data))
            flash(t("Everything goes on. What was waiting is done within a few minutes."))
            return see_other(url_for("clockwork.show"))
    if stop:
        form.stop_id.data = str(stop.id)
    return page(
        "clockwork/show.html",
        form=form,
        stop=stop,
        recent=recent,
        red=red,
        overdue=overdue,
        deeds=_in_words(deeds),
        now=machine(),
    )


@blueprint.post("/steg/<uuid:timer_id>")
@permission(Permission.TEND_SYSTEM)
def step(timer_id: UUID) -> Response:
    """Let the system try a red step once more, or take it off the list because somebody has seen to it."""
    form = Form()
    if not form.sent():
        with reading() as session:
            recent, red = clockwork.recent(session), timers.red(session)
            overdue, deeds = health.overdue(session, now()), false_time.deeds(session, now())
        return page(
            "clockwork/show.html",
            form=form,
            stop=None,
            recent=recent,
            red=red,
            overdue=overdue,
            deeds=_in_words(deeds),
            now=machine(),
        )
    if pressed() == AGAIN:
        write(lambda session: timers.try_again(session, timer_id))
        flash(t("The system tries again within a minute."))
    else:
        write(lambda session: timers.set_aside(session, timer_id, now()))
        flash(t("The step is taken off the list."))
    return see_other(url_for("clockwork.show"))


def _in_words(deeds: Sequence[false_time.Deed]) -> list[tuple[false_time.Deed, Text]]:
    return [(deed, words_of(deed.action)) for deed in deeds]

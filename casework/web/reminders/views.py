"""The page of a reminder's last line: it stops reminders, and starts them again. Opening it does nothing (E4)."""

from flask import Blueprint, Response, request, url_for

from casework.domain.access import Permission
from casework.services import reminder_choice
from casework.web.forms import Form
from casework.web.limits import limiter, link_itself
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.units import reading, write, write_one_click
from casework.web.words import CHOICE, speak

blueprint = Blueprint("reminders", __name__)


@blueprint.route("/paminnelser/<token>", methods=["GET", "POST"])
@limiter.limit("300 per minute")
@limiter.limit("60 per hour", methods=["POST"], key_func=link_itself)
@permission(Permission.ANYONE)
def choose(token: str) -> Response:
    """Whether its reader wants reminders. A mail program stops them with one POST; a person presses the button."""
    with reading() as session:
        choice = reminder_choice.choice(session, token)
    if choice is None:
        return page("links/unknown.html", status=404)
    if request.form.get("List-Unsubscribe") == "One-Click":
        write_one_click(lambda session: reminder_choice.choose(session, token, now(), wanted=False))
        return Response(status=200)
    if CHOICE not in request.cookies:
        speak(choice.language)
    form = Form()
    if form.sent():
        wanted = request.form.get("wanted") == "1"
        write(lambda session: reminder_choice.choose(session, token, now(), wanted=wanted))
        return see_other(url_for("reminders.choose", token=token))
    return page("reminders/choose.html", form=form, choice=choice, token=token)

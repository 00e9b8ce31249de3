"""The start page with what is to be done, and the pages that anybody may read."""

from flask import Blueprint, Response, jsonify, request

from casework.adapters.database import DatabaseAway
from casework.domain.access import Permission
from casework.domain.labels import label
from casework.domain.terms import NoticeState
from casework.services import clockwork, health, todo
from casework.settings import get_settings
from casework.text import Text, t
from casework.web import sessions, suits, words
from casework.web.case_lists import case_rows
from casework.web.forms import Form
from casework.web.home.forms import SuitsForm
from casework.web.moment import now
from casework.web.pages import own_path, page, see_other
from casework.web.permission import permission
from casework.web.units import reading

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
@permission(Permission.ANYONE)
def start() -> Response:
    """What this is, or what the signed-in reader has to do."""
    actor = sessions.current_actor()
    if actor.person_id is None:
        return page("home/welcome.html")
    if actor.link is not None:
        return see_other(f"/arenden/{actor.link.case_id}")
    at = now()
    with reading() as session:
        found = todo.todo(session, actor, at)
    return page(
        "home/todo.html",
        mine=case_rows(found.mine, at, acting=True, reader=actor.person_id),
        late=case_rows(found.late, at, acting=True),
        lists=[
            (t("Waiting for others of your own"), case_rows(found.body, at, acting=True)),
            (t("Waiting for others"), case_rows(found.waiting, at, waited=True)),
        ],
        undelivered=[(notice, _state(notice)) for notice in found.undelivered],
        overrides=found.overrides,
        clock_stopped=found.clock_stopped,
        stands_still=clockwork.STANDS_STILL,
        tends=found.tends,
        red_steps=found.red_steps,
        wrong=found.wrong,
    )


def _state(notice: todo.Undelivered) -> Text:
    """A delivered mail is there because nobody has opened it."""
    unopened = notice.state is NoticeState.HANDED_OVER
    return t("Delivered, not opened") if unopened else label(notice.state)


@blueprint.get("/hjalp")
@permission(Permission.ANYONE)
def help_page() -> Response:
    """How to do the usual things, and whom to ask."""
    return page("home/help.html")


@blueprint.get("/tillganglighet")
@permission(Permission.ANYONE)
def accessibility() -> Response:
    """The accessibility statement."""
    return page("home/accessibility.html")


@blueprint.get("/om-uppgifter")
@permission(Permission.ANYONE)
def privacy() -> Response:
    """What is stored about people, who reads it, and for how long."""
    return page("home/privacy.html")


@blueprint.route("/sprak", methods=["GET", "POST"])
@permission(Permission.ANYONE)
def choose_language() -> Response:
    """Ask in the other language whether to go on in it; a POST keeps the choice in a cookie."""
    code = request.args.get("lang", "")
    words.speak(code)
    form = Form()
    if not form.sent():
        return page("home/language.html", form=form, code=words.language(), back=request.args.get("back", "/"))
    answer = see_other(own_path(request.args.get("back", "/")))
    secure = get_settings().public_base_url.startswith("https:")
    answer.set_cookie(
        words.CHOICE, words.language(), max_age=365 * 24 * 3600, secure=secure, httponly=True, samesite="Lax"
    )
    return answer


@blueprint.route("/farger", methods=["GET", "POST"])
@permission(Permission.ANYONE)
def choose_suits() -> Response:
    """Ask whether the suits shall have two colours or four; a POST keeps the choice in a cookie."""
    form = SuitsForm(colours="four" if suits.four_colours() else "two")
    back = request.args.get("back", "/")
    if not form.sent():
        return page("home/suits.html", form=form, back=back)
    answer = see_other(own_path(back))
    suits.keep(answer, form.colours.data)
    return answer


@blueprint.get("/healthz")
@permission(Permission.ANYONE)
def healthz() -> Response:
    """For the machine that watches: database, clock, and how many seconds ago the clock last looked for work."""
    try:
        with reading() as session:
            swept = health.last_sweep(session)
            stopped = health.stopped(session)
    except DatabaseAway:
        answer = jsonify({"status": "away", "database": False})
        answer.status_code = 503
        return answer
    age = None if swept is None else (now() - swept).total_seconds()
    late = age is None or age > health.silence(get_settings()).total_seconds()
    status = "stopped" if stopped else "late" if late else "ok"
    return jsonify({"status": status, "database": True, "sweep_age_seconds": age, "clock_believed": not stopped})

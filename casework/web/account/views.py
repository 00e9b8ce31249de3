"""Signing in, signing out, and what the system knows about who is signed in."""

from secrets import token_urlsafe

from flask import Blueprint, Response, request, url_for

from casework import logs
from casework.domain.access import Permission
from casework.domain.errors import Invalid, Missing
from casework.services import calendar_feed, people
from casework.text import t
from casework.web import sessions
from casework.web.account.forms import CalendarForm, SignInForm
from casework.web.forms import Form
from casework.web.limits import address_and_name, limiter
from casework.web.moment import now
from casework.web.pages import own_path, page, see_other
from casework.web.permission import permission
from casework.web.units import reading, write
from casework.web.words import flash

blueprint = Blueprint("account", __name__)

log = logs.logger(__name__)


def _failed(response: Response) -> bool:
    """Only failed tries count."""
    return response.status_code == 422


@blueprint.route("/logga-in", methods=["GET", "POST"])
@limiter.limit("60 per minute", methods=["POST"], deduct_when=_failed)
@limiter.limit("10 per minute; 50 per hour", methods=["POST"], deduct_when=_failed, key_func=address_and_name)
@permission(Permission.ANYONE)
def sign_in() -> Response:
    """Sign in with name and password."""
    form = SignInForm(back=request.args.get("back", ""))
    if form.sent():
        with reading() as session:
            account_id = people.account_by_password(session, form.username.data, form.password.data)
        if account_id is not None:
            before, at = sessions.browser_key(), now()
            token = write(lambda session: people.sign_in_by_account(session, account_id, at, instead_of=before))
            sessions.become(token)
            log.info("signed_in", by="account")
            return see_other(own_path(form.back.data))
        log.warning("sign_in_failed")
        form.refused(Invalid({"password": t("User name and password do not fit together")}))
    return page("account/sign_in.html", form=form)


@blueprint.get("/jag")
@permission(Permission.SIGNED_IN)
def me() -> Response:
    """Who is signed in, and the way out."""
    return _me(Form())


def _me(form: Form) -> Response:
    subscription = None
    if sessions.current_actor().person_id is not None:
        with reading() as session:
            subscription = calendar_feed.subscription(session, sessions.current_actor())
    return page("account/me.html", form=form, subscription=subscription)


@blueprint.post("/jag/kalender/<act>")
@permission(Permission.SIGNED_IN)
def calendar(act: str) -> Response:
    """Turn the reader's calendar on or off, or give it another address."""
    form, actor, at = CalendarForm(), sessions.current_actor(), now()
    if not form.sent():
        return _me(form)
    seen = form.version.data or ""
    if act not in {"pa", "byt", "av"}:
        raise Missing
    if act == "pa":
        write(lambda session: calendar_feed.turn_on(session, actor, at))
        flash(t("Your calendar is turned on."))
    elif act == "byt" and seen.isdecimal():
        write(lambda session: calendar_feed.change_address(session, actor, int(seen)))
        flash(t("Your calendar has another address. Give it to your calendar program."))
    elif act == "av":
        write(lambda session: calendar_feed.turn_off(session, actor, at))
        flash(t("Your calendar is turned off."))
    return see_other(url_for("account.me"))


@blueprint.post("/logga-ut")
@permission(Permission.ANYONE)
def sign_out() -> Response:
    """Sign out. A page that is open since before somebody signed in is asked again."""
    form = Form()
    if not form.sent():
        return _me(form)
    token, at = sessions.browser_key(), now()
    write(lambda session: people.end_sign_in(session, token, at))
    sessions.become(token_urlsafe(32))
    flash(t("You have signed out."))
    return see_other(own_path("/"))

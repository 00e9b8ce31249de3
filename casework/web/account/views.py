"""Signing in, signing out, and what the system knows about who is signed in."""

from secrets import token_urlsafe

from flask import Blueprint, Response, request

from casework.domain.access import Permission
from casework.domain.errors import Invalid
from casework.services import people
from casework.text import t
from casework.web import sessions
from casework.web.account.forms import SignInForm
from casework.web.forms import Form
from casework.web.limits import address_and_name, limiter
from casework.web.moment import now
from casework.web.pages import own_path, page, see_other
from casework.web.permission import permission
from casework.web.units import reading, write
from casework.web.words import flash

blueprint = Blueprint("account", __name__)


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
            return see_other(own_path(form.back.data))
        form.refused(Invalid({"password": t("User name and password do not fit together")}))
    return page("account/sign_in.html", form=form)


@blueprint.get("/jag")
@permission(Permission.SIGNED_IN)
def me() -> Response:
    """Who is signed in, and the way out."""
    return page("account/me.html", form=Form())


@blueprint.post("/logga-ut")
@permission(Permission.ANYONE)
def sign_out() -> Response:
    """Sign out. A page that is open since before somebody signed in is asked again."""
    form = Form()
    if not form.sent():
        return page("account/me.html", form=form)
    token, at = sessions.browser_key(), now()
    write(lambda session: people.end_sign_in(session, token, at))
    sessions.become(token_urlsafe(32))
    flash(t("You have signed out."))
    return see_other(own_path("/"))

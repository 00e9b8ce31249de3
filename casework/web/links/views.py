"""The page of a mail link. Opening it does nothing; only its button signs in (S-LINK1)."""

from flask import Blueprint, Response, request, url_for
from sqlmodel import Session

from casework import logs
from casework.domain.access import Permission
from casework.domain.errors import Invalid
from casework.services import link_codes, link_requests, links, notices, people
from casework.services.links import FoundLink
from casework.text import t
from casework.web import sessions
from casework.web.forms import Form
from casework.web.limits import asked_for, limiter, link_itself
from casework.web.links import devices
from casework.web.links.forms import AskForm, CodeForm
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.units import after_response, reading, write
from casework.web.words import CHOICE, speak

blueprint = Blueprint("links", __name__)

log = logs.logger(__name__)


@blueprint.route("/l/<token>", methods=["GET", "POST"])
@limiter.limit("300 per minute")
@permission(Permission.ANYONE)
def open_link(token: str) -> Response:
    """What the link is for, without a name, and the button that opens the case."""
    link = _find(token)
    if link is None:
        return page("links/unknown.html", status=404)
    stranger = link_codes.asked_for() and not devices.knows(link.device)
    if not link.open or (stranger and link.guessed):
        return page("links/worn_out.html", form=Form(), link=link, token=token, status=410)
    form = CodeForm() if stranger else Form()
    if form.sent() and (not isinstance(form, CodeForm) or _proven(form, link)):
        before = sessions.browser_key()
        sessions.become(write(lambda session: _sign_in(session, link, before)))
        log.info("signed_in", by="link")
        answer = see_other(f"/arenden/{link.case_id}")
        return devices.remember(answer, link.device) if stranger else answer
    if request.method == "GET":
        after_response(lambda session: links.note_link_seen(session, link.link_id))
    return page("links/open.html", form=form, link=link, token=token)


@blueprint.post("/l/<token>/ny")
@limiter.limit("3 per hour", key_func=link_itself)
@limiter.limit("60 per hour")
@permission(Permission.ANYONE)
def renew(token: str) -> Response:
    """Send a new link to the address that is registered, never to another."""
    form, link = Form(), _find(token)
    if link is None or not link.renewable:
        return page("links/unknown.html", status=404)
    if not form.sent():
        return page("links/worn_out.html", form=form, link=link, token=token)
    write(lambda session: _send_new(session, link))
    return see_other(url_for("links.sent"))


@blueprint.route("/min-lank", methods=["GET", "POST"])
@limiter.limit("3 per hour", methods=["POST"], key_func=asked_for)
@limiter.limit("60 per hour", methods=["POST"])
@permission(Permission.ANYONE)
def ask() -> Response:
    """Have one's link sent to the registered address; the answer is the same whether it is known or not (S-LINK5)."""
    form = AskForm()
    if form.sent():
        write(lambda session: link_requests.ask(session, form.asked_for.data, now()))
        return see_other(url_for("links.asked"))
    return page("links/ask.html", form=form)


@blueprint.get("/min-lank/skickad")
@permission(Permission.ANYONE)
def asked() -> Response:
    """Who is known has a mail on its way."""
    return page("links/asked.html")


@blueprint.get("/ny-lank")
@permission(Permission.ANYONE)
def sent() -> Response:
    """A new link is on its way."""
    return page("links/sent.html")


def _find(token: str) -> FoundLink | None:
    with reading() as session:
        link = links.find_link(session, token, now())
    if link is None:
        return None
    logs.about(case_id=link.case_id)
    if CHOICE not in request.cookies:
        speak(link.language)
    return link


def _proven(form: CodeForm, link: FoundLink) -> bool:
    """Whether the code is the link's; else the form says so, and how often it may be tried."""
    left = write(lambda session: links.proves_code(session, link.link_id, form.code.data))
    if left is not None:
        log.warning("wrong_code", left=left)
        words = t("That is not the code of this link. Look in the mail that it came in. Tries left: {left}.", left=left)
        form.refused(Invalid({"code": words}))
    return left is None


def _sign_in(session: Session, link: FoundLink, before: str) -> str:
    """The button proves that the link's reader has what was sent to him."""
    notices.note_opened(session, link.link_id, now())
    return people.sign_in_by_link(session, link.link_id, now(), instead_of=before)


def _send_new(session: Session, link: FoundLink) -> None:
    notices.send_link(session, links.replace_link(session, link.link_id, now()), now())

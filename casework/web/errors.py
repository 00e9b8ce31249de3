"""Pages for what goes wrong: in words, and with everything that was typed still there."""

from flask import Flask, Response, g, request, url_for
from sqlalchemy.exc import DBAPIError
from werkzeug.exceptions import HTTPException, InternalServerError, SecurityError

from casework import logs
from casework.adapters.database import DatabaseAway
from casework.domain.errors import CaseworkError, Conflict, Missing, NotAllowed, Overtaken
from casework.services import links
from casework.services.step import AlreadyDone
from casework.text import Text, t
from casework.web import meanwhile, sessions, typed
from casework.web.acting import AlreadySent, same_receipt
from casework.web.pages import page, see_other
from casework.web.permission import SignInNeeded, wanted_path
from casework.web.security import token_proven
from casework.web.units import reading

log = logs.logger(__name__)

TITLES: dict[int, Text] = {
    400: t("The request could not be read"),
    401: t("You are signed out"),
    403: t("You may not do this"),
    404: t("The page does not exist"),
    405: t("The page cannot be used like that"),
    409: t("Something happened meanwhile"),
    413: t("The files are too large"),
    422: t("There is a problem"),
    429: t("Too many tries"),
    500: t("Something went wrong here"),
    503: t("The system is out of order right now"),
}
ADVICE: dict[int, Text] = {
    400: t("Go back and try again. If it does not help, ask the office."),
    404: t("The address may be wrong, or the page may not be meant for you."),
    405: t("Open the page from a link or from the start page."),
    413: t(
        "Everything that is sent at once may be 64 MB together. "
        "What you wrote is still there if you go back in the browser. Choose fewer or smaller files."
    ),
    429: t("Wait a minute and try again."),
    500: t("The fault is ours and has been noted. Nothing was saved. Try again in a few minutes, or call the office."),
}
LOST = t(
    "You can no longer do this here: the page is gone, or no longer meant for you. "
    "What you wrote has not been sent. It stands below, so that you can copy it."
)
"""Instead of 404's advice, to who has written something."""
GONE = t("This can no longer be done. What you wrote has not been sent. It stands below, so that you can copy it.")
"""The same where others have overtaken him."""


def init_app(app: Flask) -> None:
    """Answer every error with a page."""
    app.jinja_env.globals["opened"] = meanwhile.opened
    app.register_error_handler(AlreadyDone, _repeated)
    app.register_error_handler(CaseworkError, _refused)
    app.register_error_handler(DBAPIError, _database)
    app.register_error_handler(HTTPException, _http)


def _refused(error: CaseworkError) -> Response:
    if isinstance(error, SignInNeeded) and request.method in {"GET", "HEAD"}:
        return see_other(url_for("account.sign_in", back=wanted_path()))
    if isinstance(error, DatabaseAway):
        sessions.forget()
    if isinstance(error, AlreadySent):
        return page("errors/sent.html", status=error.status, error=error)
    reasons = error.reasons if isinstance(error, NotAllowed) else (error.reason,)
    steps = meanwhile.overtaking(error)
    kept = request.method == "POST" and token_proven()
    overtaken = bool(steps) and kept
    again = not isinstance(error, Missing)
    if not again:
        reasons = (_shut_because() or (GONE if overtaken else LOST if kept else ADVICE[404]),)
        if not overtaken:
            return _page(404, *reasons, keep=kept, again=again)
    status = Conflict.status if overtaken else error.status
    return _page(status, *reasons, *steps, to_case=bool(steps) or isinstance(error, Overtaken), again=again)


def _repeated(repeat: AlreadyDone) -> Response:
    """The receipt; but who went back and changed what he had sent learns that the change has not been sent."""
    if typed.is_as_sent(repeat):
        return same_receipt(repeat)
    row = repeat.receipt
    said = t("This form was sent {at}, and what it said then is what counts. What you have changed since has not been "
             "sent.", at=row.at)  # fmt: skip
    below = t("{said} What you wrote stands below, so that you can copy it.", said=said) if typed.written() else said
    receipt_url = url_for("receipts.show", case_id=row.case_id, form_id=row.id)
    return _page(Conflict.status, below, again=False, receipt_url=receipt_url)


def _shut_because() -> Text | None:
    """Why a reader who came by a seat's link finds nothing more."""
    scope = sessions.current_actor().link
    if scope is None:
        return None
    with reading() as session:
        return links.shut_because(session, scope.seat_id)


def _database(error: DBAPIError) -> Response:
    log.error("database_broke", exc_info=error)
    sessions.forget()
    return _page(500, ADVICE[500])


def _http(error: HTTPException) -> Response:
    if isinstance(error, SecurityError):  # No address can be built for a host that is not ours.
        return Response("400\n", 400, mimetype="text/plain")
    status = error.code or 500
    if isinstance(error, InternalServerError):
        sessions.forget()
    answer = _page(status, ADVICE.get(status, ADVICE[400]), keep=status in {429, 500})
    if status == 405:
        answer.headers["Allow"] = ", ".join(error.valid_methods or ()) if hasattr(error, "valid_methods") else ""
    return answer


def _page(
    status: int,
    *reasons: Text,
    keep: bool = True,
    to_case: bool = False,
    again: bool = True,
    receipt_url: str = "",
) -> Response:
    kept = typed.kept() if keep and request.method == "POST" else []
    return page(
        "errors/error.html",
        status=status,
        title=TITLES.get(status, TITLES[400]),
        reasons=reasons,
        kept=kept,
        written=typed.written() if kept else [],
        files_lost=bool(kept and request.files),
        again_url=wanted_path() if again else "",
        case_url=meanwhile.case_url() if to_case else "",
        receipt_url=receipt_url,
        number=g.get("request_id", "") if status == 500 else "",
        sign_in_url=url_for("account.sign_in") if status == 401 else "",
    )

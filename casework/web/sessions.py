"""Who this browser is: one cookie with a random number, which the database knows if somebody is signed in.

Signing in or out gives the browser a new number, and with it new form tokens.
"""

import re
from datetime import timedelta
from secrets import token_urlsafe

from flask import Flask, Response, g, request

from casework.adapters.database import uow
from casework.domain.access import NOBODY, Actor
from casework.services import people
from casework.services.people import SignedIn
from casework.settings import get_settings
from casework.web.moment import now

SEEN_EVERY = timedelta(minutes=1)


def init_app(app: Flask) -> None:
    """Hand out the cookie."""

    @app.after_request
    def remember(response: Response) -> Response:
        if g.get("browser_key_is_new", False):
            response.set_cookie(
                cookie_name("browser"), browser_key(), secure=_https(), httponly=True, samesite="Lax", path="/"
            )
        return response


def cookie_name(what: str) -> str:
    """Under https the browser itself guards the name's prefix."""
    return f"{'__Host-' if _https() else ''}casework-{what}"


def browser_key() -> str:
    """The random number of this browser; a new one goes out with the answer."""
    if "browser_key" not in g:
        sent = request.cookies.get(cookie_name("browser"), "")
        if re.fullmatch(r"[\w-]{43}", sent, re.ASCII):
            g.browser_key = sent
        else:
            become(token_urlsafe(32))
    key: str = g.browser_key
    return key


def become(key: str) -> None:
    """Give the browser another number: the token of a sign-in, or a fresh one when it signs out."""
    g.browser_key, g.browser_key_is_new = key, True
    g.pop("signed_in", None)


def signed_in() -> SignedIn | None:
    """The sign-in of this browser, read once per request."""
    if "signed_in" not in g:
        forget()  # An error page must not look again when looking fails.
        if cookie_name("browser") in request.cookies or g.get("browser_key_is_new", False):
            with uow(write=False) as session:
                g.signed_in = people.signed_in(session, browser_key(), now())
    found: SignedIn | None = g.signed_in
    return found


def forget() -> None:
    """Treat the rest of this request as one of nobody."""
    g.signed_in = None


def current_actor() -> Actor:
    """The acting person, or nobody."""
    here = signed_in()
    return here.actor if here else NOBODY


def seen_long_ago() -> SignedIn | None:
    """The sign-in, if its last visit is worth noting anew."""
    here = g.get("signed_in")
    return here if here and now() - here.seen_at >= SEEN_EVERY else None


def _https() -> bool:
    return get_settings().public_base_url.startswith("https:")

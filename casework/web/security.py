"""Hosts, sizes, headers, and the proof that a form was sent from our own page."""

import hmac
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, request

from casework.domain.errors import CaseworkError
from casework.settings import get_settings
from casework.text import t
from casework.web import sessions

LARGEST_REQUEST = 64 * 1024 * 1024
LARGEST_FORM = 4 * 1024 * 1024
"""What the texts of one form may take together."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Robots-Tag": "noindex",
}
YEAR = 365 * 24 * 3600


class TokenMissing(CaseworkError):
    """The form's token is not this browser's: it signed in or out since the page was opened."""

    status = 400

    def __init__(self) -> None:
        super().__init__(
            t("You have signed in or out since this page was opened. Check what you wrote and send it again.")
        )


class ForeignForm(CaseworkError):
    """Another site sent a form in this browser's name."""

    status = 403

    def __init__(self) -> None:
        super().__init__(t("The form was not sent from this site. Open the page here and try again."))


def init_app(app: Flask) -> None:
    """Harden the application; asserts what must not be forgotten (S-SES5)."""
    settings = get_settings()
    address = urlsplit(settings.public_base_url)
    https = address.scheme == "https"
    if not https and address.hostname not in {"127.0.0.1", "localhost", "::1"}:
        raise ValueError("CASEWORK_PUBLIC_BASE_URL must be https, except on this machine.")
    app.config.update(
        SECRET_KEY=settings.secret_key.get_secret_value(),
        TRUSTED_HOSTS=[address.hostname, "127.0.0.1", "localhost", "[::1]"],
        MAX_CONTENT_LENGTH=LARGEST_REQUEST,
        MAX_FORM_MEMORY_SIZE=LARGEST_FORM,
        MAX_FORM_PARTS=2000,
        SESSION_COOKIE_NAME=sessions.cookie_name("messages"),
        SESSION_COOKIE_SECURE=https,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
    )
    app.before_request(_look_at_form)
    app.after_request(_protect)
    app.jinja_env.globals["csrf_token"] = form_token


_LONG_TEXTS: set[str] = set()


def takes_long_text(endpoint: str) -> None:
    """Say that a page's form has a text field with a larger limit of its own, which it tells at the field."""
    _LONG_TEXTS.add(endpoint)


def form_token() -> str:
    """The token of every form in this browser: new when somebody signs in or out."""
    key = current_app.config["SECRET_KEY"].encode()
    return hmac.digest(key, b"casework form\0" + sessions.browser_key().encode(), "sha256").hex()


def token_proven() -> bool:
    """Whether this request is a form with this browser's token."""
    return bool(g.get("token_proven", False))


def _look_at_form() -> None:
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        return
    if not _from_here():
        raise ForeignForm
    if request.endpoint in _LONG_TEXTS and sessions.current_actor().official:
        request.max_form_memory_size = LARGEST_REQUEST
    g.token_proven = hmac.compare_digest(request.form.get("csrf_token", "").encode(), form_token().encode())


def _from_here() -> bool:
    """`Referrer-Policy: no-referrer` makes browsers write "null" as the origin: it says nothing, the token decides."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = request.headers.get("Origin", "null")
    return origin in {"null", request.host_url.rstrip("/"), get_settings().public_base_url.rstrip("/")}


def _lasting(path: str) -> str:
    """A module that another one imports has no version in its address, and must fit who imports it."""
    if "v" in request.args:
        return f"public, max-age={YEAR}, immutable"
    return "no-cache" if path.endswith(".js") else "public, max-age=86400"


def _protect(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if get_settings().public_base_url.startswith("https:"):
        response.headers["Strict-Transport-Security"] = f"max-age={YEAR}; includeSubDomains"
    if request.endpoint == "static":
        response.headers["Cache-Control"] = _lasting(request.path)
    else:
        if not response.cache_control.private:
            response.headers["Cache-Control"] = "no-store"
        response.vary.add("Cookie")
    return response

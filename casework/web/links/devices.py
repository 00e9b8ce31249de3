"""Which mail links this browser has shown the code of: one cookie, for as long as browsers keep it."""

import hmac

from flask import Response, request

from casework.settings import get_settings
from casework.web import sessions

_MOST = 10
"""So many links are remembered; who opens more is asked again."""
_SECONDS = 400 * 24 * 3600


def knows(mark: str) -> bool:
    """Whether the link's code was typed here."""
    return any(hmac.compare_digest(kept.encode(), mark.encode()) for kept in _kept())


def remember(answer: Response, mark: str) -> Response:
    """Do not ask here for this link's code again."""
    kept = ".".join([mark, *(one for one in _kept() if one != mark)][:_MOST])
    https = get_settings().public_base_url.startswith("https:")
    answer.set_cookie(_name(), kept, max_age=_SECONDS, secure=https, httponly=True, samesite="Lax", path="/")
    return answer


def _kept() -> list[str]:
    return request.cookies.get(_name(), "").split(".")


def _name() -> str:
    return sessions.cookie_name("devices")

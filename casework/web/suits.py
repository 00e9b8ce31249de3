"""In how many colours this browser's reader wants the suits: kept in a cookie (U22)."""

from flask import Response, request

from casework.settings import get_settings

CHOICE = "casework-suits"
YEAR = 365 * 24 * 3600


def four_colours() -> bool:
    """Whether spades, hearts, diamonds and clubs each have a colour of their own."""
    return request.cookies.get(CHOICE) == "four"


def keep(answer: Response, colours: str) -> None:
    """Remember the choice, "two" or "four"."""
    secure = get_settings().public_base_url.startswith("https:")
    answer.set_cookie(CHOICE, colours, max_age=YEAR, secure=secure, httponly=True, samesite="Lax")

"""Pages: a template with the frame that every page shares."""

from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, make_response, redirect, render_template, request, url_for

from casework.domain.access import Permission, can
from casework.services.people import SignedIn
from casework.settings import get_settings
from casework.text import Text, t
from casework.web import sessions, static_files, suits
from casework.web.forms import Form
from casework.web.words import NAMES, language

_MENU: list[tuple[Text, str, Permission]] = []

Navigation = list[tuple[Text, str, bool]]


def init_app(app: Flask) -> None:
    """Give templates what the layout shows, and static files an address that changes with them."""
    app.context_processor(_frame)
    app.url_defaults(static_files.add_version)


def page(template: str, *, form: Form | None = None, status: int | None = None, **context: Any) -> Response:
    """A page. With a form that was refused, the status and the error summary say so."""
    answer = make_response(render_template(template, form=form, **context))
    answer.status_code = status or (form.status if form else 200)
    return answer


def see_other(url: str) -> Response:
    """After a POST: show `url` with a GET."""
    answer: Response = make_response(redirect(url, 303))
    return answer


def own_path(text: str) -> str:
    """A path of this site, or the start page if `text` leads anywhere else."""
    parts = urlsplit(text)
    safe = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable()
    return text if safe and not parts.scheme and not parts.netloc else url_for("home.start")


def _frame() -> dict[str, Any]:
    settings = get_settings()
    here = sessions.signed_in()
    return {
        "lang": language(),
        "federation_name": settings.federation_name,
        "home_url": url_for("home.start"),
        "nav": _navigation(),
        "signed_in": here,
        "reader": _reader(here) if here and here.actor.link else None,
        "user_name": here.actor.name if here else "",
        "user_url": url_for("account.me"),
        "help": {"who": t("The federation's office"), "phone": settings.help_phone, "mail": settings.help_mail},
        "help_url": url_for("home.help_page"),
        "privacy_url": url_for("home.privacy"),
        "accessibility_url": url_for("home.accessibility"),
        "languages": _other_languages(),
        "suits_url": url_for("home.choose_suits", back=_here()),
        "four_colours": suits.four_colours(),
        "demo": settings.demo,
        "demo_url": url_for("demo.start") if settings.demo else "",
    }


def _reader(here: SignedIn) -> Text:
    """Whose link this is: a mail may have been passed on (S-LINK6)."""
    about = {"name": here.actor.name, "number": here.case_number}
    if here.actor.link and here.actor.link.seat_id:
        return t("You are signed in as {name}, called to the hearing of case {number}.", **about)
    return t("You are signed in as {name}, party in case {number}.", **about)


def menu(label: Text, endpoint: str, wanted: Permission) -> None:
    """Put a page in the menu of those who have the permission; called once, beside the blueprint."""
    if (label, endpoint, wanted) not in _MENU:
        _MENU.append((label, endpoint, wanted))


def _navigation() -> Navigation:
    here = sessions.signed_in()
    if here is None:
        return [(t("Sign in"), url_for("account.sign_in"), request.endpoint == "account.sign_in")]
    if here.actor.link:
        return []
    open_to = [(label, endpoint) for label, endpoint, wanted in _MENU if can(here.actor, wanted)]
    return [
        (label, url_for(endpoint), _stands_at(endpoint)) for label, endpoint in [(t("To do"), "home.start"), *open_to]
    ]


def _stands_at(endpoint: str) -> bool:
    blueprint = endpoint.partition(".")[0]
    return endpoint == request.endpoint if blueprint == "home" else request.blueprint == blueprint


def _here() -> str:
    """Where a choice about all pages leads back to: not to itself, or its address would grow with every visit."""
    if request.endpoint in ("home.choose_language", "home.choose_suits"):
        return own_path(request.args.get("back", "/"))
    return request.full_path.rstrip("?") if request.method == "GET" else url_for("home.start")


def _other_languages() -> list[tuple[str, str, str]]:
    return [
        (code, name, url_for("home.choose_language", lang=code, back=_here()))
        for code, name in NAMES.items()
        if code != language()
    ]

"""Words for the reader of this request: his language, texts rendered, short messages kept over a redirect."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import flask
from flask import Flask, g, request
from flask_babel import Babel, Domain

from casework.adapters import i18n
from casework.domain.minutes import has_run
from casework.text import Text
from casework.web import sessions

NAMES = {"sv": "Svenska", "en": "English"}
CHOICE = "casework-language"
"""The cookie with the language that the reader chose."""


class _Catalogues(Domain):
    """The catalogues of `adapters.i18n`, so that pages, mails and PDFs speak from the same ones."""

    def get_translations(self) -> Any:
        return i18n.translations(language())


def init_app(app: Flask) -> None:
    """Give templates `_()` and the filters of `adapters.i18n` in this request's language."""
    babel = Babel(app, default_locale="sv", default_timezone="Europe/Stockholm", locale_selector=language)
    babel.domain_instance = _Catalogues()
    app.jinja_env.filters.update({name: _filter(name) for name in i18n.filters("sv")} | {"words": words})
    app.jinja_env.filters["when"] = app.jinja_env.filters["instant"]
    app.jinja_env.globals["has_run"] = has_run
    app.jinja_env.globals["get_flashed_messages"] = _kept_messages


def language() -> str:
    """The reader's language: chosen here, else the person's own, else Swedish."""
    if "language" not in g:
        actor = sessions.current_actor()
        wishes = (request.cookies.get(CHOICE, ""), actor.language if actor.person_id else "")
        g.language = next((wish for wish in wishes if wish in NAMES), "sv")
    chosen: str = g.language
    return chosen


def speak(code: str) -> None:
    """Answer this request in another language."""
    g.language = i18n.language_or_default(code)


def words(text: Any) -> Any:
    """A `Text` in the reader's language; what is words already stays as it is."""
    return i18n.render(text, language()) if isinstance(text, Text) else text


def when(instant: datetime) -> str:
    """Weekday, date and time in the reader's language."""
    return i18n.format_instant(instant, language())


def flash(text: Text) -> None:
    """Show a message on the next page; the first one of a page is its heading."""
    flask.flash(text.to_json())  # type: ignore[arg-type]  # any JSON is kept in the signed cookie


def _filter(name: str) -> Callable[..., Any]:
    def filtered(value: Any, **options: Any) -> Any:
        return i18n.filters(language())[name](value, **options)

    return filtered


def _kept_messages() -> list[Text]:
    kept: list[Mapping[str, Any]] = flask.get_flashed_messages()  # type: ignore[assignment]
    return [Text.from_json(message) for message in kept]

"""The factory: settings → security → i18n → blueprints → errors."""

from importlib import import_module
from typing import Any

from flask import Flask, request

from casework import logs
from casework.paths import STATIC, TEMPLATES
from casework.settings import get_settings
from casework.web import errors, limits, moment, pages, request_log, security, sessions, units, words

log = logs.logger(__name__)

SUBJECTS = (
    "home",
    "cases",
    "account",
    "links",
    "reminders",
    "appeals",
    "statements",
    "papers",
    "receipts",
    "hearings",
    "decisions",
    "rulings",
    "times",
    "scores",
    "tournaments",
    "case_files",
    "calendars",
    "clockwork",
    "dispatch",
    "operating",
)
"""Packages of `casework.web` whose `views.blueprint` is served. Their order is that of the menu."""


class _App(Flask):
    """Flask, but a fault is logged with the page's rule: an address can be a secret (S-LINK4)."""

    def log_exception(self, exc_info: Any) -> None:
        log.error("request_broke", page=str(request.url_rule), method=request.method, exc_info=exc_info)


def create_app() -> Flask:
    """The web application, from the settings of this process."""
    app = _App("casework", template_folder=str(TEMPLATES), static_folder=str(STATIC))
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    for part in (request_log, moment, sessions, security, units, words, limits, pages):
        part.init_app(app)
    for subject in (*SUBJECTS, *(("demo",) if get_settings().demo else ())):
        app.register_blueprint(import_module(f"casework.web.{subject}.views").blueprint)
    errors.init_app(app)
    return app

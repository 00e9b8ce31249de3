"""The factory: settings → security → i18n → blueprints → errors."""

from importlib import import_module

from flask import Flask

from casework.paths import STATIC, TEMPLATES
from casework.settings import get_settings
from casework.web import errors, limits, moment, pages, security, sessions, units, words

SUBJECTS = (
    "home",
    "cases",
    "account",
    "links",
    "appeals",
    "statements",
    "papers",
    "receipts",
    "hearings",
    "decisions",
    "rulings",
    "scores",
    "tournaments",
    "case_files",
    "clockwork",
    "dispatch",
)
"""Packages of `casework.web` whose `views.blueprint` is served. Their order is that of the menu."""


def create_app() -> Flask:
    """The web application, from the settings of this process."""
    app = Flask("casework", template_folder=str(TEMPLATES), static_folder=str(STATIC))
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    for part in (moment, sessions, security, units, words, limits, pages):
        part.init_app(app)
    for subject in (*SUBJECTS, *(("demo",) if get_settings().demo else ())):
        app.register_blueprint(import_module(f"casework.web.{subject}.views").blueprint)
    errors.init_app(app)
    return app

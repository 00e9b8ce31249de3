"""The blueprint of all pages about rulings."""

from flask import Blueprint

from casework.domain.access import Permission
from casework.text import t
from casework.web.pages import menu

blueprint = Blueprint("rulings", __name__)
menu(t("New ruling"), "rulings.new", Permission.FILE_RULING)


def case_url(case_id: object) -> str:
    """The page of a case."""
    return f"/arenden/{case_id}"

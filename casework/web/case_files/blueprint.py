"""The blueprint of all pages about PDF files and letters."""

from flask import Blueprint

from casework.domain.access import Permission
from casework.text import t
from casework.web.cases.documents import opens_with
from casework.web.pages import menu

blueprint = Blueprint("case_files", __name__)
menu(t("Letters"), "case_files.letters", Permission.RUN_TOURNAMENT)
opens_with("case_file", "case_files.download")

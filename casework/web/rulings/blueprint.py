"""The blueprint of all pages about rulings, and which actions of a case are taken on which of them."""

from flask import Blueprint

from casework.domain.access import Permission
from casework.domain.terms import ActionName
from casework.text import t
from casework.web.cases.actions import leads_to
from casework.web.pages import menu

blueprint = Blueprint("rulings", __name__)
menu(t("New ruling"), "rulings.new", Permission.FILE_RULING)
for action, endpoint in (
    (ActionName.APPOINT_DIRECTOR, "rulings.name_director"),
    (ActionName.HAND_OVER_RULING, "rulings.name_director"),
    (ActionName.POSTPONE_RULING, "rulings.postpone"),
    (ActionName.GIVE_RULING, "rulings.give"),
    (ActionName.COMPLETE_RULING, "rulings.paper_list"),
    (ActionName.RECORD_TELLING, "rulings.told"),
    (ActionName.PROLONG_WINDOW, "rulings.whose_time"),
    (ActionName.RECORD_PUBLICATION, "rulings.publication"),
):
    leads_to(action, endpoint)

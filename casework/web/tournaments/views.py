"""The tournament's pages for its staff."""

from datetime import datetime
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, request, url_for

from casework.domain.access import Permission
from casework.domain.labels import label
from casework.domain.workflow.held import MANY
from casework.services import holding, tournament_view, tournaments
from casework.services.before_publishing import before_publishing, shown_publication
from casework.services.windows import Window
from casework.services.windows import windows as windows_of
from casework.text import t
from casework.web.acting import EDIT, FILE, pressed
from casework.web.forms import options
from casework.web.moment import now
from casework.web.pages import menu, page, see_other
from casework.web.permission import permission
from casework.web.sessions import current_actor
from casework.web.tournaments.forms import PresentMember, Publication
from casework.web.units import reading, write
from casework.web.words import flash

blueprint = Blueprint("tournaments", __name__, url_prefix="/tavlingar")
menu(t("Tournaments"), "tournaments.index", Permission.RUN_TOURNAMENT)


@blueprint.get("")
@permission(Permission.RUN_TOURNAMENT)
def index() -> Response:
    """The tournaments that the reader runs."""
    with reading() as session:
        found = tournament_view.run_tournaments(session, current_actor())
    return page("tournaments/index.html", tournaments=found)


@blueprint.get("/<uuid:tournament_id>")
@permission(Permission.RUN_TOURNAMENT)
def show(tournament_id: UUID) -> Response:
    """Sessions, staff, LK members present, and the procedure with the source of every value."""
    with reading() as session:
        view = tournament_view.overview(session, tournament_id, current_actor())
    return page("tournaments/show.html", view=view, route=label(view.tournament.appeal_route))


@blueprint.route("/<uuid:tournament_id>/lagkommissionen", methods=["GET", "POST"])
@permission(Permission.RUN_TOURNAMENT)
def present(tournament_id: UUID) -> Response:
    """Register that a member of LK is there: he must be called to every hearing of the jury (R18)."""
    with reading() as session:
        view = tournament_view.overview(session, tournament_id, current_actor())
    form = PresentMember()
    form.person_id.choices = options(*((str(person.id), person.name) for person in view.absent))
    if form.sent():
        with form.showing_errors():
            person_id = UUID(form.person_id.data)
            write(
                lambda session: tournaments.register_presence(
                    session, tournament_id, person_id, current_actor(), now=now()
                )
            )
            flash(t("The member is registered as present."))
            return see_other(url_for("tournaments.show", tournament_id=tournament_id))
    return page("tournaments/present.html", form=form, view=view)


@blueprint.route("/omgangar/<uuid:session_id>/resultat", methods=["GET", "POST"])
@permission(Permission.RUN_TOURNAMENT)
def publish(session_id: UUID) -> Response:
    """When the official score was made available, whose time that starts, and whose it would already have ended."""
    with reading() as session:
        row = tournaments.playing_session(session, session_id, current_actor())
        tournament = tournaments.run_by(session, row.tournament_id, current_actor())
    form = Publication()
    shown: dict[str, Any] = {"form": form, "row": row, "tournament": tournament}
    if request.method == "GET":
        form.published_at.process_data(now())
    if request.method == "GET" or pressed() == EDIT or not form.sent():
        return page("tournaments/publish.html", **shown)
    at = form.published_at.instant or now()
    does = None
    with form.showing_errors():
        tournaments.refuse_impossible(row, at, now())
        with reading() as session:
            does = before_publishing(session, session_id, at, now())
        if pressed() == FILE and form.confirms(len(does.told)):
            write(
                lambda session: tournaments.record_publication(
                    session, session_id, current_actor(), published_at=at, now=now(), form=form.instance
                )
            )
            return see_other(url_for("tournaments.windows", session_id=session_id))
    if does is None or not (form.to_check or set(form.errors) == {"people"}):
        return page("tournaments/publish.html", **shown)
    found = _windows(session_id, at)
    form.has_shown(shown_publication(row, found, does))
    return page("tournaments/check_publication.html", at=at, windows=found, does=does, many=MANY, **shown)


@blueprint.get("/omgangar/<uuid:session_id>/tider")
@permission(Permission.RUN_TOURNAMENT)
def windows(session_id: UUID) -> Response:
    """The times to appeal that run from a session's official score; the director can give a side more time."""
    with reading() as session:
        row = tournaments.playing_session(session, session_id, current_actor())
        tournament = tournaments.run_by(session, row.tournament_id, current_actor())
        held = holding.held_scores(session, session_id, current_actor(), now())
    return page("tournaments/windows.html", row=row, tournament=tournament, windows=_windows(session_id), held=held)


def _windows(session_id: UUID, published_at: datetime | None = None) -> list[Window]:
    with reading() as session:
        return windows_of(session, session_id, now(), published_at=published_at)

"""In a case that is open: the ruling after all, postponing it, and who is to give it (R22)."""

from typing import Any
from uuid import UUID

from flask import Response, request, url_for

from casework.domain.access import Permission
from casework.domain.labels import label
from casework.domain.rules.citations import law_choices
from casework.domain.terms import ActionName, RulingOutcome
from casework.services import rulings, scores, tournament_view
from casework.services.before_sending import parties_told
from casework.services.before_telling import before_telling
from casework.services.boards import refuse_unsettled, ruling_papers
from casework.services.engine import possibilities
from casework.services.loading import Loaded
from casework.services.rulings import RulingInput
from casework.services.score_view import newest_view
from casework.text import Text
from casework.web.acting import EDIT, FILE, acted, allowed, pressed
from casework.web.forms import options
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.rulings.blueprint import blueprint
from casework.web.rulings.forms import LaterRuling, NamingDirector, Postponing
from casework.web.sessions import current_actor
from casework.web.units import reading, write
from casework.web.words import words


@blueprint.route("/arenden/<uuid:case_id>/domslut/ge", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def give(case_id: UUID) -> Response:
    """The ruling in a case that was postponed, asked for or handed over."""
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.GIVE_RULING)
        known = ruling_papers(session, loaded)
        saved = scores.newest_score(session, loaded.proceeding.id)
        score = newest_view(session, loaded)
    begun = {"outcome": score.outcome.value, "operative": words(score.operative or "")} if score else {}
    form = LaterRuling(reasons=known.reasons, **begun)
    edition = loaded.case.law_edition
    form.offer_outcomes(edition)
    form.offer_told((member.person_id, loaded.persons[member.person_id].name) for member in loaded.members)
    form.shows(loaded.proceeding.version)
    shown: dict[str, Any] = {"form": form, "loaded": loaded, "laws": law_choices(edition), "edition": edition}
    shown |= {"no_jury": _why_no_jury(loaded), "score": score}
    if request.method == "GET" or pressed() == EDIT:
        return page("rulings/give.html", **shown)
    form.sent()
    cited = form.read_laws(edition)
    if not form.errors:
        with form.showing_errors(), reading() as session:
            refuse_unsettled(session, loaded, known.board, field="board")
            scores.taken_along(session, loaded, RulingOutcome(form.outcome.data), field="outcome")
    if form.errors and not (pressed() == FILE and form.only_telling_is_wrong()):
        return page("rulings/give.html", **shown)
    if pressed() != FILE:
        form.suggest_time(now())
    elif not form.errors and form.has_shown(before_telling(loaded, current_actor().name, form.told_when, now())):
        board = known.board if known.board_filed else None
        ruling = form.ruling(cited, board, agreed=known.agreed, disputed=known.disputed)
        if done := _given(form, loaded, ruling):
            return done
    form.shows(loaded.proceeding.version)
    if form.errors and not form.only_telling_is_wrong():
        return page("rulings/give.html", **shown)
    shown["ahead"] = before_telling(loaded, current_actor().name, form.told_when, now())
    form.has_shown(shown["ahead"])
    shown["told"] = parties_told(loaded)
    outcome = RulingOutcome(form.outcome.data)
    shown["lacks_score"] = scores.lacks_score(outcome, saved)
    return page("rulings/check_given.html", cited=cited, outcome=label(outcome), **shown)


def _why_no_jury(loaded: Loaded) -> Text | None:
    """Why the director cannot leave the ruling to the jury (R22): said before he looks for the way."""
    found = possibilities(loaded, current_actor(), now())
    return next((p.reasons[0] for p in found if p.action.name is ActionName.SEND_TO_JURY and p.reasons), None)


def _given(form: LaterRuling, loaded: Loaded, ruling: RulingInput) -> Response | None:
    with form.showing_errors():
        write(
            lambda session: rulings.give_ruling(
                session, loaded.proceeding.id, current_actor(), ruling, now=now(), form=form.instance
            )
        )
        return see_other(url_for("rulings.receipt", case_id=loaded.case.id))
    return None


@blueprint.route("/arenden/<uuid:case_id>/domslut/skjut-upp", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def postpone(case_id: UUID) -> Response:
    """Say what the ruling waits for."""
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.POSTPONE_RULING)
    form = Postponing()
    form.shows(loaded.proceeding.version)
    if form.sent():
        done = acted(
            form,
            case_id,
            lambda session: rulings.postpone_ruling(
                session,
                loaded.proceeding.id,
                current_actor(),
                waits_for=form.waits_for.data,
                now=now(),
                form=form.instance,
            ),
        )
        if done:
            return done
    form.shows(loaded.proceeding.version)
    return page("rulings/postpone.html", form=form, loaded=loaded)


@blueprint.route("/arenden/<uuid:case_id>/domslut/ledare", methods=["GET", "POST"])
@permission(Permission.READ_CASE)
def name_director(case_id: UUID) -> Response:
    """Appoint who is to rule, or let another rule, for example when the first is a party."""
    names = (ActionName.APPOINT_DIRECTOR, ActionName.HAND_OVER_RULING)
    with reading() as session:
        loaded, possibility = allowed(session, case_id, *names)
        directors = tournament_view.directors_of(session, loaded.tournament.id)
    form = NamingDirector()
    present = loaded.proceeding.director_id
    form.director_id.choices = options(*((str(person.id), person.name) for person in directors if person.id != present))
    form.shows(loaded.proceeding.version)
    appoints = possibility.action.name is ActionName.APPOINT_DIRECTOR
    verb = rulings.appoint_director if appoints else rulings.hand_over_ruling
    if form.sent():
        done = acted(
            form,
            case_id,
            lambda session: verb(
                session,
                loaded.proceeding.id,
                current_actor(),
                director_id=UUID(form.director_id.data),
                now=now(),
                form=form.instance,
            ),
        )
        if done:
            return done
    form.shows(loaded.proceeding.version)
    return page("rulings/director.html", form=form, loaded=loaded, appoints=appoints)

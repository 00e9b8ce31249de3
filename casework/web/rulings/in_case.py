"""In a case that is open: the ruling after all, postponing it, and who is to give it (R22)."""

from collections.abc import Sequence
from uuid import UUID

from flask import Response, request, url_for

from casework.domain.access import Permission
from casework.domain.errors import Conflict
from casework.domain.labels import label
from casework.domain.rules.citations import Citation, law_choices
from casework.domain.shown import Piece
from casework.domain.terms import ActionName, RulingOutcome
from casework.services import rulings, scores, tournament_view
from casework.services.before_telling import before_telling
from casework.services.board_view import board_view
from casework.services.boards import refuse_unsettled
from casework.services.engine import possibilities
from casework.services.going_out import GoingOut, going_out, shown_of_ruling
from casework.services.loading import Loaded
from casework.services.rulings import RulingInput
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
from casework.web.words import language, words


@blueprint.route("/arenden/<uuid:case_id>/domslut/ge", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def give(case_id: UUID) -> Response:
    """The ruling in a case that was postponed, asked for or handed over."""
    loaded, out = _to_rule(case_id)
    form = _begun(loaded, out)
    if request.method == "GET" or pressed() == EDIT:
        return _writing(form, loaded, out)
    form.sent()
    cited = form.read_laws(loaded.case.law_edition)
    if pressed() == FILE and not form.errors:
        if _must_warn(form, loaded, out):
            form.warn()
        elif done := _given(form, loaded, form.ruling(cited, drafted=out.papers)):
            return done
        loaded, out = _to_rule(case_id)
        form.suggests(_suggested(out))
    form.shows(loaded.proceeding.version)
    if not form.errors or form.status == Conflict.status:
        _refuse_what_stands(form, loaded, out)
    if not form.only_telling_is_wrong() or (form.form_errors and pressed() != FILE):
        return _writing(form, loaded, out)
    if pressed() != FILE:
        form.suggest_time(now())
    return _checking(form, loaded, out, cited)


def _to_rule(case_id: UUID) -> tuple[Loaded, GoingOut]:
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.GIVE_RULING)
        return loaded, going_out(session, loaded, current_actor(), now())


def _begun(loaded: Loaded, out: GoingOut) -> LaterRuling:
    """The form, begun with what is drafted and worked out already."""
    form = LaterRuling(reasons=out.papers.reasons, outcome=out.score.outcome.value if out.score else None)
    if pressed() != FILE:
        form.suggests(_suggested(out))
    form.offer_outcomes(loaded.case.law_edition)
    form.offer_told((member.person_id, loaded.persons[member.person_id].name) for member in loaded.members)
    form.shows(loaded.proceeding.version)
    return form


def _suggested(out: GoingOut) -> str:
    """What the ruling says of the score, in its director's language."""
    return str(words(out.score.operative)) if out.score and out.score.operative else ""


def _given(form: LaterRuling, loaded: Loaded, ruling: RulingInput) -> Response | None:
    with form.showing_errors():
        write(
            lambda session: rulings.give_ruling(
                session, loaded.proceeding.id, current_actor(), ruling, now=now(), form=form.instance
            )
        )
        return see_other(url_for("rulings.receipt", case_id=loaded.case.id))
    return None


def _must_warn(form: LaterRuling, loaded: Loaded, out: GoingOut) -> bool:
    ahead = before_telling(loaded, current_actor().name, form.told_when, now())
    return form.must_warn(shown_of_ruling(out, ahead), Piece.OVER)


def _refuse_what_stands(form: LaterRuling, loaded: Loaded, out: GoingOut) -> None:
    """Say that the board contradicts itself, and at the outcome that another score is worked out than is chosen."""
    with form.showing_errors(), reading() as session:
        refuse_unsettled(session, loaded, out.papers.board, field="board")
        scores.taken_along(session, loaded, RulingOutcome(form.outcome.data), field="outcome")


def _writing(form: LaterRuling, loaded: Loaded, out: GoingOut) -> Response:
    edition = loaded.case.law_edition
    return page(
        "rulings/give.html",
        form=form,
        loaded=loaded,
        score=out.score,
        laws=law_choices(edition),
        edition=edition,
        no_jury=_why_no_jury(loaded),
    )


def _checking(form: LaterRuling, loaded: Loaded, out: GoingOut, cited: Sequence[Citation]) -> Response:
    """All that goes out."""
    ahead = before_telling(loaded, current_actor().name, form.told_when, now())
    form.has_shown(shown_of_ruling(out, ahead))
    outcome = RulingOutcome(form.outcome.data)
    return page(
        "rulings/check_given.html",
        form=form,
        loaded=loaded,
        out=out,
        board=board_view(out.papers.board, language()) if out.papers.board_filed else None,
        cited=cited,
        outcome=label(outcome),
        ahead=ahead,
        lacks_score=scores.changes_score(outcome) and out.score is None,
    )


def _why_no_jury(loaded: Loaded) -> Text | None:
    """Why the director cannot leave the ruling to the jury (R22): said before he looks for the way."""
    found = possibilities(loaded, current_actor(), now())
    return next((p.reasons[0] for p in found if p.action.name is ActionName.SEND_TO_JURY and p.reasons), None)


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

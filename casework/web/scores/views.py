"""Work out an adjusted score: type it, see it counted with its working, save it (R69-R78)."""

from typing import Any
from uuid import UUID

from flask import Blueprint, Response, request, url_for
from sqlmodel import Session

from casework.domain.access import Permission
from casework.domain.bridge.notation import Language
from casework.domain.bridge.scoring.methods import ByMatchpoints
from casework.domain.bridge.scoring.typed import render_outcome
from casework.domain.labels import label
from casework.domain.rules.editions import standard, why_not_weight
from casework.domain.rules.procedure import ProcedureProfile
from casework.domain.terms import ActionName, ProceedingKind
from casework.services import scores
from casework.services.board_files import FiledTable, filed_table
from casework.services.boards import RulingPapers, ruling_papers
from casework.services.earlier_scores import before_this
from casework.services.loading import Loaded
from casework.services.ranking_view import COLUMNS as RANKING
from casework.services.ranking_view import ranking_rows
from casework.services.score_basis import result_of
from casework.services.score_view import score_view
from casework.services.scores import SavedScore, ScoreInput
from casework.text import Text, t
from casework.web.acting import CHECK, FILE, allowed, pressed
from casework.web.cases.actions import leads_to
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.scores.fields import PERCENTS
from casework.web.scores.forms import ScoreForm
from casework.web.scores.typed import typed_method, typed_of, usual
from casework.web.sessions import current_actor
from casework.web.units import reading, write
from casework.web.words import flash, language, words

MORE, TAKE_BACK = "more", "take_back"
OWN = frozenset({"csrf_token", "form_id", "basis", "seen", "go"})
"""What each page writes itself; the rest of what was typed is carried along."""

blueprint = Blueprint("scores", __name__)
leads_to(ActionName.COUNT_SCORE, "scores.edit")


@blueprint.route("/arenden/<uuid:case_id>/poang", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def edit(case_id: UUID) -> Response:
    """The editor and the page that shows what comes of it: for the director, and for the chair who deliberates."""
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.COUNT_SCORE, ActionName.COMPLETE_RULING)
        known = ruling_papers(session, loaded)
        saved = scores.newest_score(session, loaded.proceeding.id)
        before = scores.counted_before(session, loaded)
        table = _table_of_file(session, loaded, saved, before)
        stale = scores.why_stale(session, loaded, saved)
    form = _form(loaded, known, saved, before, table)
    if request.method == "GET" and stale is not None:
        form.now_recorded(known.board, _spoken())
    if request.method == "POST" and pressed() == MORE:
        form.add_rows()
    if request.method == "POST" and pressed() == TAKE_BACK and _kept(form, loaded, None):
        return _back(loaded)
    if pressed() in (CHECK, FILE) and form.sent() and (typed := _read(form, loaded, known)):
        if pressed() == FILE and _kept(form, loaded, typed):
            return _back(loaded)
        with form.showing_errors():
            return _counted(form, loaded, typed)
    return _editor(form, loaded, known, saved, table=table, stale=stale)


def _counted(form: ScoreForm, loaded: Loaded, typed: ScoreInput) -> Response:
    """What comes of it, for the form to be confirmed on. Raises as `scores.count`."""
    with reading() as session:
        form.has_shown(scores.shown_of_count(session, loaded, typed))
        board = ruling_papers(session, loaded).board
        before = before_this(session, loaded)
    score = score_view(
        scores.count(loaded, typed, board),
        at_table=typed.at_table,
        differs_because=typed.differs_because,
        before=before,
    )
    kind = words(label(score.outcome))
    return page("scores/counted.html", form=form, loaded=loaded, score=score, kind=kind, typed=_carried())


def _table_of_file(
    session: Session, loaded: Loaded, saved: SavedScore | None, before: SavedScore | None
) -> FiledTable | None:
    """The score table that came with the board, where nobody has counted from another since."""
    table = filed_table(session, loaded)
    counted = (each for each in (saved, before) if each is not None and each.score is not None)
    from_tables = (each for each in counted if each.score and isinstance(each.score.adjustment.method, ByMatchpoints))
    newest = max((each.filed_at for each in from_tables), default=None)
    return table if table is not None and (newest is None or table.filed_at > newest) else None


def _form(
    loaded: Loaded,
    known: RulingPapers,
    saved: SavedScore | None,
    before: SavedScore | None,
    table: FiledTable | None,
) -> ScoreForm:
    """The form, begun with what is filed, else with what is known of the board; never with another's decision."""
    spoken = _spoken()
    if saved is not None and saved.score is not None:
        begun = typed_of(saved, spoken)
    else:
        result = result_of(known.board)
        begun = usual(loaded.tournament.form) | {"at_table": render_outcome(result, spoken) if result else ""}
        if before is not None and before.score is not None:
            begun |= typed_method(before.score.adjustment.method, before.at_table, spoken)
    if table is not None:
        begun["frequency"] = table.typed
    form = ScoreForm(basis=str(saved.id) if saved else "", **begun)
    form.suits(loaded.tournament.form, why_not_weight(loaded.case.law_edition, loaded.proceeding.body))
    return form


def _read(form: ScoreForm, loaded: Loaded, known: RulingPapers) -> ScoreInput | None:
    profile = ProcedureProfile.from_json(loaded.case.profile)
    edition, groups = loaded.case.law_edition, profile.number("small_group_tables")
    typed = form.read(known.board.vulnerability, edition, small_group_from=groups)
    return scores.as_recorded(typed, known.board) if typed is not None else None


def _spoken() -> Language:
    return "en" if language() == "en" else "sv"


def _kept(form: ScoreForm, loaded: Loaded, typed: ScoreInput | None) -> bool:
    """Whether it is filed; if somebody was there first, what was typed stays and can be sent again after a look."""
    with form.showing_errors():
        write(
            lambda session: scores.keep_score(
                session,
                loaded.proceeding.id,
                current_actor(),
                typed,
                basis=UUID(form.basis.data) if form.basis.data else None,
                now=now(),
                form=form.instance,
            )
        )
        return True
    with reading() as session:
        newest = scores.newest_score(session, loaded.proceeding.id)
    form.basis.data = str(newest.id) if newest else ""
    return False


def _back(loaded: Loaded) -> Response:
    flash(t("It is saved."))
    return see_other(_way_back(loaded))


def _way_back(loaded: Loaded) -> str:
    rules = loaded.proceeding.kind is ProceedingKind.RULING
    return url_for("rulings.paper_list" if rules else "decisions.room", case_id=loaded.case.id)


def _carried() -> list[tuple[str, str]]:
    return [(name, value) for name, value in request.form.items(multi=True) if name not in OWN]


def _editor(
    form: ScoreForm,
    loaded: Loaded,
    known: RulingPapers,
    saved: SavedScore | None,
    *,
    table: FiledTable | None,
    stale: Text | None,
) -> Response:
    edition, body = loaded.case.law_edition, loaded.proceeding.body
    form.has_shown(scores.shown_saved(saved))
    shown: dict[str, Any] = {
        "standard": standard(edition),
        "edition": edition.words,
        "one_only": why_not_weight(edition, body),
        "board": known.board,
        "stale": stale,
        "percents": PERCENTS if language() == "sv" else [each.replace(",", ".") for each in PERCENTS],
        "zone_known": known.board.zone is not None,
        "saved": saved is not None and saved.score is not None,
        "decided": loaded.decision() is not None,
        "table": table,
        "ranking": ranking_rows(table.ranking, ours=[party.number for party in loaded.parties]) if table else [],
        "ranking_columns": RANKING,
        "way_back": _way_back(loaded),
        "rules": loaded.proceeding.kind is ProceedingKind.RULING,
    }
    return page("scores/edit.html", form=form, loaded=loaded, **shown)

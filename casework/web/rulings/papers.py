"""The full form as a list of tasks, in any order; each part is filed by itself (R27)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from flask import Response, url_for

from casework.domain.access import Permission
from casework.domain.bridge.board import Board
from casework.domain.bridge.notation import Language
from casework.domain.labels import label
from casework.domain.terms import ActionName, Side
from casework.services import boards
from casework.services.board_view import board_view
from casework.services.boards import RulingPapers
from casework.services.engine import possibilities
from casework.services.loading import Loaded
from casework.services.readings import party_label
from casework.services.scores import NOT_COUNTED, SavedScore, lacks_score, newest_score, why_stale
from casework.text import Text, t
from casework.web.acting import allowed
from casework.web.advice import advice
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.rulings.blueprint import blueprint
from casework.web.rulings.paper_forms import BoardPaper, FactsPaper, HandsPaper, Paper, ReasonsPaper, ResultPaper
from casework.web.sessions import current_actor
from casework.web.units import reading, write
from casework.web.words import flash, language


@blueprint.get("/arenden/<uuid:case_id>/domslut/underlag")
@permission(Permission.READ_PAPERS)
def paper_list(case_id: UUID) -> Response:
    """How far the full form has come."""
    loaded, papers = papers_of(case_id)
    with reading() as session:
        saved = newest_score(session, loaded.proceeding.id)
        stale = why_stale(session, loaded, saved)
    gives = any(p.action.name is ActionName.GIVE_RULING for p in possibilities(loaded, current_actor(), now()))
    view = board_view(papers.board, language())
    happened = [
        _place(loaded),
        _hands(case_id, papers),
        _result(case_id, papers, view.result),
        _facts(case_id, papers),
    ]
    groups = [
        {"title": t("What happened"), "tasks": happened},
        {"title": t("Your decision"), "tasks": [_score(loaded, saved, stale), _reasons(case_id, papers)]},
    ]
    filed_board = papers.board if papers.board_filed else None
    return page(
        "rulings/papers.html",
        loaded=loaded,
        groups=groups,
        gives=gives,
        view=view,
        filed_board=filed_board,
        advice=advice(case_id),
    )


@blueprint.route("/arenden/<uuid:case_id>/domslut/underlag/hander", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def hands(case_id: UUID) -> Response:
    """The four hands and the auction."""
    loaded, papers = papers_of(case_id)
    form = HandsPaper.of(papers, _language())
    return _board_page("rulings/hands.html", form, loaded, papers)


@blueprint.route("/arenden/<uuid:case_id>/domslut/underlag/resultat", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def result(case_id: UUID) -> Response:
    """Contract, lead and result."""
    loaded, papers = papers_of(case_id)
    form = ResultPaper.of(papers, _language())
    return _board_page("rulings/result.html", form, loaded, papers)


@blueprint.route("/arenden/<uuid:case_id>/domslut/underlag/fakta", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def facts(case_id: UUID) -> Response:
    """What the sides agree on, and what each says alone."""
    loaded, papers = papers_of(case_id)
    said = papers.disputed
    form = FactsPaper(
        basis=papers.basis, agreed=papers.agreed, north_south=said[Side.NORTH_SOUTH], east_west=said[Side.EAST_WEST]
    )
    if form.sent() and filed(form, loaded, texts=form.texts()):
        return way_back(case_id)
    return page("rulings/facts.html", form=form, loaded=loaded)


@blueprint.route("/arenden/<uuid:case_id>/domslut/underlag/skal", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def reasons(case_id: UUID) -> Response:
    """Why the director ruled as he did."""
    loaded, papers = papers_of(case_id)
    form = ReasonsPaper(basis=papers.basis, reasons=papers.reasons)
    if form.sent() and filed(form, loaded, texts=form.texts()):
        return way_back(case_id)
    return page("rulings/reasons.html", form=form, loaded=loaded)


def papers_of(case_id: UUID) -> tuple[Loaded, RulingPapers]:
    """The case and its full form, for who may add to the ruling; NotAllowed says what stands in the way."""
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.COMPLETE_RULING)
        return loaded, boards.ruling_papers(session, loaded, drafting=True)


def _board_page(template: str, form: BoardPaper, loaded: Loaded, papers: RulingPapers) -> Response:
    if form.sent():
        form.recorded(papers.board)
        if not form.errors and filed(form, loaded, change=form.recorded):
            return way_back(loaded.case.id)
    return page(template, form=form, loaded=loaded, board=papers.board, view=board_view(papers.board, language()))


def filed(form: Paper, loaded: Loaded, **what: Any) -> bool:
    """File the part; if somebody was there first, what was typed stays and can be sent again after a look."""
    with form.showing_errors():
        write(
            lambda session: boards.complete_ruling(
                session,
                loaded.proceeding.id,
                current_actor(),
                basis=form.basis.data,
                now=now(),
                form=form.instance,
                **what,
            )
        )
        return True
    with reading() as session:
        form.basis.data = boards.ruling_papers(session, loaded, drafting=True).basis
    return False


def way_back(case_id: UUID) -> Response:
    """Back to the list of parts, once one is filed."""
    flash(t("It is saved."))
    return see_other(url_for("rulings.paper_list", case_id=case_id))


def _language() -> Language:
    return "en" if language() == "en" else "sv"


def _place(loaded: Loaded) -> Mapping[str, object]:
    sides = [party_label(loaded, party.id) for party in loaded.parties]
    where = t("{sides}, table {table}", sides=[*sides], table=loaded.incident.table or "–")
    return {
        "title": t("Board, table and players"),
        "url": f"/arenden/{loaded.case.id}",
        "status": "done",
        "hint": where,
    }


def _hands(case_id: UUID, papers: RulingPapers) -> Mapping[str, object]:
    board = papers.board
    have = (any(board.deal.known()), board.auction is not None)
    hint: Text | None = None
    if any(have) and not all(have):
        hint = t("The auction is missing.") if have[0] else t("The hands are missing.")
    url = url_for("rulings.hands", case_id=case_id)
    return _task(t("Hands and auction"), url, sum(have), 2, hint, odd=_odd(board, HandsPaper))


def _result(case_id: UUID, papers: RulingPapers, words: Text | None) -> Mapping[str, object]:
    board = papers.board
    have = [board.contract is not None, board.lead is not None, board.tricks is not None]
    most = 1 if board.contract is not None and board.contract.passed_out else 3
    url = url_for("rulings.result", case_id=case_id)
    odd = _odd(board, ResultPaper)
    return _task(t("Contract, lead and result"), url, min(sum(have), most), most, words, odd=odd)


def _facts(case_id: UUID, papers: RulingPapers) -> Mapping[str, object]:
    disputing = [label(side) for side, said in papers.disputed.items() if said]
    hint = t("Something is disputed.") if disputing else None
    url = url_for("rulings.facts", case_id=case_id)
    return _task(t("Agreed and disputed facts"), url, int(papers.facts_sorted), 1, hint)


def _reasons(case_id: UUID, papers: RulingPapers) -> Mapping[str, object]:
    return _task(t("Reasons"), url_for("rulings.reasons", case_id=case_id), int(bool(papers.reasons)), 1, None)


def _score(loaded: Loaded, saved: SavedScore | None, stale: Text | None) -> Mapping[str, object]:
    score = saved.score if saved is not None else None
    url = url_for("scores.edit", case_id=loaded.case.id)
    if stale is not None:
        return _task(t("The score"), url, 1, 2, stale)
    decided = loaded.decision(loaded.root.id)
    if decided is not None and lacks_score(decided.outcome, saved):
        hint = NOT_COUNTED
    else:
        hint = label(score.adjustment.outcome) if score is not None else t("Only if the ruling changes the score.")
    return _task(t("The score"), url, int(score is not None), 1, hint)


def _odd(board: Board, part: type[BoardPaper]) -> Text | None:
    """What another part has made odd about this one, and nobody has given a reason for."""
    return next((finding.text for finding in board.open_findings() if finding.field in part.concerns), None)


def _task(
    title: Text, url: str, have: int, wanted: int, hint: Text | None, *, odd: Text | None = None
) -> Mapping[str, object]:
    status = "done" if have >= wanted and odd is None else "started" if have else "todo"
    return {"title": title, "url": url, "status": status, "hint": odd or hint}

"""A board from a file: upload or paste, choose the game, look at what was understood, take it (R27).

Importing is a help: nothing waits for it, and what it takes can be typed over.
"""

from dataclasses import replace
from typing import Any
from uuid import UUID

from flask import Response, request, url_for

from casework.clock import now
from casework.domain.access import Permission
from casework.domain.bridge.files.ranking import ranking_of
from casework.domain.bridge.files.record import Record
from casework.domain.errors import Invalid
from casework.services import board_files, papers
from casework.services.board_files import BoardDraft, Refused
from casework.services.board_view import BoardView, board_view
from casework.services.boards import TakenFile
from casework.services.ranking_view import COLUMNS as RANKING
from casework.services.ranking_view import ranking_rows
from casework.services.results_view import result_lines
from casework.text import t
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.rulings.blueprint import blueprint
from casework.web.rulings.board_file_forms import BoardFileForm, FilePaper, GameForm, game_name
from casework.web.rulings.papers import filed, papers_of, way_back
from casework.web.security import takes_long_text
from casework.web.sessions import current_actor
from casework.web.units import reading, write
from casework.web.words import flash, language

takes_long_text("rulings.board_file")


@blueprint.route("/arenden/<uuid:case_id>/domslut/underlag/fil", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def board_file(case_id: UUID) -> Response:
    """Upload a file or paste a text; what cannot be read says why, and what was pasted stays."""
    loaded, known = papers_of(case_id)
    form = BoardFileForm()
    if form.sent() and (draft_id := _taken_in(form, case_id, known.board.number)):
        return see_other(url_for("rulings.board_from_file", case_id=case_id, draft_id=draft_id))
    return page("rulings/file.html", form=form, loaded=loaded)


@blueprint.route("/arenden/<uuid:case_id>/domslut/underlag/fil/<uuid:draft_id>", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def board_from_file(case_id: UUID, draft_id: UUID) -> Response:
    """What was understood of the chosen game, and the button that makes it the case's board."""
    loaded, known = papers_of(case_id)
    asked_for = request.args.get("spel", type=int)
    with reading() as session:
        draft = board_files.draft(
            session,
            draft_id,
            current_actor(),
            case_id=case_id,
            number=known.board.number,
            game=asked_for,
            now=now(),
        )
    if draft is None:
        papers_of(case_id)  # the very form may have been filed a moment ago: then its receipt answers
        flash(papers.GONE)
        return see_other(url_for("rulings.board_file", case_id=case_id))
    choices = draft.choices(known.board.number)
    record = draft.game(asked_for) or choices[0]
    form = FilePaper.of(known, record)
    if form.sent():
        form.recorded(known.board)
        file = TakenFile(draft.id, record.game, board_files.table_of(record))
        if not form.errors and filed(form, loaded, change=form.recorded, file=file):
            return way_back(case_id)
    games = GameForm()
    games.offer(choices, record)
    left_out = len(draft.read.records) - len(choices) + draft.read.unread
    return page(
        "rulings/from_file.html",
        form=form,
        loaded=loaded,
        draft=draft,
        games=games if len(choices) > 1 else None,
        games_left_out=left_out,
        **_understood(draft, record, form, [party.number for party in loaded.parties]),
    )


def _understood(draft: BoardDraft, record: Record, form: FilePaper, contestants: list[int]) -> dict[str, Any]:
    taking = form.taking
    odd, warned = taking.open(), taking.warned()
    board = taking.board()
    return {
        "name": game_name(record),
        "record": record,
        "view": _as_in_file(board_view(board, language()), record),
        "taken_as": board.number if board.number != record.board.number else None,
        "score": board.ns_score,
        "odd": odd,
        "warned": [*draft.read.remarks, *warned],
        "ranking": ranking_rows(ranking_of(draft.read, record), ours=contestants),
        "ranking_columns": RANKING,
        "results": list(result_lines(record)),
        "refused": board_files.refusals(draft.read),
        "kept": taking.kept(),
        "replaced": taking.replaced(),
    }


def _as_in_file(view: BoardView, record: Record) -> BoardView:
    """With the file's own number, until the board is taken."""
    if view.diagram is None:
        return view
    return replace(view, diagram=view.diagram | {"number": record.board.number or ""})


def _taken_in(form: BoardFileForm, case_id: UUID, number: int | None) -> UUID | None:
    """The draft of what was sent; None where the form says what is wrong with it."""
    if form.too_much_pasted():
        return None
    data, name = form.bytes_sent()
    if not data.strip():
        form.say([t("The file is empty.") if form.has_file else t("Choose a file, or paste the text of one.")])
        return None
    try:
        board_files.read_boards(data, number=number)
    except Refused as refusal:
        form.say(refusal.reasons)
        return None
    try:
        with reading() as session:
            stored = board_files.take_in(session, data, filename=name, case_id=case_id)
    except Invalid as refusal:
        form.say([refusal.reason])
        return None
    try:
        return write(
            lambda session: (
                papers.keep_draft(session, stored, current_actor(), case_id=case_id, party_id=None, now=now()).id
            )
        )
    except BaseException:
        papers.drop(stored)
        raise

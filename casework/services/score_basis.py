"""What a score is worked out on: the result that the board is recorded with, then and now."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from uuid import UUID

from sqlmodel import Session

from casework.domain.bridge.board import Board
from casework.domain.bridge.scoring.matchpoints import Line, Result
from casework.domain.bridge.scoring.methods import ByImps, ByMatchpoints, Method
from casework.domain.bridge.scoring.outcomes import Outcome, not_in_zone
from casework.domain.bridge.scoring.typed import read_frequency
from casework.domain.models import BoardRecord
from casework.services.boards import blank_board, newest_board
from casework.services.loading import Loaded
from casework.text import Text, says_something, sentences, t


def result_of(board: Board) -> Outcome | None:
    """The result of a board at the table; a score that was entered goes before the computed one."""
    computed = board.computed_score()
    if board.ns_score not in (None, computed):
        return Outcome(board.ns_score)
    if computed is None:
        return None
    return Outcome(computed, board.contract, board.declarer, board.tricks)


def why_not_recorded(board: Board, at_table: Outcome | None, method: Method) -> Text | None:
    """Why a result cannot be the table's: the board is recorded with another. None where it can."""
    recorded = result_of(board)
    if recorded is None or not _contradicts(recorded, at_table, method):
        return None
    return t("The board is recorded with another result: {recorded}. Write that one, or correct the board. If the "
             "result list really has another, tick it and write why.", recorded=recorded.words)  # fmt: skip


def _contradicts(recorded: Outcome, at_table: Outcome | None, method: Method) -> bool:
    """A score alone names no contract to compare; a table without a result stands in a frequency table only."""
    if at_table is None:
        return isinstance(method, ByMatchpoints)
    if at_table.contract is None or recorded.contract is None:
        return at_table.ns_score != recorded.ns_score
    return at_table != recorded


def why_not_listed(board: Board, at_table: Outcome | None, method: Method, because: str) -> Mapping[str, Text]:
    """By the field, what the result list cannot have of this board; empty where it can, or where it is said why.

    A list is the organiser's: what it has is counted as it stands, but never unnoticed.
    """
    if says_something(because):
        return {}
    recorded, found = result_of(board), dict[str, Text]()
    if differs := why_not_recorded(board, at_table, method):
        found["at_table"] = differs
    known = {each.ns_score for each in (recorded, at_table) if each is not None}
    if at_table is not None and recorded is None and (odd := not_in_zone(board.zone, at_table.ns_score)):
        found["at_table"] = _ask_why(odd)
    if odd := not_in_zone(board.zone, *(score for score in listed(method) if score not in known)):
        found["method"] = _ask_why(odd)
    return found


def _ask_why(odd: Text) -> Text:
    words = t("Correct it. If the result list really has it, tick it at “{field}” and write why.",
              field=t("The result list does not fit the board"))  # fmt: skip
    return sentences([odd, words])


def listed(method: Method) -> Iterator[int]:
    """The scores of other tables that a method counts from."""
    match method:
        case ByMatchpoints(frequency):
            yield from (line.ns_score for line in frequency.lines if line.ns_score is not None)
        case ByImps(other_table=int(score)):
            yield score


def board_now(session: Session, loaded: Loaded) -> tuple[Board, UUID | None]:
    """The board as it is recorded, with the id of the filing if there is one."""
    filed = newest_board(session, loaded.case.id)
    if filed is None:
        return blank_board(loaded.incident.board), None
    return Board.from_json(filed.board), filed.id


def board_at(session: Session, loaded: Loaded, board_id: UUID | None) -> Board:
    """The board as a filing has it; without one, what its number alone says."""
    if board_id is None:
        return blank_board(loaded.incident.board)
    return Board.from_json(session.get_one(BoardRecord, board_id).board)


def changed_since(then: Board, now: Board, at_table: Outcome | None, method: Method, *, table: str = "") -> Text | None:
    """What makes a score stale that was worked out on `then`: None where the same can be said of `now`.

    `table` holds the results of all tables that a file has brought since, as they are typed.
    """
    differences = [*_differences(then, now, at_table, method), *_of_other_tables(table, now, method)]
    if not differences:
        return None
    return t("The board has been changed since the score was worked out. {differences} Work out the score again.",
             differences=sentences(differences))  # fmt: skip


def _of_other_tables(table: str, now: Board, method: Method) -> Iterator[Text]:
    """A match is played against one table, whatever others a file has."""
    if not table or isinstance(method, ByImps):
        return
    lines = method.frequency.lines if isinstance(method, ByMatchpoints) else ()
    if Counter(_each(lines)) != Counter(_each(read_frequency(table, now.vulnerability))):
        yield t("The file that has come since has other results of the tables.")


def _each(lines: Iterable[Line]) -> Iterator[Result]:
    return (line.result for line in lines for _ in range(line.tables))


def _differences(then: Board, now: Board, at_table: Outcome | None, method: Method) -> Iterator[Text]:
    had, has = result_of(then), result_of(now)
    if had != has and (has is None or _contradicts(has, at_table, method)):
        counted = at_table.words if at_table is not None else t("no result")
        recorded = has.words if has is not None else t("no result")
        yield t("It was worked out on {counted}; recorded is {recorded}.", counted=counted, recorded=recorded)
    if then.vulnerability is not now.vulnerability:
        yield t("Then the board had {before}; now it has {now}.", before=then.vulnerability.words,
                now=now.vulnerability.words)  # fmt: skip

"""Score tables: the results of a board at every table, and the ranking (PBN 2.1, section 5; Ruter, Magic Contest)."""

import re
from collections.abc import Iterator, Mapping

from casework.domain.bridge.contract import Contract
from casework.domain.bridge.files.frequency import is_label
from casework.domain.bridge.files.pbn_games import Game
from casework.domain.bridge.files.ranking import unread_numbers
from casework.domain.bridge.files.record import TableResult
from casework.domain.bridge.files.words import read_card, read_contract, read_number, read_tricks
from casework.domain.bridge.notation import Seat
from casework.text import t

MOST_ROWS = 2000
"""No event has as many tables."""

_CELL = re.compile(r'"([^"]*)"|(\S+)')
_UNKNOWN = ("", "-", "?")


def read_table(game: Game, tag: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows of a table by column, each with its line; a row that does not fit the columns is said."""
    columns = [column.lstrip("+-").partition("\\")[0].strip() for column in game.tags[tag].split(";")]
    for line, row in game.rows[tag][:MOST_ROWS]:
        cells = [quoted or plain for quoted, plain in _CELL.findall(row)]
        if len(cells) == len(columns):
            yield line, dict(zip(columns, cells, strict=True))
        else:
            game.remark(line, t("The row has {found} values, the table {wanted} columns.",
                                found=len(cells), wanted=len(columns)))  # fmt: skip
    if len(game.rows[tag]) > MOST_ROWS:
        game.remark(game.place(tag), t("Only {limit} rows of the table are read.", limit=MOST_ROWS))


def read_results(game: Game) -> tuple[TableResult, ...]:
    """The results of the board at every table."""
    if not game.rows.get("ScoreTable"):
        return ()
    return tuple(_result(game, line, row) for line, row in read_table(game, "ScoreTable"))


def read_ranking(game: Game) -> tuple[Mapping[str, str], ...]:
    """The ranking as it is written."""
    if not game.rows.get("TotalScoreTable"):
        return ()
    rows = list(read_table(game, "TotalScoreTable"))
    for line, row in rows:
        for odd in unread_numbers(row):
            game.remark(line, t("{value} in the ranking is no number.", value=odd[:20]))
    return tuple(row for _, row in rows)


def _result(game: Game, line: int, row: Mapping[str, str]) -> TableResult:
    def cell(*names: str) -> str:
        return next((row[name] for name in names if row.get(name, "") not in _UNKNOWN), "")

    contract, tricks, ns_score, adjusted = None, None, None, None
    written = (cell("Score_NS", "Score"), cell("Score_EW"))
    numbers = [read_number(score) if score else None for score in written]
    if any(score and number is None for score, number in zip(written, numbers, strict=True)):
        adjusted = written
        odd = next((score for score in written if score and read_number(score) is None and not is_label(score)), "")
        if odd and not _sits_out(row):
            game.remark(line, t("{score} is no score; the table is left out of the results.", score=odd[:20]))
    elif numbers[0] is not None:
        ns_score = numbers[0]
    elif numbers[1] is not None:
        ns_score = -numbers[1]
    if bye := _sits_out(row):
        adjusted = (bye, bye)
    else:
        contract = _contract(game, line, cell("Contract"))
        tricks = _tricks(game, line, cell("Result"))
    declarer = cell("Declarer")
    return TableResult(
        line=line,
        times=read_number(cell("Multiplicity")) or 1,
        table=cell("Table"),
        round=cell("Round"),
        north_south=cell("PairId_NS", "Pair_NS", "TeamId_NS"),
        east_west=cell("PairId_EW", "Pair_EW", "TeamId_EW"),
        contract=contract,
        declarer=Seat(declarer) if declarer in tuple(Seat) else None,
        tricks=tricks,
        lead=read_card(cell("Lead")),
        ns_score=ns_score,
        adjusted=adjusted,
        points=(cell("MP_NS", "IMP_NS", "Points_NS"), cell("MP_EW", "IMP_EW", "Points_EW")),
        percentages=(cell("Percentage_NS"), cell("Percentage_EW")),
    )


def _sits_out(row: Mapping[str, str]) -> str:
    return next((text for text in row.values() if text.lower() in ("bye", "phantom")), "")


def _contract(game: Game, line: int, written: str) -> Contract | None:
    contract, _ = read_contract(written)
    if written and contract is None:
        game.remark(line, t("{contract} is no contract.", contract=written[:20]))
    return contract


def _tricks(game: Game, line: int, written: str) -> int | None:
    tricks = read_tricks(written)
    if written and tricks is None:
        game.remark(line, t("{result} is no number of tricks.", result=written[:20]))
    return tricks

"""`casework board`: what a board file says, as JSON."""

import json
import sys
from pathlib import Path
from typing import Any

from casework.adapters import i18n
from casework.domain.bridge.files.checks import warnings
from casework.domain.bridge.files.reading import read_file
from casework.domain.bridge.files.record import BoardFile, Record, Remark, TableResult
from casework.domain.bridge.files.source import MOST_BYTES
from casework.domain.bridge.notation import SEATS
from casework.text import Text, t

HELP = """\
Read a PBN, LIN or USEBIO file and print its boards as JSON: one object with --number or where the file holds one
game, else a list with a game a line. Seats and cards are written as in PBN, the score is North-South's, and
`warnings` say what is odd, with the line; nothing is corrected. An `explanation` holds all that was noted of a call:
a pause as [30 s], [W, out of turn], [withdrawn], and who explained what to whom. A board that stands more than once
is printed from its first game with --number, and its warnings say so. Where games are refused the others are printed
and the reasons are on standard error; the exit status is 1 where nothing can be printed."""


def show(path: Path, number: int | None) -> int:
    """Print the boards of a file; 1 if it, or the board asked for, cannot be read."""
    try:
        with path.open("rb") as file:
            read = read_file(file.read(MOST_BYTES + 1))
    except OSError as error:
        print(f"{path}: {error.strerror}", file=sys.stderr)
        return 1
    for remark in _apart(read, number):
        print(f"Line {remark.line}: {_words(remark.text)}", file=sys.stderr)
    if number is None:
        records = [_record_json(record) for record in read.records]
    else:
        same = list(read.numbered(number))
        records = [_record_json(record, more=same[1:]) for record in same[:1]]
        if not same and not any(refusal.number == number for refusal in read.refused):
            print(f"There is no board {number} in the file.", file=sys.stderr)
    if not records:
        return 1
    if number is not None or len(read.records) + len(read.refused) == 1:
        print(json.dumps(records[0], ensure_ascii=False, indent=1))
    else:
        print("[", ",\n ".join(json.dumps(record, ensure_ascii=False) for record in records), "]", sep="")
    return 0


def _apart(read: BoardFile, number: int | None) -> list[Remark]:
    """What no printed board can say: about the file, and about games that were refused."""
    found = list(read.remarks)
    for refusal in read.refused:
        if number in (None, refusal.number):
            found.append(Remark(refusal.line, t("Game {number} is refused. {reason}", number=refusal.game,
                                                reason=refusal.reason)))  # fmt: skip
            found.extend(refusal.remarks)
    return found


def _record_json(record: Record, more: list[Record] | None = None) -> dict[str, Any]:
    board = record.board
    stored = board.to_json()
    computed = board.computed_score()
    found = warnings(record)
    if more:
        lines = ", ".join(str(other.line) for other in more)
        found.insert(0, Remark(record.line, t("The board stands in the file again, on line {lines}.", lines=lines)))
    return {
        "board": board.number,
        "dealer": stored["dealer"],
        "vulnerable": stored["vulnerable"],
        "hands": stored["hands"],
        "auction": [
            {"call": call.call, "alert": call.alert, "explanation": call.said}
            for call in (board.auction.calls if board.auction else ())
        ],
        "contract": stored["contract"],
        "declarer": stored["declarer"],
        "lead": stored["lead"],
        "result": stored["result"],
        "score": board.ns_score if computed is None else computed,
        "warnings": [{"line": remark.line, "text": _words(remark.text)} for remark in found],
        "line": record.line,
        "event": record.event,
        "date": record.date,
        "room": record.room,
        "table": record.table,
        "players": {seat.value: record.players[seat] for seat in SEATS if seat in record.players},
        "play": stored["play"],
        "claim": stored["claim"],
        "results": [_result_json(result) for result in record.results],
        "ranking": [dict(row) for row in record.ranking],
    }


def _result_json(result: TableResult) -> dict[str, Any]:
    return {
        "line": result.line,
        "tables": result.times,
        "table": result.table,
        "round": result.round,
        "pairs": [result.north_south, result.east_west],
        "contract": result.contract and str(result.contract),
        "declarer": result.declarer and result.declarer.value,
        "lead": result.lead,
        "result": result.tricks,
        "score": result.ns_score,
        "adjusted": result.adjusted,
        "points": result.points,
        "percentages": result.percentages,
    }


def _words(text: Text) -> str:
    return i18n.render(text, "en")

"""The score table of a file as the frequency table that the score editor counts from (R81)."""

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from casework.domain.bridge.contract import score
from casework.domain.bridge.files.record import Record, TableResult
from casework.domain.bridge.notation import Vulnerability
from casework.domain.bridge.scoring.matchpoints import Line, Percents, Result
from casework.domain.bridge.scoring.outcomes import impossible
from casework.domain.bridge.scoring.typed import AVERAGES, MOST_TABLES

_LABEL = re.compile(r"A([-+=]|\d\d|\d{4})?")
_BOTH = re.compile(r"A(\d\d)(\d\d)")


@dataclass(frozen=True, slots=True)
class FrequencyTable:
    """`lines`, North-South's best first; `left_out` tables have no result that counts, such as a bye."""

    lines: tuple[Line, ...]
    left_out: int


def frequency_table(record: Record) -> FrequencyTable:
    """The results of a board at all tables. A score that is written goes before what contract and result give."""
    tables: Counter[Result] = Counter()
    left_out = 0
    for row in record.results:
        result = result_of_row(row, record.board.vulnerability)
        if result is None or not 1 <= row.times <= MOST_TABLES:
            left_out += max(1, min(row.times, MOST_TABLES))
        else:
            tables[result] += row.times
    lines = (Line(ns_score, number, percent) for (ns_score, percent), number in tables.items())
    return FrequencyTable(tuple(sorted(lines, key=_best_first)), left_out)


def _best_first(line: Line) -> tuple[bool, int, Fraction]:
    return line.ns_score is None, -(line.ns_score or 0), -line.percent[0] if line.percent else Fraction(0)


def result_of_row(row: TableResult, vulnerability: Vulnerability) -> Result | None:
    """What a table is counted with; None where it has no result that counts."""
    if row.adjusted is not None:
        percents = _percents(*row.adjusted)
        return (None, percents) if percents else None
    points = row.ns_score
    if points is None and row.contract is not None and row.contract.passed_out:
        points = 0
    elif points is None and row.contract is not None and row.declarer is not None and row.tricks is not None:
        points = score(row.contract, row.declarer, row.tricks, vulnerability)
    return None if points is None or impossible(points) else (points, None)


def is_label(written: str) -> bool:
    """Whether it is what programs write for an artificial score, also one that does not say what both sides get."""
    return _LABEL.fullmatch(_plain(written)) is not None


def _plain(label: str) -> str:
    return label.replace("\N{MINUS SIGN}", "-")


def _percents(north_south: str, east_west: str) -> Percents | None:
    """Both sides' parts of a top: "A6040", or a label for each side, "A+"."""
    if both := _BOTH.fullmatch(north_south):
        return Fraction(both[1]), Fraction(both[2])
    sides = (AVERAGES.get(_plain(label)) for label in (north_south, east_west))
    first, second = sides
    return None if first is None or second is None else (first, second)

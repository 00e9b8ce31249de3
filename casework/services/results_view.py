"""The results of all tables that a board file has, line by line as they stand there."""

from collections.abc import Iterator

from casework.domain.bridge.files.frequency import result_of_row
from casework.domain.bridge.files.record import Record, Remark, TableResult
from casework.domain.bridge.notation import Vulnerability
from casework.domain.bridge.scoring.outcomes import Outcome
from casework.domain.bridge.scoring.working import signed
from casework.text import Text, t


def result_lines(record: Record) -> Iterator[Remark]:
    """Each line of the file's table, in its order; what the score editor leaves out is said."""
    for row in record.results:
        told = _told(row, record.board.vulnerability)
        if row.times > 1:
            told = t("{what} x {times}", what=told, times=row.times)
        if row.table:
            told = t("table {table}: {what}", table=row.table, what=told)
        yield Remark(row.line, told)


def _told(row: TableResult, zone: Vulnerability) -> Text:
    """A contract with its score, or what stands there instead: "A+ / A−", "Bye"."""
    counted = result_of_row(row, zone)
    played = None if row.contract is None else Outcome(0, row.contract, row.declarer, row.tricks).played
    if row.adjusted is not None:
        told = t("{what}", what=" / ".join(dict.fromkeys(each.replace("-", "−") or "–" for each in row.adjusted)))
    elif counted is None or counted[0] is None:
        told = played or t("no result")
    else:
        score = signed(counted[0])
        told = t("{what}", what=score) if played is None else t("{played}, {score}", played=played, score=score)
    return told if counted is not None else t("{what} (not counted)", what=told)

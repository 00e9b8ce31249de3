"""The ranking of a board file as a table."""

from collections.abc import Collection, Iterable

from casework.domain.bridge.files.ranking import Ranked
from casework.services.score_tables import TableRow, Words
from casework.text import t

COLUMNS = (t("Place"), t("No."), t("Names"), t("Result"))


def ranking_rows(ranking: Iterable[Ranked], *, ours: Collection[int]) -> list[TableRow]:
    """A row for each contestant; `ours` are the numbers of those in the case."""
    own = {str(number) for number in ours}
    return [TableRow(cells=(row.rank, row.number, row.names, _total(row)), ours=row.number in own) for row in ranking]


def _total(row: Ranked) -> Words:
    if row.percent is not None:
        return t("{number} %", number=row.percent)
    return t("{number}", number=row.points) if row.points is not None else "–"

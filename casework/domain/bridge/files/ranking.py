"""The ranking of a file (PBN's TotalScoreTable) as far as it is shown: places and names, no member numbers."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from casework.domain.bridge.files.record import BoardFile, Record

_PERCENT = ("TotalPercentage", "Percentage")
_POINTS = ("TotalScoreVP", "TotalScoreIMP", "TotalScoreMP", "TotalScore", "VP", "IMP", "MP")
_NUMBER = re.compile(r"-?[0-9]{1,7}([.,][0-9]{1,4})?")
_BETWEEN = re.compile(r"\s*[;/]\s*|\s+[-–]\s+")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A contestant's place, with what the file has of its result."""

    rank: str
    number: str
    names: str
    percent: Decimal | None
    points: Decimal | None


def ranking_of(read: BoardFile, record: Record) -> tuple[Ranked, ...]:
    """The ranking of a game's event: many programs write it at the file's first game only."""
    rows = next((each.ranking for each in (record, *read.records) if each.ranking), ())
    return tuple(_ranked(row) for row in rows)


def unread_numbers(row: Mapping[str, str]) -> Iterator[str]:
    """What stands where a result of a contestant should be, and is none: it is not shown."""
    written = (row.get(name, "-") for name in (*_PERCENT, *_POINTS))
    return (value for value in written if value not in ("", "-", "?") and _number(value) is None)


def _ranked(row: Mapping[str, str]) -> Ranked:
    def cell(*names: str) -> str:
        return next((row[name] for name in names if row.get(name, "-") != "-"), "")

    names = " – ".join(name.strip() for name in _BETWEEN.split(cell("Names", "Name", "TeamName")) if name.strip())
    return Ranked(
        rank=cell("Rank"),
        number=cell("PairId", "TeamId", "ContestantId", "PlayerId"),
        names=names,
        percent=_number(cell(*_PERCENT)),
        points=_number(cell(*_POINTS)),
    )


def _number(written: str) -> Decimal | None:
    return Decimal(written.replace(",", ".")) if _NUMBER.fullmatch(written) else None

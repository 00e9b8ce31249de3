"""What a board file held: a record for each game, what was odd about it, and the games that could not be read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from casework.domain.bridge.board import Board
from casework.domain.bridge.contract import Contract
from casework.domain.bridge.notation import Seat
from casework.text import Text, t

MOST_BOARDS = 20_000
MOST_REMARKS = 100


@dataclass(frozen=True, slots=True)
class Remark:
    """Something odd, at a line counted from 1."""

    line: int
    text: Text


def add_remark(remarks: list[Remark], line: int, text: Text) -> None:
    """Add to the remarks of a game; where there are very many, the first are enough."""
    if len(remarks) < MOST_REMARKS:
        remarks.append(Remark(line, text))
    elif len(remarks) == MOST_REMARKS:
        remarks.append(Remark(line, t("From here on there is more that is odd.")))


@dataclass(frozen=True, slots=True)
class Refusal:
    """A game that could not be read, or is no deal. `game` counts the games of the file from 1."""

    game: int
    line: int
    reason: Text
    number: int | None = None
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResult:
    """One table's result on a board, as a score table has it.

    `adjusted` holds what stands there instead of a score ("A+", "A6040", "Bye"); points and percentages are written
    as the file has them, North-South first.
    """

    line: int
    times: int = 1
    """Tables that a line of a frequency table stands for."""
    table: str = ""
    round: str = ""
    north_south: str = ""
    east_west: str = ""
    contract: Contract | None = None
    declarer: Seat | None = None
    tricks: int | None = None
    lead: str | None = None
    ns_score: int | None = None
    adjusted: tuple[str, str] | None = None
    points: tuple[str, str] = ("", "")
    percentages: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One game of a file. `places` gives the line by a finding's field; `room` is "open", "closed" or ""."""

    game: int
    line: int
    board: Board
    remarks: tuple[Remark, ...] = ()
    places: Mapping[str, int] = field(default_factory=dict)
    event: str = ""
    date: str = ""
    room: str = ""
    table: str = ""
    players: Mapping[Seat, str] = field(default_factory=dict)
    results: tuple[TableResult, ...] = ()
    ranking: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What somebody looks for in a file: a game by its place, those of a board, and the `first` of all."""

    game: int | None = None
    number: int | None = None
    first: int = 0

    def wants(self, game: int, number: int | None) -> bool:
        """Whether a game is to be read; a number of None is not known."""
        return game <= self.first or game == self.game or (number is not None and number == self.number)


@dataclass(frozen=True, slots=True)
class BoardFile:
    """What a file held; `remarks` concern the file as a whole, `unread` are games that nobody asked for."""

    records: tuple[Record, ...]
    refused: tuple[Refusal, ...] = ()
    remarks: tuple[Remark, ...] = ()
    unread: int = 0

    def numbered(self, number: int) -> Iterator[Record]:
        """The records of a board: one for each room or table."""
        return (record for record in self.records if record.board.number == number)

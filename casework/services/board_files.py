"""A board from a file: kept as a draft while it is looked at, filed as evidence with the board that is taken from it.

The bytes stand as they came, with their SHA-256, on a filing of their own that names the game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters.storage import Stored
from casework.domain.access import Actor
from casework.domain.bridge.files.frequency import frequency_table
from casework.domain.bridge.files.ranking import Ranked, ranking_of
from casework.domain.bridge.files.reading import read_file
from casework.domain.bridge.files.record import BoardFile, Record, Wanted
from casework.domain.bridge.notation import Unreadable
from casework.domain.bridge.scoring.typed import render_frequency
from casework.domain.errors import Missing
from casework.domain.models import Attachment, Statement
from casework.domain.terms import StatementKind
from casework.services import papers
from casework.services.loading import Loaded
from casework.services.papers import BOARD_FILE, BOARD_TABLE
from casework.text import Text, t

MOST_REASONS = 5
"""Games that are refused are named up to here, where no other can be read."""
MOST_CHOICES = 500
"""Games that are offered; a board of the case's own number always is."""


class Refused(Exception):
    """Nothing in it can be taken; `reasons` say why, with lines."""

    def __init__(self, reasons: Sequence[Text]) -> None:
        super().__init__(reasons[0].msgid)
        self.reasons = reasons


def read_boards(data: bytes, *, number: int | None = None, game: int | None = None) -> BoardFile:
    """What a file or a pasted text holds: the games that are offered, a board's own, and one by its place.

    Raises Refused where it holds no board that can be read.
    """
    try:
        read = read_file(data, Wanted(number=number, game=game, first=MOST_CHOICES))
    except Unreadable as error:
        raise Refused([error.reason]) from error
    if not read.records:
        reasons = refusals(read)[:MOST_REASONS]
        if read.unread:
            reasons.insert(0, t("None of the first {number} games can be read.", number=MOST_CHOICES))
        raise Refused(reasons or [t("There is no board in the file.")])
    return read


def refusals(read: BoardFile) -> list[Text]:
    """Why games of a file are refused, each with its line."""
    return [
        t("Line {line}, board {number}: {reason}", line=each.line, number=each.number, reason=each.reason)
        if each.number is not None
        else t("Line {line}: {reason}", line=each.line, reason=each.reason)
        for each in read.refused
    ]


def take_in(session: Session, data: bytes, *, filename: str, case_id: UUID) -> Stored:
    """Store what `read_boards` has read, before any write unit. Raises Invalid with the field `files`."""
    used = papers.used(session, case_id, None)
    return papers.take_in(BytesIO(data), filename=filename, used=used, boards=True)


@dataclass(frozen=True, slots=True)
class BoardDraft:
    """A file that is looked at, not filed."""

    id: UUID
    name: str
    read: BoardFile

    def choices(self, number: int | None) -> list[Record]:
        """The games to choose among, those of the case's own board first."""
        mine = [record for record in self.read.records if number is not None and record.board.number == number]
        others = [record for record in self.read.records if number is None or record.board.number != number]
        return [*mine, *others[:MOST_CHOICES]]

    def game(self, number: int | None) -> Record | None:
        """A game by its place in the file."""
        return next((record for record in self.read.records if record.game == number), None)


def draft(
    session: Session,
    draft_id: UUID,
    actor: Actor,
    *,
    case_id: UUID,
    number: int | None,
    game: int | None,
    now: datetime,
) -> BoardDraft | None:
    """The actor's own draft, read for the case's board `number` and a `game` that is asked for.

    None where it is filed, or no longer kept.
    """
    found, _ = papers.drafts(session, [draft_id], actor, case_id=case_id, now=now)
    if not found:
        return None
    with papers.content(found[0]) as stream:
        return BoardDraft(found[0].id, found[0].name, read_boards(stream.read(), number=number, game=game))


@dataclass(frozen=True, slots=True)
class FiledTable:
    """The score table of the file that the case's board was taken from: `typed` as the editor reads it.

    `ranking` is the event's, where the file has it.
    """

    name: str
    filed_at: datetime
    typed: str
    left_out: int
    ranking: tuple[Ranked, ...]


def _newest_filing(session: Session, loaded: Loaded) -> Statement | None:
    added = select(Statement).where(Statement.case_id == loaded.case.id, Statement.kind == StatementKind.ADDITION)
    newest_first = session.exec(added.order_by(col(Statement.received_at).desc(), col(Statement.id)))
    return next((row for row in newest_first if BOARD_FILE in (row.parts or {})), None)


def table_since(session: Session, loaded: Loaded, since: datetime) -> str:
    """The results of all tables of a board file that was filed after something; "" where there is none."""
    filing = _newest_filing(session, loaded)
    if filing is None or filing.received_at <= since:
        return ""
    return str((filing.parts or {}).get(BOARD_TABLE, ""))


def table_of(record: Record) -> str:
    """The results of all tables that a game has, as the score editor reads them."""
    return render_frequency(frequency_table(record).lines)


def filed_table(session: Session, loaded: Loaded) -> FiledTable | None:
    """The results of all tables as the newest board file has them; None where there is none, or it has none."""
    filing = _newest_filing(session, loaded)
    if filing is None:
        return None
    file = session.exec(select(Attachment).where(Attachment.statement_id == filing.id)).first()
    read = _read_again(file, int((filing.parts or {})[BOARD_FILE])) if file is not None else None
    if file is None or read is None:
        return None
    whole, record = read
    table = frequency_table(record)
    if not table.lines:
        return None
    typed, ranking = render_frequency(table.lines), ranking_of(whole, record)
    return FiledTable(file.name, filing.received_at, typed, table.left_out, ranking)


def _read_again(file: Attachment, game: int) -> tuple[BoardFile, Record] | None:
    """Read from the bytes, the ranking of the first game too; a help that is not there stops nobody from typing."""
    try:
        with papers.content(file) as stream:
            read = read_file(stream.read(), Wanted(game=game, first=1))
    except (Missing, Unreadable):
        return None
    record = next((record for record in read.records if record.game == game), None)
    return (read, record) if record is not None else None

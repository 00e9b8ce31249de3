"""The forms of taking a board from a file: the file or the pasted text, which game, and what is odd about it."""

from collections.abc import Iterable, Sequence

import wtforms
from werkzeug.datastructures import FileStorage
from wtforms.widgets import TextArea

from casework.domain.bridge.board import Board, Finding
from casework.domain.bridge.files.record import Record
from casework.domain.bridge.files.source import MOST_BYTES
from casework.domain.bridge.files.taking import CONCERNS, Taking
from casework.services.boards import RulingPapers
from casework.text import Text, t
from casework.web.forms import Form, Group, ReasonField, options
from casework.web.rulings.paper_forms import BoardPaper
from casework.web.words import words

PASTED = t("pasted text")


class PasteField(wtforms.Field):
    """Text that is evidence: not one character of it is put right."""

    widget = TextArea()

    def _value(self) -> str:
        return self.data or ""


class BoardFileForm(Form):
    """A file, or what was copied from one."""

    files = wtforms.FileField(t("File"), description=t("PBN, LIN or USEBIO, at most 5 MB."))
    pasted = PasteField(
        t("Or paste the text"),
        description=t("The whole file, or the part with the board, at most 5 MB."),
        render_kw={"spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"},
    )

    def bytes_sent(self) -> tuple[bytes, str]:
        """What was sent and what it is called, a file before a text; of one that is too large a byte too many."""
        file = self._file()
        if file is not None:
            return file.stream.read(MOST_BYTES + 1), file.filename or ""
        return (self.pasted.data or "").encode("utf-8", errors="surrogatepass"), str(words(PASTED))

    @property
    def has_file(self) -> bool:
        """Whether a file was chosen, be it an empty one."""
        return self._file() is not None

    def too_much_pasted(self) -> bool:
        """Say so at the field, which is sent back without it: the browser's own page still has it."""
        if self._file() is not None or len((self.pasted.data or "").encode(errors="surrogatepass")) <= MOST_BYTES:
            return False
        self.say([t("The text may be at most 5 MB. Paste the part with the board. What you pasted is still there if "
                    "you go back in the browser.")])  # fmt: skip
        self.pasted.data = ""
        return True

    def say(self, reasons: Sequence[Text]) -> None:
        """Put what is wrong at the field that it came by."""
        field = self.files if self._file() or not self.pasted.data else self.pasted
        field.errors, self.status = [*field.errors, *reasons], 422

    def _file(self) -> FileStorage | None:
        sent = self.files.data
        return sent if isinstance(sent, FileStorage) and sent.filename else None


class GameForm(Group):
    """Which game of the file; sent as a question, it changes nothing."""

    spel = wtforms.SelectField(t("Which board?"))

    def offer(self, records: Sequence[Record], chosen: Record) -> None:
        """The games by their places in the file; a board that stands twice is told apart by its line."""
        self.spel.choices = options(*((str(record.game), game_name(record)) for record in records))
        self.spel.data = str(chosen.game)


def game_name(record: Record) -> Text:
    """A game in the list: "Board 18, open room, table 5 (line 41)"."""
    number = record.board.number
    name = t("Board {number}", number=number) if number is not None else t("Board without a number")
    if record.room:
        room = t("open room") if record.room == "open" else t("closed room")
        name = t("{board}, {where}", board=name, where=room)
    if record.table:
        name = t("{board}, {where}", board=name, where=t("table {table}", table=record.table))
    return t("{board} (line {line})", board=name, line=record.line)


class FilePaper(BoardPaper):
    """A board of a file as the case's: taken as it is written, what is odd with a tick and the reason."""

    as_played = wtforms.BooleanField(t("Take it as it is written in the file"))
    because = ReasonField(t("Why is it recorded like that?"))

    taking: Taking

    @classmethod
    def of(cls, papers: RulingPapers, record: Record) -> "FilePaper":
        """The board of a game, held against what is filed."""
        form = cls(basis=papers.basis)
        form.taking = Taking(record, papers.board)
        form.concerns = CONCERNS - set(form.taking.board().because)
        form.name(form.found(form.read(papers.board), papers.board))
        return form

    def read(self, board: Board) -> Board:
        """The board of the file, with what it does not have as it is filed."""
        return Taking(self.taking.record, board).board()

    def found(self, fresh: Board, known: Board) -> Iterable[Finding]:
        """Another number in the file too."""
        return Taking(self.taking.record, known).findings()

    def _say(self, findings: Iterable[Finding]) -> None:
        """What is odd stands right above the tick."""
        if any(True for _ in findings):
            self.as_played.errors = [t("Tick that it is taken as it is written, and write why.")]

"""PBN text → games: tags, the rows below them and notes, free of comments. The standard is PBN 2.1, sections 2 to 3."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from casework.domain.bridge.files.record import MOST_BOARDS, Remark, add_remark
from casework.domain.bridge.notation import Unreadable
from casework.text import Text, t

MOST_ODD = 1000
"""With more lines that cannot be read, or stand twice, it is no PBN file."""
MOST_TAGS = 300
MOST_NOTES = 32
"""Of a section, by the standard."""
MOST_LETTERS = 5000
"""PBN's own lines have 255 at most."""

Row = tuple[int, str]

_PLAIN = re.compile(r'\[(\w+) "([^"\\\n{]*(?:\\.[^"\\\n{]*)*)"\]\n((?:[^\s\[{};%"][^\[{};"\n]*\n)*)')
_AROUND = len('[ ""]\n')
_TAG = re.compile(r'\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]\s*')
_TAG_START = re.compile(r'\[\s*\w+\s+"')
_ESCAPED = re.compile(r'\\(["\\])')
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*+"?|\{[^}]*\}?|;.*|[^"{;]+')
_NOTE = re.compile(r"\s*([1-9]\d?)\s*:(.*)", re.DOTALL)
_SECTIONS = ("Auction", "Play")
_VALUES = frozenset("Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer Contract "
                    "Result Score Room Table HomeTeam VisitTeam Round Stage Section Time".split())  # fmt: skip
"""Tags that say a value and nothing else: nearly all of a file."""
_MOST_LINES_OF_A_VALUE = 100


@dataclass(slots=True)
class Game:
    """A game as it is written; a tag that stands twice counts once. Notes are by section and number."""

    number: int
    line: int
    tags: dict[str, str] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    rows: dict[str, list[Row]] = field(default_factory=dict)
    notes: dict[tuple[str, str], str] = field(default_factory=dict)
    used: set[tuple[str, str]] = field(default_factory=set)
    copies: list[str] = field(default_factory=list)
    """Tags whose value starts with "#"."""
    section: str = ""
    remarks: list[Remark] = field(default_factory=list)

    def remark(self, line: int, text: Text) -> None:
        """Note something odd."""
        add_remark(self.remarks, line, text)

    def place(self, *tags: str) -> int:
        """The line of the first of the tags that is there, else of the game."""
        return next((self.places[tag] for tag in tags if tag in self.places), self.line)


def split_games(text: str) -> Iterator[Game]:
    """The games in order. Unreadable if there are too many, or if it cannot be PBN."""
    return _Splitter().split(text)


class _Splitter:
    def __init__(self) -> None:
        self.game = Game(0, 0)
        self.done: list[Game] = []
        self.gap = True
        self.rows: list[Row] | None = None
        self.odd = 0
        self.open_tag: list[Row] = []
        self.open_comment = 0

    def split(self, text: str) -> Iterator[Game]:
        """A plain game is taken in one step, whatever else line by line."""
        at, line = 0, 1
        text = text.rstrip() + "\n"
        while at < len(text):
            if text[at] == "\n":
                self._line(line, "")
                line += 1
                at += 1
                continue
            end = text.find("\n\n", at) + 1 or len(text)
            game = text[at:end]
            if not self._plain_game(line, game):
                for number, content in enumerate(game.split("\n")[:-1], line):
                    self._line(number, content)
            line += game.count("\n")
            at = end
            if self.done:
                yield from self.done
                self.done.clear()
        self._give_up_tag()
        if self.open_comment:
            self._give_up_comment()
        yield from [*self.done, self.game] if self.game.number else []

    def _plain_game(self, line: int, game: str) -> bool:
        """Take tags and the rows below them; False, and nothing is done, where there is anything else."""
        tags = _PLAIN.findall(game) if game[0] == "[" and not (self.open_comment or self.open_tag) else []
        if len("".join(chain.from_iterable(tags))) + _AROUND * len(tags) != len(game):
            return False
        escaped = "\\" in game or '"#' in game
        known, places = self.game.tags, self.game.places
        for name, value, rows in tags:
            odd = escaped and ("\\" in value or value[:1] == "#")
            if name in _VALUES and not (rows or self.gap or odd or name in known):  # as `_tag` does it
                known[name], places[name], self.rows = value, line, None
                line += 1
                continue
            self._tag(line, name, value)
            known, places = self.game.tags, self.game.places
            line += 1
            if rows:
                below = rows.split("\n")
                below.pop()
                if self.rows is not None and len(rows) < MOST_LETTERS:
                    self.rows += enumerate(below, line)
                else:
                    for row in enumerate(below, line):
                        self._row(*row)
                line += len(below)
        return True

    def _line(self, line: int, content: str) -> None:
        if self.open_comment:
            if not _TAG_START.match(content):
                _, closing, content = content.partition("}")
                self.open_comment = 0 if closing else self.open_comment
            else:
                self._give_up_comment()
        elif not content or content.isspace():
            self._give_up_tag()
            self.gap = True
        if content[:1] == "%":
            return
        if "{" in content or ";" in content:
            content, opens = _outside_comments(content)
            self.open_comment = line if opens else 0
        if self.open_tag or "[" in content:
            self._odd_tags(line, content)
        elif content.strip():
            self._row(line, content)

    def _give_up_comment(self) -> None:
        """A comment that runs into a tag is taken as not closed (BR07)."""
        self.game.remark(self.open_comment, t("The comment that starts with {sign} is not closed.", sign="{"))
        self.open_comment = 0

    def _give_up_tag(self) -> None:
        """A value whose end never came."""
        for line, content in self.open_tag[:1]:
            self._unread(line, content)
        self.open_tag = []

    def _tag(self, line: int, name: str, value: str) -> None:
        self.rows = None
        game = self.game
        if "\\" in value:
            value = _ESCAPED.sub(r"\1", value)
        if name == "Note":
            self._note(line, value)
            return
        if self.gap or name in game.tags:
            if not self.gap and not (name == "Board" or (name == "Event" and "Board" in game.tags)):
                self._odd(line, t("[{tag}] stands twice; the first one counts.", tag=name))
                return
            game = self._new_game(line)
        elif len(game.tags) >= MOST_TAGS:
            self._unread(line, f"[{name} …]")
            return
        game.tags[name] = value
        game.places[name] = line
        if value[:1] == "#":
            game.copies.append(name)
        if name in _SECTIONS:
            game.section = name
        elif name[-5:] != "Table":
            return
        self.rows = game.rows[name] = []

    def _new_game(self, line: int) -> Game:
        before = self.game
        if before.number == MOST_BOARDS:
            raise Unreadable(t("The file has more than {limit} boards.", limit=MOST_BOARDS))
        if before.number:
            self.done.append(before)
        self.gap = False
        self.game = Game(before.number + 1, line, remarks=[] if before.number else before.remarks)
        return self.game

    def _note(self, line: int, value: str) -> None:
        note = _NOTE.fullmatch(value)
        if note is None or int(note[1]) > MOST_NOTES:
            self.game.remark(line, t("A note is written as number and text, 1 to 32: {note}.", note=_cut(value)))
        elif not self.game.section:
            self.game.remark(line, t("A note stands before auction and play: {note}.", note=_cut(value)))
        if note and self.game.section:
            self.game.notes[self.game.section, note[1]] = note[2].strip()

    def _odd_tags(self, line: int, content: str) -> None:
        """Several tags on a line, something before or after one, or a value that runs over lines."""
        if content.lstrip()[:1] == "[":
            self._give_up_tag()
        joined = bool(self.open_tag)
        if joined:
            self.open_tag.append((line, content))
            if '"]' not in content and len(self.open_tag) < _MOST_LINES_OF_A_VALUE:
                return
            line, content = self.open_tag[0][0], "\n".join(text for _, text in self.open_tag)
            self.open_tag = []
        if len(content) > MOST_LETTERS * 10:
            self._unread(line, content)
            return
        at = content.find("[")
        if content[:at].strip():
            self._row(line, content[:at])
        while match := _TAG.match(content, at):
            self._tag(line, match[1], match[2])
            at = match.end()
        rest = content[at:]
        if not joined and _TAG_START.match(rest) and not rest.rstrip().endswith("]"):
            self.open_tag = [(line, rest)]
        elif rest.startswith("["):
            self._unread(line, rest)
        elif rest.strip():
            self._row(line, rest)

    def _row(self, line: int, content: str) -> None:
        if self.rows is None:
            self._unread(line, content)
        elif len(content) > MOST_LETTERS:
            self.rows.append((line, content[:MOST_LETTERS]))
            self.game.remark(line, t("The line is too long; its first {limit} letters are read.", limit=MOST_LETTERS))
        else:
            self.rows.append((line, content))

    def _unread(self, line: int, content: str) -> None:
        if self.gap:
            self._new_game(line)
        self._odd(line, t("This cannot be read: {text}", text=_cut(content)))

    def _odd(self, line: int, text: Text) -> None:
        self.odd += 1
        if self.odd > MOST_ODD:
            raise Unreadable(t("Line {line}: this is no PBN file; too many lines cannot be read.", line=line))
        self.game.remark(line, text)


def _outside_comments(content: str) -> tuple[str, bool]:
    """A line without its comments, and whether one goes on over the line's end."""
    kept, opens = [], False
    for piece in _PIECE.findall(content):
        opens = piece[0] == "{" and piece[-1] != "}"
        if piece[0] not in "{;":
            kept.append(piece)
    return "".join(kept), opens


def _cut(text: str) -> str:
    plain = " ".join(text[:200].split())
    return plain if len(plain) <= 60 else plain[:59] + "…"

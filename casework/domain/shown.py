"""What somebody is shown before he confirms, with one fingerprint of it.

A check page shows more than what was typed: a score, a board, times, who is told. Others can change that while the page
is open. The fingerprint goes along with the form, and is compared under the lock with what would take effect now.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from hashlib import sha256
from typing import Any

from casework.domain.chain import canonical
from casework.domain.errors import Conflict
from casework.text import Text, t


class Piece(StrEnum):
    """A part of what a check page shows."""

    SCORE = "score"
    BOARD = "board"
    FACTS = "facts"
    REASONS = "reasons"
    SIDES = "sides"
    APPEALS = "appeals"
    PAPERS = "papers"
    VOTE = "vote"
    TIMES = "times"
    OVER = "over"
    TOLD = "told"
    STOPPED = "stopped"

    @property
    def words(self) -> Text:
        """What a reader calls it, within a sentence."""
        return _WORDS[self]


_WORDS: Mapping[Piece, Text] = {
    Piece.SCORE: t("the score"),
    Piece.BOARD: t("the board"),
    Piece.FACTS: t("the facts"),
    Piece.REASONS: t("the drafted reasons"),
    Piece.SIDES: t("the sides"),
    Piece.APPEALS: t("the appeals"),
    Piece.PAPERS: t("the papers"),
    Piece.VOTE: t("the vote"),
    Piece.TIMES: t("the times"),
    Piece.OVER: t("whose time is over"),
    Piece.TOLD: t("who is told"),
    Piece.STOPPED: t("whether it is stopped"),
}
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Shown:
    """The pieces that a page shows, each with its content: plain values, and dataclasses of them."""

    pieces: Mapping[Piece, Any]

    @property
    def mark(self) -> str:
        """The fingerprint, that of each piece by its name: "board:5e8f… score:91b0…"."""
        return " ".join(f"{piece}:{_digest(content)}" for piece, content in sorted(self.pieces.items()))

    def changed_since(self, mark: str) -> tuple[Piece, ...]:
        """The pieces that are not as a page with this mark showed them."""
        then = dict(each.partition(":")[::2] for each in mark.split(" "))
        return tuple(piece for piece, content in self.pieces.items() if then.get(piece) != _digest(content))

    def refuse_unseen(self, mark: str) -> None:
        """Raise Conflict, naming what is new, for who has seen something else."""
        if changed := self.changed_since(mark):
            what = [piece.words for piece in changed]
            raise Conflict(t("This is not as you saw it: {what}. Nothing has been done, and what you wrote is still "
                             "here. See what is new and confirm again.", what=what))  # fmt: skip


def _digest(content: Any) -> str:
    written = json.dumps(_plain(content), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(written.encode()).hexdigest()[:_DIGITS]


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(value[key]) for key in value}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, set | frozenset):
        return sorted(str(_plain(each)) for each in value)
    return str(value) if isinstance(value, Fraction | Decimal) else canonical(value)

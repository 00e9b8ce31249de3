"""A board of a file becomes the case's: what is taken, what stays as it was filed, and what is odd about it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from casework.domain.bridge.board import Board, Finding
from casework.domain.bridge.files.checks import each_once, warnings
from casework.domain.bridge.files.record import Record, Remark
from casework.text import Text, t

AUCTION = frozenset({"auction", "dealer"})
RESULT = frozenset({"contract", "declarer", "lead", "score", "result"})
PLAYED = frozenset({"play", "claim"})
CONCERNS = AUCTION | RESULT | PLAYED | {"number", "deal", "vulnerability"}
"""All that can be odd about a board of a file, by the field of a finding."""


@dataclass(frozen=True, slots=True)
class Taking:
    """A record of a file held against the board as it is `known`, which has the case's own number."""

    record: Record
    known: Board

    def board(self) -> Board:
        """As it is to be filed: a part that the file does not have stays as it was, with its reasons."""
        new, old = self.record.board, self.known
        auction = new.auction or old.auction
        kept = self._kept_fields()
        result = old if kept >= RESULT else new
        played = old if kept >= PLAYED else new
        taken = replace(
            new,
            number=old.number or new.number,
            dealer=auction.dealer if auction else new.dealer,
            deal=new.deal if any(new.deal.known()) else old.deal,
            auction=auction,
            contract=result.contract,
            declarer=result.declarer,
            lead=result.lead,
            tricks=result.tricks,
            ns_score=result.ns_score,
            play=played.play,
            claim=played.claim,
            because={},
        )
        standing = old.reasons_for(taken).items()
        return replace(taken, because={name: reason for name, reason in standing if name in kept})

    def findings(self) -> list[Finding]:
        """Everything odd about the board as it is to be filed, another number in the file first."""
        mine, theirs = self.known.number, self.record.board.number
        odd = self.board().findings()
        if mine is None or theirs in (None, mine):
            return odd
        words = t("The case is about board {number}, in the file it is board {other}.", number=mine, other=theirs)
        return [Finding("number", words), *odd]

    def open(self) -> list[Remark]:
        """What can only be taken as it is written with a reason, each with its line."""
        explained = self.board().because
        return each_once(
            [
                Remark(self.record.places.get(each.field, self.record.line), each.text)
                for each in self.findings()
                if each.field not in explained
            ]
        )

    def warned(self) -> list[Remark]:
        """What else the reader remarks."""
        said = [remark.text for remark in self.open()]
        return [remark for remark in warnings(self.record) if remark.text not in said]

    def kept(self) -> list[Text]:
        """The parts that the file does not have, and that stay as they were filed."""
        kept = self._kept_fields()
        return [words for field, words, old, new in self._parts() if old is not None and new is None and field in kept]

    def replaced(self) -> list[Text]:
        """The parts that are filed, and that the file has otherwise."""
        kept = self._kept_fields()
        return [words for field, words, old, new in self._parts() if old not in (None, new) and field not in kept]

    def _kept_fields(self) -> frozenset[str]:
        new, old = self.record.board, self.known
        kept = frozenset() if any(new.deal.known()) else frozenset({"deal"})
        if new.auction is None and old.auction is not None:
            kept |= AUCTION
        if new.contract is None and old.contract is not None:
            kept |= RESULT
        if _played(new) is None and (kept >= RESULT or _contract(new) == _contract(old)):
            kept |= PLAYED
        return kept

    def _parts(self) -> Iterator[tuple[str, Text, object, object]]:
        new, old = self.record.board, self.known
        yield "deal", t("the hands"), _hands(old), _hands(new)
        yield "auction", t("the auction"), old.auction, new.auction
        yield "contract", t("contract and result"), _result(old), _result(new)
        yield "play", t("play and claim"), _played(old), _played(new)


def _hands(board: Board) -> object:
    return board.deal if any(board.deal.known()) else None


def _contract(board: Board) -> object:
    return board.contract, board.declarer


def _played(board: Board) -> object:
    return (board.play, board.claim) if board.play or board.claim else None


def _result(board: Board) -> object:
    if board.contract is None:
        return None
    return board.contract, board.declarer, board.lead, board.tricks, board.ns_score

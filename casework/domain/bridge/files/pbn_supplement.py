"""What a board of ours says that PBN has no tag for: each in a supplemental tag, as JSON, which others pass over.

Files come from anywhere, so a value is taken only where it is what the form could have recorded.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.files.pbn_games import Game
from casework.domain.bridge.notation import RANKS, Suit, Unreadable
from casework.domain.bridge.play import Claim, Play
from casework.text import t

PARTIAL = "CaseworkPartial"
"""The tag of a deal of which not all is known."""
_CARDS = frozenset(suit + rank for suit in Suit for rank in RANKS)
_ODD = (ValueError, TypeError, KeyError, AttributeError, RecursionError, Unreadable)


def supplement(board: Board, understood: Board) -> dict[str, str]:
    """The tags that make of a board as PBN says it the board itself; none where PBN says it all."""
    mine, theirs = board.to_json(), understood.to_json()
    if board.auction is not None:
        mine["auction"], theirs["auction"] = board.auction.render("en"), None
        if understood.auction == board.auction:
            theirs["auction"] = mine["auction"]
    return {
        tag: json.dumps(mine[key], ensure_ascii=False) for tag, (key, _) in _TAKEN.items() if mine[key] != theirs[key]
    }


def supplemented(board: Board, game: Game) -> Board:
    """The board with what the supplemental tags add; one that cannot be read is said."""
    if _TAKEN.keys().isdisjoint(game.tags):
        return board
    for tag, (_, take) in _TAKEN.items():
        if tag not in game.tags:
            continue
        try:
            board = take(board, json.loads(game.tags[tag]))
        except _ODD:
            written = f"[{tag} {game.tags[tag][:40]}"
            game.remark(game.place(tag), t("This cannot be read: {text}", text=written))
    return board


def _auction(board: Board, said: Any) -> Board:
    return replace(board, auction=Auction.parse(said, board.dealer))


def _lead(board: Board, said: Any) -> Board:
    _expect(said is None or said in _CARDS)
    return replace(board, lead=said)


def _tricks(board: Board, said: Any) -> Board:
    _expect(_whole(said, 0))
    return replace(board, tricks=said)


def _play(board: Board, said: Any) -> Board:
    play = Play.from_json(said)
    _expect(0 < len(play.tricks) <= 13 and _CARDS.issuperset(card for trick in play.tricks for card in trick if card))
    return replace(board, play=play)


def _claim(board: Board, said: Any) -> Board:
    claim = Claim.from_json(said)
    _expect(_whole(claim.trick, 1) and (claim.tricks is None or _whole(claim.tricks, 0)))
    _expect(isinstance(claim.statement, str))
    return replace(board, claim=claim)


def _because(board: Board, said: Any) -> Board:
    reasons = dict(said)
    _expect(all(isinstance(word, str) for pair in reasons.items() for word in pair))
    return replace(board, because=reasons)


def _whole(said: Any, low: int) -> bool:
    return type(said) is int and low <= said <= 13


def _expect(holds: bool) -> None:  # noqa: FBT001  # what is expected
    if not holds:
        raise ValueError


_TAKEN: dict[str, tuple[str, Callable[[Board, Any], Board]]] = {
    "CaseworkAuction": ("auction", _auction),
    "CaseworkLead": ("lead", _lead),
    "CaseworkResult": ("result", _tricks),
    "CaseworkPlay": ("play", _play),
    "CaseworkClaim": ("claim", _claim),
    "CaseworkReasons": ("because", _because),
}
"""Tag → the key of the stored form, and how it is taken."""

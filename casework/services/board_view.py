"""A board as the diagram and auction macros draw it, and its result in words."""

from dataclasses import dataclass
from typing import Any

from casework.domain.bridge.auction import Call
from casework.domain.bridge.board import Board
from casework.domain.bridge.contract import Contract
from casework.domain.bridge.notation import Language, Vulnerability, card_name
from casework.text import Text, t

_DRAWN = {
    Vulnerability.none: "",
    Vulnerability.north_south: "NS",
    Vulnerability.east_west: "EW",
    Vulnerability.both: "NSEW",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """`diagram` and `auction` are what macros/bridge.html takes; either may be missing."""

    number: int | None
    diagram: dict[str, Any] | None
    auction: dict[str, Any] | None
    result: Text | None
    lead: Text | None
    irregular: tuple[str, ...]


def board_view(board: Board, language: str) -> BoardView:
    """The board in the reader's language."""
    spoken: Language = "sv" if language == "sv" else "en"
    known = dict(board.deal.known())
    shape = {"dealer": board.dealer.value, "vulnerable": _DRAWN[board.vulnerability]}
    return BoardView(
        number=board.number,
        diagram=shape
        | {
            "number": board.number or "",
            "hands": {seat.value: [" ".join(ranks) for ranks in hand.shown(spoken)] for seat, hand in known.items()},
        }
        if known
        else None,
        auction=shape | {"calls": [_call(call) for call in board.auction.calls]} if board.auction else None,
        result=_result(board),
        lead=t("Lead: {card}.", card=card_name(board.lead, spoken)) if board.lead else None,
        irregular=tuple(reason for reason in board.because.values() if reason.strip()),
    )


def _call(call: Call) -> dict[str, Any]:
    note = call.explanation or (t("Alerted.") if call.alert else None)
    return {"text": call.shown, "note": note, "marked": False}


def _result(board: Board) -> Text | None:
    """The result as far as it is known: "4♥ by West, 1 down. −100 to North–South"."""
    contract, declarer = board.contract, board.declarer
    if contract is None:
        return None
    if contract.passed_out or declarer is None:
        return t("Passed out")
    if board.tricks is None:
        return t("{contract} by {seat}", contract=contract.shown, seat=declarer.words)
    return t(
        "{contract} by {seat}, {tricks}. {score} to North–South.",
        contract=contract.shown,
        seat=declarer.words,
        tricks=_tricks(contract, board.tricks),
        score=_signed(board.computed_score() or 0),
    )


def _tricks(contract: Contract, tricks: int) -> Text:
    over = tricks - contract.needed
    if over == 0:
        return t("made")
    if over > 0:
        return t("{number} over", number=over)
    return t("{number} down", number=-over)


def _signed(score: int) -> str:
    return f"+{score}" if score > 0 else f"−{-score}" if score < 0 else "0"

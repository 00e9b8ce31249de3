"""Contracts, numbers and explanations as files write them."""

import re
from functools import lru_cache

from casework.domain.bridge.call import Call
from casework.domain.bridge.contract import Contract, Strain
from casework.domain.bridge.notation import Suit, Unreadable

MOST_CALLS, MOST_CARDS = 319, 52
"""No auction is longer (Law 22), no play either; what follows is noise."""
_MOST_LETTERS = 2000

_CONTRACT = re.compile(r"([1-7])(NT|[NCDHS])(XX|X|R|xx|x|r)?")
_CARD = re.compile(r"[SHDC][2-9TJQKA]")
_SUIT = re.compile(r"[!@]([SHDC])(?=s?(?![a-z]))", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d{1,5}")
_RISK = {"R": "XX", "X": "X", "XX": "XX", "": ""}


def read_contract(written: str) -> tuple[Contract | None, bool]:
    """A contract as files write it ("4SX", "3NTR", "Pass"), and whether it is written as usual; None if it is none."""
    return _read_contract(written) if len(written) <= 20 else (None, False)


@lru_cache(maxsize=1024)
def _read_contract(written: str) -> tuple[Contract | None, bool]:
    if usual := _CONTRACT.fullmatch(written):
        return Contract(int(usual[1]), Strain(usual[2][0]), _RISK[(usual[3] or "").upper()]), True
    try:
        contract, _ = Contract.parse(written)
    except Unreadable:
        return None, False
    return contract, contract.passed_out


def read_card(written: str) -> str | None:
    """A card written suit first or last ("D6", "6d", "H10") in the canonical form; None if it is none."""
    plain = written.strip().upper().replace("10", "T")
    return next((card for card in (plain, plain[::-1]) if _CARD.fullmatch(card)), None)


def read_number(written: str) -> int | None:
    """A whole number with or without sign."""
    plain = written.replace("−", "-")
    return int(plain) if _NUMBER.fullmatch(plain) else None


def with_suits(words: str) -> str:
    """BBO's `!h` and Vugraph's `@H` as the suit's sign (BR10)."""
    return _SUIT.sub(lambda written: Suit(written[1].upper()).glyph, words)


def explained(call: Call, words: str, *, alert: bool = False) -> Call:
    """The call with an explanation more; there is room for a long page of them."""
    if len(call.explanation) >= _MOST_LETTERS:
        return call
    words = with_suits(words)
    text = f"{call.explanation}; {words}" if call.explanation else words
    return Call(call.call, alert=call.alert or alert, explanation=text[:_MOST_LETTERS])


def read_tricks(written: str) -> int | None:
    """A number of tricks, 0 to 13."""
    number = read_number(written)
    return number if number is not None and 0 <= number <= 13 else None

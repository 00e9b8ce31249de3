"""The deal of a file: 52 different cards, some hands, or an end position; anything else is refused."""

import re
from collections.abc import Iterable
from functools import reduce

from casework.domain.bridge.deal import Deal, Hand
from casework.domain.bridge.notation import RANKS, Suit, Unreadable
from casework.text import Text, t

_ORDERED = re.compile(r"\.".join(["(" + "".join(f"{rank}?" for rank in RANKS) + ")"] * 4))
"""Four suits, each highest first."""
_WRITTEN = frozenset(RANKS + ".")
_PACK = tuple(suit + rank for suit in Suit for rank in RANKS)


def dotted_hand(written: str) -> Hand | None:
    """A hand as PBN writes it, "AKQ.JT9..8765432"; None for "-"."""
    if ordered := _ORDERED.fullmatch(written):
        return Hand.ordered(ordered.groups())
    if written == "-":
        return None
    usual = _WRITTEN.issuperset(written)
    plain = written if usual else written.upper().replace("10", "T")
    suits = plain.split(".")
    if len(suits) != 4 or len(plain) > 60 or not (usual or _WRITTEN.issuperset(plain)):
        raise Unreadable(t("{hand} is no hand: write four suits with full stops between them.", hand=written[:40]))
    return Hand(suits)


def checked(hands: Iterable[Hand | None], *, partial: bool = False) -> Deal:
    """From North on. Unreadable if it is no deal, with every reason.

    Fewer cards are taken where the known hands hold equally many, or one fewer in the middle of a trick, or where the
    file says that the deal is `partial`.
    """
    north, east, south, west = hands
    whole = Deal(north, east, south, west)
    problems = whole.problems()
    if not problems and not partial:
        return whole
    deal = Deal(north, east, south, west, partial=True)
    if partial:
        if problems := deal.problems():
            raise _no_deal(problems)
        return deal
    counts = {seat: sum(map(len, hand.holdings)) for seat, hand in deal.known()}
    if len(counts) == 4 and max(counts.values()) >= 13:
        raise _no_deal(problems)
    problems = deal.problems()
    if counts and not _even(list(counts.values())):
        problems = [t("{seat} has {held} cards.", seat=seat.words, held=held) for seat, held in counts.items()
                    if held < 13] + problems  # fmt: skip
    if problems:
        raise _no_deal(problems)
    return deal


def _no_deal(problems: list[Text]) -> Unreadable:
    return Unreadable(reduce(_both, problems[:8]))


def _even(counts: list[int]) -> bool:
    return min(counts) == max(counts) or min(counts) == max(counts) - 1 < 12


def the_rest(hands: list[Hand]) -> Hand:
    """The fourth hand, where three are known."""
    held = {card for hand in hands for card in hand.cards}
    left = [card for card in _PACK if card not in held]
    return Hand.of({suit: "".join(card[1] for card in left if card[0] == suit) for suit in Suit})


def _both(one: Text, other: Text) -> Text:
    return t("{what} {detail}", what=one, detail=other)

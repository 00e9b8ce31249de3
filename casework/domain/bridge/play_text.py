"""The play as people type it, a trick a line in the order of play, and the same written out again."""

import re
from collections.abc import Iterator

from casework.domain.bridge.contract import Strain
from casework.domain.bridge.notation import (
    RANK_PATTERN,
    SEATS,
    SUIT_NAME_PATTERN,
    SUIT_PATTERN,
    Language,
    Seat,
    Unreadable,
    card_name,
    read_rank,
    read_suit,
)
from casework.domain.bridge.play import Play, Trick, winner
from casework.text import Text, t

MOST = 13
_NUMBERED = re.compile(r"^\d{1,2}\s*[.):]\s*")
_LED_BY = re.compile(r"^(?P<seat>[neswöv])\s*:\s*", re.IGNORECASE)
_NAME = re.compile(SUIT_NAME_PATTERN)
_CARD = re.compile(rf"(?P<suit>{SUIT_PATTERN})?(?P<rank>{RANK_PATTERN})")
_NONE = frozenset("-–—?")


def read_play(typed: str, leader: Seat | None, strain: Strain | None) -> Play | None:
    """Read "♠8 E 2 4" or "N: ♠8 E 2 4", a line a trick; a card without its suit is of the suit led.

    `leader` is who is to lead to the first trick; who wins a trick leads to the next. Unreadable names the line.
    """
    lines = [line.strip() for line in typed.replace("\ufe0e", "").replace("\ufe0f", "").splitlines() if line.strip()]
    if len(lines) > MOST:
        raise Unreadable(t("There are only 13 tricks."))
    tricks: list[Trick] = []
    first, turn, broken = leader, leader, False
    for number, line in enumerate(lines, start=1):
        plain = _NUMBERED.sub("", line)
        named = _LED_BY.match(plain)
        leads = Seat.parse(named["seat"]) if named else turn
        if leads is None:
            raise _wrong(number, t("Write who led, for example {example}.", example="N: ♠8"))
        if number > 1 and not broken and leads is not turn:
            raise _wrong(number, t("By the trick before, another leads. Write in the facts who did."))
        first = leads if number == 1 else first
        cards = _cards(plain[named.end() :] if named else plain, number)
        trick = _by_seat(cards, leads)
        tricks.append(trick)
        broken = broken or not all(trick)
        turn = None if not all(trick) else winner(trick, leads, strain)
    return Play(first, tuple(tricks)) if first is not None and tricks else None


def render_play(play: Play, language: Language, leader: Seat | None, strain: Strain | None) -> str:
    """The text of a play, for a text field: `read_play` with the same leader gives it back."""
    return "\n".join(_lines(play, language, leader, strain))


def _lines(play: Play, language: Language, leader: Seat | None, strain: Strain | None) -> Iterator[str]:
    known = [seat for seat, _ in play.led(strain)]
    for index, trick in enumerate(play.tricks):
        followed = index < len(known)
        leads = known[index] if followed else Seat.north
        cards = [card_name(card, language) if card else "–" for card in _in_order(trick, leads)]
        while followed and len(cards) > 1 and cards[-1] == "–":
            cards.pop()
        named = not followed or (index == 0 and leads is not leader)
        yield (f"{leads.letter(language)}: " if named else "") + " ".join(cards)


def _in_order(trick: Trick, leads: Seat) -> tuple[str, ...]:
    at = SEATS.index(leads)
    return trick[at:] + trick[:at]


def _by_seat(cards: list[str], leads: Seat) -> Trick:
    at = SEATS.index(leads)
    turned = [*cards, "", "", ""][:4]
    north, east, south, west = (turned[(seat - at) % 4] for seat in range(4))
    return north, east, south, west


def _cards(typed: str, number: int) -> list[str]:
    cards: list[str] = []
    suit, led = "", ""
    for word in typed.lower().replace(",", " ").split():
        if word in _NONE:
            cards.append("")
            continue
        if not suit and _NAME.fullmatch(word):
            suit = word
            continue
        match = _CARD.fullmatch(suit + word)
        if match is None or not (match["suit"] or led):
            raise _wrong(number, t("{typed} is no card. Write for example ♠8.", typed=word[:20]))
        led = led or read_suit(match["suit"]).value
        cards.append((read_suit(match["suit"]).value if match["suit"] else led) + read_rank(match["rank"]))
        suit = ""
    if suit:
        raise _wrong(number, t("{typed} is no card. Write for example ♠8.", typed=suit))
    if len(cards) > len(SEATS):
        raise _wrong(number, t("A trick has four cards. Write each trick on a line of its own."))
    return cards


def _wrong(number: int, reason: Text) -> Unreadable:
    return Unreadable(t("Line {number}: {reason}", number=number, reason=reason))

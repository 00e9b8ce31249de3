"""Hands and deals: read as players write them, checked, and told what is wrong card by card."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Self, assert_never

from casework.domain.bridge.notation import (
    RANK_PATTERN,
    RANKS,
    SEATS,
    SUIT_NAME_PATTERN,
    Language,
    Seat,
    Suit,
    Unreadable,
    card_words,
    rank_name,
    read_rank,
    read_suit,
)
from casework.text import Text, t

_PACK = tuple(suit + rank for suit in Suit for rank in RANKS)
_LABEL = re.compile(rf"(?P<name>{SUIT_NAME_PATTERN})\s*:?|(?P<letter>[shdrck])\s*:")
_RANK = re.compile(RANK_PATTERN)
_FEW = 4


@dataclass(frozen=True, slots=True, init=False)
class Hand:
    """The ranks held in spades, hearts, diamonds and clubs, highest first. It may hold too many, too few or twice."""

    holdings: tuple[str, str, str, str]

    def __init__(self, holdings: Iterable[str]) -> None:
        object.__setattr__(self, "holdings", tuple(map(_highest_first, holdings)))

    @classmethod
    def ordered(cls, holdings: tuple[str, ...]) -> Self:
        """From four holdings that are known to be highest first: a file has tens of thousands, nearly all so."""
        hand = object.__new__(cls)
        object.__setattr__(hand, "holdings", holdings)
        return hand

    @classmethod
    def parse(cls, typed: str) -> Self:
        """Read "AKQ.JT9..", "E K D / kn 10 / - / 98" or "♠ E K D ♥ kn 10"; Unreadable says what was not understood."""
        plain = typed.replace("\ufe0e", "").replace("\ufe0f", "").lower().strip()
        labels = list(_LABEL.finditer(plain))
        if labels:
            return cls._from_labels(plain, labels)
        parts = re.split(r"[./;\n]", plain)
        if len(parts) == 1:
            raise Unreadable(t("Write the four suits with a full stop or a slash between them."))
        if len(parts) > 4:
            raise Unreadable(t("A hand has four suits. Remove a full stop or a slash."))
        spades, hearts, diamonds, clubs = (_ranks(part) for part in [*parts, "", ""][:4])
        return cls((spades, hearts, diamonds, clubs))

    @classmethod
    def _from_labels(cls, plain: str, labels: list[re.Match[str]]) -> Self:
        if plain[: labels[0].start()].strip():
            raise Unreadable(t("Write the suit before its cards."))
        held: dict[Suit, str] = {}
        for label, following in zip(labels, [*labels[1:], None], strict=True):
            suit = read_suit(label["name"] or label["letter"])
            if suit in held:
                raise Unreadable(t("The suit {suit} is there twice.", suit=suit.words))
            held[suit] = _ranks(plain[label.end() : following.start() if following else None])
        return cls.of(held)

    @classmethod
    def of(cls, held: Mapping[Suit, str]) -> Self:
        """From canonical ranks by suit; a suit left out is void."""
        return cls((held.get(Suit.spades, ""), held.get(Suit.hearts, ""),
                    held.get(Suit.diamonds, ""), held.get(Suit.clubs, "")))  # fmt: skip

    @property
    def cards(self) -> tuple[str, ...]:
        """Canonical cards ("SA"), as often as they were written."""
        return tuple(suit + rank for suit, ranks in zip(Suit, self.holdings, strict=True) for rank in ranks)

    def __str__(self) -> str:
        """The canonical form, as PBN writes a hand: "AKQ.JT9..8765432"."""
        return ".".join(self.holdings)

    def shown(self, language: Language) -> tuple[tuple[str, ...], ...]:
        """The four suits' ranks one by one, for the diagram."""
        return tuple(tuple(rank_name(rank, language) for rank in ranks) for ranks in self.holdings)

    def render(self, language: Language) -> str:
        """For a text field: "E K D / Kn 10 / – / 9 8"."""
        return " / ".join(" ".join(ranks) or "–" for ranks in self.shown(language))


@dataclass(frozen=True, slots=True)
class Deal:
    """The hands that are known; a `partial` deal needs neither all hands nor all cards."""

    north: Hand | None = None
    east: Hand | None = None
    south: Hand | None = None
    west: Hand | None = None
    partial: bool = field(default=False, kw_only=True)

    def hand(self, seat: Seat) -> Hand | None:
        """The hand of a seat, if it is known."""
        match seat:
            case Seat.north:
                return self.north
            case Seat.east:
                return self.east
            case Seat.south:
                return self.south
            case Seat.west:
                return self.west
            case _:
                assert_never(seat)

    def known(self) -> Iterator[tuple[Seat, Hand]]:
        """The known hands, from North round the table."""
        return ((seat, hand) for seat in SEATS if (hand := self.hand(seat)) is not None)

    def problems(self) -> list[Text]:
        """What makes it no deal, a sentence each; empty when 13 x 4 different cards, or a possible part of them."""
        if self.complete:
            return []
        return [*self._miscounted(), *self._doubled(), *self._missing()]

    @property
    def complete(self) -> bool:
        """Whether it is 13 x 4 different cards: what nearly every deal is, told without a look at each card."""
        if self.north is None or self.east is None or self.south is None or self.west is None:
            return False
        hands = (self.north.holdings, self.east.holdings, self.south.holdings, self.west.holdings)
        for hand in hands:
            if len("".join(hand)) != 13:
                return False
        for north, east, south, west in zip(*hands, strict=True):  # noqa: SIM110  # a generator costs half as much again
            if len({*north, *east, *south, *west}) != 13:
                return False
        return True

    def _miscounted(self) -> Iterator[Text]:
        for seat in SEATS:
            hand = self.hand(seat)
            held = len(hand.cards) if hand else 0
            if not (held == 13 or (self.partial and held < 13)):
                yield _count_words(seat, held)

    def _doubled(self) -> Iterator[Text]:
        holders: dict[str, list[Seat]] = {}
        for seat, hand in self.known():
            for card, times in Counter(hand.cards).items():
                holders.setdefault(card, []).append(seat)
                if times > 1:
                    yield t("{seat} has {card} more than once.", seat=seat.words, card=card_words(card))
        for card, seats in holders.items():
            if len(seats) > 1:
                names = [seat.words for seat in seats]
                yield t("More than one hand has {card}: {seats}.", seats=[*names], card=card_words(card))

    def _missing(self) -> Iterator[Text]:
        hands = [hand for _, hand in self.known()]
        if self.partial or len(hands) < 4:
            return
        held = {card for hand in hands for card in hand.cards}
        missing = [card for card in _PACK if card not in held]
        if 0 < len(missing) <= _FEW:
            yield t("No hand has {cards}.", cards=[card_words(card) for card in missing])


@lru_cache(maxsize=1 << 14)
def _highest_first(ranks: str) -> str:
    return "".join(sorted(ranks, key=RANKS.index))


def _ranks(typed: str) -> str:
    ranks = []
    rest = re.sub(r"[\s,]+", " ", typed).strip(" -–—")
    while rest:
        match = _RANK.match(rest)
        if match is None:
            raise Unreadable(t("{typed} is no card. Write for example A K Q J 10 9.", typed=rest.split()[0][:20]))
        ranks.append(read_rank(match.group()))
        rest = rest[match.end() :].lstrip()
    return "".join(ranks)


def _count_words(seat: Seat, held: int) -> Text:
    name = seat.words
    if held == 0:
        return t("{seat} has no cards. Add 13 cards, or mark the deal as partial.", seat=name)
    if held == 12:
        return t("{seat} has 12 cards. Add one card.", seat=name)
    if held == 14:
        return t("{seat} has 14 cards. Remove one card.", seat=name)
    if held == 1:
        return t("{seat} has one card. Add 12 cards.", seat=name)
    if held < 13:
        return t("{seat} has {held} cards. Add {number} cards.", seat=name, held=held, number=13 - held)
    return t("{seat} has {held} cards. Remove {number} cards.", seat=name, held=held, number=held - 13)

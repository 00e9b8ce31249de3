"""Play up to a trick, and claims: kept as they were recorded, and said where they do not fit."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from casework.domain.bridge.contract import Strain
from casework.domain.bridge.deal import Deal, Hand
from casework.domain.bridge.notation import RANKS, SEATS, Seat, card_words
from casework.text import Text, t

Trick = tuple[str, str, str, str]
"""The cards of North, East, South and West; "" where none was played or recorded."""


@dataclass(frozen=True, slots=True)
class Play:
    """Tricks as recorded, the first led by `leader`; the play may stop in the middle of one."""

    leader: Seat
    tricks: tuple[Trick, ...]

    @classmethod
    def in_turn(cls, leader: Seat, cards: Iterable[str], strain: Strain | None) -> Self:
        """From canonical cards in the order they were played; who won a trick leads to the next."""
        tricks: list[Trick] = []
        first, waiting = leader, iter(cards)
        while four := [card for _, card in zip(range(4), waiting, strict=False)]:
            at = SEATS.index(first)
            turned = [*four, "", "", ""][:4]
            north, east, south, west = (turned[(seat - at) % 4] for seat in range(4))
            tricks.append((north, east, south, west))
            first = winner(tricks[-1], first, strain) if len(four) == 4 else first
        return cls(leader, tuple(tricks))

    @property
    def lead(self) -> str | None:
        """The opening lead, if it is recorded."""
        return (self.tricks[0][SEATS.index(self.leader)] or None) if self.tricks else None

    def led(self, strain: Strain | None) -> Iterator[tuple[Seat, Trick]]:
        """Each trick with who was to lead to it, as far as that can be known."""
        leader = self.leader
        for trick in self.tricks:
            yield leader, trick
            if not all(trick):
                return
            leader = winner(trick, leader, strain)

    def won(self, side: Seat, strain: Strain | None) -> tuple[int, int]:
        """How many complete tricks the side of `side` won, and how many there are."""
        winners = [winner(trick, leader, strain) for leader, trick in self.led(strain) if all(trick)]
        return sum(seat in (side, side.partner) for seat in winners), len(winners)

    def until(self, trick: int) -> Self | None:
        """What was played until something happened in a trick; None where not all tricks before it are recorded."""
        before = self.tricks[: trick - 1]
        if len(before) < trick - 1 or not all(all(cards) for cards in before):
            return None
        return replace(self, tricks=self.tricks[:trick])

    def left(self, deal: Deal) -> Deal:
        """What the known hands still held when the play stopped."""
        played = {card for trick in self.tricks for card in trick}
        hands = {seat: _without(hand, played) for seat, hand in deal.known()}
        return Deal(*(hands.get(seat) for seat in SEATS), partial=True)

    def faults(self, deal: Deal, strain: Strain | None) -> Iterator[Text]:
        """Revokes, and the first thing after which the rest cannot be followed.

        Hands are looked at only where the whole deal is known.
        """
        held = {seat: set(hand.cards) for seat, hand in deal.known()} if not deal.partial else {}
        played: set[str] = set()
        number = 0
        for number, (leader, trick) in enumerate(self.led(strain), 1):
            led = trick[SEATS.index(leader)][:1]
            for seat in _round(leader):
                card = trick[SEATS.index(seat)]
                if not card:
                    continue
                if card in played:
                    yield t("In trick {number} {card} is played a second time.", number=number, card=card_words(card))
                    return
                hand = held.get(seat, {card})
                if card not in hand:
                    yield t("In trick {number} {seat} plays {card}, but does not have it.",
                            number=number, seat=seat.words, card=card_words(card))  # fmt: skip
                    return
                if led and card[0] != led and any(each[0] == led for each in hand):
                    yield t("In trick {number} {seat} plays {card} and does not follow suit.",
                            number=number, seat=seat.words, card=card_words(card))  # fmt: skip
                hand.discard(card)
                played.add(card)
        if number < len(self.tricks):
            yield t("Trick {number} is not complete, but others follow.", number=number)

    def to_json(self) -> dict[str, Any]:
        """The stored form: who led first, and each trick by seat."""
        tricks = [{seat.value: card for seat, card in zip(SEATS, trick, strict=True) if card} for trick in self.tricks]
        return {"leader": self.leader.value, "tricks": tricks}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        tricks = tuple(tuple(trick.get(seat.value, "") for seat in SEATS) for trick in stored["tricks"])
        return cls(Seat(stored["leader"]), tricks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim or concession (Law 68) during the trick `trick`, 1 to 13.

    `tricks` are declarer's in all by the claim; `remaining` the cards as shown, where play does not tell.
    """

    trick: int
    by: Seat | None = None
    statement: str = ""
    tricks: int | None = None
    remaining: Deal | None = None

    @property
    def words(self) -> tuple[Text, ...]:
        """Who claimed, what it gives and what was said, a sentence each."""
        words = [
            t("{seat} claimed in trick {number}.", seat=self.by.words, number=self.trick)
            if self.by
            else t("A claim in trick {number}.", number=self.trick)
        ]
        if self.tricks is not None:
            words.append(t("By the claim declarer gets {number} tricks in all.", number=self.tricks))
        if self.statement:
            words.append(t("Said: “{text}”", text=self.statement))
        return tuple(words)

    def to_json(self) -> dict[str, Any]:
        """The stored form."""
        left = self.remaining
        return {
            "trick": self.trick,
            "by": self.by and self.by.value,
            "statement": self.statement,
            "tricks": self.tricks,
            "remaining": left and {seat.value: str(hand) for seat, hand in left.known()},
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        left = stored["remaining"]
        hands = [Hand.parse(left[seat.value]) if seat.value in left else None for seat in SEATS] if left else None
        return cls(
            trick=stored["trick"],
            by=Seat(stored["by"]) if stored["by"] else None,
            statement=stored["statement"],
            tricks=stored["tricks"],
            remaining=Deal(*hands, partial=True) if hands else None,
        )


def winner(trick: Trick, leader: Seat, strain: Strain | None) -> Seat:
    """Who wins a complete trick; without a strain there are no trumps."""
    led = trick[SEATS.index(leader)][0]

    def height(seat: Seat) -> tuple[bool, bool, int]:
        card = trick[SEATS.index(seat)]
        return card[0] == strain, card[0] == led, -RANKS.index(card[1])

    return max(SEATS, key=height)


def _round(first: Seat) -> tuple[Seat, ...]:
    at = SEATS.index(first)
    return SEATS[at:] + SEATS[:at]


def _without(hand: Hand, played: set[str]) -> Hand:
    spades, hearts, diamonds, clubs = (
        "".join(rank for rank in ranks if suit + rank not in played)
        for suit, ranks in zip("SHDC", hand.holdings, strict=True)
    )
    return Hand((spades, hearts, diamonds, clubs))

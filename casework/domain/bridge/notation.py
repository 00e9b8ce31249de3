"""Seats, suits, ranks and vulnerability: one canonical letter each, and how Swedish and English write them."""

import re
from enum import StrEnum
from typing import Literal, Self

from casework.domain.errors import CaseworkError
from casework.text import Text, t

Language = Literal["sv", "en"]
RANKS = "AKQJT98765432"


class Unreadable(CaseworkError):
    """What was typed is no card, call or contract; `reason` says what to write instead."""

    status = 422


class Seat(StrEnum):
    """A place at the table; its value is the canonical letter."""

    north = "N"
    east = "E"
    south = "S"
    west = "W"

    @property
    def words(self) -> Text:
        """The seat's name."""
        return _SEAT_WORDS[self]

    @property
    def next(self) -> "Seat":
        """Who calls after this seat."""
        return SEATS[(SEATS.index(self) + 1) % 4]

    @property
    def partner(self) -> "Seat":
        """The other player of the side."""
        return self.next.next

    @property
    def is_north_south(self) -> bool:
        """Which side the seat belongs to."""
        return self in (Seat.north, Seat.south)

    def letter(self, language: Language) -> str:
        """N E S W, in Swedish N Ö S V."""
        return {Seat.east: "Ö", Seat.west: "V"}.get(self, self.value) if language == "sv" else self.value

    @classmethod
    def parse(cls, typed: str) -> Self:
        """N Ö S V, N E S W or the whole word."""
        letter = typed.strip().upper()[:1].translate(str.maketrans("ÖV", "EW"))
        if letter not in ("N", "E", "S", "W"):
            raise Unreadable(t("Write the seat as N, E, S or W."))
        return cls(letter)


SEATS = tuple(Seat)


class Suit(StrEnum):
    """A suit, in the order hands are shown; its value is the canonical letter."""

    spades = "S"
    hearts = "H"
    diamonds = "D"
    clubs = "C"

    @property
    def words(self) -> Text:
        """The suit's name."""
        return _SUIT_WORDS[self]

    @property
    def glyph(self) -> str:
        """The suit's sign, the same in every language."""
        return _GLYPHS[self]


class Vulnerability(StrEnum):
    """Which sides are vulnerable; its value is PBN's word."""

    none = "None"
    north_south = "NS"
    east_west = "EW"
    both = "All"

    @property
    def words(self) -> Text:
        """For the line above the diagram."""
        return _VULNERABILITY_WORDS[self]

    def covers(self, seat: Seat) -> bool:
        """Whether the player in `seat` is vulnerable."""
        side = Vulnerability.north_south if seat.is_north_south else Vulnerability.east_west
        return self in (side, Vulnerability.both)


def dealer_of(board: int) -> Seat:
    """The dealer by the board's number, which goes on past 16 (Law 2). ValueError below 1."""
    return SEATS[_from_zero(board) % 4]


def vulnerability_of(board: int) -> Vulnerability:
    """The vulnerability by the board's number, a cycle of 16 (Law 2). ValueError below 1."""
    index = _from_zero(board)
    return tuple(Vulnerability)[(index + index // 4) % 4]


def _from_zero(board: int) -> int:
    if board < 1:
        raise ValueError("boards are numbered from 1")
    return board - 1


def rank_name(rank: str, language: Language) -> str:
    """A canonical rank as players write it: E K D Kn 10 or A K Q J 10."""
    if rank == "T":
        return "10"
    return {"A": "E", "Q": "D", "J": "Kn"}.get(rank, rank) if language == "sv" else rank


def read_rank(typed: str) -> str:
    """The canonical rank of one written rank of either language, in any case; KeyError if it is none."""
    return _WRITTEN_RANKS[typed.lower()]


def card_words(card: str) -> Text:
    """A canonical card ("D8") as words."""
    rank = card[1]
    return t("the {rank} of {suit}", suit=Suit(card[0]).words, rank=_RANK_WORDS.get(rank, rank.replace("T", "10")))


def card_name(card: str, language: Language) -> str:
    """A canonical card ("HJ") as players write it: "♥Kn" or "♥J"."""
    return Suit(card[0]).glyph + rank_name(card[1], language)


def parse_card(typed: str) -> str:
    """A card written suit first ("HJ", "♥Kn", "hj kn", "ruter 8") in the canonical form ("HJ")."""
    match = _CARD.fullmatch("".join(typed.lower().split()))
    if match is None:
        raise Unreadable(t("Write the card as suit and rank, for example {example}.", example="♥8"))
    return read_suit(match["suit"]).value + read_rank(match["rank"])


def read_suit(typed: str) -> Suit:
    """The suit of one written name or sign of either language, in lower case; KeyError if it is none."""
    return _WRITTEN_SUITS[typed]


_SEAT_WORDS = {Seat.north: t("North"), Seat.east: t("East"), Seat.south: t("South"), Seat.west: t("West")}
_SUIT_WORDS = {
    Suit.spades: t("spades"),
    Suit.hearts: t("hearts"),
    Suit.diamonds: t("diamonds"),
    Suit.clubs: t("clubs"),
}
_VULNERABILITY_WORDS = {
    Vulnerability.none: t("none vulnerable"),
    Vulnerability.north_south: t("North–South vulnerable"),
    Vulnerability.east_west: t("East–West vulnerable"),
    Vulnerability.both: t("both vulnerable"),
}
_RANK_WORDS = {"A": t("ace"), "K": t("king"), "Q": t("queen"), "J": t("jack")}
_GLYPHS = {Suit.spades: "♠", Suit.hearts: "♥", Suit.diamonds: "♦", Suit.clubs: "♣"}

_WRITTEN_RANKS = {rank.lower(): rank for rank in RANKS} | {"e": "A", "d": "Q", "kn": "J", "10": "T"}
RANK_PATTERN = r"10|kn|[aekdqjt2-9]"

# Names that cannot be mistaken for ranks; the single letters need a colon in a hand, as D and K are ranks too.
SUIT_NAMES = {
    Suit.spades: ("spades", "spader", "spade", "sp", "♠", "♤"),
    Suit.hearts: ("hearts", "hjärter", "heart", "hj", "♥", "♡"),
    Suit.diamonds: ("diamonds", "diamond", "ruter", "ru", "♦", "♢"),
    Suit.clubs: ("clubs", "klöver", "club", "kl", "♣", "♧"),
}
SUIT_LETTERS = {"s": Suit.spades, "h": Suit.hearts, "d": Suit.diamonds, "r": Suit.diamonds, "c": Suit.clubs,
                "k": Suit.clubs}  # fmt: skip
_WRITTEN_SUITS = {name: suit for suit, names in SUIT_NAMES.items() for name in names} | SUIT_LETTERS
SUIT_NAME_PATTERN = "|".join(name for names in SUIT_NAMES.values() for name in names)
SUIT_PATTERN = f"{SUIT_NAME_PATTERN}|[shdrck]"
_CARD = re.compile(rf"(?P<suit>{SUIT_PATTERN})(?P<rank>{RANK_PATTERN})")

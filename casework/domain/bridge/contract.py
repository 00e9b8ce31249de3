"""Contracts, results and the duplicate scoring table (Law 77)."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from casework.domain.bridge.notation import SUIT_PATTERN, Language, Seat, Suit, Unreadable, Vulnerability, read_suit
from casework.text import t


class Strain(StrEnum):
    """What a bid names, in the ranking of bids; its value is the canonical letter."""

    clubs = "C"
    diamonds = "D"
    hearts = "H"
    spades = "S"
    no_trumps = "N"

    @property
    def rank(self) -> int:
        """0 for clubs to 4 for no trumps."""
        return tuple(Strain).index(self)

    @property
    def is_minor(self) -> bool:
        """Clubs or diamonds."""
        return self in (Strain.clubs, Strain.diamonds)

    @property
    def shown(self) -> str:
        """The suit's sign, or NT."""
        return "NT" if self is Strain.no_trumps else Suit(self.value).glyph


STRAIN_PATTERN = rf"notrumps?|nt|n|sang|sa|{SUIT_PATTERN}"
_CONTRACT = re.compile(
    rf"(?P<level>[1-7])(?P<strain>{STRAIN_PATTERN})(?P<risk>xx|rd|x|d)?(?:(?:-|/|by|av|,)?(?P<seat>[neswöv]))?"
)
_PASSED = ("pass", "passedout", "passad", "utpassad", "ap", "p")
_RESULT = re.compile(r"(?P<sign>[+\-−–])?(?P<number>\d{1,2})|(?P<made>=)")


def read_strain(typed: str) -> Strain:
    """The strain of one written name or sign of either language, in lower case."""
    if typed in ("n", "nt", "sang", "sa", "notrump", "notrumps"):
        return Strain.no_trumps
    return Strain(read_suit(typed).value)


@dataclass(frozen=True, slots=True)
class Contract:
    """What was undertaken: `risk` is "", "X" or "XX". Level 0 is a board that was passed out."""

    level: int
    strain: Strain = Strain.clubs
    risk: str = ""

    @classmethod
    def parse(cls, typed: str) -> tuple[Self, Seat | None]:
        """Read "4SX N", "4 hj d V", "3NT" or "Pass"; the declarer is None if not written."""
        plain = "".join(typed.lower().replace("\ufe0e", "").replace("\ufe0f", "").split())
        if plain in _PASSED:
            return cls(0), None
        match = _CONTRACT.fullmatch(plain)
        if match is None:
            raise Unreadable(
                t("Write the contract as level, suit and declarer, for example {example}.", example="4♠ N")
            )
        risk = {"x": "X", "d": "X", "xx": "XX", "rd": "XX"}.get(match["risk"] or "", "")
        seat = Seat.parse(match["seat"]) if match["seat"] else None
        return cls(int(match["level"]), read_strain(match["strain"]), risk), seat

    @property
    def passed_out(self) -> bool:
        """Whether nobody bid."""
        return self.level == 0

    @property
    def needed(self) -> int:
        """Tricks that make it."""
        return self.level + 6

    def __str__(self) -> str:
        """The canonical form: "4SX", "3N", "Pass"."""
        return "Pass" if self.passed_out else f"{self.level}{self.strain}{self.risk}"

    @property
    def shown(self) -> str:
        """The same in every language: "4♠X", "3NT", "Pass"."""
        return "Pass" if self.passed_out else f"{self.level}{self.strain.shown}{self.risk}"

    def render(self, language: Language, declarer: Seat | None) -> str:
        """With its declarer: "4♠X E", in Swedish "4♠X Ö"."""
        return f"{self.shown} {declarer.letter(language)}" if declarer and not self.passed_out else self.shown


def parse_tricks(typed: str, contract: Contract) -> int:
    """Declarer's tricks from "=", "+1", "-2" or a number of tricks."""
    match = _RESULT.fullmatch("".join(typed.split()))
    if match is None:
        raise Unreadable(t("Write the result as =, +1, −1 or the number of tricks."))
    if match["made"]:
        tricks = contract.needed
    elif match["sign"]:
        tricks = contract.needed + int(match["number"]) * (1 if match["sign"] == "+" else -1)
    else:
        tricks = int(match["number"])
    if not 0 <= tricks <= 13:
        raise Unreadable(t("There are only 13 tricks."))
    return tricks


def render_tricks(tricks: int, contract: Contract) -> str:
    """The result against the contract: "=", "+1" or "−2"."""
    over = tricks - contract.needed
    return "=" if over == 0 else f"+{over}" if over > 0 else f"−{-over}"


def score(contract: Contract, declarer: Seat | None, tricks: int, vulnerability: Vulnerability) -> int:
    """The score from North-South's side. ValueError without a declarer, or with more than 13 tricks."""
    if contract.passed_out:
        return 0
    if declarer is None or not 0 <= tricks <= 13:
        raise ValueError("a played contract has a declarer and 0 to 13 tricks")
    vulnerable = vulnerability.covers(declarer)
    over = tricks - contract.needed
    points = (
        _made(contract, over, vulnerable=vulnerable) if over >= 0 else -_down(contract, -over, vulnerable=vulnerable)
    )
    return points if declarer.is_north_south else -points


def _made(contract: Contract, over: int, *, vulnerable: bool) -> int:
    factor = {"": 1, "X": 2, "XX": 4}[contract.risk]
    each = 20 if contract.strain.is_minor else 30
    first = 10 if contract.strain is Strain.no_trumps else 0
    bid = (each * contract.level + first) * factor
    game = (500 if vulnerable else 300) if bid >= 100 else 50
    slam = {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(contract.level, 0)
    insult = 25 * factor if contract.risk else 0
    overtrick = (100 if vulnerable else 50) * factor if contract.risk else each
    return bid + game + slam + insult + over * overtrick


def _down(contract: Contract, down: int, *, vulnerable: bool) -> int:
    if not contract.risk:
        return down * (100 if vulnerable else 50)
    doubled = 300 * down - 100 if vulnerable else 200 * down - 100 + 100 * max(0, down - 3)
    return doubled * (2 if contract.risk == "XX" else 1)

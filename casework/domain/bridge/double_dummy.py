"""What each seat takes as declarer when all see all cards: arithmetic about a deal, never a ruling about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from casework.domain.bridge.contract import Strain
from casework.domain.bridge.notation import SEATS, Seat


@dataclass(frozen=True, slots=True)
class DoubleDummy:
    """Tricks (0 to 13) by declarer and strain, for all four seats and five strains."""

    tricks: Mapping[Seat, Mapping[Strain, int]]

    def __post_init__(self) -> None:
        for seat in SEATS:
            taken = self.tricks[seat]
            if set(taken) != set(Strain) or not all(0 <= number <= 13 for number in taken.values()):
                raise ValueError("a seat takes 0 to 13 tricks in each strain")

    def to_json(self) -> dict[str, dict[str, int]]:
        """The stored form, and what the solver's process answers: `{"N": {"C": 7, …}, …}`."""
        return {seat.value: {strain.value: self.tricks[seat][strain] for strain in Strain} for seat in SEATS}

    @classmethod
    def from_json(cls, stored: Mapping[str, Mapping[str, int]]) -> Self:
        """Read back what `to_json` gave; ValueError or KeyError if it is no such table."""
        return cls({seat: {Strain(letter): n for letter, n in stored[seat.value].items()} for seat in SEATS})

"""Score penalties: what the ladders of the rules give, and what that is in points (R92-R95, R102-R103).

The event's log of penalties counts the times; the director confirms what is proposed here (R105).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Self

from casework.domain.bridge.scoring.redress import of_top
from casework.domain.bridge.scoring.working import Step, Working, cited, equals, shown
from casework.domain.rules.editions import LawEdition
from casework.text import Text, t

CROSS_IMPS_FOR_TENTH = Fraction(3, 2)
"""IMPs for each table compared with that stand for 10 % of a top (R92)."""


class Offence(StrEnum):
    """What the rules name an amount for."""

    slow_play = "slow_play"
    no_scoring_device = "no_scoring_device"
    conduct = "conduct"
    mobile_phone = "mobile_phone"
    fouled_deal = "fouled_deal"
    cards_not_counted = "cards_not_counted"


class Scoring(StrEnum):
    """How the event is scored, which decides what an amount is counted in."""

    pairs = "pairs"
    individual = "individual"
    cross_imps = "cross_imps"
    victory_points = "victory_points"
    knock_out = "knock_out"


class Measure(StrEnum):
    """What a penalty is."""

    reprimand = "reprimand"
    warning = "warning"
    percent_of_top = "percent_of_top"
    victory_points = "victory_points"
    imps = "imps"
    disqualification = "disqualification"


@dataclass(frozen=True, slots=True)
class Penalty:
    """One penalty; `amount` is what is taken, in `measure`, on one board or from one match."""

    measure: Measure
    rule: str
    amount: Fraction = Fraction(0)

    @classmethod
    def besides_the_score(cls, edition: LawEdition, measure: Measure, amount: Fraction) -> Self:
        """What a body takes without the score itself being adjusted (R65), by the edition's own law."""
        return cls(measure, cited(edition, "R65", laws_2007="90A", laws_2017="90A"), amount)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types; the amount stays exact."""
        return {"measure": self.measure.value, "rule": self.rule, "amount": str(self.amount)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        return cls(Measure(stored["measure"]), stored["rule"], Fraction(stored["amount"]))

    @property
    def words(self) -> Text:
        """As the ruling says it."""
        number = shown(self.amount)
        match self.measure:
            case Measure.percent_of_top:
                return t("−{number} % of a top on one board", number=number)
            case Measure.victory_points:
                return t("−1 victory point") if self.amount == 1 else t("−{number} victory points", number=number)
            case Measure.imps:
                return t("−{number} IMPs", number=number)
            case Measure.warning:
                return t("a warning")
            case Measure.reprimand:
                return t("a reprimand")
            case Measure.disqualification:
                return t("disqualified from the event, and reported to the Disciplinary Board")

    def matchpoints(self, top: int) -> Working:
        """What a percentage takes in matchpoints, negative. ValueError for another measure."""
        self._of_top()
        value = -of_top(self.amount, top)
        words = t("{percent} % of the top {top}: {value} matchpoints", percent=shown(self.amount), top=top,
                  value=shown(value))  # fmt: skip
        return Working(value, (Step(self.rule, words),))

    def cross_imps(self, comparisons: int) -> Working:
        """What a percentage takes where IMPs are counted across the field, negative (R92). ValueError as above."""
        self._of_top()
        each = CROSS_IMPS_FOR_TENTH * self.amount / 10
        value = -each * comparisons
        words = t("{percent} % of a top is {each} IMPs for each of {comparisons} tables compared with: "
                  "{comparisons} × {each} {equals} {value} IMPs", percent=shown(self.amount), each=shown(each),
                  comparisons=comparisons, equals=equals(value), value=shown(-value))  # fmt: skip
        return Working(value, (Step("R92", words),))

    def _of_top(self) -> None:
        if self.measure is not Measure.percent_of_top:
            raise ValueError(f"{self.measure} is no part of a top")


def penalty(offence: Offence, scoring: Scoring, *, times: int = 1, individual_percent: int = 50) -> Penalty | None:
    """What the rules give for an offence the first, second … time; None where they give nothing.

    `individual_percent` is the profile's `mobile_phone_individual`, an own setting and no federation rule (C5).
    ValueError below the first time.
    """
    if times < 1:
        raise ValueError("an offence is counted from 1")
    if offence is Offence.mobile_phone and scoring is Scoring.individual:
        return Penalty(Measure.percent_of_top, "R95, C5", Fraction(individual_percent))
    steps = _LADDERS[offence].get(scoring)
    return steps[min(times, len(steps)) - 1] if steps else None


def _tops(percent: int, rule: str) -> Penalty:
    return Penalty(Measure.percent_of_top, rule, Fraction(percent))


def _for(scorings: tuple[Scoring, ...], *steps: Penalty) -> dict[Scoring, tuple[Penalty, ...]]:
    return dict.fromkeys(scorings, steps)


_MATCHPOINTS = (Scoring.pairs, Scoring.individual)
_BY_BOARD = (*_MATCHPOINTS, Scoring.cross_imps)
_OUT = Penalty(Measure.disqualification, "R94")
_REPRIMAND = Penalty(Measure.reprimand, "R94")

# The last step of a ladder is repeated.
_LADDERS: dict[Offence, dict[Scoring, tuple[Penalty, ...]]] = {
    Offence.slow_play: _for(_BY_BOARD, Penalty(Measure.warning, "R92"), _tops(10, "R92")),
    Offence.no_scoring_device: _for(_BY_BOARD, Penalty(Measure.warning, "R93"), _tops(10, "R93")),
    Offence.conduct: _for(_BY_BOARD, _REPRIMAND, _tops(10, "R94"), _OUT)
    | _for((Scoring.victory_points,), _REPRIMAND, Penalty(Measure.victory_points, "R94", Fraction(1)), _OUT),
    Offence.mobile_phone: _for((Scoring.pairs, Scoring.cross_imps), _tops(50, "R95"))
    | _for((Scoring.victory_points,), Penalty(Measure.victory_points, "R95", Fraction(2)))
    | _for((Scoring.knock_out,), Penalty(Measure.imps, "R95", Fraction(6))),
    Offence.fouled_deal: _for(_BY_BOARD, _tops(10, "R102")),
    Offence.cards_not_counted: _for(_BY_BOARD, _tops(10, "R103")),
}

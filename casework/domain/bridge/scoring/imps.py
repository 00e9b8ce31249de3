"""IMPs by Law 78B's table, knock-out averages, and the continuous scale of victory points."""

from bisect import bisect_right
from decimal import Decimal, localcontext
from fractions import Fraction

from casework.domain.bridge.scoring.working import Step, Working, shown
from casework.text import t

_FROM = (20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500,
         3000, 3500, 4000)  # fmt: skip
HIGHEST_VP = Fraction(20)


def imps(difference: int) -> int:
    """The IMPs of a difference in score, with its sign (Law 78B)."""
    won = bisect_right(_FROM, abs(difference))
    return won if difference > 0 else -won


def knock_out_average(north_south: Fraction, east_west: Fraction) -> Working:
    """What North-South's team gets of a board that does not balance: the mean of both views (R78).

    Each side's IMPs as counted for itself; East-West's team gets the same with the other sign.
    """
    mean = (north_south - east_west) / 2
    words = t("A knock-out match must balance: the mean of {own} and {other} is {imps} IMPs to North–South.",
              own=shown(north_south), other=shown(-east_west), imps=shown(mean))  # fmt: skip
    return Working(mean, (Step("R78, 12C4", words),))


def victory_points(margin: Fraction | int, boards: int) -> Working:
    """The victory points of a team that won a match by `margin` IMPs, on WBF's continuous 20–0 scale (R89).

    Between 0 and 20 and rounded to two decimals, as the scale itself is; the teams share 20. The published formula:
    10 + 10 · (1 − τ^(3m/b)) / (1 − τ³), where τ is the golden ratio's (√5 − 1)/2 and b = 15·√boards wins all.
    ValueError for a match without boards.
    """
    if boards < 1:
        raise ValueError("a match has boards")
    with localcontext() as context:
        context.prec = 30  # Decimal, not float: the same figure on every machine
        golden = (Decimal(5).sqrt() - 1) / 2
        whole = 15 * Decimal(boards).sqrt()
        lead = abs(Fraction(margin))
        part = min(Decimal(lead.numerator) / lead.denominator / whole, Decimal(1))
        gained = 10 * (1 - golden ** (3 * part)) / (1 - golden**3)
    above = Fraction(shown(Fraction(gained)))
    points = 10 + above if margin >= 0 else 10 - above
    words = t("{margin} IMPs over {boards} boards is {points} victory points, rounded to two decimals.",
              margin=shown(margin), boards=boards, points=shown(points))  # fmt: skip
    return Working(points, (Step("R89", words),))

"""A fouled board in pairs: each group of tables that played the same deal is scored by itself (R83-R85)."""

from collections.abc import Sequence
from fractions import Fraction

from casework.domain.bridge.scoring.matchpoints import SMALL_GROUP_FROM, Comparison, Frequency, Line, Ranking
from casework.domain.bridge.scoring.working import HUNDRED, Step, Working, shown
from casework.text import t

ALONE = Fraction(60)


def fouled_group(
    scores: Sequence[int],
    *,
    tables: int,
    comparison: Comparison = Comparison.neuberg,
    small_group_from: int = SMALL_GROUP_FROM,
) -> tuple[tuple[Working, Working], ...]:
    """Each table's matchpoints, North-South's and East-West's, in the order of `scores` (from North-South's side).

    `tables` is how many the whole board had. In a small group both sides together get more than a top, as Law 88
    asks for those who could not be compared. A group of one is `alone`'s matter. ValueError for it.
    """
    if not 2 <= len(scores) <= tables:
        raise ValueError("a group has at least two tables, and no more than the board")
    lines = tuple(Line(each) for each in scores)
    missing = tables - len(scores)
    frequency = Frequency(lines, comparison, missing=missing, small_group_from=small_group_from)
    ranking = Ranking.of(frequency)
    both = ((ranking.working(each, north_south=True), ranking.working(each, north_south=False)) for each in scores)
    return tuple((_told(ours, frequency), _told(theirs, frequency)) for ours, theirs in both)


def _told(counted: Working, frequency: Frequency) -> Working:
    return Working(counted.value, (frequency.way(), *counted.steps))


def alone(own_percent: Fraction | None, *, tables: int) -> Working:
    """The matchpoints of a side whose table has no other to compare with: 60 %, or its own result if better (R83)."""
    percent = max(ALONE, own_percent or ALONE)
    words = t("No other table played this deal: 60 % or the side's own result if that is better, {percent} %",
              percent=shown(percent))  # fmt: skip
    return Working(2 * (tables - 1) * percent / HUNDRED, (Step("R83, 87", words),))

"""A fouled board in pairs: each group of tables that played the same deal is scored by itself (R83-R85)."""

from collections.abc import Sequence
from fractions import Fraction

from casework.domain.bridge.scoring.matchpoints import Comparison, Frequency, Line, Ranking
from casework.domain.bridge.scoring.working import HUNDRED, Step, Working, equals, shown
from casework.text import t

SMALL_GROUP_FROM = 7
"""From how many tables small groups get the fixed percentages; the profile's `small_group_tables` (R84, C7)."""
FIXED = {2: (65, 55), 3: (70, 60, 50)}
"""Percent of a top by place in the group (R84)."""
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
    if tables >= small_group_from and len(scores) in FIXED:
        mirrored = [-each for each in scores]
        return tuple((_fixed(each, scores, tables), _fixed(-each, mirrored, tables)) for each in scores)
    frequency = Frequency(tuple(Line(each) for each in scores), comparison, missing=tables - len(scores))
    ranking, way = Ranking.of(frequency), frequency.way()
    both = ((ranking.matchpoints(each), frequency.top - ranking.matchpoints(each)) for each in scores)
    return tuple((Working(ours, (way,)), Working(theirs, (way,))) for ours, theirs in both)


def alone(own_percent: Fraction | None, *, tables: int) -> Working:
    """The matchpoints of a side whose table has no other to compare with: 60 %, or its own result if better (R83)."""
    percent = max(ALONE, own_percent or ALONE)
    words = t("No other table played this deal: 60 % or the side's own result if that is better, {percent} %",
              percent=shown(percent))  # fmt: skip
    return Working(2 * (tables - 1) * percent / HUNDRED, (Step("R83, 87", words),))


def _fixed(score: int, scores: Sequence[int], tables: int) -> Working:
    """What the places that equal scores share are worth in the mean."""
    better = sum(each > score for each in scores)
    equal = scores.count(score)
    percent = Fraction(sum(FIXED[len(scores)][better : better + equal]), equal)
    value = 2 * (tables - 1) * percent / HUNDRED
    words = t("{number} tables played this deal: {percent} % of the top {top} {equals} {value}", number=len(scores),
              percent=shown(percent), top=2 * (tables - 1), equals=equals(value), value=shown(value))  # fmt: skip
    return Working(value, (Step("R84", words),))

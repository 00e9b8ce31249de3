"""How long an adjusted score over a long frequency table takes, against the same sums in plain loops."""

import random
from collections.abc import Callable
from fractions import Fraction
from time import perf_counter

from casework.domain.bridge.scoring.adjusted import adjust
from casework.domain.bridge.scoring.adjustment import Adjustment
from casework.domain.bridge.scoring.matchpoints import Frequency, Line
from casework.domain.bridge.scoring.methods import ByMatchpoints
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome, Share
from casework.domain.rules.editions import LawEdition
from casework.domain.terms import Body

LINES = 200
WEIGHTS = {420: 50, -100: 30, 630: 20}
AT_MOST = 5
"""Times the plain loops."""


def test_an_adjusted_score_over_two_hundred_lines() -> None:
    """With everybody's matchpoints before and after, exact, and with the working; the loops use floating point."""
    drawn = random.Random(124)
    lines = tuple(Line(10 * at, drawn.randint(1, 5)) for at in range(-LINES // 2, LINES // 2))
    own = Line(0)
    score = AssignedScore(tuple(Share(Outcome(each), Fraction(percent)) for each, percent in WEIGHTS.items()))
    adjustment = Adjustment(
        LawEdition.laws_2017, Body.LAW_COMMISSION, score, score, ByMatchpoints(Frequency(lines), own)
    )
    counts = [(line.ns_score or 0, line.tables) for line in lines]
    ours = fastest(lambda: adjust(adjustment))
    plain = fastest(lambda: in_loops(counts, 0))
    result = adjust(adjustment).north_south.points
    print(f"\n{LINES} lines: {1000 * ours:.2f} ms, plain loops {1000 * plain:.2f} ms, {ours / plain:.2f} times")
    assert result is not None
    assert abs(float(result) - in_loops(counts, 0)[0]) < 1e-9
    assert ours <= AT_MOST * plain


def in_loops(counts: list[tuple[int, int]], own: int) -> tuple[float, list[float], list[float]]:
    """The weighted score, and every line's matchpoints before and after: each result held against each other."""
    tables = sum(count for _, count in counts)
    before = [beaten(score, counts) for score, _ in counts]
    left = [(score, count - (score == own)) for score, count in counts]
    after = [(beaten(score, left) + 1) * tables / (tables - 1) - 1 for score, count in left if count]
    points = 0.0
    for score, percent in WEIGHTS.items():
        points += percent / 100 * ((beaten(score, left) + 1) * tables / (tables - 1) - 1)
    return points, before, after


def beaten(score: int, counts: list[tuple[int, int]]) -> float:
    """2 for each worse result and 1 for each equal one but itself."""
    points = -1.0
    for other, count in counts:
        if other < score:
            points += 2 * count
        elif other == score:
            points += count
    return points


def fastest(run: Callable[[], object]) -> float:
    """Seconds, the best of some runs: the machine does other things as well."""
    times = []
    for _ in range(15):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return min(times)

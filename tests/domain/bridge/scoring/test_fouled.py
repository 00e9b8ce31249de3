"""Fouled boards in groups."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.domain.bridge.scoring.matchpoints import SMALL_GROUP_FROM, Comparison, Frequency, Line, Ranking

SCORES = st.integers(-120, 120).map(lambda tens: tens * 10)


def fouled_group(
    scores: list[int],
    *,
    tables: int,
    comparison: Comparison = Comparison.neuberg,
    small_group_from: int = SMALL_GROUP_FROM,
) -> list[tuple[Fraction, Fraction]]:
    """What each table of a group that played the same deal gets, North-South first; `tables` had the board."""
    frequency = Frequency(
        tuple(map(Line, scores)), comparison, missing=tables - len(scores), small_group_from=small_group_from
    )
    ranking = Ranking.of(frequency)
    both = ((ranking.working(each, north_south=side).value for side in (True, False)) for each in scores)
    return [(ours, theirs) for ours, theirs in both]


def percents(scores: list[int], tables: int) -> list[tuple[object, object]]:
    top = 2 * (tables - 1)
    return [(100 * ours / top, 100 * theirs / top) for ours, theirs in fouled_group(scores, tables=tables)]


@pytest.mark.parametrize(
    ("scores", "given"),
    [
        ([420, -50], [(65, 55), (55, 65)]),
        ([420, 420], [(60, 60), (60, 60)]),
        ([140, 420, -50], [(60, 60), (70, 50), (50, 70)]),
        ([420, 420, -50], [(65, 55), (65, 55), (50, 70)]),
    ],
)
def test_small_groups(scores: list[int], given: list[tuple[int, int]]) -> None:
    """R84: from seven tables, two and three comparable results; equal results share their places."""
    assert percents(scores, tables=7) == given


def test_below_seven_tables_a_small_group_is_compared() -> None:
    """R84, C7: the profile says from how many tables the fixed percentages count."""
    by_hand = Comparison.plus_one
    points = [ours for ours, _ in fouled_group([420, -50], tables=6, comparison=by_hand)]
    assert points == [2 + 4, 0 + 4]
    fixed = fouled_group([420, -50], tables=6, comparison=by_hand, small_group_from=6)
    assert [ours for ours, _ in fixed] == [Fraction(13, 2), Fraction(11, 2)]


def test_a_large_group_gets_a_point_for_each_result_that_cannot_be_compared() -> None:
    """R83: four of ten tables."""
    points = fouled_group([420, 170, 140, -50], tables=10, comparison=Comparison.plus_one)
    assert [ours for ours, _ in points] == [12, 10, 8, 6]


def test_where_the_computer_scores_neuberg_is_used() -> None:
    """R83: (6 + 1) · 10/4 − 1."""
    assert fouled_group([420, 170, 140, -50], tables=10)[0][0] == Fraction(33, 2)


@given(st.lists(SCORES, min_size=4, max_size=9), st.sampled_from(Comparison))
def test_the_tables_of_a_large_group_share_a_top(scores: list[int], comparison: Comparison) -> None:
    assert {ours + theirs for ours, theirs in fouled_group(scores, tables=9, comparison=comparison)} == {16}

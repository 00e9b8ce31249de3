"""Fouled boards in groups."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.domain.bridge.scoring.fouled import alone, fouled_group
from casework.domain.bridge.scoring.matchpoints import Comparison

SCORES = st.integers(-120, 120).map(lambda tens: tens * 10)


def percents(scores: list[int], tables: int) -> list[tuple[object, object]]:
    top = 2 * (tables - 1)
    return [(100 * ours.value / top, 100 * theirs.value / top) for ours, theirs in fouled_group(scores, tables=tables)]


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
    points = [ours.value for ours, _ in fouled_group([420, -50], tables=6, comparison=by_hand)]
    assert points == [2 + 4, 0 + 4]
    fixed = fouled_group([420, -50], tables=6, comparison=by_hand, small_group_from=6)
    assert [ours.value for ours, _ in fixed] == [Fraction(13, 2), Fraction(11, 2)]


def test_a_large_group_gets_a_point_for_each_result_that_cannot_be_compared() -> None:
    """R83: four of ten tables."""
    points = fouled_group([420, 170, 140, -50], tables=10, comparison=Comparison.plus_one)
    assert [ours.value for ours, _ in points] == [12, 10, 8, 6]


def test_where_the_computer_scores_neuberg_is_used() -> None:
    """R83: (6 + 1) · 10/4 − 1."""
    assert fouled_group([420, 170, 140, -50], tables=10)[0][0].value == Fraction(33, 2)


@given(st.lists(SCORES, min_size=4, max_size=9), st.sampled_from(Comparison))
def test_the_tables_of_a_large_group_share_a_top(scores: list[int], comparison: Comparison) -> None:
    assert {ours.value + theirs.value for ours, theirs in fouled_group(scores, tables=9, comparison=comparison)} == {16}


@pytest.mark.parametrize(("own", "percent"), [(None, 60), (Fraction(55), 60), (Fraction(66), 66)])
def test_a_table_without_comparison(own: Fraction | None, percent: int) -> None:
    """R83, R84: 60 % for both sides, or the side's own average if that is better."""
    assert alone(own, tables=11).value == Fraction(20 * percent, 100)


@pytest.mark.parametrize("scores", [[], [420], [10] * 8])
def test_a_group_is_part_of_the_board(scores: list[int]) -> None:
    with pytest.raises(ValueError, match="group"):
        fouled_group(scores, tables=7)

"""IMPs, knock-out averages and victory points."""

from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.domain.bridge.scoring.imps import imps, knock_out_average, victory_points

DIFFERENCES = st.integers(-800, 800).map(lambda tens: tens * 10)


@pytest.mark.parametrize(
    ("highest", "won"),
    [
        (10, 0), (40, 1), (80, 2), (120, 3), (160, 4), (210, 5), (260, 6), (310, 7), (360, 8), (420, 9), (490, 10),
        (590, 11), (740, 12), (890, 13), (1090, 14), (1290, 15), (1490, 16), (1740, 17), (1990, 18), (2240, 19),
        (2490, 20), (2990, 21), (3490, 22), (3990, 23),
    ],
)  # fmt: skip
def test_the_table(highest: int, won: int) -> None:
    """Law 78B: the last difference of each step, and the first of the next."""
    assert (imps(highest), imps(highest + 10)) == (won, won + 1)


@given(DIFFERENCES, DIFFERENCES)
def test_imps_are_the_other_teams_with_the_other_sign_and_never_fall(one: int, other: int) -> None:
    assert imps(-one) == -imps(one)
    assert (one <= other) is (imps(one) <= imps(other)) or imps(one) == imps(other)


@pytest.mark.parametrize(("own", "theirs", "mean"), [(5, 1, 2), (3, 3, 0), (10, -10, 10), (4, -3, Fraction(7, 2))])
def test_a_knock_out_match_balances(own: int, theirs: int, mean: Fraction) -> None:
    """R78: each side's score is counted by itself, and each gets the average."""
    assert knock_out_average(Fraction(own), Fraction(theirs)).value == mean


@given(st.integers(-200, 200), st.integers(1, 64))
def test_victory_points_share_twenty(margin: int, boards: int) -> None:
    """R89: symmetric, never falling, within 0 and 20."""
    won, lost = victory_points(margin, boards).value, victory_points(-margin, boards).value
    assert won + lost == 20
    assert 0 <= won <= victory_points(margin + 1, boards).value <= 20


@given(st.integers(1, 64))
def test_victory_points_begin_at_ten_and_end_at_fifteen_times_the_root_of_the_boards(boards: int) -> None:
    """R89: the formula as WBF published it, here in floating point."""
    golden, whole = (sqrt(5) - 1) / 2, 15 * sqrt(boards)
    assert victory_points(0, boards).value == 10
    assert victory_points(int(whole) + 1, boards).value == 20
    half = 10 + 10 * (1 - golden ** (3 * int(whole / 2) / whole)) / (1 - golden**3)
    assert victory_points(int(whole / 2), boards).value == pytest.approx(half, abs=0.00501)


def test_a_match_has_boards() -> None:
    with pytest.raises(ValueError, match="boards"):
        victory_points(3, 0)

"""Numbers as they are shown, and workings as they are stored."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.adapters.i18n import render
from casework.domain.bridge.scoring.matchpoints import neuberg
from casework.domain.bridge.scoring.working import Working, equals, rounded_later, rounding, shown, signed


@pytest.mark.parametrize(
    ("value", "places", "number"),
    [
        (Fraction(15), 1, "15"),
        (Fraction(29, 6), 1, "4.8"),
        (Fraction(29, 6), 2, "4.83"),
        (Fraction(1, 4), 1, "0.2"),
        (Fraction(3, 4), 1, "0.8"),
        (Fraction(-1, 4), 1, "-0.2"),
        (Fraction(25, 8), 2, "3.12"),
        (Fraction(2000), 2, "2000"),
        (Fraction(21, 2), 2, "10.5"),
        (Fraction(-1, 1000), 2, "0"),
        (Fraction(1099, 50), 1, "22.0"),
        (Fraction(22), 1, "22"),
        (Fraction(26663, 2000), 2, "13.33"),
        (Fraction(12501, 1000), 2, "12.50"),
    ],
)
def test_a_number_is_shown_with_few_decimals_and_no_idle_ones(value: Fraction, places: int, number: str) -> None:
    assert str(shown(value, places)) == number


@given(st.fractions(-5000, 5000), st.integers(0, 4))
def test_what_is_shown_is_never_more_than_half_a_unit_off(value: Fraction, places: int) -> None:
    off = abs(Fraction(shown(value, places)) - value)
    assert off <= Fraction(1, 2 * 10**places)
    assert (equals(value, places) == "=") is (off == 0)


def test_rounding_is_said_and_only_then() -> None:
    """R81: one decimal."""
    assert [step.text.params["number"] for step in rounding(Fraction(29, 6), 1)] == [shown(Fraction(48, 10))]
    assert rounding(Fraction(9, 2), 1) == ()
    (halfway,) = rounding(Fraction(11, 4), 1)
    assert "Visas med en decimal: 2,8, den jämna" in render(halfway.text, "sv")


def test_a_score_has_its_sign() -> None:
    assert [signed(each) for each in (200, 0, -630)] == ["+200", "0", "−630"]


def test_a_working_is_stored_exactly() -> None:
    working = neuberg(4, results=6, tables=7)
    assert Working.from_json(json.loads(json.dumps(working.to_json()))) == working


@pytest.mark.parametrize(
    ("value", "top", "shown_as"),
    [("45/4", 12, ("11.2", "0.8")), ("31/4", 12, ("7.8", "4.2")), ("1351/125", 14, ("10.8", "3.2"))],
)
def test_both_sides_as_shown_make_a_top(value: str, top: int, shown_as: tuple[str, str]) -> None:
    """R81: one decimal, always."""
    ours = Fraction(value)
    both = shown(ours, 1), shown(top - ours, 1)
    assert (str(both[0]), str(both[1])) == shown_as
    assert sum(both) == top


@given(st.fractions(0, 500), st.integers(500, 600), st.integers(0, 3))
def test_what_both_sides_share_is_whole_as_shown(ours: Fraction, whole: int, places: int) -> None:
    """34.42 and 65.58 %, not 34.43 and 65.58: a table whose numbers do not add up is believed by nobody."""
    assert shown(ours, places) + shown(whole - ours, places) == whole


def test_a_working_shows_what_the_rounded_number_comes_from() -> None:
    """4.248 is shown as 4.2, so 4.25 would be a step that does not lead there."""
    assert str(rounded_later(Fraction("4.248"), 1)) == "4.248"
    assert str(rounded_later(Fraction("10.808"), 1)) == "10.81"

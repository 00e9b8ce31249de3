"""Matchpoints from a frequency table."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given

from casework.adapters.i18n import render
from casework.domain.bridge.scoring.matchpoints import Comparison, Frequency, Line, Ranking, neuberg, to_common_top
from casework.domain.bridge.scoring.working import shown
from tests.domain.bridge.scoring.frequencies import FREQUENCIES, SCORES, share_of


@pytest.mark.parametrize(("points", "exact", "one_decimal"), [(4, "29/6", "4.8"), (9, "32/3", "10.7")])
def test_neubergs_formula(points: int, exact: str, one_decimal: str) -> None:
    """R81: the two examples, six results of seven, shown with one decimal."""
    value = neuberg(points, results=6, tables=7).value
    assert (value, str(shown(value, 1))) == (Fraction(exact), one_decimal)


def test_a_plain_table() -> None:
    """Law 78A: 2 for each worse result, 1 for each equal one."""
    frequency = Frequency((Line(420, 2), Line(450), Line(-50)))
    assert [line.line.ns_score for line in frequency.scored()] == [450, 420, -50]
    assert [line.north_south for line in frequency.scored()] == [6, 3, 0]
    assert [line.east_west for line in frequency.scored()] == [0, 3, 6]


def test_neuberg_in_a_table() -> None:
    """R81: the best of six results, where seven were to be played, beats five and gets 10.67."""
    results = tuple(Line(10 * at) for at in range(6))
    ours = Frequency(results, Comparison.neuberg, missing=1).scored()[0].north_south
    assert ours == neuberg(10, results=6, tables=7).value == Fraction(71, 6)


def test_a_point_for_each_missing_result() -> None:
    """R83: the top of six results among eight tables is 10 + 2, the bottom 2."""
    frequency = Frequency(tuple(Line(10 * at) for at in range(6)), Comparison.plus_one, missing=2)
    assert [line.north_south for line in frequency.scored()] == [12, 10, 8, 6, 4, 2]


def test_unequal_tops() -> None:
    """R82: a top of 12 in one session and 14 in the other."""
    assert to_common_top(9, top=12, common=14).value == Fraction(21, 2)
    frequency = Frequency(tuple(Line(10 * at) for at in range(7)), common_top=14)
    assert [line.north_south for line in frequency.scored()][:2] == [14, Fraction(35, 3)]


def test_an_artificial_score_is_a_part_of_the_top() -> None:
    """P02's row: 60 % and 0 % of 20, and the others get a point for it (R83)."""
    artificial = Line(percent=(Fraction(60), Fraction(0)))
    scored = Frequency((*(Line(10 * at) for at in range(10)), artificial), Comparison.plus_one).scored()
    assert [scored[-1].north_south, scored[-1].east_west] == [12, 0]
    assert [scored[0].north_south, scored[0].east_west] == [19, 1]


@given(FREQUENCIES)
def test_matchpoints_sum_to_what_they_must(frequency: Frequency) -> None:
    """Each table with a result shares a top, and all of them win half of it in the mean: by Neuberg's formula, by a
    point for each missing result, and scaled. What artificial scores get is not of that sum.
    """
    for table in (frequency, replace(frequency, common_top=99)):
        compared = [line for line in table.scored() if line.line.ns_score is not None]
        share = share_of(table)
        assert all(line.north_south + line.east_west == share for line in compared)
        assert sum(line.line.tables * line.north_south for line in compared) == table.compared * share / 2


@given(FREQUENCIES)
def test_matchpoints_are_what_comparing_table_by_table_gives(frequency: Frequency) -> None:
    """Law 78A by its definition, before anything is made good for missing results."""
    everybody = [line.ns_score for line in frequency.lines for _ in range(line.tables) if line.ns_score is not None]
    ranking = Ranking.of(frequency)
    for score in everybody:
        beaten = sum(2 * (score > other) + (score == other) for other in everybody) - 1
        assert ranking.raw(score) == beaten


@example(Frequency((Line(0, 3),), missing=4), 0)
@given(FREQUENCIES, SCORES)
def test_a_better_score_never_gets_less(frequency: Frequency, score: int) -> None:
    """Also one that no table has; and the working gives each side its number, in a small group too (R84)."""
    ranking = Ranking.of(frequency)
    ours = ranking.matchpoints(score)
    assert ours <= ranking.matchpoints(score + 10)
    assert ranking.working(score, north_south=True).value == ours
    assert ranking.working(score, north_south=False).value == share_of(frequency) - ours


@given(FREQUENCIES)
def test_one_table_is_exchanged(frequency: Frequency) -> None:
    old, new = replace(frequency.lines[0], tables=1), Line(7000)
    changed = frequency.changed(old, new)
    assert changed is not None
    assert changed.tables == frequency.tables
    back = changed.changed(new, old)
    assert back is not None
    assert back.scored() == frequency.scored()
    assert frequency.changed(new, old) is None


@given(FREQUENCIES)
def test_a_table_is_stored_exactly(frequency: Frequency) -> None:
    assert Frequency.from_json(json.loads(json.dumps(frequency.to_json()))) == frequency


@pytest.mark.parametrize(
    "frequency",
    [
        Frequency(()),
        Frequency((Line(420),)),
        Frequency((Line(420, 2),), missing=-1, common_top=2),
        Frequency((Line(420, 2),), common_top=0),
        Frequency((Line(420), Line(425))),
    ],
)
def test_a_table_that_gives_no_matchpoints(frequency: Frequency) -> None:
    assert frequency.problem() is not None


def test_a_line_has_a_score_or_percentages() -> None:
    for wrong in ({}, {"ns_score": 420, "percent": (Fraction(60), Fraction(40))}, {"ns_score": 420, "tables": 0}):
        with pytest.raises(ValueError, match="line"):
            Line(**wrong)


def test_r82_the_way_says_what_was_scaled() -> None:
    """A board with a top of 6 in an event whose top is 14."""
    scaled = Frequency((Line(420), Line(450), Line(-50), Line(400)), common_top=14).way()
    assert scaled.rule == "78A, R82"
    assert "top 6" in render(scaled.text, "en")
    assert "to the event's 14" in render(scaled.text, "en")

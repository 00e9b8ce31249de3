"""A pair that withdrew: what it and its table get on a board, and what the others are compared with (R79, R80)."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from casework.adapters.i18n import render
from casework.domain.bridge.scoring.adjusted import AdjustedScore
from casework.domain.bridge.scoring.artificial import ArtificialScore, Fault, Ground
from casework.domain.bridge.scoring.matchpoints import Comparison, Frequency, Line
from casework.domain.bridge.scoring.methods import ByMatchpoints, ByPercent
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome
from tests.domain.bridge.scoring.test_adjusted import adjusted, refused

FREQUENCY = Frequency((Line(-50), Line(420, 2), Line(450), Line(170), Line(140)), Comparison.neuberg)
OWN = Line(-50)
BYE = ArtificialScore(Fault.none, Fraction(55), Ground.bye_by_withdrawal)


def withdrew(played: int, boards: int = 30) -> ArtificialScore:
    return ArtificialScore(Fault.none, None, Ground.withdrew, played=played, boards=boards)


def test_a_struck_table_is_no_longer_among_the_others() -> None:
    """R79: as if the pair had never started. Five results of five are left, with nothing for Neuberg to make good."""
    counted = adjusted(withdrew(10), ByMatchpoints(FREQUENCY, OWN), BYE)
    left = replace(FREQUENCY, lines=FREQUENCY.lines[1:])
    assert counted.after == left.scored()
    assert [step.rule for step in counted.steps] == ["R79, 12C2d", "78A"]
    assert counted.east_west.percent == 60
    assert counted.east_west.points == Fraction(60 * left.top, 100)


def test_one_of_several_tables_with_the_same_result_is_struck() -> None:
    counted = adjusted(withdrew(10), ByMatchpoints(FREQUENCY, Line(420)), BYE)
    assert {line.line.ns_score: line.line.tables for line in counted.after}[420] == 1


@pytest.mark.parametrize("method", [ByMatchpoints(FREQUENCY, OWN), ByPercent()])
def test_a_struck_pair_is_told_that_it_is_struck(method: Any) -> None:
    """Not that it has 0 %, which stands in a result list."""
    ours = adjusted(withdrew(10), method, BYE).north_south
    assert ours.words is not None
    assert render(ours.words, "sv") == "stryks"
    assert not any("0 % of the top" in render(step.text, "en") for step in ours.steps)


def test_a_pair_whose_results_stand_gets_a_number() -> None:
    """R79: 0 % of the top on what it did not play, and its table stays among the missing."""
    unplayed = Line(percent=(Fraction(0), Fraction(60)))
    frequency = replace(FREQUENCY, lines=(unplayed, *FREQUENCY.lines[1:]))
    counted = adjusted(withdrew(18), ByMatchpoints(frequency, unplayed), BYE)
    assert counted.north_south.points == 0
    assert not counted.north_south.struck
    assert counted.steps[-1].rule == "R81"


def test_it_is_stored_that_a_pair_is_struck() -> None:
    counted = adjusted(withdrew(10), ByMatchpoints(FREQUENCY, OWN), BYE)
    assert AdjustedScore.from_json(counted.to_json()) == counted


def test_nobody_has_a_result_against_a_struck_pair() -> None:
    found = refused(withdrew(10), ByMatchpoints(FREQUENCY, OWN), AssignedScore.of(Outcome(420)))
    assert set(found) == {"east_west"}


def test_a_struck_table_leaves_two_that_can_be_compared() -> None:
    assert set(refused(withdrew(10), ByMatchpoints(Frequency((OWN, Line(420))), OWN), BYE)) == {"method"}


@pytest.mark.parametrize(
    ("played", "why"),
    [(0, "has played this board at least"), (18, "its result stands"), (10, None)],
)
def test_a_board_that_was_played(played: int, why: str | None) -> None:
    """R79: 0 % is for the boards that the pair did not play; a played one stands, or is struck with all others."""
    said = withdrew(played).why_not_played()
    assert said is None if why is None else said is not None and why in render(said, "en")


def test_more_boards_than_there_are() -> None:
    found = refused(withdrew(31), ByPercent(), BYE)
    assert "31 is more than the 30 boards" in found["north_south"]

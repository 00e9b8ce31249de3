"""Penalties besides a score, and the percentages of byes, withdrawals and withdrawn boards, in an adjusted score."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from casework.adapters.i18n import render
from casework.domain.bridge.scoring.adjusted import AdjustedScore
from casework.domain.bridge.scoring.artificial import ArtificialScore, Fault, Ground
from casework.domain.bridge.scoring.matchpoints import Frequency, Line
from casework.domain.bridge.scoring.methods import ByImps, ByMatchpoints, ByPercent, Method
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome
from casework.domain.bridge.scoring.penalties import Measure, Penalty
from casework.domain.rules.editions import LawEdition
from casework.domain.terms import RulingOutcome, Side
from tests.domain.bridge.scoring.test_adjusted import adjusted, percents, points, refused

PLAYED = AssignedScore.of(Outcome(420))
PAIRS = ByMatchpoints(Frequency((Line(420), Line(450), Line(-50), Line(400))), Line(420))
MATCH = ByImps(other_table=-50, table=420, other_boards=0, boards=16)
EAST_WEST = f"penalty_{Side.EAST_WEST.value}"


def penalty(amount: int, measure: Measure = Measure.percent_of_top) -> tuple[tuple[Side, Penalty], ...]:
    return ((Side.EAST_WEST, Penalty(measure, "R65, 90A", Fraction(amount))),)


def test_a_result_that_stands_with_a_penalty_takes_from_one_side_alone() -> None:
    """R65: 10 % of a top of 6, and no other table is touched."""
    counted = adjusted(PLAYED, PAIRS, stands=True, penalties=penalty(10))
    assert points(counted) == (4, 2 - Fraction(6, 10))
    assert counted.adjustment.outcome is RulingOutcome.PENALTY
    assert counted.before == counted.after
    assert AdjustedScore.from_json(counted.to_json()) == counted


@pytest.mark.parametrize(("method", "measure"), [(PAIRS, Measure.percent_of_top), (MATCH, Measure.imps)])
def test_a_result_that_stands_is_adjusted_by_no_rule(method: Method, measure: Measure) -> None:
    """R69 is of assigned scores; R65 of what is taken besides."""
    counted = adjusted(PLAYED, method, stands=True, penalties=penalty(5, measure))
    for side in (counted.north_south, counted.east_west):
        rules = {step.text.msgid: step.rule for step in side.steps}
        assert rules["{what}: {amount}"] == ""
        assert not any("R69" in rule or "12C1" in rule for rule in rules.values())
    assert {step.rule for step in counted.east_west.steps if "Penalty" in step.text.msgid} == {"R65, 90A"}


def test_a_penalty_names_the_law_of_its_edition() -> None:
    """R43, R65: of earlier laws no numbers are known."""
    rules = {each: Penalty.besides_the_score(each, Measure.imps, Fraction(3)).rule for each in LawEdition}
    assert rules == {
        LawEdition.earlier: "R65",
        LawEdition.laws_2007: "R65, 90A",
        LawEdition.laws_2017: "R65, 90A",
    }


def test_penalties_of_a_match_are_in_vp_or_imps() -> None:
    """R95: 2 VP, or 6 IMPs in a knock-out."""
    plain = adjusted(PLAYED, MATCH)
    assert plain.east_west.victory_points is not None
    vp = adjusted(PLAYED, MATCH, penalties=penalty(2, Measure.victory_points))
    assert vp.east_west.victory_points == plain.east_west.victory_points - 2
    imps = adjusted(PLAYED, MATCH, penalties=penalty(6, Measure.imps))
    assert points(imps) == (10, -16)
    assert imps.north_south.victory_points == plain.north_south.victory_points


@pytest.mark.parametrize(
    ("method", "typed"), [(PAIRS, penalty(1, Measure.victory_points)), (MATCH, penalty(10)), (PAIRS, penalty(0))]
)
def test_a_penalty_is_in_what_the_event_is_scored_in(method: Method, typed: Any) -> None:
    assert list(refused(PLAYED, method, penalties=typed)) == [EAST_WEST]


def test_a_result_that_stands_without_a_penalty_is_no_score_to_work_out() -> None:
    assert "no score to work out" in refused(PLAYED, PAIRS, stands=True)[EAST_WEST]


@pytest.mark.parametrize(
    ("ground", "guilty", "innocent"),
    [
        (Ground.started, 35, 72),
        (Ground.not_started, 40, 72),
        (Ground.wrong_board, 40, 50),
        (Ground.wrong_pocket, 40, 72),
        (Ground.bye, 35, 72),
        (Ground.bye_by_withdrawal, 60, 72),
    ],
)
def test_r79_to_r88_give_percentages(ground: Ground, guilty: int, innocent: int) -> None:
    """Own or likely result 35 % and 72 %."""
    ours = ArtificialScore(Fault.directly, Fraction(35), ground)
    theirs = ArtificialScore(Fault.none, Fraction(72), ground)
    counted = adjusted(ours, ByPercent(), theirs)
    assert percents(counted) == (guilty, innocent)
    assert AdjustedScore.from_json(counted.to_json()) == counted


def test_r86_a_started_board_needs_the_likely_result_and_who_was_at_fault() -> None:
    unknown = ArtificialScore(Fault.none, None, Ground.started)
    both = ArtificialScore(Fault.partly, Fraction(50), Ground.started)
    said = refused(unknown, ByPercent(), both)
    assert "likely result" in said[Side.NORTH_SOUTH.value]
    assert "at fault or it is not" in said[Side.EAST_WEST.value]
    assert "only in percent" in refused(ArtificialScore(Fault.none, Fraction(50), Ground.started), MATCH)["method"]


@pytest.mark.parametrize(
    ("played", "told", "listed"),
    [
        (15, "57.69 %, less than 60 %: the results are struck", "its results are struck"),
        (16, "61.54 %, at least 60 %: the results stand", "its results stand"),
    ],
)
def test_r79_a_pair_that_withdrew_is_told_how_much_it_had_played(played: int, told: str, listed: str) -> None:
    """Below 60 % of the stage it is struck, from there on it gets 0 % on the rest; its opponents have a bye (R80)."""
    withdrew = ArtificialScore(Fault.none, None, Ground.withdrew, played=played, boards=26)
    counted = adjusted(withdrew, ByPercent(), ArtificialScore(Fault.none, Fraction(55), Ground.bye_by_withdrawal))
    assert percents(counted) == (0, 60)
    assert {step.rule for step in counted.north_south.steps} == {"R79, 12C2d"}
    assert any(told in render(step.text, "en") for step in counted.north_south.steps)
    assert listed in render(withdrew.words, "en")
    assert AdjustedScore.from_json(counted.to_json()) == counted


@pytest.mark.parametrize(("played", "boards"), [(None, None), (15, None), (27, 26), (0, 0)])
def test_r79_needs_the_boards_played_and_those_of_the_stage(played: int | None, boards: int | None) -> None:
    withdrew = ArtificialScore(Fault.none, None, Ground.withdrew, played=played, boards=boards)
    assert "how many boards the pair played" in refused(withdrew, ByPercent(), PLAYED)[Side.NORTH_SOUTH.value]


def test_r85_an_own_method_is_kept_in_its_own_words_with_what_it_gave() -> None:
    """A fouled board, where the event announced it before it began."""
    ours = ArtificialScore(Fault.none, Fraction("56.25"), Ground.own_method, "snittet av parets övriga brickor")
    theirs = replace(ours, own_percent=Fraction("43.75"))
    counted = adjusted(ours, ByPercent(), theirs)
    assert percents(counted) == (Fraction("56.25"), Fraction("43.75"))
    (step,) = counted.north_south.steps
    assert step.rule == "R85"
    assert "snittet av parets övriga brickor: 56.25 % of a top" in render(step.text, "en")
    assert AdjustedScore.from_json(counted.to_json()) == counted


@pytest.mark.parametrize(("method", "percent", "words"), [(" ", 50, "in words"), ("Snitt", None, "what the method")])
def test_r85_needs_the_method_and_what_it_gives(method: str, percent: int | None, words: str) -> None:
    own = ArtificialScore(Fault.none, None if percent is None else Fraction(percent), Ground.own_method, method)
    assert words in refused(own, ByPercent(), PLAYED)[Side.NORTH_SOUTH.value]

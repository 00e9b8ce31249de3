"""What a weighted score is compared with, and what a share of it is worth (R73, P02)."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.adapters.i18n import render
from casework.domain.bridge.scoring.matchpoints import Comparison, Frequency, Line, Ranking
from casework.domain.bridge.scoring.methods import ByMatchpoints
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome, Share
from tests.domain.bridge.scoring.frequencies import FREQUENCIES, SCORES, lk_124
from tests.domain.bridge.scoring.test_adjusted import FOUR_SPADES, HALF_EACH, THREE_NO_TRUMPS, adjusted


@pytest.mark.parametrize(
    ("comparison", "alone"), [(Comparison.plus_one, (19, 12)), (Comparison.neuberg, ("199/10", "61/5"))]
)
def test_lk_124_is_no_mean_of_its_results_alone(comparison: Comparison, alone: tuple[Any, Any]) -> None:
    """P02: a result alone is among the others (R69), so that +200 is 19 and the mean would be 15½. LK's 15 compares
    without this table, and a share of 99 % then need not come close to the whole: the working says so.
    """
    own = Line(FOUR_SPADES.ns_score)
    method = ByMatchpoints(lk_124(own, comparison), own)
    singles = [adjusted(AssignedScore.of(each), method) for each in (FOUR_SPADES, THREE_NO_TRUMPS)]
    assert tuple(each.north_south.points for each in singles) == tuple(map(Fraction, alone))
    both = adjusted(HALF_EACH, method)
    assert both.north_south.points != sum(map(Fraction, alone)) / 2
    assert "without this one" in render(both.steps[0].text, "en")
    assert not any("without this one" in render(step.text, "en") for each in singles for step in each.steps)


@given(FREQUENCIES, SCORES, SCORES, st.integers(1, 99))
def test_mixing_in_a_worse_result_never_gives_more(frequency: Frequency, one: int, other: int, percent: int) -> None:
    """R73: compared alike, a weighted score is the mean of its outcomes: as the share of one nears 100 %, its value."""
    own, better, worse = replace(frequency.lines[0], tables=1), max(one, other), min(one, other)
    rest = Fraction(100 - percent)
    less, more = (
        adjusted(
            AssignedScore((Share(Outcome(better), 100 - share), Share(Outcome(worse), share))),
            ByMatchpoints(frequency, own),
        )
        for share in (rest / 1000, rest)
    )
    if better == worse:
        return
    ranking = Ranking.of(replace(frequency, lines=tuple(line.line for line in less.after)))
    best, worst = ranking.matchpoints(better), ranking.matchpoints(worse)
    for score, share in ((less, rest / 100_000), (more, rest / 100)):
        assert score.north_south.points == best - share * (best - worst)
    values = [score.north_south.points or Fraction(0) for score in (more, less)]
    assert sorted([*values, best]) == [*values, best]

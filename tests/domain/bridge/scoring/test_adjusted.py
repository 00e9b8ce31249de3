"""Adjusted scores as the ruling and decision forms count them."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.adapters.i18n import render
from casework.domain.bridge.contract import Contract, Strain
from casework.domain.bridge.notation import Seat, Vulnerability
from casework.domain.bridge.scoring.adjusted import AdjustedScore, SideResult, adjust
from casework.domain.bridge.scoring.adjustment import Adjustment, SideScore, SplitGround
from casework.domain.bridge.scoring.artificial import ArtificialScore, Fault
from casework.domain.bridge.scoring.matchpoints import Comparison, Frequency, Line, Ranking
from casework.domain.bridge.scoring.methods import ByImps, ByMatchpoints, ByPercent, Method
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome, Share, read_percent
from casework.domain.errors import Invalid
from casework.domain.rules.editions import LawEdition
from casework.domain.terms import Body, RulingOutcome
from tests.domain.bridge.scoring.frequencies import FREQUENCIES, SCORES, lk_124, share_of

FOUR_SPADES = Outcome.of(Contract(4, Strain.spades), Seat.east, 8, Vulnerability.east_west)
THREE_NO_TRUMPS = Outcome.of(Contract(3, Strain.no_trumps), Seat.west, 10, Vulnerability.east_west)
HALF_EACH = AssignedScore((Share(FOUR_SPADES, Fraction(50)), Share(THREE_NO_TRUMPS, Fraction(50))))
PLUS, MINUS = ArtificialScore(Fault.none), ArtificialScore(Fault.directly)


def weighted(**percents: str) -> AssignedScore:
    """`weighted(plus50="30", minus920="70")`."""
    signs = {"plus": 1, "minus": -1}
    shares = []
    for name, percent in percents.items():
        sign = next(sign for sign in signs if name.startswith(sign))
        shares.append(Share(Outcome(signs[sign] * int(name.removeprefix(sign))), read_percent(percent)))
    return AssignedScore(tuple(shares))


def adjusted(north_south: SideScore, method: Method, east_west: SideScore | None = None, **given: Any) -> AdjustedScore:
    """Under the laws of 2017 by LK, if nothing else is said; the same for both sides if only one is given."""
    usual: dict[str, Any] = {"edition": LawEdition.laws_2017, "body": Body.LAW_COMMISSION} | given
    return adjust(Adjustment(north_south=north_south, east_west=east_west or north_south, method=method, **usual))


def points(score: AdjustedScore) -> tuple[Any, Any]:
    return score.north_south.points, score.east_west.points


def percents(score: AdjustedScore) -> tuple[Any, Any]:
    return score.north_south.percent, score.east_west.percent


def rows(score: AdjustedScore) -> list[tuple[Any, ...]]:
    return [(line.line.ns_score, line.line.tables, line.north_south, line.east_west) for line in score.after]


def refused(*given: Any, **more: Any) -> dict[str, str]:
    with pytest.raises(Invalid) as refusal:
        adjusted(*given, **more)
    return {field: render(words, "en") for field, words in refusal.value.fields.items()}


def told(result: SideResult) -> list[tuple[str, str]]:
    return [(step.rule, render(step.text, "sv")) for step in result.steps]


# Matchpoints


def test_lk_124() -> None:
    """P02: half 4♠ −2 and half 3NT +1 is 15 to North–South and 5 to East-West, and both leave the frequency.

    The first decision had 14 and 5, which do not share the top of 20.
    """
    own = Line(FOUR_SPADES.ns_score)
    score = adjusted(HALF_EACH, ByMatchpoints(lk_124(own), own), edition=LawEdition.laws_2007)
    assert points(score) == (15, 5)
    assert rows(score) == [
        (-150, 1, 18, 2),
        (-620, 2, 15, 5),
        (-630, 1, 12, 8),
        (-650, 3, 8, 12),
        (-660, 1, 4, 16),
        (-690, 1, 2, 18),
        (None, 1, 12, 0),
        (None, 1, 15, 5),
    ]


def test_the_working_of_lk_124() -> None:
    """P02: 15 is the mean of 18 and 12."""
    own = Line(FOUR_SPADES.ns_score)
    score = adjusted(HALF_EACH, ByMatchpoints(lk_124(own), own), edition=LawEdition.laws_2007)
    assert [step.rule for step in score.steps] == ["R83", "R83"]
    assert told(score.north_south)[1:] == [
        ("R83", "16 + 2 = 18"),
        ("R73, 12C1", "50 % av 4♠ av Öst −2, Nord–Syd +200: 18 poäng"),
        ("R83", "10 + 2 = 12"),
        ("R73, 12C1", "50 % av 3NT av Väst +1, Nord–Syd −630: 12 poäng"),
        ("R73", "Sammanvägt: 15 poäng"),
    ]


def test_lk_124_by_neubergs_formula() -> None:
    """P02: "Neuberg if the event used it". (16 + 1) · 11/9 − 1 and (10 + 1) · 11/9 − 1, halved."""
    own = Line(FOUR_SPADES.ns_score)
    score = adjusted(HALF_EACH, ByMatchpoints(lk_124(own, Comparison.neuberg), own))
    assert points(score) == (Fraction(145, 9), Fraction(35, 9))
    assert told(score.north_south)[-1] == ("R81", "Visas med en decimal: 16,1")


def test_what_the_others_had_before() -> None:
    """With the table's own result among the others, −150 was second best."""
    own = Line(FOUR_SPADES.ns_score)
    score = adjusted(HALF_EACH, ByMatchpoints(lk_124(own), own))
    assert [score.north_south.before, score.east_west.before] == [19, 1]
    assert {line.line.ns_score: line.north_south for line in score.before}[-150] == 17


@given(FREQUENCIES, SCORES)
def test_one_result_for_both_sides_counts_as_if_it_had_been_played(frequency: Frequency, score: int) -> None:
    """R69; weights of 100 % on one result, or of two ways to it, are that result."""
    own = replace(frequency.lines[0], tables=1)
    played = frequency.changed(own, Line(score))
    assert played is not None
    halves = AssignedScore((Share(Outcome(score), Fraction(50)), Share(Outcome(score), Fraction(50))))
    for whole in (AssignedScore.of(Outcome(score)), halves):
        counted = adjusted(whole, ByMatchpoints(frequency, own))
        line = next(line for line in counted.after if line.line.ns_score == score)
        assert counted.after == played.scored()
        assert points(counted) == (line.north_south, line.east_west)


@given(FREQUENCIES, SCORES, SCORES, st.integers(1, 99))
def test_a_weighted_score_shares_the_top_and_lies_between_its_outcomes(
    frequency: Frequency, one: int, other: int, percent: int
) -> None:
    """R73: whatever the table, the two sides together get a top, and the other tables do too."""
    own = replace(frequency.lines[0], tables=1)
    score = AssignedScore((Share(Outcome(one), Fraction(percent)), Share(Outcome(other), Fraction(100 - percent))))
    counted = adjusted(score, ByMatchpoints(frequency, own))
    ours, theirs = points(counted)
    left = replace(frequency, lines=tuple(line.line for line in counted.after))
    assert ours + theirs == share_of(left)
    compared = [line for line in counted.after if line.line.ns_score is not None]
    assert all(line.north_south + line.east_west == share_of(left) for line in compared)
    if one != other:
        ranking = Ranking.of(left)
        assert ranking.matchpoints(min(one, other)) <= ours <= ranking.matchpoints(max(one, other))


@pytest.mark.parametrize(
    ("others", "given"),
    [((), (60, 60)), ((Line(-50),), (65, 55)), ((Line(-50), Line(140)), (70, 50))],
)
def test_r84_a_small_group_gets_fixed_percentages(others: tuple[Line, ...], given: tuple[int, int]) -> None:
    """One, two and three comparable results of eight tables: 60/60, 65/55, 70/60/50, and the working says why."""
    own = Line(-100)
    frequency = Frequency((own, *others), Comparison.plus_one, missing=7 - len(others))
    counted = adjusted(AssignedScore.of(Outcome(420)), ByMatchpoints(frequency, own))
    assert percents(counted) == given
    assert any("R84" in step.rule for step in (*counted.north_south.steps, *counted.east_west.steps))
    assert any("R84" in step.rule for step in counted.steps)


def test_r84_a_weighted_score_with_nothing_to_compare_it_with() -> None:
    """The deal was played at this table alone: 60 % for both sides, whatever is weighted."""
    counted = adjusted(
        weighted(plus50="50", minus920="50"), ByMatchpoints(Frequency((Line(-100),), missing=7), Line(-100))
    )
    assert percents(counted) == (60, 60)


def test_r84_counts_from_the_profiles_number_of_tables() -> None:
    """C7: the rules say both six and seven."""
    own = Line(-100)
    six = Frequency((own, Line(-50)), Comparison.plus_one, missing=4)
    score = AssignedScore.of(Outcome(420))
    assert adjusted(score, ByMatchpoints(six, own)).north_south.percent == 60
    assert adjusted(score, ByMatchpoints(replace(six, small_group_from=6), own)).north_south.percent == 65


def test_an_artificial_score_in_a_frequency_table() -> None:
    """R75, R77: parts of the top, and the others get what is missing made good."""
    own = Line(-50)
    frequency = Frequency((Line(420, 2), Line(170), Line(-50)), Comparison.plus_one)
    better = ArtificialScore(Fault.none, Fraction(63))
    score = adjusted(better, ByMatchpoints(frequency, own), MINUS)
    assert points(score) == (Fraction(378, 100), Fraction(24, 10))
    assert [line.north_south for line in score.after[:2]] == [4, 1]


def test_thirds_written_with_one_decimal_are_counted_as_the_whole() -> None:
    """R73: 33.3 % thrice; the working says so."""
    thirds = weighted(plus420="33,3", plus170="33,3", minus50="33,3")
    own = Line(140)
    frequency = Frequency((Line(420), Line(170), Line(-50), own))
    score = adjusted(thirds, ByMatchpoints(frequency, own))
    assert points(score) == (3, 3)
    assert ("R73", "Andelarna blir 99,9 % och räknas som 100 %.") in told(score.north_south)


# IMPs


def test_lk_929() -> None:
    """P04: four of a major −1 for NS +50 turns 2 IMPs into 11. At the other table the game made with two overtricks."""
    fifty = AssignedScore.of(Outcome(50))
    score = adjusted(fifty, ByImps(other_table=-480, table=-420), edition=LawEdition.laws_2007)
    assert score.north_south.before == 2
    assert points(score) == (11, -11)


@given(SCORES, SCORES, SCORES, st.integers(1, 99))
def test_the_teams_of_a_match_get_the_same_with_opposite_signs(one: int, other: int, there: int, percent: int) -> None:
    score = AssignedScore((Share(Outcome(one), Fraction(percent)), Share(Outcome(other), Fraction(100 - percent))))
    ours, theirs = points(adjusted(score, ByImps(there)))
    assert ours + theirs == 0


def test_a_split_weighted_score_in_imps() -> None:
    """T07: 30 and 70 % for one side, 33.3 and 66.7 % for the other, of +50 and −920; −920 at the other table."""
    score = adjusted(
        weighted(plus50="30", minus920="70"),
        ByImps(other_table=-920),
        weighted(plus50="33,3", minus920="66,7"),
        edition=LawEdition.laws_2007,
    )
    assert points(score) == (Fraction(42, 10), Fraction(-4662, 1000))


def test_a_knock_out_match_balances() -> None:
    """R78: +4.2 and −4.662 become ±4.431."""
    score = adjusted(
        weighted(plus50="30", minus920="70"),
        ByImps(other_table=-920, knock_out=True),
        weighted(plus50="33,3", minus920="66,7"),
        edition=LawEdition.laws_2007,
    )
    assert points(score) == (Fraction(4431, 1000), Fraction(-4431, 1000))
    assert "R78, 12C4" in [step.rule for step in score.steps]


def test_artificial_scores_in_imps() -> None:
    """R76; in a knock-out match two average pluses cancel out (R78)."""
    assert points(adjusted(PLUS, ByImps(), MINUS)) == (3, -3)
    assert points(adjusted(PLUS, ByImps())) == (3, 3)
    assert points(adjusted(PLUS, ByImps(knock_out=True))) == (0, 0)


def test_the_match_in_victory_points() -> None:
    """R89: 5 IMPs up before the board, 11 more with it; both teams' points are counted from their own IMPs."""
    score = adjusted(AssignedScore.of(Outcome(50)), ByImps(-480, other_boards=5, boards=16))
    ours, theirs = score.north_south.victory_points, score.east_west.victory_points
    assert ours is not None
    assert theirs is not None
    assert ours > 10
    assert ours + theirs == 20


# Percent only


def test_without_a_frequency_table_only_percentages_are_counted() -> None:
    assert points(adjusted(PLUS, ByPercent(), MINUS)) == (60, 40)
    score = adjusted(HALF_EACH, ByPercent())
    assert points(score) == (None, None)
    assert [rule for rule, _ in told(score.north_south)] == ["R73, 12C1c", "R73, 12C1c"]


# What the laws allow


@pytest.mark.parametrize(
    ("edition", "body", "allowed"),
    [
        (LawEdition.laws_2007, Body.DIRECTOR, False),
        (LawEdition.laws_2007, Body.JURY, True),
        (LawEdition.laws_2007, Body.LAW_COMMISSION, True),
        (LawEdition.laws_2017, Body.DIRECTOR, True),
    ],
)
def test_who_may_weight(edition: LawEdition, body: Body, *, allowed: bool) -> None:
    """R73, C1: said at the side that is weighted."""
    plan = Adjustment(edition, body, HALF_EACH, PLUS, ByPercent())
    assert (set(plan.problems()) == set()) is allowed
    assert set(plan.problems()) <= {"north_south"}


def test_the_director_may_always_assign_one_result() -> None:
    """R69."""
    one = AssignedScore.of(FOUR_SPADES)
    score = adjusted(one, ByPercent(), edition=LawEdition.laws_2007, body=Body.DIRECTOR)
    assert score.adjustment.outcome is RulingOutcome.ASSIGNED


def test_a_split_score_needs_its_reason_since_2017() -> None:
    """R70, R71, R72: the standard of 2007 itself differs between the sides."""
    ours, theirs = AssignedScore.of(Outcome(420)), AssignedScore.of(Outcome(450))
    assert set(refused(ours, ByPercent(), theirs)) == {"split_because"}
    for ground, rule in ((SplitGround.self_inflicted, "R72, 12C1e"), (SplitGround.directors_error, "R72, 82C")):
        score = adjusted(ours, ByPercent(), theirs, split_because=ground)
        assert (score.steps[0].rule, score.adjustment.outcome) == (rule, RulingOutcome.SPLIT)
    older = adjusted(ours, ByPercent(), theirs, edition=LawEdition.laws_2007)
    assert older.steps[0].rule == "R71, 12C1e"


@pytest.mark.parametrize(
    ("ours", "theirs", "outcome"),
    [
        (PLUS, MINUS, RulingOutcome.ARTIFICIAL),
        (HALF_EACH, HALF_EACH, RulingOutcome.WEIGHTED),
        (AssignedScore.of(FOUR_SPADES), AssignedScore.of(FOUR_SPADES), RulingOutcome.ASSIGNED),
        (AssignedScore.of(FOUR_SPADES), PLUS, RulingOutcome.SPLIT),
    ],
)
def test_what_kind_of_ruling_it_is(ours: SideScore, theirs: SideScore, outcome: RulingOutcome) -> None:
    assert adjusted(ours, ByPercent(), theirs).adjustment.outcome is outcome


def test_of_earlier_laws_no_numbers_are_named() -> None:
    """R43."""
    score = adjusted(HALF_EACH, ByPercent(), edition=LawEdition.earlier)
    assert {step.rule for step in score.north_south.steps} == {"R73"}


def test_what_the_arithmetic_refuses() -> None:
    one = AssignedScore.of(Outcome(420))
    frequency = Frequency((Line(420), Line(170)))
    assert refused(weighted(plus420="50", plus170="40"), ByPercent(), PLUS) == {
        "north_south": "The shares come to 90 %. They must come to 100 %."
    }
    assert refused(AssignedScore(()), ByPercent(), PLUS) == {"north_south": "Choose at least one result."}
    assert set(refused(one, ByMatchpoints(frequency, Line(-50)))) == {"method"}
    assert set(refused(one, ByMatchpoints(Frequency((Line(420),)), Line(420)))) == {"method"}
    assert set(refused(one, ByImps())) == {"method"}
    assert set(refused(one, ByImps(other_table=425))) == {"method"}
    assert set(refused(PLUS, ByImps(boards=16))) == {"method"}
    alone = Frequency((Line(420), Line(percent=(Fraction(60), Fraction(60)))))
    assert set(refused(one, ByMatchpoints(alone, Line(420)))) == {"method"}
    assert set(refused(ArtificialScore(Fault.none, Fraction(200)), ByPercent())) == {"north_south", "east_west"}


SHARES = st.builds(Share, st.builds(Outcome, SCORES), st.sampled_from([Fraction(each) for each in (25, 50, 100)]))
SIDES = st.builds(AssignedScore, st.lists(SHARES, max_size=4).map(tuple)) | st.builds(
    ArtificialScore, st.sampled_from(Fault), st.none() | st.fractions(0, 101)
)
SOMETIMES = st.none() | SCORES
METHODS = (
    st.builds(ByMatchpoints, FREQUENCIES, st.builds(Line, SCORES))
    | FREQUENCIES.map(lambda frequency: ByMatchpoints(frequency, frequency.lines[-1]))
    | st.builds(
        ByImps, SOMETIMES, SOMETIMES, st.booleans(), st.none() | st.integers(-90, 90), st.none() | st.integers(0, 32)
    )
    | st.just(ByPercent())
)
PLANS = st.builds(
    Adjustment,
    st.sampled_from(LawEdition),
    st.sampled_from(Body),
    SIDES,
    SIDES,
    METHODS,
    st.none() | st.sampled_from(SplitGround),
)


@given(PLANS)
def test_whatever_is_chosen_is_counted_or_refused_in_words(plan: Adjustment) -> None:
    """And what is counted is stored whole."""
    assert Adjustment.from_json(json.loads(json.dumps(plan.to_json()))) == plan
    if refusals := plan.problems():
        assert set(refusals) <= {"north_south", "east_west", "method", "split_because"}
        with pytest.raises(Invalid):
            adjust(plan)
        return
    score = adjust(plan)
    assert AdjustedScore.from_json(json.loads(json.dumps(score.to_json()))) == score
    assert all(render(step.text, "sv") for step in (*score.steps, *score.north_south.steps, *score.east_west.steps))


# What is stored


@pytest.mark.parametrize(
    "score",
    [
        adjusted(HALF_EACH, ByMatchpoints(lk_124(Line(200), Comparison.neuberg), Line(200))),
        adjusted(HALF_EACH, ByImps(-480, -420, other_boards=-7, boards=20), PLUS),
        adjusted(HALF_EACH, ByPercent(), AssignedScore.of(FOUR_SPADES), split_because=SplitGround.self_inflicted),
    ],
)
def test_an_adjusted_score_is_stored_with_inputs_and_working(score: AdjustedScore) -> None:
    """Read back it is the same, and counted again it gives the same."""
    stored = AdjustedScore.from_json(json.loads(json.dumps(score.to_json())))
    assert stored == score
    assert adjust(stored.adjustment) == score

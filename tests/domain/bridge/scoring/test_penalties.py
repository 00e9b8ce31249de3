"""The ladders of score penalties."""

from fractions import Fraction

import pytest

from casework.domain.bridge.scoring.penalties import Measure, Offence, Scoring, penalty

WARNING, REPRIMAND, OUT = Measure.warning, Measure.reprimand, Measure.disqualification
TOP, VP, IMPS = Measure.percent_of_top, Measure.victory_points, Measure.imps


@pytest.mark.parametrize(
    ("offence", "scoring", "steps"),
    [
        (Offence.slow_play, Scoring.pairs, [(WARNING, 0), (TOP, 10), (TOP, 10), (TOP, 10)]),
        (Offence.no_scoring_device, Scoring.pairs, [(WARNING, 0), (TOP, 10), (TOP, 10)]),
        (Offence.conduct, Scoring.pairs, [(REPRIMAND, 0), (TOP, 10), (OUT, 0), (OUT, 0)]),
        (Offence.conduct, Scoring.victory_points, [(REPRIMAND, 0), (VP, 1), (OUT, 0)]),
        (Offence.mobile_phone, Scoring.pairs, [(TOP, 50), (TOP, 50)]),
        (Offence.mobile_phone, Scoring.individual, [(TOP, 50), (TOP, 50)]),
        (Offence.mobile_phone, Scoring.victory_points, [(VP, 2), (VP, 2)]),
        (Offence.mobile_phone, Scoring.knock_out, [(IMPS, 6), (IMPS, 6)]),
        (Offence.fouled_deal, Scoring.pairs, [(TOP, 10), (TOP, 10)]),
        (Offence.cards_not_counted, Scoring.pairs, [(TOP, 10)]),
    ],
)
def test_the_ladders(offence: Offence, scoring: Scoring, steps: list[tuple[Measure, int]]) -> None:
    """R92, R93, R94, R95, R102, R103: the first time, the second …; the last step is repeated."""
    given = [penalty(offence, scoring, times=times) for times in range(1, len(steps) + 1)]
    assert [(each.measure, int(each.amount)) for each in given if each] == steps


def test_the_profile_sets_the_amount_for_a_telephone_in_an_individual_event() -> None:
    """C5: an own setting, and said to be one."""
    given = penalty(Offence.mobile_phone, Scoring.individual, individual_percent=25)
    assert given is not None
    assert given.amount == 25
    assert given.rule == "R95, C5"


def test_where_the_rules_name_no_amount_none_is_proposed() -> None:
    assert penalty(Offence.slow_play, Scoring.knock_out) is None


def test_percent_of_a_top_in_matchpoints() -> None:
    """P07: five minutes over, 10 % of a top."""
    given = penalty(Offence.slow_play, Scoring.pairs, times=2)
    assert given is not None
    assert given.matchpoints(26).value == Fraction(-26, 10)


def test_percent_of_a_top_across_the_field() -> None:
    """R92: 10 % is 1.5 IMPs for each table compared with."""
    given = penalty(Offence.slow_play, Scoring.cross_imps, times=2)
    assert given is not None
    assert given.cross_imps(7).value == Fraction(-21, 2)


def test_victory_points_are_no_part_of_a_top() -> None:
    given = penalty(Offence.mobile_phone, Scoring.victory_points)
    assert given is not None
    with pytest.raises(ValueError, match="top"):
        given.matchpoints(26)


def test_an_offence_is_counted_from_the_first() -> None:
    with pytest.raises(ValueError, match="from 1"):
        penalty(Offence.conduct, Scoring.pairs, times=0)

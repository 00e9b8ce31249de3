"""Assigned scores: the outcomes of a side and their shares."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.adapters.i18n import render
from casework.domain.bridge.contract import Contract, Strain
from casework.domain.bridge.notation import Seat, Unreadable, Vulnerability
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome, Share, read_percent

CONTRACTS = st.builds(Contract, st.integers(1, 7), st.sampled_from(Strain), st.sampled_from(["", "X", "XX"]))


def shares(*typed: str) -> AssignedScore:
    return AssignedScore(tuple(Share(Outcome(50 * at), read_percent(each)) for at, each in enumerate(typed)))


@given(CONTRACTS, st.integers(0, 13), st.sampled_from([Vulnerability.none, Vulnerability.both]))
def test_a_score_is_the_other_sides_with_the_other_sign(contract: Contract, tricks: int, zone: Vulnerability) -> None:
    """Where both sides are equally vulnerable."""
    ours, theirs = (Outcome.of(contract, seat, tricks, zone).ns_score for seat in (Seat.south, Seat.west))
    assert ours == -theirs


def test_an_outcome_says_contract_result_and_score() -> None:
    outcome = Outcome.of(Contract(4, Strain.spades), Seat.east, 8, Vulnerability.east_west)
    assert render(outcome.words, "sv") == "4♠ av Öst −2, Nord–Syd +200"
    assert render(Outcome(-630).words, "sv") == "Nord–Syd −630"
    assert render(Outcome.of(Contract(0), None, 0, Vulnerability.none).words, "en") == "Pass, North–South 0"


@pytest.mark.parametrize(
    ("typed", "percent"),
    [("50", Fraction(50)), ("33,3 %", Fraction(333, 10)), ("66.7", Fraction(667, 10)), (" 100% ", Fraction(100))],
)
def test_ways_to_write_a_share(typed: str, percent: Fraction) -> None:
    assert read_percent(typed) == percent


@pytest.mark.parametrize("typed", ["", "x", "-5", "100,1", "1/3", "3,3,3", "٣"])
def test_a_share_that_cannot_be_read(typed: str) -> None:
    with pytest.raises(Unreadable):
        read_percent(typed)


@pytest.mark.parametrize(
    "typed",
    [
        ("100",),
        ("30", "70"),
        ("33,3", "66,7"),
        ("33,3", "33,3", "33,3"),
        ("16,7", "16,7", "16,7", "16,7", "16,7", "16,7"),
        ("33", "33", "34"),
        ("12,5", "87,5"),
    ],
)
def test_shares_that_come_to_the_whole(typed: tuple[str, ...]) -> None:
    """R73: as real rulings write them, thirds with one decimal (T07). The weights are the whole exactly."""
    score = shares(*typed)
    assert score.problem() is None
    assert sum(weight for weight, _ in score.weights()) == 1


@pytest.mark.parametrize(
    "typed", [("50",), ("50", "49"), ("33", "33", "33"), ("50", "30", "19"), ("60", "50"), ("100", "0"), ()]
)
def test_shares_that_do_not(typed: tuple[str, ...]) -> None:
    """Whole numbers are taken at their word: a slip of one percent is caught."""
    assert shares(*typed).problem() is not None


@pytest.mark.parametrize("score", [425, 7610, -7610])
def test_a_score_that_no_board_gives(score: int) -> None:
    assert AssignedScore.of(Outcome(score)).problem() is not None


def test_the_highest_score_is_possible() -> None:
    worst = Outcome.of(Contract(7, Strain.no_trumps, "XX"), Seat.north, 0, Vulnerability.both)
    assert AssignedScore.of(worst).problem() is None
    assert AssignedScore.of(Outcome(worst.ns_score - 10)).problem() is not None


def test_two_ways_to_one_score_are_one_result() -> None:
    score = AssignedScore((Share(Outcome(420), Fraction(40)), Share(Outcome(420), Fraction(60))))
    assert not score.is_weighted
    assert score.by_score() == {420: 1}


def test_an_assigned_score_is_stored_exactly() -> None:
    played = Outcome.of(Contract(3, Strain.no_trumps, "X"), Seat.west, 10, Vulnerability.both)
    score = AssignedScore((Share(played, Fraction(100, 3)), Share(Outcome(-90), Fraction(200, 3))))
    assert AssignedScore.from_json(json.loads(json.dumps(score.to_json()))) == score

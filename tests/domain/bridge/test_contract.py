"""Contracts, results and the duplicate scoring table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.domain.bridge.contract import Contract, Strain, parse_tricks, render_tricks, score
from casework.domain.bridge.notation import Language, Seat, Unreadable, Vulnerability

CONTRACTS = st.builds(Contract, st.integers(1, 7), st.sampled_from(Strain), st.sampled_from(["", "X", "XX"]))


@pytest.mark.parametrize(
    ("typed", "canonical", "seat"),
    [
        ("4SX N", "4SX", Seat.north),
        ("4♠X Ö", "4SX", Seat.east),
        ("4spd v", "4SX", Seat.west),
        ("3NT", "3N", None),
        ("3 sang, S", "3N", Seat.south),
        ("6r rd n", "6DXX", Seat.north),
        ("4 hj av V", "4H", Seat.west),
        ("1kl", "1C", None),
        ("Pass", "Pass", None),
        ("utpassad", "Pass", None),
    ],
)
def test_ways_to_write_a_contract(typed: str, canonical: str, seat: Seat | None) -> None:
    contract, declarer = Contract.parse(typed)
    assert (str(contract), declarer) == (canonical, seat)


@pytest.mark.parametrize("typed", ["", "8S", "S4", "4", "4SXXX", "4S Z"])
def test_a_contract_that_cannot_be_read(typed: str) -> None:
    with pytest.raises(Unreadable):
        Contract.parse(typed)


@given(CONTRACTS | st.just(Contract(0)), st.sampled_from(Seat), st.sampled_from(["sv", "en"]))
def test_a_rendered_contract_reads_back(contract: Contract, declarer: Seat, language: Language) -> None:
    """parse(render(x)) = x in both languages; so does the stored form."""
    expected = (contract, None if contract.passed_out else declarer)
    assert Contract.parse(contract.render(language, declarer)) == expected
    assert Contract.parse(str(contract)) == (contract, None)


@pytest.mark.parametrize(
    ("typed", "tricks"), [("=", 10), ("+1", 11), ("-2", 8), ("−2", 8), (" + 3 ", 13), ("10", 10), ("0", 0)]
)
def test_ways_to_write_a_result(typed: str, tricks: int) -> None:
    """Of four spades."""
    assert parse_tricks(typed, Contract(4, Strain.spades)) == tricks


@pytest.mark.parametrize("typed", ["", "+4", "-11", "14", "x", "==", "100"])
def test_a_result_that_cannot_be(typed: str) -> None:
    with pytest.raises(Unreadable):
        parse_tricks(typed, Contract(4, Strain.spades))


@given(CONTRACTS, st.integers(0, 13))
def test_a_rendered_result_reads_back(contract: Contract, tricks: int) -> None:
    assert parse_tricks(render_tricks(tricks, contract), contract) == tricks


@pytest.mark.parametrize(
    ("typed", "tricks", "not_vulnerable", "vulnerable"),
    [
        ("1C N", 7, 70, 70),
        ("1C N", 13, 190, 190),
        ("2H N", 8, 110, 110),
        ("1NT N", 7, 90, 90),
        ("2NT N", 8, 120, 120),
        ("3NT N", 9, 400, 600),
        ("3NT N", 11, 460, 660),
        ("4H N", 10, 420, 620),
        ("5C N", 11, 400, 600),
        ("4NT N", 11, 460, 660),
        ("6D N", 12, 920, 1370),
        ("6S N", 12, 980, 1430),
        ("6NT N", 12, 990, 1440),
        ("7C N", 13, 1440, 2140),
        ("7NT N", 13, 1520, 2220),
        ("1HX N", 7, 160, 160),
        ("2HX N", 8, 470, 670),
        ("2HX N", 9, 570, 870),
        ("2CX N", 8, 180, 180),
        ("3CX N", 9, 470, 670),
        ("1NTXX N", 7, 560, 760),
        ("1NTXX N", 8, 760, 1160),
        ("1CXX N", 7, 230, 230),
        ("2CXX N", 9, 760, 1160),
        ("7NTXX N", 13, 2280, 2980),
        ("4S N", 9, -50, -100),
        ("4S N", 6, -200, -400),
        ("4SX N", 9, -100, -200),
        ("4SX N", 8, -300, -500),
        ("4SX N", 7, -500, -800),
        ("4SX N", 6, -800, -1100),
        ("4SX N", 5, -1100, -1400),
        ("4SXX N", 9, -200, -400),
        ("4SXX N", 6, -1600, -2200),
        ("7NTX N", 0, -3500, -3800),
    ],
)
def test_the_scoring_table(typed: str, tricks: int, not_vulnerable: int, vulnerable: int) -> None:
    """Law 77, for both sides of the table."""
    contract, _ = Contract.parse(typed)
    for declarer, sign in ((Seat.north, 1), (Seat.south, 1), (Seat.east, -1), (Seat.west, -1)):
        assert score(contract, declarer, tricks, Vulnerability.none) == sign * not_vulnerable
        assert score(contract, declarer, tricks, Vulnerability.both) == sign * vulnerable


def test_only_declarers_vulnerability_counts() -> None:
    contract = Contract(4, Strain.spades)
    assert score(contract, Seat.east, 10, Vulnerability.north_south) == -420
    assert score(contract, Seat.east, 10, Vulnerability.east_west) == -620


@given(CONTRACTS, st.integers(0, 12), st.sampled_from(Vulnerability))
def test_a_trick_more_is_never_worth_less(contract: Contract, tricks: int, vulnerability: Vulnerability) -> None:
    assert score(contract, Seat.north, tricks, vulnerability) < score(contract, Seat.north, tricks + 1, vulnerability)


def test_passed_out_is_nothing() -> None:
    assert score(Contract(0), None, 0, Vulnerability.both) == 0


@pytest.mark.parametrize(("declarer", "tricks"), [(None, 7), (Seat.north, 14), (Seat.north, -1)])
def test_a_score_needs_declarer_and_tricks(declarer: Seat | None, tricks: int) -> None:
    with pytest.raises(ValueError, match="declarer"):
        score(Contract(1), declarer, tricks, Vulnerability.none)

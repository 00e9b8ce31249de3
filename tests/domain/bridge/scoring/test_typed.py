"""Results and frequency tables as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.adapters.i18n import render
from casework.domain.bridge.contract import Contract, Strain
from casework.domain.bridge.notation import Language, Seat, Unreadable, Vulnerability
from casework.domain.bridge.scoring.matchpoints import Line
from casework.domain.bridge.scoring.outcomes import Outcome, read_percent
from casework.domain.bridge.scoring.typed import (
    read_frequency,
    read_line,
    read_outcome,
    render_frequency,
    render_outcome,
)

NONE = Vulnerability.none
ZONES, LANGUAGES = st.sampled_from(Vulnerability), st.sampled_from(["sv", "en"])
CONTRACTS = st.builds(Contract, st.integers(1, 7), st.sampled_from(Strain), st.sampled_from(["", "X", "XX"]))
SCORES = st.integers(-760, 760).map(lambda tens: 10 * tens)
PERCENTS = st.integers(0, 100).map(lambda whole: read_percent(str(whole)))
LINES = st.one_of(
    st.builds(Line, SCORES, st.integers(1, 50)),
    st.builds(Line, st.none(), st.integers(1, 50), st.tuples(PERCENTS, PERCENTS)),
)


@given(CONTRACTS, st.sampled_from(Seat), st.integers(0, 13), ZONES, LANGUAGES)
def test_a_result_is_read_as_it_is_written(
    contract: Contract, seat: Seat, tricks: int, zone: Vulnerability, language: Language
) -> None:
    outcome = Outcome.of(contract, seat, tricks, zone)
    assert read_outcome(render_outcome(outcome, language), zone) == outcome


@given(st.lists(LINES, max_size=20))
def test_a_frequency_table_is_read_as_it_is_written(lines: list[Line]) -> None:
    assert read_frequency(render_frequency(lines), NONE) == tuple(lines)


@pytest.mark.parametrize(
    ("typed", "score"),
    [
        ("4♠ S -1", -50),
        ("4sp Ö =", -420),
        ("4S V 10", -420),
        ("3 sang n+1", 430),
        ("−620", -620),
        ("+ 200", 200),
        ("0", 0),
        ("pass", 0),
    ],
)
def test_ways_to_write_a_result(typed: str, score: int) -> None:
    assert read_outcome(typed, NONE).ns_score == score


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("4♠ S", "resultat"),
        ("4♠ −1", "spelförare"),
        ("8♠ S =", "nivå"),
        ("4♠ S +9", "13 stick"),
        ("625", "625"),
        ("99990", "99990"),
        ("hej", "nivå"),
        ("", "nivå"),
        ("٣٠", "nivå"),
    ],
)
def test_a_result_that_cannot_be_read_says_why(typed: str, words: str) -> None:
    with pytest.raises(Unreadable) as error:
        read_outcome(typed, NONE)
    assert words in render(error.value.reason, "sv")


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("-620 x 3", Line(-620, 3)),
        ("−620\t3", Line(-620, 3)),
        ("620×2", Line(620, 2)),
        ("60/40", Line(percent=(read_percent("60"), read_percent("40")))),
        ("60 % / 40 % x 2", Line(tables=2, percent=(read_percent("60"), read_percent("40")))),
        ("4♠ S =", Line(420)),
        ("4♠ S 10", Line(420)),
        ("4S E = x 3", Line(-420, 3)),
        ("4♠X S +1 × 2", Line(690, 2)),
        ("3 x −620", Line(-620, 3)),
        ("2 * 3NT W 10", Line(-430, 2)),
        ("pass x 4", Line(0, 4)),
        ("A+ / A-", Line(percent=(read_percent("60"), read_percent("40")))),
        ("a- / 60 % x 2", Line(tables=2, percent=(read_percent("40"), read_percent("60")))),
    ],
)
def test_ways_to_write_a_line(typed: str, line: Line) -> None:
    """A number after a score says how often; after a contract it is the tricks."""
    assert read_line(typed, NONE) == line


@pytest.mark.parametrize(("typed", "row"), [("100\n\n625", "Rad 3"), ("100\n200 x 0", "Rad 2"), ("120/40", "Rad 1")])
def test_a_line_that_cannot_be_read_is_named(typed: str, row: str) -> None:
    with pytest.raises(Unreadable) as error:
        read_frequency(typed, NONE)
    assert row in render(error.value.reason, "sv")

"""Artificial scores."""

from fractions import Fraction

import pytest

from casework.domain.bridge.scoring.artificial import ArtificialScore, Fault
from casework.domain.bridge.scoring.outcomes import read_percent


@pytest.mark.parametrize(("fault", "percent"), [(Fault.none, 60), (Fault.partly, 50), (Fault.directly, 40)])
def test_average_plus_average_and_average_minus(fault: Fault, percent: int) -> None:
    """R75."""
    assert ArtificialScore(fault).percentage().value == percent


@pytest.mark.parametrize(
    ("fault", "own", "percent"),
    [
        (Fault.none, "63,2", "63,2"),
        (Fault.none, "55", "60"),
        (Fault.directly, "37", "37"),
        (Fault.directly, "45", "40"),
        (Fault.partly, "70", "50"),
    ],
)
def test_own_percentage(fault: Fault, own: str, percent: str) -> None:
    """R77: its four examples; who is partly at fault has an average whatever its own result."""
    assert ArtificialScore(fault, read_percent(own)).percentage().value == read_percent(percent)


def test_the_working_names_the_rule_of_each_step() -> None:
    assert [step.rule for step in ArtificialScore(Fault.none, Fraction(61)).percentage().steps] == [
        "R75, 12C2a",
        "R77, 12C2c",
    ]


@pytest.mark.parametrize(("fault", "imps"), [(Fault.none, 3), (Fault.partly, 0), (Fault.directly, -3)])
def test_in_imps(fault: Fault, imps: int) -> None:
    """R76, and what the organiser may set instead."""
    assert ArtificialScore(fault).imps().value == imps
    assert ArtificialScore(fault).imps(average=2).value == imps * Fraction(2, 3)


def test_own_percentage_is_a_percentage() -> None:
    assert ArtificialScore(Fault.none, Fraction(101)).problem() is not None
    assert ArtificialScore(Fault.none, Fraction(100)).problem() is None

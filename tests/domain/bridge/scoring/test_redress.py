"""Withdrawals, byes, withdrawn and mixed-up boards, in percent of a top."""

from fractions import Fraction

import pytest

from casework.domain.bridge.scoring import redress
from casework.domain.bridge.scoring.working import Working


@pytest.mark.parametrize(("played", "stand"), [(15, False), (16, True), (26, True), (0, False)])
def test_results_stand_from_sixty_percent_of_the_boards(played: int, *, stand: bool) -> None:
    """R79: of 26 boards, 15 are 57.7 % and 16 are 61.5 %."""
    assert redress.results_stand(redress.withdrawal(played, 26).value) is stand


def test_exactly_sixty_percent_is_enough() -> None:
    """R79: less than 60 % strikes the results."""
    assert redress.results_stand(redress.withdrawal(12, 20).value)


@pytest.mark.parametrize(("played", "boards"), [(27, 26), (0, 0), (-1, 26)])
def test_nobody_plays_more_boards_than_there_are(played: int, boards: int) -> None:
    with pytest.raises(ValueError, match="boards"):
        redress.withdrawal(played, boards)


@pytest.mark.parametrize(
    ("working", "percent", "rule"),
    [
        (redress.bye(Fraction(55), by_withdrawal=True), 60, "R80"),
        (redress.bye(Fraction(64), by_withdrawal=True), 64, "R80"),
        (redress.bye(Fraction(47), by_withdrawal=False), 47, "R80"),
        (redress.unplayed_board(guilty=True), 40, "R86"),
        (redress.unplayed_board(guilty=False), 60, "R86, 88"),
        (redress.unplayed_board(guilty=False, own_percent=Fraction(62)), 62, "R86, 88"),
        (redress.started_board(Fraction(80), guilty=True), 40, "R86"),
        (redress.started_board(Fraction(20), guilty=True), 20, "R86"),
        (redress.started_board(Fraction(80), guilty=False), 80, "R86"),
        (redress.started_board(Fraction(20), guilty=False), 60, "R86"),
        (redress.wrong_board_entered(entered_it=True), 40, "R87"),
        (redress.wrong_board_entered(entered_it=False), 50, "R87"),
        (redress.wrong_pocket(guilty=True), 40, "R88"),
        (redress.wrong_pocket(guilty=False), 60, "R88"),
        (redress.wrong_pocket(guilty=False, own_percent=Fraction(61)), 61, "R88"),
    ],
)
def test_what_each_side_gets(working: Working, percent: int, rule: str) -> None:
    """R80, R86, R87, R88."""
    assert working.value == percent
    assert [step.rule for step in working.steps] == [rule]

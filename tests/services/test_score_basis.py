"""What a score is worked out on, and what is said when that has changed."""

from dataclasses import replace

from casework.adapters.i18n import render
from casework.domain.bridge.board import Board
from casework.domain.bridge.contract import Contract
from casework.domain.bridge.notation import Seat, Vulnerability
from casework.domain.bridge.scoring.methods import ByPercent
from casework.services.boards import blank_board
from casework.services.score_basis import changed_since, result_of, why_not_listed

THEN = replace(Board.numbered(22), contract=Contract.parse("4S")[0], declarer=Seat.east, tricks=10)
NOW = replace(THEN, vulnerability=Vulnerability.none)


def test_two_changes_are_two_sentences() -> None:
    stale = changed_since(THEN, NOW, result_of(THEN), ByPercent())
    assert stale is not None
    assert "−420. Då hade brickan Öst–Väst i zon; nu har den ingen i zon. Räkna ut" in render(stale, "sv")


def test_of_a_board_that_nobody_knows_any_score_may_be_had() -> None:
    """Without a number the vulnerability is not known, and 420 and 620 are both possible."""
    typed = result_of(THEN)
    assert why_not_listed(blank_board(None), typed, ByPercent(), because="") == {}
    assert [*why_not_listed(Board.numbered(1), typed, ByPercent(), because="")] == ["at_table"]

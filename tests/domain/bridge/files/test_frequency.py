"""The score table of a file as a frequency table: what counts, and what is left out (R77, R81)."""

from casework.domain.bridge.board import Board
from casework.domain.bridge.contract import Contract, Strain
from casework.domain.bridge.files.frequency import FrequencyTable, frequency_table
from casework.domain.bridge.files.record import Record, TableResult
from casework.domain.bridge.notation import Seat
from casework.domain.bridge.scoring.typed import render_frequency

FOUR_HEARTS = Contract(4, Strain("H"))


def table(*rows: TableResult) -> FrequencyTable:
    """The frequency table of board 18: North-South vulnerable."""
    return frequency_table(Record(game=1, line=1, board=Board.numbered(18), results=rows))


def test_equal_results_become_one_line_and_the_best_stands_first() -> None:
    found = table(
        TableResult(line=1, ns_score=-420),
        TableResult(line=2, ns_score=100),
        TableResult(line=3, ns_score=-420, times=3),
        TableResult(line=4, contract=FOUR_HEARTS, declarer=Seat.north, tricks=10),
        TableResult(line=5, ns_score=0),
    )
    assert render_frequency(found.lines).splitlines() == ["+620", "+100", "0", "−420 x 4"]
    assert found.left_out == 0


def test_an_adjusted_score_is_a_part_of_a_top_for_each_side() -> None:
    """It is "A6040" in USEBIO, "A+" and "A-" in Ruter and Magic Contest."""
    found = table(
        TableResult(line=1, adjusted=("A6040", "A6040")),
        TableResult(line=2, adjusted=("A+", "A-")),
        TableResult(line=3, adjusted=("A=", "A")),
    )
    assert render_frequency(found.lines).splitlines() == ["60 % / 40 % x 2", "50 % / 50 %"]


def test_a_bye_and_an_impossible_score_are_left_out_and_counted() -> None:
    found = table(
        TableResult(line=1, adjusted=("Bye", "Bye")),
        TableResult(line=2, ns_score=101),
        TableResult(line=3, adjusted=("", "A+")),
        TableResult(line=4, contract=FOUR_HEARTS),
        TableResult(line=5, ns_score=100, times=-2),
        TableResult(line=6, ns_score=100),
    )
    assert (render_frequency(found.lines), found.left_out) == ("+100", 5)

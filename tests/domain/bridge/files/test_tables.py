"""Ruter's and Magic Contest's PBN: empty tags, the results of every table, the ranking."""

from decimal import Decimal

import pytest

from casework.adapters.i18n import render
from casework.domain.bridge.contract import Contract
from casework.domain.bridge.files.checks import warnings
from casework.domain.bridge.files.ranking import ranking_of
from casework.domain.bridge.notation import Seat
from tests.domain.bridge.files.made import read, said

RUTER = """\
% PBN 2.0
% EXPORT
[Event "Höstparet"]
[Site ""]
[Date "2026.11.30"]
[Board "1"]
[West ""]
[North ""]
[East ""]
[South ""]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:QJT.A432.8643.K2 A875.JT9.A5.T765 9642.765.JT.QJ93 K3.KQ8.KQ972.A84"]
[Scoring "MatchPoints;MP1"]
[Declarer ""]
[Contract ""]
[Result ""]
[Competition "Pairs"]
[Application "Ruter - invented"]
[TotalScoreTable "Rank\\2R;PairId\\2R;TotalScoreMP\\5R;Names\\30L"]
 1  4  62.0 "Siv Ek - Nils Al"
 2  1  58.5 "Vera Asp - Edit Lind"
[ScoreTable "Table\\2R;Round\\2R;PairId_NS\\2R;PairId_EW\\2R;Contract\\3L;Declarer\\1R;Result\\2R;Lead\\3L;\
Score_NS\\6R;Score_EW\\6R;MP_NS\\4R;MP_EW\\4R;Percentage_NS\\3R;Percentage_EW\\3R"]
 1  1  1  4 3N  W  9 SQ      -   "400"  0.0  6.0   0 100
 2  1  2  5 1NX E  6 C3   "100"       -  6.0  0.0 100   0
 3  1  3  6 -   -  - -     "A+"    "A-"  3.6  2.4  60  40
 4  1  7 "Bye" - - - - - - 3.6 - 60 -
 5  1  8  9 Pass - - -       "0"     "0"  3.0  3.0  50  50
 6  1 10 11 2S  N  8 D2   "120"       -  4.0  2.0  67  33
 7  1 10
"""


def test_the_results_of_all_tables() -> None:
    (record,) = read(RUTER).records
    first, second, adjusted, bye, passed, odd = record.results
    assert (first.north_south, first.east_west, first.contract, first.declarer) == ("1", "4", Contract.parse("3N")[0],
                                                                                  Seat.west)  # fmt: skip
    assert (first.table, first.round, first.tricks, first.lead) == ("1", "1", 9, "SQ")
    assert (first.ns_score, first.points, first.percentages) == (-400, ("0.0", "6.0"), ("0", "100"))
    assert (second.ns_score, str(second.contract)) == (100, "1NX")
    assert (adjusted.adjusted, adjusted.contract, adjusted.points) == (("A+", "A-"), None, ("3.6", "2.4"))
    assert (bye.adjusted, bye.ns_score) == (("Bye", "Bye"), None)
    assert (passed.ns_score, passed.declarer) == (0, None)
    assert odd.ns_score == 120


def test_a_score_that_does_not_fit_and_a_row_that_is_cut_off_are_said() -> None:
    (record,) = read(RUTER).records
    assert said(record) == [
        (29, "Contract and result give {score} to North–South, the table has {written}."),
        (30, "The row has {found} values, the table {wanted} columns."),
    ]


@pytest.mark.parametrize(
    ("there", "written", "what"),
    [
        ('"100"       -', '"abc"       -', "abc is no score"),
        ("58.5 ", "5x.5 ", "5x.5 in the ranking is no number"),
    ],
)
def test_a_number_that_is_none_is_said_with_its_line(there: str, written: str, what: str) -> None:
    """It would be a dash in a table, or a score that nobody has."""
    (record,) = read(RUTER.replace(there, written)).records
    line = 1 + RUTER[: RUTER.index(there)].count("\n")
    assert [remark.line for remark in warnings(record) if what in render(remark.text, "en")] == [line]


def test_the_board_itself_has_no_auction_or_result() -> None:
    (record,) = read(RUTER).records
    board = record.board
    assert (board.auction, board.contract, board.declarer, board.tricks) == (None, None, None, None)


def test_the_ranking_is_kept_as_written() -> None:
    (record,) = read(RUTER).records
    assert [(row["Rank"], row["Names"]) for row in record.ranking] == [
        ("1", "Siv Ek - Nils Al"),
        ("2", "Vera Asp - Edit Lind"),
    ]


def test_a_line_of_a_frequency_table_stands_for_several_tables() -> None:
    """And `#` takes the columns of the game before."""
    game = '[Board "{0}"]\n[Dealer "{1}"]\n[Vulnerable "{2}"]\n[ScoreTable "{3}"]\n1 420 5\n2 170 2\n'
    text = (
        game.format(1, "N", "None", "-Rank\\3R;+Score_NS\\5R;Multiplicity\\2L") + "\n" + game.format(2, "E", "NS", "#")
    )
    for record in read(text).records:
        assert [(result.ns_score, result.times) for result in record.results] == [(420, 5), (170, 2)]


def test_the_ranking_is_places_and_names_and_what_was_scored() -> None:
    """Ruter's `TotalScoreTable`: in percent where it has them, else in points; a dash is nothing."""
    written = (
        RUTER.replace("TotalScoreMP\\5R;Names", "TotalScoreMP\\5R;TotalPercentage\\5R;Names")
        .replace("62.0 ", "62.0 58,33 ")
        .replace("58.5 ", "58.5 - ")
    )
    read_file = read(written)
    first, second = ranking_of(read_file, read_file.records[0])
    assert (first.rank, first.number, first.names) == ("1", "4", "Siv Ek – Nils Al")
    assert (first.percent, first.points) == (Decimal("58.33"), Decimal("62.0"))
    assert (second.percent, second.points) == (None, Decimal("58.5"))


def test_a_later_game_has_the_ranking_of_the_first() -> None:
    """Many programs write it once."""
    later = (
        RUTER.partition("[TotalScoreTable")[0].replace('Board "1"', 'Board "2"').replace("% PBN 2.0\n% EXPORT\n", "")
    )
    read_file = read(f"{RUTER}\n{later}")
    assert [each.number for each in ranking_of(read_file, read_file.records[1])] == ["4", "1"]

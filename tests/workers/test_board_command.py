"""`casework board`: what a file says, as JSON for a person or a program."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from casework.cli import main

DEAL = "N:QJT.A432.8643.K2 A875.JT9.A5.T765 9642.765.JT.QJ93 K3.KQ8.KQ972.A84"
PLAYED = (
    f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{DEAL}"]\n'
    '[Declarer "E"]\n[Contract "1NTX"]\n[Result "8"]\n'
    '[Auction "N"]\nPass 1NT =1= X AP\n[Note "1:15-17"]\n[Play "S"]\nC3 C4 CK C5\n*\n'
)
LONELY = '[Board "2"]\n[Dealer "N"]\n[Vulnerable "NS"]\n'
NO_DEAL = PLAYED.replace("K2 ", "A2 ").replace("1", "9", 1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "boards.pbn"


def run(capsys: pytest.CaptureFixture[str], file: Path, *text: str, number: int | None = None) -> tuple[int, str, str]:
    file.write_text("\n".join(text), encoding="utf-8")
    status = main(["board", str(file), *(["--number", str(number)] if number else [])])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_one_board_is_an_object(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    status, out, err = run(capsys, file, PLAYED)
    board = json.loads(out)
    assert (status, err) == (0, "")
    assert (board["board"], board["dealer"], board["vulnerable"]) == (1, "N", "None")
    assert board["hands"]["W"] == "K3.KQ8.KQ972.A84"
    assert board["auction"][1] == {"call": "1N", "alert": False, "explanation": "15-17"}
    assert (board["contract"], board["declarer"], board["lead"]) == ("1NX", "E", "C3")
    assert (board["result"], board["score"], board["warnings"]) == (8, -280, [])
    assert board["play"]["tricks"] == [{"N": "CK", "E": "C5", "S": "C3", "W": "C4"}]


def test_a_reader_who_wants_no_more_ends_it_quietly(file: Path) -> None:
    """As `| head` does."""
    file.write_text(PLAYED)
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", "import sys; from casework.cli import main; sys.exit(main())", "board", str(file)]
    ended = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert ended.stderr == b""


def test_what_is_not_there_is_null(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    board = json.loads(run(capsys, file, LONELY)[1])
    assert [board[key] for key in ("contract", "declarer", "lead", "result", "score", "play", "claim")] == [None] * 7
    assert (board["hands"], board["auction"]) == ({}, [])


def test_several_boards_are_a_list_and_a_number_picks_one(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """What is odd is said in words, with its line."""
    assert [board["board"] for board in json.loads(run(capsys, file, PLAYED, LONELY)[1])] == [1, 2]
    board = json.loads(run(capsys, file, PLAYED, LONELY, number=2)[1])
    assert board["board"] == 2
    assert {"line": 16, "text": "Board 2 is dealt by East."} in board["warnings"]


def test_a_board_that_stands_twice_says_so(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    board = json.loads(run(capsys, file, PLAYED, PLAYED, number=1)[1])
    assert board["warnings"] == [{"line": 1, "text": "The board stands in the file again, on line 15."}]


def test_a_refused_game_never_hides_the_others(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    status, out, err = run(capsys, file, NO_DEAL, PLAYED)
    assert (status, [board["board"] for board in json.loads(out)]) == (0, [1])
    assert err.startswith("Line 4: Game 1 is refused. More than one hand has the ace of clubs: North and West.")


@pytest.mark.parametrize(
    ("text", "number", "reason"),
    [
        (NO_DEAL, None, "Line 4: Game 1 is refused."),
        (NO_DEAL + "\n" + PLAYED, 9, "Line 4: Game 1 is refused."),
        (PLAYED, 7, "There is no board 7 in the file."),
        ("hello", None, "Line 1: this is no file of boards."),
        ("", None, "The file is empty."),
    ],
)
def test_what_cannot_be_printed_ends_with_its_reason(
    capsys: pytest.CaptureFixture[str], file: Path, text: str, number: int | None, reason: str
) -> None:
    """Exit status 1, nothing on standard output."""
    status, out, err = run(capsys, file, text, number=number)
    assert (status, out, err[: len(reason)]) == (1, "", reason)


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    assert main(["board", str(file)]) == 1
    assert capsys.readouterr().err == f"{file}: No such file or directory\n"


def test_all_that_is_noted_of_a_call_is_printed(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """What our own writer says of a call in a note: the pause, who explained what, on which side of a screen."""
    noted = PLAYED.replace("Pass 1NT =1= X AP", "Pass 1NT =1= X =2= AP").replace(
        '"1:15-17"]', '"1:1NT! \\"15-17\\" NE W>N: \\"weak\\""]\n[Note "2:[30 s?] X"]'
    )
    calls = json.loads(run(capsys, file, noted)[1])["auction"]
    assert calls[1] == {"call": "1N", "alert": True, "explanation": '15-17 NE W>N: "weak"'}
    assert calls[2] == {"call": "X", "alert": False, "explanation": "[30 s?]"}

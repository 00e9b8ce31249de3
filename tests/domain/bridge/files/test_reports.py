"""Public reports about reading PBN and LIN in open tools (BR01-BR12), each on a small file of the same shape."""

import pytest

from casework.domain.bridge.notation import Seat
from tests.domain.bridge.files.made import calls, read, said

DEAL = "N:QJT.A432.8643.K2 A875.JT9.A5.T765 9642.765.JT.QJ93 K3.KQ8.KQ972.A84"
LIN_DEAL = "S9642H765DJTCQJ93,SK3HKQ8DKQ972CA84,SQJTHA432D8643CK2"
"""South, West and North of the same deal."""
EAST = "SA875HJT9DA5CT765"


def lin(head: str = f"md|3{LIN_DEAL},|", rest: str = "sv|o|mb|p|mb|p|mb|p|mb|p|pg||") -> str:
    return f"pn|stina,vera,nils,edit|st||{head}rh||ah|Board 7|{rest}\n"


@pytest.mark.parametrize(
    ("digit", "dealer"), [("1", Seat.south), ("2", Seat.west), ("3", Seat.north), ("4", Seat.east)]
)
def test_the_dealers_digit_counts_from_south(digit: str, dealer: Seat) -> None:
    """BR01: 4 is East."""
    (record,) = read(lin(f"md|{digit}{LIN_DEAL},|")).records
    assert record.board.dealer is dealer


@pytest.mark.parametrize("hands", [LIN_DEAL, LIN_DEAL + ",", f"{LIN_DEAL},{EAST}", f"{LIN_DEAL},{EAST},"])
def test_three_hands_or_four_with_or_without_a_comma(hands: str) -> None:
    """BR02: the fourth hand is the rest, and `d` is a double."""
    auction = "sv|o|mb|1D|mb|d|mb|2D|mb|2H|mb|3D|mb|3H|mb|p|mb|p|mb|p|mc|7|"
    (record,) = read(lin(f"md|3{hands}|", auction)).records
    board = record.board
    assert {seat: str(hand) for seat, hand in board.deal.known()} == dict(zip("NESW", DEAL[2:].split(), strict=True))
    assert (board.dealer, str(board.contract), board.declarer) == (Seat.north, "3H", Seat.west)
    assert (calls(board), board.tricks, board.computed_score()) == ("1♦ X 2♦ 2♥ 3♦ 3♥ Pass Pass Pass", 7, 100)


def test_a_deal_may_run_over_many_lines_and_a_line_hold_many() -> None:
    """BR03: unknown pairs are passed over, and an explanation stays with its call."""
    spread = lin(rest="sv|o|\nmb|1C!|\nan|16+|zz|what|mb|p|\nmb|p|mb|p|\n")
    read_back = read(spread.replace("Board 7", "Board 8") + lin().strip() + lin().strip())
    assert [record.board.number for record in read_back.records] == [8, 7, 7]
    assert calls(read_back.records[0].board) == '1♣! "16+" Pass Pass Pass'


def test_what_is_missing_in_pbn() -> None:
    """BR03, BR04: `?`, `-` and nothing mean unknown; the letter in Deal is the first hand's, not the dealer's."""
    hands = DEAL[2:].split()
    east_first = "E:" + " ".join(hands[1:] + hands[:1])
    text = (
        f'[North "-"]\n[East "?"]\n[South ""]\n[West "Vera"]\n[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
        f'[Deal "{east_first}"]\n[Declarer "?"]\n[Contract "?"]\n[Result "?"]\n[Mystery "7"]\n'
    )
    (record,) = read(text).records
    board = record.board
    assert (board.dealer, str(board.deal.north)) == (Seat.north, hands[0])
    assert (board.declarer, board.contract, board.tricks) == (None, None, None)
    assert record.players == {Seat.west: "Vera"}
    assert said(record) == []


def test_a_comment_may_stand_anywhere() -> None:
    """BR05: also alone on a line between tags, and over lines."""
    text = (
        f'[Board "1"] {{first}}\n{{PAR of the deal: 3H = played by North: 140 points}}\n[Dealer "N"] ; from the file\n'
        f'[Vulnerable "None"]\n{{ The\n\ndiagram }} [Deal "{DEAL}"]\n[Auction "N"]\nPass {{thinks}} 1NT Pass ; quick\n'
        f"{{then}}\nPass Pass\n"
    )
    (record,) = read(text).records
    assert str(record.board.deal.north) == "QJT.A432.8643.K2"
    assert (calls(record.board), said(record)) == ("Pass 1NT Pass Pass Pass", [])


def test_notes_are_read_after_the_auction_or_after_the_play() -> None:
    """BR06."""
    head = f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{DEAL}"]\n[Auction "N"]\nPass 1NT =1= AP\n'
    note, play = '[Note "1:15-17"]\n', '[Play "S"]\nC3 C4 CK C5\n*\n'
    for text in (head + note + play, head + play + note):
        (record,) = read(text).records
        assert (calls(record.board), said(record)) == ('Pass 1NT "15-17" Pass Pass Pass', [])


def test_a_comment_that_is_not_closed_loses_no_tags() -> None:
    """BR07: it is said at which line it starts."""
    tags = (
        '[South "Siv"]\n[West "Vera"]\n[North "Nils"]\n[East "Edit"]\n[Declarer "N"]\n[Contract "1NTX"]\n[Result "8"]\n'
    )
    text = (
        f'[Board "4"]\n[Dealer "W"]\n[Vulnerable "All"]\n[Deal "{DEAL}"]\n{{Feasability: 4 6 6 7\n{tags}'
        "{Feasability: 4 6 6 7}\n"
    )
    (record,) = read(text).records
    assert (str(record.board.contract), record.board.declarer, record.board.tricks) == ("1NX", Seat.north, 8)
    assert record.board.computed_score() == 380
    assert record.players[Seat.south] == "Siv"
    assert said(record) == [(5, "The comment that starts with {sign} is not closed.")]


def test_the_second_room_takes_the_deal_of_the_record_before() -> None:
    """BR08: and it is shown that it was done; the file may end without an empty line."""
    text = (
        f'[North "Nils"]\n[Board "3"]\n[Dealer "S"]\n[Vulnerable "EW"]\n[Deal "{DEAL}"]\n[Contract "Pass"]\n\n'
        '[North "Nora"]\n[Declarer "W"]\n[Contract "3NT"]\n[Auction "S"]\nPass 1D Pass 3NT AP'
    )
    first, second = read(text).records
    assert second.board.number == 3
    assert second.board.deal == first.board.deal
    assert second.players == {Seat.north: "Nora"}
    assert (8, "Board, dealer, vulnerability and hands are taken from the game before, on line {line}.") in said(second)


@pytest.mark.parametrize(("row", "trick"), [("C9 - CK CA", ("CK", "CA", "C9", "")), ("S2 - - -", ("", "", "S2", ""))])
def test_play_may_stop_in_the_middle_of_a_trick(row: str, trick: tuple[str, ...]) -> None:
    """BR09: the cards are kept, and nothing is claimed about tricks."""
    text = (
        f'[Board "3"]\n[Dealer "S"]\n[Vulnerable "EW"]\n[Deal "{DEAL}"]\n[Declarer "E"]\n[Contract "1NT"]\n'
        f'[Play "S"]\nC3 C4 C2 C5\n{row}\n'
    )
    (record,) = read(text).records
    play = record.board.play
    assert play is not None
    assert play.tricks == (("C2", "C5", "C3", "C4"), trick)
    assert (record.board.tricks, record.board.claim) == (None, None)


def test_a_whole_evening_in_one_lin() -> None:
    """BR10: a heading, a title without boards, `qx` without room, alerts and explanations as two things."""
    board = (
        f"md|3{LIN_DEAL},{EAST}|sv|n|mb|1D!|mb|p|mb|1H|an| 5+ !h|mb|p|mb|p|mb|p|pc|DK|pc|D3|pc|DA|pc|DT|pc|C5|pc|C3|"
    )
    text = "% Generated by BBO Helper\nvg|Social Bridge|pg||\n" + "".join(
        f"qx|o{number}|pn|siv,vera,nils,edit|{board}\n" for number in range(31, 55)
    )
    read_back = read(text)
    assert [record.board.number for record in read_back.records] == [*range(31, 55)]
    board_31 = read_back.records[0].board
    assert calls(board_31) == '1♦! Pass 1♥ "5+ ♥" Pass Pass Pass'
    assert board_31.play is not None
    assert board_31.play.tricks == (("D3", "DA", "DT", "DK"), ("", "C5", "C3", ""))


@pytest.mark.parametrize(
    "table",
    [
        '[DoubleDummyTable "NT\\tS\\tH\\tD\\tC\\nN\\t7\\t6\\t6\\t8\\t8"]',
        '[DoubleDummyTable "NT\tS\tH\nN\t7\t6\n"]',
        '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN NT 7\nN  S 6',
    ],
)
def test_a_double_dummy_table_never_breaks_the_board(table: str) -> None:
    """BR11: as one value with tabs and line ends, or as a proper table."""
    text = f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n{table}\n[Deal "{DEAL}"]\n'
    (record,) = read(text).records
    assert str(record.board.deal.west) == "K3.KQ8.KQ972.A84"
    left_out = "What the file says that each side could make is left out: it is advice and no evidence."
    assert said(record) == [(4, left_out)]


def test_dealer_north_on_every_board_is_taken_as_written() -> None:
    """BR12: legal; that dealer and number do not go together is said, and nothing corrected."""
    text = f'[Board "2"]\n[Dealer "N"]\n[Vulnerable "NS"]\n[Deal "{DEAL}"]\n'
    (record,) = read(text).records
    assert record.board.dealer is Seat.north
    assert said(record) == [(2, "Board {number} is dealt by {seat}.")]

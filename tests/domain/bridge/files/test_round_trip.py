"""What is written is read back the same; whatever the bytes, there is an answer, soon."""

import gc
import time
from contextlib import suppress
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.call import Call
from casework.domain.bridge.deal import Deal
from casework.domain.bridge.files.checks import warnings
from casework.domain.bridge.files.reading import read_file
from casework.domain.bridge.files.record import BoardFile, Wanted
from casework.domain.bridge.files.source import MOST_BYTES
from casework.domain.bridge.files.writer import write_pbn
from casework.domain.bridge.notation import SEATS, Seat, Unreadable, Vulnerability
from casework.domain.bridge.play import Claim
from tests.domain.bridge.files.made import BIDS, hand_of, random_board, random_hands, read, said, written_file

WITHIN = 2.0
"""Seconds of the processor: less than one where nothing else runs, up to twice as much where others share it."""
RANDOMS = st.randoms(use_true_random=False)
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=40)
EXPLANATIONS = WORDS | st.sampled_from(["! krav", "Alerted", '2♣ "krav"', "P", "[20 s] 1♥"])
CALLS = st.builds(Call, st.sampled_from([*BIDS, "P", "P", "X", "XX"]), st.booleans(), EXPLANATIONS)


@given(RANDOMS)
def test_a_written_board_reads_back(random: Random) -> None:
    """PBN: deal, auction with alerts and notes, contract, play, result; and nothing odd is found."""
    board = random_board(random)
    (record,) = read(write_pbn(board, event='The "Cup"', players={Seat.north: "Siv"})).records
    assert record.board == board
    assert (record.event, record.players, said(record)) == ('The "Cup"', {Seat.north: "Siv"}, [])


@given(RANDOMS, st.sampled_from(Seat), st.lists(CALLS, min_size=1, max_size=30).map(tuple))
def test_any_auction_reads_back_however_irregular(random: Random, dealer: Seat, made: tuple[Call, ...]) -> None:
    """An insufficient bid may be the very matter of the case."""
    held = random_hands(random)
    board = Board(
        dealer=dealer,
        vulnerability=Vulnerability.both,
        deal=Deal(*(hand_of(held[seat]) for seat in SEATS)),
        auction=Auction(dealer, made),
    )
    (record,) = read(write_pbn(board)).records
    assert record.board == board


@given(RANDOMS)
def test_a_board_in_lin_reads_back(random: Random) -> None:
    """LIN has no alert without a call, no result without a claim or the last trick."""
    board = random_board(random, cards=(1, 23, 50))
    (record,) = read(lin_of(board)).records
    claim = Claim(trick=record.board.claim.trick, tricks=board.tricks) if record.board.claim else None
    assert record.board == Board.from_json(board.to_json() | {"claim": claim and claim.to_json()})
    assert said(record) == []


def lin_of(board: Board) -> str:
    """The board as Bridge Base Online writes it."""
    deal = board.deal
    hands = ",".join(
        "".join(suit + ranks for suit, ranks in zip("SHDC", hand.holdings, strict=True))
        for hand in (deal.south, deal.west, deal.north)
        if hand
    )
    dealer = "SWNE".index(board.dealer) + 1
    zone = {"None": "o", "NS": "n", "EW": "e", "All": "b"}[board.vulnerability]
    calls = board.auction.calls if board.auction else ()
    bids = "".join(
        f"mb|{'d' if call.call == 'X' else 'r' if call.call == 'XX' else call.call}{'!' * call.alert}|"
        + (f"an|{call.explanation}|" if call.explanation else "")
        for call in calls
    )
    tricks = board.play.led(board.contract.strain) if board.play and board.contract else ()
    turns = [trick[(SEATS.index(leader) + turn) % 4] for leader, trick in tricks for turn in range(4)]
    played = "".join(f"pc|{card}|" for card in turns if card)
    claim = f"mc|{board.tricks}|" if board.tricks is not None else ""
    return f"pn|a,b,c,d|st||md|{dealer}{hands},|rh||ah|Board {board.number}|sv|{zone}|{bids}pg||{played}{claim}pg||"


@given(RANDOMS)
@settings(max_examples=30)
def test_a_board_in_usebio_reads_back(random: Random) -> None:
    """USEBIO has the hands, and each table's contract, lead and tricks; calls it has none."""
    board = random_board(random, cards=(1, 23, 50))
    (record,) = read(usebio_of(board)).records
    (result,) = record.results
    assert {seat: str(hand) for seat, hand in record.board.deal.known()} == {
        seat: str(hand) for seat, hand in board.deal.known()
    }
    assert (record.board.number, record.board.dealer, record.board.vulnerability) == (
        board.number, board.dealer, board.vulnerability,
    )  # fmt: skip
    assert (result.contract, result.declarer, result.lead, result.tricks, result.ns_score) == (
        board.contract, board.declarer, board.lead, board.tricks, board.computed_score(),
    )  # fmt: skip
    assert said(record) == []


def usebio_of(board: Board) -> str:
    """The board and its one table as a scoring program writes it."""
    hands = "".join(
        f"<HAND><DIRECTION>{seat.name.title()}</DIRECTION><SPADES>{spades}</SPADES><HEARTS>{hearts}</HEARTS>"
        f"<DIAMONDS>{diamonds}</DIAMONDS><CLUBS>{clubs}</CLUBS></HAND>"
        for seat, hand in board.deal.known()
        for spades, hearts, diamonds, clubs in [hand.holdings]
    )
    lead = f"<LEAD>{board.lead[1].replace('T', '10')}{board.lead[0]}</LEAD>" if board.lead else ""
    return (
        f'<?xml version="1.0"?><USEBIO Version="1.2"><EVENT EVENT_TYPE="MP_PAIRS"><BOARD>'
        f"<BOARD_NUMBER>{board.number}</BOARD_NUMBER><TRAVELLER_LINE><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER>"
        f"<EW_PAIR_NUMBER>2</EW_PAIR_NUMBER><CONTRACT>{str(board.contract).upper()}</CONTRACT>"
        f"<PLAYED_BY>{board.declarer or 'N'}</PLAYED_BY>{lead}<TRICKS>{board.tricks or 0}</TRICKS>"
        f"<SCORE>{board.computed_score()}</SCORE></TRAVELLER_LINE></BOARD></EVENT>"
        f"<HANDSET><BOARD><BOARD_NUMBER>{board.number}</BOARD_NUMBER>{hands}</BOARD></HANDSET></USEBIO>"
    )


def test_the_writer_keeps_to_the_standards_order() -> None:
    """BR06: notes right after their section; a passed-out board has neither declarer nor result."""
    passed = Board(
        dealer=Seat.north,
        vulnerability=Vulnerability.none,
        number=1,
        auction=Auction.parse('P! "strong" P P P', Seat.north),
        contract=Auction.parse("P P P P", Seat.north).contract()[0],  # type: ignore[index]
    )
    assert write_pbn(passed).splitlines()[3:] == [
        '[Event ""]', '[Site ""]', '[Date ""]', '[Board "1"]', '[West ""]', '[North ""]', '[East ""]', '[South ""]',
        '[Dealer "N"]', '[Vulnerable "None"]', '[Deal ""]', '[Scoring ""]', '[Declarer ""]', '[Contract "Pass"]',
        '[Result ""]', '[Auction "N"]', "Pass =1= Pass Pass Pass", '[Note "1:! strong"]',
    ]  # fmt: skip


def answer(data: bytes) -> BoardFile | None:
    """What the file gives, or None where it is refused; all its warnings are asked for."""
    started = time.process_time()
    try:
        found = read_file(data)
        for record in found.records:
            warnings(record)
            record.board.to_json()
    except Unreadable:
        found = None
    assert time.process_time() - started < WITHIN
    return found


SEEDS = [
    written_file(Random(3), 3).encode(),
    b"\n".join(lin_of(random_board(Random(seed))).encode() for seed in range(3)),
]


@given(st.binary(max_size=2000))
@example(b'[Board "\xb2"]')
@example('[Result "²"]\n[Board "٣"]\n[Auction "N"]\n1C =²= $² \n[Note "٣:x"]'.encode())
def test_any_bytes_have_an_answer(data: bytes) -> None:
    answer(data)


@given(
    st.text(max_size=500), st.sampled_from(['[Board "1"]\n[Auction "N"]\n', '[Deal "', "md|", "qx|o1|md|3", "<USEBIO>"])
)
def test_any_text_has_an_answer(text: str, start: str) -> None:
    answer((start + text).encode("utf-8", errors="surrogatepass"))


@settings(max_examples=200)
@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 30), st.binary(max_size=20)),
                                        min_size=1, max_size=12))  # fmt: skip
def test_a_damaged_file_has_an_answer(seed: bytes, damage: list[tuple[int, int, bytes]]) -> None:
    """Pieces cut out, moved and written over."""
    data = bytearray(seed)
    for at, length, piece in damage:
        start = at % len(data) if data else 0
        data[start : start + length] = piece
    answer(bytes(data))


NOISE = {
    "random": Random(1).randbytes(MOST_BYTES),
    "letters": bytes(33 + byte % 94 for byte in Random(1).randbytes(MOST_BYTES)),
    "one letter a line": b"x\n" * 250_000,
    "tags": b'[A ""]\n' * 499_000,
    "tags on a line": b'[A ""]' * 800_000,
    "games": b'[Board ""]' * 500_000,
    "brackets": b"[" * MOST_BYTES,
    "open comments": b"{\n" * 499_999,
    "comments": b"{}" * (MOST_BYTES // 2),
    "open strings": b'[A "' * (MOST_BYTES // 4),
    "escaped quotation marks": b'[Board "' + b'\\"' * 2_500_000,
    "an auction": b'[Board "1"]\n[Auction "N"]\n' + b"X " * 2_500_000,
    "an auction of lines": b'[Board "1"]\n[Auction "N"]\n' + b"- X =1=\n" * 499_000,
    "many long auctions": (b'[Board "1"]\n[Auction "N"]\n' + b"P " * 318 + b"\n\n") * 7000,
    "marks": b'[Board "1"]\n[Auction "N"]\n1C ' + b"=a=$b" * 900_000,
    "play": b'[Board "1"]\n[Play "N"]\n' + b"- =9= S1\n" * 499_000,
    "tables": b'[Board "1"]\n[ScoreTable "A;B"]\n' + b"1\n" * 499_000,
    "bars": b"md|" + b"|" * (MOST_BYTES - 3),
    "cards": b"md|1S2,S3,S4|" + b"pc|SA|" * 800_000,
    "calls": b"md|1S2,S3,S4|" + b"mb|p|an|x|" * 500_000,
    "deals": b"md|1S2|" * 700_000,
    "blank": b"\n \n" * 160_000 + b"md|",
    "xml": b"<USEBIO>" + b"<a/>" * 1_300_000,
    "deep xml": b"<a>" * 1_700_000,
    "long xml": b"<USEBIO>" + b"x" * 5_000_000,
}


@pytest.mark.parametrize("kind", NOISE)
def test_five_megabytes_of_noise_are_answered_in_a_second_or_two(kind: str) -> None:
    assert any(taken(NOISE[kind]) < WITHIN for _ in range(3))


def taken(data: bytes) -> float:
    """Seconds of the processor, without the collector's walks over what earlier tests left in memory."""
    gc.freeze()
    started = time.process_time()
    with suppress(Unreadable):
        read_file(data)
    needed = time.process_time() - started
    gc.unfreeze()
    return needed


ODD = b'[Board "7"]\n[Deal "N:Q74.7.J832.KJT75 - - -"]\n[Dealer "X"]\n[Contract "9H"]\n[Result "99"]\n[Score "x"]\n\n'


def test_boards_are_counted_before_one_is_read() -> None:
    """Counting too many is cheaper than reading a tenth of them."""
    assert min(taken(ODD * 20_500) for _ in range(3)) < taken(ODD * 2_000)


def test_of_many_boards_those_are_read_that_are_asked_for() -> None:
    other = ODD.replace(b"7", b"8", 1)
    in_lin = b"qx|o8|md|1|\n" * 3 + b"md|1|ah|Board 7|\n" + b"qx|o8|md|1|\n" * 3
    for data in (other * 3 + ODD + other * 3, in_lin):
        found = read_file(data, Wanted(number=7, game=6, first=1))
        games = [record.game for record in found.records] + [refusal.game for refusal in found.refused]
        assert (games, found.unread) == ([1, 4, 6], 4)


def test_more_than_twenty_thousand_boards_are_refused() -> None:
    """Both ways to write very small boards."""
    for data in (b'[Board "1"]\n\n' * 20_001, b"md|1|" * 20_001):
        with pytest.raises(Unreadable) as refused:
            read_file(data)
        assert refused.value.reason.params == {"limit": 20_000}

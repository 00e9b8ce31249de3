"""Everything that the forms of a board can record is in its PBN, and is read back (R27)."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.call import Call, Explanation, Pause, ScreenSide
from casework.domain.bridge.deal import Deal
from casework.domain.bridge.files.writer import write_pbn
from casework.domain.bridge.notation import SEATS, Seat
from casework.domain.bridge.play import Claim, Play
from tests.domain.bridge.files.made import BIDS, PACK, hand_of, random_board, random_hands, read, said

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=20) | st.sampled_from(
    ["! krav", "alert", '2♣ "krav"', "{a; b}", "två  rader\nhär"]
)
SEAT = st.sampled_from(Seat)
HEARD = st.one_of(
    st.builds(Explanation, text=WORDS, by=SEAT, to=st.none() | SEAT, screen=st.none() | st.sampled_from(ScreenSide)),
    st.builds(Explanation, text=WORDS, to=SEAT),
)
CALLS = st.builds(
    Call,
    st.sampled_from([*BIDS, "P", "P", "X", "XX"]),
    st.booleans(),
    WORDS,
    st.lists(HEARD, max_size=2).map(tuple),
    st.none() | st.builds(Pause, st.none() | st.integers(1, 9999), st.booleans()),
    st.none() | SEAT,
    st.booleans(),
)
CARD = st.sampled_from(PACK)
PLAYED = st.lists(st.tuples(*[CARD | st.just("")] * 4), min_size=1, max_size=13).map(tuple)


def some_cards(random: Random) -> Deal:
    """A deal of which some is known."""
    held = random_hands(random)
    hands = [hand_of(set(sorted(held[seat])[: random.randint(0, 13)])) for seat in SEATS]
    return Deal(*(hand if random.random() < 0.8 else None for hand in hands), partial=True)


RANDOMS = st.randoms(use_true_random=False)
CLAIMS = st.builds(
    Claim,
    trick=st.integers(1, 13),
    by=st.none() | SEAT,
    statement=WORDS,
    tricks=st.none() | st.integers(0, 13),
    remaining=st.none() | RANDOMS.map(some_cards),
)
REASONS = st.dictionaries(st.sampled_from(["auction", "number", "claim"]), WORDS, max_size=2)


@settings(max_examples=150)
@given(RANDOMS, st.data())
def test_whatever_is_recorded_reads_back(random: Random, data: st.DataObject) -> None:
    board = random_board(random)
    made = data.draw(st.none() | st.lists(CALLS, min_size=1, max_size=12).map(tuple))
    board = replace(
        board,
        deal=data.draw(st.sampled_from([board.deal, Deal()]) | st.just(some_cards(random))),
        auction=Auction(board.dealer, made) if made else board.auction,
        lead=data.draw(st.none() | CARD),
        tricks=data.draw(st.none() | st.integers(0, 13)) if board.declarer else None,
        play=data.draw(st.just(board.play) | st.none() | st.builds(Play, SEAT, PLAYED)),
        claim=data.draw(st.none() | CLAIMS),
        because=data.draw(REASONS),
    )
    (record,) = read(write_pbn(board)).records
    assert record.board == board


def test_a_long_auction_with_a_note_on_every_call_reads_back() -> None:
    """The standard has 32 notes."""
    board = Board.numbered(1)
    made = tuple(Call("P", explanation=f"ett ord om pass {number}") for number in range(40))
    board = replace(board, auction=Auction(board.dealer, made))
    (record,) = read(write_pbn(board)).records
    assert record.board == board


def test_a_pause_an_explanation_and_a_lead_are_written_as_pbn_has_them() -> None:
    """Other programs show notes and the play."""
    auction = Auction.parse('1C [30 s] 1H 2H "5+" [20 s?] X! N>E: "straff"', Seat.north)
    board = replace(Board.numbered(1), auction=auction, declarer=Seat.north, lead="SK")
    lines = write_pbn(board).splitlines()
    assert lines[lines.index('[Auction "N"]') + 1 :] == [
        "1C 1H =1= 2H =2= X =3=", "+", '[Note "1:[30 s] 1♥"]', '[Note "2:5+"]',
        '[Note "3:[20 s?] X! N>E: \\"straff\\""]', '[Play "E"]', "SK", "*",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "tag",
    [
        'CaseworkClaim "{}"', 'CaseworkClaim "{\\"trick\\": 99}"', 'CaseworkLead "7"', 'CaseworkPlay "[1]"',
        'CaseworkAuction "\\"9Z\\""', 'CaseworkReasons "[[1, 2]]"', 'CaseworkResult "true"',
        f'CaseworkReasons "{"[" * 3000}"',
    ],
)  # fmt: skip
def test_a_tag_of_ours_that_is_not_ours_is_said(tag: str) -> None:
    (record,) = read(f'[Board "1"]\n[{tag}]\n').records
    assert "This cannot be read: {text}" in [msgid for _, msgid in said(record)]
    assert replace(record.board, number=1) == Board.numbered(1)

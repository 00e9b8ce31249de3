"""LIN as Bridge Base Online writes it."""

import pytest

from casework.adapters.i18n import render
from casework.domain.bridge.files.checks import warnings
from casework.domain.bridge.files.reading import read_file
from casework.domain.bridge.notation import Seat, Unreadable
from casework.domain.bridge.play import Claim
from tests.domain.bridge.files.made import calls, read, said, sentences

HANDS = "S9642H765DJTCQJ93,SK3HKQ8DKQ972CA84,SQJTHA432D8643CK2,SA875HJT9DA5CT765"
AUCTION = "mb|p|mb|1N|mb|p|mb|p|mb|p|"
PLAY = "pc|c3|pc|c4|pc|cK|pc|c5|pg||pc|c2|pc|c6|pc|cJ|pc|cA|pg||"
ROOMS = (
    "vg|Invented Cup,Final,I,5,6,Elms,0,Oaks,0|\nrs|1NE+2,1NE=,PASS,4SN-1|\n"
    "pn|so,wo,no,eo,sc,wc,nc,ec|pg||\n"
    f"qx|o5|st||md|3{HANDS}|sv|n|nt|kim: hello|pg||\n"
    f"{AUCTION.replace('mb|1N|', 'mb|1N|nt|kim: strong|pg||')}{PLAY}mc|9|\n"
    f"qx|c5|st||md|3{HANDS}|sv|n|{AUCTION}{PLAY}mc|8|\n"
)


def test_a_segment_of_two_rooms() -> None:
    """Eight names, open room first; chat is left out and said; results are compared with the list."""
    read_back = read(ROOMS)
    opened, closed = read_back.records
    assert (opened.board.number, opened.room, closed.room) == (5, "open", "closed")
    assert opened.players == {Seat.south: "so", Seat.west: "wo", Seat.north: "no", Seat.east: "eo"}
    assert closed.players[Seat.east] == "ec"
    teams = (1, "The teams and what they brought along are left out: {text}")
    assert (opened.event, opened.remarks[0].text.params["text"]) == ("Invented Cup, Final", "Elms, 0, Oaks, 0")
    assert said(opened) == [teams, (4, "{number} lines of chat are left out.")]
    assert said(closed) == [teams, (6, "The list of results has {listed} tricks, the board {tricks}.")]
    assert [(remark.line, remark.text.params["number"]) for remark in read_back.remarks] == [(2, 1)]


def test_a_claim_gives_declarers_tricks_in_all() -> None:
    opened = read(ROOMS).records[0].board
    assert (opened.tricks, opened.claim) == (9, Claim(trick=3, tricks=9))
    assert (str(opened.contract), opened.declarer, opened.lead, opened.computed_score()) == (
        "1N",
        Seat.east,
        "C3",
        -150,
    )


def test_a_result_without_a_card_is_no_claim() -> None:
    """Nobody knows how it came about: `mc` is the result alone."""
    (record,) = read(f"md|3{HANDS}|ah|Board 5|sv|n|{AUCTION}mc|7|").records
    assert (record.board.tricks, record.board.claim) == (7, None)


def test_an_endless_auction_is_said_once() -> None:
    """With how often more, for each thing that is odd."""
    (record,) = read(f"md|3{HANDS}|ah|Board 5|sv|n|" + "mb|p|" * 700).records
    told = [render(remark.text, "en") for remark in warnings(record)]
    assert len(told) == len(set(told)) == 2
    assert any(words.endswith("(314 more times)") for words in told)


def test_a_board_played_to_the_end_needs_no_claim() -> None:
    """All trumps are drawn and cards run: declarer's tricks are counted."""
    hands = "SAKQJT98765432,HAKQJT98765432,DAKQJT98765432"
    ranks = "AKQJT98765432"
    played = "pc|SA|pc|HA|pc|DA|pc|CA|" + "".join(f"pc|C{rank}|pc|S{rank}|pc|H{rank}|pc|D{rank}|" for rank in ranks[1:])
    (record,) = read(f"md|1{hands},|ah|Board 3|sv|e|mb|p|mb|p|mb|p|mb|1C|mb|p|mb|p|mb|p|{played}").records
    assert (record.board.declarer, record.board.tricks, record.board.claim) == (Seat.east, 13, None)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("mb|1C!|an|16+|mb|d|mb|r|", '1♣! "16+" X XX'),
        ("mb|1c|mb|X|mb|xx|", "1♣ X XX"),
        ("mb|1NT|mb|2d|an|@Hs|", '1NT 2♦ "♥s"'),
        ("mb|1S|an|texas !h |an|again|", '1♠ "texas ♥; again"'),
        ("mb|pass|mb|8C|mb|1H|", "1♥"),
    ],
)
def test_calls_alerts_and_explanations(written: str, expected: str) -> None:
    (record,) = read(f"md|3{HANDS}|ah|Board 5|sv|n|{written}").records
    assert calls(record.board) == expected


def test_what_cannot_be_read_is_said_with_its_line() -> None:
    text = f"md|3{HANDS}|ah|Board 5|sv|n|an|early|\nmb|8C|\n{AUCTION}pc|X3|\nmc|14|\nqq|7|"
    assert said(read(text).records[0]) == [
        (1, "An explanation stands before any call: {text}"),
        (2, "{call} is no call."),
        (3, "{card} is no card."),
        (4, "{result} is no number of tricks."),
        (5, "This cannot be read: {text}"),
    ]


def test_cards_without_a_contract_are_left_out_and_said() -> None:
    (record,) = read(f"md|3{HANDS}|ah|Board 5|sv|n|mb|1C|{PLAY}").records
    assert record.board.play is None
    assert (1, "Cards are played, but there is no contract; they are left out.") in said(record)


@pytest.mark.parametrize(
    ("deal", "reasons"),
    [
        (HANDS.rsplit(",", 2)[0], ["Three or four hands are needed; there are {number}."]),
        (HANDS.replace("CK2", "CK3"), ["More than one hand has {card}: {seats}.", "No hand has {cards}."]),
        ("SAKQ,HAKQ,DA", ["{seat} has {held} cards."] * 3),
        (HANDS.replace("SK3", "K3S"), ["{hand} is no hand: write four suits as S, H, D and C."]),
    ],
)
def test_no_deal_is_refused_and_never_stops_the_next_board(deal: str, reasons: list[str]) -> None:
    """Two hands, a card twice."""
    read_back = read(f"qx|o1|md|3{deal}|sv|o|{AUCTION}\nqx|o2|md|4{HANDS}|sv|n|{AUCTION}")
    (refused,) = read_back.refused
    assert (refused.line, refused.number, [record.board.number for record in read_back.records]) == (1, 1, [2])
    assert sentences(refused.reason) == reasons


def test_dealer_and_vulnerability_that_are_missing_come_from_the_number_and_it_is_said() -> None:
    (record,) = read(f"qx|o2|md|{HANDS}|{AUCTION}").records
    assert record.board.dealer is Seat.east
    assert [msgid for _, msgid in said(record)] == [
        "The file does not say who dealt; the dealer is taken from the board number.",
        "The file does not say who is vulnerable; it is taken from the board number.",
    ]


@pytest.mark.parametrize(
    ("data", "msgid"),
    [
        ("intÃ©rÃªt".encode(), "The letters look as if they had been encoded twice: {text}"),
        ("intérêt".encode("cp1252"),
         "The file does not say how its letters are encoded; it was read as {encoding}: {text}"),
    ],
)  # fmt: skip
def test_letters_that_may_be_wrong_are_kept_and_said(data: bytes, msgid: str) -> None:
    file = f"md|3{HANDS}|ah|Board 5|sv|n|mb|1C|an|".encode() + data + b"|mb|p|mb|p|mb|p|"
    (record,) = read_file(file).records
    assert (1, msgid) in said(record)


@pytest.mark.parametrize("text", ["vg|title|pg||", "md", "|" * 5000, "md|" + "|" * 5000])
def test_a_file_without_a_deal_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read(text)

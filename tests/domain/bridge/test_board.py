"""The board as a whole: nine published hands, what does not fit, and the stored form."""

import json
from dataclasses import replace

import pytest

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board, Finding, parse_deal
from casework.domain.bridge.contract import Contract
from casework.domain.bridge.deal import Deal, Hand
from casework.domain.bridge.notation import SEATS, Seat, Suit, Vulnerability, dealer_of, vulnerability_of
from casework.text import t
from tests.domain.bridge.published import PUBLISHED, T09_WEST_AS_PUBLISHED, Published, board_of

T04 = board_of(next(facts for facts in PUBLISHED if facts.key == "T04"))
T09 = next(facts for facts in PUBLISHED if facts.key == "T09")


@pytest.mark.parametrize("facts", PUBLISHED, ids=lambda facts: facts.key)
def test_a_published_board_fits_together(facts: Published) -> None:
    """52 cards, a legal auction that gives contract and declarer, the lead in the hand, and the score."""
    board = board_of(facts)
    assert board.findings() == []
    assert board.computed_score() == facts.ns_score


@pytest.mark.parametrize("facts", PUBLISHED, ids=lambda facts: facts.key)
def test_the_stored_form_reads_back(facts: Published) -> None:
    """One canonical form, plain JSON."""
    board = replace(board_of(facts), because={"lead": "found on the floor"})
    assert Board.from_json(json.loads(json.dumps(board.to_json()))) == board


def test_the_stored_form_uses_the_keys_of_the_board_command() -> None:
    """PBN's letters: seats N E S W, vulnerability None NS EW All."""
    stored = T04.to_json()
    assert (stored["board"], stored["dealer"], stored["vulnerable"]) == (22, "E", "EW")
    assert stored["hands"]["N"] == "T8.KT942.Q54.AJ5"
    assert stored["auction"][0] == {"call": "P", "alert": False, "explanation": ""}
    assert (stored["contract"], stored["declarer"], stored["result"], stored["score"]) == ("4S", "E", 10, -620)


def test_an_empty_board_reads_back() -> None:
    """The short ruling has a number and nothing more."""
    board = Board.numbered(7)
    assert Board.from_json(board.to_json()) == board
    assert (board.findings(), board.computed_score()) == ([], None)


def test_the_published_form_of_t09_is_refused() -> None:
    """T09: says that the 8 of diamonds is there twice and the 2 is missing; no reason can make it a deal."""
    hands = dict(zip(SEATS, T09.deal.split(), strict=True)) | {Seat.west: T09_WEST_AS_PUBLISHED}
    deal, _ = parse_deal(hands)
    eight = t("the {rank} of {suit}", suit=Suit.diamonds.words, rank="8")
    two = t("the {rank} of {suit}", suit=Suit.diamonds.words, rank="2")
    expected = [
        t("More than one hand has {card}: {seats}.", seats=[Seat.north.words, Seat.west.words], card=eight),
        t("No hand has {cards}.", cards=[two]),
    ]
    assert deal.problems() == expected
    board = replace(board_of(T09), deal=deal, because={"deal": "that is how it was published"})
    assert board.open_findings() == [Finding("deal", problem, grave=True) for problem in expected]


@pytest.mark.parametrize(
    ("change", "field", "text"),
    [
        ({"number": 21}, "dealer", t("Board {number} is dealt by {seat}.", number=21, seat=Seat.north.words)),
        ({"number": 1}, "vulnerability",
         t("Board {number} has {vulnerability}.", number=1, vulnerability=Vulnerability.none.words)),
        ({"contract": Contract.parse("4H")[0], "ns_score": None}, "contract",
         t("The auction gives the contract {contract}.", contract="4♠")),
        ({"declarer": Seat.west}, "declarer", t("By the auction {seat} is declarer.", seat=Seat.east.words)),
        ({"ns_score": 620}, "score", t("Contract and result give {score} to North–South.", score="−620")),
        ({"lead": "SA", "declarer": Seat.west}, "lead",
         t("{seat} leads, but does not have {card}.", seat=Seat.north.words,
           card=t("the {rank} of {suit}", suit=Suit.spades.words, rank=t("ace")))),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_and_may_be_recorded_with_a_reason(
    change: dict[str, object], field: str, text: object
) -> None:
    """An irregularity may be the very matter of the case."""
    board = replace(T04, **change)  # type: ignore[arg-type]
    assert text in [finding.text for finding in board.findings() if finding.field == field]
    recorded = replace(board, because={finding.field: "so it was played" for finding in board.findings()})
    assert recorded.open_findings() == []
    assert replace(board, because={field: "  "}).open_findings() != []


def test_an_irregular_auction_is_recorded_with_a_reason() -> None:
    """Law 27: the insufficient bid was the case."""
    auction = Auction.parse("2S P 1NT P P P", Seat.east)
    board = Board(dealer=Seat.east, vulnerability=Vulnerability.east_west, number=22, auction=auction)
    assert [(each.field, each.grave) for each in board.open_findings()] == [("auction", False)]
    assert replace(board, because={"auction": "insufficient bid, accepted"}).open_findings() == []


def test_a_reason_holds_for_what_it_was_given_for() -> None:
    """Another recorded score, another irregular call or a lead on a passed-out board is new."""
    board = replace(T04, ns_score=-650, because={"score": "the slip says so"})
    assert (board.open_findings(), list(board.reasons_for(board))) == ([], ["score"])
    assert list(board.reasons_for(replace(board, lead="S2"))) == ["score"]
    assert board.reasons_for(replace(board, ns_score=-2000)) == {}
    passed = replace(T04, auction=None, contract=Contract(0), declarer=None, ns_score=1400)
    assert [each.field for each in passed.findings()] == ["result", "score"]


def test_all_that_is_irregular_in_an_auction_is_found() -> None:
    """Not the first alone: a reason for it says nothing about the next."""
    auction = Auction.parse("2S 1H 1H P P P", Seat.east)
    board = Board(dealer=Seat.east, vulnerability=Vulnerability.none, auction=auction)
    assert [each.about for each in board.findings()] == ["1", "2"]


def test_an_unfinished_auction_says_so() -> None:
    board = replace(T04, auction=Auction.parse("P P 1C", Seat.east))
    assert Finding("auction", t("The auction is not finished. Add the last passes.")) in board.findings()


def test_a_board_passed_out() -> None:
    board = replace(Board.numbered(1), auction=Auction.parse("P P P P", Seat.north), contract=Contract(0), ns_score=0)
    assert (board.findings(), board.computed_score()) == ([], 0)


def test_the_auction_begins_with_the_dealer() -> None:
    with pytest.raises(ValueError, match="begins with the dealer"):
        replace(T04, dealer=Seat.south)


def test_fields_that_cannot_be_read_are_named_by_seat() -> None:
    """The other hands are kept."""
    deal, unread = parse_deal({Seat.north: "AKQ", Seat.south: "E/K/D/kn", Seat.east: "  "}, partial=True)
    assert deal == Deal(south=Hand(("A", "K", "Q", "J")), partial=True)
    assert list(unread) == [Seat.north]


DEALERS = "NESWNESWNESWNESW"
VULNERABLE = "None NS EW All NS EW All None EW All None NS All None NS EW".split()


@pytest.mark.parametrize("number", [*range(1, 33), 16 * 7 + 5])
def test_dealer_and_vulnerability_by_number(number: int) -> None:
    """Law 2: the cycle of 16."""
    index = (number - 1) % 16
    assert (dealer_of(number).value, vulnerability_of(number).value) == (DEALERS[index], VULNERABLE[index])


@pytest.mark.parametrize("number", [0, -1])
def test_boards_are_numbered_from_one(number: int) -> None:
    with pytest.raises(ValueError, match="from 1"):
        Board.numbered(number)


@pytest.mark.parametrize(("vulnerability", "seats"), [("None", ""), ("NS", "NS"), ("EW", "EW"), ("All", "NESW")])
def test_who_is_vulnerable(vulnerability: str, seats: str) -> None:
    assert "".join(seat for seat in SEATS if Vulnerability(vulnerability).covers(seat)) == seats

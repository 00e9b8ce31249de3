"""Play up to a trick, and claims."""

import json

import pytest

from casework.domain.bridge.board import Board, parse_deal
from casework.domain.bridge.contract import Contract, Strain
from casework.domain.bridge.notation import SEATS, Seat, card_words
from casework.domain.bridge.play import Claim, Play, winner
from casework.text import Text, t

DEAL, _ = parse_deal(
    dict(zip(SEATS, "QJT.A432.8643.K2 A875.JT9.A5.T765 9642.765.JT.QJ93 K3.KQ8.KQ972.A84".split(), strict=True))
)
NO_TRUMPS = Strain.no_trumps


def played(cards: str) -> Play:
    """From South's lead against East's 1NT."""
    return Play.in_turn(Seat.south, cards.split(), NO_TRUMPS)


@pytest.mark.parametrize(
    ("trick", "strain", "seat"),
    [
        ("CK C5 C3 CA", Strain.no_trumps, Seat.west),
        ("CK C5 C3 S2", Strain.no_trumps, Seat.north),
        ("CK C5 C3 S2", Strain.spades, Seat.west),
        ("C2 C5 CT C9", None, Seat.south),
    ],
)
def test_who_wins_a_trick(trick: str, strain: Strain | None, seat: Seat) -> None:
    """Law 44E and F; North led."""
    north, east, south, west = trick.split()
    assert winner((north, east, south, west), Seat.north, strain) is seat


def test_cards_in_turn_become_tricks() -> None:
    """Who wins leads; the last trick may stop anywhere."""
    play = played("C3 C4 CK C5  C2 C6 CJ CA  DK D3")
    assert play.tricks == (("CK", "C5", "C3", "C4"), ("C2", "C6", "CJ", "CA"), ("D3", "", "", "DK"))
    assert [leader for leader, _ in play.led(NO_TRUMPS)] == [Seat.south, Seat.north, Seat.west]
    assert (play.lead, play.won(Seat.east, NO_TRUMPS), list(play.faults(DEAL, NO_TRUMPS))) == ("C3", (1, 2), [])


@pytest.mark.parametrize(
    ("cards", "fault"),
    [
        ("C3 C4 CK SA", t("In trick {number} {seat} plays {card} and does not follow suit.", number=1,
                          seat=Seat.east.words, card=card_words("SA"))),
        ("C3 C5 CK C6", t("In trick {number} {seat} plays {card}, but does not have it.", number=1,
                          seat=Seat.west.words, card=card_words("C5"))),
        ("C3 C4 CK C5 CK", t("In trick {number} {card} is played a second time.", number=2, card=card_words("CK"))),
    ],
)  # fmt: skip
def test_what_cannot_be_followed(cards: str, fault: Text) -> None:
    """A revoke (Law 61) is kept; after a card that was not held the rest cannot be judged."""
    assert list(played(cards).faults(DEAL, NO_TRUMPS)) == [fault]


def test_a_gap_before_the_last_trick() -> None:
    play = Play(Seat.south, (("CK", "C5", "C3", ""), ("C2", "C6", "CJ", "CA")))
    assert list(play.faults(DEAL, NO_TRUMPS)) == [t("Trick {number} is not complete, but others follow.", number=1)]


def test_a_partial_deal_denies_no_card() -> None:
    north_only, _ = parse_deal({Seat.north: "QJT.A432.8643.K2"}, partial=True)
    assert list(played("C3 C4 SA C5").faults(north_only, NO_TRUMPS)) == []


def test_what_is_left_after_the_play() -> None:
    """A claim is judged on the cards that remain (Law 70)."""
    left = played("C3 C4 CK C5  C2 C6 CJ CA").left(DEAL)
    assert {seat.value: str(hand) for seat, hand in left.known()} == {
        "N": "QJT.A432.8643.", "E": "A875.JT9.A5.T7", "S": "9642.765.JT.Q9", "W": "K3.KQ8.KQ972.8",
    }  # fmt: skip


def board(tricks: int | None = None, claim: Claim | None = None, leader: Seat = Seat.south) -> Board:
    return Board(
        dealer=Seat.north,
        vulnerability=Board.numbered(1).vulnerability,
        deal=DEAL,
        contract=Contract.parse("1NT")[0],
        declarer=Seat.east,
        tricks=tricks,
        play=Play.in_turn(leader, "C3 C4 CK C5  C2 C6 CJ CA".split(), NO_TRUMPS),
        claim=claim,
    )


@pytest.mark.parametrize(("tricks", "fits"), [(0, False), (1, True), (12, True), (13, False)])
def test_a_result_must_fit_the_tricks_already_won(tricks: int, *, fits: bool) -> None:
    """Declarer has one of the first two. So must the number claimed."""
    words = t("Declarer had {won} of the first {played} tricks; {tricks} in all do not fit.",
              won=1, played=2, tricks=tricks)  # fmt: skip
    for field, it in {"result": board(tricks), "claim": board(claim=Claim(trick=3, tricks=tricks))}.items():
        assert [(each.field, each.text) for each in it.findings()] == ([] if fits else [(field, words)])


def test_declarers_left_hand_opponent_leads() -> None:
    """Law 41A; that another led may be the matter of the case."""
    found = [finding for finding in board(leader=Seat.north).findings() if finding.field == "play"]
    assert t("{seat} is to lead.", seat=Seat.south.words) in [finding.text for finding in found]


def test_the_stored_form_reads_back() -> None:
    remaining, _ = parse_deal({Seat.north: "QJ", Seat.east: "A./"}, partial=True)
    claim = Claim(trick=3, by=Seat.east, statement="spades first", tricks=9, remaining=remaining)
    full = board(claim=claim)
    assert Board.from_json(json.loads(json.dumps(full.to_json()))) == full


def test_a_board_stored_before_play_was_known_reads_back() -> None:
    """Rows of the table are never rewritten."""
    stored = {key: value for key, value in board().to_json().items() if key not in ("play", "claim")}
    old = Board.from_json(stored)
    assert (old.play, old.claim, old.declarer) == (None, None, Seat.east)


@pytest.mark.parametrize(
    ("trick", "left", "words"),
    [
        (12, "Q / A / – / –", []),
        (12, "– / A / – / –", []),
        (12, "K / A / – / –", [t("{seat} cannot have {card} left: it was never in the hand.",
                                 seat=Seat.north.words, card=card_words("SK"))]),
        (11, "Q / – / – / –", [t("{seat} has {held} cards left; in trick {number} it is {most}, or one less.",
                                 seat=Seat.north.words, held=1, number=11, most=3)]),
    ],
)  # fmt: skip
def test_the_cards_left_at_a_claim_fit_the_trick_and_the_hand(trick: int, left: str, words: list[Text]) -> None:
    """Law 70 is judged on them; who has played to the trick has one less."""
    remaining, _ = parse_deal({Seat.north: left}, partial=True)
    found = board(claim=Claim(trick=trick, remaining=remaining)).findings()
    assert [each.text for each in found] == words


def test_the_cards_at_a_claim_come_from_the_play_if_nobody_noted_them() -> None:
    shown, _ = parse_deal({Seat.north: "QJ///"}, partial=True)
    claimed = board(claim=Claim(trick=3))
    assert claimed.remaining() == claimed.play.left(DEAL) if claimed.play else False
    assert board(claim=Claim(trick=12, remaining=shown)).remaining() == shown


def test_a_play_that_does_not_reach_the_claim_tells_nothing_of_the_cards_left() -> None:
    """Two tricks recorded and a claim in the fifth: eleven cards a hand would be a false picture."""
    assert board(claim=Claim(trick=5)).remaining() is None
    assert board(claim=Claim(trick=4)).remaining() is None


def test_what_was_played_after_the_claim_was_still_in_the_hands() -> None:
    """Law 68D: play that goes on after a claim is no part of it."""
    left = board(claim=Claim(trick=1)).remaining()
    assert left is not None
    assert {len(hand.cards) for _, hand in left.known()} == {12}
    assert board().remaining() is None

"""Hands and deals: ways to write them, and what is said when they are no deal."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.domain.bridge.deal import Deal, Hand
from casework.domain.bridge.notation import (
    RANKS,
    SEATS,
    Language,
    Seat,
    Suit,
    Unreadable,
    card_name,
    parse_card,
)
from casework.text import Text, t

LANGUAGES: tuple[Language, ...] = ("sv", "en")
PACK = [suit + rank for suit in Suit for rank in RANKS]
HAND = "AKQ.JT9..8765432"


@pytest.mark.parametrize(
    "typed",
    [
        "AKQ.JT9..8765432",
        "akq.j109.-.8765432",
        "E K D / kn 10 9 / - / 8 7 6 5 4 3 2",
        "EKD.Kn109.–.8765432",
        "E, K, D\nkn 10 9\n-\n8765432\n",
        "DEK/9 10 kn//2345678",
        "♠ E K D ♥ Kn 10 9 ♦ – ♣ 8765432",
        "♠\ufe0eAKQ♥\ufe0eJT9♦\ufe0e-♣\ufe0e8765432",
        "S: A K Q H: J T 9 D: - C: 8765432",
        "sp EKD hj Kn109 kl 8765432",
        "Klöver 8765432 Spader: E K D Hjärter kn109",
        "S: EKD H: kn109 R: K: 8765432",
    ],
)
def test_ways_to_write_a_hand(typed: str) -> None:
    """E K D Kn 10 and A K Q J T, dots, slashes, lines or suit by suit."""
    assert str(Hand.parse(typed)) == HAND


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("AKQJ", t("Write the four suits with a full stop or a slash between them.")),
        ("A.K.Q.J.T", t("A hand has four suits. Remove a full stop or a slash.")),
        ("AKX.J..", t("{typed} is no card. Write for example A K Q J 10 9.", typed="x")),
        ("AK1.J..", t("{typed} is no card. Write for example A K Q J 10 9.", typed="1")),
        ("A ♠ K", t("Write the suit before its cards.")),
        ("♠ A ♥ K ♠ Q", t("The suit {suit} is there twice.", suit=t("spades"))),
    ],
)
def test_a_hand_that_cannot_be_read(typed: str, reason: Text) -> None:
    """The message says what to write instead."""
    with pytest.raises(Unreadable) as refused:
        Hand.parse(typed)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("language", "rendered"),
    [("sv", "E K D / Kn 10 9 / – / 8 7 6 5 4 3 2"), ("en", "A K Q / J 10 9 / – / 8 7 6 5 4 3 2")],
)
def test_a_hand_in_the_readers_language(language: Language, rendered: str) -> None:
    """B2: one stored form, shown per language."""
    assert Hand.parse(HAND).render(language) == rendered


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        (12, t("{seat} has 12 cards. Add one card.", seat=t("South"))),
        (14, t("{seat} has 14 cards. Remove one card.", seat=t("South"))),
        (9, t("{seat} has {held} cards. Add {number} cards.", seat=t("South"), held=9, number=4)),
        (16, t("{seat} has {held} cards. Remove {number} cards.", seat=t("South"), held=16, number=3)),
        (1, t("{seat} has one card. Add 12 cards.", seat=t("South"))),
        (0, t("{seat} has no cards. Add 13 cards, or mark the deal as partial.", seat=t("South"))),
    ],
)
def test_a_hand_must_have_thirteen_cards(cards: int, sentence: Text) -> None:
    """Tone 6: "Syd har 12 kort. Lägg till ett kort." """
    others = {seat: hand_of(PACK[number * 13 : number * 13 + 13]) for number, seat in enumerate(SEATS)}
    deal = Deal(others[Seat.north], others[Seat.east], hand_of(PACK[26 : 26 + cards]), others[Seat.west])
    assert deal.problems()[0] == sentence


def test_fourteen_and_twelve() -> None:
    """A card in the neighbour's pocket: both hands are named, and no card is double or missing."""
    deal = Deal(*(hand_of(PACK[start:end]) for start, end in ((0, 14), (14, 26), (26, 39), (39, 52))))
    assert deal.problems() == [
        t("{seat} has 14 cards. Remove one card.", seat=t("North")),
        t("{seat} has 12 cards. Add one card.", seat=t("East")),
    ]


def test_a_card_twice_in_one_hand() -> None:
    deal = Deal(north=Hand.parse("AA.."), partial=True)
    ace = t("the {rank} of {suit}", suit=t("spades"), rank=t("ace"))
    assert deal.problems() == [t("{seat} has {card} more than once.", seat=t("North"), card=ace)]


def test_a_partial_deal_is_part_of_a_possible_one() -> None:
    """Only the relevant cards: fewer are right, too many or the same card twice are not."""
    assert Deal(north=Hand.parse("AKQ/J/-/-"), west=Hand.parse("-/A/-/-"), partial=True).problems() == []
    assert len(Deal(north=hand_of(PACK[:14]), partial=True).problems()) == 1
    assert len(Deal(north=hand_of(PACK[:2]), west=hand_of(PACK[1:3]), partial=True).problems()) == 1


@pytest.mark.parametrize(
    ("typed", "card"),
    [("HJ", "HJ"), ("♥Kn", "HJ"), ("hj kn", "HJ"), ("ruter 8", "D8"), ("D8", "D8"), ("r10", "DT"), ("KK", "CK"),
     ("SD", "SQ"), ("se", "SA"), ("♣ 2", "C2")],
)  # fmt: skip
def test_ways_to_write_a_card(typed: str, card: str) -> None:
    """Suit first, in either language."""
    assert parse_card(typed) == card


@pytest.mark.parametrize("typed", ["", "8", "H", "H1", "8H", "S98"])
def test_a_card_that_cannot_be_read(typed: str) -> None:
    with pytest.raises(Unreadable):
        parse_card(typed)


@given(st.sampled_from(PACK), st.sampled_from(LANGUAGES))
def test_a_rendered_card_reads_back(card: str, language: Language) -> None:
    assert parse_card(card_name(card, language)) == card


@given(st.lists(st.sampled_from(PACK), max_size=20), st.sampled_from(LANGUAGES))
def test_a_rendered_hand_reads_back(cards: list[str], language: Language) -> None:
    """parse(render(x)) = x in both languages, for impossible hands too; so does the stored form."""
    hand = hand_of(cards)
    assert Hand.parse(hand.render(language)) == hand
    assert Hand.parse(str(hand)) == hand


@given(st.randoms(use_true_random=False))
def test_any_deal_of_the_pack_is_a_deal(dice: random.Random) -> None:
    """And with one card changed for another it is none."""
    cards = dice.sample(PACK, 52)
    hands = [hand_of(cards[start : start + 13]) for start in (0, 13, 26, 39)]
    assert Deal(*hands).problems() == []
    spoilt = hand_of([*cards[:12], cards[-1]])
    assert len(Deal(spoilt, *hands[1:]).problems()) == 2


@given(st.text())
def test_any_text_is_a_hand_or_is_refused(typed: str) -> None:
    """Never another error."""
    try:
        hand = Hand.parse(typed)
    except Unreadable:
        return
    assert Hand.parse(str(hand)) == hand


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_seat_reads_back(seat: Seat, language: Language) -> None:
    """N Ö S V and N E S W."""
    assert Seat.parse(seat.letter(language)) is seat


def test_a_seat_that_does_not_exist() -> None:
    with pytest.raises(Unreadable):
        Seat.parse("X")


def hand_of(cards: list[str]) -> Hand:
    return Hand.of({suit: "".join(card[1] for card in cards if card[0] == suit) for suit in Suit})

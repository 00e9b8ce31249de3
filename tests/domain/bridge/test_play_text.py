"""The play as the director types it, and as it is written back."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.domain.bridge.contract import Strain
from casework.domain.bridge.notation import RANKS, Language, Seat, Suit, Unreadable
from casework.domain.bridge.play import Play
from casework.domain.bridge.play_text import read_play, render_play
from casework.text import Text, t
from tests.domain.bridge.files.made import random_board

NO_TRUMPS = Strain.no_trumps
LANGUAGES = st.sampled_from(["sv", "en"])
CARD = st.builds("{}{}".format, st.sampled_from(Suit), st.sampled_from(RANKS))


def line(number: int, reason: Text) -> Text:
    return t("Line {number}: {reason}", number=number, reason=reason)


@pytest.mark.parametrize(
    "typed",
    [
        "♣3 4 K 5\n♣2 6 J A\n♦K 3",
        "kl3 kl4 klk kl5\nC2 C6 CJ CA\nru k, 3",
        "1. ♣\ufe0e3 4 K 5\n\n2) k2 k6 kkn ke\n3: hj-".removesuffix("3: hj-") + "3: ruter K 3",
    ],
)
def test_a_trick_a_line_in_the_order_it_was_played(typed: str) -> None:
    """A card without a suit follows the suit led; who won leads."""
    played = Play.in_turn(Seat.south, "C3 C4 CK C5  C2 C6 CJ CA  DK D3".split(), NO_TRUMPS)
    assert read_play(typed, Seat.south, NO_TRUMPS) == played


def test_a_player_who_led_out_of_turn_is_named() -> None:
    assert read_play("V: ♠8 2", Seat.south, None) == Play(Seat.west, (("S2", "", "", "S8"),))
    assert read_play("  \n", Seat.south, None) is None


@pytest.mark.parametrize(
    ("typed", "leader", "reason"),
    [
        ("♠8 2 A 4 5", Seat.west, line(1, t("A trick has four cards. Write each trick on a line of its own."))),
        ("♠8 x", Seat.west, line(1, t("{typed} is no card. Write for example ♠8.", typed="x"))),
        ("8 ♠2", Seat.west, line(1, t("{typed} is no card. Write for example ♠8.", typed="8"))),
        ("♠8 2 spader", Seat.west, line(1, t("{typed} is no card. Write for example ♠8.", typed="spader"))),
        ("♠8 2", None, line(1, t("Write who led, for example {example}.", example="N: ♠8"))),
        ("♠8 2\n♠3", Seat.west, line(2, t("Write who led, for example {example}.", example="N: ♠8"))),
        ("♠8 2 3 4\nN: ♠5", Seat.west,
         line(2, t("By the trick before, another leads. Write in the facts who did."))),
        ("♠8\n" * 14, Seat.west, t("There are only 13 tricks.")),
    ],
)  # fmt: skip
def test_what_cannot_be_read_names_its_line(typed: str, leader: Seat | None, reason: Text) -> None:
    with pytest.raises(Unreadable) as refused:
        read_play(typed, leader, NO_TRUMPS)
    assert refused.value.reason == reason


@given(random=st.randoms(use_true_random=False), language=LANGUAGES, named=st.booleans())
def test_a_played_board_reads_back(*, random: Random, language: Language, named: bool) -> None:
    board = random_board(random)
    if board.play is None or board.contract is None:
        return
    leader = None if named else board.play.leader
    strain = board.contract.strain
    assert read_play(render_play(board.play, language, leader, strain), leader, strain) == board.play


@given(
    st.sampled_from(Seat),
    st.lists(st.tuples(*[CARD | st.just("")] * 4), min_size=1, max_size=13),
    st.sampled_from([None, *Strain]),
    LANGUAGES,
)
def test_a_play_with_gaps_reads_back(
    leader: Seat, tricks: list[tuple[str, str, str, str]], strain: Strain | None, language: Language
) -> None:
    """As a file may have it: cards that are missing, or that nobody could have played."""
    play = Play(leader, tuple(tricks))
    assert read_play(render_play(play, language, Seat.north, strain), Seat.north, strain) == play

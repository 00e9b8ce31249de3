"""Auctions: ways to write calls, what is irregular, and what contract they give."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.domain.bridge.auction import Auction, Irregularity
from casework.domain.bridge.call import LONGEST, Call, Explanation, Pause, ScreenSide
from casework.domain.bridge.contract import Contract, Strain
from casework.domain.bridge.notation import SEATS, Language, Seat, Unreadable
from casework.text import Text, t

BIDS = [f"{level}{strain}" for level in range(1, 8) for strain in Strain]


def calls(typed: str) -> list[str]:
    return [call.call for call in Auction.parse(typed, Seat.north).calls]


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("1S 1sp 1♠ 1spader 1♠\ufe0e 1 s", ["1S"] * 6),
        ("1H 1hj 1♥ 1hjärter", ["1H"] * 4),
        ("1D 1ru 1r 1♦ 1ruter", ["1D"] * 5),
        ("1C 1kl 1k 1♣ 1klöver", ["1C"] * 5),
        ("1NT 1n 1sang 1SA 1nt", ["1N"] * 5),
        ("P pass PASS p", ["P"] * 4),
        ("X D dbl dubbelt", ["X"] * 4),
        ("XX RD rd redubbelt", ["XX"] * 4),
        ("1d, d; pass, rd", ["1D", "X", "P", "XX"]),
        ("1H X - 4S – — −", ["1H", "X", "P", "4S", "P", "P", "P"]),
        ("1H AP", ["1H", "P", "P", "P"]),
        ("1H P alla pass", ["1H", "P", "P", "P"]),
        ("P all pass", ["P", "P", "P", "P"]),
        ("", []),
    ],
)
def test_ways_to_write_a_call(typed: str, canonical: list[str]) -> None:
    """B2: D is a double alone and diamonds after a level."""
    assert calls(typed) == canonical


@pytest.mark.parametrize(
    ("typed", "dealer", "seated"),
    [
        ("P P 1C 1H 1S 4H [30 s] X - 4S P P P", Seat.east, "ESWNESWNESWN"),
        ("– – P P 1C", Seat.east, "ESW"),
        ("- - - 1C", Seat.south, "S"),
        ("1C - 1H", Seat.west, "WNE"),
    ],
)
def test_a_dash_is_a_pass_or_a_seat_before_the_dealer(typed: str, dealer: Seat, seated: str) -> None:
    """Never nothing: a pass that is dropped lets everybody after it make the neighbour's call (board 22)."""
    assert "".join(seat for seat, _ in Auction.parse(typed, dealer).seated()).startswith(seated)


@pytest.mark.parametrize("typed", ["- 1C", "– – – 1C", "-", "1S-2S", "1S -2S", "1S --", "1S P- -P"])
def test_a_dash_that_can_be_two_things_is_refused(typed: str) -> None:
    with pytest.raises(Unreadable) as refused:
        Auction.parse(typed, Seat.east)
    assert "ash" in refused.value.reason.msgid


@pytest.mark.parametrize("typed", ["[30 s långsamt] P", "[30 s överens P", "[] P"])
def test_a_pause_that_cannot_be_read_is_told_how_it_is_written(typed: str) -> None:
    with pytest.raises(Unreadable) as refused:
        Auction.parse(typed, Seat.east)
    assert refused.value.reason.params == {"agreed": "[30 s]", "disputed": "[30 s?]"}


def test_alerts_and_explanations() -> None:
    """`!` marks the alert, quotation marks hold the explanation; one may stand without the other."""
    auction = Auction.parse('1H! "5+ hearts"  P 2NT! ”Stenberg” P "asked, no answer"', Seat.north)
    assert auction.calls == (
        Call("1H", alert=True, explanation="5+ hearts"),
        Call("P"),
        Call("2N", alert=True, explanation="Stenberg"),
        Call("P", explanation="asked, no answer"),
    )


@pytest.mark.parametrize(
    ("typed", "pause"),
    [
        ("[30 s] X", Pause(30)),
        ("[30] X", Pause(30)),
        ("[30 s, överens] X", Pause(30)),
        ("[30 s agreed] X", Pause(30)),
        ("[30 s, omtvistad] X", Pause(30, disputed=True)),
        ("[30 sek?] X", Pause(30, disputed=True)),
        ("[tankepaus 30 sekunder omtvistad] X", Pause(30, disputed=True)),
        ("[paus] X", Pause()),
        ("[pause?] X", Pause(disputed=True)),
        ("… X", Pause()),
        ("... X", Pause()),
    ],
)
def test_a_pause_stands_before_the_call_that_it_delayed(typed: str, pause: Pause) -> None:
    """Law 16: how long, and whether the sides agree about it."""
    assert Auction.parse(f"4H {typed} P", Seat.north).calls == (Call("4H"), Call("X", pause=pause), Call("P"))


@pytest.mark.parametrize(
    ("typed", "heard"),
    [
        ('N: "krav"', Explanation(text="krav", by=Seat.north)),
        ('N>Ö: "krav"', Explanation(text="krav", by=Seat.north, to=Seat.east)),
        ('n→e "krav"', Explanation(text="krav", by=Seat.north, to=Seat.east)),
        ('NÖ: "krav"', Explanation(text="krav", screen=ScreenSide.north_east)),
        ("sw S>W: ”krav”", Explanation(text="krav", by=Seat.south, to=Seat.west, screen=ScreenSide.south_west)),
    ],
)
def test_who_explained_to_whom_and_on_which_side_of_the_screen(typed: str, heard: Explanation) -> None:
    assert Auction.parse(f"2C! {typed} P", Seat.north).calls[0] == Call("2C", alert=True, explained=(heard,))


def test_behind_screens_one_call_is_explained_twice() -> None:
    """And differently, which is why the case exists."""
    (call,) = Auction.parse('2C! "alerterat" NÖ: "krav" SV: "naturligt"', Seat.north).calls
    assert call.explanation == "alerterat"
    assert [(each.screen, each.text) for each in call.explained] == [("NE", "krav"), ("SW", "naturligt")]


def test_an_explanation_of_nobody_is_refused() -> None:
    with pytest.raises(ValueError, match="of nobody"):
        Explanation(text="krav")


def test_a_call_out_of_turn_that_was_accepted_moves_the_turn() -> None:
    """Laws 28-29: the next player calls, and nothing is corrected."""
    auction = Auction.parse("1S V: 2H P P P", Seat.north)
    assert [seat.value for seat, _ in auction.seated()] == list("NWNES")
    assert auction.irregularity() == Irregularity(
        1, t("{seat} called when it was {turn}'s turn.", seat=Seat.west.words, turn=Seat.east.words)
    )
    assert auction.contract() == (Contract(2, Strain.hearts), Seat.west)


def test_a_pass_out_of_turn_that_was_withdrawn_leaves_the_turn() -> None:
    """Law 30: it has been heard, and the auction goes on as if it had not."""
    auction = Auction.parse("1S W: P [withdrawn] P 2S P P P", Seat.north)
    assert [seat.value for seat, _ in auction.seated()] == list("NWESWNE")
    assert [each.index for each in auction.irregularities()] == [1, 1]
    assert auction.contract() == (Contract(2, Strain.spades), Seat.north)


def test_an_insufficient_bid_that_was_made_good() -> None:
    """Law 27: the lower bid is kept beside what came instead."""
    auction = Auction.parse("2S 1NT [återtaget] 2NT P P P", Seat.north)
    assert [each.reason for each in auction.irregularities()] == [
        t("{call} is not higher than {last}.", call="1NT", last="2♠"),
        t("{call} was withdrawn.", call="1NT"),
    ]
    assert auction.contract() == (Contract(2, Strain.no_trumps), Seat.east)


def test_seats_before_calls_in_turn_say_nothing_new() -> None:
    assert Auction.parse("N: 1S Ö: P S: 2S V: P", Seat.north) == Auction.parse("1S P 2S P", Seat.north)


def test_a_pause_before_nothing() -> None:
    with pytest.raises(Unreadable) as refused:
        calls("1S P [30 s]")
    assert refused.value.reason.msgid == "Write a pause before the call that it delayed, for example {example}."


def test_an_auction_without_end_is_refused() -> None:
    with pytest.raises(Unreadable):
        calls("P " * (LONGEST + 1))


@pytest.mark.parametrize("typed", ["8S", "0S", "1", "1Z", "passx", "hello", '"only words"', '1S "open end', "!"])
def test_a_call_that_cannot_be_read(typed: str) -> None:
    """The message shows what was not understood."""
    with pytest.raises(Unreadable) as refused:
        calls(typed)
    assert refused.value.reason.msgid == "{typed} is no call. Write for example 1♠, 3NT, P, X or XX."


@pytest.mark.parametrize(
    ("typed", "index", "reason"),
    [
        ("1S 1H", 1, t("{call} is not higher than {last}.", call="1♥", last="1♠")),
        ("1NT P 1NT", 2, t("{call} is not higher than {last}.", call="1NT", last="1NT")),
        ("X", 0, t("{call} comes before any bid.", call="X")),
        ("1S P X", 2, t("{call} comes after the own side's {last}.", call="X", last="1♠")),
        ("1S X P X", 3, t("{call} doubles what is doubled already.", call="X")),
        ("1S XX", 1, t("{call} redoubles what is not doubled.", call="XX")),
        ("1S X P XX", 3, t("{call} comes after the own side's {last}.", call="XX", last="X")),
        ("1S P P P 2S", 4, t("{call} comes after the auction has ended.", call="2♠")),
        ("P P P P P", 4, t("{call} comes after the auction has ended.", call="Pass")),
    ],
)
def test_what_is_irregular(typed: str, index: int, reason: Text) -> None:
    """Laws 18, 19, 27, 36 and 39: the first irregular call, in words, and nothing is corrected."""
    assert Auction.parse(typed, Seat.north).irregularity() == Irregularity(index, reason)


@pytest.mark.parametrize("typed", ["P P P 1S P P P", "1S X XX P P 2C P P X P P P", "1C P P X P P XX P P P", "1S"])
def test_what_is_legal(typed: str) -> None:
    assert Auction.parse(typed, Seat.north).irregularity() is None


@pytest.mark.parametrize(
    ("typed", "contract", "declarer"),
    [
        ("1S P 4S P P P", "4S", Seat.north),
        ("P 1H P 4H X P P P", "4HX", Seat.east),
        ("1C P 1S P 2S P P P", "2S", Seat.south),
        ("1C 1S P 2S 3C P P P", "3C", Seat.north),
        ("1NT X XX P P P", "1NXX", Seat.north),
        ("1S X 2S P P P", "2S", Seat.north),
        ("P P P P", "Pass", None),
        ("2S P 1NT P P P", "1N", Seat.south),
    ],
)
def test_contract_and_declarer(typed: str, contract: str, declarer: Seat | None) -> None:
    """The declarer is who of the side first named the strain; a double dies with the next bid."""
    assert Auction.parse(typed, Seat.north).contract() == (Contract.parse(contract)[0], declarer)


@pytest.mark.parametrize("typed", ["", "P P P", "1S P P", "1S P 2S"])
def test_an_unfinished_auction_gives_no_contract(typed: str) -> None:
    auction = Auction.parse(typed, Seat.north)
    assert (auction.finished, auction.contract()) == (False, None)


WORDS = st.text(max_size=30)
EXPLAINED = st.builds(
    Explanation,
    text=WORDS,
    by=st.sampled_from(SEATS),
    to=st.none() | st.sampled_from(SEATS),
    screen=st.none() | st.sampled_from(ScreenSide),
)
CALLS = st.builds(
    Call,
    st.sampled_from([*BIDS, "P", "X", "XX"]),
    st.booleans(),
    WORDS,
    st.lists(EXPLAINED, max_size=2).map(tuple),
    st.none() | st.builds(Pause, st.none() | st.integers(1, 999), st.booleans()),
    st.none() | st.sampled_from(SEATS),
    st.booleans(),
)
LANGUAGES: tuple[Language, ...] = ("sv", "en")


@given(st.lists(CALLS, max_size=20).map(tuple), st.sampled_from(Seat), st.sampled_from(LANGUAGES))
def test_a_rendered_auction_reads_back(made: tuple[Call, ...], dealer: Seat, language: Language) -> None:
    """parse(render(x)) = x in both languages, for irregular auctions too, whatever stands in the explanations."""
    auction = Auction(dealer, made)
    assert Auction.parse(auction.render(language), dealer) == auction


@given(st.lists(CALLS, max_size=20).map(tuple), st.sampled_from(Seat))
def test_the_stored_form_of_a_call_reads_back(made: tuple[Call, ...], dealer: Seat) -> None:
    auction = Auction(dealer, made)
    stored = json.loads(json.dumps([call.to_json() for call in auction.calls]))
    assert tuple(map(Call.from_json, stored)) == auction.calls


def test_a_call_stored_before_pauses_were_kept_is_read() -> None:
    assert Call.from_json({"call": "1S", "alert": True, "explanation": "5+"}) == Call(
        "1S", alert=True, explanation="5+"
    )


@given(st.lists(st.sampled_from([*BIDS, "P", "P", "P", "X", "XX"]), max_size=40))
def test_what_is_left_of_a_random_auction_is_legal(stream: list[str]) -> None:
    """Calls taken only while legal: the last bid is the highest, and the contract comes of it."""
    auction = Auction(Seat.north, ())
    for call in [*stream, "P", "P", "P", "P"]:
        longer = Auction(Seat.north, (*auction.calls, Call(call)))
        auction = longer if longer.irregularity() is None else auction
    assert auction.finished
    bids = [BIDS.index(call.call) for call in auction.calls if call.bid]
    assert bids == sorted(set(bids))
    given = auction.contract()
    assert given is not None
    assert str(given[0])[:2] == (BIDS[bids[-1]] if bids else "Pa")


@given(st.text())
def test_any_text_is_an_auction_or_is_refused(typed: str) -> None:
    """Never another error."""
    try:
        auction = Auction.parse(typed, Seat.north)
    except Unreadable:
        return
    assert Auction.parse(auction.render("sv"), Seat.north) == auction

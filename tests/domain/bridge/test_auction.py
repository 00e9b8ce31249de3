"""Auctions: ways to write calls, what is irregular, and what contract they give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.domain.bridge.auction import Auction, Call, Irregularity
from casework.domain.bridge.contract import Contract, Strain
from casework.domain.bridge.notation import Seat, Unreadable
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
        ("1d, d; pass - rd", ["1D", "X", "P", "XX"]),
        ("", []),
    ],
)
def test_ways_to_write_a_call(typed: str, canonical: list[str]) -> None:
    """B2: D is a double alone and diamonds after a level."""
    assert calls(typed) == canonical


def test_alerts_and_explanations() -> None:
    """`!` marks the alert, quotation marks hold the explanation; one may stand without the other."""
    auction = Auction.parse('1H! "5+ hearts"  P 2NT! ”Stenberg” P "asked, no answer"', Seat.north)
    assert auction.calls == (
        Call("1H", alert=True, explanation="5+ hearts"),
        Call("P"),
        Call("2N", alert=True, explanation="Stenberg"),
        Call("P", explanation="asked, no answer"),
    )


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


CALLS = st.builds(Call, st.sampled_from([*BIDS, "P", "X", "XX"]), st.booleans(), st.text(max_size=30))


@given(st.lists(CALLS, max_size=20).map(tuple), st.sampled_from(Seat))
def test_a_rendered_auction_reads_back(made: tuple[Call, ...], dealer: Seat) -> None:
    """parse(render(x)) = x for irregular auctions too, whatever stands in the explanations."""
    auction = Auction(dealer, made)
    assert Auction.parse(auction.render(), dealer) == auction


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
    assert Auction.parse(auction.render(), Seat.north) == auction

"""The pads for cards and calls: typing goes on beside them, and they agree with the server."""

from typing import Any

import pytest

from casework.clock import now
from casework.domain.bridge.auction import Auction
from casework.domain.bridge.deal import Hand
from casework.domain.bridge.notation import SEATS, Seat, Unreadable
from tests import factories
from tests.browser.house import House
from tests.browser.phone import Phone
from tests.browser.thumb import CALLED, LAST, OF_SUIT, WHOSE, call
from tests.domain.bridge.published import PUBLISHED

pytestmark = pytest.mark.browser

T04 = next(facts for facts in PUBLISHED if facts.key == "T04")
HANDS = dict(zip(SEATS, T04.deal.split(), strict=True))
STATUS = ".pad:has([data-{}]) [role=status]"


def test_pads_and_text_stay_in_step(quiet_house: House) -> None:
    """Typing still works, a card moves from hand to hand, an irregular call is kept, and undone."""
    phone = _opened(quiet_house)
    phone.page.get_by_text("Skriv händerna som text").click()
    phone.write("Nord", "EK/D/-/Kn10").write("Syd", "hj E k, ru 98 sp 4")
    assert phone.page.locator(".hand-s td > span:last-child").all_inner_texts() == ["4", "E K", "9 8", "–"]
    phone.tap("Syd", within=WHOSE)
    phone.tap("K", within=OF_SUIT)
    assert phone.page.input_value("#south") == "K 4 / E K / 9 8 / –"
    assert phone.page.input_value("#north") == "E / D / – / Kn 10"
    phone.page.get_by_role("button", name="Ångra").first.tap()
    assert phone.page.input_value("#north") == "EK/D/-/Kn10"
    phone.write("Nord", "vad som helst").says("förstår inte alla textfälten")

    phone.page.get_by_text("Skriv hela budgivningen som text").click()
    phone.write("Budgivning", 'P 2♠! "svag"')
    phone.says("2♠1", "Alerterat. ”svag”.")
    call(phone, "1H")
    phone.says("Lagen tillåter inte budet")
    assert phone.page.input_value("#auction") == 'Pass 2♠! "svag" 1♥'
    assert phone.page.locator("#odd").get_attribute("open") is not None
    phone.page.get_by_role("button", name="Ångra").last.tap()
    assert phone.page.input_value("#auction") == 'Pass 2♠! "svag"'
    assert not phone.wrong


def test_what_was_irregular_is_tapped_in_too(quiet_house: House) -> None:
    """A call out of turn that was taken back, and an explanation by one player to another behind a screen."""
    phone = _opened(quiet_house)
    phone.page.get_by_text("I fel tur, eller taget tillbaka").tap()
    phone.tap("Väst", within="Vem som bjuder i fel tur").tap("Pass", within=CALLED)
    phone.page.get_by_role("button", name="Det senaste budet togs tillbaka").tap()
    call(phone, "1C")
    phone.tap("Alerterat", "Förklarat", within=LAST).write("Förklaring", "minst 16")
    phone.choose("Av", "Öst").choose("Till", "Nord").choose("Skärmsida", "Nord–Öst")
    typed = phone.page.input_value("#auction")
    assert typed == 'V: Pass [återtaget] 1♣! NÖ Ö>N: "minst 16"'
    assert [seat for seat, _ in Auction.parse(typed, Seat.east).seated()] == [Seat.west, Seat.east]


def test_the_bidding_pad_needs_only_the_keyboard(quiet_house: House) -> None:
    """A3, 2.1.4: letters and digits work while the pad has the focus, and what happens is said aloud."""
    phone = _opened(quiet_house)
    phone.page.get_by_role("button", name="Pass", exact=True).focus()
    for key in ("p", "1", "s", "x", "Backspace"):
        phone.page.keyboard.press(key)
    assert phone.page.input_value("#auction") == "Pass 1♠"
    phone.page.keyboard.press("Enter")
    assert phone.page.inner_text(STATUS.format("call")) == "Väst: Pass"


def test_who_goes_on_tapping_the_fourth_hand_takes_nothing_from_it(quiet_house: House) -> None:
    """The pad gives it the rest; a thumb that has not seen it taps the same thirteen cards."""
    phone = _opened(quiet_house)
    for seat, suit in zip("NES", "SHD", strict=True):
        phone.page.click(f'[data-seat="{seat}"]')
        phone.page.click(f'[data-suit="{suit}"]')
        for rank in "AKQJT98765432":
            phone.page.click(f'[data-rank="{rank}"]')
    phone.page.click('[data-suit="C"]')
    for rank in "AKQJT98765432":
        phone.page.click(f'[data-rank="{rank}"]')
    assert len(Hand.parse(phone.page.input_value("#west")).cards) == 13
    phone.page.click('[data-rank="2"]')
    assert len(Hand.parse(phone.page.input_value("#west")).cards) == 12


TEXTS = [
    *(facts.calls for facts in PUBLISHED if facts.calls),
    "1s 1SP 1♠\ufe0e 1spader 2 h 2hj 2♥ 3d 3ru 3r 3♦ 4c 4kl 4k 4♣ 5n 5nt 5sang 5sa, d; dbl - – redubbelt RD XX x",
    "[30 s] X [30] P [5 sek?] P … P ... P [paus] P [pause?] P [tankepaus 10 sekunder omtvistad] 1S",
    '1H! "5+ \\"hjärter\\"" N>Ö: "krav" ”” sw "inget" >v "x" [withdrawn] V: p [ändrat]',
    "V:1h n: 2h Ö : p",
    "[30 s, överens] P", "1S - - -", "- - 1S", "- 1S", "–, 1S", "1S-2S", "1S AP", "p p alla passar", "AP", "all pass",
    "1S P [återtaget] ap", "P P P P ap", "1S P alla pass, ", "1S apa", "[30 s] ap",
    "1S hej", "1S [30 s]", '1S "öppet', "9S", "", "1S !", "passx", '1S "a" "b"',
]  # fmt: skip


HANDS_TYPED = [
    *(hand for facts in PUBLISHED for hand in facts.deal.split()),
    *(Hand.parse(hand).render(language) for hand in HANDS.values() for language in ("sv", "en")),
    "akq.j109.-.8765432",
    "E, K, D\nkn 10 9\n-\n8765432\n",
    "♠\ufe0eAKQ♥\ufe0eJT9♦\ufe0e-♣\ufe0e8765432",
    "Klöver 8765432 Spader: E K D Hjärter kn109",
    "S: EKD H: kn109 R: K: 8765432",
    "AKQJ", "A.K.Q.J.T", "AKX.J..", "AK1.J..", "A ♠ K", "♠ A ♥ K ♠ Q", "vad som helst",
]  # fmt: skip


def test_the_bidding_pad_reads_and_writes_as_the_server_does(quiet_house: House) -> None:
    """One grammar in two languages: whatever the pad understands, the server understands alike, and says the same."""
    page = quiet_house.phone(javascript=True).go("/hjalp").page
    for typed in TEXTS:
        read: Any = page.evaluate(
            """async (typed) => { const { read, write } = await import("/static/js/auction.js");
            const calls = read(typed, "N");
            return calls && { sv: write(calls, true), en: write(calls, false) }; }""",
            typed,
        )
        try:
            auction = Auction.parse(typed, Seat.north)
        except Unreadable:
            assert read is None, typed
            continue
        assert Auction.parse(read["sv"], Seat.north) == auction, typed
        assert Auction.parse(read["en"], Seat.north) == auction, typed


def test_the_card_pad_reads_as_the_server_does(quiet_house: House) -> None:
    page = quiet_house.phone(javascript=True).go("/hjalp").page
    for typed in HANDS_TYPED:
        read: Any = page.evaluate("""async (typed) => (await import("/static/js/card-pad.js")).parse(typed)""", typed)
        try:
            assert sorted(Hand.parse(typed).cards) == sorted(read or ()), typed
        except Unreadable:
            assert read is None, typed


def _opened(house: House) -> Phone:
    """The page with both pads, of a board that nothing is known of."""
    case = factories.open_case(house.there, at=now(), board=22)
    phone = house.official("director", house.phone(javascript=True, touch=True))
    return phone.go(f"/arenden/{case.case_id}/domslut/underlag/hander")

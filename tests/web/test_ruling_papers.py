"""The full form in the browser: hands, auction, result, facts and reasons, checked against each other (R27)."""

from typing import Any

import pytest
from flask import Flask

from casework import clock
from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.notation import Seat
from casework.domain.models import BoardRecord, Decision, Statement
from casework.domain.terms import StatementKind
from tests import factories
from tests.factories import Federation, OpenCase
from tests.page import PageClient
from tests.web import signing
from tests.web.at_table import ANSWERS, CHECK, TELL, errors, rows, url

HANDS: dict[str, Any] = {
    "north": "D74 / 7 / Kn832 / KKn1075",
    "east": "962.K852.A94.862",
    "south": "EK1085/103/D107/E94",
    "west": "Kn3/EDKn964/K65/D3",
    "auction": 'P 1♠ 2♥ 2♠ 3♥ 3♠ P! "tankepaus" P 4♥ P P P',
}


@pytest.fixture
def there(app: Flask) -> Federation:
    """A tournament of pairs; West has no mail."""
    return factories.federation(without_mail=frozenset({"west"}))


@pytest.fixture
def case(there: Federation, case: OpenCase) -> OpenCase:
    """A case with a ruling that nobody has been told at the table."""
    factories.give_ruling(there, case, at=clock.now())
    return case


def test_the_full_form_begins_with_what_is_known(phone: PageClient, case: OpenCase) -> None:
    page = phone.get(url(case, "domslut/underlag"))
    assert page.h1 == "Domslut, bricka 18"
    assert len(page.select(".tasks .tag-off")) == 4


def test_hands_auction_and_result_are_filed(phone: PageClient, case: OpenCase) -> None:
    listed = phone.submit(phone.get(url(case, "domslut/underlag/hander")), "Spara", **HANDS)
    assert listed.has(".hands")
    result = phone.get(url(case, "domslut/underlag/resultat"))
    assert result.values("Spara")["contract"] == ["4♥ V"]
    phone.submit(result, "Spara", lead="♠7", tricks="-2")
    newest = max(rows(BoardRecord), key=lambda record: record.filed_at)
    board = Board.from_json(newest.board)
    assert (str(board.contract), board.declarer, board.lead, board.tricks) == ("4H", Seat.west, "S7", 8)
    assert board.auction
    assert board.auction.calls[6].explanation == "tankepaus"


def test_a_wrong_hand_gets_the_sentence_that_names_the_cards(phone: PageClient, case: OpenCase) -> None:
    wrong = HANDS | {"north": "D74 / 7 / Kn882 / KKn1075"}
    page = phone.submit(phone.get(url(case, "domslut/underlag/hander")), "Spara", status=422, **wrong)
    assert "ruter 8" in errors(page)
    assert "ruter 3" in errors(page)
    assert {name: page.values("Spara")[name] for name in wrong} == {name: [value] for name, value in wrong.items()}
    assert rows(BoardRecord) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"west": "Kn3/EDKn964/K65/X"}, "inget kort"),
        ({"auction": "P 9♠"}, "inget bud"),
        ({"auction": "P 2♠ 1♥ P P P"}, "inte högre än"),
        ({"auction": "P 1♠"}, "inte slut"),
    ],
)
def test_hands_and_auctions_that_cannot_be_are_named(
    phone: PageClient, case: OpenCase, changes: dict[str, Any], words: str
) -> None:
    page = phone.submit(phone.get(url(case, "domslut/underlag/hander")), "Spara", status=422, **(HANDS | changes))
    assert words in errors(page)


def test_an_irregular_auction_is_recorded_with_its_reason(phone: PageClient, case: OpenCase) -> None:
    irregular: dict[str, Any] = HANDS | {"auction": "P 2♠ 1♥ P P P", "as_played": True}
    form = phone.get(url(case, "domslut/underlag/hander"))
    assert "Skriv varför" in errors(phone.submit(form, "Spara", status=422, **irregular))
    phone.submit(form, "Spara", **irregular, because="Otillräckligt bud som godtogs.")
    (record,) = rows(BoardRecord)
    assert record.board["because"] == {"auction": "Otillräckligt bud som godtogs."}


def test_what_the_auction_was_really_about_is_drawn(phone: PageClient, case: OpenCase) -> None:
    """B5: a pause stands on amber and has its footnote, an irregular call is seen, and the text reads back."""
    typed = 'P 1♠ V: 2♥ [återtaget] 2♥ 2♠ [20 s?] 3♥! N>Ö: "inbjudan" 3♠ P P P'
    filed: dict[str, Any] = HANDS | {"auction": typed, "as_played": True, "because": "Väst bjöd i fel tur."}
    listed = phone.submit(phone.get(url(case, "domslut/underlag/hander")), "Spara", **filed)
    assert listed.text(".auction .marked") == "3♥\ufe0e hjärter not 2"
    assert listed.text(".auction .irregular s") == "2♥\ufe0e hjärter"
    assert "Tankepaus i 20 sekunder. Den är omtvistad." in listed.text(".footnotes")
    again = phone.get(url(case, "domslut/underlag/hander")).values("Spara")["auction"]
    assert Auction.parse(again[0], Seat.east) == Auction.parse(typed, Seat.east)


def test_the_pads_are_there_for_who_has_scripts(phone: PageClient, case: OpenCase) -> None:
    """Without, they are templates that nobody sees, and the text fields are as they were."""
    page = phone.get(url(case, "domslut/underlag/hander"))
    assert [node.get("id") for node in page.select("template")] == ["card-pad", "auction-pad"]
    assert all(script.get("type") == "module" for script in page.select("script"))
    phone.submit(page, "Spara", **HANDS)
    result = phone.get(url(case, "domslut/underlag/resultat"))
    assert len(result.select("template[data-field='lead'] button")) == 13


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"contract": "8♥ V"}, "nivå"),
        ({"contract": "4♥"}, "vem som spelade"),
        ({"contract": "3♥ V"}, "4♥"),
        ({"contract": "4♥ Ö"}, "Väst"),
        ({"tricks": "+9"}, "13 stick"),
        ({"lead": "♥2"}, "har inte"),
        ({"ns_score": "101"}, "620"),
        ({"ns_score": "-100"}, "ger +100 till Nord"),
    ],
)
def test_contract_lead_and_result_are_checked_against_each_other(
    phone: PageClient, case: OpenCase, changes: dict[str, Any], words: str
) -> None:
    phone.submit(phone.get(url(case, "domslut/underlag/hander")), "Spara", **HANDS)
    played = {"contract": "4♥ V", "lead": "♠7", "tricks": "-2"} | changes
    page = phone.submit(phone.get(url(case, "domslut/underlag/resultat")), "Spara", status=422, **played)
    assert words in errors(page)


def test_a_tick_counts_for_what_it_was_given_for(phone: PageClient, case: OpenCase) -> None:
    """Never for what is odd later: that is named, asked about again, and the reason stays as a start."""
    result = url(case, "domslut/underlag/resultat")
    slip = {"contract": "1♠ N", "tricks": "+1", "ns_score": "140", "because": "Lappen säger 140."}
    named = phone.submit(phone.get(result), "Spara", status=422, **slip)
    phone.submit(named, "Spara", as_played=True)
    phone.submit(phone.get(result), "Spara", lead="♠7")
    for changes, words in [({"ns_score": "2000"}, "ger +110"), ({"contract": "Pass", "ns_score": "1400"}, "ger 0")]:
        asked = phone.submit(phone.get(result), "Spara", status=422, **changes)
        assert words in errors(asked)
        assert "as_played" not in asked.values("Spara")
        assert asked.values("Spara")["because"] == ["Lappen säger 140."]
    assert {record.board["score"] for record in rows(BoardRecord)} == {140}


def test_a_tick_and_a_reason_given_from_the_start_count_for_one_thing(phone: PageClient, case: OpenCase) -> None:
    """Who writes down an insufficient bid knows of it; of two odd things the page names both and asks."""
    hands = url(case, "domslut/underlag/hander")
    odd: dict[str, Any] = {"as_played": True, "because": "Otillräckligt bud."}
    two = phone.submit(phone.get(hands), "Spara", status=422, auction="2S 1H P P", north="", **odd, dealer="W")
    assert "Kryssa i att allt detta var så" in errors(two)
    assert "även detta" not in errors(two)
    assert "(frivilligt)" not in two.text("#odd")
    phone.submit(phone.get(hands), "Spara", auction="2S 1H P P P", **odd)
    assert [record.board["because"] for record in rows(BoardRecord)] == [{"auction": "Otillräckligt bud."}]


def test_whatever_the_order_of_entry_no_ruling_is_told_on_a_board_that_contradicts_itself(
    phone: PageClient, there: Federation
) -> None:
    """The contract first, then an auction that ends in another: both can be put right, in turn, before the ruling."""
    made = factories.open_case(there, at=clock.now())
    result, hands = url(made, "domslut/underlag/resultat"), url(made, "domslut/underlag/hander")
    phone.submit(phone.get(result), "Spara", contract="4♠ Ö", tricks="=")
    phone.submit(phone.get(hands), "Spara", auction="5♠ P P P")
    for page in (phone.get(url(made, "domslut/underlag")), phone.get(f"/arenden/{made.case_id}/bricka")):
        assert "Budgivningen ger kontraktet 5♠" in page.text("main").replace("\N{VARIATION SELECTOR-15}", "")
    check = phone.submit(phone.get(url(made, "domslut/ge")), CHECK, status=422, **ANSWERS)
    assert "Budgivningen ger kontraktet 5♠" in errors(check)
    phone.submit(phone.get(result), "Spara", contract="5♠ Ö", tricks="-1")
    phone.submit(phone.submit(phone.get(url(made, "domslut/ge")), CHECK, **ANSWERS), TELL)
    assert len(rows(Decision)) == 1


def test_a_reason_ends_when_another_part_makes_something_new_odd(phone: PageClient, case: OpenCase) -> None:
    """The list names it, at the part where it is to be put right."""
    result = url(case, "domslut/underlag/resultat")
    odd = {"contract": "3♥ V", "tricks": "-2", "ns_score": "140", "because": "Lappen säger 140."}
    phone.submit(phone.submit(phone.get(result), "Spara", status=422, **odd), "Spara", as_played=True)
    listed = phone.submit(phone.get(url(case, "domslut/underlag/hander")), "Spara", **HANDS)
    assert "Budgivningen ger kontraktet 4♥" in listed.text("main")
    assert "Lappen säger 140." in phone.get(result).values("Spara")["because"]


def test_two_who_fill_in_the_full_form_meet(phone: PageClient, there: Federation, app: Flask, case: OpenCase) -> None:
    mine = phone.get(url(case, "domslut/underlag/fakta"))
    chief = signing.official(app, there, "chief")
    chief.submit(chief.get(url(case, "domslut/underlag/fakta")), "Spara", agreed="Paus i tio sekunder.")
    page = phone.submit(mine, "Spara", agreed="Lång paus.", status=409)
    assert "Någon annan" in errors(page)
    assert page.values("Spara")["agreed"] == ["Lång paus."]
    phone.submit(page, "Spara")
    added = rows(Statement, Statement.kind == StatementKind.ADDITION)
    assert {row.parts["facts_agreed"] for row in added} == {"Paus i tio sekunder.", "Lång paus."}


def test_what_was_filled_in_before_goes_with_the_ruling(phone: PageClient, there: Federation) -> None:
    made = factories.open_case(there, at=clock.now())
    phone.submit(phone.get(url(made, "domslut/underlag/fakta")), "Spara", agreed="En paus.", east_west="Fem sekunder.")
    phone.submit(phone.submit(phone.get(url(made, "domslut/ge")), CHECK, **ANSWERS), TELL)
    (decision,) = rows(Decision)
    assert (decision.facts_agreed, decision.facts_disputed) == ("En paus.", {"east_west": "Fem sekunder."})


def test_a_weighted_ruling_in_words_says_that_its_score_is_missing(phone: PageClient, there: Federation) -> None:
    """It is told at once, for the time runs; check page, receipt, list and case name what is left (R69-R74)."""
    words = "Poängen är inte uträknad ännu."
    made = factories.open_case(there, at=clock.now())
    weighted = ANSWERS | {"outcome": "weighted", "operative": "60 % av 4♠ −1 och 40 % av 4♠ −2."}
    check = phone.submit(phone.get(url(made, "domslut/ge")), CHECK, **weighted)
    assert words in check.text("main")
    editor = url(made, "poang")
    assert editor in [link.get("href") for link in check.select("main a")]
    receipt = phone.submit(check, TELL)
    for page in (receipt, phone.get(url(made, "domslut/underlag")), phone.get(f"/arenden/{made.case_id}")):
        assert editor in [link.get("href") for link in page.select("main a")]
    assert words in page.text("main")
    assert "60\N{NO-BREAK SPACE}% av" in page.html
    assert words in phone.get(url(made, "domslut/underlag")).text("main")


def test_a_result_that_stands_needs_no_score(phone: PageClient, there: Federation) -> None:
    """Nothing is missing then."""
    made = factories.open_case(there, at=clock.now())
    check = phone.submit(phone.get(url(made, "domslut/ge")), CHECK, **(ANSWERS | {"outcome": "result_stands"}))
    assert "inte uträknad" not in check.text("main")


def test_a_party_reads_what_it_is_asked_to_answer(
    app: Flask, there: Federation, phone: PageClient, case: OpenCase
) -> None:
    """R28: the board, the auction and the facts stand on a page of the case, and in the addition itself."""
    phone.submit(phone.get(url(case, "domslut/underlag/hander")), "Spara", **HANDS)
    said: dict[str, Any] = {"agreed": "Nord tänkte.", "north_south": "I tre sekunder.", "east_west": "I tio sekunder."}
    phone.submit(phone.get(url(case, "domslut/underlag/fakta")), "Spara", **said)
    north = signing.party(app, there, case, "north")
    page = north.get(url(case, "bricka"))
    assert page.has(".hands")
    assert all(words in page.text("main") for words in said.values())
    links = {"".join(link.itertext()): link.get("href") for link in north.get(f"/arenden/{case.case_id}").select("a")}
    assert links["Brickan och omständigheterna"] == url(case, "bricka")
    addition = north.get(str(links["Fakta tillagda till domslutet"]))
    assert all(words in addition.text("main") for words in said.values())


def test_what_is_drafted_before_the_ruling_is_no_addition_to_it(
    phone: PageClient, there: Federation, app: Flask
) -> None:
    """R27: the ruling's reasons are the reasons, and facts entered beforehand are the ruling's own."""
    made = factories.open_case(there, at=clock.now())
    phone.submit(phone.get(url(made, "domslut/underlag/skal")), "Spara", reasons="UTKAST")
    phone.submit(phone.get(url(made, "domslut/underlag/fakta")), "Spara", agreed="Pausen var tio sekunder.")
    north = signing.party(app, there, made, "north")
    assert "UTKAST" not in north.get(url(made, "bricka")).text("main")
    assert "tillagda" not in north.get(f"/arenden/{made.case_id}?visa=allt").text("main")
    begun = phone.get(url(made, "domslut/ge"))
    assert begun.values(CHECK)["reasons"] == ["UTKAST"]
    phone.submit(phone.submit(begun, CHECK, **(ANSWERS | {"reasons": "SLUTLIGA"})), TELL)
    for reader in (phone, north):
        board = reader.get(url(made, "bricka")).text("main")
        assert ("SLUTLIGA" in board, "UTKAST" in board) == (True, False)
        assert "Pausen var tio sekunder." in board
        whole = reader.get(f"/arenden/{made.case_id}?visa=allt").text("main")
        assert "tillagda till domslutet" not in whole
        assert "UTKAST" not in whole
    assert phone.get(url(made, "domslut/underlag/skal")).values("Spara")["reasons"] == ["SLUTLIGA"]
    phone.submit(phone.get(url(made, "domslut/underlag/skal")), "Spara", reasons="SLUTLIGA, utvecklade.")
    assert "Skäl tillagda till domslutet" in north.get(f"/arenden/{made.case_id}").text("main")
    assert "SLUTLIGA, utvecklade." in north.get(url(made, "bricka")).text("main")

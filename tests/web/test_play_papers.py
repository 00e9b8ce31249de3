"""Play and claim in the full form: kept, drawn on page, paper and in mail, refused in words (Laws 68-71)."""

from typing import Any

import pytest
from flask import Flask

from casework import clock
from casework.adapters.database import uow
from casework.domain.bridge.board import Board
from casework.domain.bridge.notation import Seat
from casework.domain.bridge.play import Claim
from casework.domain.models import BoardRecord, CaseFile
from casework.services import documents
from casework.services.board_text import board_text
from tests import factories
from tests.factories import Federation, OpenCase
from tests.page import PageClient
from tests.web import signing
from tests.web.at_table import errors, rows, url
from tests.web.test_ruling_papers import HANDS

RESULT: dict[str, Any] = {"contract": "4♥ V", "tricks": "-2"}
CLAIM: dict[str, Any] = {
    "play": "♠7 2 K 3\n♠E Kn 4 6",
    "claim_trick": "3",
    "claim_by": "W",
    "claim_statement": "Jag trumfar ut.",
    "claim_tricks": "8",
}


@pytest.fixture
def case(there: Federation, case: OpenCase) -> OpenCase:
    """A case with a ruling."""
    factories.give_ruling(there, case, at=clock.now())
    return case


@pytest.fixture
def phone(app: Flask, there: Federation, case: OpenCase) -> PageClient:
    """The director's phone, when hands and auction are filed."""
    signed_in = signing.official(app, there, "director")
    signed_in.submit(signed_in.get(url(case, "domslut/underlag/hander")), "Spara", **HANDS)
    return signed_in


def filed() -> Board:
    """The board as it was last filed."""
    return Board.from_json(max(rows(BoardRecord), key=lambda record: record.filed_at).board)


def test_nothing_about_play_needs_an_answer(phone: PageClient, case: OpenCase) -> None:
    form = phone.get(url(case, "domslut/underlag/resultat"))
    assert "Spelet eller ett anspråk har betydelse" in form.text("main")
    assert not form.has("details[open]")
    phone.submit(form, "Spara", **RESULT)
    assert (filed().play, filed().claim) == (None, None)


def test_play_and_claim_are_kept_with_the_board(
    app: Flask, there: Federation, phone: PageClient, case: OpenCase
) -> None:
    """What was typed reads back, the lead is the first card, and a party sees tricks, words and the cards left."""
    result = url(case, "domslut/underlag/resultat")
    phone.submit(phone.get(result), "Spara", **RESULT, **CLAIM)
    board = filed()
    assert board.play
    assert (board.play.lead, len(board.play.tricks)) == ("S7", 2)
    assert board.claim == Claim(trick=3, by=Seat.west, statement="Jag trumfar ut.", tricks=8)
    again = phone.get(result)
    assert again.has("details[open]")
    assert {name: again.values("Spara")[name] for name in CLAIM} == {
        name: [value] for name, value in (CLAIM | {"play": "♠7 ♠2 ♠K ♠3\n♠E ♠Kn ♠4 ♠6"}).items()
    }
    page = signing.party(app, there, case, "north").get(url(case, "bricka"))
    assert page.text(".play tr:first-child td.won") == "♠\ufe0e spader K vann sticket"
    assert "Enligt anspråket får spelföraren 8 stick sammanlagt. Sades: ”Jag trumfar ut.”" in page.text(".claim")
    assert page.text(".claim .hand-n td:nth-child(2)") == "♠\ufe0e spader D"


def test_the_claim_stands_in_a_mail_and_in_the_case_file(phone: PageClient, case: OpenCase) -> None:
    left: dict[str, Any] = {"left_north": "– / 7 / Kn 8 3 2 / K Kn 10 7 5", "left_east": "9/K852/A94/862"}
    phone.submit(phone.get(url(case, "domslut/underlag/resultat")), "Spara", **RESULT, **CLAIM, **left)
    said = board_text(filed(), "sv")
    assert "2. V ♠Kn, N ♠4, Ö ♠6, S (♠E)*" in said
    assert "Väst gjorde anspråk i stick 3." in said
    assert said.endswith("♣ 8 6 2")
    with uow() as session:
        asked = CaseFile(case_id=case.case_id, for_parties=True, language="sv", asked_at=clock.now())
        papers = documents.papers_of(session, asked)
    assert '<span class="vh"> spelade ut</span><span class="vh"> vann sticket</span>' in papers.html
    assert "Väst gjorde anspråk i stick 3." in papers.html
    assert "Jag trumfar ut." in papers.attachments[documents.FACTS].decode()


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"play": "♠7 2 K 3 4"}, "Ett stick har fyra kort"),
    ({"play": "♠7 2 K 3\nÖ: ♠9"}, "Rad 2"),
    ({"play": "♠7 2 K ♥9"}, "bekänner inte färg"),
    ({"play": "♠D 2 K 9"}, "men har inte"),
    ({"play": "Ö: ♠2 K 3 4"}, "ska spela ut"),
    ({"claim_trick": ""}, "1 till 13"),
    ({"claim_trick": "14"}, "1 till 13"),
    ({"claim_tricks": "tio"}, "0 till 13"),
    ({"claim_tricks": "12"}, "går inte ihop"),
    ({"left_north": "D / 7"}, "kort kvar"),
    ({"left_north": "E 4/7/Kn832/KKn1075"}, "fanns aldrig"),
    ({"left_north": "hej"}, "snedstreck"),
]


def test_what_does_not_fit_is_said_where_it_was_typed(phone: PageClient, case: OpenCase) -> None:
    """And nothing of what was typed is lost."""
    before = len(rows(BoardRecord))
    form = phone.get(url(case, "domslut/underlag/resultat"))
    for changes, words in WRONG:
        typed = RESULT | CLAIM | changes
        page = phone.submit(form, "Spara", status=422, **typed)
        assert words in errors(page)
        assert {name: page.values("Spara").get(name, [""])[0].replace("\r", "") for name in typed} == typed
    assert len(rows(BoardRecord)) == before


def test_a_revoke_is_recorded_with_its_reason(phone: PageClient, case: OpenCase) -> None:
    """It may be the very matter of the case (Law 61)."""
    odd: dict[str, Any] = RESULT | {"play": "♠7 2 K ♥9", "as_played": True, "because": "Väst var renons av misstag."}
    phone.submit(phone.get(url(case, "domslut/underlag/resultat")), "Spara", **odd)
    assert filed().because == {"play": "Väst var renons av misstag."}

"""T04 at the table, from the open case to the ruling as told: with the thumb alone, and without scripts."""

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.clock import now
from casework.domain.bridge.board import Board
from casework.domain.bridge.call import Call, Pause
from casework.domain.bridge.notation import SEATS, Seat
from casework.domain.models import BoardRecord, Decision
from casework.domain.terms import RulingOutcome
from casework.services.scores import SavedScore, newest_score
from tests import factories
from tests.browser import thumb
from tests.browser.house import House
from tests.browser.phone import PHONE, SMALLEST, Phone
from tests.browser.thumb import LAST
from tests.domain.bridge.published import PUBLISHED
from tests.factories import OpenCase

pytestmark = pytest.mark.browser

T04 = next(facts for facts in PUBLISHED if facts.key == "T04")
HANDS = dict(zip(SEATS, T04.deal.split(), strict=True))
CALLS = T04.calls.split()
NAMES = {Seat.north: "Nord", Seat.east: "Öst", Seat.south: "Syd", Seat.west: "Väst"}
RULING = "Resultatet ändras till 70 % av 4♥X av Nord −1, Nord–Syd −100 och 30 % av 4♠ av Öst =, Nord–Syd −620."
STATUS = ".pad:has([data-{}]) [role=status]"


@pytest.mark.parametrize("width", [PHONE, SMALLEST])
def test_t04_is_entered_with_the_thumb_alone(quiet_house: House, width: int) -> None:
    """Three hands (the fourth gets the rest), auction with its pause, contract, result, weighted score, ruling.

    The two sentences that no button can know are dictated.
    """
    case = factories.open_case(quiet_house.there, at=now(), board=T04.number or 0)
    phone = quiet_house.official("director", quiet_house.phone(width=width, javascript=True, touch=True))
    phone.go(f"/arenden/{case.case_id}/domslut/underlag").press("Händer och budgivning")
    for seat in (Seat.north, Seat.east, Seat.south):
        thumb.deal(phone, HANDS[seat])
    assert phone.page.inner_text(STATUS.format("rank")) == "Väst får resten."
    for index, call in enumerate(CALLS):
        thumb.call(phone, call)
        if index == CALLS.index("X"):
            phone.tap("Tankepaus", within=LAST).tap("30 s", within="Sekunder").tap(
                "Överens", within="Är sidorna överens?"
            )
    phone.says("Budgivningen är klar. 4♠ av Öst").press("Spara").says("Uppgifterna är sparade.")
    phone.press("Kontrakt, utspel och resultat").tap("=", within="Resultat").press("Spara")
    _as_published()

    phone.press("Poängen").unfold("Resultat 1: välj med knappar")
    phone.tap("4", within="Nivå").tap("hjärter", within="Färg").tap("X", within="Dubblat")
    phone.tap("Nord", within="Spelförare").tap("−1", within="Stick").tap("70", within="Andel")
    phone.unfold("Resultat 2: välj med knappar").tap("Som vid bordet", "Resten")
    phone.tick("De andra bordens resultat finns inte ännu").press("Räkna").press("Spara poängen")

    phone.press("Ge domslutet").write("Vad hände?", "Dubblingen tog 30 sekunder.")
    phone.tap("16B1", "12C1c", within="Vanliga lagar").tick("Ja", within="Är det ett bedömningsdomslut?")
    _told(phone.write("Skäl", "Pass var ett logiskt alternativ."), case)
    assert phone.keys == []


def test_t04_is_entered_without_scripts(quiet_house: House) -> None:
    """The same in text fields."""
    case = factories.open_case(quiet_house.there, at=now(), board=T04.number or 0)
    phone = quiet_house.official("director", quiet_house.phone(width=SMALLEST))
    phone.go(f"/arenden/{case.case_id}/domslut/underlag").press("Händer och budgivning")
    for seat, hand in HANDS.items():
        phone.write(NAMES[seat], hand)
    phone.write("Budgivning", T04.calls.replace("X", "[30 s] X")).press("Spara").press("Kontrakt, utspel och resultat")
    phone.write("Resultat", "=").press("Spara")
    _as_published()

    phone.press("Poängen")
    for row, (result, share) in enumerate((("4hjX N -1", "70"), ("4 sp Ö =", "30"))):
        phone.page.locator(f"[name=north_south-shares-{row}-result]").fill(result)
        phone.page.locator(f"[name=north_south-shares-{row}-percent]").fill(share)
    phone.tick("De andra bordens resultat finns inte ännu").press("Räkna").press("Spara poängen")

    phone.press("Ge domslutet").write("Vad hände?", "Dubblingen tog 30 sekunder.").write("Lagar", "16B1, 12C1c")
    phone.tick("Ja", within="Är det ett bedömningsdomslut?")
    _told(phone.write("Skäl", "Pass var ett logiskt alternativ."), case)


def _told(phone: Phone, case: OpenCase) -> None:
    """The ruling says what was worked out, and takes it along."""
    phone.press("Fortsätt till kontrollen").says("Viktad poäng", RULING).press("Meddela domslutet")
    phone.says("Domslutet är meddelat")
    with uow() as session:
        decision = session.exec(select(Decision).where(Decision.case_id == case.case_id)).one()
        saved = newest_score(session, case.proceeding_id)
    assert isinstance(saved, SavedScore)
    assert saved.score
    assert (decision.outcome, decision.operative) == (RulingOutcome.WEIGHTED, RULING)
    assert decision.adjustment_id == saved.id
    shares = saved.score.adjustment.north_south.to_json()["shares"]
    assert [(share["percent"], share["score"]) for share in shares] == [("70", -100), ("30", -620)]


def _as_published() -> None:
    with uow() as session:
        newest = max(session.exec(select(BoardRecord)), key=lambda record: record.filed_at)
    board = Board.from_json(newest.board)
    assert (board.number, board.findings()) == (22, [])
    assert {seat: str(hand) for seat, hand in board.deal.known()} == HANDS
    assert board.auction
    assert [call.call for call in board.auction.calls] == CALLS
    assert board.auction.calls[CALLS.index("X")] == Call("X", pause=Pause(30))
    assert (str(board.contract), board.declarer, board.computed_score()) == ("4S", Seat.east, T04.ns_score)

"""The director works out a weighted score on the smallest phone, without script, before he gives his ruling."""

import pytest

from casework.clock import now
from tests import factories
from tests.browser.house import House
from tests.browser.phone import SMALLEST

pytestmark = pytest.mark.browser

WIDER = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)"
"""The tables that are cut off at the edge, and must be scrolled sideways."""


def test_a_weighted_score_on_the_smallest_phone(quiet_house: House) -> None:
    """R73: typed, counted, changed, counted again and saved; no page is wider than the phone."""
    case = factories.open_case(quiet_house.there, at=now())
    phone = quiet_house.official("director", quiet_house.phone(width=SMALLEST))
    phone.go(f"/arenden/{case.case_id}/domslut/underlag").press("Poängen").says("Räkna ut poängen", "Nord–Syd i zon")
    phone.write("Resultat vid bordet", "-100")
    for row, (result, share) in enumerate((("4♠ Ö -2", "33,3"), ("-430", "60"))):
        phone.page.locator(f"[name=north_south-shares-{row}-result]").fill(result)
        phone.page.locator(f"[name=north_south-shares-{row}-percent]").fill(share)
    assert not phone.page.locator("[name=east_west-shares-0-result]").is_visible()
    assert not phone.page.get_by_label("Resultatet vid andra bordet").is_visible()
    phone.write("Resultaten från alla bord", "-100\n-420 x 2\n-430\n-450 x 3\n-460")
    phone.press("Räkna", status=422).says("Andelarna blir 93,3 %")
    phone.page.locator("[name=north_south-shares-1-percent]").fill("66,7")
    phone.press("Räkna").says("Inget är sparat ännu", "10,8", "Sammanvägt: ≈ 10,81 poäng")
    assert phone.page.eval_on_selector_all(".scroll", WIDER) == []
    phone.press("Ändra det du skrev").press("Räkna").press("Spara poängen").says(
        "Uppgifterna är sparade", "Viktad poäng"
    )

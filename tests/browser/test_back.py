"""Going back in the browser after a form was sent (F29)."""

from datetime import timedelta

import pytest
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import Appeal, Link
from casework.domain.terms import LinkPurpose
from casework.services import links
from tests import factories
from tests.browser.house import House
from tests.browser.phone import Phone
from tests.faults.settled import settle


@pytest.mark.browser
def test_f29_back_after_submit_shows_that_it_was_sent(quiet_house: House) -> None:
    """F29: "redan inskickat", what and when, and the way to the receipt; nothing is sent twice."""
    case = factories.open_case(quiet_house.there)
    factories.give_ruling(quiet_house.there, case)
    clock.advance(timedelta(minutes=1))
    phone = appealed(quiet_house, case, "north", javascript=True)
    receipt = phone.says("Överklagandet är inlämnat").path
    phone.page.go_back()
    phone.says("Redan inskickat", "Överklagandet är inlämnat", "Din sida har redan överklagat")
    phone.press("Till kvittot").says("Kvittonummer")
    assert phone.path == receipt

    phone = appealed(quiet_house, case, "east", javascript=False)
    receipt = phone.path
    with phone.page.expect_navigation():  # past the check, about which the browser asks whether to send it again
        phone.page.evaluate("history.go(-2)")
    phone.says("Redan inskickat").press("Till kvittot")
    assert phone.path == receipt
    with uow() as session:
        assert len(session.exec(select(Appeal)).all()) == 2
    settle(quiet_house.sink)


def appealed(house: House, case: factories.OpenCase, who: str, *, javascript: bool) -> Phone:
    """Somebody has appealed by the link in the mail, and reads the receipt."""
    with uow() as session:
        mine = select(Link).where(
            Link.person_id == house.there.persons[who],
            Link.case_id == case.case_id,
            Link.purpose == LinkPurpose.PARTY,
        )
        token = links.link_token(session.exec(mine).one())
    phone = house.phone(javascript=javascript).go(f"/l/{token}").press("Fortsätt")
    phone.go(f"/arenden/{case.case_id}/overklaga").write("Vad vill du ändra?", "Allt.")
    return phone.press("Fortsätt till kontrollen").press("Överklaga domslutet")

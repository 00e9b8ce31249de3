"""A mail scanner follows the links of every mail before its reader does (S-LINK1)."""

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.models import Notice, SignIn
from tests import factories
from tests.browser.house import House

pytestmark = pytest.mark.browser


def test_a_scanner_opens_nothing(house: House) -> None:
    """B2.63: twenty visits by strangers sign nobody in and prove nothing; then the reader's button still does."""
    case = factories.open_case(house.there)
    factories.give_ruling(house.there, case)
    path = house.path_in(house.letter("north", "Domslut i bricka 18"))
    scanner = house.phone()
    for _ in range(20):
        scanner.context.clear_cookies()
        scanner.go(path).says("Öppna ditt ärende").says_not("Resultatet")
    with uow() as session:
        assert session.exec(select(SignIn)).all() == []
        assert all(notice.opened_at is None for notice in session.exec(select(Notice)))
    scanner.go(path).press("Fortsätt").says("Resultatet ändras till 4♠ av Syd, nio stick.")

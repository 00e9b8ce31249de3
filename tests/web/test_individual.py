"""The director's form in an individual event: two players on each side, each told by his own number."""

from typing import Any

import pytest
from flask import Flask

from casework.domain.models import Party
from casework.domain.terms import Form
from tests import factories
from tests.page import PageClient
from tests.web import signing
from tests.web.at_table import TELL, check, errors, rows

OTHERS: dict[str, Any] = {"north_south_2": "8", "east_west_2": "13"}


def phone(app: Flask, form: Form) -> PageClient:
    """The director's phone at an event of this form."""
    return signing.official(app, factories.federation(form=form), "director")


def test_each_player_is_a_party_of_his_own(app: Flask) -> None:
    director = phone(app, Form.INDIVIDUAL)
    page = check(director, **OTHERS)
    assert "Spelare 7: Birgit Ekestam. Spelare 8: Arne Solvik" in page.text("main")
    assert "Spelare 12: Lena Tvärås. Spelare 13: Olof Hägglund" in page.text("main")
    receipt = director.submit(page, TELL)
    for name in ("Birgit Ekestam", "Arne Solvik", "Lena Tvärås", "Olof Hägglund"):
        assert name in receipt.text("main")
    assert {party.number for party in rows(Party)} == {7, 8, 12, 13}


def test_nobody_at_the_table_is_left_out(app: Flask) -> None:
    """R32: all parties are told."""
    director = phone(app, Form.INDIVIDUAL)
    page = check(director, status=422, north_south_2="8")
    assert "Skriv den andra spelarens nummer också" in errors(page)
    assert page.values("Fortsätt till kontrollen")["north_south_2"] == ["8"]
    page = check(director, status=422, north_south_2="7", east_west_2="13")
    assert "Varje tävlande kan bara skrivas en gång." in errors(page)


@pytest.mark.parametrize("form", [Form.PAIRS, Form.TEAMS])
def test_elsewhere_nobody_is_asked_for_a_second_contestant(app: Flask, form: Form) -> None:
    page = phone(app, form).get("/domslut/ny")
    assert not page.has("[name=north_south_2]")

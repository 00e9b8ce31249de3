"""A ruling told at the table and recorded afterwards: whose time would be over is said before it is filed (R32)."""

from datetime import timedelta

import pytest
from flask import Flask

from casework.domain.models import Decision
from tests import factories
from tests.factories import Federation
from tests.page import PageClient
from tests.web.at_table import LATER, TELL, check, rows


@pytest.fixture
def there(app: Flask) -> Federation:
    """A tournament whose official score came out half an hour ago and more."""
    there = factories.federation()
    factories.publish_score(there, at=LATER - timedelta(minutes=50), now=LATER)
    return there


def test_a_side_without_time_is_named_before_the_ruling_is_filed(phone: PageClient, there: Federation) -> None:
    """The first press says it, the second files; the receipt offers more time."""
    page = check(phone, given_at="13.30")
    assert "Du överklagar genom tävlingsledaren" in page.text("main")
    early = {"told": [str(there.persons["north"])], "told_at": "13.40"}
    warned = phone.submit(page, TELL, status=422, **early)  # type: ignore[arg-type]  # fields
    assert "Tiden att överklaga för par 7 skulle redan vara ute" in warned.text("main")
    assert "Tryck igen om det är rätt" in warned.text(".field-wrong")
    assert "som du såg" not in warned.text("main")
    assert rows(Decision) == []
    receipt = phone.submit(warned, TELL)
    assert receipt.h1 == "Domslutet är meddelat"
    assert "Ge mer tid" in receipt.text("main")


def test_a_warning_that_falls_away_is_asked_about_no_more(phone: PageClient, there: Federation) -> None:
    """Who puts the time right after the warning has seen all there is."""
    north = [str(there.persons["north"])]
    warned = phone.submit(check(phone, given_at="13.30"), TELL, status=422, told=north, told_at="13.40")
    assert phone.submit(warned, TELL, told_at="15.00").h1 == "Domslutet är meddelat"


def test_who_has_time_left_is_filed_at_once(phone: PageClient, there: Federation) -> None:
    page = check(phone)
    assert phone.submit(page, TELL, told=[str(there.persons["north"])]).h1 == "Domslutet är meddelat"
    assert len(rows(Decision)) == 1

"""E10: a mail on a narrow phone: what cannot be broken between words is broken within one, and nothing is cut off."""

import pytest
from playwright.sync_api import Browser
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.models import Notice, Tournament
from casework.services import notices
from tests.browser.phone import PHONE
from tests.story import Story

pytestmark = pytest.mark.browser

LONG = "Höstpokalensvinterfinalomgångsbridgetävlingsarrangemang"


def test_a_long_name_wraps_in_a_mail(sqlite: str, browser: Browser) -> None:
    story = Story.begun()
    with uow(write=True) as session:
        session.exec(select(Tournament)).one().name = LONG
    story.rule()
    with uow() as session:
        told = session.exec(select(Notice).where(Notice.party_id.is_not(None))).first()  # type: ignore[union-attr]  # a column
        assert told is not None
        html = notices.message_for(session, told.id, story.at).html
    assert LONG in html
    page = browser.new_page(viewport={"width": PHONE, "height": 800})
    page.set_content(html)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    page.close()

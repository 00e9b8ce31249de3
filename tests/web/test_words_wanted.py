"""A text that is asked for has words: a full stop is no reason."""

from typing import Any

import pytest

from casework.text import says_something
from tests.story import Story
from tests.web.readers import browser

pytestmark = pytest.mark.usefixtures("sqlite")


def test_a_letter_or_a_digit_says_something() -> None:
    assert [typed for typed in (".", " – ?!\n", "", "Å", "7.") if says_something(typed)] == ["Å", "7."]


def test_a_reason_of_signs_alone_is_no_reason_for_an_odd_result() -> None:
    story = Story.begun()
    story.rule()
    director = browser(story, "director")
    form = director.get(f"/arenden/{story.case.case_id}/domslut/underlag/resultat")
    typed: dict[str, Any] = {"contract": "4S S", "tricks": "9", "ns_score": "-50", "as_played": True}
    silent = director.submit(form, "Spara", status=422, because=".", **typed)
    assert "Skriv varför det antecknas så" in silent.text("main")


def test_an_appeal_says_what_it_wants_in_words() -> None:
    story = Story.begun()
    story.rule()
    story.publish()
    north = browser(story, "north")
    form = north.get(f"/arenden/{story.case.case_id}/overklaga")
    silent = north.submit(form, "Fortsätt till kontrollen", status=422, wants="...")
    assert "Skriv vad i domslutet du vill ändra" in silent.text("main")

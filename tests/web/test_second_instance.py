"""A score that is changed by a second instance: table, ruling and decision stand beside each other (R73)."""

from typing import Any

import pytest

from casework.domain.models import Decision
from casework.domain.terms import Position, RulingOutcome
from tests.page import Page, PageClient
from tests.story import Story
from tests.web import readers
from tests.web.at_table import errors, main, rows, url
from tests.web.test_signed import COUNT, SAVE, SIGN, TO_SIGN, WRITTEN

pytestmark = pytest.mark.usefixtures("sqlite")

PAIRS = "-100\n-420 x 2\n-430\n-450 x 3\n-460"


def shares(one: str, other: str) -> dict[str, Any]:
    """Two results with these shares, counted against the field."""
    return {
        "at_table": "-100",
        "north_south-shares-0-result": "-100",
        "north_south-shares-0-percent": one,
        "north_south-shares-1-result": "-430",
        "north_south-shares-1-percent": other,
        "method": "matchpoints",
        "frequency": PAIRS,
    }


@pytest.fixture
def story() -> Story:
    """A weighted ruling is appealed, and the jury has voted to change it."""
    begun = Story.begun()
    director = readers.browser(begun, "director")
    place = url(begun.case, "poang")
    director.submit(director.submit(director.get(place), COUNT, **shares("60", "40")), SAVE)
    begun.rule(outcome=RulingOutcome.WEIGHTED)
    begun.publish()
    begun.appeal()
    begun.forward()
    begun.hear()
    begun.vote("juror_1", "juror_2", "juror_3", position=Position.CHANGE)
    return begun


@pytest.fixture
def chair(story: Story) -> PageClient:
    """The chair of the jury."""
    return readers.browser(story, "juror_1")


def counted(story: Story, chair: PageClient, one: str, other: str) -> Page:
    """The page that shows what the jury's score comes to; it is saved too."""
    page = chair.submit(chair.get(url(story.case, "poang")), COUNT, **shares(one, other))
    chair.submit(page, SAVE)
    return page


def labels(page: Page) -> list[str]:
    """The rows of "what was and what is"."""
    return ["".join(each.itertext()) for each in page.select(".outcome dl:not(.points) dt")]


def table(page: Page) -> list[list[str]]:
    """The table of what each side gets."""
    (first, *_) = page.select(".scores")
    return [["".join(cell.itertext()) for cell in row] for row in first.iter("tr")]


def test_the_editor_shows_what_the_ruling_made_of_it(story: Story, chair: PageClient) -> None:
    page = counted(story, chair, "30", "70")
    assert labels(page) == ["Vid bordet", "Efter domslutet", "Efter beslutet"]
    (_, *sides), *rows = table(page)
    assert sides == ["Nord–Syd", "Öst–Väst"]
    assert [name for name, _, _ in rows] == ["Vid bordet", "Domslut", "Nu", "Procent"]
    assert rows[0][1:] == ["14", "0"]
    assert rows[0][1] != rows[1][1] != rows[2][1]


def test_where_nothing_differs_nothing_is_said_twice(story: Story, chair: PageClient) -> None:
    """A score that comes to the ruling's own is no change, and an appeal that is granted needs one."""
    page = counted(story, chair, "60", "40")
    assert labels(page) == ["Vid bordet", "Efter beslutet"]
    assert [row[0] for row in table(page)[1:]] == ["Förut", "Nu", "Procent"]
    form = chair.get(url(story.case, "beslut/skriv"))
    assert "den som redan gäller" in errors(chair.submit(form, TO_SIGN, status=403, **WRITTEN))


def test_a_decision_says_the_score_in_its_readers_words_and_a_remark_beside_it(story: Story, chair: PageClient) -> None:
    """The text cannot contradict the score: it does not stand in its place."""
    counted(story, chair, "30", "70")
    form = chair.get(url(story.case, "beslut/skriv"))
    assert form.values(TO_SIGN)["score_detail"] == [""]
    check = chair.submit(form, TO_SIGN, **(WRITTEN | {"score_detail": "Bord 5, tredje ronden."}))
    assert "30 % av Nord–Syd −100" in main(check)
    assert "Bord 5, tredje ronden." in main(check)
    chair.submit(check, SIGN)
    organiser = readers.browser(story, "organiser")
    newest = max(rows(Decision), key=lambda row: row.recorded_at).id
    read = {"sv": "30 % av Nord–Syd −100 och 70 % av Nord–Syd −430", "en": "30 % of North–South −100"}
    for language, words in read.items():
        organiser.submit(organiser.get(f"/sprak?lang={language}"), ".content form")
        for place in ("", f"/handlingar/decision/{newest}"):
            said = main(organiser.get(f"/arenden/{story.case.case_id}{place}"))
            assert words in said, place
            assert "Bord 5, tredje ronden." in said, place
            assert (read["sv"] in said) is (language == "sv")

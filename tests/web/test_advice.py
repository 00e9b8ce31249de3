"""What the sides can make: shown to directors and panel as advice, and to nobody else on anything."""

from dataclasses import replace

import pytest

from casework import clock
from casework.adapters.database import uow
from casework.domain.bridge.board import Board
from casework.domain.bridge.contract import Strain
from casework.domain.bridge.deal import Deal, Hand
from casework.domain.bridge.double_dummy import DoubleDummy
from casework.domain.bridge.notation import SEATS
from casework.domain.models import BoardRecord, CaseFile
from casework.domain.terms import LinkPurpose
from casework.services import boards, documents, double_dummy
from tests.architecture.sources import texts
from tests.kept import kept
from tests.page import Page, words
from tests.services.filing import rows
from tests.story import Story
from tests.web.readers import browser

pytestmark = pytest.mark.usefixtures("sqlite")

HANDS = "QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
MADE = DoubleDummy({seat: {strain: strain.rank + 2 * SEATS.index(seat) for strain in Strain} for seat in SEATS})
HEADING = "Vad som går att ta med öppna kort"


@kept
def ruled() -> Story:
    """A ruling with its board."""
    story = Story.begun()
    story.rule(board=replace(Board.numbered(18), deal=Deal(*map(Hand.parse, HANDS.split()))))
    return story


@kept
def heard() -> Story:
    """The jury is alone with the appeal."""
    story = ruled()
    story.publish()
    story.appeal()
    story.concur()
    story.forward()
    story.hear()
    return story


def calculated() -> None:
    """A worker that has the solver has been here; the tests' web never looks for one."""
    with uow(write=True) as session:
        double_dummy.ask(session, clock.now())
        session.flush()
        for filed in rows(BoardRecord):
            double_dummy.record(session, filed.id, MADE, clock.now())


def at(story: Story, key: str, place: str, *, link: LinkPurpose | None = None) -> Page:
    """A page of the case as somebody reads it."""
    return browser(story, key, link=link).get(f"/arenden/{story.case.case_id}{place}")


def table(page: Page) -> list[list[str]]:
    """The rows of the table, heading first."""
    return [[words(cell) for cell in row] for row in page.select(".advice tr")]


@pytest.mark.parametrize(
    ("key", "place"), [("director", "/bricka"), ("chief", "/bricka"), ("director", "/domslut/underlag")]
)
def test_directors_see_it_beside_the_board_and_that_it_decides_nothing(key: str, place: str) -> None:
    story = ruled()
    assert HEADING not in at(story, key, place).text("main")
    calculated()
    page = at(story, key, place)
    assert HEADING in page.text(".advice summary")
    assert "Det avgör ingenting" in page.text(".advice")
    heading, *by_seat = table(page)
    assert heading[-1] == "NT"
    assert by_seat[1] == ["Syd", "4", "5", "6", "7", "8"]


def test_the_panel_sees_it_in_its_room() -> None:
    story = heard()
    calculated()
    page = at(story, "juror_2", "/overlaggning", link=LinkPurpose.SEAT)
    assert table(page)[2] == ["Syd", "4", "5", "6", "7", "8"]


def test_nobody_else_can_tell_that_it_is_there() -> None:
    """The pages of parties, organiser and office say the same, word by word, before and after."""
    story = heard()
    before = said_to_others(story)
    calculated()
    assert said_to_others(story) == before


def said_to_others(story: Story) -> list[str]:
    """The board's page and the case's, for everybody who reads papers and decides nothing."""
    readers = {"north": LinkPurpose.PARTY, "east": LinkPurpose.PARTY, "organiser": None, "office": None}
    places = ("/bricka", "")
    return [at(story, key, place, link=link).text() for key, link in readers.items() for place in places]


def test_no_file_of_the_case_holds_it() -> None:
    story = heard()
    everybody = [file(story, for_parties=for_parties) for for_parties in (True, False)]
    calculated()
    assert [file(story, for_parties=for_parties) for for_parties in (True, False)] == everybody


def file(story: Story, *, for_parties: bool) -> tuple[str, dict[str, bytes]]:
    """A file of the case, as it goes to the renderer."""
    asked = CaseFile(case_id=story.case.case_id, for_parties=for_parties, asked_by=story.there.persons["office"],
                     asked_at=story.at)  # fmt: skip
    with uow() as session:
        papers = documents.papers_of(session, asked)
    return papers.html, dict(papers.attachments)


def test_only_the_pages_for_directors_and_panel_can_read_it() -> None:
    """So no mail, list, count, PDF or answer in JSON can hold it: nothing else looks where it is kept."""
    knowing = {path for path, text in texts("casework", "workers", suffixes=(".py",)) if "BoardAdvice" in text}
    assert knowing == {"casework/domain/models/__init__.py", "casework/domain/models/cases.py",
                       "casework/services/double_dummy.py"}  # fmt: skip
    asking = {path for path, text in texts("casework", "workers", suffixes=(".py",)) if "import double_dummy" in text
              or ", double_dummy" in text or "    double_dummy,\n" in text}  # fmt: skip
    assert asking == {"casework/web/advice.py", "workers/handlers.py"}


def test_a_board_filed_anew_has_no_advice_until_it_is_calculated() -> None:
    story = ruled()
    calculated()
    with uow(write=True) as session:
        director = story.actors["director"]
        turned = Deal(*map(Hand.parse, reversed(HANDS.split())))
        boards.complete_ruling(session, story.case.proceeding_id, director, now=story.later(),
                               change=lambda board: replace(board, deal=turned))  # fmt: skip
    page = at(story, "director", "/bricka")
    assert page.has(".hands")
    assert not page.has(".advice")

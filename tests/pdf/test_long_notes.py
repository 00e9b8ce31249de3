"""Long explanations on paper: hands and auction keep together, and the notes flow on over the pages."""

import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.call import Call
from casework.domain.bridge.deal import Deal, Hand
from casework.domain.models import CaseFile, Notice
from casework.domain.terms import Channel, NoticeKind
from casework.services import case_files, documents
from tests.story import Story

pytestmark = [
    pytest.mark.usefixtures("sqlite"),
    pytest.mark.filterwarnings(  # WeasyPrint leaves its colour profile open
        r"ignore:Exception ignored in. <_io.FileIO name='.*sRGB2014.icc':pytest.PytestUnraisableExceptionWarning"
    ),
]

HANDS = ("AKQJ.T98.765.432", "T987.AKQ.JT9.876", "654.765.AKQ8.AKQ", "32.J432.432.JT95")
RELAY = ("1C", "P", "1D", "P", "1H", "P", "1S", "P", "2C", "P", "P", "P")
DOUBLED = ("P", "P", "X", "P", "P", "XX", "P", "P")
LONGEST = (*"PPP", *(call for level in "1234567" for strain in "CDHSN" for call in (level + strain, *DOUBLED)), "P")
"""The 319 calls that the laws allow."""

ALERTED = (0, 2, 4, 6, 8)
ENOUGH = 300
"""Letters of a page, its head and foot included, that is not nearly blank."""


def ruled(calls: tuple[str, ...] = RELAY, said: str = "") -> Story:
    """A ruling on a board where five alerts were explained in the same words; East gets letters."""
    story = Story.begun(without_mail=frozenset({"east"}))
    explained = {at: said for at in ALERTED if said}
    bid = tuple(Call(each, alert=at in explained, explanation=explained.get(at, "")) for at, each in enumerate(calls))
    empty = Board.numbered(18)
    story.rule(board=replace(empty, deal=Deal(*map(Hand.parse, HANDS)), auction=Auction(empty.dealer, bid)))
    return story


def case_file(story: Story) -> list[str]:
    with uow(write=True) as session:
        case_id, north = story.case.case_id, story.actors["north"]
        asked = case_files.ask_for_case_file(session, case_id, north, language="sv", now=story.at).id
    return pages(asked)


def letter(story: Story) -> list[str]:
    with uow(write=True) as session:
        told = select(Notice).where(Notice.kind == NoticeKind.RULING, Notice.channel == Channel.LETTER)
        director, at = story.actors["director"], story.at + timedelta(minutes=1)
        asked = case_files.ask_for_letter(session, session.exec(told).one().id, director, now=at).id
    return pages(asked)


def pages(asked: UUID) -> list[str]:
    """The words of each page."""
    documents.make_case_file(asked)
    with uow() as session, case_files.content(session.get_one(CaseFile, asked)) as stream:
        data = stream.read()
    read = subprocess.run(["pdftotext", "-layout", "-", "-"], input=data, capture_output=True, check=True)
    return [" ".join(page.split()) for page in read.stdout.decode().split("\f")[:-1]]


Printed = Callable[[Story], list[str]]
every_paper = pytest.mark.parametrize("printed", [case_file, letter])


@every_paper
@pytest.mark.parametrize(
    "said",
    [
        pytest.param("visar fyra hjärter " * 17 + "SLUT", id="five of 330 letters"),
        pytest.param("visar fyra hjärter " * 260 + "SLUT", id="five of 5000 letters"),
        pytest.param("x" * 5000 + "SLUT", id="no spaces"),
    ],
)
def test_no_page_is_left_nearly_blank_by_long_explanations(printed: Printed, said: str) -> None:
    *before, _ = found = printed(ruled(said=said))
    assert [page for page in before if len(page) < ENOUGH] == []
    assert "".join(found).replace(" ", "").count("SLUT") == len(ALERTED)
    assert_together(found)


@every_paper
def test_the_longest_auction_begins_beside_the_hands(printed: Printed) -> None:
    assert_together(printed(ruled(LONGEST)))


def assert_together(found: list[str]) -> None:
    """Heading, the whole diagram and the head of the auction stand on one page."""
    (page,) = [page for page in found if "Öst är givare" in page]
    assert "änder och budgivning" in page.split("Öst är givare")[0]
    assert "Väst Nord Öst Syd" in page

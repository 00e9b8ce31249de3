"""A letter on paper: the board drawn as in the case file, and nothing lost at the paper's edge."""

import subprocess
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.bridge.auction import Auction
from casework.domain.bridge.call import Call
from casework.domain.bridge.deal import Deal, Hand
from casework.domain.models import CaseFile, Notice
from casework.domain.terms import Channel, NoticeKind
from casework.services import boards, case_files, documents, notice_words
from tests.story import Story

pytestmark = [
    pytest.mark.usefixtures("sqlite"),
    pytest.mark.filterwarnings(  # WeasyPrint leaves its colour profile open
        r"ignore:Exception ignored in. <_io.FileIO name='.*sRGB2014.icc':pytest.PytestUnraisableExceptionWarning"
    ),
]

UNBROKEN = "https://exempel.se/" + "x" * 8000 + "SLUT"


@pytest.fixture
def story() -> Story:
    """A ruling with a board and words without a space; East gets letters."""
    begun = Story.begun(without_mail=frozenset({"east"}))
    hands = [
        Hand.parse(each) for each in ("AKQJ.T98.765.432", "T987.AKQ.JT9.876", "654.765.AKQ8.AKQ", "32.J432.432.JT95")
    ]
    calls = tuple(map(Call, ["1S", "P", "P", "P"]))
    begun.write(
        lambda s: boards.complete_ruling(
            s,
            begun.case.proceeding_id,
            begun.actors["director"],
            change=lambda board: replace(board, deal=Deal(*hands), auction=Auction(board.dealer, calls)),
            now=begun.later(),
        )
    )
    begun.rule(facts=UNBROKEN, operative=UNBROKEN)
    return begun


def ending(asked: UUID) -> str:
    documents.make_case_file(asked)
    with uow() as session, case_files.content(session.get_one(CaseFile, asked)) as stream:
        read = subprocess.run(["pdftotext", "-", "-"], stdin=stream, capture_output=True, check=True)
    return "".join(read.stdout.decode().split())


def test_the_letter_draws_the_board_and_loses_nothing(story: Story) -> None:
    with uow(write=True) as session:
        told = select(Notice).where(Notice.kind == NoticeKind.RULING, Notice.channel == Channel.LETTER)
        letter = session.exec(told).one().id
        body = notice_words.letter_for(session, letter, story.at).body
        director, at = story.actors["director"], story.at + timedelta(minutes=1)
        asked = case_files.ask_for_letter(session, letter, director, now=at).id
    assert 'class="deal-grid"' in body
    assert 'class="board"' not in body
    assert ending(asked).count("SLUT") == 2


def test_the_case_file_loses_nothing(story: Story) -> None:
    with uow(write=True) as session:
        north = story.actors["north"]
        asked = case_files.ask_for_case_file(session, story.case.case_id, north, language="sv", now=story.at).id
    assert ending(asked).count("SLUT") >= 2

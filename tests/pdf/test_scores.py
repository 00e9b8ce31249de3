"""An adjusted score in mail, letter and case file: what both sides get, its steps, the board's results (R73, R81)."""

import subprocess
from datetime import timedelta
from uuid import UUID

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.bridge.scoring.matchpoints import Frequency, Line
from casework.domain.bridge.scoring.methods import ByMatchpoints
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome, Share, read_percent
from casework.domain.models import CaseFile, Notice
from casework.domain.terms import AppealOutcome, Channel, NoticeKind, RulingOutcome
from casework.services import case_files, documents, notices, scores
from casework.services.scores import ScoreInput
from tests.story import Story

pytestmark = [
    pytest.mark.usefixtures("sqlite"),
    pytest.mark.filterwarnings(  # WeasyPrint leaves its colour profile open
        r"ignore:Exception ignored in. <_io.FileIO name='.*sRGB2014.icc':pytest.PytestUnraisableExceptionWarning"
    ),
]

TABLE = (Line(100), Line(-420, 2), Line(-430), Line(-450, 3), Line(-460))
THIRDS = AssignedScore((Share(Outcome(100), read_percent("33,3")), Share(Outcome(-430), read_percent("66,7"))))
BOTH = (
    "Nord–Syd: 11,6 poäng (vid bordet 14 poäng och efter domslutet 10,8 poäng)",
    "Öst–Väst: 2,4 poäng (vid bordet 0 poäng och efter domslutet 3,2 poäng)",
)
SHORT = ("Nord–Syd: 10,8 poäng, tidigare 14 poäng", "Öst–Väst: 3,2 poäng, tidigare 0 poäng")
STEPS = ("(8 + 1) × 8 / 7 − 1 ≈ 9,29", "R73, 12C1c", "Sammanvägt: ≈ 10,81 poäng")


@pytest.fixture
def story() -> Story:
    """A weighted ruling in pairs, with its working; East gets letters."""
    begun = Story.begun(without_mail=frozenset({"east"}))
    method = ByMatchpoints(Frequency(TABLE), Line(100))
    typed = ScoreInput(north_south=THIRDS, east_west=THIRDS, method=method, at_table=Outcome(100))
    director, ours = begun.actors["director"], begun.case.proceeding_id
    begun.write(lambda s: scores.keep_score(s, ours, director, typed, basis=None, now=begun.later()))
    begun.rule(outcome=RulingOutcome.WEIGHTED)
    return begun


@pytest.fixture
def tried(story: Story) -> Story:
    """A jury has changed the weights of it."""
    story.publish()
    story.appeal()
    story.forward()
    story.hear()
    halves = AssignedScore((Share(Outcome(100), read_percent("50")), Share(Outcome(-430), read_percent("50"))))
    method = ByMatchpoints(Frequency(TABLE), Line(100))
    typed = ScoreInput(north_south=halves, east_west=halves, method=method, at_table=Outcome(100))
    chair, ours = story.actors["juror_1"], story.newest()
    story.write(lambda s: scores.keep_score(s, ours, chair, typed, basis=None, now=story.later()))
    story.decide(
        "juror_1",
        "juror_2",
        "juror_3",
        outcome=AppealOutcome.GRANTED,
        score=RulingOutcome.WEIGHTED,
        score_detail="Bord 5.",
    )
    return story


def notice_of(channel: Channel, kind: NoticeKind = NoticeKind.RULING) -> Notice:
    with uow() as session:
        told = select(Notice).where(Notice.kind == kind, Notice.channel == channel)
        return session.exec(told.limit(1)).one()


def words(asked: UUID) -> str:
    """The text of its pages in the order it is read."""
    documents.make_case_file(asked)
    with uow() as session, case_files.content(session.get_one(CaseFile, asked)) as stream:
        read = subprocess.run(["pdftotext", "-", "-"], stdin=stream, capture_output=True, check=True)
    return " ".join(read.stdout.decode().split())


def test_the_mail_says_what_both_sides_get_and_how_it_is_worked_out(story: Story) -> None:
    with uow() as session:
        mail = notices.message_for(session, notice_of(Channel.MAIL).id, story.at)
    for text in SHORT:
        assert text in mail.text
        assert text in mail.html
    for words in (*STEPS, "Så är poängen uträknad", "77,2 % / 22,8 %", "Brickans resultat"):
        assert words in mail.text, words
        assert words in mail.html.replace("&nbsp;", " ").replace("\N{NO-BREAK SPACE}", " "), words


def test_the_letter_has_every_step(story: Story) -> None:
    with uow(write=True) as session:
        director, at = story.actors["director"], story.at + timedelta(minutes=1)
        asked = case_files.ask_for_letter(session, notice_of(Channel.LETTER).id, director, now=at).id
    text = words(asked)
    for step in (*SHORT, *STEPS):
        assert step in text, step


def test_the_case_file_has_frequency_table_and_working(story: Story) -> None:
    with uow(write=True) as session:
        north = story.actors["north"]
        asked = case_files.ask_for_case_file(session, story.case.case_id, north, language="sv", now=story.at).id
    text = words(asked)
    for step in ("Brickans resultat", "77,2 % / 22,8 %", "12,7", *STEPS):
        assert step in text, step


def test_a_second_instance_tells_table_ruling_and_decision(tried: Story) -> None:
    """What it changes is the ruling, not the table's result: in the mail and in the case file."""
    with uow() as session:
        mail = notices.message_for(session, notice_of(Channel.MAIL, NoticeKind.DECISION).id, tried.at)
    assert "Efter domslutet: 33,3 % av" in mail.text
    assert "Efter beslutet: 50 % av" in mail.text
    for text in BOTH:
        assert text in mail.text, text
        assert text in mail.html, text
    with uow(write=True) as session:
        north = tried.actors["north"]
        asked = case_files.ask_for_case_file(session, tried.case.case_id, north, language="sv", now=tried.at).id
    text = words(asked)
    for told in ("Vid bordet 14 0 Domslut 10,8 3,2 Nu 11,6 2,4", "Efter domslutet", "Efter beslutet", "Bord 5."):
        assert told in text, told

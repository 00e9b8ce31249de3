"""The case file and letters: what each copy holds, both standards, the same bytes, and what a fault leaves behind."""

import hashlib
import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from uuid import UUID

import page
import pikepdf
import pytest
from sqlalchemy import text
from sqlmodel import select

from casework import clock
from casework.adapters import outbox, pdf
from casework.adapters.database import uow
from casework.adapters.failpoints import arm
from casework.adapters.pdf import Renderer
from casework.domain.errors import Missing
from casework.domain.models import Attachment, Case, CaseFile, Notice, OutboxJob
from casework.domain.terms import Channel, JobState, NoticeKind, Side
from casework.services import case_files, decisions, documents, statements
from casework.services.statements import ReportInput, StatementInput
from casework.settings import get_settings
from tests import support
from tests.story import Story
from workers.handlers import DUTIES

pytestmark = [
    pytest.mark.usefixtures("sqlite"),
    pytest.mark.filterwarnings(  # WeasyPrint leaves its colour profile open
        r"ignore:Exception ignored in. <_io.FileIO name='.*sRGB2014.icc':pytest.PytestUnraisableExceptionWarning"
    ),
]

UNOPENED = "kanariefågel i yttrandet"
NOTED = "kanariefågel i överläggningen"
WARNED = "Vid bordet."


def appealed_twice() -> Story:
    """Decided by the jury with a note in its room, appealed to LK, where one side's statement is not opened yet."""
    story = Story.begun(without_mail=frozenset({"east"}))
    story.rule()
    story.publish()
    story.appeal("east", Side.EAST_WEST)
    story.warn()
    story.concur("west")
    story.forward()
    story.hear()
    newest, juror = story.newest(), story.actors["juror_2"]
    story.write(lambda s: decisions.write_note(s, newest, juror, text=NOTED, shared=True, now=story.later()))
    story.decide("juror_1", "juror_2", "juror_3")
    story.appeal("east", Side.EAST_WEST)
    story.concur("west")
    story.forward()
    newest, director = story.newest(), story.actors["director"]
    report = ReportInput(events="Så gick det till.", ruling="4♠ nio stick.", reasons="Lag 16B1.")
    story.write(lambda s: statements.file_report(s, newest, director, report, now=story.later()))
    story.write(lambda s: statements.demand_statements(s, newest, director, question="Hur länge?", now=story.later()))
    story.deliver()
    mine = StatementInput(party_id=story.case.party_ids[Side.NORTH_SOUTH], text=UNOPENED)
    step = story.write(lambda s: statements.file_statement(s, newest, story.actors["north"], mine, now=story.later()))
    with uow(write=True) as session:
        session.add(
            Attachment(
                case_id=story.case.case_id,
                party_id=mine.party_id,
                statement_id=step.subject_id,
                uploaded_by=story.there.persons["north"],
                uploaded_at=story.at,
                key="0" * 32,
                name=f"{UNOPENED}.pdf",
                media_type="application/pdf",
                size=1000,
                sha256="0" * 64,
            )
        )
    return story


def ruled() -> Story:
    """A case with a ruling and nothing more; East gets letters."""
    story = Story.begun(without_mail=frozenset({"east"}))
    story.rule()
    return story


def ask(story: Story, key: str = "north", language: str = "sv") -> UUID:
    with uow(write=True) as session:
        asked = case_files.ask_for_case_file(
            session, story.case.case_id, story.actors[key], language=language, now=story.at
        )
        return asked.id


def file(file_id: UUID) -> CaseFile:
    with uow() as session:
        return session.get_one(CaseFile, file_id)


def made(file_id: UUID) -> bytes:
    documents.make_case_file(file_id)
    with case_files.content(file(file_id)) as stream:
        return stream.read()


def words(content: bytes, *options: str) -> str:
    """The text of the pages, and of the attached facts."""
    read = subprocess.run(["pdftotext", *options, "-", "-"], input=content, capture_output=True, check=True)
    with pikepdf.open(BytesIO(content)) as opened:
        attached = [opened.attachments[name].get_file().read_bytes().decode() for name in opened.attachments]
    return " ".join([read.stdout.decode(), *attached])


def stored() -> set[str]:
    folder = get_settings().data / "files"
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


@dataclass(frozen=True)
class Copies:
    """The same case for its parties and for its body; `again` is the body's copy made once more from its rows."""

    number: str
    parties: bytes
    body: bytes
    again: bytes
    sha256: str
    letter: bytes


@pytest.fixture(scope="module")
def copies(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Copies:
    """One case as each reader gets it, made once for the tests that only read."""
    data = tmp_path_factory.mktemp("copies")
    shutil.copyfile(sqlite_template, data / "casework.sqlite3")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CASEWORK_TESTING", "1")
        patch.setenv("CASEWORK_DATA", str(data))
        support.forget_settings()
        story = appealed_twice()
        asked = ask(story, "director")
        body = made(asked)
        with uow() as session:
            again = documents.papers_of(session, session.get_one(CaseFile, asked)).pdf()
        made_once = Copies(
            number=story.case.number,
            parties=made(ask(story, "west")),
            body=body,
            again=again,
            sha256=file(asked).sha256,
            letter=made(letter_of(story)),
        )
    support.forget_settings()
    return made_once


def test_the_times_that_were_moved_stand_in_each_copy_with_side_and_ends() -> None:
    """The reason for more time is the side's own and the body's: the parties' copy is read by both sides."""
    story = ruled()
    story.publish()
    story.prolong()
    parties, body = (" ".join(words(made(ask(story, key))).split()) for key in ("west", "director"))
    for copy in (parties, body):
        assert "Tid att överklaga, par 7: flyttad från lördag 28 november 2026" in copy
    assert "Anteckningen kom sent." in body
    assert "Anteckningen kom sent." not in parties


def test_each_copy_holds_what_its_readers_may_read(copies: Copies) -> None:
    """R28, S-AC4: contact data and proof are the body's; unopened texts and the deliberation are nobody's."""
    parties, body = words(copies.parties), words(copies.body)
    for copy in (parties, body):
        assert UNOPENED not in copy
        assert NOTED not in copy
        assert "Så gick det till." in copy
        assert "Göran Wiklund, ordförande" in copy
    for only_body in ("Provgatan", "08-000 00", "Underrättelser och bevis", "levererad när e-postservern", WARNED):
        assert only_body not in parties
        assert only_body in body
    assert "@" not in parties
    assert "Kontaktuppgifter ingår inte." in parties


def test_the_cover_names_the_appellant_first_and_what_is_appealed(copies: Copies) -> None:
    cover = " ".join(words(copies.body).split("\f")[0].split())
    assert re.search(r"Överklagar .*par 12 Motpart .*par 7 Överklagat beslut Juryns beslut, lördag", cover)


def test_each_section_begins_on_the_page_that_the_contents_name(copies: Copies) -> None:
    """S-PDF5; pages are numbered "3 (11)", and `case.json` has the same sections."""
    with pikepdf.open(BytesIO(copies.body)) as opened:
        facts = json.loads(opened.attachments["case.json"].get_file().read_bytes())
        count = len(opened.pages)
    pages = [" ".join(text.split()) for text in words(copies.body).split("\f")][:count]
    listed = re.findall(r"([A-ZÅÄÖ][^.]+?) ?[. ]{5,} (\d+)", pages[0].partition("Innehåll")[2])
    assert [title.strip() for title, _ in listed][:3] == ["Parter", "Domslutet", "Överklagande till juryn"]
    assert all(title.strip() in pages[int(number) - 1] for title, number in listed)
    assert all(f"{number} ({count})" in text for number, text in enumerate(pages, start=1))
    assert facts["case_number"] == copies.number
    assert [section["title"] for section in facts["sections"]] == [title.strip() for title, _ in listed]


@pytest.mark.parametrize("profile", ["3a", "ua1"])
@pytest.mark.parametrize("which", ["parties", "body", "letter"])
def test_every_file_passes_both_standards(copies: Copies, which: str, profile: str) -> None:
    """S-PDF4."""
    report = page.validate_pdf_bytes(getattr(copies, which), profile=profile)
    assert [(found.rule_id, found.message) for found in report.failures] == []


def test_the_same_file_comes_out_the_same_again(copies: Copies) -> None:
    """So the stored hash can be proved."""
    assert copies.again == copies.body
    assert hashlib.sha256(copies.again).hexdigest() == copies.sha256


def letter_of(story: Story) -> UUID:
    with uow(write=True) as session:
        wanted = select(Notice).where(Notice.channel == Channel.LETTER, Notice.kind == NoticeKind.RULING)
        notice = session.exec(wanted).one()
        return case_files.ask_for_letter(session, notice.id, story.actors["office"], now=story.at).id


def test_a_letter_has_its_address_and_how_to_appeal_last() -> None:
    """R32: on paper as in the mail."""
    story = ruled()
    story.publish()
    read = " ".join(words(made(letter_of(story))).split())
    assert "Lena Tvärås Provgatan 14 111 11 Lindvalla" in read
    assert "Överklaga senast Lördag 28 november 2026 kl. 14." in read
    assert read.index("Vad det gäller") < read.index("Behöver du hjälp?") < read.index("Så överklagar du")


def test_a_letter_is_made_for_who_posts_it_and_for_its_reader_alone() -> None:
    story = ruled()
    with uow() as session:
        notice = session.exec(select(Notice).where(Notice.channel == Channel.LETTER)).first()
    assert notice is not None
    for key in ("north", "west", "organiser", "juror_1"):
        with pytest.raises(Missing), uow(write=True) as session:
            case_files.ask_for_letter(session, notice.id, story.actors[key], now=story.at)
    with uow(write=True) as session:
        assert case_files.ask_for_letter(session, notice.id, story.actors["east"], now=story.at)


def test_asked_twice_it_is_one_file_until_the_case_moves_on() -> None:
    story = ruled()
    first = ask(story)
    assert ask(story, "west") == first
    made(first)
    assert ask(story) == first
    assert ask(story, language="en") != first
    story.publish()
    assert ask(story) != first


def test_a_file_says_at_which_point_of_the_history_it_was_made() -> None:
    """The case moved on while it waited for a worker."""
    story = ruled()
    asked = ask(story)
    story.publish()
    made(asked)
    with uow() as session:
        assert file(asked).head_seq == session.get_one(Case, story.case.case_id).head_seq
    assert ask(story) == asked


def test_a_pdf_that_fails_leaves_the_case_untouched_and_can_be_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """F35."""
    story = ruled()
    asked = ask(story)
    impatient = Renderer(seconds=0.01)
    with monkeypatch.context() as patch:
        patch.setattr(pdf, "_shared", impatient)
        documents.make_case_file(asked)
    impatient.close()
    failed = file(asked)
    assert (failed.made_at, failed.failed_because) == (None, "PDF:en blev inte gjord: det tog för lång tid.")
    assert stored() == set()
    again = ask(story)
    assert again != asked
    assert made(again).startswith(b"%PDF")


@contextmanager
def unwritable() -> Iterator[None]:
    """The database refuses to record that a file is made."""
    with uow(write=True) as session:
        session.connection().execute(
            text("CREATE TRIGGER full BEFORE UPDATE ON case_files BEGIN SELECT RAISE(ABORT, 'full'); END")
        )
    yield
    with uow(write=True) as session:
        session.connection().execute(text("DROP TRIGGER full"))


def test_a_stored_file_that_cannot_be_recorded_is_removed() -> None:
    asked = ask(ruled())
    with unwritable(), pytest.raises(Exception, match="full"):
        documents.make_case_file(asked)
    assert stored() == set()
    made(asked)
    assert stored() == {file(asked).key}


def job_of(subject: UUID) -> OutboxJob:
    with uow() as session:
        return session.exec(select(OutboxJob).where(OutboxJob.subject_id == subject)).one()


def test_a_worker_killed_in_the_midst_loses_nothing() -> None:
    """R-CEL: made by another once the lease has run out."""
    asked = ask(ruled())
    arm("pdf_stored")
    work = (
        "import sys; from uuid import UUID; from casework import clock; from casework.adapters import outbox; "
        "from workers.handlers import DUTIES; outbox.work(UUID(sys.argv[1]), DUTIES.handlers, clock.now)"
    )
    job = job_of(asked)
    died = subprocess.run([sys.executable, "-c", work, str(job.id)], check=False)
    assert died.returncode == -signal.SIGKILL
    assert (file(asked).made_at, job_of(asked).state) == (None, JobState.CLAIMED)
    later = clock.now() + timedelta(seconds=get_settings().lease_seconds + 1)
    assert outbox.release(job.id, DUTIES.handlers, later) is JobState.DUE
    assert outbox.work(job.id, DUTIES.handlers, lambda: later) is JobState.DONE
    assert stored() >= {file(asked).key}


def test_a_worker_that_comes_second_keeps_the_first_ones_file() -> None:
    asked = ask(ruled())
    made(asked)
    key = file(asked).key
    documents.make_case_file(asked)
    assert (file(asked).key, stored()) == (key, {key})

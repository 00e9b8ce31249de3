"""Much of everything: fifty PDFs asked for at once, and a case as large as any (F37, F44)."""

import statistics
import time
from datetime import timedelta
from io import BytesIO
from uuid import UUID

import pytest

from casework import clock
from casework.adapters import storage
from casework.adapters.database import retrying, uow
from casework.domain.models import Attachment, CaseFile, Statement
from casework.domain.terms import AppealRoute, FilingChannel, Side, StatementKind
from casework.services import case_files
from tests.faults import pairs
from tests.faults.office import Office
from tests.faults.pairs import Pair
from tests.faults.table import Row, Table
from tests.faults.together import together
from tests.page import PageClient
from tests.story import Story
from tests.web import panels
from tests.web.readers import browser
from tests.workers.waiting import wait_until

pytestmark = pytest.mark.filterwarnings(  # WeasyPrint leaves its colour profile open
    r"ignore:Exception ignored in. <_io.FileIO name='.*sRGB2014.icc':pytest.PytestUnraisableExceptionWarning"
)

BUSY = 5.0
"""How much longer than on an idle machine something may take where other tests run beside it."""
PAGE = 1.0
"""Seconds on an idle machine."""
ASKED, CASES = 50, 5


@pytest.mark.fault(bites=pairs.EMBEDDED, pairs=pairs.DATABASES)
def test_f37_fifty_pdfs_asked_for_at_once(office: Office) -> None:
    """F37: each version is made once, the others queue, and pages come as fast meanwhile."""
    office.rule(CASES)
    cases = sorted({notice.case_id for notice in office.mails()}, key=str)
    director = office.there.actor("director")

    def ask(case_id: UUID) -> UUID:
        @retrying
        def asked() -> UUID:
            with uow(write=True) as session:
                return case_files.ask_for_case_file(session, case_id, director, language="sv", now=clock.now()).id

        return asked()

    asked = together(*[lambda case_id=case_id: ask(case_id) for case_id in cases * (ASKED // CASES)])
    assert len(set(asked)) == CASES
    reader = panels.browser(office.there, "director")
    office.open(processes=2)
    took: list[float] = []
    while len(took) < 40 or not made(set(asked)):
        some = ("/", "/arenden", f"/arenden/{cases[len(took) % CASES]}")
        took.extend(seconds(reader, path) for path in some)
        assert len(took) < 3000
    wait_until(lambda: made(set(asked)), "all are made")
    slow = statistics.quantiles(took, n=20)[-1]
    office.settle()
    note = f"{len(set(asked))} made of {ASKED} asked, page p95 {slow:.2f} s of {len(took)}"
    office.table.add(Row(fault="F37", pair=str(office.pair), tries=ASKED, lost=0, doubled=0, late=0, note=note))
    assert slow < PAGE * BUSY


def made(ids: set[UUID]) -> bool:
    """Whether every file is there."""
    with uow() as session:
        return all(session.get_one(CaseFile, file_id).made_at for file_id in ids)


def seconds(reader: PageClient, path: str) -> float:
    """How long a page takes."""
    begun = time.monotonic()
    answer = reader.raw(path)
    answer.get_data()
    assert answer.status_code == 200
    return time.monotonic() - begun


FILES, STATEMENTS, LETTERS = 200, 300, 2_000_000


def huge() -> Story:
    """A case in writing with so many files and statements, and two megabytes of text."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.appeal()
    story.forward()
    story.write_papers()
    here, now = story.newest(), story.later()
    prose = "Nord tänkte länge och passade, och Syd, som hade sett pausen, frågade inte vad den betydde. " * 8
    text = (f"{prose}Sedan bjöd Syd 4♠.\n\n" * 20)[: LETTERS // STATEMENTS]
    with uow(write=True) as session:
        for number in range(STATEMENTS):
            north = number % 2 == 0
            said = Statement(
                case_id=story.case.case_id, proceeding_id=here, kind=StatementKind.LATE,
                party_id=story.case.party_ids[Side.NORTH_SOUTH if north else Side.EAST_WEST],
                author_id=story.there.persons["north" if north else "east"], channel=FilingChannel.LINK, text=text,
                signed_at=now, received_at=now + timedelta(seconds=number), opened_at=now,
            )  # fmt: skip
            session.add(said)
            if number < FILES:
                kept = storage.store(BytesIO(b"Bricka %d" % number), filename=f"bilaga {number}.txt", used=0)
                session.add(Attachment(
                    case_id=story.case.case_id, party_id=said.party_id, statement_id=said.id,
                    uploaded_by=said.author_id, uploaded_at=now, key=kept.key, name=kept.display_name,
                    media_type=kept.media_type, size=kept.size, sha256=kept.sha256,
                ))  # fmt: skip
    story.later(minutes=10)
    return story


@pytest.mark.fault(bites=pairs.WITHOUT_BROKER[1], pairs=pairs.WITHOUT_BROKER)
def test_f44_the_pages_of_a_huge_case(on_pair: Pair, table: Table) -> None:
    """F44: pages under a second, whoever reads."""
    story, took = huge(), {}
    for who in ("director", "office", "lk_chair"):
        reader = browser(story, who)
        for place in ("", "?visa=allt", "/akten", "/fullstandighet"):
            path = f"/arenden/{story.case.case_id}{place}"
            answer = reader.raw(path)
            if answer.status_code == 200:
                took[who, place] = min(seconds(reader, path) for _ in range(2))
    slowest = max(took.values())
    row = Row(fault="F44", pair=str(on_pair), tries=len(took), lost=0, doubled=0,
              late=int(slowest > PAGE * BUSY), note=f"slowest page {slowest:.2f} s")  # fmt: skip
    table.add(row)

"""How long the case file of a demo case takes, beside a fresh Python that imports WeasyPrint and renders the same."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from casework.adapters.database import uow
from casework.domain.models import CaseFile
from casework.services import documents
from tests.story import Story

MOST = 1.5
"""The case file may take this many times as long as the fresh process."""
RUNS = 5

FRESH = """
import sys
from pathlib import Path
from weasyprint import HTML
from casework.adapters.pdf_renderer import AssetFetcher
HTML(string=Path(sys.argv[1]).read_text(encoding="utf-8"), url_fetcher=AssetFetcher()).write_pdf(sys.argv[2])
"""


def seconds(deed: Callable[[], object]) -> float:
    began = time.perf_counter()
    deed()
    return time.perf_counter() - began


def asked(story: Story) -> CaseFile:
    """A file that nobody has made, however often it is asked for."""
    with uow(write=True) as session:
        session.add(
            file := CaseFile(
                case_id=story.case.case_id,
                language="sv",
                asked_by=story.there.persons["director"],
                asked_at=story.later(seconds=1),
            )
        )
        return file


@pytest.mark.usefixtures("sqlite")
def test_the_case_file_takes_little_more_than_a_fresh_process(tmp_path: Path) -> None:
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal()
    story.concur()
    story.forward()
    story.hear()
    story.decide("juror_1", "juror_2", "juror_3")
    html = tmp_path / "case.html"
    with uow() as session:
        file = asked(story)
        papers = documents.papers_of(session, file)
    html.write_text(papers.html, encoding="utf-8")
    command = [sys.executable, "-c", FRESH, str(html), str(tmp_path / "case.pdf")]
    documents.make_case_file(file.id)  # the worker's renderer is there, as it is after the first file of a day
    ours, fresh = [], []
    for _ in range(RUNS):
        waiting = asked(story)
        fresh.append(seconds(lambda: subprocess.run(command, check=True)))
        ours.append(seconds(partial(documents.make_case_file, waiting.id)))
    ratio = statistics.median(ours) / statistics.median(fresh)
    with uow() as session:
        pages = session.get_one(CaseFile, waiting.id).pages
    print(
        f"\ncase file of {pages} pages: {statistics.median(ours):.2f} s; "
        f"fresh process: {statistics.median(fresh):.2f} s; ratio {ratio:.2f} (at most {MOST})"
    )
    assert ratio <= MOST

"""How long the PDF of a huge case takes: 200 files, 300 statements, two megabytes of text (F44)."""

import time

import pytest
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import CaseFile
from casework.services import case_files, documents
from tests.faults.test_load import huge

MOST = 60.0
"""Seconds, in the background; pages are quick meanwhile."""


@pytest.mark.usefixtures("sqlite")
def test_f44_the_pdf_of_a_huge_case_is_made_in_a_minute() -> None:
    story = huge()
    director = story.actors["director"]
    with uow(write=True) as session:
        asked = case_files.ask_for_case_file(session, story.case.case_id, director, language="sv", now=clock.now()).id
    begun = time.monotonic()
    documents.make_case_file(asked)
    took = time.monotonic() - begun
    with uow() as session:
        file = session.exec(select(CaseFile)).one()
    print(f"\ncase file of {file.pages} pages: {took:.1f} s (at most {MOST:.0f})")
    assert file.failed_because == ""
    assert took < MOST

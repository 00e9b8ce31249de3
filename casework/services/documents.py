"""Making PDF files: read, rendered and stored by a worker, recorded in one transaction.

A file that fails leaves the case untouched, says why, and can be asked for again.
"""

from datetime import datetime
from io import BytesIO
from uuid import UUID

import pikepdf
from sqlmodel import Session

from casework import clock
from casework.adapters import storage
from casework.adapters.database import uow
from casework.adapters.i18n import jinja_environment, render
from casework.adapters.pdf import PdfFailed, render_pdf
from casework.domain.models import CaseFile
from casework.services import notice_words
from casework.services.case_file import case_file
from casework.settings import get_settings
from casework.text import t


def make_case_file(case_file_id: UUID) -> None:
    """Make a file that was asked for: read, rendered and stored outside a transaction, recorded in one."""
    with uow() as session:
        asked = session.get(CaseFile, case_file_id)
        if asked is None or asked.made_at is not None:
            return
        title, html = _letter(session, asked) if asked.notice_id else _whole_case(session, asked)
        language, created = asked.language, asked.asked_at
    try:
        pdf = render_pdf(html, title=title, language=language, created=created)
    except PdfFailed as failed:
        with uow(write=True) as session:
            record_failure(session, case_file_id, clock.now(), render(failed.reason, language))
        return
    stored = storage.store(BytesIO(pdf), filename=f"{case_file_id}.pdf", used=0)
    with uow(write=True) as session:
        made = session.get_one(CaseFile, case_file_id)
        made.key, made.sha256, made.pages = stored.key, stored.sha256, _pages(pdf)
        made.made_at, made.failed_because = clock.now(), ""
        session.add(made)


def _pages(pdf: bytes) -> int:
    with pikepdf.open(BytesIO(pdf)) as document:
        return len(document.pages)


def _whole_case(session: Session, asked: CaseFile) -> tuple[str, str]:
    context = case_file(session, asked.case_id, for_parties=asked.for_parties, language=asked.language)
    title = render(context["title"], asked.language)
    return title, _render("pdf/case_file.html", asked, context)


def _letter(session: Session, asked: CaseFile) -> tuple[str, str]:
    if asked.notice_id is None:
        raise ValueError("no notice to make a letter of")
    letter = notice_words.letter_for(session, asked.notice_id)
    context = {
        "case_number": letter.case_number,
        "kind": t("Letter"),
        "dated": asked.asked_at.astimezone(clock.LOCAL).date(),
        "letter": letter,
    }
    return letter.subject, _render("pdf/letter.html", asked, context)


def _render(template: str, asked: CaseFile, context: dict[str, object]) -> str:
    shared = {"lang": asked.language, "federation_name": get_settings().federation_name}
    return jinja_environment(asked.language).get_template(template).render(shared | context)


def record_failure(session: Session, case_file_id: UUID, at: datetime, reason: str) -> None:
    """There is no PDF, and why; the case's page shows everything all the same (F35)."""
    asked = session.get(CaseFile, case_file_id)
    if asked is not None and asked.made_at is None:
        asked.failed_because = reason
        session.add(asked)

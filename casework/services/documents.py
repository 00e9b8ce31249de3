"""Making PDF files: read, rendered and stored by a worker, recorded in one transaction.

A file that fails leaves the case untouched, says why, and can be asked for again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from datetime import date, datetime
from io import BytesIO
from typing import Any
from uuid import UUID

import pikepdf
from sqlmodel import Session

from casework import clock
from casework.adapters import storage
from casework.adapters.database import retrying, uow
from casework.adapters.failpoints import failpoint
from casework.adapters.i18n import jinja_environment, render
from casework.adapters.pdf import PdfFailed, render_pdf
from casework.adapters.storage import Stored
from casework.domain.models import Case, CaseFile
from casework.services import case_files, notice_words
from casework.services.case_file import case_file, proof_of_notice
from casework.settings import get_settings
from casework.text import Text, t

FACTS = "case.json"
"""The attachment that says the same as the pages, for machines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Papers:
    """A document ready for the renderer, and the point in the case's history that it shows."""

    title: str
    html: str
    language: str
    created: datetime
    head_seq: int
    attachments: Mapping[str, bytes]

    def pdf(self) -> bytes:
        """The same papers give the same bytes. Raises PdfFailed."""
        return render_pdf(
            self.html,
            title=self.title,
            language=self.language,
            created=self.created,
            attachments=dict(self.attachments),
        )


def make_case_file(case_file_id: UUID) -> None:
    """Make a file that was asked for: read, rendered and stored outside a transaction, recorded in one."""
    with uow() as session:
        asked = session.get(CaseFile, case_file_id)
        if asked is None or asked.made_at is not None:
            return
        papers = papers_of(session, asked)
    try:
        pdf = papers.pdf()
    except PdfFailed as failed:
        _record_failure(case_file_id, failed.reason)
        return
    stored = storage.store(BytesIO(pdf), filename=f"{case_file_id}.pdf", used=0)
    failpoint("pdf_stored")
    try:
        kept = _record(case_file_id, stored, papers.head_seq, pages=_pages(pdf))
    except BaseException:
        storage.discard(stored.key)
        raise
    if not kept:
        storage.discard(stored.key)


def papers_of(session: Session, asked: CaseFile) -> Papers:
    """What a file holds as the case stands in this session."""
    case = session.get_one(Case, asked.case_id)
    dated = asked.asked_at.astimezone(clock.LOCAL).date()
    attachments: dict[str, bytes] = {}
    if asked.notice_id is not None:
        letter = notice_words.letter_for(session, asked.notice_id, asked.asked_at)
        context: dict[str, Any] = {
            "case_number": letter.case_number,
            "kind": t("Letter"),
            "dated": dated,
            "letter": letter,
        }
        title, template = letter.subject, "pdf/letter.html"
    elif asked.of_proof:
        context = proof_of_notice(session, asked.case_id, masked=asked.for_parties, dated=dated)
        title, template = render(context["title"], asked.language), "pdf/proof.html"
    else:
        context = case_file(session, asked.case_id, for_parties=asked.for_parties, language=asked.language, dated=dated)
        title, template = render(context["title"], asked.language), "pdf/case_file.html"
        facts = json.dumps(_plain(context, asked.language), ensure_ascii=False, indent=1, sort_keys=True)
        attachments = {FACTS: facts.encode()}
    shared = {"lang": asked.language, "federation_name": get_settings().federation_name}
    return Papers(
        title=title,
        html=jinja_environment(asked.language).get_template(template).render(shared | context),
        language=asked.language,
        created=asked.asked_at,
        head_seq=case_files.head(session, case),
        attachments=attachments,
    )


def _plain(value: Any, language: str) -> Any:
    """What the template shows as plain JSON: words in the reader's language, instants in UTC.

    It is made of the pages' own context, so that it cannot say more than they do.
    """
    match value:
        case Text():
            return render(value, language)
        case date():
            return value.isoformat()
        case dict():
            return {str(key): _plain(item, language) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item, language) for item in value]
        case _ if is_dataclass(value) and not isinstance(value, type):
            return {name: _plain(getattr(value, name), language) for name in value.__dataclass_fields__}
        case _:
            return str(value) if isinstance(value, UUID) else value


@retrying
def _record(case_file_id: UUID, stored: Stored, head_seq: int, *, pages: int) -> bool:
    """Whether this is the file that is kept: another worker may have been first."""
    with uow(write=True) as session:
        made = session.get_one(CaseFile, case_file_id, with_for_update=True)
        if made.made_at is not None:
            return False
        made.key, made.sha256, made.pages, made.head_seq = stored.key, stored.sha256, pages, head_seq
        made.made_at, made.failed_because = clock.now(), ""
        session.add(made)
        return True


@retrying
def _record_failure(case_file_id: UUID, reason: Text) -> None:
    with uow(write=True) as session:
        record_failure(session, case_file_id, clock.now(), reason)


def record_failure(session: Session, case_file_id: UUID, at: datetime, reason: Text) -> None:
    """There is no PDF, and why; the case's page shows everything all the same (F35)."""
    asked = session.get(CaseFile, case_file_id)
    if asked is not None and asked.made_at is None:
        asked.failed_because = render(reason, asked.language)
        session.add(asked)


def _pages(pdf: bytes) -> int:
    with pikepdf.open(BytesIO(pdf)) as document:
        return len(document.pages)

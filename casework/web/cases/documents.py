"""Where a document is opened: papers to read here, files by the subject that keeps them."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from flask import url_for

from casework.services.case_documents import DocumentLink

HERE = ("ruling", "decision", "appeal", "request", "report", "addition", "statement", "answer", "late")
"""Kinds that have a page of their own in this package."""

_PAGES: dict[str, str] = {}


def opens_with(kind: str, endpoint: str) -> None:
    """Say which endpoint opens documents of a kind; it takes `case_id` and `document_id`."""
    _PAGES[kind] = endpoint


def document_url(case_id: UUID, document: DocumentLink) -> str | None:
    """The address of a document; None when the reader cannot open it."""
    if not document.readable:
        return None
    if document.kind in HERE:
        return url_for("cases.document", case_id=case_id, kind=document.kind, document_id=document.id)
    endpoint = _PAGES.get(document.kind)
    return url_for(endpoint, case_id=case_id, document_id=document.id) if endpoint else None


def linked(case_id: UUID, documents: Iterable[DocumentLink]) -> list[dict[str, Any]]:
    """Documents as the macros want them."""
    return [{"title": d.title, "note": d.note, "url": document_url(case_id, d)} for d in documents]

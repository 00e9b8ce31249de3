"""Files in a form: taken in at once, kept as drafts while the form is filled in, checked and filed.

A file that is refused says why at its field; what was typed and the files already taken in stay.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, BinaryIO, cast
from uuid import UUID

import wtforms
from flask import request
from sqlmodel import Session
from werkzeug.datastructures import FileStorage
from wtforms import validators

from casework.domain.errors import Invalid
from casework.services import papers
from casework.text import t
from casework.web import sessions
from casework.web.forms import Form
from casework.web.moment import now
from casework.web.security import token_proven
from casework.web.units import reading, write

KEPT, HAD = "kept", "had"
"""The fields of the files taken in before: those still ticked, and all that the page showed."""


class WithFiles(Form):
    """A form with files: those taken in stand in `drafts`, shown as ticked boxes: unticked is left out."""

    files = wtforms.MultipleFileField(
        t("Pictures or files"),
        description=t(
            "PDF, JPEG, PNG or plain text, at most 15 MB each. A file is passed on as you made it: it may show more "
            "than you mean, for example where a picture was taken."
        ),
        validators=[validators.Optional()],
    )
    drafts: Sequence[Any] = ()
    """Names, sizes and ids of the files taken in (`Attachment`)."""

    def sent_with_files(self, case_id: UUID, party_id: UUID | None) -> bool:
        """`sent()`, and what was chosen is taken in whether or not the other answers will do."""
        good = self.sent()
        if request.method == "POST" and token_proven():
            self._take_in(case_id, party_id)
        return good and not self.errors

    @property
    def draft_ids(self) -> tuple[UUID, ...]:
        """The files to be filed with the form."""
        return tuple(draft.id for draft in self.drafts)

    def _take_in(self, case_id: UUID, party_id: UUID | None) -> None:
        ids = _ids(KEPT)
        if gone := [draft_id for draft_id in _ids(HAD) if draft_id not in ids]:
            write(lambda session: _discard(session, case_id, gone))
        chosen = [file for file in request.files.getlist(self.files.name) if file.filename]
        wrong = []
        for file in chosen:
            try:
                ids.append(_keep(file, case_id, party_id, room=papers.MOST_FILES - len(ids)))
            except Invalid as refusal:
                wrong.append(refusal.reason)
        with reading() as session:
            self.drafts, whole = papers.drafts(session, ids, sessions.current_actor(), case_id=case_id, now=now())
        if not whole:
            wrong.append(papers.GONE)
        if wrong:
            self.files.errors, self.status = [*self.files.errors, *wrong], Invalid.status


def _ids(field: str) -> list[UUID]:
    found = []
    for sent in request.form.getlist(field)[: papers.MOST_FILES]:
        with suppress(ValueError):
            found.append(UUID(sent))
    return found


def _discard(session: Session, case_id: UUID, ids: Sequence[UUID]) -> None:
    for draft_id in ids:
        papers.discard_draft(session, draft_id, sessions.current_actor(), case_id=case_id, now=now())


def _keep(file: FileStorage, case_id: UUID, party_id: UUID | None, *, room: int) -> UUID:
    """Store the file first and write its row after: no write unit waits for a slow sender."""
    if room <= 0:
        raise Invalid({papers.FIELD: t("At most {number} files fit in one form.", number=papers.MOST_FILES)})
    with reading() as session:
        used = papers.used(session, case_id, party_id)
    stored = papers.take_in(cast("BinaryIO", file.stream), filename=file.filename or "", used=used)
    try:
        return write(
            lambda session: (
                papers.keep_draft(
                    session, stored, sessions.current_actor(), case_id=case_id, party_id=party_id, now=now()
                ).id
            )
        )
    except BaseException:
        papers.drop(stored)
        raise

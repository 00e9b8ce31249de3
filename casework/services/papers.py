"""Attachments: kept as drafts while a form is filled in, filed with it, read by those who may read what they hang on.

The bytes are stored before any write unit is opened; the row of a draft belongs to nothing but its uploader.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import BinaryIO
from uuid import UUID

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select

from casework.adapters import storage
from casework.adapters.storage import Stored
from casework.domain.access import Actor, Permission, can
from casework.domain.errors import Invalid, Missing, NotAllowed
from casework.domain.models import AccessEntry, Attachment, Statement
from casework.domain.terms import FilingChannel, Part, StatementKind
from casework.services.loading import Loaded
from casework.services.step import Step, acting_person
from casework.text import t

DRAFT_AGE = timedelta(days=1)
"""A draft that has not been filed by then is gone; the sweep gives a form that is being sent an hour more."""
SWEPT_AFTER = DRAFT_AGE + timedelta(hours=1)
MOST_FILES = 20
"""How many files one form may carry."""
FIELD = "files"
"""The form field that `Invalid` names."""
BOARD_FILE = "board_file"
"""The part of a filing that says which game of its file the board was taken from."""
BOARD_TABLE = "board_table"
"""Beside it, the results of all tables that the game has, as the score editor reads them."""
KEPT_FROM_PARTIES = t("Only the case's directors and the panel read the original file: it may hold other boards and "
                      "what is calculated about the cards. "
                      "The board of the case can be downloaded as PBN.")  # fmt: skip
GONE = t("A file was chosen more than a day ago and is no longer kept. Choose it again.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hangs:
    """What an attachment hangs on: a statement or an appeal."""

    statement_id: UUID | None = None
    appeal_id: UUID | None = None


def used(session: Session, case_id: UUID, party_id: UUID | None) -> int:
    """How many bytes a party (None: the officials) has sent in a case, drafts included."""
    mine = col(Attachment.party_id) == party_id if party_id else col(Attachment.party_id).is_(None)
    total = session.exec(select(func.sum(Attachment.size)).where(Attachment.case_id == case_id, mine)).one()
    return int(total or 0)


def take_in(stream: BinaryIO, *, filename: str, used: int, boards: bool = False) -> Stored:
    """Store an upload, outside any write unit; `boards` as for `storage.store`.

    Raises `Invalid` with the field `files`: kind or size.
    """
    try:
        return storage.store(stream, filename=filename, used=used, boards=boards)
    except Invalid as refusal:
        shown = "".join(sign for sign in filename[-80:] if sign.isprintable())
        raise Invalid({FIELD: t("{file}: {reason}", file=shown, reason=refusal.reason)}) from refusal


def drop(stored: Stored) -> None:
    """Remove a stored file that got no row."""
    storage.discard(stored.key)


def keep_draft(
    session: Session, stored: Stored, actor: Actor, *, case_id: UUID, party_id: UUID | None, now: datetime
) -> Attachment:
    """The row of a stored file that is not filed yet. Raises `Invalid` when uploads at once made it too much."""
    if used(session, case_id, party_id) + stored.size > storage.MAX_TOTAL:
        raise Invalid({FIELD: t("All your files in the case are too large together. Leave one out.")})
    draft = Attachment(
        case_id=case_id,
        party_id=party_id,
        uploaded_by=acting_person(actor),
        uploaded_at=now,
        key=stored.key,
        name=stored.display_name,
        media_type=stored.media_type,
        size=stored.size,
        sha256=stored.sha256,
    )
    session.add(draft)
    session.flush()
    return draft


def drafts(
    session: Session, ids: Sequence[UUID], actor: Actor, *, case_id: UUID, now: datetime
) -> tuple[Sequence[Attachment], bool]:
    """The actor's own drafts among `ids`, in their order, and whether all are still kept."""
    rows = session.exec(
        select(Attachment).where(
            col(Attachment.id).in_(ids),
            Attachment.case_id == case_id,
            Attachment.uploaded_by == actor.person_id,
            Attachment.uploaded_at > now - DRAFT_AGE,
            *_unfiled(),
        )
    )
    found = {row.id: row for row in rows}
    return [found[draft_id] for draft_id in ids if draft_id in found], len(found) == len(set(ids))


def discard_draft(session: Session, draft_id: UUID, actor: Actor, *, case_id: UUID, now: datetime) -> None:
    """Take away one of the actor's own drafts; one that is gone or filed already stays as it is."""
    found, _ = drafts(session, [draft_id], actor, case_id=case_id, now=now)
    for draft in found:
        storage.discard(draft.key)
        session.delete(draft)


def file_drafts(step: Step, ids: Sequence[UUID], hangs: Hangs, *, party_id: UUID | None) -> None:
    """File drafts with what a step files. Raises `Invalid` when one is no longer kept."""
    if not ids:
        return
    found, whole = drafts(step.session, ids, step.actor, case_id=step.loaded.case.id, now=step.now)
    if not whole:
        raise Invalid({FIELD: GONE})
    for row in found:
        row.statement_id, row.appeal_id, row.party_id = hangs.statement_id, hangs.appeal_id, party_id
        step.file(row)


def refuse_without_original(channel: FilingChannel, ids: Sequence[UUID]) -> None:
    """What came on paper is entered with the paper itself: raise Invalid without a file."""
    if channel is FilingChannel.PAPER and not ids:
        raise Invalid({"files": t("Attach the original: a picture or a scanned copy of the paper.")})


def sweep_drafts(session: Session, now: datetime) -> int:
    """Remove the drafts that nobody filed, and say how many there were."""
    old = session.exec(select(Attachment).where(Attachment.uploaded_at < now - SWEPT_AFTER, *_unfiled())).all()
    for draft in old:
        storage.discard(draft.key)
        session.delete(draft)
    return len(old)


def _unfiled() -> tuple[ColumnElement[bool], ...]:
    return col(Attachment.statement_id).is_(None), col(Attachment.appeal_id).is_(None)


def attached(session: Session, loaded: Loaded) -> Sequence[Attachment]:
    """All filed attachments of a case, the oldest first."""
    filed = col(Attachment.statement_id).is_not(None) | col(Attachment.appeal_id).is_not(None)
    query = select(Attachment).where(Attachment.case_id == loaded.case.id, filed)
    return session.exec(query.order_by(col(Attachment.uploaded_at), col(Attachment.name))).all()


def may_read(statement: Statement, loaded: Loaded, actor: Actor, parts: Collection[Part]) -> bool:
    """Whether a reader of the papers may read this one: opened, his own side's, or by his office (R28)."""
    if not can(actor, Permission.READ_PAPERS, parts):
        return False
    if statement.opened_at is not None or statement.kind is StatementKind.REQUEST:
        return True
    own = {member.party_id for member in loaded.members if member.person_id == actor.person_id}
    return statement.party_id in own or can(actor, Permission.READ_UNOPENED, parts)


def may_fetch(statement: Statement | None, actor: Actor, parts: Collection[Part]) -> bool:
    """Whether the bytes of what hangs on a filing that is read are the reader's too.

    The file of a whole session holds boards that others may still play, and what is calculated about each deal:
    it is for who may read advice.
    """
    if statement is None or BOARD_FILE not in (statement.parts or {}):
        return True
    return can(actor, Permission.READ_ADVICE, parts)


def readable_attachment(
    session: Session, loaded: Loaded, attachment_id: UUID, actor: Actor, parts: Collection[Part]
) -> tuple[Attachment, bool]:
    """A filed attachment that the actor may read, and whether it hangs on what is not opened yet.

    Raises Missing for every other, and NotAllowed for one that he may only know of.
    """
    row = session.get(Attachment, attachment_id)
    if row is None or row.case_id != loaded.case.id:
        raise Missing
    if row.appeal_id is not None and can(actor, Permission.READ_PAPERS, parts):
        return row, False
    statement = session.get(Statement, row.statement_id) if row.statement_id is not None else None
    if statement is None or not may_read(statement, loaded, actor, parts):
        raise Missing
    if not may_fetch(statement, actor, parts):
        raise NotAllowed(KEPT_FROM_PARTIES)
    return row, statement.opened_at is None


def content(attachment: Attachment) -> BinaryIO:
    """The bytes as their sender made them. Raises Missing."""
    return storage.open_stored(attachment.key)


def note_reading(session: Session, actor: Actor, case_id: UUID, what: str, now: datetime) -> None:
    """Note that an official read a restricted part (S-AUD7)."""
    session.add(AccessEntry(person_id=acting_person(actor), case_id=case_id, what=what, at=now))

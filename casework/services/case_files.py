"""PDF files of a case: asked for, listed, and read by those who may read what they hold."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import BinaryIO
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters import storage
from casework.adapters.outbox import enqueue
from casework.domain.access import Actor, Permission, can
from casework.domain.errors import Missing
from casework.domain.models import Case, CaseFile, Notice
from casework.domain.terms import Part
from casework.services import queries
from casework.services.snapshot import snapshot
from casework.services.step import acting_person

JOB = "pdf"


def ask_for_case_file(session: Session, case_id: UUID, actor: Actor, *, language: str, now: datetime) -> CaseFile:
    """Ask for the case file: the parties' copy without contact data, or the whole for those who handle the case.

    The same case at the same point gives the file that is there or under way already.

    Raises:
        Missing: the actor may not read the papers.
    """
    loaded = queries.load_visible(session, case_id, actor)
    parts = queries.all_parts(snapshot(loaded), actor)
    if not can(actor, Permission.READ_PAPERS, parts):
        raise Missing
    for_parties = not can(actor, Permission.READ_CONTACTS, parts)
    known = select(CaseFile).where(
        CaseFile.case_id == case_id,
        CaseFile.for_parties == for_parties,
        CaseFile.language == language,
        CaseFile.head_seq == loaded.case.head_seq,
        CaseFile.failed_because == "",
        col(CaseFile.notice_id).is_(None),
    )
    standing = session.exec(known).first()
    if standing is not None:
        return standing
    asked = CaseFile(
        case_id=case_id,
        for_parties=for_parties,
        language=language,
        head_seq=loaded.case.head_seq,
        asked_by=acting_person(actor),
        asked_at=now,
    )
    return _ask(session, asked, now)


def ask_for_letter(session: Session, notice_id: UUID, actor: Actor, *, now: datetime) -> CaseFile:
    """Ask for a notice as a letter to be posted.

    Raises:
        Missing: there is no such notice, or the actor does not post letters in this case.
    """
    notice = session.get(Notice, notice_id)
    if notice is None:
        raise Missing
    parts = queries.parts_in_case(session, notice.case_id, actor)
    if not can(actor, Permission.READ_PROOF, parts) or not can(actor, Permission.READ_CONTACTS, parts):
        raise Missing
    asked = CaseFile(
        case_id=notice.case_id,
        notice_id=notice.id,
        language=notice.language,
        asked_by=acting_person(actor),
        asked_at=now,
    )
    return _ask(session, asked, now)


def _ask(session: Session, asked: CaseFile, now: datetime) -> CaseFile:
    session.add(asked)
    enqueue(
        session,
        kind=JOB,
        subject_id=asked.id,
        case_id=asked.case_id,
        dedupe_key=f"{JOB}:{asked.id}",
        due=now,
    )
    return asked


def files_of(session: Session, case_id: UUID, actor: Actor, parts: Collection[Part]) -> Sequence[CaseFile]:
    """The case files that the actor may read, the newest first."""
    if not can(actor, Permission.READ_PAPERS, parts):
        return []
    query = select(CaseFile).where(CaseFile.case_id == case_id, col(CaseFile.notice_id).is_(None))
    if not can(actor, Permission.READ_CONTACTS, parts):
        query = query.where(CaseFile.for_parties)
    return session.exec(query.order_by(col(CaseFile.asked_at).desc())).all()


def readable_file(session: Session, case_file_id: UUID, actor: Actor) -> tuple[CaseFile, Case]:
    """A file that the actor may read now, with its case.

    Raises:
        Missing: there is no such file for this reader.
    """
    found = session.get(CaseFile, case_file_id)
    if found is None:
        raise Missing
    parts = queries.parts_in_case(session, found.case_id, actor)
    needed = {Permission.READ_PAPERS}
    if not found.for_parties:
        needed.add(Permission.READ_CONTACTS)
    if found.notice_id is not None:
        needed.add(Permission.READ_PROOF)
    if not all(can(actor, permission, parts) for permission in needed):
        raise Missing
    return found, session.get_one(Case, found.case_id)


def content(found: CaseFile) -> BinaryIO:
    """The bytes of a file that is made. Raises Missing."""
    if found.made_at is None:
        raise Missing
    return storage.open_stored(found.key)

"""PDF files of a case: asked for, listed, and read by those who may read what they hold."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, BinaryIO
from uuid import UUID

from sqlmodel import Session, col, select

from casework import clock
from casework.adapters import storage
from casework.adapters.outbox import enqueue
from casework.domain.access import NOBODY, Actor, Permission, can
from casework.domain.errors import Missing
from casework.domain.models import Case, CaseFile, Decision, Event, Notice
from casework.domain.terms import NoticeKind, Part
from casework.services import queries, untold
from casework.services.snapshot import snapshot
from casework.services.step import acting_person

JOB = "pdf"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePage:
    """The newest file of the reader's own copy, whether the case has moved on since, and his own decisions."""

    case_number: str
    tournament: str
    for_parties: bool
    file: CaseFile | None
    current: bool
    decisions: Sequence[tuple[Notice, Decision, CaseFile | None]]


def file_page(session: Session, case_id: UUID, actor: Actor, *, language: str) -> FilePage:
    """What the page of the case file shows. Raises Missing."""
    loaded = queries.load_visible(session, case_id, actor)
    for_parties = _copy_for_parties(actor, queries.all_parts(snapshot(loaded), actor))
    file = _newest(session, CaseFile.case_id == case_id, col(CaseFile.notice_id).is_(None), ~col(CaseFile.of_proof),
                   CaseFile.for_parties == for_parties, CaseFile.language == language)  # fmt: skip
    return FilePage(
        case_number=loaded.case.number,
        tournament=loaded.tournament.name,
        for_parties=for_parties,
        file=file,
        current=file is not None and _stands(file, head(session, loaded.case)),
        decisions=_told(session, case_id, actor),
    )


def ask_for_case_file(session: Session, case_id: UUID, actor: Actor, *, language: str, now: datetime) -> CaseFile:
    """Ask for the case file: the parties' copy without contact data, or the whole for those who handle the case.

    The same case at the same point gives the file that is there or under way already.

    Raises:
        Missing: the actor may not read the papers.
    """
    session.exec(select(Case.id).where(Case.id == case_id).with_for_update()).first()
    found = file_page(session, case_id, actor, language=language)
    if found.file is not None and found.current:
        return found.file
    asked = CaseFile(
        case_id=case_id,
        for_parties=found.for_parties,
        language=language,
        head_seq=head(session, session.get_one(Case, case_id)),
        asked_by=acting_person(actor),
        asked_at=now,
    )
    return _ask(session, asked, now)


def ask_for_letter(session: Session, notice_id: UUID, actor: Actor, *, now: datetime) -> CaseFile:
    """Ask for a notice as a letter: to be posted, or its recipient's own to keep.

    What a notice says may change with the case, so only a letter that is still being made is shared.

    Raises:
        Missing: there is no such notice, or the actor neither posts letters in this case nor is its recipient.
    """
    notice = session.get(Notice, notice_id, with_for_update=True)
    if notice is None or not _may_have_letter(session, notice, actor):
        raise Missing
    standing = letter_file(session, notice, own=notice.person_id == actor.person_id)
    if standing is not None and standing.made_at is None and not standing.failed_because:
        return standing
    asked = CaseFile(
        case_id=notice.case_id,
        notice_id=notice.id,
        language=notice.language,
        asked_by=acting_person(actor),
        asked_at=now,
    )
    return _ask(session, asked, now)


def ask_for_proof(session: Session, case_id: UUID, actor: Actor, *, language: str, now: datetime) -> CaseFile:
    """Ask for the proof of notice as PDF; addresses are masked for who may not read contact data.

    Raises:
        Missing: the actor may not read the proof.
    """
    session.exec(select(Case.id).where(Case.id == case_id).with_for_update()).first()
    parts = queries.parts_in_case(session, case_id, actor)
    if not can(actor, Permission.READ_PROOF, parts):
        raise Missing
    asked = CaseFile(
        case_id=case_id,
        of_proof=True,
        for_parties=not can(actor, Permission.READ_CONTACTS, parts),
        language=language,
        head_seq=head(session, session.get_one(Case, case_id)),
        asked_by=acting_person(actor),
        asked_at=now,
    )
    standing = proof_file(session, case_id, masked=asked.for_parties, language=language)
    if standing is not None and standing.made_at is None and not standing.failed_because:
        return standing
    return _ask(session, asked, now)


def proof_file(session: Session, case_id: UUID, *, masked: bool, language: str) -> CaseFile | None:
    """The newest PDF of the proof of notice."""
    return _newest(session, CaseFile.case_id == case_id, col(CaseFile.of_proof), CaseFile.for_parties == masked,
                   CaseFile.language == language)  # fmt: skip


def letter_file(session: Session, notice: Notice, *, own: bool = False) -> CaseFile | None:
    """The newest PDF of a letter: made for the post, or the recipient's `own` to keep."""
    return _newest(session, *_copies(notice, own=own))


def print_at(session: Session, notice: Notice, at: datetime) -> CaseFile | None:
    """The newest print for the post that was made by `at`, known to the minute: what is posted then (R-PROOF1)."""
    made = col(CaseFile.made_at) < at.replace(second=0, microsecond=0) + timedelta(minutes=1)
    return _newest(session, *_copies(notice, own=False), made)


def posted_print(session: Session, notice: Notice) -> CaseFile | None:
    """The very print that a letter went out as, while its bytes are kept under its hash."""
    return _newest(session, *_copies(notice, own=False), CaseFile.sha256 == notice.sha256) if notice.sha256 else None


def _copies(notice: Notice, *, own: bool) -> tuple[Any, ...]:
    asked_by = col(CaseFile.asked_by)
    return CaseFile.notice_id == notice.id, (asked_by == notice.person_id if own else asked_by != notice.person_id)


def files_of(session: Session, case_id: UUID, actor: Actor, parts: Collection[Part]) -> Sequence[CaseFile]:
    """The case files that the actor may read, the newest first."""
    if not can(actor, Permission.READ_PAPERS, parts):
        return []
    whole = ~col(CaseFile.of_proof) & col(CaseFile.notice_id).is_(None)
    query = select(CaseFile).where(CaseFile.case_id == case_id, whole)
    if not can(actor, Permission.READ_CONTACTS, parts):
        query = query.where(CaseFile.for_parties)
    return session.exec(query.order_by(col(CaseFile.asked_at).desc())).all()


def readable_file(session: Session, case_file_id: UUID, actor: Actor) -> tuple[CaseFile, Case]:
    """A file that the actor may read now, with its case.

    Raises:
        Missing: there is no such file for this reader.
    """
    found = session.get(CaseFile, case_file_id)
    if found is None or not _may_read(session, found, actor):
        raise Missing
    return found, session.get_one(Case, found.case_id)


def content(found: CaseFile) -> BinaryIO:
    """The bytes of a file that is made. Raises Missing."""
    if found.made_at is None:
        raise Missing
    return storage.open_stored(found.key)


def _copy_for_parties(actor: Actor, parts: Collection[Part]) -> bool:
    if not can(actor, Permission.READ_PAPERS, parts):
        raise Missing
    return not can(actor, Permission.READ_CONTACTS, parts)


def _stands(file: CaseFile, head_seq: int) -> bool:
    """Whether asking again would give the same; one under way will show the case as it is when it is made."""
    return not file.failed_because and (file.made_at is None or file.head_seq == head_seq)


def head(session: Session, case: Case) -> int:
    """How far the case has come in what a paper of it shows: nothing that is not told, and no deliberation."""
    kept = untold.kept_from(session, NOBODY, clock.now(), cases=[case.id])
    events = select(Event).where(Event.case_id == case.id).order_by(col(Event.seq).desc())
    events = events if kept else events.where(col(Event.action).not_in(untold.DELIBERATION)).limit(1)
    known = untold.events_before(session.exec(events), kept) if kept else session.exec(events)
    return max((event.seq for event in known if event.action not in untold.DELIBERATION), default=0)


def _newest(session: Session, *conditions: Any) -> CaseFile | None:
    newest = select(CaseFile).where(*conditions).order_by(col(CaseFile.asked_at).desc(), col(CaseFile.id))
    return session.exec(newest.limit(1)).first()


def _told(session: Session, case_id: UUID, actor: Actor) -> list[tuple[Notice, Decision, CaseFile | None]]:
    """Each decision that the actor himself was told of in the case, with its newest letter."""
    query = (
        select(Notice, Decision)
        .join(Decision, col(Decision.id) == col(Notice.decision_id))
        .where(
            Notice.case_id == case_id,
            Notice.person_id == actor.person_id,
            col(Notice.kind).in_((NoticeKind.RULING, NoticeKind.DECISION)),
            col(Notice.party_id).is_not(None),
            untold.known(actor, clock.now()),
        )
        .order_by(col(Notice.due_at))
    )
    told = {decision.id: (notice, decision) for notice, decision in session.exec(query)}
    return [(notice, decision, letter_file(session, notice, own=True)) for notice, decision in told.values()]


def _may_read(session: Session, file: CaseFile, actor: Actor) -> bool:
    if file.notice_id is not None:
        return _may_have_letter(session, session.get_one(Notice, file.notice_id), actor)
    parts = queries.parts_in_case(session, file.case_id, actor)
    wanted = Permission.READ_PROOF if file.of_proof else Permission.READ_PAPERS
    return can(actor, wanted, parts) and (file.for_parties or can(actor, Permission.READ_CONTACTS, parts))


def _may_have_letter(session: Session, notice: Notice, actor: Actor) -> bool:
    """Its recipient while he may read the papers, or who posts letters in the case."""
    if untold.is_kept(session, notice, actor, clock.now()):
        return False
    if notice.person_id != actor.person_id:
        return posts_letters(session, notice.case_id, actor)
    return can(actor, Permission.READ_PAPERS, queries.parts_in_case(session, notice.case_id, actor))


def posts_letters(session: Session, case_id: UUID, actor: Actor) -> bool:
    """Whether the actor sends letters in the case: he sees addresses and proof, and is no party of it."""
    parts = queries.parts_in_case(session, case_id, actor)
    return (
        can(actor, Permission.READ_PROOF, parts)
        and can(actor, Permission.READ_CONTACTS, parts)
        and Part.PARTY not in parts
    )


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

"""What must hold after every fault, however it ended (reliability 2.4, i–vi).

`violations` looks at the database, the stored files, the mails that a server took and the receipts that people got,
once all has healed and nothing is due any more. It reads; it mends nothing.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework import clock
from casework.adapters import storage
from casework.adapters.database import uow
from casework.domain.models import (
    Attachment,
    Case,
    CaseFile,
    DeliveryTry,
    Event,
    FormReceipt,
    Notice,
    OutboxJob,
    Proceeding,
)
from casework.domain.terms import ActionName, Channel, JobState, NoticeState, State
from casework.domain.workflow import PROCEDURES
from casework.services import history
from casework.services.receipts import receipt_number
from casework.settings import get_settings
from tests.smtp import Received

MAIL = "mail"
_ENDS = frozenset({JobState.DONE, JobState.UNSURE, JobState.BOUNCED, JobState.FAILED, JobState.CALLED_BACK})
_NOTICE_AFTER = {
    JobState.DUE: {NoticeState.DUE},
    JobState.DONE: {NoticeState.HANDED_OVER, NoticeState.BOUNCED},  # what was handed over may come back (F20)
    JobState.UNSURE: {NoticeState.UNSURE, NoticeState.HANDED_OVER, NoticeState.BOUNCED},  # … or be opened
    JobState.BOUNCED: {NoticeState.BOUNCED},
    JobState.FAILED: {NoticeState.FAILED},
    JobState.CALLED_BACK: {NoticeState.CALLED_BACK, NoticeState.DUE, NoticeState.OVERTAKEN},
}
"""Job's state → where its notice may stand then."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a person was shown for a form: the form's instance, and the number on the receipt ("" where none)."""

    form_id: UUID
    number: str = ""


@dataclass(frozen=True, slots=True)
class Copy:
    """A mail that a server took: its Message-ID and the hash of its bytes."""

    message_id: str
    sha256: str

    @classmethod
    def of(cls, received: Received) -> "Copy":
        """What the sink holds."""
        return cls(str(received.message["Message-ID"]), hashlib.sha256(received.content).hexdigest())

    @classmethod
    def of_bytes(cls, content: bytes) -> "Copy":
        """What a server took that keeps bytes only."""
        (line,) = [line for line in content.splitlines() if line.lower().startswith(b"message-id:")]
        return cls(line.partition(b":")[2].strip().decode(), hashlib.sha256(content).hexdigest())


@dataclass(frozen=True, slots=True)
class Outside:
    """What the world has seen: every mail that was taken, every receipt that was shown."""

    copies: Sequence[Copy] = ()
    receipts: Collection[Receipt] = field(default=())


def check(outside: Outside | None = None) -> None:
    """Fail with everything that does not hold."""
    found = violations(outside or Outside())
    assert not found, "\n".join(found)


def violations(outside: Outside, now: datetime | None = None) -> list[str]:
    """Everything that does not hold, each with the number of its rule; empty when all is well."""
    with uow() as session:
        return look(session, outside, now or clock.now())


def look(session: Session, outside: Outside, now: datetime) -> list[str]:
    """The same, as this session sees it."""
    return [
        *one_end(session, now),
        *one_copy(session, outside.copies),
        *whole_chains(session),
        *files_and_rows(session, now),
        *lawful_states(session),
        *kept_promises(session, outside.receipts),
    ]


def one_end(session: Session, now: datetime) -> Iterator[str]:
    """(i) Each due outbox row has exactly one end state, and its notice the same."""
    jobs = session.exec(select(OutboxJob).order_by(col(OutboxJob.created_at))).all()
    newest: dict[UUID, OutboxJob] = {}
    for job in jobs:
        ended = job.state in _ENDS
        if not ended and (job.state is not JobState.DUE or job.next_at <= now):
            yield f"(i) job {job.id} ({job.kind}) was due and has no end: {job.state}"
        if ended != (job.done_at is not None):
            yield f"(i) job {job.id} ({job.kind}) is {job.state} and its end is noted as {job.done_at}"
        if job.kind == MAIL:
            newest[job.subject_id] = job
    for notice in session.exec(select(Notice).where(Notice.channel == Channel.MAIL)):
        last = newest.get(notice.carried_by or notice.id)
        if last is None:
            yield f"(i) notice {notice.id} is to be mailed and has no job"
        elif last.state in _NOTICE_AFTER and notice.state not in _NOTICE_AFTER[last.state]:
            yield f"(i) notice {notice.id} is {notice.state}, its job {last.state}"


def one_copy(session: Session, copies: Sequence[Copy]) -> Iterator[str]:
    """(ii) No mail was taken twice unless its row is unsure; what is handed over was taken, byte for byte."""
    taken = Counter(copy.message_id for copy in copies)
    hashes = {(copy.message_id, copy.sha256) for copy in copies}
    doubtful = set(session.exec(select(col(OutboxJob.subject_id)).where(OutboxJob.state == JobState.UNSURE)))
    known = set()
    for notice in session.exec(select(Notice).where(Notice.channel == Channel.MAIL, col(Notice.carried_by).is_(None))):
        message_id = f"<notice-{notice.id}@{get_settings().mail_from.rpartition('@')[2]}>"
        known.add(message_id)
        count = taken[message_id]
        if count > 1 and notice.id not in doubtful:
            yield f"(ii) notice {notice.id} ({notice.state}) was taken {count} times"
        if notice.state is NoticeState.DUE and count and notice.id not in doubtful:
            yield f"(ii) notice {notice.id} is still to be sent, and was taken {count} times"
        if notice.state is NoticeState.HANDED_OVER and notice.sha256 and (message_id, notice.sha256) not in hashes:
            yield f"(ii) notice {notice.id} is proven by a mail that nobody took"
    for message_id in taken.keys() - known:
        yield f"(ii) {message_id} was taken, and no notice has sent it"
    twice = select(DeliveryTry.notice_id).where(DeliveryTry.state == NoticeState.HANDED_OVER)
    for notice_id, count in Counter(session.exec(twice)).items():
        if count > 1 and notice_id not in doubtful:
            yield f"(ii) notice {notice_id} is recorded as handed over {count} times"


def whole_chains(session: Session) -> Iterator[str]:
    """(iii) Every case's history verifies."""
    for case in session.exec(select(Case)):
        broken = history.verify(session, case)
        if broken is not None:
            yield f"(iii) the history of {case.number} is broken at {broken}"


def files_and_rows(session: Session, now: datetime) -> Iterator[str]:
    """(iv) No file without a row, no row without its file, and the bytes are the row's."""
    folder = get_settings().data / "files"
    on_disk = {path.name: path for path in folder.iterdir()} if folder.is_dir() else {}
    rows = {row.key: row.sha256 for row in session.exec(select(Attachment))}
    rows |= {row.key: row.sha256 for row in session.exec(select(CaseFile).where(CaseFile.key != ""))}
    for key, sha256 in rows.items():
        if key not in on_disk:
            yield f"(iv) the file {key} is gone, its row is there"
        elif hashlib.sha256(on_disk[key].read_bytes()).hexdigest() != sha256:
            yield f"(iv) the file {key} is not what its row says"
    oldest = (now - storage.TEMPORARY_AGE).timestamp()
    for name in on_disk.keys() - rows.keys():
        if not name.endswith(".part") or on_disk[name].stat().st_mtime < oldest:
            yield f"(iv) the file {name} has no row"


def lawful_states(session: Session) -> Iterator[str]:
    """(v) Every proceeding came to its state by the edges of its table, one event each."""
    events: dict[UUID, list[Event]] = {}
    for event in session.exec(select(Event).order_by(col(Event.case_id), col(Event.seq))):
        if event.proceeding_id is not None:
            events.setdefault(event.proceeding_id, []).append(event)
    for proceeding in session.exec(select(Proceeding)):
        procedure = PROCEDURES[proceeding.kind]
        possible: frozenset[State] = procedure.initial
        for event in events.get(proceeding.id, []):
            if event.action == ActionName.OPEN_CASE:
                possible = frozenset({State(event.data["state"])})
                continue
            name = ActionName(event.action)
            edge = procedure.action(name) if procedure.has(name) else None
            if edge is None or not possible & edge.start:
                yield f"(v) {proceeding.id}: {event.action} was taken in {sorted(possible)}"
                break
            possible &= edge.start
            if "to" in event.data:
                to = State(event.data["to"])
                if to not in edge.to:
                    yield f"(v) {proceeding.id}: {event.action} does not lead to {to}"
                possible = frozenset({to})
        if proceeding.state not in possible:
            yield f"(v) {proceeding.id} is {proceeding.state}, its history leads to {sorted(possible)}"


def kept_promises(session: Session, receipts: Collection[Receipt]) -> Iterator[str]:
    """(vi) Whoever was shown a receipt has filed: the form's row is there, with the number that he was shown."""
    for receipt in receipts:
        row = session.get(FormReceipt, receipt.form_id)
        if row is None:
            yield f"(vi) the receipt of form {receipt.form_id} has no row"
            continue
        case = session.get_one(Case, row.case_id)
        number = receipt_number(case.number, row.subject_id or row.id)
        if receipt.number not in {"", number}:
            yield f"(vi) the receipt {receipt.number} is of {number}"
        if not session.exec(select(Event.id).where(Event.case_id == row.case_id, Event.at == row.at)).first():
            yield f"(vi) the receipt of form {receipt.form_id} has no event"

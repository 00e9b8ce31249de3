"""The checker finds every kind of wrong: each is made on purpose, in a world in which all is well."""

import io
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlmodel import Session, col, delete, select, update

from casework import clock
from casework.adapters import outbox, storage
from casework.adapters.database import uow
from casework.domain.models import Attachment, Case, FormReceipt, Notice, OutboxJob, Proceeding
from casework.domain.terms import ActionName, Channel, JobState, NoticeState, Part, State
from casework.services import history, papers
from casework.services.receipts import receipt_number
from casework.settings import get_settings
from tests import factories
from tests.faults.invariants import Copy, Outside, Receipt, look, violations
from tests.smtp import SmtpSink
from workers.handlers import DUTIES

Deed = Callable[[Session], object]


@dataclass
class World:
    """A ruling that four players were told of, a stored file, and a receipt."""

    copies: list[Copy] = field(default_factory=list)
    receipts: list[Receipt] = field(default_factory=list)

    def found(self) -> list[str]:
        return violations(Outside(self.copies, self.receipts))

    def after(self, deed: Deed) -> list[str]:
        """What is found once the deed is done; then it is undone."""
        found: list[str] = []
        with suppress(_UndoneError), uow(write=True) as session:
            deed(session)
            session.flush()
            session.expire_all()
            found += look(session, Outside(self.copies, self.receipts), clock.now())
            raise _UndoneError
        return found


class _UndoneError(Exception):
    """Rolls back."""


@pytest.fixture
def world(sqlite: str, smtp_sink: SmtpSink) -> World:
    clock.advance(factories.START + timedelta(hours=1) - clock.now())
    there = factories.federation()
    case = factories.open_case(there, at=clock.now())
    factories.give_ruling(there, case, at=clock.now())
    DUTIES.drain()
    stored = storage.store(io.BytesIO(b"En anteckning.\n"), filename="a.txt", used=0)
    form = uuid4()
    with uow(write=True) as session:
        papers.keep_draft(session, stored, there.actor("north"), case_id=case.case_id, party_id=None, now=clock.now())
        session.add(FormReceipt(id=form, case_id=case.case_id, at=session.get_one(Case, case.case_id).opened_at))
    copies = [Copy.of(received) for received in smtp_sink.messages]
    return World(copies, [Receipt(form, receipt_number(case.number, form))])


def change(table: Any, **values: Any) -> Deed:
    """Write into one row of a table behind everybody's back."""
    return lambda session: session.exec(update(table).where(table.id == _first(session, table)).values(**values))


def remove(table: Any) -> Deed:
    return lambda session: session.exec(delete(table).where(table.id == _first(session, table)))


def _first(session: Session, table: Any) -> UUID:
    """Of jobs a mail's, of notices that mail's."""
    mail = select(OutboxJob).where(OutboxJob.kind == "mail").order_by(col(OutboxJob.id)).limit(1)
    if table is OutboxJob:
        return session.exec(mail).one().id
    if table is Notice:
        return session.exec(mail).one().subject_id
    first: UUID = session.exec(select(table.id).limit(1)).one()
    return first


def forgets(session: Session) -> None:
    """A job that was due an hour ago, and nobody has it."""
    due = clock.now() - timedelta(hours=1)
    outbox.enqueue(session, kind="advance", subject_id=uuid4(), case_id=None, dedupe_key="lost", due=due)


def decides(session: Session) -> None:
    """A step that the table of a ruling does not have."""
    case = session.exec(select(Case)).one()
    ruling = session.exec(select(Proceeding)).one()
    deed: dict[str, Any] = {"action": ActionName.DECIDE_APPEAL, "actor_id": None, "part": Part.SYSTEM, "data": {}}
    history.append(session, case, at=clock.now(), proceeding_id=ruling.id, **deed)


WRONGS: tuple[tuple[str, Deed], ...] = (
    ("(i) was due and has no end: due", forgets),
    ("(i) no end: claimed", change(OutboxJob, state=JobState.CLAIMED, done_at=None)),
    ("(i) no end: sending", change(OutboxJob, state=JobState.SENDING, done_at=None)),
    ("(i) its end is noted as None", change(OutboxJob, done_at=None)),
    ("(i) is handed_over, its job failed", change(OutboxJob, state=JobState.FAILED)),
    ("(i) has no job", remove(OutboxJob)),
    ("(ii) is still to be sent, and was taken", change(Notice, state=NoticeState.DUE)),
    ("(ii) no notice has sent it", remove(Notice)),
    ("(iii) is broken at", change(Case, head_hash="0" * 64)),
    ("(iii) is broken at", change(Case, head_seq=99)),
    ("(iv) has no row", remove(Attachment)),
    ("(iv) is not what its row says", change(Attachment, sha256="0" * 64)),
    ("(v) its history leads to", change(Proceeding, state=State.WRITTEN_OFF)),
    ("(v) decide_appeal was taken in", decides),
    ("(vi) has no row", remove(FormReceipt)),
    ("(vi) has no event", change(FormReceipt, at=factories.START)),
)


def test_a_wrong_in_the_database_is_found(world: World) -> None:
    assert len(world.copies) == 4
    assert world.found() == []
    for wrong, deed in WRONGS:
        rule, _, words = wrong.partition(" ")
        found = world.after(deed)
        assert any(one.startswith(f"{rule} ") and words in one for one in found), (wrong, found)
    assert world.found() == []


def twice(copies: Sequence[Copy]) -> list[Copy]:
    return [*copies, copies[0]]


def one_lost(copies: Sequence[Copy]) -> list[Copy]:
    return list(copies[1:])


def changed(copies: Sequence[Copy]) -> list[Copy]:
    return [Copy(copies[0].message_id, "0" * 64), *copies[1:]]


def foreign(copies: Sequence[Copy]) -> list[Copy]:
    return [*copies, Copy("<notice-of-nobody@bridge.example>", "")]


def test_a_wrong_outside_is_found(world: World) -> None:
    """In the mailboxes, in the folder, and on a receipt."""
    good = world.copies
    for deed, words in (
        (twice, "was taken 2 times"),
        (one_lost, "nobody took"),
        (changed, "nobody took"),
        (foreign, "no notice has sent it"),
    ):
        world.copies = deed(good)
        (found,) = world.found()
        assert found.startswith("(ii) ")
        assert words in found
    world.copies = good
    receipts, world.receipts = world.receipts, [Receipt(world.receipts[0].form_id, "0001-XYZ")]
    assert "(vi) the receipt 0001-XYZ is of" in world.found()[0]
    world.receipts = receipts
    folder = get_settings().data / "files"
    (file,) = folder.iterdir()
    (folder / "0123.part").touch()
    assert world.found() == []
    os.utime(folder / "0123.part", (0, 0))
    assert "(iv) the file 0123.part has no row" in world.found()
    file.unlink()
    assert any(one.startswith("(iv) ") and "is gone, its row is there" in one for one in world.found())


def test_a_double_of_an_unsure_mail_is_a_persons_business(world: World) -> None:
    """R-ONCE2: he has read that it may be there, and sent it again."""
    world.copies = twice(world.copies)
    notice_id = UUID(world.copies[0].message_id.removeprefix("<notice-").partition("@")[0])

    def doubt(session: Session) -> None:
        wanted = select(Notice).where(Notice.channel == Channel.MAIL, Notice.id == notice_id)
        session.exec(wanted).one().state = NoticeState.UNSURE
        mine = col(OutboxJob.subject_id) == notice_id
        session.exec(update(OutboxJob).where(mine).values(state=JobState.UNSURE))

    assert world.after(doubt) == []

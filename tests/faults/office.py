"""The office's day: rulings are given and their notices due, while worker and clock run and something goes wrong."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from sqlmodel import Session, col, func, select

from casework import clock
from casework.adapters.database import DatabaseAway, uow
from casework.domain.models import Notice, OutboxJob
from casework.domain.terms import Channel, JobState, NoticeState
from casework.paths import PACKAGE
from casework.services import dispatch, health
from casework.settings import get_settings
from tests import factories
from tests.faults.invariants import Copy, Outside, Receipt, check
from tests.faults.pairs import Pair
from tests.faults.table import Row, Table
from tests.smtp import SmtpSink
from tests.workers.waiting import wait_until
from workers import clock as ticker
from workers.handlers import DUTIES

GRACE = 20.0
"""Seconds that a busy machine is given beyond what a fault may cost."""
_OPEN = (JobState.DUE, JobState.CLAIMED, JobState.SENDING)


@dataclass
class Office:
    """One federation on one pair; `sink` is its mail server, `table` where its faults are written down."""

    pair: Pair
    table: Table
    sink: SmtpSink
    there: factories.Federation
    other_copies: list[Copy] = field(default_factory=list)
    receipts: list[Receipt] = field(default_factory=list)
    rulings: int = 0
    workers: "list[subprocess.Popen[bytes]]" = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _ticking: threading.Thread | None = None

    def rule(self, times: int = 1) -> None:
        """The director rules in so many new cases; four players are told of each by mail."""
        for _ in range(times):
            self.rulings += 1
            now = clock.now()
            factories.give_ruling(self.there, factories.open_case(self.there, at=now), at=now)

    def work(self, *, processes: int = 1, **environment: str) -> "subprocess.Popen[bytes]":
        """A worker begins, in a process group of its own."""
        named = {f"CASEWORK_TEST_{name.upper()}": value for name, value in environment.items()}
        named["CASEWORK_TEST_PROCESSES"] = str(processes)
        with self.log.open("ab") as log:
            worker = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.staff"], cwd=PACKAGE.parent, env={**os.environ, **named},
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self.workers.append(worker)
        return worker

    def tick(self) -> None:
        """The clock begins."""
        self._ticking = threading.Thread(target=ticker.run, args=(DUTIES, self._stop))
        self._ticking.start()

    def open(self, *, processes: int = 1, **environment: str) -> "subprocess.Popen[bytes]":
        """Worker and clock begin."""
        worker = self.work(processes=processes, **environment)
        self.tick()
        return worker

    def close(self) -> None:
        """Everybody goes home."""
        self._stop.set()
        if self._ticking is not None:
            self._ticking.join()
        for worker in self.workers:
            kill_group(worker)

    @property
    def log(self) -> Path:
        """What the workers said."""
        return get_settings().data / "worker.log"

    def jump(self, **by: float) -> None:
        """The movable clock goes forward for everybody."""
        clock.advance(timedelta(**by))

    def settle(self, *, seconds: float = 90.0) -> None:
        """Wait until the clock has swept, nothing is due any more and nobody holds anything."""
        begun = clock.now()
        wait_until(lambda: self.swept_at() > begun, "the clock has swept", seconds=seconds)
        wait_until(lambda: not self.unfinished(), self._who_waits, seconds=seconds)

    def _who_waits(self) -> str:
        """What is unfinished, and the last that worker and web said: for whoever must find out why."""
        with uow() as session:
            waiting = session.exec(select(OutboxJob).where(col(OutboxJob.state).in_(_OPEN))).all()
        logs = sorted(get_settings().data.glob("*.log"))
        said = [line for log in logs for line in log.read_text().splitlines()[-40:]]
        return "\n".join(["nothing is due any more", *map(repr, waiting), *said])

    def swept_at(self) -> datetime:
        """When the clock swept last."""
        try:
            with uow() as session:
                return health.last_sweep(session) or factories.START
        except DatabaseAway:
            return factories.START

    def unfinished(self) -> int:
        """How many jobs are due now, or in somebody's hands; all, while the database is away."""
        wanted = select(func.count()).where(
            col(OutboxJob.state).in_(_OPEN),
            ~((col(OutboxJob.state) == JobState.DUE) & (OutboxJob.next_at > clock.now())),
        )
        try:
            with uow() as session:
                return session.exec(wanted).one()
        except DatabaseAway:
            return sys.maxsize

    def mails(self, *states: NoticeState) -> list[Notice]:
        """The notices of one mail each, in these states or in any."""
        wanted = select(Notice).where(Notice.channel == Channel.MAIL, col(Notice.carried_by).is_(None))
        with uow() as session:
            found = session.exec(wanted.order_by(col(Notice.due_at))).all()
        return [notice for notice in found if not states or notice.state in states]

    def wait_for(self, state: NoticeState, count: int = 1) -> list[Notice]:
        """The mails in a state, as soon as there are so many."""
        return wait_until(lambda: found if len(found := self.mails(state)) >= count else [], f"{count} × {state}")

    def attention(self, state: NoticeState | None = None) -> Sequence[dispatch.Sending]:
        """What the office's page asks somebody to look at."""
        with uow() as session:
            shown = dispatch.dispatch(session, self.there.actor("office"), clock.now()).attention
        return [row for row in shown if state is None or row.notice.state is state]

    def seen(self) -> Outside:
        """What the world has seen."""
        return Outside([*map(Copy.of, self.sink.messages), *self.other_copies], self.receipts)

    def report(
        self, fault: str, *, within: float, since: datetime | None = None, note: str = "", tries: int | None = None
    ) -> Row:
        """Measure, write the row down, and check every invariant.

        `within`: seconds that a mail may take from when it was due, or from `since` where that is later.
        """
        copies = Counter(copy.message_id for copy in self.seen().copies)
        mails = self.mails()
        taken = {f"<notice-{notice.id}@{get_settings().mail_from.rpartition('@')[2]}>": notice for notice in mails}
        lost = [
            notice for message_id, notice in taken.items()
            if notice.state is NoticeState.DUE
            or (notice.state is NoticeState.HANDED_OVER and notice.sha256 and not copies[message_id])
        ]  # fmt: skip
        last = timedelta(seconds=within + GRACE)
        late = [
            notice for notice in mails
            if notice.handed_over_at and notice.handed_over_at > max(notice.due_at, since or notice.due_at) + last
        ]  # fmt: skip
        row = Row(
            fault=fault,
            pair=str(self.pair),
            tries=len(mails) if tries is None else tries,
            lost=len(lost),
            doubled=sum(count > 1 for count in copies.values()),
            late=len(late),
            note=note,
        )
        self.table.add(row)
        check(self.seen())
        return row


def lease_and_sweep() -> float:
    """Seconds until somebody else takes over what a dead process held."""
    return get_settings().lease_seconds + 2 * get_settings().sweep_seconds


def kill_group(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process with its children, as a power cut would."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def jobs(session: Session, kind: str) -> Sequence[OutboxJob]:
    """All jobs of a kind."""
    return session.exec(select(OutboxJob).where(OutboxJob.kind == kind)).all()


def job(job_id: UUID) -> OutboxJob:
    """A job as it stands."""
    with uow() as session:
        return session.get_one(OutboxJob, job_id)


def seconds(deed: Callable[[], object]) -> float:
    """How long it took, by a clock that only goes forward."""
    begun = time.monotonic()
    deed()
    return time.monotonic() - begun

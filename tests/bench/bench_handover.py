"""How soon a ruling's notices are with the mail server, on the default set-up: SQLite, file broker, an idle worker."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from sqlmodel import col, select

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import Notice
from casework.domain.terms import NoticeKind
from casework.paths import PACKAGE
from casework.settings import get_settings
from tests import factories
from tests.smtp import SmtpSink
from tests.workers.waiting import wait_until

WITHIN = 2.0
"""Seconds from the commit."""
RULINGS = 25
"""Each has four notices."""
TELLS = 4


@pytest.fixture
def worker(sqlite: str, smtp_sink: SmtpSink) -> Iterator[None]:
    """A real worker, as `casework worker` starts it."""
    with (get_settings().data / "worker.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "casework.cli", "worker"],
            cwd=PACKAGE.parent, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
    yield
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.mark.usefixtures("worker")
def test_a_rulings_notices_are_handed_over_within_two_seconds() -> None:
    there = factories.federation()
    waits: list[float] = []
    for number in range(RULINGS + 1):
        case = factories.open_case(there, at=clock.now())
        factories.give_ruling(there, case, at=clock.now())
        committed = clock.now()
        expected = TELLS * (number + 1)
        wait_until(lambda expected=expected: recorded() >= expected, "The notices are handed over.")  # type: ignore[misc]
        with uow() as session:
            told = session.exec(
                select(Notice).where(Notice.case_id == case.case_id, Notice.kind == NoticeKind.RULING)
            ).all()
        waits += [(one.handed_over_at - committed).total_seconds() for one in told if one.handed_over_at]
    waits = sorted(waits[TELLS:])  # the worker is idle from the second ruling on
    soon = sum(wait <= WITHIN for wait in waits)
    print(
        f"\n{len(waits)} notices: half within {waits[len(waits) // 2]:.2f} s, "
        f"95 of 100 within {waits[len(waits) * 95 // 100]:.2f} s, the last after {waits[-1]:.2f} s"
    )
    assert len(waits) == RULINGS * TELLS
    assert soon >= len(waits) * 0.95


def recorded() -> int:
    """How many notices have their proof: the worker writes it when the server has answered."""
    with uow() as session:
        return len(session.exec(select(Notice.id).where(col(Notice.handed_over_at).is_not(None))).all())

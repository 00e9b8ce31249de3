"""After a fault: all that waits is done, and then everything must hold."""

from dataclasses import replace
from datetime import datetime

from casework import clock
from casework.services.clockwork import Watch
from tests.faults.invariants import Copy, Outside, Receipt, check
from tests.smtp import SmtpSink
from workers.handlers import DUTIES


def settle(sink: SmtpSink, *receipts: Receipt, now: datetime | None = None) -> None:
    """Let a worker do all that is due, then look whether anything is lost, doubled or broken."""
    replace(DUTIES, watch=Watch()).drain(now or clock.now())
    check(Outside(copies=[Copy.of(mail) for mail in sink.messages], receipts=receipts))

"""The clock: sweeps at even intervals, and rings the workers to look for what is due.

It sweeps itself, so that deadlines pass on time though the broker is down. It counts seconds, not times of day, so
the nights when the clock is moved are like others (R-BEAT1). It looks after the others and raises the alarm, for a
dead worker cannot.
"""

import logging
import threading

from casework import clock
from casework.adapters import broker
from casework.adapters.database import DatabaseAway
from casework.adapters.outbox import log_broken
from casework.settings import get_settings
from workers.alarming import Watchman
from workers.duties import Duties

log = logging.getLogger(__name__)


def run(duties: Duties, stop: threading.Event) -> None:
    """Tick until `stop` is set."""
    watchman = Watchman()
    while True:
        try:
            duties.sweep(clock.now())
        except DatabaseAway:
            log.warning("The clock cannot sweep: the database is away.")
        broker.ring_sweep()
        try:
            watchman.look(clock.now())
        except Exception as error:  # noqa: BLE001  # who watches must not stop what is watched
            log_broken("The alarm", error)
        if stop.wait(get_settings().sweep_seconds):
            return

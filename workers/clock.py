"""The clock: sweeps at even intervals, and rings the workers to look for what is due.

It sweeps itself, so that deadlines pass on time though the broker is down. It counts seconds, not times of day, so
the nights when the clock is moved are like others (R-BEAT1). It looks after the others and raises the alarm, for a
dead worker cannot.
"""

import threading

from casework import clock, logs
from casework.adapters import broker
from casework.adapters.database import DatabaseAway
from casework.settings import get_settings
from workers.alarming import Watchman
from workers.duties import Duties

log = logs.logger(__name__)


def run(duties: Duties, stop: threading.Event) -> None:
    """Tick until `stop` is set."""
    watchman = Watchman()
    while True:
        try:
            duties.sweep(clock.now())
        except DatabaseAway:
            log.warning("database_away")
        broker.ring_sweep()
        try:
            watchman.look(clock.now())
        except Exception:  # who watches must not stop what is watched
            log.exception("alarm_broke")
        if stop.wait(get_settings().sweep_seconds):
            return

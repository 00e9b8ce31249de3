"""What comes due by itself, and whether a machine's clock can be believed when it says so (R-BEAT1, R-DL2, F25)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from casework.text import Text, t

MOST_DRIFT = timedelta(seconds=60)
"""Between two looks of one process the wall clock may gain or lose this much on the steady one."""
MOST_BACK = timedelta(seconds=5)
"""How far the clock may stand before the last recorded tick: machines differ a little."""
MOST_AWAY = timedelta(days=400)
"""A longer pause is rather a clock that was set wrong."""
MOST_SKEW = timedelta(seconds=5)
"""How far it may stand from the database's clock."""


def comes(last: datetime | None, every: timedelta, now: datetime) -> bool:
    """Whether work that is done once in `every` is to be done now: a `last` time ahead of now is a wrong clock's."""
    return last is None or now - last >= every or is_ahead(last, now)


def is_ahead(at: datetime, now: datetime) -> bool:
    """Whether a clock wrote it that was wrong: machines differ a little."""
    return at - now > MOST_BACK


class InterruptionKind(StrEnum):
    """Why the clock's work stood still."""

    PAUSE = "pause"
    """Nothing ran; what was due is caught up."""
    JUMP = "jump"
    """The clock cannot be believed; nothing goes out before a person has confirmed it."""


class TimerState(StrEnum):
    """The life of a step that comes due by itself."""

    WAITING = "waiting"
    DONE = "done"
    RED = "red"
    """It could not be done: a person must look."""


@dataclass(frozen=True, slots=True)
class Look:
    """Both clocks of a process at one moment: `wall` in UTC, and `steady` seconds, which nobody can set."""

    wall: datetime
    steady: float


def drift(before: Look, here: Look) -> timedelta:
    """How much the wall clock was moved between two looks; next to nothing after a pause, however long."""
    return (here.wall - before.wall) - timedelta(seconds=here.steady - before.steady)


def objection(
    here: Look, *, before: Look | None = None, last_tick: datetime | None = None, skew: timedelta = timedelta(0)
) -> Text | None:
    """Why the clock cannot be believed, or None.

    `before` is this process's last look, `last_tick` what any process recorded last, `skew` how far the clock stands
    after the database's.
    """
    if before is not None and abs(drift(before, here)) > MOST_DRIFT:
        passed = round(here.steady - before.steady)
        return t("The clock went from {before} to {now} while {passed} seconds passed.",
                 before=before.wall, now=here.wall, passed=passed)  # fmt: skip
    if last_tick is not None and last_tick - here.wall > MOST_BACK:
        return t("The clock says {now}, which is before the last work that was done, {last}.",
                 now=here.wall, last=last_tick)  # fmt: skip
    if last_tick is not None and here.wall - last_tick > MOST_AWAY:
        return t("The clock says {now}, but the last work was done {last}, more than {days} days before.",
                 now=here.wall, last=last_tick, days=MOST_AWAY.days)  # fmt: skip
    if abs(skew) > MOST_SKEW:
        return t("The clock says {now}, and differs from the database's by {seconds} seconds.",
                 now=here.wall, seconds=round(abs(skew).total_seconds()))  # fmt: skip
    return None

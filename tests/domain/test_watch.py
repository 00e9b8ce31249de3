"""Which clocks are believed (R-BEAT1, F25): a pause is, a jump is not."""

from datetime import UTC, datetime, timedelta

import pytest

from casework.domain.watch import Look, objection

NOON = datetime(2027, 3, 12, 12, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def after(*, wall: timedelta, steady: timedelta) -> Look:
    """A look at a process's clocks that stood at noon and 100 seconds."""
    return Look(NOON + wall, 100 + steady.total_seconds())


@pytest.mark.parametrize(
    ("wall", "steady", "believed"),
    [
        (MINUTE, MINUTE, True),
        (3 * DAY, 3 * DAY, True),
        (HOUR + MINUTE, MINUTE, False),
        (-HOUR, MINUTE, False),
        (3653 * DAY, MINUTE, False),
        (timedelta(seconds=120), MINUTE, True),
        (timedelta(seconds=121), MINUTE, False),
        (timedelta(0), MINUTE, True),
        (timedelta(seconds=-1), MINUTE, False),
    ],
)
def test_the_wall_clock_against_the_processes_own(wall: timedelta, steady: timedelta, believed: bool) -> None:  # noqa: FBT001
    """More than 60 s apart between two ticks is a jump; moved alike, however far, is a pause."""
    here = after(wall=wall, steady=steady)
    assert (objection(here, before=Look(NOON, 100)) is None) is believed


@pytest.mark.parametrize(
    ("last", "believed"),
    [
        (NOON + timedelta(seconds=5), True),
        (NOON + timedelta(seconds=6), False),
        (NOON - 3 * DAY, True),
        (NOON - 400 * DAY, True),
        (NOON - 400 * DAY - MINUTE, False),
    ],
)
def test_a_process_that_begins_asks_what_was_recorded(last: datetime, believed: bool) -> None:  # noqa: FBT001
    """It has no earlier look of its own: a tick more than 5 s ahead, or over 400 days ago, is a jump."""
    assert (objection(Look(NOON, 0), last_tick=last) is None) is believed


@pytest.mark.parametrize(("seconds", "believed"), [(5, True), (-5, True), (6, False), (-6, False)])
def test_the_databases_clock_has_a_word(seconds: int, believed: bool) -> None:  # noqa: FBT001
    """A skew over 5 s is a jump."""
    assert (objection(Look(NOON, 0), skew=timedelta(seconds=seconds)) is None) is believed

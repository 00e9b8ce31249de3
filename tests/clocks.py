"""A machine's clocks that a test moves, and what the watch over them has found and let pass."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from sqlmodel import col, select

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import Deadline, Interruption, Notice, Tick
from casework.domain.terms import DeadlineEnd, NoticeKind, NoticeState
from casework.domain.watch import Look
from casework.services import clockwork
from casework.services.clockwork import MACHINE, Watch
from tests.story import Story
from workers.duties import Duties
from workers.handlers import DUTIES

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@dataclass
class Clocks:
    """A machine's clocks, which begin at the real time and go with it; the test moves them."""

    wall: datetime = field(default_factory=clock.machine)
    steady: float = 1000.0
    begun: datetime = field(default_factory=clock.machine)

    def __call__(self) -> Look:
        gone = clock.machine() - self.begun
        return Look(self.wall + gone, self.steady + gone.total_seconds())

    def pass_by(self, by: timedelta) -> None:
        """Time passes for both, as it should."""
        self.wall += by
        self.steady += by.total_seconds()


def watching(clocks: Clocks) -> Duties:
    """The duties of a process that begins now, on a machine with these clocks."""
    return replace(DUTIES, watch=Watch(read=clocks))


def interruptions() -> list[Interruption]:
    """What has been found, in its order."""
    with uow() as session:
        return list(session.exec(select(Interruption).order_by(col(Interruption.seq))))


def windows() -> list[DeadlineEnd | None]:
    """How the times have ended."""
    with uow() as session:
        return list(session.exec(select(col(Deadline.ended))))


def final_notices() -> list[NoticeState]:
    """Where the mails stand that tell that it is final."""
    with uow() as session:
        return list(session.exec(select(col(Notice.state)).where(Notice.kind == NoticeKind.FINAL)))


def confirm(story: Story) -> None:
    """The office says that the clock is right."""
    with uow(write=True) as session:
        stop = clockwork.stop(session)
        assert stop is not None
        clockwork.confirm(session, story.actors["office"], str(stop.id))


def set_tick(at: datetime) -> None:
    """As if work had last been done then."""
    with uow(write=True) as session:
        tick = session.exec(select(Tick).where(Tick.name == MACHINE)).first() or Tick(name=MACHINE, at=at)
        tick.at = at
        session.add(tick)

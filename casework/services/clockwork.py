"""The clock under watch: a pause is noted and caught up, a jump stops what goes out until a person confirms (F25)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import and_, delete, func, or_, text
from sqlmodel import Session, col, select

from casework import clock
from casework.domain.access import Actor
from casework.domain.errors import Conflict
from casework.domain.models import Interruption, Person, Tick
from casework.domain.watch import MOST_DRIFT, InterruptionKind, Look, drift, objection
from casework.services import false_time
from casework.services.step import acting_person
from casework.settings import get_settings
from casework.text import Text, t

MACHINE = "machine"
"""Name of the tick that holds the machine's own time at the last look of any process."""
ASKED = "asked"
"""Name of the tick that holds the time of who begins after a gap, before he follows it: others can object."""
SHOWN = 20
_LATE_BEGINNING = MOST_DRIFT
"""What a process that begins may be late, beyond one round, without asking."""
_SHORTEST_PAUSE = timedelta(minutes=5)
"""A shorter one is no delay that anybody must be told of."""


def look() -> Look:
    """This process's two clocks now."""
    return Look(clock.machine(), clock.steady())


@dataclass(frozen=True, slots=True)
class Asked:
    """What a process found when it began: its own time, and the last look that anybody had written."""

    wall: datetime
    written: datetime


@dataclass(slots=True)
class Watch:
    """What one process remembers of its clocks between two looks."""

    read: Callable[[], Look] = look
    before: Look | None = None
    confirmed: UUID | None = None
    """The last confirmation that it has met: what lies before one is never compared with what comes after."""
    begins: bool = True
    """Whether it has yet to find its place after what others recorded: at its start, and after a confirmation."""
    asked: Asked | None = None
    """What it saw when it began after a gap, and asked the others by their bell."""

    def __post_init__(self) -> None:
        """A process begins to look when it begins."""
        self.before = self.before or self.read()

    def jumped(self) -> bool:
        """Whether the clock was moved since the last look, without asking the database."""
        return self.before is not None and abs(drift(self.before, self.read())) > MOST_DRIFT


def believed(session: Session, watch: Watch) -> bool:
    """Whether the clock may be followed: looks, and records the tick, a pause or a jump. In a write unit.

    A process that begins long after the last tick cannot know whether nothing ran or its clock is wrong: it waits one
    round, in which the others write what time they have.
    """
    tick = session.exec(select(Tick).where(Tick.name == MACHINE).with_for_update()).first()
    last = tick.at if tick else None
    if tick is None:
        tick = Tick(name=MACHINE, at=(watch.before or watch.read()).wall)
        session.add(tick)
        session.flush()  # two first looks at once: one of them waits here, and fails
    newest = _newest_jump(session)
    if newest is not None and newest.ended_at is None:
        return False
    apart = skew(session, watch.read)
    here = watch.read()  # when the row is ours: who waited for it would else find a tick that is later than his look
    if newest is not None and newest.id != watch.confirmed:
        watch.before, watch.confirmed, watch.begins, watch.asked = None, newest.id, True, None
    accepted = timedelta(seconds=newest.skew_seconds) if newest else timedelta(0)
    asked = session.exec(select(Tick).where(Tick.name == ASKED)).first()
    seen = max((one.at for one in (tick, asked) if one is not None), default=None) if last else None
    wrong = objection(
        here, before=watch.before, last_tick=seen, skew=min(apart, apart - accepted, key=abs)
    ) or _others_object(watch, last)
    if wrong is not None:
        session.add(
            Interruption(
                seq=_next(session),
                kind=InterruptionKind.JUMP,
                began_at=last or here.wall,
                found_at=here.wall,
                words=wrong,
                skew_seconds=apart.total_seconds(),
            )
        )
        return False
    if last is not None and watch.begins and watch.asked is None and here.wall - last > _LATE_BEGINNING + _round():
        watch.asked, watch.before = Asked(here.wall, last), here
        _record(session, asked or Tick(name=ASKED, at=here.wall), here.wall)
        return False
    watch.begins, watch.asked = False, None
    usual = max(_SHORTEST_PAUSE, 5 * _round())
    if last is not None and here.wall - last > usual:
        session.add(_pause(_next(session), last, here.wall))
    watch.before = here
    _record(session, tick, here.wall)
    return True


def _others_object(watch: Watch, last: datetime | None) -> Text | None:
    """What another process has written since this one asked, if its time is not this one's."""
    if watch.asked is None or last is None or last == watch.asked.written or watch.asked.wall - last <= MOST_DRIFT:
        return None
    return t("The clock said {now} when it began, but another process on the same database wrote {other} after that.",
             now=watch.asked.wall, other=last)  # fmt: skip


def _round() -> timedelta:
    return timedelta(seconds=get_settings().sweep_seconds)


STANDS_STILL = t(
    "The system's clock is being checked. Nothing is sent and no time runs out until somebody has confirmed it."
)
"""For everybody who expects that something goes out, or runs out (F25)."""


def stop(session: Session) -> Interruption | None:
    """The jump that somebody must look at; None while the clock is believed."""
    newest = _newest_jump(session)
    return newest if newest is not None and newest.ended_at is None else None


def recent(session: Session) -> list[tuple[Interruption, str]]:
    """The latest interruptions that are over, the newest first, with the name of who confirmed the clock."""
    rows = session.exec(
        select(Interruption, Person)
        .outerjoin(Person, col(Person.id) == col(Interruption.confirmed_by))
        .where(col(Interruption.ended_at).is_not(None))
        .order_by(col(Interruption.seq).desc())
        .limit(SHOWN)
    )
    return [(interruption, person.name if person is not None else "") for interruption, person in rows]


def confirm(session: Session, actor: Actor, stop_id: str) -> None:
    """The clock is right, go on: recorded with who said so. Said twice, it is said once.

    Raises:
        Conflict: the clock has jumped again since `stop_id`, the jump that the actor saw.
    """
    tick = session.exec(select(Tick).where(Tick.name == MACHINE).with_for_update()).first()
    newest = stop(session)
    if newest is None:
        return
    if str(newest.id) != stop_id:
        raise Conflict(t("The clock has jumped again since you opened this page. Look at it once more."))
    newest.ended_at, newest.confirmed_by = clock.machine(), acting_person(actor)
    session.add(newest)
    _forget_false_times(session, clock.now())
    false_time.put_right(session, clock.now())
    _record(session, tick, newest.ended_at)


def _forget_false_times(session: Session, now: datetime) -> None:
    """What is done now and then waits for no time that a wrong clock has written."""
    false = or_(and_(col(Tick.at) > now, col(Tick.name) != MACHINE), col(Tick.name) == ASKED)
    session.execute(delete(Tick).where(false))


def delay(session: Session, due: datetime, now: datetime) -> dict[str, str] | None:
    """Why what was due at `due` is done only now, for the history: since when, and until when nothing ran."""
    late = now - due
    if late < _SHORTEST_PAUSE:
        return None
    offset = now - clock.machine()  # interruptions stand in the machine's own time
    then = due - offset
    over = select(Interruption).where(col(Interruption.began_at) <= then, col(Interruption.ended_at) >= then)
    found = session.exec(over.order_by(col(Interruption.seq).desc())).first()
    if found is None or found.ended_at is None:
        return None
    return {"due_at": due.isoformat(), "stood_still_until": (found.ended_at + offset).isoformat()}


def delay_words(recorded: Mapping[str, Any]) -> Text | None:
    """The note of the delay that a step's event carries."""
    if "stood_still_until" not in recorded:
        return None
    due, until = (datetime.fromisoformat(recorded[name]) for name in ("due_at", "stood_still_until"))
    return t("This comes late. It was due {due}, but the system stood still until {until}.", due=due, until=until)


def skew(session: Session, read: Callable[[], Look] = look) -> timedelta:
    """How far the clock stands after PostgreSQL's; SQLite has no clock of its own."""
    if session.get_bind().dialect.name != "postgresql":
        return timedelta(0)
    first = read().wall
    theirs: datetime = session.connection().execute(text("SELECT clock_timestamp()")).scalar_one()
    last = read().wall
    if first <= theirs <= last:
        return timedelta(0)
    return first - theirs if first > theirs else last - theirs


def _newest_jump(session: Session) -> Interruption | None:
    jumps = select(Interruption).where(Interruption.kind == InterruptionKind.JUMP)
    return session.exec(jumps.order_by(col(Interruption.seq).desc()).limit(1)).first()


def _next(session: Session) -> int:
    return (session.exec(select(func.max(Interruption.seq))).one() or 0) + 1


def _pause(seq: int, began: datetime, ended: datetime) -> Interruption:
    words = t("Nothing ran from {began} to {ended}. What was due then has been done afterwards.",
              began=began, ended=ended)  # fmt: skip
    return Interruption(
        seq=seq, kind=InterruptionKind.PAUSE, words=words, began_at=began, found_at=ended, ended_at=ended
    )


def _record(session: Session, tick: Tick | None, wall: datetime) -> None:
    if tick is None:
        session.add(Tick(name=MACHINE, at=wall))
    else:
        tick.at = wall
        session.add(tick)

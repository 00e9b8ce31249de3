"""The clock under watch: a pause is noted and caught up, a jump stops what goes out until a person confirms (F25)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, text
from sqlmodel import Session, col, select

from casework import clock
from casework.domain.access import Actor
from casework.domain.errors import Conflict
from casework.domain.models import Interruption, Person, Tick
from casework.domain.watch import MOST_DRIFT, InterruptionKind, Look, drift, objection
from casework.services.step import acting_person
from casework.settings import get_settings
from casework.text import Text, t

MACHINE = "machine"
"""Name of the tick that holds the machine's own time at the last look of any process."""
SHOWN = 20
_SHORTEST_PAUSE = timedelta(minutes=5)
"""A shorter one is no delay that anybody must be told of."""


def look() -> Look:
    """This process's two clocks now."""
    return Look(clock.machine(), clock.steady())


@dataclass(slots=True)
class Watch:
    """What one process remembers of its clocks between two looks."""

    read: Callable[[], Look] = look
    before: Look | None = None
    confirmed: UUID | None = None
    """The last confirmation that it has met: what lies before one is never compared with what comes after."""

    def __post_init__(self) -> None:
        """A process begins to look when it begins."""
        self.before = self.before or self.read()

    def jumped(self) -> bool:
        """Whether the clock was moved since the last look, without asking the database."""
        return self.before is not None and abs(drift(self.before, self.read())) > MOST_DRIFT


def believed(session: Session, watch: Watch) -> bool:
    """Whether the clock may be followed: looks, and records the tick, a pause or a jump. In a write unit."""
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
        watch.before, watch.confirmed = None, newest.id
    accepted = timedelta(seconds=newest.skew_seconds) if newest else timedelta(0)
    wrong = objection(here, before=watch.before, last_tick=last, skew=apart - accepted)
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
    usual = max(_SHORTEST_PAUSE, 5 * timedelta(seconds=get_settings().sweep_seconds))
    if last is not None and here.wall - last > usual:
        session.add(_pause(_next(session), last, here.wall))
    watch.before = here
    _record(session, tick, here.wall)
    return True


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
    _record(session, tick, newest.ended_at)


def _forget_false_times(session: Session, now: datetime) -> None:
    """What is done now and then waits for no time that a wrong clock has written."""
    session.execute(delete(Tick).where(col(Tick.at) > now, Tick.name != MACHINE))


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

"""Whether the installation works: what is read from it, and when that is an alarm (R-HEALTH1). No personal data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from math import inf

from casework.domain.terms import JobState, NoticeState

_NO_TIME = timedelta(0)


class AlarmKind(StrEnum):
    """What can be wrong so that a person must see to it."""

    DATABASE = "database"
    SCHEMA = "schema"
    CLOCK = "clock"
    SWEEP = "sweep"
    WORKER = "worker"
    BROKER = "broker"
    MAIL_SERVER = "mail_server"
    OVERDUE = "overdue"
    BOUNCED_DECISION = "bounced_decision"
    UNSURE = "unsure"
    FAILED = "failed"
    RED_STEPS = "red_steps"
    PERIODIC = "periodic"
    DISK = "disk"
    CERTIFICATE = "certificate"


class Periodic(StrEnum):
    """What is done now and then, by whoever sweeps: the name of its tick."""

    PUBLICATIONS = "publications"
    HEARINGS = "hearings"
    BOUNCES = "bounces"
    UNOPENED = "unopened"
    CHECKPOINT = "checkpoint"
    DRAFTS = "drafts"
    UPLOADS = "uploads"
    ADVICE = "advice"
    """Only where a worker has the solver."""


EVERY: Mapping[Periodic, timedelta] = {
    Periodic.PUBLICATIONS: timedelta(minutes=15),
    Periodic.HEARINGS: timedelta(minutes=15),
    Periodic.BOUNCES: timedelta(minutes=1),
    Periodic.UNOPENED: timedelta(hours=1),
    Periodic.CHECKPOINT: timedelta(days=1),
    Periodic.DRAFTS: timedelta(hours=1),
    Periodic.UPLOADS: timedelta(hours=1),
    Periodic.ADVICE: timedelta(seconds=30),
}
_MISSED = 3
"""How many of its periods such work may miss."""


class WorkKind(StrEnum):
    """What takes time: a try at a job, a notice from due to handed over, a step of the clock."""

    JOB = "job"
    NOTICE = "notice"
    STEP = "step"


BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0, inf)
"""By which durations are told apart, in seconds: a mail takes a tenth of one, a notice that is tried again hours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Durations:
    """How long the work of one kind has taken since the database was made."""

    work: WorkKind
    kind: str
    numbers: Mapping[float, int]
    """Bound in seconds → how many took at most so long, and longer than the bound before."""
    seconds: float
    """What all took together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs:
    """How many jobs of a kind are in a state; `overdue` have come due, the others wait for their time."""

    kind: str
    state: JobState
    overdue: bool
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """The installation at one moment. An age is None where there is nothing that could be old, or never was."""

    notices: Mapping[NoticeState, int]
    """How many are due now, stopped by a person, or unsure, failed or bounced and nobody has seen to it."""
    oldest: Mapping[NoticeState, timedelta]
    bounced_decisions: int
    """Bounced rulings and decisions to a party, on which a time to appeal hinges (R32)."""
    mail_down: timedelta | None
    """For how long the mail server has taken nothing that was given to it."""
    jobs: Sequence[Jobs]
    red_steps: int
    sweep_age: timedelta | None
    worker_age: timedelta | None
    periodic: Mapping[Periodic, timedelta | None]
    """Work that is done now and then → how long ago it last was; None: not yet, or not by a clock that is right."""
    up_to_date: bool
    """Whether the database is of the revision that this program works with."""
    clock_believed: bool
    clock_skew: timedelta
    broker: str
    """The kind of error when the broker is not reached, else empty."""
    disk_percent: float
    certificate: timedelta | None
    """How long the certificate is still good; None where the settings name none."""
    certificate_unreadable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What is still well."""

    due: timedelta
    unseen: timedelta
    """How long an unsure or failed notice may wait for a person."""
    silence: timedelta
    """How long the clock or the workers may be silent."""
    mail_down: timedelta
    disk_percent: float
    certificate: timedelta


PATIENCE: Mapping[AlarmKind, timedelta] = {
    AlarmKind.DATABASE: timedelta(minutes=5),
    AlarmKind.SCHEMA: timedelta(minutes=5),
    AlarmKind.BROKER: timedelta(minutes=5),
    AlarmKind.WORKER: timedelta(minutes=2),
    AlarmKind.OVERDUE: timedelta(minutes=2),
}
"""How long it must be seen before anybody is told: a restart, and catching up after one, is no alarm."""


def alarms(here: Readings, limits: Limits) -> list[AlarmKind]:
    """What is beyond its limit, the gravest first."""
    return [kind for kind, is_red in _RED.items() if is_red(here, limits)]


def _silent(age: timedelta | None, here: Readings, limits: Limits) -> bool:
    """While the clock is not believed nothing may tick: that is an alarm of its own."""
    return here.clock_believed and (age is None or age > limits.silence)


def overdue(here: Readings, limits: Limits) -> list[Periodic]:
    """What has not been done for several of its periods. When nobody sweeps none of it is: that is said alone."""
    if not here.clock_believed or _silent(here.sweep_age, here, limits):
        return []
    return [
        work for work, age in here.periodic.items() if age is None or age > max(_MISSED * EVERY[work], limits.silence)
    ]


def _old(state: NoticeState) -> Callable[[Readings, Limits], bool]:
    def red(here: Readings, limits: Limits) -> bool:
        limit = limits.due if state is NoticeState.DUE else limits.unseen
        return here.oldest.get(state, _NO_TIME) > limit

    return red


_RED: Mapping[AlarmKind, Callable[[Readings, Limits], bool]] = {
    AlarmKind.SCHEMA: lambda here, _: not here.up_to_date,
    AlarmKind.CLOCK: lambda here, _: not here.clock_believed,
    AlarmKind.SWEEP: lambda here, limits: _silent(here.sweep_age, here, limits),
    AlarmKind.WORKER: lambda here, limits: _silent(here.worker_age, here, limits),
    AlarmKind.BROKER: lambda here, _: bool(here.broker),
    AlarmKind.MAIL_SERVER: lambda here, limits: (here.mail_down or _NO_TIME) > limits.mail_down,
    AlarmKind.OVERDUE: _old(NoticeState.DUE),
    AlarmKind.BOUNCED_DECISION: lambda here, _: here.bounced_decisions > 0,
    AlarmKind.UNSURE: _old(NoticeState.UNSURE),
    AlarmKind.FAILED: _old(NoticeState.FAILED),
    AlarmKind.RED_STEPS: lambda here, _: here.red_steps > 0,
    AlarmKind.PERIODIC: lambda here, limits: bool(overdue(here, limits)),
    AlarmKind.DISK: lambda here, limits: here.disk_percent > limits.disk_percent,
    AlarmKind.CERTIFICATE: lambda here, limits: (
        here.certificate_unreadable or (here.certificate is not None and here.certificate < limits.certificate)
    ),
}

"""The installation's measures in Prometheus' format."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import accumulate
from math import inf

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from casework.domain.operation import BOUNDS, AlarmKind, Durations, Limits, Readings, WorkKind, alarms
from casework.domain.terms import NoticeState

CONTENT_TYPE = CONTENT_TYPE_LATEST
_STATES = (NoticeState.DUE, NoticeState.UNSURE, NoticeState.FAILED, NoticeState.BOUNCED, NoticeState.CALLED_BACK)


_DURATIONS: Mapping[WorkKind, str] = {
    WorkKind.JOB: "How long a try at a job takes.",
    WorkKind.NOTICE: "How long a notice waits from the moment it is due until the mail server takes it.",
    WorkKind.STEP: "How long the clock's steps take: a time that passes, a reminder.",
}


def exposition(here: Readings | None, took: Sequence[Durations], limits: Limits) -> bytes:
    """All measures; without readings only that the database is away."""
    registry = CollectorRegistry()
    registry.register(_Measures(here, took, limits))
    return generate_latest(registry)


class _Measures(Collector):
    """What was read for this one scrape: nothing is counted in a process, so any number of them may answer."""

    def __init__(self, here: Readings | None, took: Sequence[Durations], limits: Limits) -> None:
        self._here, self._took, self._limits = here, took, limits

    def collect(self) -> Iterator[Metric]:
        red = [AlarmKind.DATABASE] if self._here is None else alarms(self._here, self._limits)
        yield _one("database_up", "Whether the database answers.", float(self._here is not None))
        yield _several(
            "alarm", "Whether this is beyond its limit.", "kind", {kind.value: float(kind in red) for kind in AlarmKind}
        )
        if self._here is not None:
            yield from _read(self._here)
        yield from (_durations(work, [one for one in self._took if one.work is work]) for work in WorkKind)


def _read(here: Readings) -> Iterator[GaugeMetricFamily]:
    yield _several(
        "notices", "Notices that are due, were stopped, or did not arrive and nobody has seen to it.", "state",
        {state.value: float(here.notices.get(state, 0)) for state in _STATES},
    )  # fmt: skip
    yield _several(
        "oldest_notice_seconds", "Age of the oldest of them, 0 where there is none.", "state",
        {state.value: _seconds(here.oldest.get(state)) for state in _STATES},
    )  # fmt: skip
    yield _one("bounced_decisions", "Bounced notices on which a time to appeal hinges.", float(here.bounced_decisions))
    jobs = GaugeMetricFamily(
        "casework_jobs", "Jobs that are not ended; overdue ones wait for a worker.", labels=["kind", "state", "overdue"]
    )
    for group in here.jobs:
        jobs.add_metric([group.kind, group.state.value, "yes" if group.overdue else "no"], float(group.count))
    yield jobs
    yield _one("red_steps", "Steps that the system could not take.", float(here.red_steps))
    ages = {"clock": here.sweep_age, "worker": here.worker_age}
    known = {who: age.total_seconds() for who, age in ages.items() if age is not None}
    yield _several("silence_seconds", "How long ago it last did its round.", "process", known)
    done = {work.value: age.total_seconds() for work, age in here.periodic.items() if age is not None}
    yield _several("periodic_seconds", "How long ago work that is done now and then was last done.", "work", done)
    yield _one(
        "clock_believed", "0 while the clock has jumped and nobody has confirmed it.", float(here.clock_believed)
    )
    yield _one("clock_skew_seconds", "How far the clock is ahead of the database's.", here.clock_skew.total_seconds())
    yield _one("mail_server_down_seconds", "How long the mail server has taken nothing.", _seconds(here.mail_down))
    yield _one("broker_up", "Whether the broker answers.", float(not here.broker))
    yield _one("disk_used_percent", "How full the disk of the data folder is.", here.disk_percent)
    if here.certificate is not None:
        yield _one("certificate_seconds", "How long the certificate is still good.", _seconds(here.certificate))


def _durations(work: WorkKind, took: Sequence[Durations]) -> HistogramMetricFamily:
    family = HistogramMetricFamily(f"casework_{work}_duration_seconds", _DURATIONS[work], labels=["kind"])
    for one in took:
        totals = accumulate(one.numbers.get(bound, 0) for bound in BOUNDS)
        names = ("+Inf" if bound == inf else str(bound) for bound in BOUNDS)
        family.add_metric([one.kind], list(zip(names, totals, strict=True)), sum_value=one.seconds)
    return family


def _seconds(age: timedelta | None) -> float:
    return 0.0 if age is None else age.total_seconds()


def _one(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"casework_{name}", words, value=value)


def _several(name: str, words: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"casework_{name}", words, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family

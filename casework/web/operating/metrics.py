"""The installation's measures in Prometheus' format."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from casework.domain.operation import AlarmKind, Limits, Readings, alarms
from casework.domain.terms import NoticeState

CONTENT_TYPE = CONTENT_TYPE_LATEST
_STATES = (NoticeState.DUE, NoticeState.UNSURE, NoticeState.FAILED, NoticeState.BOUNCED)


def exposition(here: Readings | None, limits: Limits) -> bytes:
    """All measures; without readings only that the database is away."""
    registry = CollectorRegistry()
    registry.register(_Measures(here, limits))
    return generate_latest(registry)


class _Measures(Collector):
    """What was read for this one scrape: nothing is counted in a process, so any number of them may answer."""

    def __init__(self, here: Readings | None, limits: Limits) -> None:
        self._here, self._limits = here, limits

    def collect(self) -> Iterator[GaugeMetricFamily]:
        red = [AlarmKind.DATABASE] if self._here is None else alarms(self._here, self._limits)
        yield _one("database_up", "Whether the database answers.", float(self._here is not None))
        yield _several(
            "alarm", "Whether this is beyond its limit.", "kind", {kind.value: float(kind in red) for kind in AlarmKind}
        )
        if self._here is not None:
            yield from _read(self._here)


def _read(here: Readings) -> Iterator[GaugeMetricFamily]:
    yield _several(
        "notices", "Notices that are due, or did not arrive and nobody has seen to it.", "state",
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
    yield _one(
        "clock_believed", "0 while the clock has jumped and nobody has confirmed it.", float(here.clock_believed)
    )
    yield _one("clock_skew_seconds", "How far the clock is ahead of the database's.", here.clock_skew.total_seconds())
    yield _one("mail_server_down_seconds", "How long the mail server has taken nothing.", _seconds(here.mail_down))
    yield _one("broker_up", "Whether the broker answers.", float(not here.broker))
    yield _one("disk_used_percent", "How full the disk of the data folder is.", here.disk_percent)
    if here.certificate is not None:
        yield _one("certificate_seconds", "How long the certificate is still good.", _seconds(here.certificate))


def _seconds(age: timedelta | None) -> float:
    return 0.0 if age is None else age.total_seconds()


def _one(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"casework_{name}", words, value=value)


def _several(name: str, words: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"casework_{name}", words, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family

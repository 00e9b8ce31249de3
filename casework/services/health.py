"""Signs of life for the machine that watches: each read from the database or the machine, never remembered."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, or_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from casework.adapters import machine, schema
from casework.domain import operation
from casework.domain.delivery import OurReason, SmtpPhase
from casework.domain.models import DeliveryTry, Duration, Notice, OutboxJob, Tick, Timer
from casework.domain.operation import Durations, Jobs, Limits, Periodic, Readings, WorkKind
from casework.domain.terms import JobState, NoticeKind, NoticeState
from casework.domain.watch import TimerState, is_ahead
from casework.services import clockwork
from casework.settings import Settings, get_settings
from casework.text import Text, t

PERIODIC: Mapping[Periodic, Text] = {
    Periodic.PUBLICATIONS: t("Reminders to say when a result was published"),
    Periodic.HEARINGS: t("Reminders of hearings"),
    Periodic.BOUNCES: t("Reading the mail that came back"),
    Periodic.UNOPENED: t("Looking for mails that nobody has opened"),
    Periodic.CHECKPOINT: t("Sealing the history of all cases"),
    Periodic.DRAFTS: t("Clearing old drafts away"),
    Periodic.UPLOADS: t("Clearing half uploaded files away"),
    Periodic.ADVICE: t("Working out boards double dummy"),
}

SWEEP = "sweep"
WORKER = "worker"
"""Names of the ticks: the clock sweeps, and a worker answers its bell. Progress is life, a process is not."""

_SHORTEST_SILENCE = timedelta(minutes=1)
_UNSEEN = (NoticeState.UNSURE, NoticeState.FAILED, NoticeState.BOUNCED, NoticeState.CALLED_BACK)
_DECIDES = (NoticeKind.RULING, NoticeKind.DECISION)
_LINE = (SmtpPhase.CONNECT, SmtpPhase.TLS, SmtpPhase.LOGIN)
"""Where the mail server itself is the trouble, whoever is written to."""
_UNDER_WAY = (JobState.DUE, JobState.CLAIMED, JobState.SENDING)


def last_sweep(session: Session) -> datetime | None:
    """When the clock last looked for due work; None before its first time."""
    return session.exec(select(Tick.at).where(Tick.name == SWEEP)).first()


def overdue(session: Session, now: datetime) -> list[tuple[Text, datetime | None]]:
    """What is done now and then and has not been for several of its periods, and when it last was."""
    ticks = _ticks(session, now)
    return [(PERIODIC[work], ticks.get(work)) for work in operation.overdue(read(session, now), limits())]


def stopped(session: Session) -> bool:
    """Whether nothing goes out because the clock jumped and nobody has confirmed it yet (F25)."""
    return clockwork.stop(session) is not None


def up_to_date(session: Session) -> bool:
    """Whether the database is of the revision that this program works with."""
    return schema.fits(session.connection())


def limits() -> Limits:
    """What the settings call well."""
    settings = get_settings()
    return Limits(
        due=timedelta(minutes=settings.alarm_due_minutes),
        unseen=timedelta(minutes=settings.alarm_unseen_minutes),
        silence=silence(settings),
        mail_down=timedelta(minutes=settings.alarm_mail_server_minutes),
        disk_percent=settings.alarm_disk_percent,
        certificate=timedelta(days=settings.alarm_certificate_days),
    )


def silence(settings: Settings) -> timedelta:
    """How long the clock or a worker may be silent: some rounds, and never so short that a slow job is an alarm."""
    return max(timedelta(seconds=5 * settings.sweep_seconds), _SHORTEST_SILENCE)


def read(session: Session, now: datetime) -> Readings:
    """The installation at `now`, with the same number of queries however much there is. Raises DatabaseAway."""
    settings = get_settings()
    notices, oldest, bounced_decisions = _notices(session, now)
    ticks = _ticks(session, now)
    red = select(func.count()).select_from(Timer).where(Timer.state == TimerState.RED)
    return Readings(
        notices=notices,
        oldest=oldest,
        bounced_decisions=bounced_decisions,
        mail_down=_mail_down(session, now),
        jobs=_jobs(session, now),
        red_steps=session.exec(red).one(),
        sweep_age=_age(ticks.get(SWEEP), now),
        worker_age=_age(ticks.get(WORKER), now),
        periodic={
            work: _age(ticks.get(work), now) for work in Periodic if work is not Periodic.ADVICE or work in ticks
        },
        up_to_date=up_to_date(session),
        clock_believed=not stopped(session),
        clock_skew=clockwork.skew(session),
        broker=machine.broker_error(settings.broker),
        disk_percent=machine.disk_percent(settings.data),
        **_certificate(settings, now),
    )


def _ticks(session: Session, now: datetime) -> Mapping[str, datetime]:
    """When each work was last done; a time that has not come is a wrong clock's, and no time."""
    return {name: at for name, at in session.exec(select(Tick.name, Tick.at)) if not is_ahead(at, now)}


def durations(session: Session) -> list[Durations]:
    """How long the work of each kind has taken, in one query of a few rows."""
    found: dict[tuple[WorkKind, str], list[Duration]] = {}
    for row in session.exec(select(Duration).order_by(col(Duration.work), col(Duration.kind), col(Duration.bound))):
        found.setdefault((row.work, row.kind), []).append(row)
    return [
        Durations(
            work=work,
            kind=kind,
            numbers={row.bound: row.number for row in rows},
            seconds=sum(row.seconds for row in rows),
        )
        for (work, kind), rows in found.items()
    ]


def unseen(now: datetime) -> ColumnElement[bool]:
    """Which notices are due now, were stopped, or did not arrive and nothing has gone in their place."""
    instead = aliased(Notice)
    gone = or_(col(instead.state).in_((NoticeState.POSTED, NoticeState.TOLD)), col(instead.proven_at).is_not(None))
    replaced = select(col(instead.id)).where(col(instead.replaces_id) == Notice.id, gone).exists()
    released = or_(col(Notice.held_until).is_(None), col(Notice.held_until) <= now)
    due = and_(col(Notice.state) == NoticeState.DUE, released)
    unknown = and_(col(Notice.proven_at).is_(None), col(Notice.opened_at).is_(None))
    unknown = and_(unknown, col(Notice.reply) != OurReason.WRONG_CLOCK)
    return or_(due, and_(col(Notice.state).in_(_UNSEEN), unknown, ~replaced))


def _notices(session: Session, now: datetime) -> tuple[Mapping[NoticeState, int], Mapping[NoticeState, timedelta], int]:
    """(count by state, age of the oldest by state, how many bounced ones a time to appeal hinges on)."""
    tried = select(func.max(col(DeliveryTry.at))).where(DeliveryTry.notice_id == Notice.id).scalar_subquery()
    planned = func.coalesce(col(Notice.held_until), col(Notice.due_at))
    since = case((col(Notice.state) == NoticeState.DUE, planned), else_=func.coalesce(tried, planned))
    decides = and_(col(Notice.kind).in_(_DECIDES), col(Notice.party_id).is_not(None))
    hinges = func.sum(case((decides, 1), else_=0))
    query: Any = select(col(Notice.state), func.count(), func.min(since), hinges).where(
        unseen(now), col(Notice.carried_by).is_(None)
    )
    rows = session.exec(query.group_by(col(Notice.state))).all()
    return (
        {state: count for state, count, _, _ in rows},
        {state: max(now - oldest, timedelta()) for state, _, oldest, _ in rows},  # one is stopped before it would go
        next((decided for state, _, _, decided in rows if state is NoticeState.BOUNCED), 0),
    )


def _mail_down(session: Session, now: datetime) -> timedelta | None:
    """Since the first try that the server did not take after the last that it did, while a mail still waits."""
    reached = select(func.max(col(DeliveryTry.at))).where(col(DeliveryTry.phase).not_in(_LINE)).scalar_subquery()
    waits = select(col(Notice.id)).where(col(Notice.state) == NoticeState.DUE, col(Notice.phase).in_(_LINE)).exists()
    first = select(func.min(col(DeliveryTry.at))).where(
        col(DeliveryTry.phase).in_(_LINE), or_(reached.is_(None), col(DeliveryTry.at) > reached), waits
    )
    return _age(session.exec(first).one(), now)


def _jobs(session: Session, now: datetime) -> list[Jobs]:
    overdue = case((col(OutboxJob.next_at) <= now, 1), else_=0)
    query = (
        select(col(OutboxJob.kind), col(OutboxJob.state), overdue, func.count())
        .where(col(OutboxJob.state).in_(_UNDER_WAY))
        .group_by(col(OutboxJob.kind), col(OutboxJob.state), overdue)
        .order_by(col(OutboxJob.kind), col(OutboxJob.state), overdue)
    )
    return [
        Jobs(kind=kind, state=state, overdue=bool(late), count=count)
        for kind, state, late, count in session.exec(query)
    ]


def _certificate(settings: Settings, now: datetime) -> dict[str, Any]:
    if settings.certificate_file is None:
        return {"certificate": None}
    ends = machine.certificate_ends(settings.certificate_file)
    if isinstance(ends, machine.Unreadable):
        return {"certificate": None, "certificate_unreadable": True}
    return {"certificate": ends - now}


def _age(at: datetime | None, now: datetime) -> timedelta | None:
    return None if at is None else now - at

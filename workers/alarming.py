"""The clock process looks after the others: what is red is noted, and mailed to the operator once (R-HEALTH1, F17)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from casework import clock, logs
from casework.adapters import mail, smtp
from casework.adapters.database import DatabaseAway, retrying, uow
from casework.domain.operation import PATIENCE, AlarmKind, alarms
from casework.services import alarms as noted
from casework.services import health
from casework.services.alarms import Wrong
from casework.settings import get_settings

log = logs.logger(__name__)


@dataclass(slots=True)
class Watchman:
    """What one process remembers: only what cannot be written while the database is away."""

    away_since: datetime | None = None
    told_at: datetime | None = None

    def look(self, now: datetime) -> None:
        """Read, note, and mail what nobody has been told. Raises nothing that would stop the clock."""
        try:
            wrong = _news(now)
        except DatabaseAway:
            self._database_away(now)
            return
        self.away_since = self.told_at = None
        if wrong and _mail(wrong, now):
            _record([one.kind for one in wrong], now)

    def _database_away(self, now: datetime) -> None:
        self.away_since = self.away_since or now
        lasts = now - self.away_since >= PATIENCE[AlarmKind.DATABASE]
        repeat = timedelta(hours=get_settings().alarm_repeat_hours)
        if lasts and (self.told_at is None or now - self.told_at >= repeat):
            self.told_at = now
            _mail([noted.unanswered(self.away_since)], now)


@retrying
def _news(now: datetime) -> Sequence[Wrong]:
    """All that is wrong, if a mail of it is to go now."""
    with uow() as session:
        red = alarms(health.read(session, now), health.limits())
        if noted.is_noted(session, red, now):
            return ()
    with uow(write=True) as session:
        return noted.note(session, red, now)


@retrying
def _record(kinds: Sequence[AlarmKind], now: datetime) -> None:
    with uow(write=True) as session:
        noted.record_mailed(session, kinds, now)


def _mail(wrong: Sequence[Wrong], now: datetime) -> bool:
    """Whether the operator's mail was taken: by the alarms' own server, else by the first."""
    settings = get_settings()
    if not settings.alarm_mail:
        return False
    message = mail.build(noted.letter(wrong, now), now)
    for through in [settings.for_alarms, settings] if settings.alarm_smtp_host else [settings]:
        try:
            smtp.post(message, begin_sending=_no_row, clock=clock.now, through=through)
        except smtp.Unsure:
            return True  # it may be there: the repetition comes anyway
        except smtp.MailError as error:
            log.warning("alarm_mail_not_taken", error=type(error).__name__, phase=error.phase.value)
        else:
            return True
    return False


def _no_row() -> None:
    """No job stands behind an alarm mail: nothing is recorded before it goes out."""

"""Alarms: what is wrong with the installation, since when, and who has been told of it (R-HEALTH1).

A row is open while its fault lasts. One mail tells all that is wrong, and tells it again when something new is, or
when the mail has become old. It names no person, no case and no address.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

from sqlmodel import Session, col, select

from casework.adapters import i18n, mail
from casework.adapters.mail import Letter
from casework.domain.models import Alarm
from casework.domain.operation import PATIENCE, AlarmKind
from casework.domain.watch import comes
from casework.services import health
from casework.settings import get_settings
from casework.text import Text, t

_OF_NOTICES = (AlarmKind.OVERDUE, AlarmKind.BOUNCED_DECISION, AlarmKind.UNSURE, AlarmKind.FAILED)
TRY_AGAIN = timedelta(minutes=5)
"""How long a try to mail is left alone."""

WHAT: Mapping[AlarmKind, Text] = {
    AlarmKind.DATABASE: t("The database does not answer"),
    AlarmKind.SCHEMA: t("The database and the program are of different versions"),
    AlarmKind.CLOCK: t("The system's clock has jumped"),
    AlarmKind.SWEEP: t("The clock process is silent"),
    AlarmKind.WORKER: t("The workers are silent"),
    AlarmKind.BROKER: t("The broker does not answer"),
    AlarmKind.MAIL_SERVER: t("The mail server takes no mail"),
    AlarmKind.OVERDUE: t("Notices wait too long to be sent"),
    AlarmKind.BOUNCED_DECISION: t("A ruling or decision has bounced"),
    AlarmKind.UNSURE: t("Nobody has looked at a notice that may have been sent"),
    AlarmKind.FAILED: t("Nobody has looked at a notice that could not be sent"),
    AlarmKind.RED_STEPS: t("There are steps that the system could not take"),
    AlarmKind.PERIODIC: t("Work that is done now and then has not been done"),
    AlarmKind.DISK: t("The disk is nearly full"),
    AlarmKind.CERTIFICATE: t("The website's certificate soon ends, or cannot be read"),
}
WHAT_TO_DO: Mapping[AlarmKind, Text] = {
    AlarmKind.DATABASE: t("Nothing can be filed or sent. See to the database server."),
    AlarmKind.SCHEMA: t("Pages and mails can fail. Run casework migrate with the newest version, and start all again."),
    AlarmKind.CLOCK: t("Nothing is sent and no time runs out until the office has confirmed the clock."),
    AlarmKind.SWEEP: t("No time runs out and nothing new is sent. Start the clock process again."),
    AlarmKind.WORKER: t("Mails and PDFs wait. Start the workers again."),
    AlarmKind.BROKER: t("Mails wait, nothing is lost. See to the message broker."),
    AlarmKind.MAIL_SERVER: t("Mails wait and are sent when it answers. See to the mail server and its settings."),
    AlarmKind.OVERDUE: t("See to the workers and the mail server."),
    AlarmKind.BOUNCED_DECISION: t("A time to appeal hinges on it. Post the letter that has been made in its place."),
    AlarmKind.UNSURE: t("Find out whether it has arrived, and say so on its page."),
    AlarmKind.FAILED: t("Run it again, or tell the person in another way."),
    AlarmKind.RED_STEPS: t("A person must take the step, or let the system try again."),
    AlarmKind.PERIODIC: t("The page about the clock says which. See to the log: something breaks it each time."),
    AlarmKind.DISK: t("When it is full nothing can be filed. Make room."),
    AlarmKind.CERTIFICATE: t("When it has ended, browsers turn people away. Renew it."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """Something that is wrong, in words."""

    kind: AlarmKind
    since: datetime
    what: Text
    to_do: Text

    @property
    def of_notices(self) -> bool:
        """Whether "Utskick" shows which."""
        return self.kind in _OF_NOTICES


def note(session: Session, red: Collection[AlarmKind], now: datetime) -> list[Wrong]:
    """Begin and end alarms; gives all that is wrong when a mail is to go now, and takes that mail for this process."""
    wrong = {alarm.kind: alarm for alarm in _open(session, lock=True)}
    for kind, alarm in wrong.items():
        if kind not in red:
            alarm.ended_at = now
    for kind in red:
        if kind not in wrong:
            wrong[kind] = Alarm(kind=kind, began_at=now)
    session.add_all(wrong.values())
    lasting = [alarm for alarm in wrong.values() if alarm.ended_at is None and _lasts(alarm, now)]
    if not get_settings().alarm_mail or not any(_is_news(alarm, now) for alarm in lasting):
        return []
    for alarm in lasting:
        alarm.tried_at = now
    return _in_words(lasting)


def is_noted(session: Session, red: Collection[AlarmKind], now: datetime) -> bool:
    """Whether `note` would change nothing: then nobody waits for a write."""
    standing = _open(session)
    told = not get_settings().alarm_mail or not any(_lasts(a, now) and _is_news(a, now) for a in standing)
    return told and {alarm.kind for alarm in standing} == set(red)


def record_mailed(session: Session, kinds: Collection[AlarmKind], now: datetime) -> None:
    """The operator has been told of these."""
    for alarm in _open(session, lock=True):
        if alarm.kind in kinds:
            alarm.mailed_at, alarm.mails = now, alarm.mails + 1
            session.add(alarm)


def standing(session: Session, now: datetime) -> list[Wrong]:
    """What is wrong, for those who tend the system; that the clock process is dead it cannot have noted itself."""
    found = _in_words([alarm for alarm in _open(session) if _lasts(alarm, now)])
    swept = health.last_sweep(session)
    silent = swept is not None and now - swept > health.silence(get_settings()) and not health.stopped(session)
    if silent and swept is not None and all(wrong.kind is not AlarmKind.SWEEP for wrong in found):
        return [_wrong(AlarmKind.SWEEP, swept), *found]
    return found


def letter(wrong: Sequence[Wrong], now: datetime) -> Letter:
    """The mail to the operator."""
    settings = get_settings()
    language = i18n.language_or_default(settings.alarm_language)
    environment = i18n.jinja_environment(language)
    context = {"wrong": wrong, "now": now, "url": settings.public_base_url, "federation_name": settings.federation_name}
    first = i18n.render(wrong[0].what, language)
    subject = t("Alarm: {what}", what=first) if len(wrong) == 1 else t("Alarm: {what}, and more", what=first)
    return Letter(
        sender=settings.mail_from,
        sender_name=settings.federation_name,
        to_address=settings.alarm_mail,
        to_name="",
        subject=i18n.render(subject, language),
        text=environment.get_template("mail/alarm.txt").render(context),
        html=environment.get_template("mail/alarm.html").render(context),
        message_id=mail.message_id(uuid4()),
        case_number="",
    )


def trial_letter(address: str, *, as_alarm: bool = False) -> Letter:
    """The mail by which an operator sees that mail arrives: sent as a notice is, bounce address and all."""
    settings, trial = get_settings(), uuid4()
    language = i18n.language_or_default(settings.alarm_language)
    words = i18n.render(
        t("This is a test. If you read it, the mail server took the mail and it arrived. Nothing needs to be done."),
        language,
    )
    return Letter(
        sender=settings.mail_from,
        sender_name=settings.federation_name,
        to_address=address,
        to_name="",
        subject=i18n.render(t("A test mail"), language),
        text=f"{words}\n",
        html=f'<!doctype html><html lang="{language}"><title>Test</title><p>{words}</p></html>',
        message_id=mail.message_id(trial),
        case_number="",
        reply_to="" if as_alarm else settings.mail_reply_to,
        return_path="" if as_alarm else mail.return_path(trial),
    )


def unanswered(since: datetime) -> Wrong:
    """The database is away: known to the process that asked it, for no row can say so."""
    return _wrong(AlarmKind.DATABASE, since)


def _open(session: Session, *, lock: bool = False) -> Sequence[Alarm]:
    query = select(Alarm).where(col(Alarm.ended_at).is_(None)).order_by(col(Alarm.began_at), col(Alarm.kind))
    return session.exec(query.with_for_update() if lock else query).all()


def _lasts(alarm: Alarm, now: datetime) -> bool:
    return now - alarm.began_at >= PATIENCE.get(alarm.kind, timedelta(0))


def _is_news(alarm: Alarm, now: datetime) -> bool:
    repeat = timedelta(hours=get_settings().alarm_repeat_hours)
    return comes(alarm.tried_at, TRY_AGAIN, now) and comes(alarm.mailed_at, repeat, now)


def _in_words(rows: Sequence[Alarm]) -> list[Wrong]:
    order = list(AlarmKind)
    return [_wrong(alarm.kind, alarm.began_at) for alarm in sorted(rows, key=lambda alarm: order.index(alarm.kind))]


def _wrong(kind: AlarmKind, since: datetime) -> Wrong:
    return Wrong(kind=kind, since=since, what=WHAT[kind], to_do=WHAT_TO_DO[kind])

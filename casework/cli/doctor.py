"""What is configured, what is missing, and which values of the procedure somebody must confirm. Never a secret."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pydantic import SecretStr
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from casework import clock
from casework.adapters import bounces, broker, database, i18n, imap, pdf, schema, smtp
from casework.domain.rules.procedure import profile_on, setting_label
from casework.services import health
from casework.settings import DEFAULT_SECRET, CalendarSettings, Settings, get_calendar_settings, get_settings

LANGUAGE = "en"


class Level(StrEnum):
    """How bad it is; only what is missing makes doctor fail."""

    OK = "ok"
    NOTE = "note"
    MISSING = "MISSING"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    level: Level
    words: str


def examine() -> int:
    """Print the report; 1 if something that is needed is missing."""
    settings = get_settings()
    print("Settings")
    for name, value in (*_shown(settings), *_shown(get_calendar_settings())):
        print(f"  {name} = {value}")
    print("Parts")
    findings = list(_findings(settings))
    for finding in findings:
        print(f"  {finding.level:8}{finding.words}")
    print("Procedure")
    for line in _procedure():
        print(f"  {line}")
    return 1 if any(finding.level is Level.MISSING for finding in findings) else 0


def _shown(settings: Settings | CalendarSettings) -> Iterator[tuple[str, str]]:
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        shown = f"CASEWORK_{name.upper()}"
        if isinstance(value, SecretStr):
            yield shown, _secret(value.get_secret_value())
        elif name.endswith("_url") and "://" in str(value):
            yield shown, make_url(str(value)).render_as_string(hide_password=True)
        elif isinstance(value, frozenset):
            yield shown, " ".join(sorted(map(str, value)))
        else:
            yield shown, str(value)


def _secret(value: str) -> str:
    if not value:
        return "(not set)"
    return "(the public default)" if value == DEFAULT_SECRET else "(set)"


def _findings(settings: Settings) -> Iterator[Finding]:
    yield _data_folder(settings)
    database_found = _database()
    yield database_found
    if database_found.level is Level.OK:
        yield _clock()
    yield _broker()
    yield _mail(settings)
    yield from _returned(settings)
    obstacles = pdf.pdf_ready()
    yield from (Finding(Level.NOTE, i18n.render(obstacle, LANGUAGE)) for obstacle in obstacles)
    if not obstacles:
        yield Finding(Level.OK, "PDFs can be made at full speed.")


def _data_folder(settings: Settings) -> Finding:
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(settings.data, os.W_OK | os.X_OK):
        return Finding(Level.MISSING, f"The data folder {settings.data} cannot be written to.")
    return Finding(Level.OK, f"The data folder {settings.data} can be written to.")


def _database() -> Finding:
    try:
        present = schema.present()
    except SQLAlchemyError as error:
        return Finding(Level.MISSING, f"The database cannot be reached ({type(error).__name__}).")
    if misfit := schema.misfit():
        return Finding(Level.MISSING, misfit)
    return Finding(Level.OK, f"The database is reached and up to date (revision {present}).")


def _clock() -> Finding:
    with database.uow() as session:
        if health.stopped(session):
            return Finding(Level.MISSING, "The clock has jumped: nothing is sent before the office confirms it.")
    return Finding(Level.OK, "The clock is believed.")


def _broker() -> Finding:
    error = broker.unreachable()
    if error:
        return Finding(Level.MISSING, f"The broker cannot be reached ({error}); jobs wait until it can.")
    return Finding(Level.OK, "The broker is reached.")


def _mail(settings: Settings) -> Finding:
    if not settings.smtp_host:
        if settings.movable_clock:
            return Finding(Level.OK, "Mail is kept in the demo's mailboxes (no CASEWORK_SMTP_HOST).")
        return Finding(Level.MISSING, "There is no mail server: set CASEWORK_SMTP_HOST.")
    said = smtp.smtp_ready()
    if said:
        return Finding(Level.MISSING, f"The mail server {settings.smtp_host} does not take mail: {said}")
    return Finding(Level.OK, f"The mail server {settings.smtp_host} answers.")


def _returned(settings: Settings) -> Iterator[Finding]:
    """Whether it is seen that a mail came back: until then it counts as delivered, and a time runs."""
    if settings.bounce_maildir is not None:
        try:
            bounces.refuse_unusable(settings.bounce_maildir)
            yield Finding(Level.OK, f"The Maildir {settings.bounce_maildir} can be read.")
        except bounces.NoMailbox:
            words = (
                f"The Maildir {settings.bounce_maildir} is not there or cannot be changed: make it, with new and cur."
            )
            yield Finding(Level.MISSING, words)
    if settings.bounce_imap_host:
        where = f"The mailbox of returned mail on {settings.bounce_imap_host}"
        try:
            imap.refuse_away()
            yield Finding(Level.OK, f"{where} answers.")
        except imap.MailboxAway as error:
            yield Finding(Level.MISSING, f"{where} cannot be read ({error}).")


def _procedure() -> Iterator[str]:
    profile = profile_on(clock.today())
    yield f"{profile.name}, in force since {profile.valid_from}"
    for name, setting in profile.settings():
        label, value = i18n.render(setting_label(name), LANGUAGE), i18n.render(setting.words, LANGUAGE)
        mark = "  " if setting.confirmed else "? "
        yield f"{mark}{label}: {value} ({i18n.render(setting.source.words, LANGUAGE)}; {setting.rule})"

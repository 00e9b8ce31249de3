"""Settings from the environment (prefix `CASEWORK_`), read once and frozen."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

_SECRETS = re.compile(r"://.*@", re.DOTALL)
"""Who signs in, and with what, in an address."""
TASK_SOFT_SECONDS, TASK_SECONDS = 100, 120
"""When a worker is asked to end a job, and when it is made to: after every answer that it waits for, before its lease
runs out (R-ONCE2)."""
DEFAULT_SECRET = "only-for-the-demo-never-for-people"

Port = Annotated[int, Field(ge=1, le=65535)]
Number = Annotated[int, Field(ge=0)]
Length = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Limit = Annotated[float, Field(ge=0, allow_inf_nan=False)]

_DATABASES = {"sqlite", "sqlite+pysqlite", "postgresql+psycopg"}
_BROKERS = {"amqp", "amqps", "pyamqp", "redis", "rediss", "valkey", "filesystem"}


def _names_database(url: str) -> bool:
    try:
        return not url or make_url(url).drivername in _DATABASES
    except (ArgumentError, ValueError):
        return False


def _names_broker(url: str) -> bool:
    scheme, given, _ = url.partition("://")
    return not url or (bool(given) and scheme in _BROKERS)


def _names_site(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _is_address(text: str) -> bool:
    return re.fullmatch(r"[^\s@<>,;]+@[^\s@<>,;]+", text) is not None


def _is_address_or_nothing(text: str) -> bool:
    return not text or _is_address(text)


_AN_ADDRESS = "a mail address such as arenden@forbundet.example"
_FITS: dict[str, tuple[Callable[[str], bool], str]] = {
    "database_url": (_names_database, "an address such as postgresql+psycopg://casework@db/casework"),
    "broker_url": (_names_broker, "an address such as amqp://host or redis://host"),
    "public_base_url": (_names_site, "an address such as https://arenden.forbundet.example"),
    "mail_from": (_is_address, _AN_ADDRESS),
    "mail_reply_to": (_is_address_or_nothing, _AN_ADDRESS),
    "mail_return_path": (_is_address_or_nothing, _AN_ADDRESS),
    "alarm_mail": (_is_address_or_nothing, _AN_ADDRESS),
    "help_mail": (_is_address_or_nothing, _AN_ADDRESS),
    "alarm_language": (lambda language: language in ("sv", "en"), "one of sv, en"),
}
"""Texts that must have a form: how it is known, and what it is, as the end of a sentence."""


class BadSettings(Exception):
    """What is wrong in the environment: a sentence for each variable, with what stands there and what should.

    No ValueError: who reckons or reads would take that for a mistake in what he was given.
    """


class SmtpSecurity(StrEnum):
    """How the way to the mail server is encrypted; a server that does not offer it gets no mail (F23)."""

    NONE = "none"
    STARTTLS = "starttls"
    TLS = "tls"


class Settings(BaseSettings):
    """Everything that differs between installations; `casework doctor` prints them without the secrets."""

    model_config = SettingsConfigDict(env_prefix="CASEWORK_", frozen=True, extra="ignore")

    data: Path = Path("var")
    """Folder of the embedded database, the file broker, attachments and PDFs."""
    database_url: str = ""
    """SQLAlchemy URL; empty means SQLite in the data folder."""
    broker_url: str = ""
    """Celery broker URL (amqp:// or redis://); empty means the filesystem broker in the data folder."""
    secret_key: SecretStr = SecretStr(DEFAULT_SECRET)
    """Signs sessions and forms."""
    link_key: SecretStr = SecretStr(DEFAULT_SECRET)
    """Signs mail links; stands outside the database (S-LINK3)."""
    link_codes: bool = False
    """Ask in a browser that is new to a mail link for the code beside it, where scanners press buttons (S-LINK2)."""
    public_base_url: str = "http://127.0.0.1:8000"
    """Every link in a mail is built from this, never from the Host header (S-LINK7)."""
    demo: bool = False
    """Demo federation: sign-in page, mailbox page, movable clock."""
    testing: bool = False
    """Test mode: movable clock, cheap password hashing."""
    smtp_host: str = ""
    """Empty in demo mode: mail is kept in the demo's mailboxes only."""
    smtp_port: Port = 25
    smtp_user: str = ""
    smtp_password: SecretStr = SecretStr("")
    smtp_security: SmtpSecurity = SmtpSecurity.NONE
    """none (a server on this machine), starttls (port 587) or tls (port 465)."""
    smtp_ca_file: str = ""
    """Authorities of the mail server's certificate; empty means the machine's own."""
    smtp_timeout: Length = 20.0
    """Seconds for all SMTP steps before the final dot together."""
    smtp_data_timeout: Length = 90.0
    """Seconds to wait for the answer to the final dot."""
    mail_from: str = "arenden@bridge.example"
    mail_reply_to: str = ""
    mail_return_path: str = ""
    """Where bounces go, "studs@forbundet.example": each notice gets an address of its own, "studs+ID@…". Empty: to
    `mail_from`, and only a bounce that quotes the Message-ID is understood."""
    bounce_maildir: Path | None = None
    """The Maildir that holds what comes to `mail_return_path`."""
    bounce_imap_host: str = ""
    """The IMAP server (over TLS) that has the mailbox instead; its reports are brought into the Maildir."""
    bounce_imap_port: Port = 993
    bounce_imap_user: str = ""
    bounce_imap_password: SecretStr = SecretStr("")
    bounce_imap_ca_file: str = ""
    bounce_imap_folder: str = "INBOX"
    bounce_imap_done: str = "casework"
    """The folder into which reports are moved when they have been brought. What is no report is flagged, and stays."""
    mail_per_domain: Number = 300
    """Mails a minute to addresses of one domain; 0 means any number."""
    case_prefix: str = "SBF"
    """First part of every case number."""
    federation_name: str = "Bridgeförbundet"
    help_phone: str = "08-465 004 12"
    help_mail: str = "kansliet@bridge.example"
    sweep_seconds: Length = 60.0
    """How often the clock looks for due jobs and deadlines."""
    lease_seconds: Length = 180.0
    """How long a claimed job belongs to its worker."""
    alarm_mail: str = ""
    """Who is told when something is wrong; empty means nobody is mailed."""
    alarm_language: str = "sv"
    alarm_repeat_hours: Limit = 12.0
    """How long one alarm mail holds while the same is wrong."""
    alarm_smtp_host: str = ""
    """A second mail server, for alarms only: the first may be what is wrong. Empty: the first."""
    alarm_smtp_port: Port = 25
    alarm_smtp_user: str = ""
    alarm_smtp_password: SecretStr = SecretStr("")
    alarm_smtp_security: SmtpSecurity = SmtpSecurity.NONE
    alarm_smtp_ca_file: str = ""
    alarm_due_minutes: Limit = 15.0
    """How old a due notice may become; the limits below are those of `/readyz` too."""
    alarm_unseen_minutes: Limit = 60.0
    """How long an unsure or failed notice may wait for a person."""
    alarm_mail_server_minutes: Limit = 15.0
    """How long the mail server may take nothing (F17)."""
    alarm_disk_percent: Limit = 90.0
    alarm_certificate_days: Limit = 14.0
    certificate_file: Path | None = None
    """The certificate of `public_base_url`, as PEM, where this machine can read it (F50)."""
    metrics_token: SecretStr = SecretStr("")
    """Who shows it as `Authorization: Bearer …` may read `/metrics`; empty: there is no such page."""

    @field_validator(*_FITS)
    @classmethod
    def refuse_unfit(cls, text: str, info: ValidationInfo) -> str:
        """What nothing can be done with is said at the start, not when it is first needed."""
        fits, _ = _FITS[str(info.field_name)]
        if not fits(text):
            raise ValueError(_SECRETS.sub("://…@", text))
        return text

    @model_validator(mode="after")
    def refuse_default_secrets(self) -> Self:
        """A default secret is public: outside demo and test mode it would let anybody in."""
        public = DEFAULT_SECRET in (self.secret_key.get_secret_value(), self.link_key.get_secret_value())
        if public and not (self.demo or self.testing):
            raise ValueError(
                "Set CASEWORK_SECRET_KEY and CASEWORK_LINK_KEY: the defaults are public. For a demo: CASEWORK_DEMO=1."
            )
        return self

    @model_validator(mode="after")
    def refuse_waits_out_of_order(self) -> Self:
        """A server that is slow ends as unsure, never as a second mail: R-ONCE2. Tests wait less, and know it."""
        if not self.testing and self.smtp_data_timeout >= TASK_SOFT_SECONDS:
            raise ValueError(
                f"CASEWORK_SMTP_DATA_TIMEOUT: {self.smtp_data_timeout:g} must be below {TASK_SOFT_SECONDS}, "
                "the seconds after which a worker ends a job."
            )
        if not self.testing and self.lease_seconds <= TASK_SECONDS:
            raise ValueError(
                f"CASEWORK_LEASE_SECONDS: {self.lease_seconds:g} must be above {TASK_SECONDS}, "
                "the seconds that a job may take: else another worker would send the same mail."
            )
        return self

    @property
    def database(self) -> str:
        """The SQLAlchemy URL in use."""
        return self.database_url or f"sqlite:///{self.data / 'casework.sqlite3'}"

    @property
    def for_alarms(self) -> Self:
        """The same settings with the mail server of alarms; these settings where there is only one."""
        if not self.alarm_smtp_host:
            return self
        own = ("host", "port", "user", "password", "security", "ca_file")
        return self.model_copy(update={f"smtp_{name}": getattr(self, f"alarm_smtp_{name}") for name in own})

    @property
    def broker(self) -> str:
        """The Celery broker URL in use."""
        return self.broker_url or "filesystem://"

    @property
    def lease(self) -> timedelta:
        """`lease_seconds`."""
        return timedelta(seconds=self.lease_seconds)

    @property
    def bounce_mailbox(self) -> Path | None:
        """The Maildir that is read; None where nothing comes back to this machine."""
        return self.bounce_maildir or (self.data / "bounces" if self.bounce_imap_host else None)

    @property
    def movable_clock(self) -> bool:
        """Whether the clock may be moved by the offset file."""
        return self.demo or self.testing


class CalendarSettings(BaseSettings):
    """What the calendar needs: apart, so that a deadline can be reckoned without an installation."""

    model_config = SettingsConfigDict(env_prefix="CASEWORK_", frozen=True, extra="ignore")

    extra_holidays: Annotated[frozenset[date], NoDecode] = frozenset()
    """One-off days on which no time ends: "2027-05-07 2028-05-26". Run `casework deadlines recalc` afterwards."""

    @field_validator("extra_holidays", mode="before")
    @classmethod
    def read_days(cls, written: Any) -> Any:
        """Days with anything of a list between them, so that JSON is read as well: '["2027-05-07"]'."""
        if not isinstance(written, str):
            return written
        return [_day(part) for part in re.split(r"[\s,;\"'\[\]]+", written) if part]


@cache
def get_settings() -> Settings:
    """The settings of this process, the calendar's read with them. Tests clear the cache after they change them.

    Raises:
        BadSettings: a variable holds what it cannot.
    """
    get_calendar_settings()
    return _read(Settings)


@cache
def get_calendar_settings() -> CalendarSettings:
    """As `get_settings`, for the calendar."""
    return _read(CalendarSettings)


_Kind = TypeVar("_Kind", Settings, CalendarSettings)


def _read(kind: type[_Kind]) -> _Kind:
    try:
        return kind()
    except ValidationError as error:
        raise BadSettings("\n".join(_sentence(mistake) for mistake in error.errors())) from None


def _sentence(mistake: Any) -> str:
    """For example: CASEWORK_SMTP_PORT: "abc" is not a whole number from 1 to 65535."""
    said = mistake.get("ctx", {}).get("error")
    if not mistake["loc"]:
        return str(said or mistake["msg"])
    variable, given = f"CASEWORK_{str(mistake['loc'][0]).upper()}", said or mistake["input"]
    return f'{variable}: "{given}" is not {_EXPECTED[str(mistake["loc"][0])]}.'


def _day(part: str) -> date:
    try:
        return date.fromisoformat(part)
    except ValueError:
        raise ValueError(part) from None


def _expected(name: str, annotation: Any, limits: str) -> str:
    """What a variable may hold, as the end of a sentence."""
    if name in _FITS:
        return _FITS[name][1]
    if annotation is bool:
        return "true or false"
    if annotation is SmtpSecurity:
        return f"one of {', '.join(SmtpSecurity)}"
    if annotation is int:
        return "a whole number from 1 to 65535" if "Le" in limits else "a whole number from 0 up"
    if annotation is float:
        return "a number above 0" if "Gt" in limits else "a number from 0 up"
    return "a day such as 2027-05-07; between several is a space" if annotation == frozenset[date] else "a text"


_EXPECTED = {
    name: _expected(name, field.annotation, str(field.metadata))
    for kind in (Settings, CalendarSettings)
    for name, field in kind.model_fields.items()
}

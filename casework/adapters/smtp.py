"""Handing a message over to a mail server: the one place that sends (S-MAIL1).

Until the whole message has gone out, any trouble means "later"; from then until the server's answer nobody knows.
smtplib tells the two apart nowhere: a lost answer and a lost connection look alike [reliability M8].
"""

import atexit
import io
import os
import re
import select
import smtplib
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Any

from casework.adapters.failpoints import failpoint
from casework.adapters.mail import Message
from casework.domain.delivery import OurReason, SmtpPhase
from casework.settings import Settings, SmtpSecurity, get_settings

MAILBOX = "mailbox"
"""The remote of a message that went to the demo's mailboxes only: the notice itself is the mailbox."""

_IDLE = 20.0
"""Seconds that a connection is kept open for the next message."""
_JUST_NOW = 1.0
"""Seconds in which a server that took a message and has said nothing since need not be asked whether it is there."""


@dataclass(frozen=True, slots=True)
class Handover:
    """The proof that a message was handed over (R-PROOF1): when, to which server, its reply line, what it was.

    `sha256` is of the bytes as they were sent, `kept` those bytes without what opens a case.
    """

    at: datetime
    remote: str
    reply: str
    message_id: str
    subject: str
    sha256: str
    kept: bytes
    template: str

    @classmethod
    def of(cls, message: Message, *, at: datetime, remote: str, reply: str) -> "Handover":
        """A message that the server took."""
        return cls(
            at=at,
            remote=remote,
            reply=reply,
            message_id=message.message_id,
            subject=message.subject,
            sha256=message.sha256,
            kept=message.kept,
            template=message.template,
        )


@dataclass(frozen=True, slots=True)
class Trouble:
    """A try that did not end well: when, how far it came, with which server, and its line or our reason.

    `message` is what was to be sent, where it could be made.
    """

    at: datetime
    phase: SmtpPhase
    reply: str
    remote: str = ""
    message: Message | None = None


class MailError(Exception):
    """A message was not handed over: how far it came, and the server's line or our reason, without an address."""

    def __init__(self, phase: SmtpPhase, reply: str, *, remote: str = "") -> None:
        super().__init__(reply)
        self.phase, self.reply, self.remote = phase, reply, remote


class NotNow(MailError):
    """Nothing was handed over, and trying again later is right."""


class Refused(MailError):
    """The recipient, or this message to the recipient, is refused for good."""


class NotTaken(MailError):
    """The server refuses us for good: the settings need a person."""


class Unsure(MailError):
    """The message has gone out, and no answer came: it may have been taken."""


def post(
    message: Message,
    *,
    begin_sending: Callable[[], None],
    clock: Callable[[], datetime],
    through: Settings | None = None,
) -> Handover:
    """Hand a message over to the mail server of the settings, or to the demo's mailbox; `through` names another.

    `begin_sending` is called when the recipient is accepted, before DATA. Raises NotNow, Refused, NotTaken, Unsure.
    """
    settings = through or get_settings()
    if settings.smtp_host:
        reply = _through_server(message, begin_sending, settings)
    elif settings.movable_clock:
        begin_sending()
        reply = "250 kept in the mailbox"
    else:
        raise NotNow(SmtpPhase.CONNECT, OurReason.NO_SERVER)
    failpoint("after_reply")
    return Handover.of(message, at=clock(), remote=remote_of(settings), reply=reply)


def remote_of(settings: Settings | None = None) -> str:
    """The server that a message goes to, "mail.example:25"."""
    settings = settings or get_settings()
    return f"{settings.smtp_host}:{settings.smtp_port}" if settings.smtp_host else MAILBOX


def smtp_ready(through: Settings | None = None) -> str:
    """Empty when the mail server answers, encrypts as it must, and takes our name and password; else what it said."""
    try:
        _Line(through or get_settings()).hang_up()
    except MailError as error:
        return error.reply
    return ""


def hang_up() -> None:
    """Close the connection that is kept open between messages."""
    while _kept:
        _kept.pop().hang_up()


def _through_server(message: Message, begin_sending: Callable[[], None], settings: Settings) -> str:
    line = _free_line(settings)
    try:
        line.envelope(message)
        failpoint("after_rcpt")
        begin_sending()
        reply = line.data(message.mime)
    except MailError as error:
        error.remote = line.remote
        line.end_after(error)
        raise
    except BaseException:
        line.hang_up()
        raise
    _keep(line)
    return reply


class _Line:
    """A connection to the mail server: encrypted and signed in as the settings demand, or not made at all."""

    def __init__(self, settings: Settings) -> None:
        """Connect. Raises NotNow: until the settings are met nothing is said about any message (F23)."""
        self.settings, self.pid = settings, os.getpid()
        self.remote = remote_of(settings)
        self.idle_since = monotonic()
        self.took = False
        """Whether the last message was taken: then nothing of it is left on the line."""
        self.smtp = _Smtp()
        self.smtp.allow(settings.smtp_timeout)
        phase = SmtpPhase.CONNECT
        try:
            self.smtp.connect_to(settings)
            if settings.smtp_security is SmtpSecurity.STARTTLS:
                phase = SmtpPhase.TLS
                self.smtp.starttls(context=_context(settings))
                self.smtp.ehlo()
            if settings.smtp_user:
                phase = SmtpPhase.LOGIN
                self.smtp.login(settings.smtp_user, settings.smtp_password.get_secret_value())
        except ssl.SSLError as error:
            self._give_up(NotNow(SmtpPhase.TLS, f"{type(error).__name__}: {error.reason}", remote=self.remote), error)
        except (OSError, smtplib.SMTPException) as error:
            self._give_up(NotNow(phase, _said(error), remote=self.remote), error)

    def _give_up(self, error: NotNow, cause: Exception) -> None:
        self.smtp.close()
        raise error from cause

    def envelope(self, message: Message) -> None:
        """From whom, to whom, how large."""
        self.took = False
        options = ["SMTPUTF8"] if message.utf8 else []
        phase = SmtpPhase.SENDER
        if message.utf8 and not self.smtp.has_extn("smtputf8"):
            raise Refused(phase, OurReason.LETTERS)
        if self.smtp.has_extn("size"):
            largest = self.smtp.esmtp_features["size"].strip()
            if largest.isdecimal() and 0 < int(largest) < len(message.mime):
                raise NotTaken(phase, f"{OurReason.TOO_LARGE}: {len(message.mime)} bytes, not {largest}")
            options.append(f"SIZE={len(message.mime)}")
        try:
            code, line = self.smtp.mail(message.sender, options)
            _judge(phase, code, line, for_good=NotTaken)
            phase = SmtpPhase.RECIPIENT
            code, line = self.smtp.rcpt(message.recipient)
            _judge(phase, code, line, for_good=Refused)
        except (OSError, smtplib.SMTPException) as error:
            raise NotNow(phase, _said(error)) from error

    def data(self, mime: bytes) -> str:
        """The message itself; gives the server's answer to the final dot."""
        try:
            code, line = self.smtp.docmd("DATA")
        except (OSError, smtplib.SMTPException) as error:
            raise NotNow(SmtpPhase.DATA, _said(error)) from error
        if code != 354:
            _judge(SmtpPhase.DATA, code, line, for_good=Refused)
        self.smtp.allow(self.settings.smtp_data_timeout)
        try:
            self.smtp.send(re.sub(rb"(?m)^\.", b"..", mime) + b".\r\n")
            failpoint("after_dot")
            code, line = self.smtp.getreply()
        except (OSError, smtplib.SMTPException) as error:
            raise Unsure(SmtpPhase.FINAL_DOT, _said(error)) from error
        _judge(SmtpPhase.FINAL_DOT, code, line, for_good=Refused)
        self.took = True
        return _line(code, line)

    def fresh(self) -> bool:
        """Whether the line can carry another message: the same settings and process, and the server still there."""
        if self.pid != os.getpid():
            self.smtp.close()  # the parent's: say nothing on it
            return False
        idle = monotonic() - self.idle_since
        if self.settings is not get_settings() or idle > _IDLE:
            self.hang_up()
            return False
        self.smtp.allow(self.settings.smtp_timeout)
        if self.took and idle < _JUST_NOW and self.smtp.is_quiet():
            return True
        try:
            if self.smtp.rset()[0] == 250:
                return True
        except (OSError, smtplib.SMTPException):
            pass
        self.smtp.close()
        return False

    def end_after(self, error: MailError) -> None:
        """Keep the line after an answer, end it after silence."""
        if error.reply[:1].isdigit() and not error.reply.startswith("421"):
            _keep(self)
        else:
            self.hang_up()

    def hang_up(self) -> None:
        """Say goodbye, and wait no longer than for anything else."""
        self.smtp.allow(min(2.0, self.settings.smtp_timeout))
        with suppress(OSError, smtplib.SMTPException):
            self.smtp.quit()
        self.smtp.close()


class _Smtp(smtplib.SMTP):
    """Waits for all answers together as long as `allow` says: a server that sends a byte a second is not waited for."""

    until = 0.0

    def allow(self, seconds: float) -> None:
        """Begin to count."""
        self.until = monotonic() + seconds
        if self.sock is not None:
            self.sock.settimeout(seconds)

    def connect_to(self, settings: Settings) -> None:
        """Connect, encrypted from the first byte where the settings say so, and say hello."""
        self._host = settings.smtp_host  # what a certificate must be for
        self.sock = socket.create_connection((settings.smtp_host, settings.smtp_port), settings.smtp_timeout)
        if settings.smtp_security is SmtpSecurity.TLS:
            self.sock = _context(settings).wrap_socket(self.sock, server_hostname=settings.smtp_host)
        code, line = self.getreply()
        if code != 220:
            raise smtplib.SMTPConnectError(code, line)
        self.ehlo_or_helo_if_needed()

    def is_quiet(self) -> bool:
        """Whether the server has neither said anything unasked nor hung up."""
        if self.sock is None:
            return False
        heard = select.poll()
        heard.register(self.sock, select.POLLIN)
        return not heard.poll(0)

    def getreply(self) -> tuple[int, bytes]:
        """The next answer, if it comes in time."""
        if self.file is None:
            self.file = io.BufferedReader(_Patient(self))
        return super().getreply()


class _Patient(io.RawIOBase):
    """What a server says, until its time is up."""

    def __init__(self, smtp: _Smtp) -> None:
        self._smtp = smtp

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left, sock = self._smtp.until - monotonic(), self._smtp.sock
        if left <= 0 or sock is None:
            raise TimeoutError
        sock.settimeout(left)
        return sock.recv_into(buffer)


_kept: list[_Line] = []


def _free_line(settings: Settings) -> _Line:
    """The connection of the last message, else a new one."""
    while _kept and settings is get_settings():
        line = _kept.pop()
        if line.fresh():
            return line
    return _Line(settings)


def _keep(line: _Line) -> None:
    if line.settings is not get_settings():  # the alarms' own server is spoken to seldom
        line.hang_up()
        return
    line.idle_since = monotonic()
    _kept.append(line)


atexit.register(hang_up)


def _context(settings: Settings) -> ssl.SSLContext:
    """Certificates are verified, against the machine's authorities or those of the settings."""
    return ssl.create_default_context(cafile=settings.smtp_ca_file or None)


def _judge(phase: SmtpPhase, code: int, line: bytes, *, for_good: type[MailError]) -> None:
    """2xx is well, 4xx comes again later, anything else never (R-ONCE3)."""
    if 200 <= code <= 299:
        return
    raise (NotNow if 400 <= code <= 499 else for_good)(phase, _line(code, line))


def _line(code: int, line: bytes) -> str:
    return f"{code} {line.decode('ascii', 'replace')}".replace("\n", " ")[:500]


def _said(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        text = error.smtp_error
        return _line(error.smtp_code, text if isinstance(text, bytes) else str(text).encode())
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return OurReason.NOT_OFFERED
    return f"{type(error).__name__}: {OurReason.NO_ANSWER}"

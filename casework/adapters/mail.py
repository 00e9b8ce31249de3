"""Mail: a letter made into a message, and handed over to a mail server. The one place that sends (S-MAIL1).

Until the whole message has gone out, any trouble means "later"; from then until the server's answer nobody knows.
smtplib tells the two apart nowhere: a lost answer and a lost connection look alike [reliability M8].
"""

import hashlib
import re
import smtplib
import ssl
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTPUTF8, EmailPolicy
from email.utils import format_datetime
from uuid import UUID

from casework.adapters.failpoints import failpoint
from casework.settings import Settings, get_settings

MAILBOX = "mailbox"
"""The remote of a message that went to the demo's mailboxes only: the notice itself is the mailbox."""

_ATOM = r"[^\s\x00-\x1f\x7f()<>\[\]:;@\\,.\"]+"
_ADDRESS = re.compile(rf"({_ATOM}(?:\.{_ATOM})*)@([^\s@]+)", re.ASCII)
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})*", re.IGNORECASE)
_MESSAGE_ID = re.compile(r"<[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+>")
_HEADER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}")
_OWN_HEADERS = frozenset(
    "from to cc bcc sender subject date message-id in-reply-to references reply-to mime-version auto-submitted"
    " x-auto-response-suppress content-type content-transfer-encoding".split()
)


class _WholeSubject(EmailPolicy):
    """Encodes a subject as a whole: the library loses the space where it folds between two encoded words."""

    def _fold(self, name: str, value: str, refold_binary: bool = False) -> str:  # noqa: FBT001, FBT002  # its signature
        if name.lower() != "subject" or value.isascii():
            return super()._fold(name, value, refold_binary)  # type: ignore[misc, no-any-return]
        return f"{name}: {Header(value, 'utf-8', header_name=name).encode(linesep=self.linesep)}{self.linesep}"


_ASCII_MAIL = _WholeSubject(linesep="\r\n")


@dataclass(frozen=True, slots=True)
class Letter:
    """What is sent to one person. `subject` is without the case number: the message gets it in brackets.

    `sender` and `to_address` are bare addresses; `references` is the thread's root (`thread_root`).
    """

    sender: str
    to_address: str
    to_name: str
    subject: str
    text: str
    html: str
    message_id: str
    case_number: str
    references: str = ""
    sender_name: str = ""
    reply_to: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Message:
    """A letter as it goes out; `mime` are the bytes between DATA and the final dot."""

    sender: str
    recipient: str
    message_id: str
    mime: bytes
    sha256: str
    utf8: bool


@dataclass(frozen=True, slots=True)
class Handover:
    """The proof that a message was handed over (R-PROOF1): when, to which server, its reply line, what it was."""

    at: datetime
    remote: str
    reply: str
    message_id: str
    sha256: str
    mime: bytes


class MailError(Exception):
    """A message was not handed over; `reply` is the server's line or our reason, without an address."""

    def __init__(self, reply: str) -> None:
        super().__init__(reply)
        self.reply = reply


class NotNow(MailError):
    """Nothing was handed over, and trying again later is right."""


class Refused(MailError):
    """The recipient, or this message to the recipient, is refused for good."""


class NotTaken(MailError):
    """The server refuses us for good: the settings need a person."""


class Unsure(MailError):
    """The message has gone out, and no answer came: it may have been taken."""


def thread_root(case_id: UUID) -> str:
    """The Message-ID that all mails of a case refer to (E2)."""
    return f"<case-{case_id}@{_own_domain()}>"


def message_id(notice_id: UUID) -> str:
    """The Message-ID of a notice: the same at each try, so that a mailbox knows a double (R-ONCE2)."""
    return f"<notice-{notice_id}@{_own_domain()}>"


def build(letter: Letter, date: datetime) -> Message:
    """Make the message: the same letter and date give the same bytes. Raises Refused for an address that is none."""
    recipient, utf8 = _address(letter.to_address)
    sender, _ = _address(letter.sender)
    message = EmailMessage(policy=SMTPUTF8 if utf8 else _ASCII_MAIL)
    message["From"] = _mailbox(letter.sender_name, sender)
    message["To"] = _mailbox(letter.to_name, recipient)
    if letter.reply_to:
        message["Reply-To"] = _mailbox("", _address(letter.reply_to)[0])
    message["Subject"] = _words(f"[{letter.case_number}] {letter.subject}" if letter.case_number else letter.subject)
    message["Date"] = format_datetime(date)
    message["Message-ID"] = _id(letter.message_id)
    if letter.references:
        message["In-Reply-To"] = message["References"] = _id(letter.references)
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    for name, value in letter.headers.items():
        message[_header_name(name)] = _words(value)
    message.set_content(letter.text, cte="quoted-printable")
    message.add_alternative(letter.html, subtype="html", cte="quoted-printable")
    message.set_boundary(f"part-{hashlib.sha256(letter.message_id.encode()).hexdigest()[:32]}")
    mime = message.as_bytes()
    return Message(sender, recipient, letter.message_id, mime, hashlib.sha256(mime).hexdigest(), utf8)


def post(message: Message, *, begin_sending: Callable[[], None], clock: Callable[[], datetime]) -> Handover:
    """Hand a message over to the mail server of the settings, or to the demo's mailbox.

    `begin_sending` is called when the recipient is accepted, before DATA. Raises NotNow, Refused, NotTaken, Unsure.
    """
    settings = get_settings()
    if settings.smtp_host:
        with _connected(settings) as smtp:
            _envelope(smtp, message)
            failpoint("after_rcpt")
            begin_sending()
            remote, reply = f"{settings.smtp_host}:{settings.smtp_port}", _data(smtp, message.mime, settings)
    elif settings.movable_clock:
        begin_sending()
        remote, reply = MAILBOX, "250 kept in the mailbox"
    else:
        raise NotNow("no mail server in the settings (CASEWORK_SMTP_HOST)")
    failpoint("after_reply")
    return Handover(clock(), remote, reply, message.message_id, message.sha256, message.mime)


def smtp_ready() -> str:
    """Empty when the mail server answers and takes our name and password, else what it said."""
    try:
        with _connected(get_settings()):
            return ""
    except MailError as error:
        return error.reply


@contextmanager
def _connected(settings: Settings) -> Iterator[smtplib.SMTP]:
    try:
        smtp = smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=settings.smtp_timeout)
    except (OSError, smtplib.SMTPException) as error:
        raise NotNow(_said(error)) from error
    try:
        try:
            smtp.ehlo_or_helo_if_needed()
            if settings.smtp_starttls:
                smtp.starttls(context=ssl.create_default_context())
                smtp.ehlo()
            if settings.smtp_user:
                smtp.login(settings.smtp_user, settings.smtp_password.get_secret_value())
        except (OSError, smtplib.SMTPException) as error:
            raise NotNow(_said(error)) from error
        yield smtp
    finally:
        with suppress(OSError, smtplib.SMTPException):
            smtp.quit()
        smtp.close()


def _envelope(smtp: smtplib.SMTP, message: Message) -> None:
    if message.utf8 and not smtp.has_extn("smtputf8"):
        raise Refused("the mail server does not take an address with these letters")
    try:
        code, line = smtp.mail(message.sender, ["SMTPUTF8"] if message.utf8 else [])
        _judge(code, line, for_good=NotTaken)
        code, line = smtp.rcpt(message.recipient)
        _judge(code, line, for_good=Refused)
    except (OSError, smtplib.SMTPException) as error:
        raise NotNow(_said(error)) from error


def _data(smtp: smtplib.SMTP, mime: bytes, settings: Settings) -> str:
    try:
        code, line = smtp.docmd("DATA")
    except (OSError, smtplib.SMTPException) as error:
        raise NotNow(_said(error)) from error
    if code != 354:
        _judge(code, line, for_good=Refused)
    assert smtp.sock is not None  # noqa: S101  # it has just answered
    smtp.sock.settimeout(settings.smtp_data_timeout)
    try:
        smtp.send(re.sub(rb"(?m)^\.", b"..", mime) + b".\r\n")
        failpoint("after_dot")
        code, line = smtp.getreply()
    except (OSError, smtplib.SMTPException) as error:
        raise Unsure(_said(error)) from error
    _judge(code, line, for_good=Refused)
    return _line(code, line)


def _judge(code: int, line: bytes, *, for_good: type[MailError]) -> None:
    """2xx is well, 4xx comes again later, anything else never (R-ONCE3)."""
    if 200 <= code <= 299:
        return
    raise (NotNow if 400 <= code <= 499 else for_good)(_line(code, line))


def _line(code: int, line: bytes) -> str:
    return f"{code} {line.decode('ascii', 'replace')}".replace("\n", " ")[:500]


def _said(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        text = error.smtp_error
        return _line(error.smtp_code, text if isinstance(text, bytes) else str(text).encode())
    return f"{type(error).__name__}: no answer from the mail server"


def _words(value: str) -> str:
    """Text in one line: control characters and line ends become spaces, and nothing looks like an encoded word."""
    kept = "".join(" " if unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} else letter for letter in value)
    return " ".join(kept.replace("=?", "= ?").split())


def _address(value: str) -> tuple[str, bool]:
    """(the address with its domain in ASCII, whether it needs SMTPUTF8). Exactly one address, or Refused (S-MAIL2)."""
    found = _ADDRESS.fullmatch(value)
    if found is None or len(value) > 254:
        raise Refused("the address cannot be mailed")
    local, domain = found.groups()
    try:
        ascii_domain = domain.encode("idna").decode()
    except UnicodeError:
        raise Refused("the address cannot be mailed") from None
    if not _DOMAIN.fullmatch(ascii_domain) or len(local.encode()) > 64 or _words(local) != local:
        raise Refused("the address cannot be mailed")
    return f"{local}@{ascii_domain}", not local.isascii()


def _mailbox(name: str, address: str) -> Address:
    local, _, domain = address.rpartition("@")
    return Address(_words(name), local, domain)


def _id(value: str) -> str:
    if not _MESSAGE_ID.fullmatch(value):
        raise ValueError("A Message-ID is <id@domain>.")
    return value


def _header_name(name: str) -> str:
    if not _HEADER_NAME.fullmatch(name) or name.lower() in _OWN_HEADERS:
        raise ValueError("A letter's extra header needs a name of its own.")
    return name


def _own_domain() -> str:
    return get_settings().mail_from.rpartition("@")[2]

"""Mail: a letter made into the bytes of a message, with nothing in its headers but what belongs there (S-MAIL1)."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTPUTF8, EmailPolicy
from email.utils import format_datetime
from uuid import UUID

from casework.domain.delivery import NamedStart
from casework.settings import get_settings

_ATOM = r"[^\s\x00-\x1f\x7f()<>\[\]:;@\\,.\"]+"
_ADDRESS = re.compile(rf"({_ATOM}(?:\.{_ATOM})*)@([^\s@]+)", re.ASCII)
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})*", re.IGNORECASE)
_MESSAGE_ID = re.compile(r"<[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+>")
_STOP = "List-Unsubscribe"
_SOFT_BREAK = b"=\r\n"
_BROKEN_MARK = re.compile(rb"(?:=\r\n)?".join([rb"\{", *[rb"[a-z]"] * 4, rb":", *[rb"[0-9a-f-]"] * 36, rb"\}"]))
_HEADER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}")
_OWN_HEADERS = frozenset(
    "from to cc bcc sender subject date message-id in-reply-to references reply-to mime-version auto-submitted"
    " list-unsubscribe list-unsubscribe-post x-auto-response-suppress content-type content-transfer-encoding".split()
)


class _Whole(EmailPolicy):
    """Leaves in one piece what the library breaks: the space between two encoded words, and a long address."""

    def _fold(self, name: str, value: str, refold_binary: bool = False) -> str:  # noqa: FBT001, FBT002  # its signature
        if name.lower() == _STOP.lower():
            return f"{name}: {value}{self.linesep}"
        if name.lower() != "subject" or value.isascii():
            return super()._fold(name, value, refold_binary)  # type: ignore[misc, no-any-return]
        return f"{name}: {Header(value, 'utf-8', header_name=name).encode(linesep=self.linesep)}{self.linesep}"


_ASCII_MAIL = _Whole(linesep="\r\n", max_line_length=76)
_UTF8_MAIL = SMTPUTF8.clone(max_line_length=76)


@dataclass(frozen=True, slots=True)
class CalendarPart:
    """A calendar file that goes with a letter. It names no link: what stands in it is kept as it is sent."""

    name: str
    content: bytes
    method: str
    """The file's own: it tells or takes back, and asks for no answer."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What is sent to one person. `subject` is without the case number: the message gets it in brackets.

    `sender` and `to_address` are bare addresses; `references` is the thread's root (`thread_root`). The texts name what
    opens a case by `link_mark(id)` and `code_mark(id)`, where the id is one that nobody can have typed into a text;
    `secrets` holds what stands there when it goes out. Bounces go to `return_path`; `template` is the version of the
    words; `starts` must be fixed before it goes; `stop_url` stops such mails with one click (RFC 8058), "" where nobody
    may stop them.
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
    return_path: str = ""
    template: str = ""
    stop_url: str = ""
    secrets: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    calendar: CalendarPart | None = None
    starts: tuple[NamedStart, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """A letter as it goes out: `mime` are the bytes between DATA and the final dot, `sha256` is theirs.

    `kept` is the same without what opens a case (S-LINK3): `filled(kept, secrets)` gives `mime` again. `subject` is the
    whole line, with the case number.
    """

    sender: str
    recipient: str
    subject: str
    message_id: str
    mime: bytes
    kept: bytes
    sha256: str
    template: str
    utf8: bool


class BadAddress(Exception):
    """What the register has is no address that can be mailed: a person must look at it (S-MAIL2)."""


def thread_root(case_id: UUID) -> str:
    """The Message-ID that all mails of a case refer to (E2)."""
    return f"<case-{case_id}@{own_domain()}>"


def message_id(notice_id: UUID) -> str:
    """The Message-ID of a notice: the same at each try, so that a mailbox knows a double (R-ONCE2)."""
    return f"<notice-{notice_id}@{own_domain()}>"


def return_path(notice_id: UUID) -> str:
    """Where a notice's bounces go, to an address of its own (VERP); empty where the settings name no mailbox."""
    local, at, domain = get_settings().mail_return_path.rpartition("@")
    return f"{local}+{notice_id.hex}{at}{domain}" if at else ""


def build(letter: Letter, date: datetime) -> Message:
    """Make the message: the same letter and date give the same bytes. Raises BadAddress."""
    recipient, utf8 = _address(letter.to_address)
    sender, _ = _address(letter.sender)
    message = EmailMessage(policy=_UTF8_MAIL if utf8 else _ASCII_MAIL)
    message["From"] = _mailbox(letter.sender_name, sender)
    message["To"] = _mailbox(letter.to_name, recipient)
    if letter.reply_to:
        message["Reply-To"] = _mailbox("", _address(letter.reply_to)[0])
    subject = _words(f"[{letter.case_number}] {letter.subject}" if letter.case_number else letter.subject)
    message["Subject"] = subject
    message["Date"] = format_datetime(date)
    message["Message-ID"] = _id(letter.message_id)
    if letter.references:
        message["In-Reply-To"] = message["References"] = _id(letter.references)
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    if letter.stop_url:
        message[_STOP] = f"<{letter.stop_url}>"
        message[f"{_STOP}-Post"] = "List-Unsubscribe=One-Click"
    for name, value in letter.headers.items():
        message[_header_name(name)] = _words(value)
    message.set_content(letter.text, cte="quoted-printable")
    message.add_alternative(letter.html, subtype="html", cte="quoted-printable")
    message.set_boundary(_boundary("part", letter))
    if letter.calendar is not None:
        _attach(message, letter.calendar, _boundary("whole", letter))
    kept = _unbroken(message.as_bytes(), letter.secrets)
    mime = filled(kept, letter.secrets)
    return Message(
        sender=_address(letter.return_path)[0] if letter.return_path else sender,
        recipient=recipient,
        subject=subject,
        message_id=letter.message_id,
        mime=mime,
        kept=kept,
        sha256=hashlib.sha256(mime).hexdigest(),
        template=letter.template,
        utf8=utf8,
    )


def _boundary(what: str, letter: Letter) -> str:
    return f"{what}-{hashlib.sha256(letter.message_id.encode()).hexdigest()[:32]}"


def _attach(message: EmailMessage, calendar: CalendarPart, boundary: str) -> None:
    """As iTIP wants it (RFC 6047 2.4): the method stands in the header too."""
    message.add_attachment(
        calendar.content,
        maintype="text",
        subtype="calendar",
        filename=_words(calendar.name),
        params={"method": calendar.method, "charset": "utf-8"},
    )
    message.set_boundary(boundary)


def link_mark(link_id: UUID) -> str:
    """What stands in a letter, and in a kept message, where the token of a mail link stands in what is sent."""
    return f"{{link:{link_id}}}"


def code_mark(link_id: UUID) -> str:
    """The same for the link's code."""
    return f"{{code:{link_id}}}"


def stop_mark(name: UUID) -> str:
    """The same for the address that stops reminders; it stands in a header too."""
    return f"{{stop:{name}}}"


def filled(kept: bytes, secrets: Mapping[str, str]) -> bytes:
    """A kept message with its secrets put back, in the body each on a line of its own: the bytes as they were sent."""
    head, blank, body = kept.partition(b"\r\n\r\n")
    for mark, secret in secrets.items():
        head = head.replace(mark.encode(), secret.encode())
        body = body.replace(mark.encode(), _SOFT_BREAK + secret.encode() + _SOFT_BREAK)
    return head + blank + body


def _unbroken(mime: bytes, marks: Iterable[str]) -> bytes:
    """Each mark in one piece, where the encoding has broken its line."""
    ours = {mark.encode() for mark in marks}

    def whole(found: re.Match[bytes]) -> bytes:
        mark = found[0].replace(_SOFT_BREAK, b"")
        return mark if mark in ours else found[0]

    return _BROKEN_MARK.sub(whole, mime)


def _words(value: str) -> str:
    """Text in one line: control characters and line ends become spaces, and nothing looks like an encoded word."""
    kept = "".join(" " if unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} else letter for letter in value)
    return " ".join(kept.replace("=?", "= ?").split())


def _address(value: str) -> tuple[str, bool]:
    """(the address with its domain in ASCII, whether it needs SMTPUTF8). One address, or BadAddress (S-MAIL2)."""
    found = _ADDRESS.fullmatch(value)
    if found is None or len(value) > 254:
        raise BadAddress
    local, domain = found.groups()
    try:
        ascii_domain = domain.encode("idna").decode()
    except UnicodeError:
        raise BadAddress from None
    if not _DOMAIN.fullmatch(ascii_domain) or len(local.encode()) > 64 or _words(local) != local:
        raise BadAddress
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


def own_domain() -> str:
    """The domain that the federation's mail comes from."""
    return get_settings().mail_from.rpartition("@")[2]

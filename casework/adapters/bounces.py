"""The mailbox to which mail comes back: which notice a report is about, and whether it says that it never arrived.

Only a report by a mail system counts (RFC 3464). A delay is no bounce, and what a person's program or a person
answers is left in the mailbox for a person: nothing is opened or sent because of it (E3).
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from uuid import UUID

LARGEST = 256_000
"""Bytes of a report that are read: what it is about stands first."""

_VERP = re.compile(r"\+([0-9a-f]{32})@")
_NOTICE = re.compile(r"<notice-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@")
_TO = ("Delivered-To", "X-Original-To", "Envelope-To", "To")


@dataclass(frozen=True, slots=True)
class Returned:
    """A notice that did not arrive, and the line of the mail system that could not deliver it."""

    notice_id: UUID
    said: str


class NoMailbox(Exception):
    """The Maildir is not there, or this user may not change it: what came back is seen by nobody."""


def refuse_unusable(maildir: Path) -> None:
    """Raises NoMailbox."""
    if not (maildir / "new").is_dir() or not all(os.access(folder, _USABLE) for folder in (maildir, maildir / "new")):
        raise NoMailbox


_USABLE = os.R_OK | os.W_OK | os.X_OK


def waiting(maildir: Path, most: int) -> Iterator[Path]:
    """The oldest messages that nobody has looked at."""
    folder = maildir / "new"
    yield from sorted(folder.iterdir())[:most] if folder.is_dir() else ()


def put_away(message: Path, *, understood: bool) -> None:
    """Out of the new ones: seen, or marked for a person to look at."""
    seen = message.parent.parent / "cur"
    seen.mkdir(exist_ok=True)
    message.rename(seen / f"{message.name.partition(':')[0]}:2,{'S' if understood else 'F'}")


def read(message: Path) -> Returned | None:
    """What a message says about a notice; None where it is no report of a mail that never arrived."""
    with message.open("rb") as file:
        return understood(file.read(LARGEST))


def understood(raw: bytes) -> Returned | None:
    """The same for the bytes of a message. What is broken says nothing."""
    try:
        report = message_from_bytes(raw, _class=EmailMessage, policy=policy.default)
        said = _failure(report)
        notice_id = _notice(report, raw) if said is not None else None
    except (ValueError, LookupError, TypeError, AttributeError):  # the library's, for what is no message
        return None
    return Returned(notice_id, said) if said is not None and notice_id is not None else None


def _failure(report: EmailMessage) -> str | None:
    """The reason of the first recipient that was given up; None for a delay, a receipt or anything but a report."""
    if report.get_content_type() != "multipart/report":
        return None
    for part in report.walk():
        if part.get_content_type() == "message/delivery-status":
            for about in part.walk():
                if str(about.get("Action", "")).strip().lower() == "failed":
                    why = about.get("Diagnostic-Code") or about.get("Status") or "failed"
                    return " ".join(str(why).removeprefix("smtp;").split())[:500]
    return None


def _notice(report: EmailMessage, raw: bytes) -> UUID | None:
    """By the address that it was sent back to, else by the Message-ID of the mail that it quotes."""
    addresses = " ".join(str(value) for name in _TO for value in report.get_all(name, []))
    if found := _VERP.search(addresses):
        return UUID(found[1])
    named = set(_NOTICE.findall(raw.decode("ascii", "replace")))
    return UUID(named.pop()) if len(named) == 1 else None

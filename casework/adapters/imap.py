"""The mailbox of returned mail on an IMAP server: reports are brought into the Maildir that is read (`bounces`).

A report leaves the folder when its copy here is on disk; a crash in between brings it once more, under the same name.
What is no report stays, flagged, for a person. The server is spoken to outside any unit of work: it may be slow.
"""

import imaplib
import os
import ssl
from contextlib import suppress
from pathlib import Path
from typing import Any

from casework.adapters import bounces
from casework.settings import Settings, get_settings

MOST = 200
"""How many messages are brought in one go."""
PATIENCE = 10.0
"""Seconds that the server has for an answer."""


class MailboxAway(Exception):
    """The server does not answer, is not who it says it is, or does not let us in: tried again at the next sweep."""


def bring_reports() -> int:
    """Bring what has come; gives how many reports. Nothing where the settings name no server. Raises MailboxAway."""
    settings = get_settings()
    if not settings.bounce_imap_host or settings.bounce_mailbox is None:
        return 0
    try:
        with _signed_in(settings) as server:
            return _bring(server, settings, settings.bounce_mailbox)
    except (OSError, imaplib.IMAP4.error) as error:
        raise MailboxAway(type(error).__name__) from error  # its words may repeat a name or a password


def refuse_away() -> None:
    """Sign in and look whether the folder is there. Raises MailboxAway."""
    settings = get_settings()
    try:
        with _signed_in(settings) as server:
            _well(server.select(_quoted(settings.bounce_imap_folder), readonly=True))
    except (OSError, imaplib.IMAP4.error) as error:
        raise MailboxAway(type(error).__name__) from error


def _signed_in(settings: Settings) -> imaplib.IMAP4_SSL:
    server = imaplib.IMAP4_SSL(
        settings.bounce_imap_host,
        settings.bounce_imap_port,
        ssl_context=ssl.create_default_context(cafile=settings.bounce_imap_ca_file or None),
        timeout=PATIENCE,
    )
    try:
        server.login(settings.bounce_imap_user, settings.bounce_imap_password.get_secret_value())
    except BaseException:
        with suppress(OSError, imaplib.IMAP4.error):
            server.logout()
        raise
    return server


def _bring(server: imaplib.IMAP4_SSL, settings: Settings, maildir: Path) -> int:
    done = _quoted(settings.bounce_imap_done)
    server.create(done)  # "NO" where it is there
    _well(server.select(_quoted(settings.bounce_imap_folder)))
    (generation,) = server.response("UIDVALIDITY")[1]
    (found,) = _well(server.uid("SEARCH", "UNFLAGGED", "UNDELETED"))
    brought = 0
    for uid in found.split()[:MOST]:
        raw = _message(server, uid.decode())
        if raw is None:  # another process was faster
            continue
        if bounces.understood(raw) is None:
            _well(server.uid("STORE", uid.decode(), "+FLAGS.SILENT", r"(\Flagged)"))
            continue
        _keep(maildir, f"imap-{generation.decode()}-{uid.decode()}", raw)
        _move(server, uid.decode(), done)
        brought += 1
    return brought


def _message(server: imaplib.IMAP4_SSL, uid: str) -> bytes | None:
    answer = _well(server.uid("FETCH", uid, f"(BODY.PEEK[]<0.{bounces.LARGEST}>)"))
    return next((part[1] for part in answer if isinstance(part, tuple)), None)


def _keep(maildir: Path, name: str, raw: bytes) -> None:
    """As Maildir wants it: whole in "tmp" first, then in "new" under its name."""
    for folder in ("tmp", "new", "cur"):
        (maildir / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    part = maildir / "tmp" / f"{name}.{os.getpid()}"
    with part.open("wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    part.replace(maildir / "new" / name)
    directory = os.open(maildir / "new", os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _move(server: imaplib.IMAP4_SSL, uid: str, done: str) -> None:
    (can,) = _well(server.capability())  # more than before the login
    if b"MOVE" in can.split():
        _well(server.uid("MOVE", uid, done))
        return
    _well(server.uid("COPY", uid, done))
    _well(server.uid("STORE", uid, "+FLAGS.SILENT", r"(\Deleted)"))


def _well(answer: tuple[str, list[Any]]) -> list[Any]:
    said, data = answer
    if said != "OK":
        raise imaplib.IMAP4.error(said)
    return data


def _quoted(folder: str) -> str:
    escaped = folder.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

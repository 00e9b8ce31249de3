"""Bytes of a board file → its text: UTF-8, then the encoding the file names, then cp1252."""

import re
from dataclasses import dataclass

from casework.domain.bridge.notation import Unreadable
from casework.text import UNSEEN, t

MOST_BYTES = 5 * 1024 * 1024
MOST_LINES = 500_000
"""No file of boards comes near it; reading what has more would take seconds."""

_HEAD = 4096
_UNSEEN = re.compile("[" + "".join(map(chr, UNSEEN)) + r"\x00-\x08\x0b-\x1f\x7f]")
"""What a text field drops or refuses, as control characters: the bytes that are kept have it."""
_NAMED = re.compile(rb"""(?:charset\s*=|<\?xml[^>]{0,80}encoding\s*=)\s*["']?([\w.:-]{2,20})""", re.IGNORECASE)
_EIGHT_BIT = re.compile(r"(iso-?8859-?\d{1,2}|latin-?\d|windows-?125\d|cp125\d|us-ascii|ascii)", re.IGNORECASE)
_TWICE = re.compile("[Â-ô][^\x00-\x7f]")
_OTHER_KINDS = {b"%PDF-": "PDF", b"PK\x03\x04": "ZIP", b"\x89PNG": "PNG", b"\xff\xd8\xff": "JPEG", b"GIF8": "GIF"}


@dataclass(frozen=True, slots=True)
class Source:
    """Text with a line feed after each line; `guessed` is the encoding of a file that is not UTF-8 and names none."""

    text: str
    guessed: str = ""

    @property
    def odd_letters(self) -> bool:
        """Whether letters may be other than they were meant."""
        return not self.text.isascii() and (self.guessed != "" or _TWICE.search(self.text) is not None)


def decode(data: bytes) -> Source:
    """The text of a file. Unreadable if it is too large, or no text."""
    if len(data) > MOST_BYTES:
        raise Unreadable(t("The file is larger than {limit} MB.", limit=MOST_BYTES // 1024**2))
    for start, kind in _OTHER_KINDS.items():
        if data.startswith(start):
            raise Unreadable(t("This is a {kind} file, not a file of boards.", kind=kind))
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Source(_plain(data.decode("utf-16", errors="replace")))
    if b"\0" in data:
        raise Unreadable(t("The file is not text: there is a zero byte on line {line}.",
                           line=data.count(b"\n", 0, data.index(b"\0")) + 1))  # fmt: skip
    try:
        return Source(_plain(data.decode("utf-8-sig")))
    except UnicodeDecodeError:
        named = _NAMED.search(data[:_HEAD])
        if named and _EIGHT_BIT.fullmatch(name := named[1].decode("ascii")):
            return Source(_plain(_eight_bit(data, name)))
        return Source(_plain(_eight_bit(data, "cp1252")), guessed="cp1252")


def doubly_encoded(text: str) -> bool:
    """Whether UTF-8 was read as cp1252 and encoded once more, as "intÃ©rÃªt" for "intérêt"."""
    if not _TWICE.search(text):
        return False
    try:
        return len(text.encode("cp1252").decode("utf-8")) < len(text)
    except UnicodeError:
        return False


def _eight_bit(data: bytes, name: str) -> str:
    try:
        return data.decode(name)
    except (UnicodeDecodeError, LookupError):
        return data.decode("latin-1")


def _plain(text: str) -> str:
    text = _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    if text.count("\n") > MOST_LINES:
        raise Unreadable(t("The file has more than {limit} lines.", limit=MOST_LINES))
    if not text.strip():
        raise Unreadable(t("The file is empty."))
    return text

"""Attachments on disk: what may come in, and files under random names outside the package (S-UP).

A file is told by its content, never by its name. It stays byte for byte as the sender made it, and so is only
ever served as a download.
"""

import hashlib
import os
import re
import secrets
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path, PurePath
from typing import BinaryIO

from casework.domain.errors import Invalid, Missing
from casework.settings import get_settings
from casework.text import Text, t

MEGABYTE = 1_000_000
MAX_FILE = 15 * MEGABYTE
"""Bytes a file may have."""
MAX_TOTAL = 60 * MEGABYTE
"""Bytes a party may send in a case."""
MAX_NAME = 120
"""Characters of a shown file name."""
TEMPORARY_AGE = timedelta(hours=1)
"""An upload that has not ended by then never will."""
FIELD = "file"
"""The form field that `Invalid` names."""

_HEAD = 4096
_KEY = re.compile(r"[0-9a-f]{32}")
_TEMPORARY = ".part"
_PNG = b"\x89PNG\r\n\x1a\n"
_MARKUP = re.compile(rb"<(?:!doctype\s+html|html|head|body|script|iframe|svg)", re.IGNORECASE)
_OTHER_TEXT_FORMATS = (b"%!ps", b"{\\rtf", b"#!", b"@echo", b"<?xml", b"<?php")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_MARKER_IN_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_JPEG_END = 0xD9
_JPEG_SCAN = 0xDA

EMPTY = t("The file is empty.")
UNKNOWN = t("This kind of file is not taken. Send a PDF, a JPEG or PNG picture, or plain text.")
BROKEN = t("The file is damaged or not complete. Try to send it once more.")
MIXED = t("The file holds something else than its kind says, so it is not taken. Save it again and send the new file.")
HEIC = t("This is a picture in the format HEIC. Save it as JPEG and send it again.")
OFFICE = t("This is a document or an archive of another program. Save it as PDF and send it again.")
ENCODING = t("The text is in an encoding that is not taken. Save it as UTF-8 and send it again.")

_KNOWN_BUT_NOT_TAKEN: tuple[tuple[re.Pattern[bytes], Text], ...] = (
    (re.compile(rb".{4}ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)", re.DOTALL), HEIC),
    (re.compile(rb"PK\x03\x04|\xd0\xcf\x11\xe0"), OFFICE),
    (re.compile(rb"\xff\xfe|\xfe\xff"), ENCODING),
)


@dataclass(frozen=True, slots=True)
class Stored:
    """A file that has been taken in; `size` in bytes, `sha256` in hex, `display_name` safe to show."""

    key: str
    sha256: str
    size: int
    media_type: str
    display_name: str


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of file: `fault` says what is wrong with the content, `suffixes` which endings it may be shown with."""

    media_type: str
    suffixes: tuple[str, ...]
    fault: Callable[[bytes], Text | None]


def store(stream: BinaryIO, *, filename: str, used: int, boards: bool = False) -> Stored:
    """Take in an upload. `used` is how many bytes the party has in the case already.

    `boards`: its reader has found boards in it, so that it is taken in whatever encoding or markup it has.
    Raises Invalid, with the field `file`, when it is too large or not of a kind that is taken.
    """
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = secrets.token_hex(16)
    temporary = folder / (key + _TEMPORARY)
    try:
        sha256, size = _write(stream, temporary, limit=min(MAX_FILE, max(0, MAX_TOTAL - used)))
        kind = _kind_of(temporary.read_bytes(), boards=boards)
        temporary.rename(folder / key)
        _sync(folder)
    finally:
        temporary.unlink(missing_ok=True)
    return Stored(key, sha256, size, kind.media_type, _display_name(filename, kind))


def open_stored(key: str) -> BinaryIO:
    """Open a stored file for reading. Raises Missing."""
    try:
        return _path(key).open("rb")
    except FileNotFoundError:
        raise Missing from None


def discard(key: str) -> None:
    """Remove a stored file; one that is gone already is no error."""
    _path(key).unlink(missing_ok=True)


def sweep_temporary(now: datetime) -> int:
    """Remove what uploads that never ended have left, and say how many there were."""
    swept = 0
    for path in _folder().glob("*" + _TEMPORARY):
        with suppress(FileNotFoundError):  # one that has just become a stored file
            if path.stat().st_mtime < (now - TEMPORARY_AGE).timestamp():
                path.unlink()
                swept += 1
    return swept


def _folder() -> Path:
    return get_settings().data / "files"


def _path(key: str) -> Path:
    if not _KEY.fullmatch(key):
        raise Missing
    return _folder() / key


def _write(stream: BinaryIO, path: Path, *, limit: int) -> tuple[str, int]:
    digest = hashlib.sha256()
    size = 0
    with path.open("xb") as file:
        while chunk := stream.read(1 << 16):
            size += len(chunk)
            if size > limit:
                raise Invalid({FIELD: _too_large(limit)})
            digest.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest(), size


def _too_large(limit: int) -> Text:
    if limit == MAX_FILE:
        return t("The file is larger than {limit} MB. Make it smaller or divide it.", limit=MAX_FILE // MEGABYTE)
    return t(
        "All your files in the case may be {limit} MB together, and {left} MB of that is left.",
        limit=MAX_TOTAL // MEGABYTE,
        left=limit // MEGABYTE,
    )


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _kind_of(content: bytes, *, boards: bool) -> _Kind:
    """The kind of a file by its content. Raises Invalid with what is wrong."""
    if not content:
        raise Invalid({FIELD: EMPTY})
    if boards:
        if fault := _second_nature(content, _BOARDS):
            raise Invalid({FIELD: fault})
        return _BOARDS
    for sign, reason in _KNOWN_BUT_NOT_TAKEN:
        if sign.match(content):
            raise Invalid({FIELD: reason})
    kind = next((kind for sign, kind in _SIGNS.items() if content.startswith(sign)), _TEXT)
    fault = kind.fault(content) or _second_nature(content, kind)
    if fault:
        raise Invalid({FIELD: fault})
    return kind


def _second_nature(content: bytes, kind: _Kind) -> Text | None:
    """Refuse a file that another program would open as something else (S-UP1).

    Boards are text that a reader has understood, and are never given out as anything that a browser opens: a note may
    hold whatever its writer thought of.
    """
    head = content[:_HEAD]
    other_pdf = kind is not _PDF and b"%PDF-" in head
    markup = kind is not _BOARDS and _MARKUP.search(head)
    return MIXED if other_pdf or markup or zipfile.is_zipfile(BytesIO(content)) else None


def _pdf_fault(content: bytes) -> Text | None:
    ends = b"%%EOF" in content[-1024:] and b"startxref" in content[-2048:]
    return None if ends else BROKEN


def _png_fault(content: bytes) -> Text | None:
    """Walk the chunks to IEND: each whole, and nothing behind the last."""
    at = len(_PNG)
    name = b""
    while name != b"IEND":
        size = int.from_bytes(content[at : at + 4])
        name, end = content[at + 4 : at + 8], at + 12 + size
        checksum = int.from_bytes(content[end - 4 : end])
        if end > len(content) or zlib.crc32(content[at + 4 : end - 4]) != checksum:
            return BROKEN
        if at == len(_PNG) and (
            name != b"IHDR" or not _has_area(content[at + 8 : at + 12], content[at + 12 : at + 16])
        ):
            return BROKEN
        at = end
    return None if at == len(content) else MIXED


def _jpeg_fault(content: bytes) -> Text | None:
    """Walk the segments to the end marker. What stands behind it is let be: telephones put data there."""
    at = 2
    framed = False
    while content[at : at + 1] == b"\xff" and at + 4 <= len(content):
        marker, size = content[at + 1], int.from_bytes(content[at + 2 : at + 4])
        if marker in _JPEG_FRAMES:
            framed = _has_area(content[at + 5 : at + 7], content[at + 7 : at + 9])
        at += 2 + size
        if marker == _JPEG_SCAN:
            next_marker = _JPEG_MARKER_IN_SCAN.search(content, at)
            if next_marker is None:
                return BROKEN
            at = next_marker.end() - 2
            if content[at + 1] == _JPEG_END:
                return None if framed else BROKEN
    return BROKEN


def _has_area(width: bytes, height: bytes) -> bool:
    return any(width) and any(height)


def _text_fault(content: bytes) -> Text | None:
    """Plain text is UTF-8, or cp1252 as old Windows programs write it, without control characters."""
    if b"\x00" in content:
        return UNKNOWN
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        try:
            text = content.decode("cp1252")
        except UnicodeDecodeError:
            return UNKNOWN
    foreign = content.lstrip().lower().startswith(_OTHER_TEXT_FORMATS)
    return UNKNOWN if foreign or _CONTROL.search(text) or not text.strip() else None


def _display_name(filename: str, kind: _Kind) -> str:
    """The sender's name for the file without folders and invisible signs, with an ending that fits the content."""
    last = re.split(r"[/\\]", filename)[-1]
    visible = "".join(sign for sign in unicodedata.normalize("NFC", last) if unicodedata.category(sign)[0] != "C")
    name = PurePath(" ".join(visible.split()).strip(". ") or "-")
    fits = name.suffix.lower() in kind.suffixes
    stem, suffix = (name.stem, name.suffix) if fits else (name.name, kind.suffixes[0])
    return stem[: MAX_NAME - len(suffix)] + suffix


_PDF = _Kind("application/pdf", (".pdf",), _pdf_fault)
_TEXT = _Kind("text/plain", (".txt", ".md", ".csv", ".log", ".pbn", ".lin"), _text_fault)
_BOARDS = _Kind("application/octet-stream", (".txt", ".pbn", ".lin", ".xml"), lambda _: None)
_SIGNS: Mapping[bytes, _Kind] = {
    b"%PDF-": _PDF,
    _PNG: _Kind("image/png", (".png",), _png_fault),
    b"\xff\xd8\xff": _Kind("image/jpeg", (".jpg", ".jpeg"), _jpeg_fault),
}

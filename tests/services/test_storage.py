"""Attachments: told by content, stored under random names (S-UP1, S-UP6)."""

import hashlib
import os
import struct
import zipfile
import zlib
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from casework.adapters import storage
from casework.adapters.storage import MAX_FILE, MAX_TOTAL, Stored
from casework.domain.errors import Invalid, Missing
from casework.settings import get_settings

HEX_32 = 32


@pytest.fixture
def files() -> Path:
    return get_settings().data / "files"


def store(content: bytes, filename: str = "bilaga", used: int = 0) -> Stored:
    return storage.store(BytesIO(content), filename=filename, used=used)


def refusal(content: bytes, filename: str = "bilaga", used: int = 0) -> str:
    with pytest.raises(Invalid) as refused:
        store(content, filename, used)
    return refused.value.fields["file"].msgid


def picture(form: str, **options: object) -> bytes:
    made = BytesIO()
    Image.linear_gradient("L").save(made, form, **options)
    return made.getvalue()


def pdf() -> bytes:
    made = BytesIO()
    with pikepdf.new() as document:
        document.add_blank_page()
        document.save(made)
    return made.getvalue()


def archive() -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        file.writestr("a.txt", "a")
    return made.getvalue()


def png_with(chunk: bytes, data: bytes) -> bytes:
    whole = picture("PNG")
    extra = struct.pack(">I", len(data)) + chunk + data + struct.pack(">I", zlib.crc32(chunk + data))
    return whole[:33] + extra + whole[33:]


TAKEN = {
    "PDF": (pdf(), "application/pdf", ".pdf"),
    "JPEG": (picture("JPEG"), "image/jpeg", ".jpg"),
    "progressive JPEG": (picture("JPEG", progressive=True), "image/jpeg", ".jpg"),
    "JPEG of a telephone": (picture("JPEG") + b"SEFT telephone's own data", "image/jpeg", ".jpg"),
    "PNG": (picture("PNG"), "image/png", ".png"),
    "PNG with a comment": (png_with(b"tEXt", b"Software\x00Sk\xe4rmbild"), "image/png", ".png"),
    "UTF-8": ("Vi är överens om ♠ 7.\r\n".encode(), "text/plain", ".txt"),
    "UTF-8 with its mark": ("\ufeffVi är överens".encode(), "text/plain", ".txt"),
    "cp1252": ("Vi är överens – “nästan”".encode("cp1252"), "text/plain", ".txt"),
    "deal in PBN": (b'[Event "Tavling"]\n[Board "7"]\n3 < 5 and <b>bold</b>', "text/plain", ".txt"),
}

REFUSED = {
    "nothing": (b"", storage.EMPTY),
    "blank": (b" \n \n", storage.UNKNOWN),
    "JPEG with ZIP": (picture("JPEG") + archive(), storage.MIXED),
    "PDF with ZIP": (pdf()[:-6] + archive() + b"startxref\n9\n%%EOF", storage.MIXED),
    "text with ZIP": (b"hello\n" + archive(), storage.UNKNOWN),
    "GIFAR": (picture("GIF") + archive(), storage.UNKNOWN),
    "PDF with HTML": (pdf().replace(b"\n", b"\n%<html><script>alert(1)</script>\n", 1), storage.MIXED),
    "HTML before PDF": (b"<html><!--\n" + pdf(), storage.MIXED),
    "PDF in a picture": (png_with(b"tEXt", b"a\x00%PDF-1.7"), storage.MIXED),
    "PNG with script": (png_with(b"tEXt", b"Comment\x00<script>alert(1)</script>"), storage.MIXED),
    "JPEG with script": (picture("JPEG", comment=b"<script>alert(1)</script>"), storage.MIXED),
    "PNG with a tail": (picture("PNG") + b"tail", storage.MIXED),
    "SVG": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', storage.MIXED),
    "SVG with XML head": (b'<?xml version="1.0"?>\n<svg/>', storage.UNKNOWN),
    "HTML": (b"<!DOCTYPE html><title>Hej</title>", storage.MIXED),
    "HTML after blanks": (b"  \n\n <HTML>", storage.MIXED),
    "EPS": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%EOF\n", storage.UNKNOWN),
    "RTF": (b"{\\rtf1 Hej}", storage.UNKNOWN),
    "script": (b"#!/bin/sh\nid\n", storage.UNKNOWN),
    "program": (b"MZ\x90\x00\x03\x00\x00\x00", storage.UNKNOWN),
    "Linux program": (b"\x7fELF\x02\x01\x01\x00", storage.UNKNOWN),
    "film": (b"\x00\x00\x00\x18ftypisom\x00\x00\x02\x00", storage.UNKNOWN),
    "TIFF": (picture("TIFF"), storage.UNKNOWN),
    "WebP": (picture("WEBP"), storage.UNKNOWN),
    "HEIC": (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00", storage.HEIC),
    "ZIP": (archive(), storage.OFFICE),
    "old Word": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", storage.OFFICE),
    "UTF-16": ("Hej".encode("utf-16"), storage.ENCODING),
    "control characters": (b"Hej \x1b[31m", storage.UNKNOWN),
    "no encoding": (b"Hej \x81\x8d", storage.UNKNOWN),
    "JPEG head": (b"\xff\xd8\xff", storage.BROKEN),
    "JPEG without picture": (b"\xff\xd8\xff\xe0\x00\x04ab\xff\xda\x00\x02\xff\xd9", storage.BROKEN),
    "JPEG of bare fill": (b"\xff\xd8\xff\xda\x00\x02" + b"\xff" * 2_000_000, storage.BROKEN),
    "half a JPEG": (picture("JPEG")[:600], storage.BROKEN),
    "PNG head": (picture("PNG")[:8], storage.BROKEN),
    "half a PNG": (picture("PNG")[:-12], storage.BROKEN),
    "PNG with wrong checksum": (picture("PNG").replace(b"IDAT", b"IDAX", 1), storage.BROKEN),
    "PNG without area": (picture("PNG")[:16] + bytes(8) + picture("PNG")[24:], storage.BROKEN),
    "PDF head": (b"%PDF-1.7\n", storage.BROKEN),
    "half a PDF": (pdf()[:-20], storage.BROKEN),
}


@pytest.mark.parametrize("name", TAKEN)
def test_a_file_of_a_taken_kind_comes_back_as_it_was(name: str) -> None:
    content, media_type, suffix = TAKEN[name]
    stored = store(content)
    with storage.open_stored(stored.key) as file:
        assert file.read() == content
    assert stored.media_type == media_type
    assert stored.display_name == "bilaga" + suffix
    assert (stored.size, stored.sha256) == (len(content), hashlib.sha256(content).hexdigest())


@pytest.mark.parametrize("name", REFUSED)
def test_other_content_is_refused_with_its_reason(name: str, files: Path) -> None:
    """S-UP1, under the most innocent name: the name decides nothing."""
    content, reason = REFUSED[name]
    assert refusal(content, "foto.jpg") == reason.msgid
    assert list(files.iterdir()) == []


def test_the_name_on_disk_is_random_and_in_the_data_folder(files: Path) -> None:
    first, second = store(b"samma"), store(b"samma")
    assert first.key != second.key
    assert {path.name for path in files.iterdir()} == {first.key, second.key}
    assert len(first.key) == HEX_32


def test_a_file_may_be_as_large_as_the_limit_and_no_larger(files: Path) -> None:
    assert store(b"a" * MAX_FILE).size == MAX_FILE
    assert "larger than" in refusal(b"a" * (MAX_FILE + 1))
    assert len(list(files.iterdir())) == 1


def test_what_the_party_has_sent_before_counts() -> None:
    assert store(b"a" * 10, used=MAX_TOTAL - 10).size == 10
    assert "All your files" in refusal(b"a" * 11, used=MAX_TOTAL - 10)
    assert "All your files" in refusal(b"a", used=MAX_TOTAL + 1)


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("Protokoll bord 7.txt", "Protokoll bord 7.txt"),
        ("../../etc/passwd", "passwd.txt"),
        (r"C:\Users\Eva\spel.TXT", "spel.TXT"),
        ("spel.pbn", "spel.pbn"),
        ("foto.jpg", "foto.jpg.txt"),
        ("kör.exe", "kör.exe.txt"),
        ("a\x00b\r\n.txt", "ab.txt"),
        ("foto\u202etxt.exe", "fototxt.exe.txt"),
        ("  många   mellanslag .txt", "många mellanslag .txt"),
        ("a\u030ao\u0308.txt", "åö.txt"),
        (".txt", "txt.txt"),
        ("..", "-.txt"),
        ("", "-.txt"),
        ("x" * 300 + ".txt", "x" * 116 + ".txt"),
        ("x" * 300, "x" * 116 + ".txt"),
    ],
)
def test_the_shown_name_is_clean_and_fits_the_content(sent: str, shown: str) -> None:
    assert store(b"Hej", sent).display_name == shown


def test_a_discarded_file_is_gone_and_may_be_discarded_again() -> None:
    stored = store(b"Hej")
    storage.discard(stored.key)
    storage.discard(stored.key)
    with pytest.raises(Missing):
        storage.open_stored(stored.key)


@pytest.mark.parametrize("key", ["", "../casework.sqlite3", "a" * 31, "A" * 32, "a" * 32 + "\n"])
def test_a_key_is_never_a_path(key: str) -> None:
    with pytest.raises(Missing):
        storage.open_stored(key)
    with pytest.raises(Missing):
        storage.discard(key)


def test_the_sweep_takes_old_uploads_that_never_ended_and_nothing_else(files: Path) -> None:
    """S-UP6: a crash leaves only a temporary file, and that not for long."""
    now = datetime(2026, 12, 7, 12, tzinfo=UTC)
    kept = store(b"Hej")
    old, young = files / ("a" * 32 + ".part"), files / ("b" * 32 + ".part")
    for path, age in ((files / kept.key, 90), (old, 61), (young, 59)):
        path.touch()
        moment = (now - timedelta(minutes=age)).timestamp()
        os.utime(path, (moment, moment))
    assert storage.sweep_temporary(now) == 1
    assert {path.name for path in files.iterdir()} == {kept.key, young.name}


def test_an_upload_that_breaks_off_leaves_nothing(files: Path) -> None:
    class BreaksOff(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell():
                raise ConnectionResetError
            return super().read(10)

    with pytest.raises(ConnectionResetError):
        storage.store(BreaksOff(b"a" * 20), filename="a.txt", used=0)
    assert list(files.iterdir()) == []

"""Encodings, and files that are no text."""

import pytest

from casework.domain.bridge.files.source import MOST_BYTES, decode, doubly_encoded
from casework.domain.bridge.notation import Unreadable

NAME = "Åsa Örnköld"


@pytest.mark.parametrize(
    ("data", "guessed"),
    [
        (NAME.encode(), ""),
        (b"\xef\xbb\xbf" + NAME.encode(), ""),
        (NAME.encode("utf-16"), ""),
        (NAME.encode("cp1252"), "cp1252"),
        (b"%Content-type: text/x-pbn; charset=ISO-8859-1\n" + NAME.encode("latin-1"), ""),
        (b'<?xml version="1.0" encoding="iso-8859-1"?>\n' + NAME.encode("latin-1"), ""),
        (b"% charset=Klingon\n" + NAME.encode("cp1252"), "cp1252"),
    ],
)
def test_the_encoding_is_found_or_guessed(data: bytes, guessed: str) -> None:
    """UTF-8, then what the file says, then cp1252; a guess is said."""
    source = decode(data)
    assert source.text.endswith(NAME)
    assert source.guessed == guessed


def test_a_charset_line_counts_only_where_it_is_needed() -> None:
    """UTF-8 that calls itself ISO-8859-1 is UTF-8."""
    assert decode(b"% charset=ISO-8859-1\n" + NAME.encode()).text.endswith(NAME)


def test_bytes_that_cp1252_does_not_know_are_kept() -> None:
    assert decode(b"a\x81\xe5").text == "a\x81å"


@pytest.mark.parametrize(
    ("data", "msgid"),
    [
        (b"", "The file is empty."),
        (b" \r\n\n", "The file is empty."),
        (b'[Board "1"]\n\0\0', "The file is not text: there is a zero byte on line {line}."),
        (b"%PDF-1.7\n", "This is a {kind} file, not a file of boards."),
        (b"PK\x03\x04zip", "This is a {kind} file, not a file of boards."),
        (b"x" * (MOST_BYTES + 1), "The file is larger than {limit} MB."),
        (b"\n" * 500_001, "The file has more than {limit} lines."),
    ],
)  # fmt: skip
def test_what_is_no_text_is_refused(data: bytes, msgid: str) -> None:
    with pytest.raises(Unreadable) as refused:
        decode(data)
    assert refused.value.reason.msgid == msgid


def test_lines_end_in_every_way() -> None:
    assert decode(b"a\r\nb\rc\n").text == "a\nb\nc\n"


@pytest.mark.parametrize(
    ("text", "twice"), [("intÃ©rÃªt", True), ("intérêt", False), ("Åström", False), ("plain", False), ("ÄÖ", False)]
)
def test_text_that_was_encoded_twice(text: str, *, twice: bool) -> None:
    assert doubly_encoded(text) is twice

"""A board file of any kind → its boards."""

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager

from casework.domain.bridge.files.lin import is_lin, read_lin
from casework.domain.bridge.files.pbn import read_pbn
from casework.domain.bridge.files.record import BoardFile, Wanted
from casework.domain.bridge.files.source import decode
from casework.domain.bridge.files.usebio import read_usebio
from casework.domain.bridge.notation import Unreadable
from casework.text import t

_HEAD = 100_000
_TAG = re.compile(r"^[ \t]*\[[ \t]*\w+[ \t]*\"", re.MULTILINE)


def read_file(data: bytes, wanted: Wanted | None = None) -> BoardFile:
    """PBN, LIN or USEBIO, told apart by what is in it, not by a name; of many games what is `wanted`.

    Unreadable says why the file as a whole is refused; a game that is refused is in the result and stops no other.
    """
    with _uncollected():
        return _read(data, wanted)


@contextmanager
def _uncollected() -> Iterator[None]:
    """No sweep for rubbish in the middle of a file: what is read is all kept, and each sweep goes through all of it.

    They cost a quarter of the time. A file is bounded, and so is what waits for the next sweep. What has been read
    counts as old at once (frozen and thawed), else the first sweep after it goes through all of it after all.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _read(data: bytes, wanted: Wanted | None) -> BoardFile:
    source = decode(data)
    start = source.text[:_HEAD]
    if start.lstrip()[:1] == "<":
        return read_usebio(source)
    if _TAG.search(start):
        return read_pbn(source, wanted)
    if is_lin(start):
        return read_lin(source, wanted)
    raise Unreadable(t("Line {line}: this is no file of boards. PBN, LIN and USEBIO can be read.", line=1))

"""A board file of any kind → its boards."""

import re

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
    source = decode(data)
    start = source.text[:_HEAD]
    if start.lstrip()[:1] == "<":
        return read_usebio(source)
    if _TAG.search(start):
        return read_pbn(source, wanted)
    if is_lin(start):
        return read_lin(source, wanted)
    raise Unreadable(t("Line {line}: this is no file of boards. PBN, LIN and USEBIO can be read.", line=1))

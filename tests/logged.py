"""Reading the log as a machine reads it."""

import io
import json
import logging
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from casework import logs

Line = dict[str, Any]


@contextmanager
def logged(program: str = "test") -> Iterator[list[Line]]:
    """What this process logs within the block; filled when it ends."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream, said = io.StringIO(), list[Line]()
    hook = sys.excepthook
    logs.set_up(program, stream)
    try:
        yield said
    finally:
        logging.captureWarnings(capture=False)
        sys.excepthook = hook
        root.handlers[:] = handlers
        root.setLevel(level)
        for name in logs.OURS:
            logging.getLogger(name).setLevel(logging.NOTSET)
        said += read(stream.getvalue())


def read(text: str) -> list[Line]:
    """The lines of a log. One that is no JSON object fails."""
    lines = [json.loads(line) for line in text.splitlines()]
    assert all(isinstance(line, dict) for line in lines)
    return lines


def text_of(lines: Iterable[Line]) -> str:
    """All of it with letters as people write them."""
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)

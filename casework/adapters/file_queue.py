"""kombu's queue in a folder, made safe for readers and writers at once.

kombu opens a message's file before it writes it, and a worker that reads in between dies of an empty message. Here a
message gets its name when it is whole, and the reader who renames it first has it.
"""

import json
import os
from contextlib import suppress
from pathlib import Path
from queue import Empty
from time import monotonic_ns
from typing import Any
from uuid import uuid4

from kombu.transport import filesystem

_WRITING, _READING = ".part", ".taken"


class Channel(filesystem.Channel):
    """One folder, a file for each message."""

    def _put(self, queue: str, payload: Any, **_: Any) -> None:  # type: ignore[override]  # kombu names it twice
        whole = self._folder / f"{monotonic_ns():020}_{uuid4()}.{queue}.msg"
        part = whole.with_name(whole.name + _WRITING)
        part.write_text(json.dumps(payload))
        part.replace(whole)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for name in sorted(os.listdir(self._folder)):  # noqa: PTH208  # names are all that is looked at
            if name.partition(".")[2] != f"{queue}.msg":
                continue
            taken = self._folder / (name + _READING)
            with suppress(FileNotFoundError):  # another reader was faster
                (self._folder / name).rename(taken)
                payload = json.loads(taken.read_text())
                taken.unlink()
                return payload
        raise Empty

    @property
    def _folder(self) -> Path:
        return Path(self.data_folder_in)


class Transport(filesystem.Transport):
    """What `broker_transport` names."""

    Channel = Channel

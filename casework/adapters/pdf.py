"""Making PDFs: the caller's side of the renderer process in `pdf_renderer`.

WeasyPrint lives in a process of its own: a document that hangs, crashes or eats memory costs that document only.
The two talk over a socket, one order and one answer at a time, each with its length in front.
"""

import atexit
import base64
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Self

from casework.domain.errors import CaseworkError
from casework.paths import TEMPLATES
from casework.text import Text, t

SECONDS = 60.0
"""Wall clock a document may take."""
MEMORY = 1_500_000_000
"""Address space in bytes a document may take."""
GRACE = 5.0
"""Seconds after which a renderer that does not even report is killed with all its children."""

RENDERER = "casework.adapters.pdf_renderer"
MADE = b"+"
NOT_MADE = b"-"

_KEPT_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "VIRTUAL_ENV", "PYTHONPATH")
_PACKAGE = Path(__file__).resolve().parent.parent
_TEMPLATES = TEMPLATES / "pdf"
_ASSETS: Mapping[str, tuple[Path, frozenset[str]]] = {
    "fonts": (_PACKAGE / "static" / "fonts", frozenset({".woff2", ".woff", ".ttf", ".otf"})),
    "css": (_TEMPLATES, frozenset({".css"})),
}
_ASSET_URL = re.compile(r"asset:([\w./-]+)")


class Failure(StrEnum):
    """Why there is no PDF."""

    TOO_LONG = "too long"
    TOO_BIG = "too big"
    TOO_DEEP = "too deep"
    BROKEN = "broken"
    NO_RENDERER = "no renderer"


REASONS: Mapping[Failure, Text] = {
    Failure.TOO_LONG: t("The PDF was not made: it took too long."),
    Failure.TOO_BIG: t("The PDF was not made: it needed too much memory."),
    Failure.TOO_DEEP: t("The PDF was not made: the document has too many levels inside each other."),
    Failure.BROKEN: t("The PDF was not made: the document could not be laid out."),
    Failure.NO_RENDERER: t("The PDF was not made: the program that makes PDFs does not start."),
}


class PdfFailed(CaseworkError):
    """No PDF came out; the case is untouched and the PDF can be ordered again.

    `detail` is for the log: the name of the exception or signal, never words of the document.
    """

    status = 503

    def __init__(self, failure: Failure, detail: str = "") -> None:
        super().__init__(REASONS[failure])
        self.failure = failure
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Order:
    """What the renderer needs for one document; `created` is ISO 8601 in UTC, `attachments` are base64."""

    html: str
    title: str
    language: str
    created: str
    attachments: dict[str, str] = field(default_factory=dict)
    seconds: float = SECONDS
    memory: int = MEMORY

    def to_bytes(self) -> bytes:
        """The form that goes through the socket."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, sent: bytes) -> Self:
        """Read back what `to_bytes` gave."""
        return cls(**json.loads(sent))


@dataclass(frozen=True, slots=True)
class _Running:
    """A renderer process, our end of its socket and its folder for temporary files."""

    process: subprocess.Popen[bytes]
    channel: socket.socket
    scratch: str


class Renderer:
    """One renderer process, started at the first document and again whenever it has died.

    Safe after a fork: the child process forgets its parent's renderer and starts its own. Threads wait in line.
    """

    def __init__(self, *, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self.seconds = seconds
        self.memory = memory
        self._owner = os.getpid()
        self._turn = threading.Lock()
        self._running: _Running | None = None

    @property
    def pid(self) -> int | None:
        """Process id of the renderer, None while there is none."""
        return self._running.process.pid if self._running else None

    def answer(self, order: bytes) -> bytes:
        """Send an order, return the PDF. Raises PdfFailed."""
        self._forget_after_fork()
        with self._turn:
            for _attempt in range(2):  # the first may find that the renderer has died since the last document
                try:
                    answer = self._ask(order)
                except TimeoutError:
                    self._stop()
                    raise PdfFailed(Failure.TOO_LONG) from None
                except (EOFError, ConnectionError):
                    self._stop()
                else:
                    return _opened(answer)
        raise PdfFailed(Failure.NO_RENDERER)

    def close(self) -> None:
        """Stop the renderer; the next document starts a new one."""
        self._forget_after_fork()
        with self._turn:
            self._stop()

    def _ask(self, order: bytes) -> bytes:
        self._running = self._running or _start()
        channel = self._running.channel
        channel.settimeout(self.seconds + GRACE)
        send(channel, order)
        answer = receive(channel)
        if answer is None:
            raise EOFError
        return answer

    def _stop(self) -> None:
        if self._running:
            self._running.channel.close()
            # Not polled before: until wait() the process id, and so the group, cannot be anybody else's.
            os.killpg(self._running.process.pid, signal.SIGKILL)
            self._running.process.wait()
            shutil.rmtree(self._running.scratch, ignore_errors=True)
        self._running = None

    def _forget_after_fork(self) -> None:
        if self._owner == os.getpid():
            return
        if self._running:
            self._running.channel.close()
            self._running.process.returncode = 0  # the parent's child: not ours to wait for
        self._running = None
        self._turn = threading.Lock()
        self._owner = os.getpid()


_shared = Renderer()
atexit.register(_shared.close)


def render_pdf(
    html: str,
    *,
    title: str,
    language: str,
    created: datetime,
    attachments: Mapping[str, bytes] = MappingProxyType({}),
    renderer: Renderer | None = None,
) -> bytes:
    """Turn a whole HTML document into a PDF that is both PDF/A-3a and PDF/UA-1.

    The same arguments give the same bytes. `created` is an aware instant that stands in the document and on its
    attachments (name → content). Raises PdfFailed.
    """
    renderer = renderer or _shared
    order = Order(
        html=html,
        title=title,
        language=language,
        created=created.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        attachments={name: base64.b64encode(content).decode() for name, content in sorted(attachments.items())},
        seconds=renderer.seconds,
        memory=renderer.memory,
    )
    return renderer.answer(order.to_bytes())


def find_asset(name: str) -> Path | None:
    """The file behind `asset:<folder>/<file>`, or None where there is none that a document may use."""
    folder, _, file = name.partition("/")
    if folder not in _ASSETS:
        return None
    root, suffixes = _ASSETS[folder]
    path = (root / file).resolve()
    inside = path.is_relative_to(root) and path.suffix in suffixes
    return path if inside and path.is_file() else None


def pdf_ready() -> list[Text]:
    """What stands in the way of good PDFs on this machine, for `casework doctor`; empty when all is well."""
    return [*_missing_libraries(), *_missing_assets()]


def send(channel: socket.socket, message: bytes) -> None:
    """Send one message with its length in front."""
    channel.sendall(len(message).to_bytes(8) + message)


def receive(channel: socket.socket) -> bytes | None:
    """Receive one message; None when the other side has gone. Raises EOFError in the middle of a message."""
    length = _read(channel, 8)
    return _read(channel, int.from_bytes(length)) if length else None


def _start() -> _Running:
    scratch = tempfile.mkdtemp(prefix="casework-pdf-")
    kept = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", RENDERER],
            stdin=theirs.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,  # WeasyPrint's complaints quote the document
            env=kept | {"TMPDIR": scratch},
            start_new_session=True,
        )
    return _Running(process, ours, scratch)


def _read(channel: socket.socket, size: int) -> bytes:
    received = bytearray()
    while len(received) < size:
        chunk = channel.recv(min(size - len(received), 1 << 20))
        if not chunk and received:
            raise EOFError
        if not chunk:
            break
        received += chunk
    return bytes(received)


def _opened(answer: bytes) -> bytes:
    if answer.startswith(MADE):
        return answer[len(MADE) :]
    failure, _, detail = answer[len(NOT_MADE) :].decode().partition(":")
    raise PdfFailed(Failure(failure), detail)


def _missing_libraries() -> list[Text]:
    probe = "from weasyprint.text.ffi import harfbuzz_subset; print(harfbuzz_subset is not None)"
    found = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    if found.returncode:
        library = found.stderr.strip().rpartition("\n")[2]
        return [t("PDFs cannot be made: WeasyPrint does not start ({error}).", error=library)]
    if found.stdout.strip() != "True":
        return [t("PDFs are made at half the speed: the library harfbuzz-subset is missing.")]
    return []


def _missing_assets() -> list[Text]:
    sources = [path for path in _TEMPLATES.rglob("*") if path.suffix in {".css", ".html"}]
    wanted = {name for path in sources for name in _ASSET_URL.findall(path.read_text(encoding="utf-8"))}
    missing = sorted(name for name in wanted if find_asset(name) is None)
    return [t("A file that the PDFs use is missing: {name}.", name=name) for name in missing]

"""A mail server for tests: it keeps what it takes, and can be told to refuse, or be stopped."""

import asyncio
import contextlib
import shutil
import socket
import ssl
import subprocess
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Self, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session, TLSSetupException

from tests import support


@dataclass(frozen=True, slots=True)
class Received:
    """One message as it came: the envelope's addresses, the parsed message and its bytes."""

    sender: str
    recipients: tuple[str, ...]
    message: EmailMessage
    content: bytes

    @property
    def subject(self) -> str:
        """The subject line, decoded."""
        return str(self.message["Subject"])

    @property
    def text(self) -> str:
        """The plain text part, with plain line ends."""
        part = self.message.get_body(("plain",))
        return "" if part is None else str(part.get_content()).replace("\r\n", "\n")


class _Server(SMTP):
    """One line. aiosmtpd stops without closing the lines that are open; each keeps its own in `lines`."""

    def __init__(self, lines: set[asyncio.BaseTransport], *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.lines = lines

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Also what TLS makes of a line comes here."""
        self.lines.add(transport)
        super().connection_made(transport)

    async def smtp_STARTTLS(self, arg: str) -> None:  # noqa: N802  # aiosmtpd's name
        """Close the line of who breaks off the handshake; aiosmtpd leaves it open."""
        try:
            await super().smtp_STARTTLS(arg)
        except TLSSetupException:
            if self._original_transport is not None:
                self._original_transport.close()
            raise


class _Controller(Controller):
    lines: set[asyncio.BaseTransport]

    def factory(self) -> SMTP:
        """A server for one line."""
        return _Server(self.lines, self.handler, **self.SMTP_kwargs)

    def close_lines(self) -> None:
        """A line that nobody closed warns when it is swept up, in whatever test that happens."""
        for line in self.lines:
            cast("asyncio.Transport", line).abort()


class SmtpSink:
    """Listens on 127.0.0.1 while the `with` block lasts; `messages` is what it took.

    `answer("a@b.example", "451 4.3.0 Later", times=2)` refuses a recipient twice, `answer_data("554 5.7.1 No")`
    refuses the next message after its final dot. `before_rcpt` and `before_reply` are done before it answers a
    recipient, and the final dot. `stop()` and `start()` keep the port.
    """

    def __init__(self, **server: Any) -> None:
        """Choose a free port. `server` are aiosmtpd's own: `tls_context`, `authenticator`, `data_size_limit` …"""
        self._server = server
        self.greetings = 0
        self.host = "127.0.0.1"
        with socket.socket() as probe:
            probe.bind((self.host, 0))
            self.port: int = probe.getsockname()[1]
        self.messages: list[Received] = []
        self.before_rcpt: Callable[[], object] = nothing
        self.before_reply: Callable[[], object] = nothing
        self._arrived = threading.Condition()
        self._answers: dict[str, deque[str]] = defaultdict(deque)
        self._data_answers: deque[str] = deque()
        self._waits: dict[str, float] = {}
        self._controller: _Controller | None = None

    def __enter__(self) -> Self:
        """Listen."""
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop listening."""
        self.stop()

    def start(self) -> None:
        """Listen, on the same port as before."""
        if self._controller is None:
            self._controller = _Controller(
                self, hostname=self.host, port=self.port, enable_SMTPUTF8=True, **self._server
            )
            self._controller.lines = set()
            self._controller.start()

    def stop(self) -> None:
        """Be a server that is down."""
        if self._controller is not None:
            self._controller.loop.call_soon_threadsafe(self._controller.close_lines)
            self._controller.stop()
            self._controller = None

    def answer(self, address: str, line: str, *, times: int = 1) -> None:
        """Refuse a recipient the next times, with a 4xx or 5xx line."""
        self._answers[address.lower()].extend([line] * times)

    def wait_with(self, address: str, seconds: float) -> None:
        """Let who names this recipient wait so long for every answer; 0 ends it."""
        self._waits[address.lower()] = seconds

    def answer_data(self, line: str, *, times: int = 1) -> None:
        """Refuse the next messages after their final dot."""
        self._data_answers.extend([line] * times)

    def to(self, address: str) -> list[Received]:
        """The messages to one address, oldest first."""
        return [message for message in self.messages if address in message.recipients]

    def wait(self, count: int = 1, *, seconds: float = 20.0) -> list[Received]:
        """All messages, as soon as there are `count` of them; fails when they do not come in time."""
        with self._arrived:
            came = self._arrived.wait_for(lambda: len(self.messages) >= count, seconds)
        assert came, f"{len(self.messages)} of {count} messages came in {seconds} s"
        return list(self.messages)

    async def handle_EHLO(  # noqa: N802  # aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        """Count who says hello: once on each connection, and again when it is encrypted."""
        session.host_name = hostname
        self.greetings += 1
        return responses

    async def handle_RCPT(  # noqa: N802  # aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a recipient, or give the answer that waits for it."""
        self.before_rcpt()
        await asyncio.sleep(self._waits.get(address.lower(), 0))
        with contextlib.suppress(IndexError):
            return self._answers[address.lower()].popleft()
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep a message, or give the answer that waits for it."""
        self.before_reply()
        with contextlib.suppress(IndexError):
            return self._data_answers.popleft()
        content = cast("bytes", envelope.original_content)
        message = cast("Any", message_from_bytes(content, policy=policy.default))
        with self._arrived:
            self.messages.append(Received(str(envelope.mail_from), tuple(envelope.rcpt_tos), message, content))
            self._arrived.notify_all()
        return "250 OK"


def nothing() -> None:
    """What a server does before it answers, if nobody says anything else."""


def make_certificate(folder: Path) -> ssl.SSLContext:
    """A key and a certificate for this machine, `cert.pem`, which only who is told trusts; gives the server's side."""
    support.need("openssl", reachable=shutil.which("openssl") is not None)
    request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run(["openssl", *request.split(), *names, *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context

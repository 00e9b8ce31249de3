"""A way through this machine that can be cut, clogged, slowed or broken: what stands before a server in a fault."""

import socket
import struct
import threading
from contextlib import suppress
from enum import StrEnum
from typing import Self

_RESET = struct.pack("ii", 1, 0)  # SO_LINGER with no time: close sends RST
_STEP = 0.02


class Mode(StrEnum):
    """What happens to a connection."""

    PASS = "pass"
    REFUSE = "refuse"
    """Nothing listens, and what was connected is reset: a server that is down."""
    BLACKHOLE = "blackhole"
    """Connections are taken, and no byte goes through: a machine that hangs, a firewall that drops."""
    SLOW = "slow"
    """What the server says comes a byte a second."""
    RESET = "reset"
    """After `after` bytes from the server the connection is reset."""


class Proxy:
    """Listens on a port of its own and passes on to `port` of this machine while the `with` block lasts."""

    def __init__(self, port: int) -> None:
        self.target, self.mode, self.pace = port, Mode.PASS, 1.0
        self._after = 0
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener: socket.socket | None = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        self._spawn(self._accept, self._listener)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._hang_up()
        for thread in self._threads:
            thread.join()

    def behave(self, mode: Mode, *, after: int = 0) -> None:
        """From now on. A mode that passes again lets new connections in and old ones go on."""
        self._after = after
        self.mode = mode
        if mode is Mode.REFUSE:
            self._hang_up()
        elif self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            self._spawn(self._accept, self._listener)

    def _spawn(self, target: object, *arguments: object) -> None:
        thread = threading.Thread(target=target, args=arguments)  # type: ignore[arg-type]  # all are methods
        self._threads.append(thread)
        thread.start()

    def _hang_up(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)  # wakes who accepts
            listener.close()
        with self._lock:
            for connection in self._open:
                _reset(connection)

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target), timeout=5)
            except OSError:
                _reset(client)
                client.close()
                continue
            with self._lock:
                self._open |= {client, server}
            self._spawn(self._carry, client, server)

    def _carry(self, client: socket.socket, server: socket.socket) -> None:
        """Both directions, until one of them ends."""
        back = threading.Thread(target=self._pump, args=(server, client, True))
        back.start()
        self._pump(client, server, False)  # the direction
        back.join()
        with self._lock:
            self._open -= {client, server}
        client.close()
        server.close()

    def _pump(self, source: socket.socket, sink: socket.socket, from_server: bool) -> None:  # noqa: FBT001  # a thread passes it by place
        passed = 0
        with suppress(OSError):
            while data := source.recv(1 << 14):
                while self.mode is Mode.BLACKHOLE and not self._stop.wait(_STEP):
                    pass
                if from_server and self.mode is Mode.RESET and passed + len(data) > self._after:
                    sink.sendall(data[: max(0, self._after - passed)])
                    break
                if from_server and self.mode is Mode.SLOW:
                    self._drip(sink, data)
                else:
                    sink.sendall(data)
                passed += len(data)
        for end in (source, sink):
            _reset(end) if self.mode in {Mode.RESET, Mode.REFUSE} else _end(end)

    def _drip(self, sink: socket.socket, data: bytes) -> None:
        for at in range(len(data)):
            if self.mode is Mode.SLOW and self._stop.wait(self.pace):
                return
            sink.sendall(data[at : at + 1])


def _reset(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    _end(connection)


def _end(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)

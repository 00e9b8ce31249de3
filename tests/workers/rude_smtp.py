"""A mail server that follows a script: it can hang up or fall silent at any step, as real ones do."""

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Self

HANG_UP = "hang up"
SILENCE = "silence"
DRIP = "drip"
"""Answer a byte at a time, without an end."""

USUAL = {
    "hello": "220 rude",
    "EHLO": "250 rude",
    "MAIL": "250 ok",
    "RCPT": "250 ok",
    "DATA": "354 go on",
    "dot": "250 ok",
}


class RudeServer:
    """Listens on 127.0.0.1 while the `with` block lasts. `answers` says what to do at "hello", "EHLO" … "DATA", "dot".

    `taken` are the messages whose final dot came, whatever was answered.
    """

    def __init__(self, answers: Mapping[str, str]) -> None:
        self._answers = {**USUAL, **answers}
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self.host, self.port = self._listener.getsockname()
        self._connection: socket.socket | None = None
        self.taken: list[bytes] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._connection is not None:
            with suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)
        with socket.socket() as wake:
            wake.connect((self.host, self.port))
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            with connection:
                self._connection = connection
                if self._stop.is_set():
                    return
                self._talk(connection)

    def _talk(self, connection: socket.socket) -> None:
        reader = connection.makefile("rb")
        with reader:
            if not self._say(connection, "hello"):
                return
            while line := reader.readline():
                verb = line[:4].decode().upper().strip()
                if verb == "QUIT" or not self._say(connection, verb):
                    return
                if verb == "DATA" and self._answers["DATA"].startswith("354"):
                    self.taken.append(b"".join(iter(reader.readline, b".\r\n")))
                    if not self._say(connection, "dot"):
                        return

    def _say(self, connection: socket.socket, step: str) -> bool:
        answer = self._answers.get(step, "500 what")
        if answer == DRIP:
            with suppress(OSError):
                while not self._stop.wait(0.05):
                    connection.sendall(b"2")
            return False
        if answer == SILENCE:
            self._stop.wait()
        if answer in {HANG_UP, SILENCE}:
            return False
        connection.sendall(f"{answer}\r\n".encode())
        return True

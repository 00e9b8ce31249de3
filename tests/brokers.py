"""RabbitMQ for the tests: a virtual host of their own on the server that runs."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex

from sqlalchemy import make_url

from tests import support

_OURS = "casework_test_"


@contextmanager
def rabbit_vhost() -> Iterator[str]:
    """The URL of a virtual host of its own, for as long as the block lasts."""
    url = support.need_broker(support.RABBITMQ)
    support.need("rabbitmqctl", reachable=shutil.which("rabbitmqctl") is not None)
    _clear_away()
    name = f"{_OURS}{os.getpid()}_{token_hex(2)}"
    user = make_url(url).username or "guest"
    _rabbitmqctl("add_vhost", name)
    try:
        _rabbitmqctl("set_permissions", "--vhost", name, user, ".*", ".*", ".*")
        yield url.rstrip("/") + f"/{name}"
    finally:
        _rabbitmqctl("delete_vhost", name)


def _clear_away() -> None:
    """What was left by test runs that were killed: their queues slow the server down for all that follow."""
    for name in _rabbitmqctl("list_vhosts", "name").split():
        process = name.removeprefix(_OURS).partition("_")[0]
        if name.startswith(_OURS) and process.isdecimal() and not _lives(int(process)):
            with suppress(subprocess.CalledProcessError):  # another test process was first
                _rabbitmqctl("delete_vhost", name)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's
        pass
    return True


def _rabbitmqctl(*arguments: str) -> str:
    return subprocess.run(["rabbitmqctl", "--quiet", *arguments], check=True, capture_output=True, text=True).stdout

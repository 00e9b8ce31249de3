"""RabbitMQ for the tests: a virtual host of their own on the server that runs."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex

from sqlalchemy import make_url

from tests import support


@contextmanager
def rabbit_vhost() -> Iterator[str]:
    """The URL of a virtual host of its own, for as long as the block lasts."""
    url = support.need_broker(support.RABBITMQ)
    support.need("rabbitmqctl", reachable=shutil.which("rabbitmqctl") is not None)
    name = f"casework_test_{os.getpid()}_{token_hex(2)}"
    user = make_url(url).username or "guest"
    _rabbitmqctl("add_vhost", name)
    _rabbitmqctl("set_permissions", "--vhost", name, user, ".*", ".*", ".*")
    yield url.rstrip("/") + f"/{name}"
    _rabbitmqctl("delete_vhost", name)


def _rabbitmqctl(*arguments: str) -> None:
    subprocess.run(["rabbitmqctl", "--quiet", *arguments], check=True, capture_output=True)

"""Helpers of the fixtures: the database servers that tests may use, and the wall around this machine."""

import contextlib
import os
import socket
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from flask import Flask
from flask.templating import Environment
from jinja2.bccache import Bucket, BytecodeCache
from psycopg import sql
from sqlalchemy import make_url

from casework.paths import MIGRATIONS
from casework.settings import get_calendar_settings, get_settings

LOOPBACK = ("127.", "::1", "localhost")
POSTGRES = os.environ.get("CASEWORK_TEST_POSTGRES", "postgresql+psycopg://postgres@127.0.0.1:5432/postgres")
RABBITMQ = os.environ.get("CASEWORK_TEST_RABBITMQ", "amqp://guest:guest@127.0.0.1:5672//")
REDIS = os.environ.get("CASEWORK_TEST_REDIS", "redis://127.0.0.1:6379/15")


def forget_settings() -> None:
    """Let the next reader read the environment again, and open the database that it names."""
    if database := sys.modules.get("casework.adapters.database"):
        database.dispose()
    if smtp := sys.modules.get("casework.adapters.smtp"):
        smtp.hang_up()
    get_settings.cache_clear()
    get_calendar_settings.cache_clear()


def migrate(url: str) -> None:
    """Bring a database to the newest revision."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CASEWORK_TESTING", "1")
        patch.setenv("CASEWORK_DATABASE_URL", url)
        forget_settings()
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        command.upgrade(config, "head")
    forget_settings()


class CompiledTemplates(BytecodeCache):
    """What the pages' templates compile to, kept in memory for all applications of a test process."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Jinja's own check of the source comes after."""
        if code := self._kept.get(bucket.key):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it."""
        self._kept[bucket.key] = bucket.bytecode_to_string()

    def share(self, patch: pytest.MonkeyPatch) -> None:
        """Give it to every application that is made."""
        make = Flask.create_jinja_environment

        def sharing(app: Flask) -> Environment:
            environment = make(app)
            environment.bytecode_cache = self
            return environment

        patch.setattr(Flask, "create_jinja_environment", sharing)


def need(what: str, *, reachable: bool) -> None:
    """Skip a test whose service is not there; under CI that is a failure, never a skip."""
    if reachable:
        return
    if os.environ.get("CI"):
        pytest.fail(f"{what} does not answer, and CI may not skip.", pytrace=False)
    pytest.skip(f"{what} does not answer")


@cache
def reachable(url: str) -> bool:
    """Whether something listens at a URL's host and port."""
    address = make_url(url)
    try:
        socket.create_connection((address.host or "127.0.0.1", address.port or 0), timeout=1).close()
    except OSError:
        return False
    return True


def need_broker(url: str) -> str:
    """The broker's URL, if it answers; else the test is skipped, or fails under CI."""
    need(make_url(url).render_as_string(), reachable=reachable(url))
    return url


@contextlib.contextmanager
def postgres_database(name: str, *, template: str = "template0") -> Iterator[str]:
    """A database of that name for as long as the block lasts."""
    need("PostgreSQL (CASEWORK_TEST_POSTGRES)", reachable=reachable(POSTGRES))
    _administer("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
    _administer("CREATE DATABASE {} TEMPLATE {}", name, template)
    _administer("ALTER DATABASE {} SET synchronous_commit TO off", name)  # the server outlives every test
    try:
        yield name
    finally:
        _administer("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def postgres_url(name: str) -> str:
    """The SQLAlchemy URL of a database on the test server."""
    return make_url(POSTGRES).set(database=name).render_as_string(hide_password=False)


def refuse_network(patch: pytest.MonkeyPatch) -> None:
    """Let Python's sockets reach this machine only."""
    connect, connect_ex, getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _stay_here(self, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _stay_here(self, address)
        return connect_ex(self, address)

    def guarded_getaddrinfo(host: Any, *arguments: Any, **options: Any) -> Any:
        _refuse_unless_loopback(host)
        return getaddrinfo(host, *arguments, **options)

    patch.setattr(socket.socket, "connect", guarded_connect)
    patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    patch.setattr(socket, "getaddrinfo", guarded_getaddrinfo)


class NetworkRefusedError(AssertionError):
    """A test tried to leave this machine."""


def _stay_here(connection: socket.socket, address: Any) -> None:
    if connection.family != socket.AF_UNIX:
        _refuse_unless_loopback(address[0])


def _refuse_unless_loopback(host: Any) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if name and not name.startswith(LOOPBACK):
        raise NetworkRefusedError(f"A test may not reach {name}")


def _administer(statement: str, *names: str) -> None:
    address = make_url(POSTGRES).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

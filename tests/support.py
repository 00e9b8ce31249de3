"""Helpers of the fixtures: the database servers that tests may use, and the wall around this machine."""

import contextlib
import os
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
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
from werkzeug.routing import Rule

from casework.paths import MIGRATIONS
from casework.settings import get_calendar_settings, get_settings

ROOM = 2 << 30
"""Bytes."""
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


def share_routes(patch: pytest.MonkeyPatch) -> None:
    """Let all applications of a test process have the same code for the same address: it is compiled for each rule."""
    make, known = Rule._compile_builder, {}

    def sharing(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:  # noqa: FBT001, FBT002  # as Werkzeug's
        key = (rule.rule, tuple(rule._trace), repr(rule.defaults), append_unknown)
        if key not in known:
            known[key] = make(rule, append_unknown)
        return known[key]

    patch.setattr(Rule, "_compile_builder", sharing)


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


def in_memory() -> Path | None:
    """A folder in memory with room for what tests store, where the machine has one.

    A commit waits for no disk there, and is as safe from a process that is killed as anywhere.
    """
    memory = Path("/dev/shm")  # noqa: S108  # no file's name: pytest makes folders that are its user's alone
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM:
        return memory
    return None


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


class EmptiedDatabase:
    """The PostgreSQL database of a test process: empty for each test, made anew after one that changed more than rows.

    To drop one the server writes all that it has to disk; to empty it takes a twentieth of the time.
    """

    def __init__(self, name: str, template: str) -> None:
        self.name, self._template = name, template
        self._open = contextlib.ExitStack()
        self._as_made: list[Any] = []

    def fresh(self) -> str:
        """Its name, when it is as the template."""
        if not self._as_made or not self._emptied():
            self.drop()
            self._open.enter_context(postgres_database(self.name, template=self._template))
            with self._connected() as connection:
                self._as_made = _shape(connection)
        return self.name

    def drop(self) -> None:
        """Leave nothing behind."""
        self._open.close()
        self._as_made = []

    def _emptied(self) -> bool:
        with contextlib.suppress(psycopg.Error), self._connected() as connection:
            connection.execute(_LEAVE)
            if _shape(connection) == self._as_made:
                tables = [sql.Identifier(table) for (table,) in connection.execute(_TABLES)]
                connection.execute("SET session_replication_role = replica")  # the history lets nothing be deleted
                connection.execute(sql.SQL(";").join(map(sql.SQL("DELETE FROM {}").format, tables)))
                return True
        return False

    def _connected(self) -> psycopg.Connection[Any]:
        address = make_url(postgres_url(self.name)).set(drivername="postgresql")
        return psycopg.connect(address.render_as_string(hide_password=False))


_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
_LEAVE = """SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
_SHAPE = """
SELECT 'relations', count(*)::text, sum(xmin::text::bigint)::text FROM pg_class
WHERE relnamespace = 'public'::regnamespace
UNION ALL SELECT 'triggers', count(*)::text, sum(xmin::text::bigint)::text FROM pg_trigger
UNION ALL SELECT 'functions', count(*)::text, sum(xmin::text::bigint)::text FROM pg_proc
UNION ALL SELECT 'constraints', count(*)::text, sum(xmin::text::bigint)::text FROM pg_constraint
UNION ALL SELECT 'sequences', count(*)::text, sum(last_value)::text FROM pg_sequences
UNION ALL SELECT 'settings', datname, setconfig::text FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase
WHERE datname = current_database()
UNION ALL SELECT 'revision', version_num, '' FROM alembic_version
"""


def _shape(connection: psycopg.Connection[Any]) -> list[Any]:
    """What else than rows a test could change: whatever was altered bears another transaction's number."""
    return connection.execute(_SHAPE).fetchall()


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

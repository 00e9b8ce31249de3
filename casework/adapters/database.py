"""The unit of work: the only way to the database, and the only place that commits.

SQLite takes one writer at a time from the start of its transaction; PostgreSQL readers see one snapshot. So both
give a page one moment, and a step the only word on what it changes.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session

from casework.adapters import broker
from casework.domain.errors import CaseworkError
from casework.settings import get_settings
from casework.text import t

P = ParamSpec("P")
R = TypeVar("R")

TRIES = 3
"""How often a service call is begun before its contention is somebody's problem."""
BELLS = "bells"
"""Key in `Session.info`: the ids of jobs that are rung for when the unit has committed."""

_SQLITE_BUSY_SECONDS = 5.0
_POSTGRES = {
    "lock_timeout": "3s",
    "statement_timeout": "30s",
    "idle_in_transaction_session_timeout": "30s",
    "timezone": "UTC",
}
_SNAPSHOT = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
_CONTENTION = {"40001", "40P01", "55P03"}  # serialization failure, deadlock, lock not available
_AWAY = {"25006", "53100", "53300", "57P01", "57P02", "57P03"}  # read only, disk full, too many, shutting down
_SQLITE_CONTENTION = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_SQLITE_AWAY = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}


class DatabaseAway(CaseworkError):
    """The database cannot be reached, written to, or is too busy. Nothing was changed; trying again is right."""

    status = 503

    def __init__(self) -> None:
        super().__init__(t("The system cannot save or fetch anything right now. Try again in a few minutes."))


@contextmanager
def uow(*, write: bool = False) -> Iterator[Session]:
    """A unit of work. A write unit commits when the block ends, and then rings for the jobs added in it.

    An error rolls back. A read unit cannot write. Raises DatabaseAway; contention passes as it is, for `retrying`.
    """
    try:
        with Session(_engine_for(write=write), expire_on_commit=False) as session:
            yield session
            if write:
                session.commit()
    except PoolTimeout as error:
        raise DatabaseAway from error
    except DBAPIError as error:
        if _is_away(error, write=write):
            raise DatabaseAway from error
        raise
    broker.ring(*session.info.get(BELLS, ()))


def retrying(function: Callable[P, R]) -> Callable[P, R]:
    """Begin a whole service call again when another transaction stood in its way; it must open its own unit."""

    @wraps(function)
    def tried(*args: P.args, **kwargs: P.kwargs) -> R:
        for _ in range(TRIES):
            try:
                return function(*args, **kwargs)
            except DBAPIError as error:
                if not _is_contention(error):
                    raise
                last = error
        raise DatabaseAway from last

    return tried


@cache
def engine() -> Engine:
    """The engine of this process, from the settings."""
    settings = get_settings()
    if settings.database.startswith("sqlite"):
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    return make_engine(settings.database)


def make_engine(url: str) -> Engine:
    """An engine with the project's rules for either kind of database; migrations use it too."""
    if url.startswith("sqlite"):
        made = create_engine(url, connect_args={"isolation_level": None, "timeout": _SQLITE_BUSY_SECONDS})
        event.listen(made, "connect", _prepare_sqlite)
        event.listen(made, "begin", _begin_sqlite)
        return made
    options = " ".join(f"-c {name}={value}" for name, value in _POSTGRES.items())
    return create_engine(
        url,
        connect_args={"options": options, "connect_timeout": 5},
        pool_pre_ping=True,
        pool_recycle=1800,
        pool_timeout=5,
    )


def dispose() -> None:
    """Close all connections; the next unit opens the database that the settings then name."""
    _let_go(close=True)


def _let_go(*, close: bool) -> None:
    if engine.cache_info().currsize:
        engine().dispose(close=close)
        engine.cache_clear()
        _engine_for.cache_clear()


@cache
def _engine_for(*, write: bool) -> Engine:
    base = engine()
    if write or base.dialect.name == "sqlite":
        return base.execution_options(write=write)
    return base.execution_options(**_SNAPSHOT)


def _prepare_sqlite(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON"):
        connection.execute(f"PRAGMA {pragma}")
    connection.create_function("lower", 1, _lower, deterministic=True)


def _lower(value: Any) -> Any:
    """SQLite's own knows A to Z only, and "åke" is to find Åke on either database."""
    return value.lower() if isinstance(value, str) else value


def _begin_sqlite(connection: Connection) -> None:
    write = connection.get_execution_options().get("write", True)
    connection.exec_driver_sql(f"PRAGMA query_only = {'OFF' if write else 'ON'}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _is_contention(error: DBAPIError) -> bool:
    if isinstance(error.orig, sqlite3.Error):
        return _sqlite_code(error.orig) in _SQLITE_CONTENTION
    return _state(error) in _CONTENTION


def _is_away(error: DBAPIError, *, write: bool) -> bool:
    if isinstance(error.orig, sqlite3.Error):
        code = _sqlite_code(error.orig)
        return code in _SQLITE_AWAY and (write or code != sqlite3.SQLITE_READONLY)
    state = _state(error)
    if state is None:  # the connection was refused or lost before the server had a word
        return error.connection_invalidated or type(error.orig).__name__ == "OperationalError"
    return state.startswith("08") or (state in _AWAY and (write or state != "25006"))


def _sqlite_code(error: sqlite3.Error) -> int:
    """The primary code; the extended ones add the reason in the upper bytes."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _state(error: DBAPIError) -> Any:
    return getattr(error.orig, "sqlstate", None)


def _forget_after_fork() -> None:
    """The parent's connections are the parent's: the child opens its own (R-DB1)."""
    _let_go(close=False)


os.register_at_fork(after_in_child=_forget_after_fork)

"""The migrations make the tables of the models, both ways, and keep the history append-only."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from casework.adapters.append_only import MESSAGE
from casework.adapters.database import make_engine
from casework.paths import MIGRATIONS
from tests import support
from tests.conftest import Set

INSERT = text(
    "INSERT INTO events (id, case_id, seq, at, action, part, data, prev, hash) "
    "VALUES ('0123456789abcdef0123456789abcdef', '0123456789abcdef0123456789abcdef', 1, '2026-11-28 12:00:00+00:00',"
    " 'lodge_appeal', 'party', '{}', '', 'a')"
)


@pytest.fixture
def alembic(database: str) -> Config:
    """Alembic on a fresh database at the newest revision."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    made = make_engine(database)
    yield made
    made.dispose()


def test_the_tables_are_those_of_the_models(alembic: Config) -> None:
    command.check(alembic)


def test_every_step_goes_both_ways(alembic: Config) -> None:
    command.downgrade(alembic, "base")
    command.upgrade(alembic, "head")
    command.check(alembic)


@pytest.mark.parametrize("rebuilt", [False, True], ids=["fresh", "rebuilt"])
@pytest.mark.parametrize("deed", ["UPDATE events SET action = 'x'", "DELETE FROM events"])
def test_the_history_is_append_only(alembic: Config, engine: Engine, deed: str, rebuilt: bool) -> None:  # noqa: FBT001
    """S-AUD2, after each way to the newest revision."""
    if rebuilt:
        command.downgrade(alembic, "base")
        command.upgrade(alembic, "head")
    with engine.connect() as connection:
        connection.execute(INSERT)
        with pytest.raises(DBAPIError, match=MESSAGE):
            connection.execute(text(deed))


def test_the_history_cannot_be_replaced(sqlite: str) -> None:
    """SQLite's REPLACE deletes first, and tells no trigger unless it is asked to."""
    made = make_engine(sqlite)
    with made.connect() as connection:
        connection.execute(INSERT)
        with pytest.raises(DBAPIError, match=MESSAGE):
            connection.execute(text(str(INSERT).replace("INSERT", "REPLACE")))
    made.dispose()


def test_the_history_cannot_be_emptied(postgres: str) -> None:
    made = make_engine(postgres)
    with made.connect() as connection, pytest.raises(DBAPIError, match=MESSAGE):
        connection.execute(text("TRUNCATE events"))
    made.dispose()


def test_a_database_is_made_where_there_is_no_folder(settings: Set, tmp_path: Path) -> None:
    """`casework up` on an empty machine."""
    support.migrate(f"sqlite:///{tmp_path / 'casework.sqlite3'}")
    assert (tmp_path / "casework.sqlite3").exists()

"""What all tests share: settings of their own, no network, a fresh database, a mail server that listens.

Plain functions and classes stand in `tests/support.py`; here are only the fixtures.
"""

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ |= {"CASEWORK_TESTING": "1", "CASEWORK_DATA": tempfile.mkdtemp(prefix="casework-import-")}

import pytest

from casework.settings import Settings, get_settings
from tests import support
from tests.faults import table
from tests.faults.table import pytest_terminal_summary
from tests.smtp import SmtpSink

__all__ = ["pytest_terminal_summary"]

Set = Callable[..., Settings]


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of all rooms; pytest reads them only here."""
    table.pytest_addoption(parser)
    parser.addoption("--golden", action="store_true", help="write the golden mails anew, with -n 0")


def pytest_configure() -> None:
    """What tests store lies in memory where that is possible.

    Thousands of tests leave much that lives on: looking it all over often took a fifth of their time."""
    gc.set_threshold(20_000, 20, 50)
    if memory := support.in_memory():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


def pytest_unconfigure() -> None:
    """Nothing is left behind by what was read at import."""
    shutil.rmtree(os.environ["CASEWORK_DATA"], ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """A test that leaves this machine fails where it does so."""
    with pytest.MonkeyPatch.context() as patch:
        support.refuse_network(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """Each test has applications of its own; compiling the templates for each took a third of the pages' time.

    Making one took eight times as long with the addresses compiled for each.
    """
    with pytest.MonkeyPatch.context() as patch:
        support.CompiledTemplates().share(patch)
        support.share_routes(patch)
        yield


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Set]:
    """Test mode with an own data folder; call it to change more: `settings(demo=True, smtp_port=25)`."""
    for name in [name for name in os.environ if name.startswith("CASEWORK_") and "_TEST_" not in name]:
        monkeypatch.delenv(name)

    def change(**values: object) -> Settings:
        for name, value in values.items():
            monkeypatch.setenv(f"CASEWORK_{name.upper()}", str(value))
        support.forget_settings()
        return get_settings()

    change(testing=1, data=tmp_path / "data")
    (tmp_path / "data").mkdir()
    yield change
    monkeypatch.undo()
    support.forget_settings()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database file, copied for each test."""
    file = tmp_path_factory.mktemp("template") / "casework.sqlite3"
    support.migrate(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def postgres_template() -> Iterator[str]:
    """The name of a migrated database of this test process, from which each test's own is made."""
    with support.postgres_database(f"casework_template_{os.getpid()}") as name:
        support.migrate(support.postgres_url(name))
        yield name


@pytest.fixture
def sqlite(settings: Set, sqlite_template: Path) -> str:
    """The URL of a fresh SQLite database, in the settings."""
    file = get_settings().data / "casework.sqlite3"
    shutil.copyfile(sqlite_template, file)
    return settings(database_url=f"sqlite:///{file}").database


@pytest.fixture(scope="session")
def emptied_postgres(postgres_template: str) -> Iterator[support.EmptiedDatabase]:
    """The database of this test process, empty for each test."""
    database = support.EmptiedDatabase(f"casework_test_{os.getpid()}", postgres_template)
    yield database
    database.drop()


@pytest.fixture
def postgres(settings: Set, emptied_postgres: support.EmptiedDatabase) -> Iterator[str]:
    """The URL of a fresh PostgreSQL database, in the settings."""
    yield settings(database_url=support.postgres_url(emptied_postgres.fresh())).database
    support.forget_settings()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def database(request: pytest.FixtureRequest) -> str:
    """The URL of a fresh, migrated database, in the settings: each test runs on both kinds."""
    url: str = request.getfixturevalue(request.param)
    return url


@pytest.fixture
def smtp_sink(settings: Set) -> Iterator[SmtpSink]:
    """A mail server on this machine that the settings name; see `SmtpSink`."""
    with SmtpSink() as sink:
        settings(smtp_host=sink.host, smtp_port=sink.port)
        yield sink

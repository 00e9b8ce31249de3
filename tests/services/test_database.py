"""The unit of work: what it keeps, what it refuses, and what it does when others stand in the way."""

import os
import threading
from collections.abc import Callable
from uuid import uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import Session, select

from casework import clock
from casework.adapters import database
from casework.adapters.database import DatabaseAway, retrying, uow
from casework.domain.models import CaseCounter, Tick
from tests.conftest import Set

WRITERS, ROUNDS = 4, 25


@pytest.fixture
def counter(database: str) -> None:
    with uow(write=True) as session:
        session.add(CaseCounter(year=2026))


def last() -> int:
    with uow() as session:
        return session.exec(select(CaseCounter.last)).one()


def row(session: Session) -> CaseCounter:
    """The row, locked, as a step locks its case."""
    return session.exec(select(CaseCounter).with_for_update()).one()


@retrying
def count_one() -> None:
    with uow(write=True) as session:
        row(session).last += 1


def test_writers_at_once_lose_no_update(counter: None) -> None:
    """SQLAlchemy's defaults on SQLite lose two of three ("The database")."""
    start = threading.Barrier(WRITERS)
    errors: list[Exception] = []

    def count() -> None:
        start.wait()
        try:
            for _ in range(ROUNDS):
                count_one()
        except Exception as error:  # noqa: BLE001  # shown by the test's own assertion
            errors.append(error)

    threads = [threading.Thread(target=count) for _ in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (errors, last()) == ([], WRITERS * ROUNDS)


def count_and_fail() -> None:
    with uow(write=True) as session:
        row(session).last = 7
        session.flush()
        raise ZeroDivisionError


def count_in_a_read_unit() -> None:
    with uow() as session:
        session.exec(select(CaseCounter)).one().last = 7
        session.flush()


@pytest.mark.parametrize(("deed", "error"), [(count_and_fail, ZeroDivisionError), (count_in_a_read_unit, DBAPIError)])
def test_nothing_is_left_of_what_went_wrong(counter: None, deed: Callable[[], None], error: type[Exception]) -> None:
    """An error rolls back, and a read unit cannot write."""
    with pytest.raises(error):
        deed()
    assert last() == 0


def test_a_write_unit_may_follow_a_read_unit_on_the_same_connection(counter: None) -> None:
    for _ in range(3):
        before = last()
        count_one()
        assert last() == before + 1


def test_a_read_unit_sees_one_moment(counter: None) -> None:
    """A page that reads twice is never half old and half new."""
    with uow() as reader:
        first = reader.exec(select(CaseCounter.last)).one()
        count_one()
        assert reader.exec(select(CaseCounter.last)).one() == first
    assert last() == first + 1


def test_foreign_keys_are_checked_at_the_commit(database: str) -> None:
    """A step may write its rows in any order, but not leave one hanging."""
    statement = text(
        "INSERT INTO contacts (id, person_id, email, phone, street, postal_code, city) "
        "VALUES (:id, :person, '', '', '', '', '')"
    )
    with pytest.raises(IntegrityError), uow(write=True) as session:
        session.execute(statement, {"id": uuid4().hex, "person": uuid4().hex})


def test_instants_come_back_as_they_went_in(database: str) -> None:
    now = clock.now()
    with uow(write=True) as session:
        session.add(Tick(name="here", at=now.astimezone(clock.LOCAL)))
    with uow() as session:
        assert session.exec(select(Tick.at)).one() == now


def test_contention_is_tried_again_and_then_told(postgres: str) -> None:
    """R-DB1: at most three times."""
    tries = 0

    @retrying
    def always_late() -> None:
        nonlocal tries
        tries += 1
        with uow(write=True) as session:
            session.execute(text("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40001'; END $$"))

    with pytest.raises(DatabaseAway):
        always_late()
    assert tries == 3


def test_a_mistake_is_not_tried_again(database: str) -> None:
    tries = 0

    @retrying
    def wrong() -> None:
        nonlocal tries
        tries += 1
        with uow(write=True) as session:
            session.execute(text("SELECT nothing FROM nowhere"))

    with pytest.raises(DBAPIError):
        wrong()
    assert tries == 1


@pytest.mark.parametrize(
    "url", ["postgresql+psycopg://nobody@127.0.0.1:1/nothing", "sqlite:////proc/nowhere/x.sqlite3"]
)
def test_a_database_that_is_away_is_told_in_words(settings: Set, url: str) -> None:
    """F14: a page can say that trying again is right."""
    settings(database_url=url)
    with pytest.raises(DatabaseAway) as told, uow() as session:
        session.execute(text("SELECT 1"))
    assert told.value.status == 503


def test_a_database_that_comes_back_is_used_again(postgres: str) -> None:
    """F13, X71: a connection that the server has closed is not handed out."""
    with uow() as session:
        pid = session.execute(text("SELECT pg_backend_pid()")).scalar_one()
    elsewhere = database.make_engine(postgres)
    with elsewhere.connect() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})
    elsewhere.dispose()
    with uow() as session:
        assert session.execute(text("SELECT pg_backend_pid()")).scalar_one() != pid


def test_a_forked_process_opens_its_own_connections(counter: None) -> None:
    """R-DB1, X71: a connection shared over a fork answers the wrong process."""
    assert last() == 0
    child = os.fork()
    if child == 0:
        fresh = database.engine.cache_info().currsize == 0
        count_one()
        os._exit(0 if fresh else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert last() == 1

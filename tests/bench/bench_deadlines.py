"""Finding what is due among a million open deadlines, and doing fifty of them, beside a thousand."""

import statistics
import time
from collections.abc import Callable
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import insert, text
from sqlmodel import select

from casework.adapters import database
from casework.adapters.database import uow
from casework.domain.models import Deadline
from casework.services import deadlines, timers
from tests.story import Story
from workers.duties import Duties, Timed
from workers.handlers import DUTIES

MANY, FEW, DUE = 1_000_000, 1_000, 50
MOST_FINDING, MOST_DOING = 3.0, 1.5
RUNS = 7
STEP = 20_000


def seconds(deed: Callable[[], object]) -> float:
    began = time.perf_counter()
    deed()
    return time.perf_counter() - began


def open_more(story: Story, count: int) -> None:
    """Deadlines of one case that end in a year and later."""
    with uow() as session:
        pattern = session.exec(select(Deadline)).first()
        assert pattern is not None
        shared = pattern.model_dump(exclude={"id", "instant", "explanation"}) | {"explanation": pattern.explanation}
    first = story.at + timedelta(days=365)
    for begin in range(0, count, STEP):
        rows = [
            shared | {"id": uuid4(), "instant": first + timedelta(minutes=number)}
            for number in range(begin, min(begin + STEP, count))
        ]
        with uow(write=True) as session:
            session.execute(insert(Deadline), rows)
    with database.engine().execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text("ANALYZE"))


def cases(count: int) -> Story:
    """Rulings whose windows run for half an hour; every window is a deadline of its own."""
    story = Story.begun()
    story.rule()
    story.publish()
    with uow() as session:
        pattern = session.exec(select(Deadline)).first()
        assert pattern is not None
    return story


def due_now(story: Story, count: int) -> None:
    """As many deadlines that are overdue in a minute: the director's, so that each has its full step."""
    with uow() as session:
        pattern = session.exec(select(Deadline).where(Deadline.kind == "forward_appeal")).first()
        assert pattern is not None
        shared = pattern.model_dump(exclude={"id", "instant", "explanation"}) | {"explanation": pattern.explanation}
    with uow(write=True) as session:
        session.execute(insert(Deadline), [shared | {"id": uuid4(), "instant": story.at} for _ in range(count)])


def find(story: Story) -> list[UUID]:
    with uow() as session:
        return [*deadlines.due(session, story.at, 500), *timers.due(session, story.at, 500)]


def indexed(story: Story) -> list[UUID]:
    """The bare query over the index."""
    with uow() as session:
        query = text(
            "SELECT id FROM deadlines WHERE ended IS NULL AND overdue_at IS NULL AND instant <= :now "
            "ORDER BY instant LIMIT 500"
        )
        return list(session.connection().execute(query, {"now": story.at}).scalars())


def do(duties: Duties, story: Story) -> None:
    for deadline_id in find(story):
        with uow(write=True) as session:
            timed: Timed = duties.timed[0]
            timed.run(session, deadline_id, story.at)


@pytest.fixture
def story(database: str) -> Story:
    """An appeal that waits for its director."""
    begun = Story.begun()
    begun.rule()
    begun.publish()
    begun.appeal()
    return begun


def test_what_is_due_is_found_and_done_among_a_million_as_among_a_thousand(story: Story) -> None:
    took = {}
    for count in (FEW, MANY - FEW):
        open_more(story, count)
        due_now(story, DUE)
        story.later(minutes=1)
        ours = statistics.median(seconds(lambda: find(story)) for _ in range(RUNS))
        bare = statistics.median(seconds(lambda: indexed(story)) for _ in range(RUNS))
        took[count] = seconds(lambda: do(DUTIES, story))
    finding, doing = ours / bare, took[MANY - FEW] / took[FEW]
    print(
        f"\nfinding {DUE} due among {MANY}: {ours * 1000:.1f} ms, the indexed query {bare * 1000:.1f} ms, "
        f"ratio {finding:.2f} (at most {MOST_FINDING}); doing them: {took[MANY - FEW]:.2f} s, "
        f"among {FEW}: {took[FEW]:.2f} s, ratio {doing:.2f} (at most {MOST_DOING})"
    )
    assert finding <= MOST_FINDING
    assert doing <= MOST_DOING

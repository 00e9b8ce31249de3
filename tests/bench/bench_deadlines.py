"""Finding what is due among a million open deadlines, and doing fifty of them, beside a thousand."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from sqlalchemy import insert, text
from sqlmodel import col, select

from casework.adapters import database as db
from casework.adapters.database import uow
from casework.domain.models import Deadline
from casework.domain.terms import DeadlineKind
from casework.services import deadlines
from tests import factories
from tests.story import Story

MANY, FEW, DUE = 1_000_000, 1_000, 50
MOST_FINDING, MOST_DOING = 3.0, 1.5
RUNS = 30
CHUNK = 50_000
COLUMNS = ", ".join(column.name for column in Deadline.__table__.columns if column.name != "id")  # type: ignore[attr-defined]
NEW_ID = {"sqlite": "lower(hex(randomblob(16)))", "postgresql": "gen_random_uuid()"}


def seconds(deed: Callable[[], object]) -> float:
    began = time.perf_counter()
    deed()
    return time.perf_counter() - began


@dataclass
class Pile:
    """Open deadlines of a case in which nobody acts; they end next year."""

    pattern: Deadline
    size: int = 0

    def grow(self, size: int) -> None:
        """Copy the pattern until the pile is so large."""
        with uow(write=True) as session:
            session.add(self.pattern)
            self.pattern.instant = factories.START + timedelta(days=365)
        copy = text(
            f"INSERT INTO deadlines (id, {COLUMNS}) SELECT {NEW_ID[db.engine().dialect.name]}, {COLUMNS} "  # noqa: S608  # our own names
            "FROM deadlines WHERE case_id = (SELECT case_id FROM deadlines WHERE instant > :later LIMIT 1) LIMIT :count"
        )
        self.size = max(self.size, 1)
        while self.size < size:
            count = min(self.size, CHUNK, size - self.size)
            with uow(write=True) as session:
                session.connection().execute(copy, {"later": factories.START + timedelta(days=300), "count": count})
            self.size += count
        with db.engine().execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.execute(text("ANALYZE"))


def first_deadline(case_id: UUID, kind: DeadlineKind) -> Deadline:
    with uow() as session:
        found = session.exec(select(Deadline).where(Deadline.case_id == case_id, Deadline.kind == kind)).first()
    assert found is not None
    return found


def overdue(story: Story) -> None:
    """An appeal whose director is fifty times too late."""
    story.rule()
    story.appeal()
    ours = first_deadline(story.case.case_id, DeadlineKind.FORWARD_APPEAL)
    late = ours.model_dump(exclude={"id", "instant", "explanation"}) | {"explanation": ours.explanation}
    with uow(write=True) as session:
        session.execute(insert(Deadline), [late | {"id": uuid4(), "instant": story.at} for _ in range(DUE)])
    story.later(minutes=1)


def find(story: Story) -> list[UUID]:
    with uow() as session:
        return deadlines.due(session, story.at, DUE)


def bare(story: Story) -> list[UUID]:
    """The one query over the index."""
    with uow() as session:
        query = select(col(Deadline.id)).where(
            col(Deadline.ended).is_(None), col(Deadline.overdue_at).is_(None), col(Deadline.instant) <= story.at
        )
        sql = str(query.compile(db.engine(), compile_kwargs={"literal_binds": True}))
        return list(session.connection().exec_driver_sql(f"{sql} ORDER BY instant LIMIT {DUE}").scalars())


def do(story: Story) -> float:
    """As the sweep does them, each in a unit of its own: half of them took no longer than so many seconds each."""
    return statistics.median(seconds(lambda one=one: done(story, one)) for one in find(story))  # type: ignore[misc]  # bound to this one


def done(story: Story, deadline_id: UUID) -> None:
    with uow(write=True) as session:
        deadlines.expire(session, deadline_id, story.at)


def quickest(story: Story) -> tuple[float, float]:
    """Ours and the bare query by turns, so that what else the machine does hits both alike."""
    turns = [(seconds(lambda: find(story)), seconds(lambda: bare(story))) for _ in range(RUNS)]
    return min(ours for ours, _ in turns), min(alone for _, alone in turns)


def test_what_is_due_is_found_and_done_among_a_million_as_among_a_thousand(database: str) -> None:
    there = factories.federation()
    factories.publish_score(there, at=factories.START)
    idle = Story(there, factories.open_case(there))
    idle.rule()
    pile = Pile(first_deadline(idle.case.case_id, DeadlineKind.APPEAL_WINDOW))
    with uow(write=True) as session:
        for other in session.exec(select(Deadline).where(Deadline.id != pile.pattern.id)):
            session.delete(other)
    took: dict[int, float] = {}
    for size in (FEW, MANY):
        story = Story(there, factories.open_case(there))
        overdue(story)
        pile.grow(size)
        assert len(find(story)) == len(bare(story)) == DUE
        ours, alone = quickest(story)
        took[size] = do(story)
    finding, doing = ours / alone, took[MANY] / took[FEW]
    print(
        f"\n{db.engine().dialect.name}: finding {DUE} due among {MANY}: {ours * 1000:.2f} ms, "
        f"the bare query {alone * 1000:.2f} ms, ratio {finding:.2f} (at most {MOST_FINDING}); doing one "
        f"{took[MANY] * 1000:.1f} ms, among {FEW} {took[FEW] * 1000:.1f} ms, ratio {doing:.2f} (at most {MOST_DOING})"
    )
    assert finding <= MOST_FINDING
    assert doing <= MOST_DOING

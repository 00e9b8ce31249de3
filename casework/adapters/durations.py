"""How long work takes, by kind: counted where it is recorded, so that any number of processes and machines may work."""

from bisect import bisect_left
from functools import cache
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col

from casework.domain.models import Duration
from casework.domain.operation import BOUNDS, WorkKind


def count(session: Session, work: WorkKind, kind: str, seconds: float) -> None:
    """Count one in the work's own transaction, last: nobody waits for another row while he holds this one."""
    session.flush()
    took = max(seconds, 0.0)
    row = {"work": work, "kind": kind, "bound": BOUNDS[bisect_left(BOUNDS, took)], "number": 1, "seconds": took}
    session.connection().execute(_counting(session.get_bind().dialect.name), row)


@cache
def _counting(dialect: str) -> Any:
    """Built once: every job counts."""
    first = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(Duration)
    return first.on_conflict_do_update(
        index_elements=["work", "kind", "bound"],
        set_={
            "number": col(Duration.number) + 1,
            "seconds": col(Duration.seconds) + first.excluded.seconds,
        },
    )

"""Counting SQL: how many statements each unit of work takes, and which steps it took."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, event


@dataclass
class Unit:
    """One transaction: the actions that it wrote into the history, and its statements, BEGIN and COMMIT left out."""

    actions: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)


@contextmanager
def counted() -> Iterator[list[Unit]]:
    """The units that end within the block, in the order in which they end."""
    ended: list[Unit] = []

    def execute(
        connection: Connection, _cursor: Any, statement: str, parameters: Any, context: Any, _many: Any
    ) -> None:
        if statement.startswith(("BEGIN", "PRAGMA")):
            return
        unit = connection.info.setdefault("unit", Unit())
        unit.statements.append(statement)
        if statement.startswith("INSERT INTO events"):
            unit.actions += [row["action"] for row in context.compiled_parameters]

    def end(connection: Connection) -> None:
        if unit := connection.info.pop("unit", None):
            ended.append(unit)

    hooks: list[tuple[str, Any]] = [("before_cursor_execute", execute), ("commit", end), ("rollback", end)]
    for name, hook in hooks:
        event.listen(Engine, name, hook)
    try:
        yield ended
    finally:
        for name, hook in hooks:
            event.remove(Engine, name, hook)

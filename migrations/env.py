"""Alembic's entry: the database of the settings, with the engine's own rules."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from alembic.autogenerate.render import renderers
from alembic.operations import ops
from sqlalchemy import Connection, ForeignKeyConstraint
from sqlalchemy.types import TypeDecorator
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

from casework.adapters import append_only
from casework.adapters.database import make_engine
from casework.domain import models
from casework.settings import get_settings

CYCLES = {(models.Proceeding.__tablename__, "tries_id")}
"""Foreign keys that PostgreSQL can only add when both tables are there."""


class CloseCycle(ops.MigrateOperation):
    """Add a foreign key that CREATE TABLE left out, where the database leaves them out."""

    def __init__(self, constraint: ForeignKeyConstraint) -> None:
        self.constraint = constraint


class OpenCycle(CloseCycle):
    """Drop it, before its tables are dropped."""


class KeepHistory(ops.MigrateOperation):
    """Put the triggers on a table that was made or rebuilt."""


@renderers.dispatch_for(CloseCycle)
def render_close(autogen: AutogenContext, operation: CloseCycle) -> str:
    constraint = operation.constraint
    source, target = constraint.table.name, constraint.referred_table.name
    columns, targets = constraint.column_keys, [element.column.name for element in constraint.elements]
    return (
        "if op.get_context().dialect.supports_alter:\n"
        f"    op.create_foreign_key({constraint.name!r}, {source!r}, {target!r}, {columns!r}, {targets!r},"
        f" initially={constraint.initially!r}, deferrable={constraint.deferrable!r})"
    )


@renderers.dispatch_for(OpenCycle)
def render_open(autogen: AutogenContext, operation: OpenCycle) -> str:
    constraint = operation.constraint
    return (
        "if op.get_context().dialect.supports_alter:\n"
        f"    op.drop_constraint({constraint.name!r}, {constraint.table.name!r}, type_='foreignkey')"
    )


@renderers.dispatch_for(KeepHistory)
def render_history(autogen: AutogenContext, operation: KeepHistory) -> str:
    autogen.imports.add("from casework.adapters.append_only import keep_history")
    return "keep_history(op.get_bind())"


def complete(_context: Any, _revision: Any, directives: list[Any]) -> None:
    """Add to a written migration what autogeneration cannot see."""
    for script in directives:
        upgrade, downgrade = script.upgrade_ops.ops, script.downgrade_ops.ops
        made = {operation.table_name for operation in upgrade if isinstance(operation, ops.CreateTableOp)}
        closed = [constraint for constraint in cycles() if constraint.table.name in made]
        upgrade += map(CloseCycle, closed)
        downgrade[:0] = map(OpenCycle, closed)
        if any(getattr(operation, "table_name", None) == append_only.TABLE for operation in upgrade):
            upgrade.append(KeepHistory())


def cycles() -> list[ForeignKeyConstraint]:
    return [
        constraint
        for table, column in CYCLES
        for constraint in SQLModel.metadata.tables[table].foreign_key_constraints
        if constraint.column_keys == [column]
    ]


def render_item(kind: str, item: Any, autogen: AutogenContext) -> str | Literal[False]:
    """Column types as what the database stores: a migration must not change when a model's types do."""
    if kind != "type":
        return False
    if isinstance(item, UTCDateTime):
        autogen.imports.add("from sqlmodel.sql.sqltypes import UTCDateTime")
        return "UTCDateTime()"
    if isinstance(item, AutoString):
        return f"sa.String(length={item.length})"
    ours = isinstance(item, TypeDecorator) and type(item).__module__.startswith("casework.")
    return f"sa.{item.impl_instance!r}" if ours else False


def run(connection: Connection) -> None:
    for constraint in cycles():
        constraint.use_alter = True
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        render_as_batch=True,
        compare_server_default=True,
        render_item=render_item,
        process_revision_directives=complete,
    )
    with context.begin_transaction():
        context.run_migrations()


def main() -> None:
    settings = get_settings()
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    engine = make_engine(settings.database)
    try:
        with engine.connect() as connection:
            run(connection)
    finally:
        engine.dispose()


main()

"""Triggers that keep the history: rows of `events` are written once and never changed or taken away (S-AUD2).

A batch migration on SQLite builds the table anew and loses its triggers, so each migration that touches the table
calls `keep_history` at its end.
"""

from sqlalchemy import Connection

TABLE = "events"
MESSAGE = "the history is append-only"


def keep_history(connection: Connection) -> None:
    """Refuse UPDATE and DELETE, and on PostgreSQL TRUNCATE. Calling it again does no harm."""
    for statement in _SQLITE if connection.dialect.name == "sqlite" else _POSTGRES:
        connection.exec_driver_sql(statement)


_SQLITE = tuple(
    f"CREATE TRIGGER IF NOT EXISTS {TABLE}_no_{deed.lower()} BEFORE {deed} ON {TABLE} "
    f"BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END"
    for deed in ("UPDATE", "DELETE")
)
_POSTGRES = (
    f"""CREATE OR REPLACE FUNCTION {TABLE}_refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '{MESSAGE}'; END $$""",
    f"""CREATE OR REPLACE TRIGGER {TABLE}_no_change BEFORE UPDATE OR DELETE ON {TABLE}
        FOR EACH ROW EXECUTE FUNCTION {TABLE}_refuse()""",
    f"""CREATE OR REPLACE TRIGGER {TABLE}_no_truncate BEFORE TRUNCATE ON {TABLE}
        FOR EACH STATEMENT EXECUTE FUNCTION {TABLE}_refuse()""",
)

"""Which revision the database has, and whether this program is built for it."""

from functools import cache

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from casework.adapters import database
from casework.paths import MIGRATIONS

COMMAND = "casework migrate"
NOT_UP_TO_DATE = f"The database is not up to date. Run: {COMMAND}"
TOO_NEW = "The database is of a newer version of casework than this program. Install that version."


def config() -> Config:
    """What Alembic needs to know."""
    made = Config()
    made.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return made


@cache
def revisions() -> tuple[str, ...]:
    """The revisions that this program knows, the one that it works with first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(config()).walk_revisions())


def present() -> str | None:
    """The revision that the database has; None where it is empty. Raises SQLAlchemyError."""
    with database.engine().execution_options(write=False).connect() as connection:
        return _revision(connection)


def fits(connection: Connection) -> bool:
    """Whether the database that is spoken to is of the revision that this program works with."""
    return _revision(connection) == revisions()[0]


class Misfit(Exception):
    """The database and this program do not fit: nothing is begun, and the sentence says what to do."""


def refuse_misfit() -> None:
    """Raises Misfit, or DatabaseAway."""
    if sentence := misfit():
        raise Misfit(sentence)


def misfit() -> str:
    """What to do where the database and this program do not fit, in a sentence; else empty. Raises DatabaseAway."""
    try:
        found = present()
    except SQLAlchemyError as error:
        raise database.DatabaseAway from error
    if found == revisions()[0]:
        return ""
    return NOT_UP_TO_DATE if found is None or found in revisions() else TOO_NEW


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()

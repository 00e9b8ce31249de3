"""Which revision the database has, and which it should have."""

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import SQLAlchemyError

from casework.adapters import database
from casework.paths import MIGRATIONS

NOT_UP_TO_DATE = "The database is not up to date. Run: casework migrate"


def config() -> Config:
    """What Alembic needs to know."""
    made = Config()
    made.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return made


def newest() -> str | None:
    """The revision that this program works with."""
    return ScriptDirectory.from_config(config()).get_current_head()


def present() -> str | None:
    """The revision that the database has; None where it is empty. Raises SQLAlchemyError."""
    with database.engine().execution_options(write=False).connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def is_newest() -> bool:
    """Whether the database is up to date. Raises DatabaseAway."""
    try:
        return present() == newest()
    except SQLAlchemyError as error:
        raise database.DatabaseAway from error

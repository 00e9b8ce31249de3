"""The pairs of database and broker that an installation may stand on."""

from dataclasses import dataclass
from itertools import product

SQLITE, POSTGRES = "sqlite", "postgres"
FILE, RABBITMQ, REDIS = "file", "rabbitmq", "redis"


@dataclass(frozen=True, slots=True)
class Pair:
    """By the names of the kinds; `tests/faults/conftest.py` makes them."""

    database: str
    broker: str

    def __str__(self) -> str:
        return f"{self.database}+{self.broker}"

    @property
    def embedded(self) -> bool:
        """Whether no server is needed."""
        return (self.database, self.broker) == (SQLITE, FILE)


ALL = tuple(Pair(database, broker) for database, broker in product((SQLITE, POSTGRES), (FILE, RABBITMQ, REDIS)))
EMBEDDED = Pair(SQLITE, FILE)
FULL = Pair(POSTGRES, RABBITMQ)
ON_REDIS = Pair(POSTGRES, REDIS)
SERVED = tuple(pair for pair in ALL if pair.broker != FILE)
ON_POSTGRES = tuple(pair for pair in ALL if pair.database == POSTGRES)
EACH = (EMBEDDED, FULL, ON_REDIS)
"""Each database and each broker in three runs: where all three bite."""
DATABASES = (EMBEDDED, FULL)
"""One pair for each database: where the broker has no part in the fault."""
WITHOUT_BROKER = (EMBEDDED, Pair(POSTGRES, FILE))
"""The same with no server beside the database."""

"""How many SQL statements each step takes, from BEGIN to COMMIT."""

import pytest

from casework.domain.terms import AppealRoute
from tests.services.test_budgets import MOST, named, walk


@pytest.mark.usefixtures("sqlite")
def test_statements_of_each_step() -> None:
    """For two teams of eight, on the way over the jury to LK."""
    most: dict[str, int] = {}
    for name, count in named(walk(8, AppealRoute.JURY_ON_SITE)):
        most[name] = max(count, most.get(name, 0))
    print(f"\nSQL statements of a step (at most {MOST}):")
    for name, count in sorted(most.items(), key=lambda pair: -pair[1]):
        print(f"  {count:3} {name}")
    assert max(most.values()) <= MOST

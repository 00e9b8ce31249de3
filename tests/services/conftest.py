"""Where most of what is filed begins."""

import pytest

from tests import factories
from tests.factories import Federation


@pytest.fixture
def there(database: str) -> Federation:
    """A tournament of pairs, on both kinds of database."""
    return factories.federation()

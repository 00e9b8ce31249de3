"""What most pages start from: nobody signed in, or the director at his table. A file that wants another has its own."""

import pytest
from flask import Flask

from casework import clock
from casework.app import create_app
from tests import factories
from tests.factories import Federation, OpenCase
from tests.page import PageClient
from tests.web import signing
from tests.web.at_table import LATER


@pytest.fixture
def client(sqlite: str) -> PageClient:
    """A browser in which nobody is signed in."""
    return PageClient(create_app())


@pytest.fixture
def app(sqlite: str) -> Flask:
    """The application, two hours into the session."""
    clock.advance(LATER - clock.now())
    return create_app()


@pytest.fixture
def there(app: Flask) -> Federation:
    """A tournament of pairs."""
    return factories.federation()


@pytest.fixture
def phone(app: Flask, there: Federation) -> PageClient:
    """The director's phone."""
    return signing.official(app, there, "director")


@pytest.fixture
def case(there: Federation) -> OpenCase:
    """A case that waits for its ruling, about board 18: North–South vulnerable."""
    return factories.open_case(there, at=clock.now())

"""The real thing: web, worker and clock as processes, mail over SMTP, Chromium; slow to start, so used by few tests."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta

import pytest
from playwright.sync_api import Browser

from casework import clock
from casework.settings import Settings, get_settings
from tests import factories, support
from tests.browser import chromium, programs
from tests.browser.house import House, give_accounts
from tests.smtp import SmtpSink

Set = Callable[..., Settings]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, started once."""
    support.need("Chromium (CASEWORK_CHROMIUM)", reachable=chromium.EXECUTABLE is not None)
    with chromium.started() as started:
        yield started


@pytest.fixture
def installed(settings: Set, smtp_sink: SmtpSink, sqlite: str) -> int:
    """Settings as in real use on a free port, with a movable clock that stands at 14.00 of the tournament's day."""
    port = programs.free_port()
    settings(
        public_base_url=f"http://127.0.0.1:{port}",
        secret_key="s" * 32,
        link_key="l" * 32,
        sweep_seconds=0.5,
    )
    clock.advance(factories.START + timedelta(hours=1) - clock.now())
    return port


@pytest.fixture
def house(installed: int, smtp_sink: SmtpSink, browser: Browser) -> Iterator[House]:
    """All programs with a federation of two pairs."""
    yield from _house(installed, smtp_sink, browser, programs.ALL)


@pytest.fixture
def quiet_house(installed: int, smtp_sink: SmtpSink, browser: Browser) -> Iterator[House]:
    """The web alone: the test takes the steps of worker and clock itself."""
    yield from _house(installed, smtp_sink, browser, ("web",))


def _house(port: int, sink: SmtpSink, browser: Browser, names: tuple[str, ...]) -> Iterator[House]:
    there = factories.federation()
    give_accounts(there)
    with ExitStack() as stack:
        stack.enter_context(programs.running(get_settings().data, port, names))
        made = House(get_settings().public_base_url, there, sink, browser)
        stack.enter_context(made.closed())
        yield made

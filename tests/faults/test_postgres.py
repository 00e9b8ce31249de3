"""A PostgreSQL that restarts, or stays away, while parties file and workers work (F13, F14)."""

import gc
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import Appeal
from tests import factories, support
from tests.conftest import Set
from tests.faults import pairs, servers
from tests.faults.filer import FILE, Filer
from tests.faults.house import party, serving
from tests.faults.office import Office, seconds
from tests.faults.pairs import Pair
from tests.faults.servers import Postgres
from tests.faults.table import Table
from tests.smtp import SmtpSink
from tests.workers.waiting import wait_until

pytestmark = [
    pytest.mark.services,
    # A connection whose server died is thrown away unclosed: there is nobody to say goodbye to.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def own_postgres(settings: Set) -> Iterator[Postgres]:
    """A PostgreSQL that the test may stop, migrated and in the settings."""
    with servers.own_postgres() as server:
        support.migrate(server.url)
        settings(database_url=server.url, lease_seconds=2, sweep_seconds=0.3, mail_per_domain=0)
        yield server
        support.forget_settings()
        gc.collect()


@pytest.fixture
def office(own_postgres: Postgres, smtp_sink: SmtpSink, table: Table) -> Iterator[Office]:
    clock.advance(factories.START + timedelta(hours=1) - clock.now())
    made = Office(Pair(pairs.POSTGRES, pairs.FILE), table, smtp_sink, factories.federation())
    yield made
    made.close()


def test_f13_a_restart_in_the_middle_of_filings(
    office: Office, own_postgres: Postgres, settings: Set, request: pytest.FixtureRequest
) -> None:
    """X71: each party has a receipt with its row, or a page that has kept the words; trying again works."""
    count = 50 if request.config.getoption("matrix") else 6
    with serving(office, settings) as url:
        everybody = [party(office.there, url) for _ in range(count)]
        with ThreadPoolExecutor(4) as pool:
            pages = list(pool.map(Filer.prepare, everybody))
            before = [len(filer.refusals) for filer in everybody]
            filed = [pool.submit(filer.file, page) for filer, page in zip(everybody, pages, strict=True)]
            wait_until(lambda: any(one.done() for one in filed), "the first has filed")
            own_postgres.kill()
            wait_until(
                lambda: (
                    all(one.done() for one in filed)
                    or any(len(filer.refusals) > skip for filer, skip in zip(everybody, before, strict=True))
                ),
                "somebody meets it",
            )
            own_postgres.start()
            office.receipts += [one.result(60) for one in filed]
    met = [page for filer, skip in zip(everybody, before, strict=True) for page in filer.refusals[skip:]]
    assert {page.status for page in met} <= {503}
    assert all(everybody[0].words in page.html for page in met if page.path.endswith("overklaga"))
    office.open()
    office.settle()
    with uow() as session:
        appeals = session.exec(select(Appeal.id)).all()
    assert len(appeals) == count
    office.report("F13", within=60, tries=count, note=f"{len(met)} saw an error page")


def test_f14_away_for_a_while(
    office: Office, own_postgres: Postgres, settings: Set, request: pytest.FixtureRequest
) -> None:
    """A page in Swedish that keeps the words; workers wait without filling the log; all goes on by itself."""
    down = 120.0 if request.config.getoption("matrix") else 3.0
    with serving(office, settings) as url:
        filer = party(office.there, url)
        page = filer.prepare()
        office.open()
        office.settle()
        office.rule()
        own_postgres.kill()
        said = len(office.log.read_text().splitlines())
        answer = filer.browser.press(page, FILE)
        assert (answer.status, filer.words in answer.html) == (503, True)
        assert "Systemet kan inte" in answer.text("main")
        quiet = seconds(lambda: threading.Event().wait(down))
        lines = len(office.log.read_text().splitlines()) - said
        assert lines < 20 + 15 * quiet, f"{lines} lines in {quiet:.0f} s"
        own_postgres.start()
        back = clock.now()
        office.receipts.append(filer.file(page))
        office.settle()
    office.report("F14", within=30 - 20, since=back, note=f"{down:.0f} s down, {lines} log lines")

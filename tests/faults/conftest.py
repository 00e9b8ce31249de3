"""Pairs of database and broker for the faults, a mail server, and an office with real workers on them.

A test says `@pytest.mark.fault(bites=PAIR, pairs=ALL)`: `make test` runs it where the fault bites (one pair or
several), `--matrix` on all its pairs. Each runs on servers that it may stop: Redis its own, RabbitMQ a virtual host
behind a proxy.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from celery import Celery
from sqlalchemy import make_url

from casework import clock
from tests import factories
from tests.brokers import rabbit_vhost
from tests.conftest import Set
from tests.faults import pairs, servers
from tests.faults.office import Office
from tests.faults.pairs import Pair
from tests.faults.proxy import Proxy
from tests.faults.servers import Rabbit, Redis
from tests.faults.table import Table
from tests.smtp import SmtpSink


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Where a test runs: the pair where its fault bites, or every pair that its mark names."""
    if "pair" not in metafunc.fixturenames:
        return
    mark = metafunc.definition.get_closest_marker("fault")
    assert mark is not None, f"{metafunc.definition.nodeid} takes a pair and does not say which"
    bites: Pair | tuple[Pair, ...] = mark.kwargs["bites"]
    usual = (bites,) if isinstance(bites, Pair) else bites
    wanted = mark.kwargs.get("pairs", pairs.ALL) if metafunc.config.getoption("matrix") else usual
    metafunc.parametrize(
        "pair",
        [pytest.param(pair, id=str(pair), marks=() if pair.embedded else pytest.mark.services) for pair in wanted],
    )


@pytest.fixture
def table(request: pytest.FixtureRequest) -> Table:
    """Where the test writes its rows."""
    return Table(request.node)


@pytest.fixture(scope="session")
def vhost() -> Iterator[str]:
    """RabbitMQ for this test process."""
    with rabbit_vhost() as url:
        yield url


@pytest.fixture(scope="session")
def own_rabbit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rabbit]:
    """A RabbitMQ node of the tests' own: use with `xdist_group("own-rabbit")`, so that there is one."""
    with servers.own_rabbit(tmp_path_factory.mktemp("rabbit")) as node:
        yield node


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[Redis]:
    """A Redis of the test's own."""
    folder = tmp_path / "redis"
    folder.mkdir()
    with servers.own_redis(folder) as server:
        yield server


@pytest.fixture
def server_url(pair: Pair, request: pytest.FixtureRequest) -> str:
    """The pair's broker itself; empty where it is a folder."""
    if pair.broker == pairs.REDIS:
        redis: Redis = request.getfixturevalue("own_redis")
        return redis.url
    return str(request.getfixturevalue("vhost")) if pair.broker == pairs.RABBITMQ else ""


@pytest.fixture
def way(pair: Pair, server_url: str) -> Iterator[Proxy | None]:
    """The way to the pair's broker, which can be cut; None where the broker is a folder."""
    if not server_url:
        yield None
        return
    with Proxy(make_url(server_url).port or 0) as proxy:
        yield proxy
    if pair.broker == pairs.RABBITMQ:
        with Celery(broker=server_url, set_as_current=False).connection_for_write() as connection:
            connection.default_channel.queue_delete("casework")


@pytest.fixture
def on_pair(pair: Pair, server_url: str, way: Proxy | None, request: pytest.FixtureRequest, settings: Set) -> Pair:
    """The pair, in the settings, with a short lease and a fast clock."""
    request.getfixturevalue(pair.database)
    url = server_url if way is None else server_url.replace(f":{way.target}/", f":{way.port}/")
    settings(broker_url=url, lease_seconds=2, sweep_seconds=0.3, mail_per_domain=0)
    return pair


@pytest.fixture
def office(on_pair: Pair, smtp_sink: SmtpSink, table: Table) -> Iterator[Office]:
    """An office in which nobody works yet, an hour into the session."""
    clock.advance(factories.START + timedelta(hours=1) - clock.now())
    with ExitStack() as stack:
        made = Office(on_pair, table, smtp_sink, factories.federation())
        stack.callback(made.close)
        yield made

"""Web, worker, clock and broker are killed at random while parties file; then all heals, and nothing may be wrong.

`make chaos` runs it for long, `make test` for 20 seconds. The seed stands in the table: `--chaos-seed` repeats it.
"""

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import Appeal
from casework.domain.terms import NoticeState
from casework.settings import get_settings
from tests import factories
from tests.conftest import Set
from tests.faults import pairs, servers
from tests.faults.house import Programs, party, web_command
from tests.faults.office import GRACE, Office
from tests.faults.pairs import Pair
from tests.faults.servers import Redis
from tests.faults.table import Table
from tests.smtp import SmtpSink
from tests.workers.waiting import wait_until

BROKER = "broker"
PROMISED = 90.0
"""Seconds within which all that waits goes out when all has healed (R-CEL4)."""
PATIENCE = 90.0
"""Seconds that a party goes on trying when all has healed."""


class Chaos:
    """Kills something, waits, begins it again, waits."""

    def __init__(self, programs: Programs, port: int, redis: Redis, seed: int) -> None:
        self._programs, self._port, self._redis, self._random = programs, port, redis, random.Random(seed)
        self.kills = dict.fromkeys([*programs.commands, BROKER], 0)

    def run(self, stop: threading.Event) -> None:
        while not stop.wait(self._random.uniform(0.5, 2.5)):
            name = self._random.choice(list(self.kills))
            self.kills[name] += 1
            if name == BROKER:
                self._redis.kill()
                stop.wait(self._random.uniform(0.1, 1.5))
                self._redis.start()
            else:
                self._programs.kill(name)
                stop.wait(self._random.uniform(0.1, 1.0))
                self._programs.start(name)
                while name == "web" and not servers.listens(self._port) and not stop.wait(0.1):
                    pass  # else on a busy machine the web is never up, and nobody files while it goes on


@pytest.mark.services
@pytest.mark.usefixtures("postgres")
def test_chaos(
    own_redis: Redis, smtp_sink: SmtpSink, settings: Set, table: Table, request: pytest.FixtureRequest
) -> None:
    """Every receipt has its row, every mail one end, no mail two copies."""
    option = request.config.getoption
    seed = option("chaos_seed") if option("chaos_seed") is not None else random.SystemRandom().randrange(10**6)
    port = servers.free_port()
    url = f"http://127.0.0.1:{port}"
    settings(broker_url=own_redis.url, lease_seconds=5, sweep_seconds=0.5, mail_per_domain=0, public_base_url=url)
    clock.advance(factories.START + timedelta(hours=1) - clock.now())
    office = Office(Pair(pairs.POSTGRES, pairs.REDIS), table, smtp_sink, factories.federation())
    commands = {"web": web_command(port), "worker": ["tests.faults.staff"], "clock": ["casework.cli", "clock"]}
    programs = Programs(get_settings().data / "chaos.log", commands)
    chaos, over, patience = Chaos(programs, port, own_redis, seed), threading.Event(), threading.Event()
    try:
        for name in commands:
            programs.start(name)
        wait_until(lambda: servers.listens(port), "the web answers")
        killer = threading.Thread(target=chaos.run, args=(over,))
        killer.start()
        with ThreadPoolExecutor(4) as pool:
            parties = [pool.submit(_file, office, url, over, patience, option("chaos_cases")) for _ in range(4)]
            end = time.monotonic() + option("chaos_seconds")
            while time.monotonic() < end and not all(one.done() for one in parties):
                over.wait(0.1)
            over.set()
            killer.join()
            for name in commands:
                programs.start(name)
            healed_at = clock.now()
            losing = threading.Timer(PATIENCE, patience.set)
            losing.start()
            cases = sum(one.result() for one in parties)
            losing.cancel()
        office.settle(seconds=180)
    finally:
        over.set()
        programs.kill_all()
    _judge(office, chaos, cases, seed, healed_at)


def _file(office: Office, url: str, over: threading.Event, patience: threading.Event, most: int) -> int:
    """One party after the other files, until the chaos is over; who never gets a receipt fails the test."""
    filed = 0
    while not over.is_set() and not (most and len(office.receipts) >= most):
        filer = party(office.there, url)
        filer.stop = patience
        office.receipts.append(filer.file(filer.prepare()))
        filed += 1
    return filed


def _judge(office: Office, chaos: Chaos, cases: int, seed: int, healed_at: datetime) -> None:
    with uow() as session:
        appeals = session.exec(select(Appeal.id)).all()
    unsure = len(office.mails(NoticeState.UNSURE))
    kills = ", ".join(f"{name} {count}" for name, count in chaos.kills.items())
    note = f"seed {seed}; {cases} cases; killed: {kills}; {unsure} unsure"
    assert len(appeals) == cases, note
    office.report("chaos", within=PROMISED - GRACE, since=healed_at, note=note)

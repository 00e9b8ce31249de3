"""Web, worker, clock and broker are killed at random while parties file; then all heals, and nothing may be wrong.

`make chaos` runs it for long, `make test` for 20 seconds. The seed stands in the table: `--chaos-seed` repeats it.
"""

import itertools
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
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
from tests.faults.filer import Filer
from tests.faults.house import Programs, party, web_command
from tests.faults.office import GRACE, Office
from tests.faults.pairs import Pair
from tests.faults.servers import Redis
from tests.faults.table import Table
from tests.page import Page
from tests.smtp import SmtpSink

BROKER = "broker"
PROMISED = 90.0
"""Seconds within which all that waits goes out when all has healed (R-CEL4)."""
FILERS = 8
"""So many parties are at their browsers at once."""
WHOLE = 165.0
"""Seconds for all of it, healing and all mails too: three minutes with what pytest does before and after."""


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


class Parties:
    """So many parties as are asked for (0: as many as do); who never gets a receipt fails the test.

    Half of them have come to the last button when the killing begins, so that a slow machine has enough of them.
    """

    def __init__(self, office: Office, url: str, asked: int, patience: threading.Event) -> None:
        self._office, self._url, self._patience = office, url, patience
        self._left = iter(range(asked)) if asked else itertools.count()
        self._lock = threading.Lock()
        self._ready: list[tuple[Filer, Page]] = []
        self.half = asked // 2

    def prepare(self, _number: int) -> None:
        """One more comes to the last button."""
        if (one := self._next()) is not None:
            self._ready.append(one)

    def file(self, over: threading.Event) -> int:
        """One after the other files, until all have or the chaos is over; gives how many."""
        filed = 0
        while not over.is_set() and (one := self._prepared()) is not None:
            filer, page = one
            self._office.receipts.append(filer.file(page))
            filed += 1
        return filed

    def _prepared(self) -> tuple[Filer, Page] | None:
        with self._lock:
            if self._ready:
                return self._ready.pop()
        return self._next()

    def _next(self) -> tuple[Filer, Page] | None:
        with self._lock:
            if next(self._left, None) is None:
                return None
        filer = party(self._office.there, self._url)
        filer.stop = self._patience
        return filer, filer.prepare()


@pytest.mark.services
@pytest.mark.usefixtures("postgres")
def test_chaos(
    own_redis: Redis, smtp_sink: SmtpSink, settings: Set, table: Table, request: pytest.FixtureRequest
) -> None:
    """Every receipt has its row, every mail one end, no mail two copies."""
    end = time.monotonic() + WHOLE
    option = request.config.getoption
    seed = option("chaos_seed") if option("chaos_seed") is not None else random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")  # pytest shows it where the run does not come to its row
    port = servers.free_port()
    url = f"http://127.0.0.1:{port}"
    settings(broker_url=own_redis.url, lease_seconds=5, sweep_seconds=0.5, mail_per_domain=0, public_base_url=url)
    clock.advance(factories.START + timedelta(hours=1) - clock.now())
    there = factories.federation(without_mail=frozenset({"south", "west"}))
    office = Office(Pair(pairs.POSTGRES, pairs.REDIS), table, smtp_sink, there)
    web = web_command(port, processes=1)
    programs = Programs(
        get_settings().data / "chaos.log",
        {"web": web, "worker": ["tests.faults.staff"], "clock": ["casework.cli", "clock"]},
    )
    chaos, over, patience = Chaos(programs, port, own_redis, seed), threading.Event(), threading.Event()
    losing = threading.Timer(WHOLE, patience.set)
    parties = Parties(office, url, option("chaos_cases"), patience)
    try:
        losing.start()
        for name in programs.commands:
            programs.start(name)
        with ThreadPoolExecutor(FILERS) as pool:
            list(pool.map(parties.prepare, range(parties.half)))
            killer = threading.Thread(target=chaos.run, args=(over,))
            killer.start()
            begun = time.monotonic()
            filing = [pool.submit(parties.file, over) for _ in range(FILERS)]
            wait(filing, timeout=option("chaos_seconds"))
            over.set()
            killer.join()
            for name in programs.commands:
                programs.start(name)
            healed_at = clock.now()
            lasted = time.monotonic() - begun
            cases = sum(one.result() for one in filing)
        office.settle(seconds=end - time.monotonic())
    finally:
        over.set()
        patience.set()
        losing.cancel()
        programs.kill_all()
    assert cases >= option("chaos_cases"), f"only {cases} cases in {lasted:.0f} s of chaos"
    _judge(office, chaos, cases, f"seed {seed}; {cases} cases in {lasted:.0f} s", healed_at)


def _judge(office: Office, chaos: Chaos, cases: int, what: str, healed_at: datetime) -> None:
    with uow() as session:
        appeals = session.exec(select(Appeal.id)).all()
    unsure = len(office.mails(NoticeState.UNSURE))
    kills = ", ".join(f"{name} {count}" for name, count in chaos.kills.items())
    note = f"{what}; killed: {kills}; {unsure} unsure"
    assert len(appeals) == cases, note
    office.report("chaos", within=PROMISED - GRACE, since=healed_at, note=note)

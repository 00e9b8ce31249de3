"""Brokers that are down, silent, emptied, restarted or starved, and workers that die or hang (F06–F12).

The rows are the truth: filing never waits for a broker, and what its bells could not say the clock says again.
"""

from uuid import uuid4

import pytest

from casework import clock
from casework.adapters import broker, outbox
from casework.adapters.database import uow
from casework.domain.terms import JobState, NoticeState
from tests.conftest import Set
from tests.faults import pairs, staff
from tests.faults.office import Office, job, lease_and_sweep, seconds
from tests.faults.pairs import Pair
from tests.faults.proxy import Mode, Proxy
from tests.faults.servers import Rabbit, Redis
from tests.faults.test_mail_server import address, mail_to
from tests.workers.probe import mark
from tests.workers.waiting import wait_until

PROMISED = 90.0
"""Seconds within which what was filed without a broker goes out when it is back (R-CEL4)."""
FILED_WITHIN = 1.0
"""Seconds that a filing may take then."""


@pytest.fixture
def filings(request: pytest.FixtureRequest) -> int:
    """How many rulings are given while a broker is away."""
    return 50 if request.config.getoption("matrix") else 3


def file_all(office: Office, filings: int, usual: float) -> None:
    """Each is taken at once, whatever the broker does; `usual` is how long one takes with a broker."""
    slowest = max(seconds(office.rule) for _ in range(filings))
    assert slowest < FILED_WITHIN + usual, f"a filing took {slowest:.2f} s; with the broker {usual:.2f} s"


@pytest.mark.parametrize(("fault", "mode"), [("F07", Mode.REFUSE), ("F08", Mode.BLACKHOLE)], ids=["F07", "F08"])
@pytest.mark.fault(bites=pairs.FULL, pairs=pairs.SERVED)
def test_a_broker_that_is_away_or_silent(office: Office, way: Proxy, filings: int, fault: str, mode: Mode) -> None:
    """F07, F08, X29: filing does not wait, and the notices go when it is back."""
    office.open()
    usual = max(seconds(office.rule) for _ in range(2))
    office.settle()
    way.behave(mode)
    file_all(office, filings, usual)
    way.behave(Mode.PASS)
    back = clock.now()
    office.settle(seconds=PROMISED + 30)
    office.report(fault, within=PROMISED - 20, since=back)


@pytest.mark.fault(bites=pairs.ON_REDIS)
def test_f09_a_broker_that_is_emptied(office: Office, pair: Pair, request: pytest.FixtureRequest) -> None:
    """The bells are gone, on Redis all that it holds; the clock rings for every row."""
    office.rule()
    office.open()
    office.settle()
    office.rule(3)
    if pair.broker == pairs.REDIS:
        import redis

        with redis.Redis.from_url(request.getfixturevalue("own_redis").url) as server:
            server.flushall()
    else:
        with broker.application().connection_for_write() as connection:
            connection.default_channel.queue_delete("casework")
    office.rule(2)
    office.settle()
    office.report("F09", within=PROMISED - 20)


@pytest.mark.fault(bites=pairs.ON_REDIS, pairs=pairs.SERVED)
def test_f10_a_broker_that_restarts_three_times(
    office: Office, pair: Pair, way: Proxy, request: pytest.FixtureRequest
) -> None:
    """X70: Redis itself; the shared RabbitMQ is seen to die by all its connections. The worker takes work again."""
    office.rule()
    office.open()
    office.settle()
    redis: Redis | None = request.getfixturevalue("own_redis") if pair.broker == pairs.REDIS else None
    for _ in range(3):
        if redis is not None:
            redis.kill()
        way.behave(Mode.REFUSE)
        office.rule()
        if redis is not None:
            redis.start()
        way.behave(Mode.PASS)
        office.rule()
    back = clock.now()
    office.settle()
    office.report("F10", within=30 - 20, since=back)


@pytest.mark.xdist_group("own-rabbit")
@pytest.mark.fault(bites=pairs.FULL, pairs=[pair for pair in pairs.ALL if pair.broker == pairs.RABBITMQ])
def test_f11_a_rabbitmq_short_of_memory(office: Office, settings: Set, own_rabbit: Rabbit, filings: int) -> None:
    """It takes no message and says nothing."""
    settings(broker_url=own_rabbit.url)
    office.open()
    usual = max(seconds(office.rule) for _ in range(2))
    office.settle()
    own_rabbit.ctl("set_vm_memory_high_watermark", "0.00001")
    wait_until(lambda: "memory" in own_rabbit.ctl("status"), "the alarm is on")
    file_all(office, filings, usual)
    own_rabbit.ctl("set_vm_memory_high_watermark", "0.4")
    back = clock.now()
    office.settle(seconds=PROMISED + 30)
    office.report("F11", within=PROMISED - 20, since=back)


@pytest.mark.xdist_group("own-rabbit")
@pytest.mark.fault(bites=pairs.FULL, pairs=[pair for pair in pairs.ALL if pair.broker == pairs.RABBITMQ])
def test_f12_a_task_that_hangs(office: Office, settings: Set, own_rabbit: Rabbit) -> None:
    """X37: the worker's own limit ends it long before RabbitMQ, which here waits ten seconds, would shut it out."""
    settings(broker_url=own_rabbit.url)
    conf = broker.application().conf
    assert conf.task_time_limit <= 120  # RabbitMQ's own limit is half an hour
    with uow(write=True) as session:
        hanging = outbox.enqueue(
            session, kind=staff.SLOW, subject_id=uuid4(), case_id=None, dedupe_key="slow", due=clock.now()
        )
    office.open(limit="2")
    wait_until(mark("slow").exists, "it hangs")
    office.rule()
    wait_until(lambda: job(hanging.id).state is JobState.DONE, "it was ended, and done at the second try")
    office.settle()
    assert mark("slow").read_text().split() == ["1", "2"]
    assert "PRECONDITION_FAILED" not in office.log.read_text()
    office.report("F12", within=2 + lease_and_sweep())


@pytest.mark.fault(bites=pairs.EMBEDDED)
def test_f06_a_mail_that_crashes_whoever_writes_it(office: Office, settings: Set) -> None:
    """X39: five tries, each the death of a process; then it is a person's, and all others have gone."""
    settings(lease_seconds=1)
    office.rule()
    office.open(poison=address("north"))
    office.wait_for(NoticeState.HANDED_OVER, 3)
    office.wait_for(NoticeState.FAILED)
    office.settle()
    assert [row.notice.id for row in office.attention(NoticeState.FAILED)] == [mail_to("north").id]
    office.report("F06", within=PROMISED, note="1 failed, 5 tries")

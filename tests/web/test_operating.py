"""What the machines that watch are told: each reading by its fault, without waiting for it (R-HEALTH1)."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text
from sqlmodel import select

from casework import clock
from casework.adapters import database
from casework.adapters.database import uow
from casework.app import create_app
from casework.domain.models import Deadline, Notice, Tick, Timer
from casework.domain.operation import Periodic
from casework.domain.terms import NoticeKind, NoticeState, Role
from casework.domain.watch import TimerState
from casework.services import health
from tests import factories
from tests.conftest import Set
from tests.counting import counted
from tests.page import PageClient
from tests.web import shell
from workers.alarming import Watchman
from workers.handlers import DUTIES

SECRET = "hemligt-for-matningen"
HOUR = timedelta(hours=1)


def just_swept(settings: Set) -> PageClient:
    """An installation where everything has just been done."""
    settings(metrics_token=SECRET)
    clock.advance(factories.START + HOUR - clock.now())
    beat()
    return PageClient(create_app())


@pytest.fixture
def healthy(sqlite: str, settings: Set) -> PageClient:
    return just_swept(settings)


@pytest.fixture
def on_both(database: str, settings: Set) -> PageClient:
    """The same on each kind of database."""
    return just_swept(settings)


def beat() -> None:
    """The clock and a worker do their rounds."""
    for name in (health.SWEEP, health.WORKER):
        DUTIES.sweep(clock.now(), name=name)


def told() -> list[Notice]:
    """A ruling given now, and the mails that tell it, not yet sent."""
    there = factories.federation()
    factories.give_ruling(there, factories.open_case(there), at=clock.now())
    return notices()


def notices() -> list[Notice]:
    with uow() as session:
        return list(session.exec(select(Notice).where(Notice.kind == NoticeKind.RULING)))


def end_as(state: NoticeState) -> None:
    """The first of the mails ends so."""
    with uow(write=True) as session:
        notice = session.exec(select(Notice).where(Notice.kind == NoticeKind.RULING).limit(1)).one()
        others = session.exec(select(Notice).where(Notice.id != notice.id)).all()
        for other in others:
            other.state = NoticeState.HANDED_OVER
        notice.state, notice.held_until = state, None
        session.add_all([notice, *others])


def ready(client: PageClient) -> tuple[int, Any]:
    answer = client.raw("/readyz")
    return answer.status_code, answer.json


def red(client: PageClient) -> set[str]:
    """What `/readyz` calls red; its status must fit."""
    status, said = ready(client)
    assert status == (503 if said["red"] else 200)
    return set(said["red"])


def test_all_is_well(on_both: PageClient) -> None:
    status, said = ready(on_both)
    assert (status, said["status"], said["red"]) == (200, "ready", [])
    assert said["broker"] is True
    assert said["clock_believed"] is True
    assert said["sweep_age_seconds"] < 60
    assert 0 <= said["disk_percent"] < 100


def test_a_database_of_another_version_is_seen(on_both: PageClient) -> None:
    """What else there is to read may not be there, so nothing else is read."""
    with uow(write=True) as session:
        session.connection().execute(text("UPDATE alembic_version SET version_num = '9999'"))
        session.connection().execute(text("DROP TABLE durations"))
        session.connection().execute(text("ALTER TABLE notices RENAME TO notices_of_old"))
    status, said = ready(on_both)
    assert (status, said["red"], said["up_to_date"]) == (503, ["schema"], False)


def test_a_clock_that_is_dead_is_seen_by_all_who_ask(healthy: PageClient) -> None:
    """No sweep for an hour: the clock cannot raise an alarm itself any more."""
    clock.advance(HOUR)
    assert red(healthy) == {"sweep", "worker"}
    assert healthy.raw("/healthz").json["status"] == "late"  # type: ignore[index]  # it is JSON
    beat()
    assert red(healthy) == set()


def test_a_worker_that_is_alive_but_idle_is_seen(on_both: PageClient) -> None:
    """X37, X70: life is progress, not a process."""
    clock.advance(HOUR)
    DUTIES.sweep(clock.now())
    assert red(on_both) == {"worker"}


def test_a_notice_that_is_due_too_long(on_both: PageClient) -> None:
    told()
    clock.advance(timedelta(minutes=14))
    beat()
    assert red(on_both) == set()
    clock.advance(timedelta(minutes=2))
    beat()
    assert red(on_both) == {"overdue"}
    assert ready(on_both)[1]["oldest_due_seconds"] > 900


@pytest.mark.parametrize("state", [NoticeState.UNSURE, NoticeState.FAILED])
def test_a_notice_that_waits_for_a_person_too_long(healthy: PageClient, state: NoticeState) -> None:
    told()
    end_as(state)
    assert red(healthy) == set()
    clock.advance(2 * HOUR)
    beat()
    assert red(healthy) == {state.value}


def test_a_bounced_ruling_is_red_at_once_until_its_letter_is_posted(on_both: PageClient) -> None:
    """R32: a time to appeal hinges on it."""
    told()
    end_as(NoticeState.BOUNCED)
    assert red(on_both) == {"bounced_decision"}
    with uow(write=True) as session:
        bounced = session.exec(select(Notice).where(Notice.state == NoticeState.BOUNCED)).one()
        other = session.exec(select(Notice).where(Notice.state == NoticeState.HANDED_OVER).limit(1)).one()
        other.replaces_id, other.state = bounced.id, NoticeState.POSTED
        session.add(other)
    assert red(on_both) == set()


def test_a_mail_server_that_is_down_a_quarter_of_an_hour(on_both: PageClient, settings: Set) -> None:
    """F17: greylisting of one recipient is not it, and one mail that goes through ends it."""
    told()
    settings(smtp_host="127.0.0.1", smtp_port=1, alarm_due_minutes=600)
    DUTIES.drain()
    assert red(on_both) == set()
    clock.advance(timedelta(minutes=16))
    beat()
    assert red(on_both) == {"mail_server"}
    settings(smtp_host="")
    clock.advance(HOUR)
    DUTIES.drain()
    beat()
    assert red(on_both) == set()


def test_a_broker_that_is_away(healthy: PageClient, settings: Set) -> None:
    settings(broker_url="amqp://127.0.0.1:1//")
    assert red(healthy) == {"broker"}


def test_a_step_that_the_system_could_not_take(healthy: PageClient) -> None:
    told()
    DUTIES.drain()
    with uow(write=True) as session:
        deadline = session.exec(select(Deadline).limit(1)).one()
        row = Timer(
            case_id=deadline.case_id, deadline_id=deadline.id, step="remind:3", due_at=clock.now(), state=TimerState.RED
        )
        session.add(row)
    assert red(healthy) == {"red_steps"}


def test_a_full_disk(healthy: PageClient, settings: Set) -> None:
    settings(alarm_disk_percent=0)
    assert red(healthy) == {"disk"}


def certificate(path: Path, days: float) -> Path:
    """A certificate that is good for so many days from now."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "arenden.bridge.example")])
    now = clock.now()
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=80))
        .not_valid_after(now + timedelta(days=days))
        .sign(key, hashes.SHA256())
    )
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return path


def test_a_certificate_that_soon_ends(healthy: PageClient, settings: Set, tmp_path: Path) -> None:
    """F50: 14 days before; a chain is as good as its weakest link, and a file that is none is an alarm too."""
    file = certificate(tmp_path / "site.pem", 14.5)
    settings(certificate_file=file)
    assert red(healthy) == set()
    assert ready(healthy)[1]["certificate_days"] == 14
    clock.advance(timedelta(days=1))
    beat()
    assert red(healthy) == {"certificate"}
    long = certificate(tmp_path / "other.pem", 90)
    settings(certificate_file=long)
    assert red(healthy) == set()
    long.write_bytes(long.read_bytes() + file.read_bytes())
    assert red(healthy) == {"certificate"}
    settings(certificate_file=tmp_path / "missing.pem")
    assert red(healthy) == {"certificate"}


def test_a_database_that_is_away(healthy: PageClient, settings: Set, tmp_path: Path) -> None:
    settings(database_url=f"sqlite:///{tmp_path / 'nowhere' / 'x.sqlite3'}")
    assert ready(healthy) == (503, {"status": "red", "red": ["database"], "database": False})
    assert measures(healthy)["casework_database_up", ""] == 0
    database.dispose()


def measures(client: PageClient, token: str = SECRET) -> dict[tuple[str, str], float]:
    """(measure, its labels' values) → value."""
    answer = client.client.get("/metrics", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.get_data(as_text=True))
    return {
        (one.name, " ".join(one.labels[name] for name in sorted(one.labels))): one.value
        for family in families
        for one in family.samples
    }


def test_the_measures_say_what_is_due_and_what_went_wrong(on_both: PageClient) -> None:
    waiting = len(told())
    clock.advance(timedelta(minutes=20))
    beat()
    found = measures(on_both)
    assert found["casework_notices", "due"] == waiting
    assert found["casework_oldest_notice_seconds", "due"] >= 1200
    assert found["casework_jobs", "mail yes due"] == waiting
    assert found["casework_alarm", "overdue"] == 1
    assert found["casework_alarm", "sweep"] == 0
    assert found["casework_silence_seconds", "clock"] < 60
    end_as(NoticeState.UNSURE)
    found = measures(on_both)
    assert (found["casework_notices", "due"], found["casework_notices", "unsure"]) == (0, 1)


def test_what_a_person_has_stopped_is_counted(healthy: PageClient) -> None:
    """A decision that nobody is told of is not forgotten: it has an age, and is no fault of the machine's."""
    told()
    end_as(NoticeState.CALLED_BACK)
    clock.advance(HOUR)
    beat()
    assert measures(healthy)["casework_notices", "called_back"] == 1
    assert ready(healthy)[1]["oldest_called_back_seconds"] >= 3600
    assert red(healthy) == set()


def test_the_measures_say_how_long_each_kind_takes(on_both: PageClient) -> None:
    """As histograms: each bucket holds those before it, whichever process did the work."""
    waiting = len(told())
    clock.advance(timedelta(minutes=2))
    DUTIES.drain()
    found = measures(on_both)
    notices = [
        found["casework_notice_duration_seconds_bucket", f"ruling {bound}"] for bound in ("60.0", "300.0", "+Inf")
    ]
    assert notices == [0, waiting, waiting]
    assert found["casework_notice_duration_seconds_count", "ruling"] == waiting
    assert found["casework_notice_duration_seconds_sum", "ruling"] >= 120 * waiting
    assert found["casework_job_duration_seconds_count", "mail"] == waiting
    assert found["casework_job_duration_seconds_sum", "mail"] > 0


@pytest.mark.parametrize("header", [None, "Bearer", "Bearer ", f"Bearer {SECRET}x", "Basic aGVq"])
def test_the_measures_are_not_public(healthy: PageClient, header: str | None) -> None:
    """A proxy on this machine makes everybody seem to come from it: only the secret opens."""
    answer = healthy.client.get("/metrics", headers={"Authorization": header} if header is not None else {})
    assert answer.status_code == 404


def test_without_a_secret_there_are_no_measures(sqlite: str) -> None:
    answer = PageClient(create_app()).client.get("/metrics", headers={"Authorization": "Bearer "})
    assert answer.status_code == 404


def test_a_scrape_takes_as_many_queries_however_much_there_is(on_both: PageClient) -> None:
    empty = queries(lambda: measures(on_both))
    told()
    DUTIES.drain()
    assert queries(lambda: measures(on_both)) == empty <= 10


def queries(deed: Callable[[], object]) -> int:
    with counted() as units:
        deed()
    return sum(len(unit.statements) for unit in units)


def test_nothing_personal_is_told(healthy: PageClient) -> None:
    there = told()
    said = healthy.raw("/readyz").get_data(as_text=True)
    said += healthy.client.get("/metrics", headers={"Authorization": f"Bearer {SECRET}"}).get_data(as_text=True)
    with uow() as session:
        numbers = list(session.execute(text("SELECT number FROM cases")).scalars())
    for word in [notice.address for notice in there] + numbers:
        assert word
        assert word not in said


def test_the_office_reads_what_is_wrong_on_its_start_page(healthy: PageClient) -> None:
    """Though the clock process is dead and could note nothing; who does not tend the system is not troubled."""
    shell.official(Role.OFFICE)
    shell.sign_in(healthy)
    assert healthy.get("/").select(".banner") == []
    clock.advance(HOUR)
    assert "Klockprocessen är tyst" in healthy.get("/").text(".banner")
    beat()
    Watchman().look(clock.now())
    assert healthy.get("/").select(".banner") == []


def test_others_are_not_troubled(healthy: PageClient) -> None:
    shell.official(Role.DIRECTOR)
    shell.sign_in(healthy)
    clock.advance(HOUR)
    assert healthy.get("/").select(".banner") == []


def test_what_waits_on_the_dispatch_page_is_a_link_there(healthy: PageClient) -> None:
    told()
    end_as(NoticeState.BOUNCED)
    Watchman().look(clock.now())
    shell.official(Role.OFFICE)
    shell.sign_in(healthy)
    assert healthy.get("/").one(".banner a").get("href") == "/utskick"


def test_periodic_work_that_is_not_done_is_seen(on_both: PageClient) -> None:
    """The clock sweeps, but reading returned mail breaks each time, or waits for a time that a wrong clock wrote."""
    assert ready(on_both)[1]["periodic_overdue"] == []
    with uow(write=True) as session:
        tick = session.exec(select(Tick).where(Tick.name == Periodic.BOUNCES)).one()
        tick.at = clock.now() + HOUR
        session.add(tick)
    assert red(on_both) == {"periodic"}
    assert ready(on_both)[1]["periodic_overdue"] == ["bounces"]
    shell.official(Role.OFFICE)
    shell.sign_in(on_both)
    page = on_both.get("/klockan").text("main")
    assert "Läsa e-post som har kommit tillbaka" in page
    beat()
    assert red(on_both) == set()

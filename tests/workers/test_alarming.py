"""The clock process raises the alarm: once, to the operator, through a server that works (R-HEALTH1, F17)."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import Alarm, Notice
from casework.domain.operation import AlarmKind
from casework.domain.terms import NoticeState
from casework.services import health
from tests import factories
from tests.conftest import Set
from tests.smtp import SmtpSink
from workers.alarming import Watchman
from workers.handlers import DUTIES

OPERATOR = "drift@bridge.example"
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def second() -> Iterator[SmtpSink]:
    """A mail server for alarms only."""
    with SmtpSink() as sink:
        yield sink


@pytest.fixture(autouse=True)
def operated(sqlite: str, settings: Set, smtp_sink: SmtpSink) -> None:
    """An installation with an operator, where everything has just been done."""
    settings(alarm_mail=OPERATOR)
    clock.advance(factories.START + HOUR - clock.now())
    beat()


def beat() -> None:
    """The clock and a worker do their rounds."""
    for name in (health.SWEEP, health.WORKER):
        DUTIES.sweep(clock.now(), name=name)


def look(watchman: Watchman | None = None) -> None:
    (watchman or Watchman()).look(clock.now())


def alarms() -> list[Alarm]:
    with uow() as session:
        return list(session.exec(select(Alarm).order_by(col(Alarm.began_at))))


def a_bounced_ruling() -> Notice:
    there = factories.federation()
    factories.give_ruling(there, factories.open_case(there), at=clock.now())
    DUTIES.drain()
    with uow(write=True) as session:
        notice = session.exec(select(Notice).limit(1)).one()
        notice.state, notice.proven_at = NoticeState.BOUNCED, None
        session.add(notice)
    return notice


def test_nobody_is_mailed_while_all_is_well(smtp_sink: SmtpSink) -> None:
    look()
    assert smtp_sink.to(OPERATOR) == []
    assert alarms() == []


def test_a_dead_worker_is_told_once_and_again_when_the_mail_is_old(smtp_sink: SmtpSink) -> None:
    """The clock goes on; the worker does not answer."""
    clock.advance(10 * MINUTE)
    for _ in range(3):
        DUTIES.sweep(clock.now())
        look()
        clock.advance(HOUR)
    (mail,) = smtp_sink.to(OPERATOR)
    assert mail.subject == "Larm: Arbetsprocesserna är tysta"
    clock.advance(10 * HOUR)
    DUTIES.sweep(clock.now())
    look()
    assert len(smtp_sink.to(OPERATOR)) == 2
    (alarm,) = alarms()
    assert (alarm.kind, alarm.mails, alarm.ended_at) == (AlarmKind.WORKER, 2, None)


def test_a_start_after_a_pause_is_no_alarm(smtp_sink: SmtpSink) -> None:
    """The worker has not heard its first bell yet."""
    clock.advance(HOUR)
    DUTIES.sweep(clock.now())
    look()
    clock.advance(MINUTE)
    beat()
    look()
    assert smtp_sink.to(OPERATOR) == []


def test_it_ends_and_begins_anew(smtp_sink: SmtpSink) -> None:
    for _ in range(2):
        clock.advance(HOUR)
        for _ in range(2):
            DUTIES.sweep(clock.now())
            look()
            clock.advance(3 * MINUTE)
        beat()
        look()
    assert [alarm.ended_at is not None for alarm in alarms()] == [True, True]
    assert len(smtp_sink.to(OPERATOR)) == 2


def test_what_is_new_is_told_at_once_with_all_that_is_wrong(smtp_sink: SmtpSink) -> None:
    clock.advance(HOUR)
    DUTIES.sweep(clock.now())
    look()
    a_bounced_ruling()
    clock.advance(6 * MINUTE)
    DUTIES.sweep(clock.now())
    look()
    newest = smtp_sink.to(OPERATOR)[-1]
    assert "Arbetsprocesserna är tysta" in newest.text
    assert "Ett domslut eller ett beslut har studsat" in newest.text


def test_the_mail_names_nobody(smtp_sink: SmtpSink) -> None:
    """No name, no address, no case: an operator need not know whose it is."""
    notice = a_bounced_ruling()
    look()
    (mail,) = smtp_sink.to(OPERATOR)
    told = mail.content.decode() + str(mail.message["Subject"]) + mail.text
    for secret in (notice.address, notice.subject, str(notice.id), str(notice.case_id), "SBF-"):
        assert secret
        assert secret not in told


def test_a_mail_server_that_is_down_is_told_through_the_other(
    smtp_sink: SmtpSink, second: SmtpSink, settings: Set
) -> None:
    """F17: no alarm for a quarter of an hour, then one by the second server."""
    settings(alarm_smtp_host=second.host, alarm_smtp_port=second.port)
    there = factories.federation()
    factories.give_ruling(there, factories.open_case(there), at=clock.now())
    smtp_sink.stop()
    DUTIES.drain()
    clock.advance(14 * MINUTE)
    beat()
    look()
    assert second.messages == []
    clock.advance(2 * MINUTE)
    beat()
    look()
    (mail,) = second.to(OPERATOR)
    assert "E-postservern tar inte emot" in mail.text


def test_where_the_second_server_is_down_the_first_is_used(smtp_sink: SmtpSink, settings: Set) -> None:
    settings(alarm_smtp_host="127.0.0.1", alarm_smtp_port=1)
    a_bounced_ruling()
    look()
    assert len(smtp_sink.to(OPERATOR)) == 1


def test_a_mail_that_nobody_took_is_tried_again_soon(smtp_sink: SmtpSink) -> None:
    a_bounced_ruling()
    smtp_sink.stop()
    look()
    smtp_sink.start()
    look()
    assert smtp_sink.to(OPERATOR) == []
    clock.advance(5 * MINUTE)
    beat()
    look()
    assert len(smtp_sink.to(OPERATOR)) == 1


def test_two_clocks_send_one_mail(smtp_sink: SmtpSink) -> None:
    a_bounced_ruling()
    look(Watchman())
    look(Watchman())
    assert len(smtp_sink.to(OPERATOR)) == 1


def test_without_an_operator_it_is_noted_for_the_start_page(smtp_sink: SmtpSink, settings: Set) -> None:
    settings(alarm_mail="")
    a_bounced_ruling()
    before = len(smtp_sink.messages)
    look()
    assert len(smtp_sink.messages) == before
    assert [alarm.kind for alarm in alarms()] == [AlarmKind.BOUNCED_DECISION]


def test_a_database_that_is_away_is_told_after_five_minutes(smtp_sink: SmtpSink, settings: Set, tmp_path: Path) -> None:
    """No row can say so: the process itself remembers."""
    settings(database_url=f"sqlite:///{tmp_path / 'nowhere' / 'x.sqlite3'}")
    watchman = Watchman()
    for _ in range(8):
        look(watchman)
        clock.advance(MINUTE)
    (mail,) = smtp_sink.to(OPERATOR)
    assert mail.subject == "Larm: Databasen svarar inte"

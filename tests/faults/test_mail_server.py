"""Mail servers that are down, hold back, refuse, fall silent or cannot be believed (F17–F23, F40)."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from casework import clock
from casework.adapters.database import uow
from casework.domain.delivery import SmtpPhase
from casework.domain.models import DeliveryTry, Notice, Person
from casework.domain.terms import Channel, NoticeKind, NoticeState
from tests.conftest import Set
from tests.factories import NAMES
from tests.faults import pairs
from tests.faults.invariants import Copy
from tests.faults.office import Office, kill_group, lease_and_sweep
from tests.services.test_reaching import report as bounced
from tests.smtp import SmtpSink, make_certificate
from tests.workers.rude_smtp import SILENCE, RudeServer
from tests.workers.waiting import wait_until

ONE_TRY_MORE = 61.0
"""Seconds after which a first try is made again."""


def address(key: str) -> str:
    return f"medlem{list(NAMES).index(key) + 1}@lindvalla.example"


def mail_to(key: str, kind: NoticeKind = NoticeKind.RULING) -> Notice:
    wanted = select(Notice).where(Notice.address == address(key), Notice.kind == kind, Notice.channel == Channel.MAIL)
    with uow() as session:
        return session.exec(wanted).one()


def tried(notice: Notice) -> list[str]:
    """What the server said at each try, in order."""
    with uow() as session:
        tries = select(DeliveryTry).where(DeliveryTry.notice_id == notice.id).order_by(col(DeliveryTry.at))
        return [each.reply for each in session.exec(tries)]


def all_wait(office: Office, phase: SmtpPhase, count: int = 4) -> None:
    """So many mails have been tried and wait."""
    wait_until(lambda: sum(n.phase is phase for n in office.mails(NoticeState.DUE)) >= count, f"{count} wait: {phase}")
    office.settle()


@pytest.mark.fault(bites=pairs.EMBEDDED, pairs=pairs.DATABASES)
def test_f17_a_server_that_is_down(office: Office) -> None:
    """Tried later and later; nobody is bothered for a quarter of an hour, then the office is."""
    office.sink.stop()
    office.rule()
    office.open()
    all_wait(office, SmtpPhase.CONNECT)
    office.jump(minutes=10)
    wait_until(lambda: len(tried(mail_to("north"))) == 2, "it was tried again")
    office.settle()
    assert office.attention() == []
    office.jump(minutes=6)
    assert len(office.attention(NoticeState.DUE)) == 4
    office.sink.start()
    office.jump(minutes=15)
    back = clock.now()
    office.wait_for(NoticeState.HANDED_OVER, 4)
    office.settle()
    assert office.attention() == []
    office.report("F17", within=0, since=back)


@pytest.mark.fault(bites=pairs.EMBEDDED, pairs=pairs.DATABASES)
def test_f18_a_server_that_greylists(office: Office) -> None:
    office.sink.answer(address("north"), "450 4.2.0 Greylisted")
    office.rule()
    office.open()
    office.wait_for(NoticeState.HANDED_OVER, 3)
    all_wait(office, SmtpPhase.RECIPIENT, 1)
    office.jump(seconds=ONE_TRY_MORE)
    office.wait_for(NoticeState.HANDED_OVER, 4)
    office.settle()
    assert [reply[:3] for reply in tried(mail_to("north"))] == ["450", "250"]
    office.report("F18", within=ONE_TRY_MORE)


@pytest.mark.fault(bites=pairs.EMBEDDED, pairs=pairs.DATABASES)
def test_f19_an_unknown_user(office: Office) -> None:
    """Somebody must look at once, and the same notice waits as a letter."""
    office.sink.answer(address("north"), "550 5.1.1 User unknown", times=9)
    office.rule()
    office.open()
    office.wait_for(NoticeState.BOUNCED)
    office.settle()
    with uow() as session:
        letters = session.exec(select(Notice).where(Notice.channel == Channel.LETTER)).all()
    assert [letter.replaces_id for letter in letters] == [mail_to("north").id]
    assert [row.notice.state for row in office.attention()] == [NoticeState.TO_BE_POSTED]
    office.jump(days=2)
    office.settle()
    office.report("F19", within=0, note="1 bounced")


@pytest.mark.fault(bites=pairs.EMBEDDED, pairs=pairs.DATABASES)
def test_f20_a_mail_that_comes_back(office: Office, settings: Set, tmp_path: Path) -> None:
    box = tmp_path / "studs"
    (box / "new").mkdir(parents=True)
    settings(bounce_maildir=box, mail_return_path="studs@bridge.example")
    office.rule()
    office.open()
    office.wait_for(NoticeState.HANDED_OVER, 4)
    office.jump(hours=1)
    (box / "new" / "1.mx").write_bytes(bounced(mail_to("north").id))
    office.jump(minutes=1)
    office.wait_for(NoticeState.BOUNCED)
    office.settle()
    assert len(office.attention(NoticeState.TO_BE_POSTED)) == 1
    office.report("F20", within=0, note="1 came back")


@pytest.mark.fault(bites=pairs.EMBEDDED, pairs=pairs.DATABASES)
def test_f21_a_server_that_falls_silent_after_the_final_dot(office: Office, settings: Set) -> None:
    """X31: it has the message, or not: never sent again by itself."""
    with RudeServer({"dot": SILENCE}) as server:
        settings(smtp_host=server.host, smtp_port=server.port, smtp_data_timeout=0.3, smtp_timeout=5)
        office.rule()
        office.open()
        office.wait_for(NoticeState.UNSURE)
        kill_group(office.workers[0])  # this server hears one at a time, and it has fallen silent
        office.other_copies += map(Copy.of_bytes, server.taken)
    settings(smtp_host=office.sink.host, smtp_port=office.sink.port)
    office.work()
    office.settle()
    office.jump(days=2)
    office.settle()
    unsure = office.mails(NoticeState.UNSURE)
    assert len(unsure) == len(office.attention(NoticeState.UNSURE)) >= 1
    office.report("F21", within=timedelta(days=2).total_seconds(), note=f"{len(unsure)} unsure")


@pytest.mark.fault(bites=pairs.EMBEDDED, pairs=pairs.DATABASES)
def test_f22_a_server_that_has_had_enough_or_is_slow(office: Office, settings: Set) -> None:
    """X31, X32: who has nothing to do with it does not wait for it, and is not told again with who does."""
    settings(smtp_timeout=1)
    office.sink.answer(address("north"), "421 4.7.0 Too many messages")
    office.sink.wait_with(address("east"), 30)
    office.rule()
    office.open()
    office.wait_for(NoticeState.HANDED_OVER, 2)
    all_wait(office, SmtpPhase.RECIPIENT, 2)
    others = [office.sink.to(address(key)) for key in ("south", "west")]
    assert [len(mails) for mails in others] == [1, 1]
    office.sink.wait_with(address("east"), 0)
    office.jump(seconds=ONE_TRY_MORE)
    office.wait_for(NoticeState.HANDED_OVER, 4)
    office.settle()
    office.report("F22", within=ONE_TRY_MORE)


@pytest.mark.fault(bites=pairs.EMBEDDED, pairs=pairs.DATABASES)
def test_f23_a_line_that_cannot_be_trusted(office: Office, settings: Set, tmp_path: Path) -> None:
    """STARTTLS is stripped, then the certificate is nobody's: nothing is sent, and somebody must look at once."""
    settings(smtp_security="starttls")
    office.rule()
    worker = office.open()
    all_wait(office, SmtpPhase.TLS)
    assert len(office.attention(NoticeState.DUE)) == 4
    office.sink.stop()
    secure = SmtpSink(tls_context=make_certificate(tmp_path))
    secure.port, office.sink = office.sink.port, secure
    with secure:
        office.jump(seconds=ONE_TRY_MORE)
        wait_until(lambda: "CERTIFICATE" in mail_to("north").reply.upper(), "the certificate was looked at")
        office.settle()
        assert secure.messages == []
        kill_group(worker)
        settings(smtp_ca_file=tmp_path / "cert.pem")
        office.work()
        office.jump(minutes=6)
        back = clock.now()
        office.wait_for(NoticeState.HANDED_OVER, 4)
        office.settle()
        office.report("F23", within=lease_and_sweep(), since=back)


@pytest.mark.fault(bites=pairs.EMBEDDED, pairs=pairs.DATABASES)
def test_f40_a_broken_template_in_one_language(office: Office) -> None:
    """The others are told; who cannot be written to becomes somebody's task at once: trying again changes nothing."""
    with uow(write=True) as session:
        session.get_one(Person, office.there.persons["west"]).language = "en"
    office.rule()
    office.open(broken_language="en")
    office.wait_for(NoticeState.HANDED_OVER, 3)
    office.wait_for(NoticeState.FAILED)
    office.settle()
    assert [row.notice.id for row in office.attention(NoticeState.FAILED)] == [mail_to("west").id]
    office.report("F40", within=lease_and_sweep(), note="1 failed")

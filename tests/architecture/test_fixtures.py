"""The shared fixtures do what tests rely on."""

import smtplib
import socket
from email.message import EmailMessage

import pytest
from sqlalchemy import create_engine, inspect

from casework.settings import get_settings
from tests.conftest import Set
from tests.smtp import SmtpSink


@pytest.mark.parametrize("address", ["192.0.2.1", "bridge.example"])
def test_a_test_cannot_leave_this_machine(address: str) -> None:
    with pytest.raises(AssertionError, match=address):
        socket.create_connection((address, 80), timeout=1)


def test_settings_change_for_one_test(settings: Set) -> None:
    assert settings(federation_name="Testförbundet").federation_name == "Testförbundet"
    assert get_settings().testing
    assert get_settings().data.is_dir()


@pytest.mark.parametrize("turn", [1, 2])
def test_each_test_gets_a_migrated_database_of_its_own(database: str, turn: int) -> None:
    assert get_settings().database == database
    engine = create_engine(database)
    with engine.begin() as connection:
        tables = inspect(connection).get_table_names()
        assert "alembic_version" in tables
        assert "left_behind" not in tables
        connection.exec_driver_sql("CREATE TABLE left_behind (turn INTEGER)")
    engine.dispose()


def test_the_mail_server_takes_refuses_and_stops(smtp_sink: SmtpSink) -> None:
    smtp_sink.answer("Full@bridge.example", "452 4.2.2 Mailbox full")
    smtp_sink.answer_data("554 5.7.1 No")
    assert send(smtp_sink, "full@bridge.example") == 452
    assert send(smtp_sink, "full@bridge.example") == 554
    assert send(smtp_sink, "full@bridge.example") == 250
    (message,) = smtp_sink.to("full@bridge.example")
    assert (message.subject, message.text) == ("Överklagande", "Hej\n")
    smtp_sink.stop()
    with pytest.raises(ConnectionRefusedError):
        send(smtp_sink, "full@bridge.example")
    smtp_sink.start()
    assert send(smtp_sink, "other@bridge.example") == 250
    assert len(smtp_sink.wait(2)) == 2


def send(sink: SmtpSink, address: str) -> int:
    """The SMTP status of handing over one message."""
    message = EmailMessage()
    message["Subject"] = "Överklagande"
    message["To"] = address
    message.set_content("Hej")
    with smtplib.SMTP(sink.host, sink.port, timeout=10) as server:
        try:
            server.send_message(message, from_addr="arenden@bridge.example")
        except smtplib.SMTPRecipientsRefused as refused:
            return refused.recipients[address][0]
        except smtplib.SMTPDataError as refused:
            return refused.smtp_code
    return 250

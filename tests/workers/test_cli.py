"""The command line: accounts, the history, the clock, and what doctor says."""

import io
import json
import os
import re
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.adapters.schema import NOT_UP_TO_DATE
from casework.cli import main
from casework.domain.models import Account, Grant
from casework.domain.terms import Role
from casework.settings import get_calendar_settings, get_settings
from tests.conftest import Set
from tests.smtp import SmtpSink

SECRET = "a very secret word of the test"


def test_a_deadline_is_reckoned_without_an_installation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without secrets, database or broker: only the rule and the calendar."""
    monkeypatch.delenv("CASEWORK_TESTING")
    get_settings.cache_clear()
    asked = ["deadline", "--base", "2027-03-12T14:05:00+01:00", "--rule", "14 days", "--language", "en"]
    assert main(asked) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["explanation"].endswith(
        "Day 14 is Good Friday, followed by a Saturday, a Sunday and Easter Monday, so the last day is moved to "
        "Tuesday 30 March 2027."
    )
    assert (answer["unrolled"], answer["last_day"], answer["instant"]) == (
        "2027-03-26", "2027-03-30", "2027-03-30T21:59:59Z"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("base", "rule", "words"),
    [
        ("2027-03-12", "14 days", "is no instant"),
        ("2027-03-12T14:05", "14 days", "offset from UTC"),
        ("tomorrow", "14 days", "is no instant"),
        ("2027-03-12T14:05Z", "14 moons", "is no rule"),
        ("2027-03-12T14:05Z", "-3 days", "at least 1"),
        ("2027-03-12T14:05Z", "999999999 days", "at most 10000"),
        ("0001-01-01T00:00+01:00", "14 days", "from the year 2000 on"),
        ("2027-03-12T14:05Z", "0 days", "at least 1"),
        ("9999-12-30T14:05Z", "1 week", "last date of the calendar"),
    ],
)
def test_what_cannot_be_reckoned_is_said_in_words(
    base: str, rule: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deadline", "--base", base, "--rule", rule]) == 1
    said = capsys.readouterr()
    assert words in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("EXTRA_HOLIDAYS", '["2027-05-07", "2027-5-8"]', '"2027-5-8" is not a day such as 2027-05-07'),
        ("EXTRA_HOLIDAYS", "{}", '"{}" is not a day'),
        ("SMTP_PORT", "abc", '"abc" is not a whole number from 1 to 65535.'),
        ("SMTP_PORT", "0", '"0" is not a whole number from 1 to 65535.'),
        ("MAIL_PER_DOMAIN", "-1", '"-1" is not a whole number from 0 up.'),
        ("SWEEP_SECONDS", "0", '"0" is not a number above 0.'),
        ("DEMO", "kanske", '"kanske" is not true or false.'),
        ("BROKER_URL", "kafka://x", '"kafka://x" is not an address such as amqp://host'),
        ("DATABASE_URL", "postgres://me:word@db/x", '"postgres://…@db/x" is not an address such as'),
        ("PUBLIC_BASE_URL", "foo", '"foo" is not an address such as https://'),
        ("MAIL_FROM", "foo", '"foo" is not a mail address'),
        ("MAIL_RETURN_PATH", "studs@", '"studs@" is not a mail address'),
        ("ALARM_LANGUAGE", "de", '"de" is not one of sv, en.'),
        ("ALARM_REPEAT_HOURS", "inf", '"inf" is not a number from 0 up.'),
        ("SMTP_SECURITY", "ssl", '"ssl" is not one of none, starttls, tls.'),
    ],
)
def test_a_setting_that_cannot_be_read_is_said_in_words(
    variable: str, value: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The variable, what stands there, and what should: never a traceback, whatever the command is."""
    monkeypatch.setenv(f"CASEWORK_{variable}", value)
    get_settings.cache_clear()
    get_calendar_settings.cache_clear()
    assert main(["doctor"]) == 1
    assert f"CASEWORK_{variable}: {sentence}" in capsys.readouterr().err


def test_the_proofs_of_a_case_that_is_not_there_are_not_whole(sqlite: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A slip of the pen is no proof."""
    assert main(["proof", "verify", "SBF-2026-9999"]) == 1
    assert "There is no case SBF-2026-9999." in capsys.readouterr().err


@pytest.mark.parametrize("command", [["proof", "verify"], ["audit", "verify"], ["deadlines", "recalc"]])
def test_a_command_says_that_the_tables_are_not_there(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Of a new database, in one line."""
    assert main(command) == 1
    assert capsys.readouterr().err == NOT_UP_TO_DATE + "\n"


@pytest.mark.parametrize(
    ("setting", "value"), [("lease_seconds", 10), ("lease_seconds", 120), ("smtp_data_timeout", 500)]
)
def test_waits_out_of_order_stop_every_command(
    setting: str, value: float, settings: Set, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """R-ONCE2: the answer to the final dot < soft limit < hard limit < lease; else a mail could go twice."""
    monkeypatch.setenv("CASEWORK_TESTING", "0")
    for key in ("secret_key", "link_key"):
        monkeypatch.setenv(f"CASEWORK_{key.upper()}", SECRET)
    monkeypatch.setenv(f"CASEWORK_{setting.upper()}", str(value))
    get_settings.cache_clear()
    assert main(["doctor"]) == 1
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith(f"CASEWORK_{setting.upper()}: {value} must be ")


@pytest.mark.parametrize(
    ("setting", "missing"),
    [
        ({"bounce_maildir": "/nonexistent"}, "The Maildir /nonexistent is not there"),
        ({"bounce_imap_host": "127.0.0.1", "bounce_imap_port": 1}, "returned mail on 127.0.0.1 cannot be read"),
    ],
)
def test_doctor_looks_where_bounces_come(
    setting: dict[str, object], missing: str, sqlite: str, settings: Set, capsys: pytest.CaptureFixture[str]
) -> None:
    """What came back and is not seen counts as delivered."""
    settings(**setting)
    assert main(["doctor"]) == 1
    assert missing in capsys.readouterr().out


@pytest.mark.parametrize("command", ["web", "worker", "clock", "drain", "migrate", "up", "doctor"])
def test_no_command_begins_with_a_setting_that_cannot_be_read(command: str, settings: Set) -> None:
    """It stops at once, with the one sentence."""
    environment = os.environ | {"CASEWORK_DATABASE_URL": "foo"}
    done = subprocess.run(
        [sys.executable, "-m", "casework.cli", command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == (
        'CASEWORK_DATABASE_URL: "foo" is not an address such as postgresql+psycopg://casework@db/casework.\n'
    )


@pytest.mark.parametrize("written", ["foo", "2027-13-01"])
def test_days_off_that_cannot_be_read_are_said_where_a_time_is_reckoned(
    written: str, settings: Set, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not as a time that cannot be reckoned."""
    monkeypatch.setenv("CASEWORK_EXTRA_HOLIDAYS", written)
    get_calendar_settings.cache_clear()
    assert main(["deadline", "--base", "2027-03-12T14:05Z", "--rule", "14 days"]) == 1
    assert f'CASEWORK_EXTRA_HOLIDAYS: "{written}" is not a day' in capsys.readouterr().err


@pytest.mark.parametrize("command", ["web", "worker", "clock", "drain"])
def test_nothing_is_begun_before_the_database_is_up_to_date(
    command: str, settings: Set, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings(database_url=f"sqlite:///{tmp_path / 'empty.sqlite3'}")
    assert main([command]) == 1
    assert capsys.readouterr().err == "The database is not up to date. Run: casework migrate\n"


def test_nothing_is_begun_with_a_database_of_a_newer_version(sqlite: str, capsys: pytest.CaptureFixture[str]) -> None:
    with uow(write=True) as session:
        session.connection().execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for command in ("web", "worker", "clock", "drain", "doctor"):
        assert main([command]) == 1
        said = "".join(capsys.readouterr())
        assert "The database is of a newer version of casework than this program. Install that version." in said


@pytest.mark.parametrize("written", ['["2027-05-07","2028-05-26"]', "2027-05-07 2028-05-26", "2027-05-07, 2028-05-26"])
def test_days_off_are_read_however_they_are_listed(written: str, settings: Set) -> None:
    settings(extra_holidays=written)
    assert get_calendar_settings().extra_holidays == {date(2027, 5, 7), date(2028, 5, 26)}


def test_an_account_is_made_with_its_roles(
    sqlite: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("rätt häst batteri häftklammer\n"))
    names = ["--member-number", "1", "--given-name", "Anna", "--family-name", "Exempel"]
    assert main(["new-user", "anna", *names, "--role", "office", "--role", "lk_chair"]) == 0
    with uow() as session:
        assert session.exec(select(Account.username)).all() == ["anna"]
        assert set(session.exec(select(Grant.role))) == {Role.OFFICE, Role.LK_CHAIR}
    assert "häftklammer" not in capsys.readouterr().out


def test_a_short_password_is_refused_in_words(
    sqlite: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("kort\n"))
    assert main(["new-user", "anna", "--member-number", "1", "--given-name", "A", "--family-name", "B"]) == 1
    assert capsys.readouterr().err.startswith("Choose a password of at least")


@pytest.mark.parametrize("name", ["Anna\nBeslut:", "Anna\x1b[31m", "Anna\tB"])
def test_a_name_that_breaks_its_line_is_refused_in_words(
    name: str, sqlite: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("rätt häst batteri häftklammer\n"))
    assert main(["new-user", "anna", "--member-number", "1", "--given-name", name, "--family-name", "B"]) == 1
    assert capsys.readouterr().err.startswith("Write it on one line")


@pytest.mark.parametrize(("by", "moved"), [("8d", timedelta(days=8)), ("1d12h", timedelta(days=1.5))])
def test_the_demos_clock_moves(by: str, moved: timedelta) -> None:
    assert main(["demo", "advance", by]) == 0
    assert clock.offset() == moved


@pytest.mark.parametrize("by", ["8", "d", "8x", "8d 3h", "-8d", ""])
def test_a_time_that_is_none_is_refused(by: str) -> None:
    with pytest.raises(SystemExit):
        main(["demo", "advance", "--", by])


def test_a_real_clock_does_not_move(settings: Set) -> None:
    settings(testing=0, secret_key="a" * 32, link_key="b" * 32)
    assert main(["demo", "advance", "8d"]) == 1


def test_doctor_finds_nothing_missing_in_a_healthy_house(sqlite: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    report = capsys.readouterr().out
    assert "MISSING" not in report
    assert "federation rule" in report
    assert "preset, confirm it" in report


def test_doctor_names_what_is_missing_and_no_secret(settings: Set, capsys: pytest.CaptureFixture[str]) -> None:
    settings(
        testing=0,
        secret_key=SECRET,
        link_key=SECRET,
        smtp_password=SECRET,
        broker_url=f"amqp://me:{SECRET.replace(' ', '')}@127.0.0.1:1//",
    )
    assert main(["doctor"]) == 1
    report = capsys.readouterr().out
    for missing in ("casework migrate", "The broker cannot be reached", "CASEWORK_SMTP_HOST"):
        assert missing in report
    assert SECRET not in report
    assert SECRET.replace(" ", "") not in report


def test_the_history_of_no_cases_is_whole(sqlite: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "verify"]) == 0
    assert capsys.readouterr().out == "0 of 0 cases have a whole history.\n"


def test_a_test_mail_says_each_step(smtp_sink: SmtpSink, settings: Set, capsys: pytest.CaptureFixture[str]) -> None:
    """Through each server of the settings: that alarms arrive is seen before there is one."""
    with SmtpSink() as second:
        settings(alarm_smtp_host=second.host, alarm_smtp_port=second.port)
        assert main(["doctor", "--mail", "drift@bridge.example"]) == 0
        assert len(second.to("drift@bridge.example")) == 1
    (mail,) = smtp_sink.to("drift@bridge.example")
    assert mail.subject == "Ett provmejl"
    said = capsys.readouterr().out
    for step in ("connect", "MAIL FROM arenden@bridge.example", "RCPT TO drift@bridge.example", "DATA", "250 OK"):
        assert said.count(f"{step}\n") == 2, step
    assert "FAILED" not in said


def test_a_test_mail_goes_as_a_notice_does(
    smtp_sink: SmtpSink, settings: Set, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sender that the server is shown is a bounce address of its own (VERP), and answers go where they shall."""
    settings(mail_return_path="studs@bridge.example", mail_reply_to="svar@bridge.example")
    assert main(["doctor", "--mail", "drift@bridge.example"]) == 0
    (sent,) = smtp_sink.messages
    assert re.fullmatch(r"studs\+[0-9a-f]{32}@bridge\.example", sent.sender)
    assert sent.message["Reply-To"] == "svar@bridge.example"
    settings(mail_return_path="studs@bridge..example")
    assert main(["doctor", "--mail", "drift@bridge.example"]) == 1
    assert "CASEWORK_MAIL_RETURN_PATH" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("trouble", "line"),
    [
        ("down", "FAILED  connect: "),
        ("unencrypted", "FAILED  encrypt the line (starttls) and check the certificate: "),
        ("recipient", "FAILED  RCPT TO drift@bridge.example: 550 5.1.1 Unknown"),
        ("data", "FAILED  the final dot: 554 5.7.1 No"),
    ],
)
def test_a_test_mail_says_where_it_stopped(
    smtp_sink: SmtpSink, settings: Set, capsys: pytest.CaptureFixture[str], trouble: str, line: str
) -> None:
    if trouble == "down":
        smtp_sink.stop()
    elif trouble == "unencrypted":
        settings(smtp_security="starttls")
    elif trouble == "recipient":
        smtp_sink.answer("drift@bridge.example", "550 5.1.1 Unknown")
    else:
        smtp_sink.answer_data("554 5.7.1 No")
    assert main(["doctor", "--mail", "drift@bridge.example"]) == 1
    assert line in capsys.readouterr().out
    assert smtp_sink.messages == []


def test_a_test_mail_to_no_address(smtp_sink: SmtpSink, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--mail", "drift@bridge.example\nBcc: x@y.example"]) == 1
    assert "is no address" in capsys.readouterr().out

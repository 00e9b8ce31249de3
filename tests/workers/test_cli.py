"""The command line: accounts, the history, the clock, and what doctor says."""

import io
from datetime import timedelta

import pytest
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.cli import main
from casework.domain.models import Account, Grant
from casework.domain.terms import Role
from tests.conftest import Set

SECRET = "a very secret word of the test"


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

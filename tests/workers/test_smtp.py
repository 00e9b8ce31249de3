"""The line to the mail server: encrypted or not taken, signed in, kept open, never waited for too long (F17-F23)."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword

from casework.adapters import smtp
from casework.domain.delivery import SmtpPhase
from casework.domain.terms import JobState
from tests.conftest import Set
from tests.smtp import SmtpSink, make_certificate
from tests.workers.rude_smtp import DRIP, RudeServer
from tests.workers.test_mailing import Journal, letter, send

ANNA = "anna@exempel.example"


@pytest.fixture
def journal(sqlite: str) -> Journal:
    return Journal()


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for this machine, which only who is told trusts."""
    folder = tmp_path_factory.mktemp("certificate")
    make_certificate(folder)
    return folder


@pytest.fixture
def server_side(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    return context


@contextmanager
def listening(settings: Set, server: SmtpSink, **more: object) -> Iterator[SmtpSink]:
    with server:
        settings(smtp_host=server.host, smtp_port=server.port, **more)
        yield server
        smtp.hang_up()


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_certificate_that_is_trusted(
    journal: Journal, settings: Set, server_side: ssl.SSLContext, certificate: Path, security: str
) -> None:
    over: dict[str, object] = {"ssl_context": server_side} if security == "tls" else {"tls_context": server_side}
    with listening(settings, SmtpSink(**over), smtp_security=security, smtp_ca_file=certificate / "cert.pem") as server:
        assert send(journal) is JobState.DONE
        assert send(journal) is JobState.DONE
        assert len(server.messages) == 2


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_certificate_of_nobodys(journal: Journal, settings: Set, server_side: ssl.SSLContext, security: str) -> None:
    """F23: refused, kept, and to be seen at once."""
    over: dict[str, object] = {"ssl_context": server_side} if security == "tls" else {"tls_context": server_side}
    with listening(settings, SmtpSink(**over), smtp_security=security) as server:
        assert send(journal) is JobState.DUE
        assert server.messages == []
    assert [trouble.phase for trouble in journal.tries] == [SmtpPhase.TLS]


def test_encryption_that_is_stripped_on_the_way(journal: Journal, settings: Set) -> None:
    """F23: a server that does not offer STARTTLS gets nothing in the clear, neither mail nor password."""
    with listening(settings, SmtpSink(), smtp_security="starttls", smtp_user="ombud", smtp_password="x") as server:
        assert send(journal) is JobState.DUE
        assert server.messages == []
    assert [trouble.phase for trouble in journal.tries] == [SmtpPhase.TLS]


@pytest.mark.parametrize(("password", "state"), [("fyra", JobState.DONE), ("fem", JobState.DUE)])
def test_signing_in(journal: Journal, settings: Set, password: str, state: JobState) -> None:
    def known(_server: object, _session: object, _envelope: object, _how: str, given: LoginPassword) -> AuthResult:
        return AuthResult(success=given == LoginPassword(b"ombud", b"fyra"))

    server = SmtpSink(authenticator=known, auth_require_tls=False)
    with listening(settings, server, smtp_user="ombud", smtp_password=password, smtp_timeout=2):
        assert send(journal) is state
    assert [trouble.phase for trouble in journal.tries] == [SmtpPhase.LOGIN] * (state is JobState.DUE)


def test_a_message_that_is_larger_than_the_server_takes(journal: Journal, settings: Set) -> None:
    """It is not sent in vain, and a person must look at it."""
    with listening(settings, SmtpSink(data_size_limit=500)) as server:
        journal.letter = letter(text="x" * 1000)
        assert send(journal) is JobState.FAILED
        assert server.messages == []
    assert "500" in journal.told[0][1]


def test_the_line_is_kept_between_messages(journal: Journal, smtp_sink: SmtpSink) -> None:
    for _ in range(3):
        assert send(journal) is JobState.DONE
    assert smtp_sink.greetings == 1
    smtp_sink.answer(ANNA, "550 5.1.1 User unknown")
    assert send(journal) is JobState.BOUNCED
    assert send(journal) is JobState.DONE
    assert smtp_sink.greetings == 1


def test_a_line_that_the_server_has_closed_is_opened_again(journal: Journal, smtp_sink: SmtpSink) -> None:
    assert send(journal) is JobState.DONE
    smtp_sink.stop()
    smtp_sink.start()
    assert send(journal) is JobState.DONE
    assert (len(smtp_sink.messages), smtp_sink.greetings) == (2, 2)


def test_a_server_that_has_had_enough_in_the_middle(journal: Journal, smtp_sink: SmtpSink) -> None:
    """F22: the one waits, the next goes."""
    assert send(journal) is JobState.DONE
    smtp_sink.answer(ANNA, "421 4.7.0 Too many messages")
    assert send(journal) is JobState.DUE
    assert send(journal) is JobState.DONE
    assert smtp_sink.greetings == 2


@pytest.mark.parametrize("step", ["hello", "EHLO", "MAIL", "RCPT"])
def test_a_server_that_sends_a_byte_at_a_time(journal: Journal, settings: Set, step: str) -> None:
    """F22: its answers together have so long and no longer, however many bytes come."""
    with RudeServer({step: DRIP}) as server:
        settings(smtp_host=server.host, smtp_port=server.port, smtp_timeout=0.4)
        begun = monotonic()
        assert send(journal) is JobState.DUE
        assert monotonic() - begun < 5
        smtp.hang_up()


def test_a_mail_server_that_is_ready(settings: Set, smtp_sink: SmtpSink) -> None:
    assert smtp.smtp_ready() == ""
    smtp_sink.stop()
    assert "no answer" in smtp.smtp_ready()

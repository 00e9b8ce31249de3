"""Returned mail on an IMAP server, a real one of our own: each report is brought once, and none is lost (R-PROOF2)."""

import grp
import imaplib
import os
import pwd
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from casework import setup_system
from casework.adapters import bounces, imap
from casework.settings import get_settings
from tests import support
from tests.conftest import Set
from tests.workers.waiting import wait_until

CONFIG = """
protocols = imap
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
listen = 127.0.0.1
first_valid_uid = 1
{ordinary}
ssl = required
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
mail_location = maildir:{folder}/mail/%u
mail_uid = {uid}
mail_gid = {gid}
passdb {{
  driver = static
  args = password=hemligt
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/mail/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""
ORDINARY = """
default_internal_user = {user}
default_login_user = {user}
default_internal_group = {group}
"""
"""Where nobody may change to another user."""
REPORT = """\
To: studs@bridge.example
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; x@y.example
Action: failed
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: <notice-{notice}@bridge.example>
--b--
"""


@dataclass(frozen=True)
class Mailbox:
    """A mailbox of its own on the server that all tests share."""

    port: int
    user: str
    certificate: Path

    def open(self) -> imaplib.IMAP4_SSL:
        trusts = ssl.create_default_context(cafile=str(self.certificate))
        server = imaplib.IMAP4_SSL("localhost", self.port, ssl_context=trusts, timeout=10)
        server.login(self.user, "hemligt")
        return server

    def comes(self, message: str) -> None:
        with self.open() as server:
            assert server.append("INBOX", "", "", message.replace("\n", "\r\n").encode())[0] == "OK"

    def count(self, folder: str, which: str = "ALL") -> int:
        with self.open() as server:
            server.select(folder, readonly=True)
            return len(server.search(None, which)[1][0].split())


@pytest.fixture(scope="session")
def dovecot() -> Iterator[tuple[int, Path]]:
    """Dovecot with a configuration of its own, on a free port of this machine."""
    program = setup_system.dovecot()
    support.need("Dovecot", reachable=program is not None and shutil.which("openssl") is not None)
    folder = Path(tempfile.mkdtemp(prefix="casework-imap-"))  # short: a socket's path has 108 bytes
    names = ["-addext", "subjectAltName=DNS:localhost", "-subj", "/CN=localhost", "-nodes", "-days", "30"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    subprocess.run(["openssl", "req", "-x509", *key, *names, *files], check=True, capture_output=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    root = os.getuid() == 0  # it changes to users of its own, and reads no mail as root
    me = pwd.getpwnam("nobody") if root else pwd.getpwuid(os.getuid())
    group = grp.getgrgid(me.pw_gid).gr_name
    (folder / "mail").mkdir()
    if root:
        folder.chmod(0o755)
        shutil.chown(folder / "mail", me.pw_uid, me.pw_gid)
    config = CONFIG.format(
        folder=folder,
        uid=me.pw_uid,
        gid=me.pw_gid,
        port=port,
        ordinary="" if root else ORDINARY.format(user=me.pw_name, group=group),
    )
    (folder / "dovecot.conf").write_text(config)
    command = [str(program), "-F", "-c", str(folder / "dovecot.conf")]
    with subprocess.Popen(command, start_new_session=True) as process:
        wait_until(lambda: _answers(port), f"Dovecot answers; its log is {folder}/log", seconds=20)
        yield port, folder / "cert.pem"
        process.send_signal(signal.SIGTERM)
    shutil.rmtree(folder, ignore_errors=True)


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@pytest.fixture
def mailbox(dovecot: tuple[int, Path], settings: Set) -> Mailbox:
    """An empty mailbox that the settings name."""
    box = Mailbox(dovecot[0], f"studs-{uuid4().hex[:8]}", dovecot[1])
    settings(
        bounce_imap_host="localhost",
        bounce_imap_port=box.port,
        bounce_imap_user=box.user,
        bounce_imap_password="hemligt",  # the test server's
        bounce_imap_ca_file=box.certificate,
    )
    return box


def here() -> list[UUID]:
    """The notices of which a report lies in the Maildir, unread."""
    maildir = get_settings().bounce_mailbox
    assert maildir is not None
    found = [bounces.read(message) for message in bounces.waiting(maildir, 100)]
    return [each.notice_id for each in found if each]


def test_reports_are_brought_once_and_the_rest_stays_for_a_person(mailbox: Mailbox) -> None:
    first, second = uuid4(), uuid4()
    mailbox.comes(REPORT.format(notice=first))
    mailbox.comes("Subject: Hej\n\nJag undrar en sak.\n")
    mailbox.comes(REPORT.format(notice=second))
    assert imap.bring_reports() == 2
    assert imap.bring_reports() == 0
    assert sorted(here()) == sorted([first, second])
    assert (mailbox.count("INBOX"), mailbox.count("INBOX", "FLAGGED"), mailbox.count("casework")) == (1, 1, 2)
    assert mailbox.count("INBOX", "UNSEEN") == 1  # nobody has read it for the person


def test_what_a_person_has_opened_is_brought_as_well(mailbox: Mailbox) -> None:
    mailbox.comes(REPORT.format(notice=uuid4()))
    with mailbox.open() as server:
        server.select("INBOX")
        server.fetch("1", "(RFC822)")
    assert imap.bring_reports() == 1


def _die(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_crash_between_the_copy_and_the_move_loses_and_doubles_nothing(
    mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    notice = uuid4()
    mailbox.comes(REPORT.format(notice=notice))
    with monkeypatch.context() as crash:
        crash.setattr(imap, "_move", _die)
        with pytest.raises(KeyboardInterrupt):
            imap.bring_reports()
    assert (here(), mailbox.count("INBOX")) == ([notice], 1)
    assert imap.bring_reports() == 1
    assert (here(), mailbox.count("INBOX")) == ([notice], 0)


@pytest.mark.parametrize("wrong", [{"bounce_imap_ca_file": ""}, {"bounce_imap_host": "127.0.0.1"}])
def test_a_server_that_cannot_prove_who_it_is_gets_no_password(
    mailbox: Mailbox, settings: Set, wrong: dict[str, str]
) -> None:
    mailbox.comes(REPORT.format(notice=uuid4()))
    settings(**wrong)
    with pytest.raises(imap.MailboxAway):
        imap.bring_reports()


def test_a_wrong_password_is_said_without_the_password(mailbox: Mailbox, settings: Set) -> None:
    settings(bounce_imap_password="fel-hemlighet")  # wrong on purpose
    with pytest.raises(imap.MailboxAway) as refused:
        imap.bring_reports()
    assert "hemlighet" not in str(refused.value)

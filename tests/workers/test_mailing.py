"""Mail jobs against mail servers that take, refuse, hang up and fall silent (reliability F17-F23, R-ONCE1-3)."""

import hashlib
from dataclasses import dataclass, field, replace
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from uuid import UUID

import pytest
from sqlmodel import Session

from casework import clock
from casework.adapters import mail, outbox, smtp
from casework.adapters.mail import Letter
from casework.adapters.smtp import Handover, Trouble
from casework.domain.delivery import NotNeeded, NotWritten, OurReason
from casework.domain.terms import JobState
from tests.conftest import Set
from tests.smtp import SmtpSink
from tests.workers.conftest import add_job, job
from tests.workers.rude_smtp import HANG_UP, SILENCE, RudeServer
from workers import mailing

ANNA = "anna@exempel.example"
CASE = UUID(int=123)
HEADERS = "From To Subject Date Message-ID In-Reply-To References MIME-Version Content-Type".split()
HEADERS += ["Auto-Submitted", "X-Auto-Response-Suppress"]


def letter(**changes: str) -> Letter:
    usual = Letter(
        sender="arenden@bridge.example",
        to_address=ANNA,
        to_name="Anna Exempel",
        subject="Juryn har avgjort överklagandet",
        text="Hej\n.\nJuryn har ändrat resultatet i bricka 18.\n",
        html='<html lang="sv"><p>Juryn har ändrat resultatet i bricka 18.</p></html>',
        message_id=mail.message_id(UUID(int=7)),
        references=mail.thread_root(CASE),
        case_number="SBF-2026-0123",
    )
    return replace(usual, **changes)  # type: ignore[arg-type]  # all that are changed are texts


@dataclass
class Journal:
    """One letter for every notice, and what came of it."""

    letter: Letter = field(default_factory=letter)
    handovers: list[Handover] = field(default_factory=list)
    told: list[tuple[str, str]] = field(default_factory=list)
    tries: list[Trouble] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)

    def to_send(self, session: Session, notice_id: UUID, now: datetime) -> Letter:
        return self.letter

    def begin_sending(self, session: Session, letter: Letter, now: datetime) -> None:
        pass

    def record_sending(
        self, session: Session, notice_id: UUID, message: mail.Message, now: datetime, remote: str
    ) -> None:
        self.begun.append(message.sha256)

    def record_handover(self, session: Session, notice_id: UUID, handover: Handover) -> None:
        self.handovers.append(handover)

    def record_later(self, session: Session, notice_id: UUID, trouble: Trouble) -> None:
        self.tries.append(trouble)

    def record_not_needed(self, session: Session, notice_id: UUID) -> None:
        self.told.append(("not needed", ""))

    def record_bounce(self, session: Session, notice_id: UUID, trouble: Trouble) -> None:
        self.told.append(("bounce", trouble.reply))
        self.tries.append(trouble)

    def record_unsure(self, session: Session, notice_id: UUID, trouble: Trouble) -> None:
        self.told.append(("unsure", trouble.reply))

    def record_failure(self, session: Session, notice_id: UUID, trouble: Trouble) -> None:
        self.told.append(("failure", trouble.reply))


@pytest.fixture
def journal(database: str) -> Journal:
    return Journal()


def send(journal: Journal) -> JobState | None:
    """Try a mail job once."""
    return outbox.work(add_job("mail"), {"mail": mailing.handler(journal)}, clock.now)


def test_the_proof_is_of_the_very_message(journal: Journal, smtp_sink: SmtpSink) -> None:
    """R-PROOF1: its hash, the server's line, the time."""
    before = clock.now()
    assert send(journal) is JobState.DONE
    (received,), (handover,) = smtp_sink.messages, journal.handovers
    assert hashlib.sha256(received.content).hexdigest() == handover.sha256
    assert received.content == handover.kept
    assert handover.reply.startswith("250 ")
    assert handover.remote == f"{smtp_sink.host}:{smtp_sink.port}"
    assert before <= handover.at <= clock.now()
    assert handover.message_id == received.message["Message-ID"]
    assert journal.begun == [handover.sha256]


def test_a_message_says_what_it_is(journal: Journal, smtp_sink: SmtpSink) -> None:
    """E1-E3: text and HTML, its thread, and that no human wrote it."""
    send(journal)
    (received,) = smtp_sink.messages
    message = received.message
    assert (received.sender, received.recipients) == ("arenden@bridge.example", (ANNA,))
    assert received.subject == "[SBF-2026-0123] Juryn har avgjort överklagandet"
    assert received.text == "Hej\n.\nJuryn har ändrat resultatet i bricka 18.\n"
    assert [part.get_content_type() for part in message.walk()] == ["multipart/alternative", "text/plain", "text/html"]
    assert message["In-Reply-To"] == message["References"] == f"<case-{CASE}@bridge.example>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert received.content.isascii()


def test_a_server_that_says_later_is_asked_again(journal: Journal, smtp_sink: SmtpSink) -> None:
    """F18: greylisting."""
    smtp_sink.answer(ANNA, "450 4.2.0 Greylisted")
    assert send(journal) is JobState.DUE
    assert send(journal) is JobState.DONE
    assert (len(smtp_sink.messages), journal.told) == (1, [])


def test_an_unknown_address_bounces_at_once(journal: Journal, smtp_sink: SmtpSink) -> None:
    """F19: never tried again, and told."""
    smtp_sink.answer(ANNA, "550 5.1.1 User unknown")
    assert send(journal) is JobState.BOUNCED
    assert journal.told == [("bounce", "550 5.1.1 User unknown")]
    (trouble,) = journal.tries
    assert trouble.message is not None
    assert trouble.message.message_id == journal.letter.message_id


@pytest.mark.parametrize(
    ("line", "state"), [("451 4.3.0 Later", JobState.DUE), ("554 5.7.1 We do not like it", JobState.BOUNCED)]
)
def test_an_answer_after_the_final_dot_counts(
    journal: Journal, smtp_sink: SmtpSink, line: str, state: JobState
) -> None:
    smtp_sink.answer_data(line)
    assert send(journal) is state


def test_a_server_that_is_down_is_asked_again(journal: Journal, smtp_sink: SmtpSink) -> None:
    """F17."""
    smtp_sink.stop()
    assert send(journal) is JobState.DUE
    smtp_sink.start()
    assert send(journal) is JobState.DONE


@pytest.mark.parametrize("rudeness", [HANG_UP, SILENCE])
@pytest.mark.parametrize("step", ["hello", "EHLO", "MAIL", "RCPT", "DATA"])
def test_before_the_message_has_gone_out_trouble_means_later(
    journal: Journal, settings: Set, step: str, rudeness: str
) -> None:
    with RudeServer({step: rudeness, "HELO": rudeness if step == "EHLO" else "250 ok"}) as server:
        settings(smtp_host=server.host, smtp_port=server.port, smtp_timeout=0.3)
        assert send(journal) is JobState.DUE
    assert (server.taken, journal.told) == ([], [])


@pytest.mark.parametrize("rudeness", [HANG_UP, SILENCE])
def test_after_the_final_dot_nobody_knows(journal: Journal, settings: Set, rudeness: str) -> None:
    """F21, X31: the server has the message; it is never sent again by itself."""
    with RudeServer({"dot": rudeness}) as server:
        settings(smtp_host=server.host, smtp_port=server.port, smtp_data_timeout=0.3)
        assert send(journal) is JobState.UNSURE
    assert len(server.taken) == 1
    assert [kind for kind, _ in journal.told] == ["unsure"]


class Wordless(Journal):
    """Its letter cannot be made."""

    def to_send(self, session: Session, notice_id: UUID, now: datetime) -> Letter:
        raise NotWritten


@pytest.mark.usefixtures("database")
def test_a_mail_that_cannot_be_made_needs_a_person_at_once(smtp_sink: SmtpSink) -> None:
    """F40: it is not tried again, and the notice says why."""
    journal = Wordless()
    assert send(journal) is JobState.FAILED
    assert journal.told == [("failure", OurReason.NOT_WRITTEN)]
    assert smtp_sink.messages == []


class Needless(Journal):
    """What its letter asks for is done."""

    def to_send(self, session: Session, notice_id: UUID, now: datetime) -> Letter:
        raise NotNeeded


@pytest.mark.usefixtures("database")
def test_a_mail_that_asks_for_what_is_done_is_not_sent(smtp_sink: SmtpSink) -> None:
    """E10: and nobody has to see to it."""
    journal = Needless()
    assert send(journal) is JobState.CALLED_BACK
    assert (journal.told, smtp_sink.messages) == ([("not needed", "")], [])


def test_a_server_that_refuses_us_for_good_needs_a_person(journal: Journal, settings: Set) -> None:
    with RudeServer({"MAIL": "530 5.7.0 Sign in first"}) as server:
        settings(smtp_host=server.host, smtp_port=server.port)
        assert send(journal) is JobState.FAILED
    assert journal.told == [("failure", "530 5.7.0 Sign in first")]


def test_a_server_without_encryption_gets_nothing(journal: Journal, smtp_sink: SmtpSink, settings: Set) -> None:
    """F23: kept, not sent in the clear."""
    settings(smtp_security="starttls")
    assert send(journal) is JobState.DUE
    assert smtp_sink.messages == []


def test_without_a_server_the_demo_keeps_mail_in_its_mailboxes(journal: Journal) -> None:
    assert send(journal) is JobState.DONE
    (handover,) = journal.handovers
    assert handover.remote == smtp.MAILBOX
    assert message_from_bytes(handover.kept, policy=policy.default)["Message-ID"] == handover.message_id


def test_without_a_server_real_mail_waits(journal: Journal, settings: Set) -> None:
    settings(testing=0, secret_key="a" * 32, link_key="b" * 32)
    assert send(journal) is JobState.DUE


def test_a_job_s_row_does_not_name_the_address(journal: Journal, smtp_sink: SmtpSink) -> None:
    smtp_sink.answer(ANNA, f"550 5.1.1 <{ANNA}> User unknown")
    job_id = add_job("mail")
    outbox.work(job_id, {"mail": mailing.handler(journal)}, clock.now)
    assert ANNA not in job(job_id).error


@pytest.mark.parametrize(
    "text",
    [
        "a\rBcc: x@y.example",
        "a\nBcc: x@y.example",
        "a\r\nBcc: x@y.example",
        "a\r\n\r\nbody",
        "a\u2028Bcc: x@y.example",
        "a\x0bb\x00c",
        "=?UTF-8?Q?=0A?=Bcc: x@y.example",
        "trailing\n",
        "Ö" * 300,
        'Anna "Exempel", <x@y.example>',
        "",
    ],
)
def test_no_text_becomes_a_header(journal: Journal, smtp_sink: SmtpSink, text: str) -> None:
    """S-MAIL1: one recipient, the headers we wrote, and the same message when it is parsed and written again."""
    journal.letter = letter(subject=text, to_name=text, sender_name=text)
    assert send(journal) is JobState.DONE
    (received,) = smtp_sink.messages
    message = received.message
    assert received.recipients == (ANNA,)
    assert sorted(message.keys()) == sorted(HEADERS)
    assert [address.addr_spec for address in message["To"].addresses] == [ANNA]
    assert message_from_bytes(message.as_bytes(), policy=policy.SMTP).as_bytes() == message.as_bytes(policy=policy.SMTP)
    assert received.text == letter().text


@pytest.mark.parametrize(
    "address",
    [
        "a@b.example, evil@x.example",
        "a@b.example\nBcc: evil@x.example",
        "a@b.example\u2028",
        "<a@b.example>",
        "a b@c.example",
        "a@",
        "@b.example",
        "a@b..example",
        "a@-b.example",
        "a" * 65 + "@b.example",
        "",
    ],
)
def test_what_is_no_address_bounces(journal: Journal, smtp_sink: SmtpSink, address: str) -> None:
    """S-MAIL1, S-MAIL2: a person must look at it."""
    journal.letter = letter(to_address=address)
    assert send(journal) is JobState.BOUNCED
    assert smtp_sink.messages == []


def test_a_domain_with_letters_of_its_own(journal: Journal, smtp_sink: SmtpSink) -> None:
    """S-MAIL2."""
    journal.letter = letter(to_address="anna@bücher.example")
    assert send(journal) is JobState.DONE
    assert smtp_sink.messages[0].recipients == ("anna@xn--bcher-kva.example",)


def test_an_address_with_letters_of_its_own(journal: Journal, smtp_sink: SmtpSink) -> None:
    """S-MAIL2: where the server takes them."""
    journal.letter = letter(to_address="åsa@exempel.example")
    assert send(journal) is JobState.DONE
    assert smtp_sink.messages[0].recipients == ("åsa@exempel.example",)


def test_an_address_that_the_server_cannot_take(journal: Journal, settings: Set) -> None:
    journal.letter = letter(to_address="åsa@exempel.example")
    with RudeServer({}) as server:
        settings(smtp_host=server.host, smtp_port=server.port)
        assert send(journal) is JobState.BOUNCED


@pytest.mark.parametrize("name", ["Bcc", "to", "X Y", "X:Y", "Content-Type", ""])
def test_an_extra_header_has_a_name_of_its_own(name: str) -> None:
    extra = replace(letter(), headers={name: "x"})
    with pytest.raises(ValueError, match="name of its own"):
        mail.build(extra, clock.now())


def test_what_looks_like_a_link_s_mark_is_sent_as_it_was_typed() -> None:
    """S-LINK3: only the letter's own links are put in, and what else is written keeps its lines."""
    typed = "Se " + "x" * 60 + mail.link_mark(UUID(int=5))
    made = mail.build(replace(letter(text=f"{typed}\n"), secrets={mail.link_mark(UUID(int=6)): "x"}), clock.now())
    assert made.kept == made.mime
    assert all(len(line) <= 76 for line in made.mime.partition(b"\r\n\r\n")[2].splitlines())
    message = message_from_bytes(made.mime, _class=EmailMessage, policy=policy.default)
    assert next(part.get_content() for part in message.iter_parts()).splitlines() == [typed]


def test_the_same_letter_gives_the_same_bytes() -> None:
    now = clock.now()
    assert mail.build(letter(), now) == mail.build(letter(), now)

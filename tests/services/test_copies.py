"""What a mail's bytes are is kept before the first goes, and each copy that may have arrived is proved by itself."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlmodel import Session, select

from casework.adapters import mail
from casework.adapters.database import uow
from casework.adapters.i18n import format_instant, format_value
from casework.adapters.smtp import Handover, Trouble
from casework.domain.delivery import OurReason, SmtpPhase
from casework.domain.models import DeliveryTry, EarlierCopy
from casework.domain.terms import NoticeState
from casework.services import dispatch, notices, reaching
from tests.services.test_notices import LATER, SOON, notice_to, ruled, whole, wrote


def test_each_copy_that_may_have_arrived_is_proved_by_itself(database: str) -> None:
    """R-PROOF1, R-ONCE1: kept before its first byte goes, and not overwritten by what is sent after it."""
    there, case = ruled()
    north, office = notice_to(there, "north").id, there.actor("office")
    first = begun(north, SOON)
    died = Trouble(SOON + timedelta(minutes=4), SmtpPhase.FINAL_DOT, OurReason.WORKER_DIED)
    wrote(lambda session: notices.record_unsure(session, north, died))
    doubt = notice_to(there, "north")
    assert (doubt.sha256, doubt.mime, doubt.remote) == (first.sha256, first.kept, "mail.example:25")
    assert (doubt.subject, doubt.template[:6], doubt.built_at) == (first.subject, "ruling", SOON)
    with uow() as session:
        assert session.exec(select(DeliveryTry.at)).all() == [SOON]
    assert whole() == [True]
    wrote(lambda s: reaching.send_again(s, north, office, now=LATER, although_it_may_be_there=True))
    second = begun(north, LATER)
    assert second.sha256 != first.sha256
    taken = Handover.of(second, at=LATER, remote="mail.example:25", reply="250 ok")
    wrote(lambda session: notices.record_handover(session, north, taken))
    assert whole() == [True, True]
    with uow() as session:
        view = dispatch.notice_page(session, case.case_id, north, office, LATER)
    said = {format_value(key, "sv"): [format_value(line, "sv") for line in lines] for key, lines in view.proof.facts}
    for heading, message, at in (("Vad som skickades tidigare", first, SOON), ("Vad som skickades", second, LATER)):
        assert said[heading][0] == f"Gjort {format_instant(at, 'sv')}, för mejlservern mail.example:25"
        assert f"SHA-256 {message.sha256[:32]} {message.sha256[32:]}" in said[heading]

    def change(session: Session) -> None:
        (copy,) = session.exec(select(EarlierCopy)).all()
        copy.mime = copy.mime.replace(b"Domslut", b"Domslag")

    wrote(change)
    assert whole() == [False, True]


def test_what_the_server_did_not_let_begin_was_not_sent(sqlite: str) -> None:
    there, _ = ruled()
    north = notice_to(there, "north").id
    message = begun(north, SOON)
    wrote(lambda s: notices.record_later(s, north, Trouble(SOON, SmtpPhase.DATA, "451 later", "mx:25", message)))
    kept = notice_to(there, "north")
    assert (kept.state, kept.sha256, kept.mime, kept.subject) == (NoticeState.DUE, "", None, message.subject)


def begun(notice_id: UUID, at: datetime) -> mail.Message:
    """A mail that is about to go, as the worker leaves it before its first byte."""
    with uow() as session:
        message = mail.build(notices.message_for(session, notice_id, at), at)
    wrote(lambda session: notices.record_sending(session, notice_id, message, at, "mail.example:25"))
    return message

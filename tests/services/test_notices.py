"""How sending is recorded: the handover as proof, the window that starts with it, and what did not arrive."""

from collections.abc import Callable
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from hashlib import sha256

import pytest
from sqlmodel import Session, col, select

from casework.adapters import mail
from casework.adapters.database import uow
from casework.adapters.i18n import format_value, render
from casework.adapters.smtp import Handover, Trouble
from casework.cli import main
from casework.domain.delivery import NotWritten, OurReason, SmtpPhase
from casework.domain.errors import NotAllowed
from casework.domain.models import Deadline, DeliveryTry, Event, Link, Notice, OutboxJob
from casework.domain.terms import (
    ActionName,
    AppealRoute,
    Channel,
    DeadlineEnd,
    DeadlineKind,
    NoticeKind,
    NoticeState,
    Side,
)
from casework.domain.workflow.bases import named_start
from casework.services import dispatch, links, notices, reaching
from casework.services import proofs as proofs_of
from tests import factories
from tests.conftest import Set
from tests.factories import START, Federation, OpenCase
from tests.narrator import hand_over
from tests.story import Story

SOON = START + timedelta(minutes=5)
NAMED = named_start(SOON)
"""From when a time runs that a mail of then starts."""
LATER = START + timedelta(hours=2)


def ruled(**federation: object) -> tuple[Federation, OpenCase]:
    """A case whose ruling is given and whose mails wait; the score has been available since the session's start."""
    there = factories.federation(**federation)  # type: ignore[arg-type]
    factories.publish_score(there, at=START)
    case = factories.open_case(there)
    factories.give_ruling(there, case)
    return there, case


def notice_to(there: Federation, key: str, *, channel: Channel = Channel.MAIL) -> Notice:
    """The newest notice to a person by a channel."""
    with uow() as session:
        found = select(Notice).where(Notice.person_id == there.persons[key], Notice.channel == channel)
        notice = session.exec(found.order_by(col(Notice.due_at).desc())).first()
        assert notice is not None
        return notice


def said(reply: str, *, at: datetime) -> Trouble:
    """What the server said to the recipient."""
    return Trouble(at, SmtpPhase.RECIPIENT, reply, "mx.example:25")


def wrote(deed: Callable[[Session], object]) -> None:
    with uow(write=True) as session:
        deed(session)


def window(case: OpenCase, side: Side) -> Deadline:
    """A side's time to appeal the ruling."""
    with uow() as session:
        ours = (Deadline.party_id == case.party_ids[side], Deadline.proceeding_id == case.proceeding_id)
        return session.exec(select(Deadline).where(*ours, Deadline.kind == DeadlineKind.APPEAL_WINDOW)).one()


def proofs(case: OpenCase) -> list[Event]:
    with uow() as session:
        found = select(Event).where(Event.case_id == case.case_id, Event.action == ActionName.RECORD_PROOF)
        return list(session.exec(found.order_by(col(Event.seq))))


def test_the_handover_of_a_ruling_starts_the_partys_window(database: str) -> None:
    """B1.24, R32, R37: from that party's own proven notice, and of no other party."""
    there, case = ruled()
    wrote(lambda session: hand_over(session, notice_to(there, "north").id, SOON))
    mine = window(case, Side.NORTH_SOUTH)
    assert (mine.base, mine.instant) == (NAMED, NAMED + timedelta(minutes=30))
    assert window(case, Side.EAST_WEST).instant is None
    assert notice_to(there, "north").proven_at == SOON


def test_the_partners_later_mail_moves_nothing(sqlite: str) -> None:
    """A party is told when one of its members is."""
    there, case = ruled()
    wrote(lambda session: hand_over(session, notice_to(there, "north").id, SOON))
    wrote(lambda session: hand_over(session, notice_to(there, "south").id, LATER))
    assert window(case, Side.NORTH_SOUTH).base == NAMED
    assert len(proofs(case)) == 2


def test_the_proof_is_kept_with_what_was_sent(database: str) -> None:
    """B2.60, R-PROOF1: server, reply, Message-ID, subject and the hash of the very bytes."""
    there, _ = ruled()
    notice_id = notice_to(there, "north").id
    with uow() as session:
        message = mail.build(notices.message_for(session, notice_id, SOON), SOON)
    handover = Handover.of(message, at=SOON, remote="mx.example:25", reply="250 queued")
    wrote(lambda session: notices.record_handover(session, notice_id, handover))
    kept = notice_to(there, "north")
    assert (kept.state, kept.handed_over_at) == (NoticeState.HANDED_OVER, SOON)
    assert (kept.remote, kept.reply) == ("mx.example:25", "250 queued")
    assert kept.sha256 == sha256(message.mime).hexdigest()
    assert kept.subject == "[SBF-2026-0001] Domslut i bricka 18"
    assert kept.message_id == mail.message_id(notice_id)


def test_a_kept_mail_opens_nothing(sqlite: str) -> None:
    """S-LINK3: the token is stored nowhere; all else is as it was sent."""
    there, _ = ruled()
    notice_id = notice_to(there, "north").id
    with uow() as session:
        message = mail.build(notices.message_for(session, notice_id, SOON), SOON)
        link = session.exec(select(Link).where(Link.person_id == there.persons["north"])).one()
    taken = Handover.of(message, at=SOON, remote="mail.example:25", reply="250 ok")
    wrote(lambda session: notices.record_handover(session, notice_id, taken))
    kept = notice_to(there, "north").mime or b""
    assert links.link_token(link) not in "".join(read(kept))
    with uow() as session:
        assert [notices.with_links(session, notice_id, half) for half in read(kept)] == read(message.mime)
    assert all(len(line) <= 76 for line in message.mime.splitlines())


def read(mime: bytes) -> list[str]:
    """The text half and the HTML half of a mail, decoded."""
    message = message_from_bytes(mime, _class=EmailMessage, policy=policy.default)
    halves = [message.get_body((kind,)) for kind in ("plain", "html")]
    return [str(half.get_content()) for half in halves if half]


def whole(case_number: str = "") -> list[bool]:
    with uow() as session:
        return [found.whole for found in proofs_of.checked(session, case_number)]


def test_a_kept_mail_with_its_links_put_back_is_what_was_sent(database: str) -> None:
    """R-PROOF1: to the byte, whatever has become of the link since."""
    there, _ = ruled()
    for key in ("north", "south", "east"):
        wrote(lambda session, key=key: hand_over(session, notice_to(there, key).id, SOON))  # type: ignore[misc]
    assert whole() == [True] * 3
    with uow() as session:
        link = session.exec(select(Link).where(Link.person_id == there.persons["north"])).one()
    wrote(lambda session: links.replace_link(session, link.id, SOON))
    assert whole("SBF-2026-0001") == [True] * 3
    assert whole("SBF-2026-0002") == []


@pytest.mark.parametrize("both", [False, True])
def test_a_kept_mail_that_was_changed_is_found(sqlite: str, capsys: pytest.CaptureFixture[str], both: bool) -> None:  # noqa: FBT001
    """Also where its hash was changed with it: the case's history holds it too."""
    there, _ = ruled()
    notice_id = notice_to(there, "north").id
    wrote(lambda session: hand_over(session, notice_id, SOON))
    assert main(["proof", "verify"]) == 0

    def change(session: Session) -> None:
        notice = session.get_one(Notice, notice_id)
        assert notice.mime is not None
        notice.mime = notice.mime.replace(b"Domslut", b"Domslag")
        if both:
            notice.sha256 = next(proofs_of.sent_before(session, notice))

    wrote(change)
    assert main(["proof", "verify", "SBF-2026-0001"]) == 1
    assert str(notice_id) in capsys.readouterr().out


def test_how_each_try_went_is_kept(database: str) -> None:
    """R-PROOF1, F18: a later try hides no earlier one."""
    there, _ = ruled()
    notice_id = notice_to(there, "north").id
    wrote(lambda session: notices.record_later(session, notice_id, said("450 4.2.0 Greylisted", at=SOON)))
    assert notice_to(there, "north").state is NoticeState.DUE
    wrote(lambda session: hand_over(session, notice_id, LATER))
    with uow() as session:
        tries = session.exec(select(DeliveryTry).order_by(col(DeliveryTry.at))).all()
    assert [(one.phase, one.reply, one.state) for one in tries] == [
        (SmtpPhase.RECIPIENT, "450 4.2.0 Greylisted", NoticeState.DUE),
        (SmtpPhase.ACCEPTED, "250 ok", NoticeState.HANDED_OVER),
    ]
    kept = notice_to(there, "north")
    assert kept.template.startswith("ruling sv ")
    assert (kept.phase, kept.reply) == (SmtpPhase.ACCEPTED, "250 ok")


def test_a_domain_gets_so_many_mails_a_minute(database: str, settings: Set) -> None:
    """Mail systems refuse who sends too much at once."""
    settings(mail_per_domain=2)
    there, _ = ruled()
    for key, at in (("north", SOON), ("south", SOON + timedelta(seconds=20))):
        wrote(lambda session, key=key, at=at: hand_over(session, notice_to(there, key).id, at))  # type: ignore[misc]
    third = notice_to(there, "east").id
    with uow() as session:
        assert notices.to_send(session, third, SOON + timedelta(seconds=30)) == SOON + timedelta(minutes=1)
        sent = notices.to_send(session, third, SOON + timedelta(minutes=1))
        assert isinstance(sent, mail.Letter)


def test_words_that_do_not_fit_what_has_happened_are_the_offices_task(database: str) -> None:
    """F40: whatever breaks while a mail is written, the notice fails with a reason and needs somebody."""
    there, case = ruled()
    north, office = notice_to(there, "north").id, there.actor("office")
    own = window(case, Side.NORTH_SOUTH).id
    with uow(write=True) as session:
        session.get_one(Deadline, own).ended = DeadlineEnd.MOVED
    with uow() as session, pytest.raises(NotWritten):
        notices.to_send(session, north, SOON)
    trouble = Trouble(SOON, SmtpPhase.WORDS, OurReason.NOT_WRITTEN)
    wrote(lambda session: notices.record_failure(session, north, trouble))
    with uow() as session:
        waiting = dispatch.dispatch(session, office, SOON).attention
        assert [render(row.state, "sv") for row in waiting if row.notice.id == north] == ["Inte skickat"]
        view = dispatch.notice_page(session, case.case_id, north, office, SOON)
    assert "Mejlet kunde inte göras" in "".join(
        format_value(line, "sv") for _, lines in view.proof.facts for line in lines
    )


def test_a_bounce_becomes_a_letter(database: str) -> None:
    """B2.48, B2.50."""
    there, case = ruled()
    notice_id = notice_to(there, "north").id
    wrote(lambda session: notices.record_bounce(session, notice_id, said("550 no such user", at=SOON)))
    wrote(lambda session: notices.record_bounce(session, notice_id, said("550 no such user", at=LATER)))
    letter = notice_to(there, "north", channel=Channel.LETTER)
    assert (letter.state, letter.kind) == (NoticeState.TO_BE_POSTED, NoticeKind.RULING)
    assert notice_to(there, "north").reply == "550 no such user"
    assert window(case, Side.NORTH_SOUTH).instant is None
    with uow() as session:
        assert len(session.exec(select(Notice).where(Notice.channel == Channel.LETTER)).all()) == 1
        assert "Så överklagar du" in notices.letter_for(session, letter.id, LATER).body


def test_what_may_have_gone_out_is_kept(sqlite: str) -> None:
    """R-PROOF1: Message-ID, hash and words of a mail whose last byte went, and of a refused one that no byte did."""
    there, _ = ruled()
    north, east = notice_to(there, "north").id, notice_to(there, "east").id
    with uow() as session:
        messages = [mail.build(notices.message_for(session, one, SOON), SOON) for one in (north, east)]
    doubt = Trouble(SOON, SmtpPhase.FINAL_DOT, "TimeoutError: no answer", "mx.example:25", messages[0])
    refused = Trouble(SOON, SmtpPhase.RECIPIENT, "550 no such user", "mx.example:25", messages[1])
    wrote(lambda session: notices.record_unsure(session, north, doubt))
    wrote(lambda session: notices.record_bounce(session, east, refused))
    gone, held = notice_to(there, "north"), notice_to(there, "east")
    assert (gone.sha256, gone.mime) == (messages[0].sha256, messages[0].kept)
    assert (held.sha256, held.mime) == ("", None)
    for kept in (gone, held):
        assert (kept.message_id, kept.subject) == (mail.message_id(kept.id), "[SBF-2026-0001] Domslut i bricka 18")
        assert kept.template.startswith("ruling")


def test_an_opened_link_proves_a_mail_that_may_have_arrived(database: str) -> None:
    """R-ONCE2: the doubt resolves itself."""
    there, case = ruled()
    notice = notice_to(there, "north")
    wrote(lambda session: notices.record_unsure(session, notice.id, said("the server was silent", at=SOON)))
    assert window(case, Side.NORTH_SOUTH).instant is None
    assert notice.link_id is not None
    link_id = notice.link_id
    wrote(lambda session: notices.note_opened(session, link_id, LATER))
    wrote(lambda session: notices.note_opened(session, link_id, LATER + timedelta(hours=1)))
    kept = notice_to(there, "north")
    assert (kept.state, kept.opened_at, kept.proven_at) == (NoticeState.HANDED_OVER, LATER, LATER)
    assert window(case, Side.NORTH_SOUTH).base == LATER


def test_an_opened_link_leaves_an_earlier_proof_alone(sqlite: str) -> None:
    there, case = ruled()
    notice = notice_to(there, "north")
    wrote(lambda session: hand_over(session, notice.id, SOON))
    assert notice.link_id is not None
    link_id = notice.link_id
    wrote(lambda session: notices.note_opened(session, link_id, LATER))
    assert notice_to(there, "north").opened_at == LATER
    assert window(case, Side.NORTH_SOUTH).base == NAMED
    assert len(proofs(case)) == 1


def test_a_link_proves_nothing_that_was_not_sent(sqlite: str) -> None:
    there, case = ruled()
    notice = notice_to(there, "north")
    wrote(lambda session: notices.record_failure(session, notice.id, said("535 refused", at=SOON)))
    assert notice.link_id is not None
    link_id = notice.link_id
    wrote(lambda session: notices.note_opened(session, link_id, LATER))
    assert notice_to(there, "north").state is NoticeState.FAILED
    assert window(case, Side.NORTH_SOUTH).instant is None


def test_what_was_not_delivered_is_sent_again_to_the_present_address(sqlite: str) -> None:
    there, _ = ruled()
    notice, office = notice_to(there, "north"), there.actor("office")
    with pytest.raises(NotAllowed):
        wrote(lambda session: reaching.send_again(session, notice.id, office, now=SOON))
    wrote(lambda session: notices.record_failure(session, notice.id, said("535 refused", at=SOON)))
    wrote(lambda session: reaching.send_again(session, notice.id, office, now=LATER))
    assert notice_to(there, "north").state is NoticeState.DUE
    with uow() as session:
        jobs = session.exec(select(OutboxJob).where(OutboxJob.subject_id == notice.id)).all()
    assert len(jobs) == 2


def test_a_new_link_goes_to_the_registered_address(sqlite: str) -> None:
    """S-LINK5: to that address and no other."""
    there, _ = ruled()
    with uow(write=True) as session:
        link = session.exec(select(Link).where(Link.person_id == there.persons["east"])).one()
        notices.send_link(session, links.replace_link(session, link.id, SOON), SOON)
    notice = notice_to(there, "east")
    assert (notice.kind, notice.address) == (NoticeKind.LINK, "medlem14@lindvalla.example")
    with uow() as session:
        fresh = links.link_url(session.get_one(Link, link.id))
        assert fresh in notices.with_links(session, notice.id, notices.message_for(session, notice.id, SOON).text)


def test_nobody_without_an_address_is_sent_a_link(sqlite: str) -> None:
    there, _ = ruled(without_mail=frozenset({"east"}))
    with uow(write=True) as session:
        link = session.exec(select(Link).where(Link.person_id == there.persons["east"])).one()
        notices.send_link(session, link, SOON)
    with uow() as session:
        assert session.exec(select(Notice).where(Notice.kind == NoticeKind.LINK)).all() == []


def test_a_demands_last_day_runs_from_its_own_mail(sqlite: str) -> None:
    """R28, R30: each party's time from that party's proof."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.appeal()
    story.forward()
    story.write_papers()
    with uow() as session:
        found = select(Notice, Deadline).join(Deadline, col(Deadline.demand_id) == col(Notice.demand_id))
        asked = session.exec(found.where(Notice.kind == NoticeKind.STATEMENT_DEMANDED)).all()
    assert len(asked) == 4
    first = min(notice.handed_over_at for notice, _ in asked if notice.handed_over_at)
    assert {deadline.base for _, deadline in asked} == {named_start(first)}


def test_a_jurors_every_notice_opens_by_the_link_of_the_seat(sqlite: str) -> None:
    """A juror needs no account: what comes after the first mail has the same way in."""
    story = Story.begun()
    story.rule()
    story.appeal()
    story.forward()
    story.hear()
    juror = story.there.persons["juror_1"]
    with uow() as session:
        told = session.exec(select(Notice).where(Notice.person_id == juror)).all()
    assert {notice.kind for notice in told} == {NoticeKind.SEATED, NoticeKind.SUMMONS}
    assert len({notice.link_id for notice in told}) == 1
    assert None not in {notice.link_id for notice in told}

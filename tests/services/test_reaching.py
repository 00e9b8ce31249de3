"""What came back, what was not opened, and the call or letter in its place (F20, R-PROOF2)."""

from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from uuid import UUID

import pytest
from sqlmodel import Session, col, select

from casework.adapters import bounces, mail
from casework.adapters.database import uow
from casework.domain.delivery import SmtpPhase
from casework.domain.errors import Invalid, NotAllowed
from casework.domain.models import Deadline, Notice, Proceeding
from casework.domain.terms import Channel, DeadlineEnd, NoticeKind, NoticeState, Side, State
from casework.domain.workflow.bases import named_start
from casework.services import notices, posting, reaching
from tests.conftest import Set
from tests.factories import START, Federation
from tests.narrator import hand_over
from tests.services.test_notices import notice_to, ruled, window, wrote
from tests.story import PLAYERS, Story

SOON = START + timedelta(minutes=5)
BACK = START + timedelta(minutes=15)
UNKNOWN = "550 5.1.1 User unknown"


REPORT = """\
From: MAILER-DAEMON@mx.example
To: {to}
Subject: Undelivered
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="=part"

--=part

This is the mail system at mx.example.
--=part
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; x@mx.example
Action: {action}
Status: 5.1.1
Diagnostic-Code: smtp; {said}

--=part
Content-Type: text/rfc822-headers

Subject: Domslut
{quoted}
--=part--
"""


def report(
    notice_id: UUID, *, action: str = "failed", to: str = "arenden@bridge.example", quotes: bool = True
) -> bytes:
    """What a mail system says about a mail, in the three parts of RFC 3464."""
    quoted = f"Message-ID: {mail.message_id(notice_id)}" if quotes else "X-Other: none"
    return REPORT.format(to=to, action=action, said=UNKNOWN, quoted=quoted).encode()


@pytest.fixture
def mailbox(settings: Set, tmp_path: Path) -> Path:
    """The Maildir of what comes back."""
    folder = tmp_path / "studs"
    (folder / "new").mkdir(parents=True)
    settings(bounce_maildir=folder, mail_return_path="studs@bridge.example")
    return folder


def delivered(there: Federation) -> Notice:
    """North's mail, which his server took."""
    wrote(lambda session: hand_over(session, notice_to(there, "north").id, SOON))
    return notice_to(there, "north")


def comes(mailbox: Path, message: bytes, name: str = "1.mx") -> None:
    (mailbox / "new" / name).write_bytes(message)


def look(at: datetime = BACK, *, times: int = 2) -> None:
    """The clock looks into the mailbox."""
    for _ in range(times):
        wrote(lambda session: reaching.read_mailbox(session, at))


@pytest.mark.parametrize("by", ["return path", "message id"])
def test_a_report_of_failure_is_a_bounce(database: str, mailbox: Path, by: str) -> None:
    """F20: the letter takes the mail's place, and the time that ran from the handover does not run."""
    there, case = ruled()
    notice = delivered(there)
    assert window(case, Side.NORTH_SOUTH).instant is not None
    back_to = mail.return_path(notice.id) if by == "return path" else "studs@bridge.example"
    comes(mailbox, report(notice.id, to=back_to, quotes=by == "message id"))
    look()
    kept = notice_to(there, "north")
    assert (kept.state, kept.phase, kept.reply) == (NoticeState.BOUNCED, SmtpPhase.RETURNED, UNKNOWN)
    assert kept.proven_at is None
    letter = notice_to(there, "north", channel=Channel.LETTER)
    assert (letter.state, letter.replaces_id) == (NoticeState.TO_BE_POSTED, notice.id)
    opened = window(case, Side.NORTH_SOUTH)
    assert (opened.base, opened.instant, opened.last_day) == (None, None, None)
    assert [path.name for path in (mailbox / "cur").iterdir()] == ["1.mx:2,S"]


def test_the_partners_proof_stands(sqlite: str, mailbox: Path) -> None:
    """A party is told when one of its members is: his time then runs from what is still proven."""
    there, case = ruled()
    later = SOON + timedelta(minutes=2)
    wrote(lambda session: hand_over(session, notice_to(there, "south").id, later))
    comes(mailbox, report(delivered(there).id))
    look()
    assert window(case, Side.NORTH_SOUTH).base == named_start(later)


def lost(story: Story) -> None:
    """Both mails of the ruling to North–South come back, later than they could have appealed."""
    players = {story.there.persons[key] for key in PLAYERS[Side.NORTH_SOUTH]}
    with uow() as session:
        sent = select(Notice).where(Notice.kind == NoticeKind.RULING, Notice.channel == Channel.MAIL)
        ours = [row.id for row in session.exec(sent) if row.person_id in players]
    for notice_id in ours:
        story.write(
            lambda s, one=notice_id: reaching.record_return(s, one, story.later(), UNKNOWN)  # type: ignore[misc]  # bound to this one
        )


def test_a_ruling_that_never_came_is_not_final(database: str) -> None:
    """R32: who was never told has lost no time, though it seemed to have run out."""
    story = Story.begun()
    story.rule()
    story.publish()
    story.expire(hours=1)
    assert ruling_of(story) is State.FINAL
    lost(story)
    assert ruling_of(story) is State.GIVEN
    mine = window(story.case, Side.NORTH_SOUTH)
    assert (mine.ended, mine.instant) == (None, None)
    assert window(story.case, Side.EAST_WEST).ended is DeadlineEnd.EXPIRED


@pytest.mark.parametrize("since", ["as it was", "stands still", "told and run out"])
def test_who_believed_it_final_is_told_as_it_is_when_the_mail_is_made(sqlite: str, since: str) -> None:
    """R32: the time of who was never told has not begun; it may stand still or have run when the mail is written."""
    story = Story.begun()
    story.rule()
    story.publish()
    story.expire(hours=1)
    lost(story)

    def change(session: Session) -> None:
        row = session.get_one(Deadline, window(story.case, Side.NORTH_SOUTH).id)
        if since == "stands still":
            row.halted_at = story.at
        elif since == "told and run out":
            row.instant, row.ended = story.at, DeadlineEnd.EXPIRED

    story.write(change)
    said = {
        "as it was": ("har inte börjat för par 7: den börjar när sidan har fått besked", "has not begun for pair 7"),
        "stands still": ("är inte slut för par 7 utan står stilla", "is not over for pair 7 but stands still"),
        "told and run out": ("inte gått ut för alla", "had not run out for all"),
    }[since]
    with uow(write=True) as session:
        told = session.exec(select(Notice).where(Notice.kind == NoticeKind.NO_LONGER_FINAL)).all()
        assert {notice.person_id for notice in told} == {
            story.there.persons[key] for key in (*PLAYERS[Side.EAST_WEST], "director")
        }
        for notice in told:
            for language, words in zip(("sv", "en"), said, strict=True):
                notice.language = language
                text = " ".join(notices.message_for(session, notice.id, story.later(days=1)).text.split())
                assert words in text


def test_what_has_been_tried_is_not_opened_by_a_mail_that_comes_back(sqlite: str) -> None:
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal("east", Side.EAST_WEST)
    story.forward()
    story.expire(hours=1)
    story.hear()
    story.decide("juror_1", "juror_2", "juror_3")
    lost(story)
    assert ruling_of(story) is State.TRIED
    assert window(story.case, Side.NORTH_SOUTH).ended is not None


def ruling_of(story: Story) -> State:
    with uow() as session:
        return session.get_one(Proceeding, story.case.proceeding_id).state


def test_a_letter_that_arrives_starts_the_time_anew(sqlite: str, mailbox: Path) -> None:
    there, case = ruled()
    comes(mailbox, report(delivered(there).id))
    look()
    letter, arrived = notice_to(there, "north", channel=Channel.LETTER).id, START + timedelta(days=2)
    office = there.actor("office")
    sent = arrived - timedelta(days=1)
    wrote(lambda session: posting.record_posted(session, letter, office, at=sent, now=sent))
    wrote(
        lambda session: notices.record_arrived(session, letter, office, arrived_at=arrived, note="Kvitto", now=arrived)
    )
    assert window(case, Side.NORTH_SOUTH).base == arrived


def test_two_reports_are_one_bounce(database: str, mailbox: Path) -> None:
    there, _ = ruled()
    notice = delivered(there)
    comes(mailbox, report(notice.id))
    comes(mailbox, report(notice.id), "2.mx")
    look()
    with uow() as session:
        letters = session.exec(select(Notice).where(Notice.channel == Channel.LETTER)).all()
    assert len(letters) == 1
    assert list((mailbox / "new").iterdir()) == []


def test_a_doubtful_mail_that_comes_back_is_a_bounce(sqlite: str, mailbox: Path) -> None:
    """R-ONCE2: the doubt resolves itself."""
    there, _ = ruled()
    notice = delivered(there)

    def doubt(session: object) -> None:
        session.get_one(Notice, notice.id).state = NoticeState.UNSURE  # type: ignore[attr-defined]

    wrote(doubt)
    comes(mailbox, report(notice.id))
    look()
    assert notice_to(there, "north").state is NoticeState.BOUNCED


def test_who_has_opened_the_case_is_told_all_the_same(sqlite: str, mailbox: Path) -> None:
    there, case = ruled()
    notice = delivered(there)
    link = notice.link_id
    assert link is not None
    wrote(lambda session: notices.note_opened(session, link, SOON + timedelta(minutes=1)))
    comes(mailbox, report(notice.id))
    look()
    assert notice_to(there, "north").state is NoticeState.HANDED_OVER
    assert window(case, Side.NORTH_SOUTH).base == named_start(SOON)


@pytest.mark.parametrize("action", ["delayed", "delivered", "relayed", "expanded"])
def test_a_delay_is_no_bounce(database: str, mailbox: Path, action: str) -> None:
    """B2.50: Nor is a receipt."""
    there, _ = ruled()
    comes(mailbox, report(delivered(there).id, action=action))
    look()
    assert notice_to(there, "north").state is NoticeState.HANDED_OVER
    assert [path.name for path in (mailbox / "cur").iterdir()] == ["1.mx:2,F"]


def vacation(notice_id: UUID) -> bytes:
    message = EmailMessage()
    message["From"], message["To"] = "anna@mx.example", mail.return_path(notice_id)
    message["Auto-Submitted"], message["In-Reply-To"] = "auto-replied", mail.message_id(notice_id)
    message.set_content("Jag är bortrest. Action: failed\n")
    return message.as_bytes()


@pytest.mark.parametrize(
    "odd", [b"", b"\xff\x00", b"Content-Type: multipart/report; boundary=\r\n\r\n--", b"A" * 300_000]
)
def test_what_is_no_report_changes_nothing(sqlite: str, mailbox: Path, odd: bytes) -> None:
    """E3: neither an automatic answer nor what is broken opens, sends or stops anything."""
    there, _ = ruled()
    notice = delivered(there)
    comes(mailbox, odd)
    comes(mailbox, vacation(notice.id), "2.mx")
    look()
    kept = notice_to(there, "north")
    assert (kept.state, kept.proven_at) == (NoticeState.HANDED_OVER, SOON)
    assert sorted(path.name for path in (mailbox / "cur").iterdir()) == ["1.mx:2,F", "2.mx:2,F"]


def test_a_report_about_nobodys_mail_is_put_away(sqlite: str, mailbox: Path) -> None:
    comes(mailbox, report(UUID(int=7)))
    look()
    assert bounces.understood(report(UUID(int=7))) is not None
    assert list((mailbox / "new").iterdir()) == []


def test_each_notice_has_a_return_path_of_its_own(sqlite: str, mailbox: Path) -> None:
    """E5."""
    there, _ = ruled()
    notice_id = notice_to(there, "north").id
    with uow() as session:
        message = mail.build(notices.message_for(session, notice_id, SOON), SOON)
    assert message.sender == f"studs+{notice_id.hex}@bridge.example"
    assert b"<arenden@bridge.example>" in message.mime


def unopened(there: Federation) -> list[UUID]:
    """Whose mails the office is asked to see to."""
    with uow() as session:
        found = session.exec(select(Notice).where(col(Notice.unopened_at).is_not(None))).all()
    return [notice.person_id for notice in found]


def test_an_unopened_mail_becomes_a_task_after_the_profiles_days(database: str) -> None:
    """R-PROOF2: the deadline runs, and somebody is asked to see to it that the party knows."""
    there, case = ruled()
    delivered(there)
    early, late = SOON + timedelta(days=3) - timedelta(seconds=1), SOON + timedelta(days=3)
    wrote(lambda session: reaching.find_unopened(session, early))
    assert unopened(there) == []
    wrote(lambda session: reaching.find_unopened(session, late))
    assert unopened(there) == [there.persons["north"]]
    assert window(case, Side.NORTH_SOUTH).base == named_start(SOON)


def test_a_call_is_proof_of_its_own(database: str) -> None:
    """By phone in a doubtful mail's place: from then the party is told."""
    there, case = ruled()
    notice = notice_to(there, "north")

    def doubt(session: object) -> None:
        session.get_one(Notice, notice.id).state = NoticeState.UNSURE  # type: ignore[attr-defined]

    wrote(doubt)
    called, office = START + timedelta(hours=1), there.actor("office")

    def call(at: datetime = called, note: str = "Talade med honom.") -> None:
        wrote(lambda session: reaching.record_call(session, notice.id, office, at=at, note=note, now=called))

    for at, note in ((called + timedelta(minutes=1), "x"), (START - timedelta(days=1), "x"), (called, " ")):
        with pytest.raises(Invalid):
            call(at, note)
    call()
    kept = notice_to(there, "north", channel=Channel.PHONE)
    assert (kept.state, kept.proven_at, kept.proven_by) == (NoticeState.TOLD, called, office.person_id)
    assert kept.replaces_id == notice.id
    assert window(case, Side.NORTH_SOUTH).base == called
    with pytest.raises(NotAllowed):
        call()


def test_a_letter_in_an_unopened_mails_place_leaves_its_proof(sqlite: str) -> None:
    there, case = ruled()
    notice = delivered(there)
    office = there.actor("office")
    with pytest.raises(NotAllowed):
        wrote(lambda session: reaching.send_letter(session, notice.id, office, now=BACK))
    wrote(lambda session: reaching.find_unopened(session, SOON + timedelta(days=4)))
    wrote(lambda session: reaching.send_letter(session, notice.id, office, now=BACK))
    assert notice_to(there, "north", channel=Channel.LETTER).state is NoticeState.TO_BE_POSTED
    assert window(case, Side.NORTH_SOUTH).base == named_start(SOON)

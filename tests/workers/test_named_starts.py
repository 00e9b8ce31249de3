"""The start that a mail names, when the mail server is slow, says "later", or nobody knows (`workflow.bases`)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from uuid import UUID

import pytest
from sqlmodel import Session, col, select

from casework.adapters import mail
from casework.adapters.database import uow
from casework.adapters.smtp import Handover
from casework.app import create_app
from casework.domain.calendar import Span, Unit
from casework.domain.delivery import Outdated
from casework.domain.models import Deadline, Notice
from casework.domain.terms import AppealRoute, JobState, NoticeKind, Side
from casework.domain.workflow.bases import named_start
from casework.domain.workflow.held import HOLD
from casework.services import holding, notices, reaching, rulings, statements, suspending
from tests import ics
from tests.factories import START, Federation, OpenCase
from tests.sending import Sending, entry_of, half
from tests.services.test_budgets import teams
from tests.services.test_notices import notice_to, ruled, said, window, wrote
from tests.smtp import SmtpSink
from tests.web import signing

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
HALF_PAST = START + timedelta(minutes=30)
WINDOW = timedelta(minutes=30)
LETTERS = frozenset({"south", "east", "west"})
"""Who is told by letter, so that one mail goes."""


def on_page(there: Federation, case: OpenCase, key: str = "north") -> ics.Read:
    """The last moment that a party's page offers for his calendar."""
    client = signing.party(create_app(), there, case, key)
    link = client.get(f"/arenden/{case.case_id}").one(".to-calendar a")
    (entry,) = ics.read(client.raw(link.get("href", "")).data)
    return entry


def the_mail(sink: SmtpSink) -> EmailMessage:
    """The only one that came."""
    (received,) = sink.messages
    return received.message


def test_a_server_that_answers_after_the_named_start_gives_more_time(database: str, smtp_sink: SmtpSink) -> None:
    """Never less than the whole time from the proof; the page's entry replaces the mail's."""
    there, case = ruled(without_mail=LETTERS)
    sending = Sending(HALF_PAST)
    smtp_sink.before_reply = lambda: sending.wait(seconds=75)
    assert JobState.DONE in sending.work()
    assert notice_to(there, "north").proven_at == HALF_PAST + 75 * SECOND
    assert window(case, Side.NORTH_SOUTH).instant == HALF_PAST + 75 * SECOND + WINDOW
    sending.read_now()
    told, shown = entry_of(the_mail(smtp_sink)), on_page(there, case)
    assert (told.at, shown.at) == (HALF_PAST + MINUTE + WINDOW, HALF_PAST + 75 * SECOND + WINDOW)
    assert (told.uid, told.sequence + 1) == (shown.uid, shown.sequence)
    assert told.stamp < shown.stamp


def test_a_last_day_is_the_same_where_the_mail_is_taken_after_midnight(sqlite: str, smtp_sink: SmtpSink) -> None:
    """A date counts from the day that the mail names, though it was written the day before."""
    _, case = ruled(settings={"appeal_window": Span(10, Unit.days)}, without_mail=LETTERS)
    midnight = datetime(2026, 11, 30, 23, tzinfo=UTC)
    sending = Sending(midnight - 10 * SECOND)
    smtp_sink.before_reply = lambda: sending.wait(seconds=20)
    sending.work()
    mine = window(case, Side.NORTH_SOUTH)
    assert (mine.base, str(mine.last_day)) == (midnight + MINUTE, "2026-12-11")
    assert entry_of(the_mail(smtp_sink)).at == mine.instant
    assert "fredag 11 december 2026" in half(the_mail(smtp_sink), "plain")


@pytest.mark.parametrize("after_dot", [False, True])
def test_a_mail_that_is_tried_again_names_a_start_of_its_own(
    sqlite: str,
    smtp_sink: SmtpSink,
    after_dot: bool,  # noqa: FBT001
) -> None:
    """F18: what the first try said was read by nobody."""
    there, case = ruled(without_mail=LETTERS)
    if after_dot:
        smtp_sink.answer_data("451 4.7.1 Greylisted")
    else:
        smtp_sink.answer(notice_to(there, "north").address, "450 4.7.1 Greylisted")
    sending = Sending(HALF_PAST)
    assert JobState.DUE in sending.work()
    assert window(case, Side.NORTH_SOUTH).instant is None
    sending.wait(minutes=1)
    assert sending.work() == [JobState.DONE]
    sending.read_now()
    told, shown = entry_of(the_mail(smtp_sink)), on_page(there, case)
    assert told.at == window(case, Side.NORTH_SOUTH).instant == HALF_PAST + 2 * MINUTE + WINDOW
    assert (told.at, told.sequence, told.stamp) == (shown.at, shown.sequence, shown.stamp)


def test_a_mail_whose_start_has_passed_before_it_goes_is_written_anew(database: str, smtp_sink: SmtpSink) -> None:
    """The server took its time before the first byte: nothing has gone yet."""
    _, case = ruled(without_mail=LETTERS)
    sending = Sending(HALF_PAST)
    waits = iter((61,))
    smtp_sink.before_rcpt = lambda: sending.wait(seconds=next(waits, 0))
    ended = sending.work()
    assert ended.count(JobState.DUE) == 1
    assert JobState.DONE in ended
    assert entry_of(the_mail(smtp_sink)).at == window(case, Side.NORTH_SOUTH).instant
    assert window(case, Side.NORTH_SOUTH).base == HALF_PAST + 3 * MINUTE


def test_two_mails_to_a_side_on_their_way_at_once_name_one_start(database: str) -> None:
    there, case = ruled()
    late = HALF_PAST + MINUTE - SECOND
    with uow(write=True) as session:
        first = begun(session, notice_to(there, "north").id, HALF_PAST + SECOND)
        second = begun(session, notice_to(there, "south").id, late + 2 * SECOND)
    assert first.starts == second.starts
    wrote(lambda session: taken(session, notice_to(there, "south").id, second, late + 5 * SECOND))
    wrote(lambda session: taken(session, notice_to(there, "north").id, first, late + 6 * SECOND))
    mine = window(case, Side.NORTH_SOUTH)
    assert {entry(first), entry(second), (mine.instant, mine.changes - 1)} == {(HALF_PAST + 2 * MINUTE + WINDOW, 0)}


def test_no_mail_that_was_taken_promises_more_than_the_side_gets(database: str) -> None:
    """The first is taken late, when the second has named a later start and is still on its way."""
    there, case = ruled()
    with uow(write=True) as session:
        first = begun(session, notice_to(there, "north").id, HALF_PAST)
        second = begun(session, notice_to(there, "south").id, HALF_PAST + 65 * SECOND)
    wrote(lambda session: taken(session, notice_to(there, "north").id, first, HALF_PAST + 70 * SECOND))
    mine = window(case, Side.NORTH_SOUTH)
    assert (mine.instant, mine.changes - 1) == entry(second)
    assert entry(first) < entry(second)


def test_a_mail_written_before_the_partners_was_taken_says_the_same_or_does_not_go(database: str) -> None:
    there, case = ruled()
    with uow(write=True) as session:
        first = begun(session, notice_to(there, "north").id, HALF_PAST)
        second = notices.message_for(session, notice_to(there, "south").id, HALF_PAST + SECOND)
    wrote(lambda session: taken(session, notice_to(there, "north").id, first, HALF_PAST + 70 * SECOND))
    with uow(write=True) as session, pytest.raises(Outdated):
        notices.begin_sending(session, second, HALF_PAST + 2 * SECOND)
    assert window(case, Side.NORTH_SOUTH).instant == HALF_PAST + 70 * SECOND + WINDOW


def stand_still(there: Federation, case: OpenCase) -> Callable[[Session], object]:
    return lambda session: suspending.suspend_times(
        session,
        case.proceeding_id,
        there.actor("director"),
        deadline_ids=[window(case, Side.NORTH_SOUTH).id],
        begins=HALF_PAST,
        ends=None,
        because="Sjukdom.",
        now=HALF_PAST,
    )


def tell_at_the_table(there: Federation, case: OpenCase) -> Callable[[Session], object]:
    return lambda session: rulings.record_telling(
        session,
        case.proceeding_id,
        there.actor("director"),
        person_id=there.persons["south"],
        told_at=START,
        now=HALF_PAST,
    )


@pytest.mark.parametrize("meanwhile", [stand_still, tell_at_the_table])
def test_what_changes_a_time_before_its_mail_goes_has_it_written_anew(
    sqlite: str, meanwhile: Callable[[Federation, OpenCase], Callable[[Session], object]]
) -> None:
    there, case = ruled()
    with uow() as session:
        letter = notices.message_for(session, notice_to(there, "north").id, HALF_PAST)
    wrote(meanwhile(there, case))
    with uow(write=True) as session, pytest.raises(Outdated):
        notices.begin_sending(session, letter, HALF_PAST)


def test_who_was_told_at_the_table_while_his_mail_was_on_its_way_gets_what_the_mail_says(sqlite: str) -> None:
    there, case = ruled()
    with uow(write=True) as session:
        letter = begun(session, notice_to(there, "north").id, HALF_PAST)
    wrote(tell_at_the_table(there, case))
    wrote(lambda session: taken(session, notice_to(there, "north").id, letter, HALF_PAST + SECOND))
    mine = window(case, Side.NORTH_SOUTH)
    assert (mine.instant, mine.changes - 1) == entry(letter)


def test_a_mail_that_is_sent_once_more_in_doubt_replaces_what_the_first_said(sqlite: str) -> None:
    """R-ONCE2: both may be in his mailbox, and the later start holds."""
    there, case = ruled()
    notice_id = notice_to(there, "north").id
    with uow(write=True) as session:
        first = begun(session, notice_id, HALF_PAST)
    wrote(lambda session: notices.record_unsure(session, notice_id, said("", at=HALF_PAST + MINUTE)))
    again = HALF_PAST + timedelta(hours=1)
    office = there.actor("office")
    wrote(lambda session: reaching.send_again(session, notice_id, office, now=again, although_it_may_be_there=True))
    with uow(write=True) as session:
        second = begun(session, notice_id, again)
    wrote(lambda session: taken(session, notice_id, second, again + SECOND))
    mine = window(case, Side.NORTH_SOUTH)
    assert (mine.instant, mine.changes - 1) == entry(second) == (again + MINUTE + WINDOW, 1)
    assert entry(first) == (HALF_PAST + MINUTE + WINDOW, 0)


def test_a_link_opened_at_once_does_not_cut_what_the_mail_says(sqlite: str) -> None:
    """Nobody knew whether the mail had come; its reader has it before the start that it names."""
    there, case = ruled()
    notice = notice_to(there, "north")
    link_id = notice.link_id
    assert link_id is not None
    with uow(write=True) as session:
        letter = begun(session, notice.id, HALF_PAST)
    wrote(lambda session: notices.record_unsure(session, notice.id, said("", at=HALF_PAST + SECOND)))
    wrote(lambda session: notices.note_opened(session, link_id, HALF_PAST + 2 * SECOND))
    assert notice_to(there, "north").proven_at == HALF_PAST + 2 * SECOND
    assert (window(case, Side.NORTH_SOUTH).instant, 0) == entry(letter)


@pytest.mark.parametrize("stopped", [False, True])
def test_no_time_counts_while_a_mail_is_held(sqlite: str, smtp_sink: SmtpSink, stopped: bool) -> None:  # noqa: FBT001
    """U10: what is sent to many names a start when it goes, not when it was asked for or stopped."""
    story = teams(8, AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.report()
    director, newest = story.actors["director"], story.newest()
    story.write(lambda s: statements.demand_statements(s, newest, director, question="Hur lång?", now=story.at))
    goes = story.at + HOLD
    if stopped:
        goes = story.at + timedelta(days=2, seconds=1)
        first = demands()[0].id
        story.write(lambda s: holding.call_back(s, first, director, because="Fel fråga.", now=story.at))
        story.write(lambda s: holding.send_now(s, first, director, now=goes))
    assert set(Sending(goes).work()) == {JobState.DONE, JobState.CALLED_BACK}  # what asked for what is done
    with uow() as session:
        rows = session.exec(select(Deadline).where(col(Deadline.demand_id).is_not(None))).all()
    assert {row.base for row in rows} == {named_start(goes)}
    asked = {mail.message_id(notice.id) for notice in demands()}
    told = [entry_of(each.message).at for each in smtp_sink.messages if each.message["Message-ID"] in asked]
    assert len(told) == len(asked) == 16
    assert set(told) == {row.instant for row in rows}


def demands() -> list[Notice]:
    with uow() as session:
        return list(session.exec(select(Notice).where(Notice.kind == NoticeKind.STATEMENT_DEMANDED)))


def begun(session: Session, notice_id: UUID, now: datetime) -> mail.Letter:
    """A mail written and on its way at `now`."""
    letter = notices.message_for(session, notice_id, now)
    notices.begin_sending(session, letter, now)
    session.expire_all()
    return letter


def taken(session: Session, notice_id: UUID, letter: mail.Letter, at: datetime) -> None:
    """The server takes it."""
    message = mail.build(letter, at)
    notices.record_handover(session, notice_id, Handover.of(message, at=at, remote="mx.example:25", reply="250 ok"))


def entry(letter: mail.Letter) -> tuple[datetime, int]:
    """When the time ends by the mail's calendar file, and which version of it that is."""
    assert letter.calendar is not None
    (found,) = ics.read(letter.calendar.content)
    return found.at, found.sequence

"""The calendar file that goes with a mail: its time is the mail's, and it opens nothing (C1, C2, R-PROOF1)."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from uuid import uuid4

import pytest
from sqlmodel import col, select

from casework import clock
from casework.adapters.database import uow
from casework.adapters.i18n import render
from casework.adapters.mail import build
from casework.cli import main
from casework.domain.calendar import Span, Unit
from casework.domain.models import Deadline, Event, Link, Notice, Panel, Presence
from casework.domain.terms import ActionName, AppealRoute, DeadlineEnd, DeadlineKind, NoticeKind, Side
from casework.services import appeals, links, notices, queries, receipts
from casework.services.appeals import AppealInput
from casework.services.step import FormInstance
from tests import factories, ics
from tests.factories import NAMES
from tests.kept import kept
from tests.story import Story


def sent(story: Story, kind: NoticeKind, key: str) -> EmailMessage:
    """The newest mail of a kind to a person, as it is kept."""
    with uow() as session:
        mine = select(Notice).where(Notice.kind == kind, Notice.person_id == story.there.persons[key])
        notice = session.exec(mine.order_by(col(Notice.due_at).desc())).first()
    assert notice is not None
    assert notice.mime is not None
    return message_from_bytes(notice.mime, _class=EmailMessage, policy=policy.default)


def file(message: EmailMessage) -> bytes:
    """Its calendar file, byte by byte."""
    (part,) = message.iter_attachments()
    assert part.get_content_type() == "text/calendar"
    assert part.get_content_charset() == "utf-8"
    assert part.get_filename() == "SBF-2026-0001.ics"
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert {entry.method for entry in ics.read(content)} == {part.get_param("method")}
    return content


def text(message: EmailMessage) -> str:
    """Its text half."""
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def entry(story: Story, kind: NoticeKind, key: str) -> ics.Read:
    """The one time in it."""
    (found,) = ics.read(file(sent(story, kind, key)))
    return found


def without_file(story: Story, kind: NoticeKind, keys: Iterable[str]) -> bool:
    return not any(list(sent(story, kind, key).iter_attachments()) for key in keys)


@kept
def called(attends: str | None = None) -> Story:
    """A jury is called to a hearing, and who `attends` from LK with it."""
    story = Story.begun(languages={"east": "en"})
    if attends:
        with uow(write=True) as session:
            here, person = story.there.tournament_id, story.there.persons[attends]
            session.add(Presence(tournament_id=here, person_id=person, registered_at=factories.START))
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.compose()
    story.declare()
    story.call()
    return story


def hearing() -> Panel:
    with uow() as session:
        return session.exec(select(Panel)).one()


def test_a_summons_carries_the_hearing_for_parties_and_panel(sqlite: str) -> None:
    story = called()
    mine = entry(story, NoticeKind.SUMMONS, "north")
    assert (mine.at, mine.place, mine.sequence) == (hearing().hearing_at, "Rum 3", 0)
    assert mine.title == "Sammanträde, SBF-2026-0001"
    assert "det är ärendets sida som gäller" in mine.text
    assert entry(story, NoticeKind.SUMMONS, "east").title == "Hearing, SBF-2026-0001"
    juror = entry(story, NoticeKind.SUMMONS, "juror_1")
    assert (juror.uid, juror.at, juror.sequence) == (mine.uid, mine.at, 0)


def test_the_same_mail_is_the_same_bytes(sqlite: str) -> None:
    """R-ONCE2: its parts are told apart by what the notice's row says."""
    called()
    with uow() as session:
        told = session.exec(select(Notice.id).where(Notice.kind == NoticeKind.SUMMONS)).first()
        assert told is not None
        once, again = (build(notices.message_for(session, told, factories.START), factories.START) for _ in range(2))
    assert once.mime == again.mime


def test_a_hearing_stays_one_entry_through_new_calls_until_it_is_called_off(sqlite: str) -> None:
    story = called()
    first = entry(story, NoticeKind.SUMMONS, "east")
    story.later(minutes=20)
    story.call("Rum 4")
    second = entry(story, NoticeKind.SUMMONS, "east")
    assert (second.at, second.place) == (hearing().hearing_at, "Rum 4")
    assert second.at > first.at
    story.withdraw()
    last = entry(story, NoticeKind.APPEAL_WITHDRAWN, "east")
    assert (last.status, last.title) == ("CANCELLED", "Hearing called off, SBF-2026-0001")
    assert "The hearing is called off." in str(sent(story, NoticeKind.APPEAL_WITHDRAWN, "east").get_body(("plain",)))
    assert {first.uid} == {second.uid, last.uid}
    assert first.sequence < second.sequence < last.sequence
    assert first.stamp < second.stamp < last.stamp
    assert entry(story, NoticeKind.APPEAL_WITHDRAWN, "juror_1").status == "CANCELLED"


def test_the_director_has_the_hearing_in_his_calendar_until_it_is_called_off(sqlite: str) -> None:
    """R25, R26: he presents the case, so it is moved for him as for the others, and taken out when it is withdrawn."""
    story = called()
    first, theirs = entry(story, NoticeKind.SUMMONS, "director"), entry(story, NoticeKind.SUMMONS, "north")
    assert (first.uid, first.at, first.place, first.method) == (theirs.uid, theirs.at, "Rum 3", "PUBLISH")
    story.later(minutes=20)
    story.call("Rum 4")
    second = entry(story, NoticeKind.SUMMONS, "director")
    assert (second.at, second.place, second.method) == (hearing().hearing_at, "Rum 4", "PUBLISH")
    story.withdraw()
    last = entry(story, NoticeKind.APPEAL_WITHDRAWN, "director")
    assert (last.status, last.method, last.at) == ("CANCELLED", "CANCEL", second.at)
    assert {first.uid} == {second.uid, last.uid}
    assert first.sequence < second.sequence < last.sequence
    assert "Sammanträdet är inställt." in text(sent(story, NoticeKind.APPEAL_WITHDRAWN, "director"))


def test_an_appeal_that_is_withdrawn_before_the_call_takes_nothing_out_of_the_directors_calendar(sqlite: str) -> None:
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.compose()
    story.declare()
    story.withdraw()
    assert without_file(story, NoticeKind.APPEAL_WITHDRAWN, ["director", "juror_1"])


def test_who_attends_from_the_law_commission_learns_that_the_hearing_is_off(sqlite: str) -> None:
    """R17: called like the others, and not left to come in vain."""
    story = called(attends="lk_2")
    first = entry(story, NoticeKind.SUMMONS, "lk_2")
    story.withdraw()
    last = entry(story, NoticeKind.APPEAL_WITHDRAWN, "lk_2")
    assert (last.uid, last.status) == (first.uid, "CANCELLED")


def test_an_appeal_withdrawn_before_any_call_sends_no_file(sqlite: str) -> None:
    story = Story.begun()
    story.rule()
    story.appeal()
    story.withdraw()
    assert without_file(story, NoticeKind.APPEAL_WITHDRAWN, ["north", "east"])


def test_a_ruling_whose_time_has_not_started_carries_no_file(sqlite: str) -> None:
    story = Story.begun()
    story.rule()
    assert without_file(story, NoticeKind.RULING, ["north", "east"])
    story.publish()
    mine = entry(story, NoticeKind.WINDOW_OPEN, "north")
    assert mine.title == "Tiden går ut, SBF-2026-0001"
    assert mine.alarm is None  # its thirty minutes began today


def test_more_time_is_the_same_entry_moved(sqlite: str) -> None:
    story = Story.begun()
    story.rule()
    story.publish()
    first = entry(story, NoticeKind.WINDOW_OPEN, "north")
    story.prolong()
    second = entry(story, NoticeKind.WINDOW_PROLONGED, "north")
    assert second.uid == first.uid
    assert (second.sequence, first.sequence) == (1, 0)
    assert second.at > first.at


def test_a_demand_carries_its_last_day_with_a_reminder_the_day_before(sqlite: str) -> None:
    """C1: at nine in the morning, since 24 hours before would be at midnight."""
    clock.advance(factories.START + timedelta(hours=1) - clock.now())
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    director = entry(story, NoticeKind.APPEAL_TO_FORWARD, "director")
    story.forward()
    story.report()
    story.demand()
    mine, theirs = (entry(story, NoticeKind.STATEMENT_DEMANDED, key) for key in ("north", "east"))
    with uow() as session:
        rows = session.exec(select(Deadline).where(Deadline.kind == DeadlineKind.STATEMENT)).all()
        last = {row.party_id: row.instant for row in rows}
        forward = session.exec(select(Deadline).where(Deadline.kind == DeadlineKind.FORWARD_APPEAL)).one()
    assert last[story.case.party_ids[Side.NORTH_SOUTH]] == mine.at
    assert last[story.case.party_ids[Side.EAST_WEST]] == theirs.at
    assert len({mine.uid, theirs.uid, director.uid}) == 3
    assert mine.title == "Sista dag, SBF-2026-0001"
    assert mine.alarm == mine.at - timedelta(hours=38, minutes=59, seconds=59)
    assert director.at == forward.instant
    assert f"/arenden/{story.case.case_id}" in director.text


def test_nothing_in_a_file_names_anybody_or_opens_the_case(sqlite: str) -> None:
    """C2, S-LINK3: neither a token nor the mark that stands for one is in it, and no words of the case."""
    story = called()
    story.withdraw()
    with uow() as session:
        tokens = [links.link_token(link) for link in session.exec(select(Link))]
        kept = [notice.mime for notice in session.exec(select(Notice)) if notice.mime]
    files = [
        file(message)
        for message in (message_from_bytes(mime, _class=EmailMessage, policy=policy.default) for mime in kept)
        if list(message.iter_attachments())
    ]
    assert len(files) > 10
    for content in files:
        ics.lint(content)
        text = content.replace(b"\r\n ", b"").decode()
        assert not [name for name in NAMES.values() if name.split()[1] in text]
        assert not [token for token in tokens if token in text]
        assert not [word for word in ("{link:", "/l/", "bricka", "18\r", "verklag", "par 7") if word in text]


def test_who_leaves_the_jury_has_the_hearing_taken_out_of_the_calendar(sqlite: str) -> None:
    """C1: with METHOD:CANCEL; the one who joins gets it, and it is the same hearing."""
    story = called()
    mine = entry(story, NoticeKind.SUMMONS, "juror_3")
    story.compose("juror_1", "juror_2", "lk_2")
    story.deliver()
    gone, joins = entry(story, NoticeKind.PANEL_LEFT, "juror_3"), entry(story, NoticeKind.SUMMONS, "lk_2")
    assert (gone.uid, gone.status, gone.method, gone.alarm) == (mine.uid, "CANCELLED", "CANCEL", None)
    assert gone.sequence > mine.sequence
    assert (joins.uid, joins.at, joins.status, joins.method) == (mine.uid, mine.at, "CONFIRMED", "PUBLISH")
    words = text(sent(story, NoticeKind.PANEL_LEFT, "juror_3"))
    assert "Någon annan tar din plats" in words
    assert "Du behöver inte komma till sammanträdet" in words
    assert "/l/" not in words
    changed = text(sent(story, NoticeKind.PANEL_CHANGED, "north"))
    assert "Tid och plats för sammanträdet är desamma." in changed
    assert NAMES["lk_2"] in changed


def test_a_hearing_keeps_an_hour_free_and_reminds(sqlite: str) -> None:
    mine = entry(called(), NoticeKind.SUMMONS, "north")
    assert mine.lasts == timedelta(hours=1)
    assert mine.alarm == mine.at - timedelta(minutes=10)  # called within the hour


def test_proof_verify_takes_the_file_with_it(sqlite: str, capsys: pytest.CaptureFixture[str]) -> None:
    """R-PROOF1: another time in the file is found, as is another word in the text."""
    story = called()
    assert main(["proof", "verify"]) == 0
    capsys.readouterr()
    with uow(write=True) as session:
        mine = select(Notice).where(Notice.kind == NoticeKind.SUMMONS, Notice.person_id == story.there.persons["north"])
        notice = session.exec(mine).one()
        assert notice.mime is not None
        head, start, rest = notice.mime.partition(b"Content-Transfer-Encoding: base64")
        assert start
        notice.mime = head + start + rest.replace(b"V", b"W", 1)
    assert main(["proof", "verify"]) == 1
    assert str(notice.id) in capsys.readouterr().out


def test_a_time_that_stands_still_is_taken_out_of_the_calendar_until_it_goes_on(sqlite: str) -> None:
    story = Story.begun(settings={"appeal_window": Span(10, Unit.days)})
    story.rule()
    story.publish()
    first = entry(story, NoticeKind.WINDOW_OPEN, "north")
    story.stand_still(Side.NORTH_SOUTH)
    gone = entry(story, NoticeKind.TIME_SUSPENDED, "north")
    assert (gone.uid, gone.at, gone.status, gone.alarm) == (first.uid, first.at, "CANCELLED", None)
    assert gone.title == "Tiden står still, SBF-2026-0001"
    words = str(sent(story, NoticeKind.TIME_SUSPENDED, "north").get_body(("plain",)))
    assert "tar bort den ur din kalender" in words
    assert without_file(story, NoticeKind.TIME_SUSPENDED, ["east"])  # it is no time of his
    story.later(days=2)
    story.go_on()
    back = entry(story, NoticeKind.TIME_RESUMED, "north")
    with uow() as session:
        ours = select(Deadline).where(Deadline.party_id == story.case.party_ids[Side.NORTH_SOUTH])
        assert back.at == session.exec(ours).one().instant
    assert (back.uid, back.status) == (first.uid, "CONFIRMED")
    story.prolong_by(Span(1, Unit.weeks))
    more = entry(story, NoticeKind.WINDOW_PROLONGED, "north")
    assert more.uid == first.uid
    assert first.sequence < gone.sequence < back.sequence < more.sequence
    assert first.stamp < gone.stamp < back.stamp < more.stamp
    assert back.stamp == steps_at(story, ActionName.LIFT_SUSPENSION)


def steps_at(story: Story, action: ActionName) -> datetime:
    """When a step was taken."""
    with uow() as session:
        return session.exec(select(Event.at).where(Event.case_id == story.case.case_id, Event.action == action)).one()


def test_more_time_upon_a_moment_that_was_given_is_newer_still(sqlite: str) -> None:
    story = Story.begun()
    story.rule()
    story.publish()
    story.prolong()
    until = entry(story, NoticeKind.WINDOW_PROLONGED, "north")
    story.prolong_by(Span(2, Unit.hours))
    more = entry(story, NoticeKind.WINDOW_PROLONGED, "north")
    assert (more.uid, more.at) == (until.uid, until.at + timedelta(hours=2))
    assert (more.sequence, more.stamp > until.stamp) == (until.sequence + 1, True)


def test_each_appeal_is_to_be_forwarded_in_its_own_time(sqlite: str) -> None:
    """R24: in mail, file and receipt; a withdrawn appeal takes only its own time with it, forwarding ends the rest."""
    clock.advance(factories.START + timedelta(hours=1) - clock.now())
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    first = entry(story, NoticeKind.APPEAL_TO_FORWARD, "director")
    story.at += timedelta(hours=20)
    second_form = FormInstance(form_id=uuid4())
    theirs = AppealInput(party_id=story.case.party_ids[Side.EAST_WEST], wants="Fem ruter ska räknas.")
    east = story.actors["east"]
    story.write(
        lambda s: appeals.lodge_appeal(s, story.case.proceeding_id, east, theirs, now=story.later(), form=second_form)
    )
    story.deliver()
    second = entry(story, NoticeKind.APPEAL_TO_FORWARD, "director")
    assert first.uid != second.uid
    assert second.at - first.at > timedelta(hours=12)
    words = text(sent(story, NoticeKind.APPEAL_TO_FORWARD, "director"))
    with uow() as session:
        forwarding = select(Deadline).where(Deadline.kind == DeadlineKind.FORWARD_APPEAL)
        own = session.exec(forwarding.order_by(col(Deadline.base).desc())).first()
    assert own is not None
    assert render(own.explanation, "sv") in words.replace("\n", " ")
    with uow() as session:
        loaded = queries.load_visible(session, story.case.case_id, east)
        assert second_form.form_id is not None
        assert receipts.receipt(session, loaded, second_form.form_id, east).until == second.at
    one, _two = story.appeals()
    assert ends(story) == [None, None]
    story.write(
        lambda s: appeals.withdraw_appeal(s, story.newest(), story.actors["north"], appeal_id=one, now=story.later())
    )
    assert ends(story) == [DeadlineEnd.VOID, None]
    story.forward()
    assert ends(story) == [DeadlineEnd.VOID, DeadlineEnd.MET]


def ends(story: Story) -> list[DeadlineEnd | None]:
    """How the times to forward ended, in the order that they began."""
    with uow() as session:
        query = select(Deadline).where(Deadline.kind == DeadlineKind.FORWARD_APPEAL)
        return [row.ended for row in session.exec(query.order_by(col(Deadline.base)))]

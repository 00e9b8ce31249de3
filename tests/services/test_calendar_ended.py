"""A last day that was mailed is taken out of the calendar when it no longer holds, and only from who had it (C1)."""

from datetime import timedelta

import pytest
from sqlmodel import select

from casework import clock
from casework.adapters.database import uow
from casework.domain.calendar import Span, Unit
from casework.domain.errors import Missing
from casework.domain.models import Deadline, Notice
from casework.domain.terms import AppealRoute, NoticeKind, NoticeState, Side
from casework.services import appeals, calendar_files
from casework.services.appeals import AppealInput
from tests import factories, ics
from tests.conftest import Set
from tests.kept import kept
from tests.services.test_calendar_feed import titles
from tests.services.test_calendar_mail import entry, file, sent, text, without_file
from tests.story import Story

TAKEN_AWAY = "Den sista dag du har fått veta gäller inte längre. Filen som följer med mejlet tar bort den ur din"
DONE = "Det som skulle göras i tid är gjort. Filen som följer med mejlet tar bort tiden ur din kalender."


@pytest.fixture(autouse=True)
def on_the_day(settings: Set) -> None:
    """The times of a story run when they are looked at."""
    clock.advance(factories.START + timedelta(minutes=50) - clock.now())


@kept
def ruled() -> Story:
    """Both sides have ten days to appeal in writing, and a file for their calendars."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION, settings={"appeal_window": Span(10, Unit.days)})
    story.rule()
    story.publish()
    return story


@kept
def asked() -> Story:
    """Both sides are asked for statements."""
    story = ruled()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    return story


def words(story: Story, kind: NoticeKind, key: str) -> str:
    """A mail's text, its lines joined."""
    return " ".join(text(sent(story, kind, key)).split())


def test_who_has_appealed_has_his_last_day_taken_out(sqlite: str) -> None:
    """His partner has it from the same notice; the other side may still appeal."""
    story = ruled()
    first = entry(story, NoticeKind.WINDOW_OPEN, "north")
    story.appeal()
    for key in ("north", "south"):
        gone = entry(story, NoticeKind.APPEAL_RECEIVED, key)
        assert (gone.uid, gone.at, gone.status, gone.method) == (first.uid, first.at, "CANCELLED", "CANCEL")
        assert (gone.sequence > first.sequence, gone.stamp > first.stamp, gone.alarm) == (True, True, None)
        assert gone.title == "Klart, SBF-2026-0001"
        assert DONE in words(story, NoticeKind.APPEAL_RECEIVED, key)
    assert without_file(story, NoticeKind.APPEAL_RECEIVED, ["east", "west"])
    assert titles(story.actors["north"]) == []
    assert titles(story.actors["east"]) == ["Sista dag, SBF-2026-0001"]


def test_a_page_gives_no_file_of_a_time_that_is_done(sqlite: str) -> None:
    story, north = ruled(), "north"
    with uow() as session:
        ours = Deadline.party_id == story.case.party_ids[Side.NORTH_SOUTH]
        window = session.exec(select(Deadline).where(ours)).one().id
    actor, case = story.actors[north], story.case.case_id
    with uow() as session:
        assert calendar_files.last_day_file(session, case, window, actor, story.at, language="sv").content
    story.appeal()
    with uow() as session, pytest.raises(Missing):
        calendar_files.last_day_file(session, case, window, actor, story.at, language="sv")


def test_who_withdraws_in_time_has_it_back_and_newer(sqlite: str) -> None:
    """He can appeal again; the file from his page is the same entry."""
    story = ruled()
    first = entry(story, NoticeKind.WINDOW_OPEN, "north")
    story.appeal()
    gone = entry(story, NoticeKind.APPEAL_RECEIVED, "north")
    story.withdraw()
    back = entry(story, NoticeKind.APPEAL_WITHDRAWN, "north")
    assert (back.uid, back.at, back.status, back.method) == (first.uid, first.at, "CONFIRMED", "PUBLISH")
    assert first.sequence < gone.sequence < back.sequence
    assert first.stamp < gone.stamp < back.stamp
    assert "Vill du överklaga igen gör du det senast" in words(story, NoticeKind.APPEAL_WITHDRAWN, "north")
    assert without_file(story, NoticeKind.APPEAL_WITHDRAWN, ["east"])
    wants = AppealInput(party_id=story.case.party_ids[Side.NORTH_SOUTH], wants="Ändå.")
    ruling, north = story.case.proceeding_id, story.actors["north"]
    story.write(lambda s: appeals.lodge_appeal(s, ruling, north, wants, now=story.later()))
    story.deliver()
    again = entry(story, NoticeKind.APPEAL_RECEIVED, "north")
    assert (again.status, again.sequence > back.sequence) == ("CANCELLED", True)


def test_a_withdrawn_appeal_takes_the_directors_time_to_forward_it(sqlite: str) -> None:
    story = ruled()
    story.appeal()
    first = entry(story, NoticeKind.APPEAL_TO_FORWARD, "director")
    story.withdraw()
    gone = entry(story, NoticeKind.APPEAL_WITHDRAWN, "director")
    assert (gone.uid, gone.status, gone.method) == (first.uid, "CANCELLED", "CANCEL")
    assert gone.sequence == first.sequence + 1
    assert gone.title == "Sista dagen gäller inte längre, SBF-2026-0001"
    assert TAKEN_AWAY in words(story, NoticeKind.APPEAL_WITHDRAWN, "director")


def test_a_statement_that_is_given_takes_its_last_day(sqlite: str) -> None:
    story = asked()
    first = entry(story, NoticeKind.STATEMENT_DEMANDED, "north")
    story.state({"north": "Pausen var kort."})
    gone = entry(story, NoticeKind.STATEMENT_RECEIVED, "north")
    assert (gone.uid, gone.status, gone.method) == (first.uid, "CANCELLED", "CANCEL")
    assert gone.sequence == first.sequence + 1
    assert DONE in words(story, NoticeKind.STATEMENT_RECEIVED, "north")


def test_nothing_to_add_takes_the_last_day_too(sqlite: str) -> None:
    story = asked()
    first = entry(story, NoticeKind.STATEMENT_DEMANDED, "east")
    story.decline(Side.EAST_WEST)
    gone = entry(story, NoticeKind.STATEMENT_RECEIVED, "east")
    assert (gone.uid, gone.status) == (first.uid, "CANCELLED")


def test_statements_that_become_void_are_taken_out(sqlite: str) -> None:
    """The appeal is withdrawn while both sides are asked: nobody need answer."""
    story = asked()
    first = entry(story, NoticeKind.STATEMENT_DEMANDED, "east")
    story.withdraw()
    gone = entry(story, NoticeKind.APPEAL_WITHDRAWN, "east")
    assert (gone.uid, gone.status, gone.method) == (first.uid, "CANCELLED", "CANCEL")
    assert TAKEN_AWAY in words(story, NoticeKind.APPEAL_WITHDRAWN, "east")


def test_one_mail_takes_out_the_answer_and_brings_the_appeal_back(sqlite: str) -> None:
    """A file has one method (RFC 5546): it brings what could be missed, and what is gone stands in it as cancelled."""
    story = asked()
    demand = entry(story, NoticeKind.STATEMENT_DEMANDED, "north")
    window = entry(story, NoticeKind.WINDOW_OPEN, "north")
    story.withdraw()
    found = {one.uid: one for one in ics.read(file(sent(story, NoticeKind.APPEAL_WITHDRAWN, "north")))}
    assert {uid: one.status for uid, one in found.items()} == {demand.uid: "CANCELLED", window.uid: "CONFIRMED"}
    assert {one.method for one in found.values()} == {"PUBLISH"}
    said = words(story, NoticeKind.APPEAL_WITHDRAWN, "north")
    assert said.index(TAKEN_AWAY) < said.index("Vill du överklaga igen")


def test_who_is_asked_anew_has_the_earlier_answer_taken_out_by_the_mail_that_asks(sqlite: str) -> None:
    """R30: he answers once, to everything, in a whole new time."""
    story = asked()
    story.state({"north": "Pausen var kort.", "east": "Pausen var lång."})
    first = entry(story, NoticeKind.STATEMENTS_OPEN, "east")
    story.decline(Side.NORTH_SOUTH)
    story.state({"north": "En sak till."})
    found = {one.uid: one for one in ics.read(file(sent(story, NoticeKind.MATERIAL_ADDED, "east")))}
    assert found.pop(first.uid).status == "CANCELLED"
    (new,) = found.values()
    said = words(story, NoticeKind.MATERIAL_ADDED, "east")
    assert "Filen tar också bort den tidigare." in said
    assert TAKEN_AWAY not in said  # the new last day stands just above
    assert (new.status, new.method) == ("CONFIRMED", "PUBLISH")


def test_who_never_had_the_entry_gets_no_cancellation(sqlite: str) -> None:
    """His mail of the last day came back from the server, and he learnt of it in another way."""
    story = ruled()
    with uow(write=True) as session:
        for notice in session.exec(select(Notice).where(Notice.kind == NoticeKind.WINDOW_OPEN)):
            notice.state = NoticeState.BOUNCED
            session.add(notice)
    story.appeal()
    assert without_file(story, NoticeKind.APPEAL_RECEIVED, ["north", "south"])


def test_a_corrected_score_brings_no_last_day_to_who_has_appealed(sqlite: str) -> None:
    """He was late by the wrong time, and in time by the right one; the other side's time runs anew."""
    story = ruled()
    first = entry(story, NoticeKind.WINDOW_OPEN, "east")
    story.expire(days=11)
    story.appeal()
    story.publish()
    assert "Överklagandet kom i tid" in sent(story, NoticeKind.WINDOW_OPEN, "north")["Subject"]
    assert entry(story, NoticeKind.WINDOW_OPEN, "north").status == "CANCELLED"  # it stood there, run out
    moved = entry(story, NoticeKind.WINDOW_OPEN, "east")
    assert (moved.uid, moved.status) == (first.uid, "CONFIRMED")
    assert moved.sequence > first.sequence


def test_a_last_day_that_ran_out_is_left_where_it_stood(sqlite: str) -> None:
    story = ruled()
    story.expire(days=11)
    story.appeal()
    assert without_file(story, NoticeKind.APPEAL_RECEIVED, ["north", "south"])


def test_more_time_after_a_withdrawal_is_newer_than_all_before(sqlite: str) -> None:
    story = ruled()
    story.appeal()
    story.withdraw()
    back = entry(story, NoticeKind.APPEAL_WITHDRAWN, "north")
    story.prolong_by(Span(1, Unit.weeks))
    more = entry(story, NoticeKind.WINDOW_PROLONGED, "north")
    assert (more.uid, more.sequence > back.sequence) == (back.uid, True)

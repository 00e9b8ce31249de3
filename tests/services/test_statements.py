"""The written way below the web: what stands in the papers, and who may read it before it is opened (R27-R30)."""

from datetime import timedelta
from uuid import UUID

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.errors import Invalid, NotAllowed
from casework.domain.models import Notice, Proceeding, Remark
from casework.domain.terms import (
    ActionName,
    AppealRoute,
    DeadlineEnd,
    DeadlineKind,
    DemandEnd,
    FilingChannel,
    NoticeKind,
    ProceedingKind,
    Side,
    StatementKind,
)
from casework.services import appeals, completeness, late_material, notices, queries, readings, seating, statements
from casework.services.appeals import AppealInput
from casework.services.completeness import Piece
from casework.services.loading import load
from casework.services.statements import ReportInput, StatementInput
from tests import factories
from tests.factories import START, Federation, OpenCase
from tests.story import Story

SOON = START + timedelta(minutes=5)
REPORT = ReportInput(events="Det tog tid.", ruling="4♠.", reasons="Pass fanns.")


@pytest.fixture
def there(database: str) -> Federation:
    """A tournament whose appeals go to the Law Commission."""
    return factories.federation(route=AppealRoute.LAW_COMMISSION)


@pytest.fixture
def case(there: Federation) -> OpenCase:
    """A forwarded appeal."""
    case = factories.open_case(there)
    factories.give_ruling(there, case, told={there.persons["north"]: START, there.persons["east"]: START})
    appeal = AppealInput(party_id=case.party_ids[Side.NORTH_SOUTH], wants="Allt")
    with uow(write=True) as session:
        appeals.lodge_appeal(session, case.proceeding_id, there.actor("north"), appeal, now=SOON)
    with uow(write=True) as session:
        appeals.forward_appeal(session, appealed(), there.actor("director"), now=SOON)
    return case


def appealed() -> UUID:
    """The appeal's proceeding."""
    with uow() as session:
        return session.exec(select(Proceeding).where(Proceeding.kind == ProceedingKind.APPEAL)).one().id


def ask(there: Federation) -> None:
    """The director reports and asks both sides."""
    with uow(write=True) as session:
        statements.file_report(session, appealed(), there.actor("director"), REPORT, now=SOON)
    with uow(write=True) as session:
        statements.demand_statements(session, appealed(), there.actor("director"), now=SOON)


@pytest.mark.parametrize("key", ["north", "south", "director", "chief", "office"])
def test_who_reads_a_statement_at_once(there: Federation, case: OpenCase, key: str) -> None:
    assert "Så var det." in read(there, case, key)


@pytest.mark.parametrize("key", ["east", "west", "organiser"])
def test_who_waits_until_it_is_opened(there: Federation, case: OpenCase, key: str) -> None:
    """R28: all statements are opened at one moment."""
    assert read(there, case, key) == {""}


def read(there: Federation, case: OpenCase, key: str) -> set[str]:
    """The texts that somebody may read when North has stated its views and East–West has not."""
    ask(there)
    said = StatementInput(party_id=case.party_ids[Side.NORTH_SOUTH], text="Så var det.")
    with uow(write=True) as session:
        statements.file_statement(session, appealed(), there.actor("north"), said, now=SOON)
    with uow() as session:
        actor = there.actor(key)
        loaded = queries.load_visible(session, case.case_id, actor)
        parts = queries.parts_in_case(session, case.case_id, actor)
        return {view.text for view in readings.statements(session, loaded, actor, parts)}


def test_reporting_in_the_directors_place_needs_that_he_is_late(there: Federation, case: OpenCase) -> None:
    """Item 5: with a reason, which is listed."""
    office = there.actor("office")
    with pytest.raises(NotAllowed), uow(write=True) as session:
        statements.file_report(session, appealed(), office, REPORT, now=SOON, because="Sjuk")
    late = SOON + timedelta(days=8)
    with pytest.raises(NotAllowed), uow(write=True) as session:
        statements.file_report(session, appealed(), office, REPORT, now=late, because=" ")
    with uow(write=True) as session:
        statements.file_report(session, appealed(), office, REPORT, now=late, because="Sjuk")
    with uow(write=True) as session:
        statements.demand_statements(session, appealed(), office, now=late, because="Sjuk")
    with uow() as session:
        remarks = session.exec(select(Remark)).all()
    assert {(remark.action, remark.override) for remark in remarks} == {
        (ActionName.REPORT_IN_PLACE, True),
        (ActionName.DEMAND_IN_PLACE, True),
    }


def test_a_statement_has_not_come_in_the_future(there: Federation, case: OpenCase) -> None:
    ask(there)
    said = StatementInput(
        party_id=case.party_ids[Side.EAST_WEST],
        text="Lång paus.",
        channel=FilingChannel.PHONE,
        author_id=there.persons["east"],
        received_at=SOON + timedelta(hours=1),
    )
    with pytest.raises(Invalid) as refused, uow(write=True) as session:
        statements.enter_statement(session, appealed(), there.actor("office"), said, now=SOON)
    assert "clock" in refused.value.fields


def test_the_papers_line_by_line(there: Federation, case: OpenCase) -> None:
    """R30: what is there, what is missing, who must act; first the partner's word, without which nothing is tried."""
    lacking = (Piece.CONCURRENCE, False)
    score = (Piece.SCORE, False)  # the ruling assigns a result, and nobody has counted what it comes to
    assert lines() == [lacking, (Piece.REPORT, False), score, (Piece.DEMAND, False), *[(Piece.CONTACT, True)] * 5]
    ask(there)
    assert lines() == [
        lacking,
        (Piece.REPORT, True),
        score,
        *[(Piece.STATEMENT, False)] * 2,
        *[(Piece.CONTACT, True)] * 5,
    ]


def lines() -> list[tuple[Piece, bool]]:
    """The list without its words."""
    with uow() as session:
        found = completeness.completeness(session, load(session, appealed()))
    return [(line.piece, line.done) for line in found]


def test_a_body_decides_without_what_came_too_late(sqlite: str) -> None:
    """Section 7, 2: it stays in the file with the reason, and the side that was asked about it need not answer."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.appeal()
    story.forward()
    story.write_papers()
    story.register()
    story.add_late()
    with pytest.raises(NotAllowed):
        story.decide("lk_chair", "lk_1", "lk_2")
    story.leave_out()
    with uow() as session:
        loaded = load(session, story.newest())
        (late,) = late_material.left_out(loaded)
        asked = [(demand, deadline) for demand in loaded.demands for deadline in loaded.deadlines
                 if demand.about == [str(late.id)] and deadline.demand_id == demand.id]  # fmt: skip
        remark = session.exec(select(Remark).where(Remark.action == ActionName.LEAVE_OUT)).one()
        told = session.exec(select(Notice).where(Notice.kind == NoticeKind.LEFT_OUT)).all()
    assert (late.text, late.left_out_because, remark.text) == ("En sak till.", *["Det säger inget nytt."] * 2)
    assert [(demand.ended, deadline.ended) for demand, deadline in asked] == [(DemandEnd.VOID, DeadlineEnd.VOID)]
    assert {notice.person_id for notice in told} == {
        story.there.persons[key] for key in ("north", "south", "east", "west")
    }


def test_what_is_asked_anew_is_answered_once(sqlite: str) -> None:
    """R28: to everything that has come, in a whole new time."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.appeal()
    story.forward()
    story.write_papers()
    story.add_late()
    story.add_late()
    with uow() as session:
        loaded = load(session, story.newest())
        late = [str(s.id) for s in loaded.statements if s.kind is StatementKind.LATE]
        asked = [(d.about, d.ended) for d in loaded.demands if d.about]
        ended = [d.ended for d in loaded.deadlines if d.kind is DeadlineKind.ANSWER][-2:]
    assert asked == [(late[:1], DemandEnd.RENEWED), (late, None)]
    assert ended == [DeadlineEnd.VOID, None]


def test_the_body_is_proposed_as_large_as_the_profile_says(there: Federation, case: OpenCase) -> None:
    """R19: chair first, then members; the reserve only where somebody is missing."""
    with uow() as session:
        proposal = seating.propose(session, load(session, appealed()))
    expected = {there.persons[key] for key in ("lk_chair", "lk_1", "lk_2")}
    assert (set(proposal.members), proposal.chair) == (expected, there.persons["lk_chair"])
    assert list(proposal.barred) == []


def test_an_answer_is_told_to_the_other_side_once(sqlite: str) -> None:
    """What is shown at once is told at once: one notice a person, in words that ask for nothing."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    story.state({"north": "Pausen var kort.", "east": "Pausen var lång."})
    story.state({"north": "Nej, kort."})
    with uow() as session:
        told = session.exec(select(Notice).where(Notice.kind == NoticeKind.MATERIAL_ADDED)).all()
        letters = [notices.message_for(session, notice.id, story.at).text for notice in told]
    assert {notice.person_id for notice in told} == {story.there.persons[key] for key in ("east", "west")}
    assert len(told) == 2
    assert all("har yttrat sig om det som de andra har skrivit" in letter for letter in letters)

"""The jury's hearing: called, opened only when everybody is accounted for, heard in order (R18, R25, R26)."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from casework.adapters.database import uow
from casework.adapters.i18n import render
from casework.domain.access import Permission, can
from casework.domain.errors import Conflict, NotAllowed
from casework.domain.models import Attendance, Event, Notice, Panel, PartyMember, Seat
from casework.domain.terms import HearingStep, NoticeKind, NoticeState, SeatRole, Side, State
from casework.services import appeals, hearings, links, panel_view, panels, seat_codes, tournaments
from casework.services.case_rows import read_case
from casework.services.hearing_record import hearing_record
from casework.services.loading import load
from casework.services.queries import parts_in_case
from casework.services.step import AlreadyDone, FormInstance
from tests.factories import NAMES, START, Federation, federation
from tests.juries import (
    JURORS,
    JuryCase,
    answer,
    answered,
    appealed,
    called,
    composed,
    fresh,
    heard,
    present,
    roles,
)
from tests.story import Story

pytestmark = pytest.mark.usefixtures("sqlite")
PLAYERS = ("east", "north", "south", "west")


def state(case: JuryCase) -> State:
    """Where the appeal stands."""
    with uow() as session:
        return load(session, case.proceeding_id).proceeding.state


def refused(case: JuryCase, verb: object, who: str, **fields: object) -> list[str]:
    """Why somebody may not."""
    with pytest.raises(NotAllowed) as refusal:
        case.do(verb, who, **fields)  # type: ignore[arg-type]  # any verb
    return [reason.msgid for reason in refusal.value.reasons]


def register(there: Federation, who: str) -> None:
    """Register an LK member as present."""
    with uow(write=True) as session:
        organiser = there.actor("organiser")
        tournaments.register_presence(session, there.tournament_id, there.persons[who], organiser, now=START)


def test_each_member_gets_a_link_of_the_seat_and_no_other_gets_one() -> None:
    case = composed(federation())
    with uow() as session:
        loaded = load(session, case.proceeding_id)
        seated = session.exec(select(Notice).where(Notice.kind == NoticeKind.SEATED)).all()
        links = [notice.link_id for notice in seated]
        seats = panels.panel_seats(loaded)
        way = seat_codes.seat_way(session, case.case_id, case.there.actor("organiser"), seats[0].id)
    assert len(seats) == len({link for link in links if link}) == 3
    assert "/l/" in way.address


def test_the_jury_needs_its_quorum() -> None:
    there = federation()
    case = appealed(there)
    seats = roles(there, JURORS[:2])
    assert refused(case, hearings.compose_panel, "organiser", seats=seats) == [
        "The panel needs at least {count} members."
    ]


def test_a_party_composes_no_jury() -> None:
    there = federation()
    case = appealed(there)
    assert refused(case, hearings.compose_panel, "north", seats=roles(there)) == ["This is not yours to do: {action}."]


def test_lk_members_present_must_be_called_before_the_hearing_opens() -> None:
    """R18: whether they come or not."""
    there = federation()
    case = called(there)
    case.do(hearings.note_attendance, "director", 5, parties=present(case), seats={})
    register(there, "lk_1")
    said = refused(case, hearings.open_hearing, "director")
    assert said == ["A member of the Law Commission is present and must be called before the hearing can open."]
    case.do(hearings.call_hearing, "director", 6, place="Rum 2", at=START + timedelta(minutes=20))
    case.do(hearings.open_hearing, "director", 7)
    with uow() as session:
        attendee = session.exec(select(Seat).where(Seat.role == SeatRole.ATTENDEE)).one()
    assert attendee.person_id == there.persons["lk_1"]
    assert attendee.called_at == START + timedelta(minutes=6)


def test_an_lk_member_who_attends_follows_the_case_but_not_the_deliberation() -> None:
    """R17: an unrestricted right to follow, which is not a seat: no vote, and not the jury's own notes."""
    there = federation()
    case = answered(there)
    register(there, "lk_1")
    case.do(hearings.call_hearing, "director", 4, place="Rum 2", at=START + timedelta(minutes=10))
    actor = there.actor("lk_1")
    with uow() as session:
        parts = parts_in_case(session, case.case_id, actor)
        view = panel_view.panel_view(session, case.case_id, actor, START)
    assert can(actor, Permission.READ_PAPERS, parts)
    assert not can(actor, Permission.READ_DELIBERATION, parts)
    assert not can(actor, Permission.READ_CONTACTS, parts)
    assert view.own is None
    assert view.can == {}


def test_a_party_of_lk_is_not_called() -> None:
    """R17: in spite of being registered as present."""
    there = federation()
    register(there, "lk_1")
    case = answered(there)
    with uow(write=True) as session:
        party = next(iter(case.opened.party_ids.values()))
        session.add(PartyMember(party_id=party, person_id=there.persons["lk_1"]))
    case.do(hearings.call_hearing, "director", 4, place="Rum 2", at=START + timedelta(minutes=10))
    with uow() as session:
        assert session.exec(select(Seat).where(Seat.role == SeatRole.ATTENDEE)).all() == []


def test_everything_that_is_missing_is_said_at_once() -> None:
    there = federation()
    case = composed(there)
    case.do(hearings.call_hearing, "director", 4, place="Rum 2", at=START + timedelta(minutes=10))
    register(there, "lk_1")
    said = refused(case, hearings.open_hearing, "director")
    assert said == [
        "Every member must first say whether there is a conflict of interest, and each doubt must be decided.",
        "A member of the Law Commission is present and must be called before the hearing can open.",
        "Note whether {party} is present.",
        "The hearing is called to {at}. It opens earlier only when both sides are here.",
    ]


def test_a_party_is_absent_only_with_proof_that_it_was_called() -> None:
    """R26."""
    case = called(federation())
    absent = dict.fromkeys(case.opened.party_ids.values(), False)
    case.do(hearings.note_attendance, "director", 10, parties=absent, seats={}, note="Ringt två gånger.")
    said = refused(case, hearings.open_hearing, "director")
    assert "{party} is absent, and nothing proves that the call reached them." in said
    with uow(write=True) as session:
        for notice in session.exec(select(Notice).where(Notice.kind == NoticeKind.SUMMONS)):
            notice.state, notice.proven_at = NoticeState.TOLD, START
            session.add(notice)
    case.do(hearings.open_hearing, "director", 11)
    with uow() as session:
        assert {row.note for row in session.exec(select(Attendance))} == {"Ringt två gånger."}


def test_who_was_absent_is_recorded_with_the_step_that_would_have_heard_it() -> None:
    """R26: nobody is said to have been heard who was not there."""
    case = called(federation())
    north_south, east_west = (case.opened.party_ids[side] for side in (Side.NORTH_SOUTH, Side.EAST_WEST))
    there = {north_south: True, east_west: False}
    case.do(hearings.note_attendance, "director", 10, parties=there, seats={}, note="Ringt två gånger.")
    with uow(write=True) as session:
        for notice in session.exec(select(Notice).where(Notice.kind == NoticeKind.SUMMONS)):
            notice.state, notice.proven_at = NoticeState.TOLD, START
            session.add(notice)
    case.do(hearings.open_hearing, "director", 11)
    for minute, step in enumerate(HearingStep, start=12):
        case.do(hearings.note_step, "director", minute, step_done=step)
    with uow() as session:
        noted = session.exec(select(Event).where(Event.action == "note_attendance")).one()
        steps = session.exec(select(Event).where(Event.action == "note_step").order_by(col(Event.seq))).all()
        view = panel_view.panel_view(session, case.case_id, case.there.actor("director"), START)
    assert noted.data["absent"] == [str(east_west)]
    absent = {event.data["step"]: event.data["absent"] for event in steps}
    assert absent[HearingStep.APPELLANTS_HEARD] == []
    assert absent[HearingStep.RESPONDENTS_HEARD] == [str(east_west)]
    assert [row.absent(START + timedelta(minutes=11)) for row in view.parties] == [
        row.id == east_west for row in view.parties
    ]


def test_who_voted_was_there_and_who_was_not_noted_is_not_absent() -> None:
    """The record says that somebody stayed away only where somebody noted it, and shows no vote before the decision."""
    story = Story.begun()
    register(story.there, "lk_1")
    story.rule()
    story.appeal()
    story.forward()
    story.hear(*JURORS)
    parties = {"par 7 var på plats", "par 12 var på plats"}
    assert presence(story) == parties
    story.decide(*JURORS)
    names = {"Göran Wiklund, ordförande", "Inga Bergdal, ledamot", "Sten Oskarsson, ledamot"}
    assert presence(story) == parties | {f"{name} var på plats" for name in names}


def presence(story: Story) -> set[str]:
    """What the record says about who was there."""
    with uow() as session:
        rows = read_case(session, story.case.case_id, story.actors["office"], story.at)
        record = hearing_record(rows, rows.loaded.proceeding)
    assert record is not None
    return {f"{render(row['who'], 'sv')} {render(row['there'], 'sv')}" for row in record["presence"]}


def test_a_hearing_that_is_called_stands_with_another_member() -> None:
    """R17, R26: the new member is called to it, the one who left knows it, and the parties know who sits."""
    there = federation()
    case = called(there)
    register(there, "lk_1")
    case.do(hearings.call_hearing, "director", 5, place="Rum 2", at=START + timedelta(minutes=10))
    case.do(hearings.note_attendance, "director", 5, parties=present(case), seats={})
    others = roles(there, ("juror_1", "juror_2", "lk_2"))
    case.do(hearings.compose_panel, "organiser", 6, seats=others)
    assert told(case, NoticeKind.SUMMONS, 6) == ["lk_2"]
    assert told(case, NoticeKind.PANEL_LEFT, 6) == ["juror_3"]
    assert told(case, NoticeKind.PANEL_CHANGED, 6) == sorted([*PLAYERS, "director", "juror_1", "juror_2", "lk_1"])
    assert told(case, NoticeKind.NEW_CHAIR, 6) == []
    answer(case, "lk_2")
    case.do(hearings.open_hearing, "director", 9)
    assert state(case) is State.HEARING


def test_a_members_link_ends_with_an_appeal_that_is_withdrawn() -> None:
    case = called(federation())
    (appeal,) = case.appeal_ids()
    case.do(appeals.withdraw_appeal, "north", 5, appeal_id=appeal)
    said = fresh(lambda s: links.shut_because(s, case.seat("juror_1")))
    assert said.msgid == "The appeal was withdrawn. The link was valid until then."


def test_who_is_replaced_is_not_called_disqualified_and_can_come_back() -> None:
    case = called(federation())
    case.do(hearings.compose_panel, "organiser", 5, seats=roles(case.there, ("juror_1", "juror_2", "lk_2")))
    view = fresh(lambda s: panel_view.panel_view(s, case.case_id, case.there.actor("organiser"), START))
    assert (view.recused, [member.name for member in view.replaced]) == ((), [NAMES["juror_3"]])
    seat = case.seat("juror_3")
    said = fresh(lambda s: links.shut_because(s, seat))
    assert said.msgid == "Somebody else sits in your place, so you no longer read the case."
    case.do(hearings.compose_panel, "organiser", 6, seats=roles(case.there))
    assert told(case, NoticeKind.SUMMONS, 6) == ["juror_3"]
    assert fresh(lambda s: links.shut_because(s, seat)) is None
    answer(case, "juror_3")
    case.do(hearings.note_attendance, "director", 7, parties=present(case), seats={})
    case.do(hearings.open_hearing, "director", 8)


def test_too_few_members_after_the_call_mean_that_the_next_panel_is_told_of() -> None:
    """R17: nobody is told of a panel that is none; with the member who fills it the hearing stands again."""
    case = called(federation())
    answer(case, "juror_3", conflict=True)
    assert told(case, NoticeKind.PANEL_LEFT, 3) == ["juror_3"]
    assert "The jury has changed. Call again." in refused(case, hearings.open_hearing, "director")
    assert told(case, NoticeKind.PANEL_CHANGED, 3) == []
    case.do(hearings.compose_panel, "organiser", 5, seats=roles(case.there, ("juror_1", "juror_2", "lk_2")))
    assert told(case, NoticeKind.PANEL_CHANGED, 5) == sorted([*PLAYERS, "director", "juror_1", "juror_2"])


def test_a_new_chair_is_told_once() -> None:
    """Who sits stands in the notice that says so; who has stepped down and sits on is told as the others are."""
    case = called(federation())
    case.do(hearings.compose_panel, "organiser", 5, seats=roles(case.there, ("juror_2", "juror_1", "lk_2")))
    assert told(case, NoticeKind.NEW_CHAIR, 5) == ["juror_2"]
    assert told(case, NoticeKind.PANEL_CHANGED, 5) == sorted([*PLAYERS, "director", "juror_1"])


def test_another_jury_when_its_time_has_come_means_another_call() -> None:
    case = called(federation())
    case.do(hearings.compose_panel, "organiser", 11, seats=roles(case.there, ("juror_1", "juror_2", "lk_2")))
    assert told(case, NoticeKind.SUMMONS, 11) == []
    assert "The jury has changed. Call again." in refused(case, hearings.open_hearing, "director", minutes=12)
    case.do(hearings.call_hearing, "director", 12, place="Rum 2", at=START + timedelta(minutes=20))
    assert "lk_2" in told(case, NoticeKind.SUMMONS, 12)


def told(case: JuryCase, kind: NoticeKind, minutes: int) -> list[str]:
    """Who was told so many minutes after the appeal."""
    keys = {person: key for key, person in case.there.persons.items()}
    with uow() as session:
        then = select(Notice).where(Notice.kind == kind, Notice.due_at == case.at + timedelta(minutes=minutes))
        return sorted(keys[notice.person_id] for notice in session.exec(then))


def test_nobody_is_called_to_a_time_that_has_passed() -> None:
    """R26: a call to the very minute is one that those who stand there can follow."""
    case = answered(federation())
    past = START + timedelta(minutes=3)
    assert refused(case, hearings.call_hearing, "director", minutes=4, place="Rum 2", at=past) == [
        "The hearing cannot be called to a time that has passed."
    ]
    case.do(hearings.call_hearing, "director", 4, place="Rum 2", at=START + timedelta(minutes=4))


def test_the_steps_are_taken_in_the_federations_order() -> None:
    case = called(federation())
    case.do(hearings.note_attendance, "juror_1", 5, parties=present(case), seats={case.seat("juror_1"): True})
    case.do(hearings.open_hearing, "juror_1", 6)
    said = refused(case, hearings.note_step, "juror_1", step_done=HearingStep.FACTS_SETTLED)
    assert said == ["Take the steps of the hearing in their order."]
    assert refused(case, hearings.close_hearing, "juror_1") == ["The hearing's checklist is not complete."]


def test_each_step_keeps_its_time() -> None:
    case = heard(federation())
    with uow() as session:
        panel = session.exec(select(Panel)).one()
    assert list(panel.steps) == [step.value for step in HearingStep]
    assert panel.steps[HearingStep.CHAIR_EXPLAINS] == (START + timedelta(minutes=7)).isoformat()
    assert state(case) is State.DELIBERATING


def test_a_hearing_opened_twice_by_one_form_is_opened_once() -> None:
    case = called(federation())
    case.do(hearings.note_attendance, "director", 5, parties=present(case), seats={})
    form = FormInstance(form_id=case.case_id)
    case.do(hearings.open_hearing, "director", 6, form=form)
    with pytest.raises(AlreadyDone):
        case.do(hearings.open_hearing, "director", 6, form=form)
    with uow() as session:
        assert len(session.exec(select(Event).where(Event.action == "open_hearing")).all()) == 1


def test_a_stale_page_opens_nothing() -> None:
    case = called(federation())
    case.do(hearings.note_attendance, "director", 5, parties=present(case), seats={})
    with pytest.raises(Conflict):
        case.do(hearings.open_hearing, "director", 6, form=FormInstance(version=1))
    assert state(case) is State.CALLED

"""Notes, votes and decisions: blind, counted, named, and signed only when everybody was heard (R3, R5, R35-R37)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlmodel import select

from casework.adapters.database import retrying, uow
from casework.domain.errors import Missing, NotAllowed
from casework.domain.models import Attendance, Ballot, Consequence, Decision, Event, Notice, Vote
from casework.domain.rules.citations import find_law
from casework.domain.rules.editions import edition_on
from casework.domain.terms import (
    AppealOutcome,
    ConsequenceKind,
    ConsequenceState,
    HearingStep,
    NoticeKind,
    Position,
    RulingOutcome,
    State,
)
from casework.services import appeals, decisions, hearings
from casework.services.case_documents import decision_document
from casework.services.case_rows import read_case
from casework.services.decisions import AppealDecision, DecisionInput
from casework.services.loading import load
from casework.services.panel_view import PanelView, panel_view
from casework.services.room_view import RoomView, room_view
from tests.factories import SATURDAY, START, federation
from tests.juries import JURORS, JuryCase, answer, called, heard, present, roles, vote
from tests.story import Story

sqlite = pytest.mark.usefixtures("sqlite")
LATER = START + timedelta(minutes=30)


def room(case: JuryCase, who: str) -> RoomView:
    """The room as a member sees it."""
    with uow() as session:
        return room_view(session, case.case_id, case.there.actor(who), LATER)


def seen(case: JuryCase, who: str) -> PanelView:
    """The panel as somebody sees it."""
    with uow() as session:
        return panel_view(session, case.case_id, case.there.actor(who), LATER)


def refused(work: Callable[[], object]) -> list[str]:
    """Why not."""
    with pytest.raises(NotAllowed) as refusal:
        work()
    return [reason.msgid for reason in refusal.value.reasons]


def decision(case: JuryCase, **changes: Any) -> DecisionInput:
    """A decision that confirms the ruling, with what `changes` says otherwise."""
    law = find_law(edition_on(SATURDAY), "16B1")
    assert law is not None
    fields: dict[str, Any] = {
        "operative": "Domslutet står fast.",
        "facts": "Nord tänkte länge.",
        "reasons": "Pass var ett logiskt alternativ.",
        "laws": (law,),
        "appeals": {appeal: AppealDecision(outcome=AppealOutcome.REJECTED) for appeal in case.appeal_ids()},
        "score": RulingOutcome.ASSIGNED,
    }
    return DecisionInput(**(fields | changes))


def voted(case: JuryCase) -> JuryCase:
    """All have voted to confirm, and the vote is closed."""
    for who in JURORS:
        vote(case, who)
    case.do(decisions.close_ballot, "juror_1", 22)
    return case


@sqlite
def test_no_position_is_in_any_view_before_the_vote_is_closed() -> None:
    """Not even for the chair, and not who has voted."""
    case = heard(federation())
    vote(case, "juror_2", Position.CHANGE, "Pausen var kort.")
    vote(case, "juror_3")
    for who in ("juror_1", "juror_2", "director", "organiser", "office"):
        ballot = seen(case, who).ballot
        assert ballot is not None
        assert (ballot.voted, ballot.seats, ballot.cast, ballot.winning) == (2, 3, (), None)
    vote(case, "juror_1")
    case.do(decisions.close_ballot, "juror_1", 22)
    cast = room(case, "juror_3").panel.ballot
    assert cast is not None
    assert {(one.name, one.position, one.dissent) for one in cast.cast} == {
        ("Göran Wiklund", Position.CONFIRM, ""),
        ("Inga Bergdal", Position.CHANGE, "Pausen var kort."),
        ("Sten Oskarsson", Position.CONFIRM, ""),
    }
    outside = seen(case, "director").ballot
    assert outside is not None
    assert outside.cast == ()


@sqlite
def test_the_history_holds_no_position() -> None:
    """S-AUD6."""
    case = heard(federation())
    vote(case, "juror_2", Position.DISMISS, "Kom för sent.")
    with uow() as session:
        event = session.exec(select(Event).where(Event.action == "cast_vote")).one()
    assert "dismiss" not in str(event.data)
    assert "sent" not in str(event.data)


@sqlite
def test_notes_are_read_by_whom_their_box_says() -> None:
    """S-AC4."""
    case = heard(federation())
    case.do(decisions.write_note, "juror_2", 21, text="Fråga om pausen.", shared=False)
    case.do(decisions.write_note, "juror_2", 21, text="Pausen är tydlig.", shared=True)
    assert [note.text for note in room(case, "juror_2").notes] == ["Fråga om pausen.", "Pausen är tydlig."]
    assert [note.text for note in room(case, "juror_1").notes] == ["Pausen är tydlig."]
    for outsider in ("director", "organiser", "office", "north", "lk_chair"):
        with pytest.raises(Missing):
            room(case, outsider)


def test_two_votes_at_once_both_land(database: str) -> None:
    case = heard(federation())

    def cast(who: str) -> None:
        retrying(lambda: vote(case, who))()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(cast, ("juror_2", "juror_3")))
    with uow() as session:
        assert {row.seat_id for row in session.exec(select(Vote))} == {case.seat("juror_2"), case.seat("juror_3")}


@sqlite
def test_one_vote_a_member() -> None:
    case = heard(federation())
    vote(case, "juror_2")
    assert refused(lambda: vote(case, "juror_2", Position.CHANGE)) == ["You have already voted."]


@sqlite
def test_the_vote_closes_with_a_quorum_only() -> None:
    case = heard(federation())
    vote(case, "juror_1")
    vote(case, "juror_2")
    assert refused(lambda: case.do(decisions.close_ballot, "juror_1")) == ["Not enough members have voted."]
    assert refused(lambda: case.do(decisions.close_ballot, "juror_2")) == ["This is not yours to do: {action}."]


@sqlite
def test_the_vote_in_the_room_names_each_position_and_dissent() -> None:
    case = heard(federation())
    seats = {who: case.seat(who) for who in JURORS}
    positions = dict.fromkeys(seats.values(), Position.CONFIRM) | {seats["juror_3"]: Position.CHANGE}
    dissents = {seats["juror_3"]: "Pausen var kort."}
    assert refused(
        lambda: case.do(
            decisions.record_room_vote, "juror_1", positions={seats["juror_1"]: Position.CONFIRM}, dissents={}
        )
    ) == ["Enter how each member voted."]
    case.do(decisions.record_room_vote, "juror_1", 22, positions=positions, dissents=dissents)
    ballot = room(case, "juror_2").panel.ballot
    assert ballot is not None
    assert ballot.in_room
    assert ("Sten Oskarsson", Position.CHANGE, "Pausen var kort.") in {
        (one.name, one.position, one.dissent) for one in ballot.cast
    }


@sqlite
def test_a_vote_without_majority_is_taken_again_and_the_old_one_is_kept() -> None:
    case = heard(federation())
    for who, position in zip(JURORS, Position, strict=True):
        vote(case, who, position)
    case.do(decisions.close_ballot, "juror_1", 22)
    assert refused(lambda: case.do(decisions.decide_appeal, "juror_1", decision=decision(case))) == [
        "No position has a majority. Vote again or deliberate further."
    ]
    case.do(decisions.vote_again, "juror_1", 23)
    again = room(case, "juror_1").panel.ballot
    assert again is not None
    assert (again.voted, again.cast) == (0, ())
    voted(case)
    case.do(decisions.decide_appeal, "juror_1", 25, decision=decision(case))
    with uow() as session:
        assert len(session.exec(select(Ballot)).all()) == 2
        assert len(session.exec(select(Vote)).all()) == 6


@sqlite
def test_a_vote_with_a_result_is_not_taken_again() -> None:
    case = voted(heard(federation()))
    assert refused(lambda: case.do(decisions.vote_again, "juror_1")) == ["The vote has a result."]


@sqlite
def test_no_decision_while_the_vote_is_open() -> None:
    case = heard(federation())
    assert refused(lambda: case.do(decisions.decide_appeal, "juror_1", decision=decision(case))) == [
        "The vote is not closed.",
        "No position has a majority. Vote again or deliberate further.",
    ]


@sqlite
def test_no_decision_where_a_party_was_not_heard() -> None:
    """Absent, and nothing proves that the call reached it."""
    case = voted(heard(federation()))
    with uow(write=True) as session:
        row = session.exec(select(Attendance)).first()
        assert row is not None
        row.present = False
        session.add(row)
    assert refused(lambda: case.do(decisions.decide_appeal, "juror_1", decision=decision(case))) == [
        "{party} is absent, and nothing proves that the call reached them."
    ]


@sqlite
def test_what_is_missing_in_the_decision_is_said_at_once() -> None:
    case = voted(heard(federation()))
    empty = decision(case, operative=" ", facts="", reasons="", laws=())
    assert refused(lambda: case.do(decisions.decide_appeal, "juror_1", decision=empty)) == [
        "Write what the body decides.",
        "Write which facts the body found.",
        "Write the reasons.",
        "Say which laws the decision rests on.",
    ]


@sqlite
def test_the_outcome_follows_the_vote() -> None:
    case = voted(heard(federation()))
    granted = {appeal: AppealDecision(outcome=AppealOutcome.GRANTED) for appeal in case.appeal_ids()}
    reasons = refused(lambda: case.do(decisions.decide_appeal, "juror_1", decision=decision(case, appeals=granted)))
    assert "The outcome does not follow the vote." in reasons


@sqlite
def test_the_decision_goes_to_every_party_at_once_and_the_director_is_asked_to_tell_them() -> None:
    """R36, R37."""
    there = federation()
    case = voted(heard(there))
    case.do(decisions.decide_appeal, "juror_1", 25, decision=decision(case))
    with uow() as session:
        loaded = load(session, case.proceeding_id)
        signed = session.exec(select(Decision).where(Decision.proceeding_id == case.proceeding_id)).one()
        told = session.exec(select(Notice).where(Notice.kind == NoticeKind.DECISION)).all()
        asked = session.exec(select(Notice).where(Notice.kind == NoticeKind.TO_BE_TOLD)).one()
    assert loaded.proceeding.state is State.DECIDED
    assert not signed.final
    assert {notice.person_id for notice in told} == {there.persons[who] for who in ("north", "south", "east", "west")}
    assert asked.person_id == there.persons["director"]


@sqlite
def test_a_jury_is_final_where_the_way_to_lk_is_closed() -> None:
    """R38."""
    case = voted(heard(federation(lk_open=False)))
    case.do(decisions.decide_appeal, "juror_1", 25, decision=decision(case))
    with uow() as session:
        loaded = load(session, case.proceeding_id)
        assert loaded.proceeding.state is State.FINAL
        assert loaded.decisions[case.proceeding_id].final


@sqlite
def test_a_sanction_is_stated_in_the_decision_itself() -> None:
    """R3."""
    case = voted(heard(federation()))
    sanction = "Par 7 får ett straff på 10 % av en topp."
    case.do(decisions.decide_appeal, "juror_1", 25, decision=decision(case, sanction=sanction))
    with uow() as session:
        signed = session.exec(select(Decision).where(Decision.proceeding_id == case.proceeding_id)).one()
        kinds = {row.kind for row in session.exec(select(Consequence).where(Consequence.decision_id == signed.id))}
    assert signed.operative == f"Domslutet står fast.\n\n{sanction}"
    assert ConsequenceKind.PROCEDURAL_PENALTY in kinds


@sqlite
def test_one_result_is_to_be_entered_and_the_decision_says_which() -> None:
    """What the overturned ruling would have changed is no longer to be done."""
    story = Story.begun()
    story.rule()
    story.appeal()
    story.forward()
    story.hear(*JURORS)
    story.decide(*JURORS, outcome=AppealOutcome.GRANTED, score_detail="4♥ jämnt.", score=RulingOutcome.RESULT_STANDS)
    with uow() as session:
        rows = session.exec(select(Consequence).where(Consequence.kind == ConsequenceKind.SCORE_ADJUSTMENT)).all()
        case = read_case(session, story.case.case_id, story.actors["organiser"], story.at)
        facts = decision_document(case, case.decisions[-1]).facts
    assert {(row.detail, row.state) for row in rows if row.state is ConsequenceState.PENDING} == {
        ("4♥ jämnt.", ConsequenceState.PENDING)
    }
    assert ConsequenceState.REPLACED in {row.state for row in rows}
    assert any("4♥ jämnt." in lines for _, lines in facts)


@sqlite
def test_a_finding_without_merit_is_kept_with_the_appeal() -> None:
    """R35."""
    case = voted(heard(federation()))
    found = {a: AppealDecision(outcome=AppealOutcome.REJECTED, without_merit=True) for a in case.appeal_ids()}
    case.do(decisions.decide_appeal, "juror_1", 25, decision=decision(case, appeals=found))
    with uow() as session:
        loaded = load(session, case.proceeding_id)
    assert [appeal.without_merit for appeal in loaded.appeals] == [True]


@sqlite
@pytest.mark.parametrize("position", [Position.CONFIRM, Position.CHANGE])
def test_an_appeal_that_not_everybody_stands_behind_is_dismissed_whatever_the_vote(position: Position) -> None:
    """Law 92D: it cannot be tried, so the vote on the ruling decides nothing about it."""
    story = Story.begun()
    story.rule()
    story.appeal()
    story.write(lambda s: appeals.forward_appeal(s, story.newest(), story.actors["director"], now=story.later()))
    story.hear(*JURORS)
    [appeal] = story.appeals()
    story.vote(*JURORS, position=position)
    for outcome in (AppealOutcome.REJECTED, AppealOutcome.GRANTED):
        with pytest.raises(NotAllowed):
            story.sign(JURORS[0], appeals={appeal: AppealDecision(outcome=outcome)})
    assert story.sign(JURORS[0], appeals={appeal: AppealDecision(outcome=AppealOutcome.DISMISSED)})


@sqlite
def test_an_appeal_that_is_granted_is_not_without_merit() -> None:
    """R35."""
    case = heard(federation())
    for who in JURORS:
        vote(case, who, Position.CHANGE)
    case.do(decisions.close_ballot, "juror_1", 22)
    [appeal] = case.appeal_ids()
    granted = AppealDecision(outcome=AppealOutcome.GRANTED, without_merit=True)
    signed = decision(case, appeals={appeal: granted}, score_detail="4♥ jämnt.")
    assert refused(lambda: case.do(decisions.decide_appeal, "juror_1", 23, decision=signed)) == [
        "An appeal that is granted is not without merit."
    ]


@sqlite
def test_the_vote_of_who_is_recused_afterwards_does_not_carry_a_decision() -> None:
    """R19: the panel is completed, hears the parties again and votes again."""
    there = federation()
    case = heard(there)
    voted(case)
    case.do(hearings.decide_conflict, "organiser", 23, seat_id=case.seat("juror_3"), recused=True, because="Släkt.")
    assert "A recused member has voted. The panel must vote again." in refused(
        lambda: case.do(decisions.decide_appeal, "juror_1", decision=decision(case))
    )
    case.do(hearings.compose_panel, "organiser", 24, seats=_roles(case))
    answer(case, "lk_2")
    case.do(hearings.call_hearing, "director", 25, place="Rum 2", at=LATER)
    case.do(hearings.note_attendance, "director", 26, parties=present(case), seats={})
    case.do(hearings.open_hearing, "director", 27)
    for minute, step in enumerate(HearingStep, start=28):
        case.do(hearings.note_step, "director", minute, step_done=step)
    case.do(hearings.close_hearing, "director", 35)
    for who in ("juror_1", "juror_2", "lk_2"):
        vote(case, who)
    case.do(decisions.close_ballot, "juror_1", 36)
    case.do(decisions.decide_appeal, "juror_1", 37, decision=decision(case))


def _roles(case: JuryCase) -> dict[UUID, Any]:
    return roles(case.there, ("juror_1", "juror_2", "lk_2"))


@sqlite
def test_the_open_vote_of_a_jury_that_hears_anew_is_not_shown() -> None:
    there = federation()
    case = heard(there)
    vote(case, "juror_2", Position.CHANGE)
    case.do(hearings.decide_conflict, "organiser", 23, seat_id=case.seat("juror_3"), recused=True, because="Släkt.")
    case.do(hearings.compose_panel, "organiser", 24, seats=_roles(case))
    assert seen(case, "juror_1").ballot is None


@sqlite
def test_only_the_called_state_waits_for_the_hearing() -> None:
    case = called(federation())
    assert refused(lambda: vote(case, "juror_1"))[0].startswith("This cannot be done now")

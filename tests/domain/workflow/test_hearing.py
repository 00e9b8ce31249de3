"""Panel, hearing and vote (R17-R19, R25-R26, R35)."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from casework.domain.terms import (
    ActionName,
    AppealOutcome,
    ConflictState,
    HearingStep,
    Position,
    SeatRole,
    State,
)
from casework.domain.workflow.hearing_guards import steps_that_stand
from tests.domain.workflow.begin import at_hearing, before_lk, case, complete
from tests.domain.workflow.build import COMMISSION, DECISION_TEXT, JURY, START, Case
from tests.domain.workflow.people import (
    DIRECTOR,
    EW,
    J1,
    J2,
    J3,
    J4,
    L1,
    L2,
    L3,
    L4,
    LK_CHAIR,
    NORTH,
    NS,
    OFFICE,
    ORGANISER,
    SOUTH,
    STRANGER,
)

CONFIRM, CHANGE, DISMISS = Position.CONFIRM, Position.CHANGE, Position.DISMISS


def to_compose() -> Case:
    return case().ruled().told(NS, EW).published().lodged(NS).forwarded()


def recuse(built: Case, person: UUID, by: UUID = OFFICE) -> Case:
    seat = built.seat(person)
    return built.take(ActionName.DECIDE_CONFLICT, by, subject=seat.id, recused=True, because="Same team.")


class TestComposing:
    @pytest.mark.parametrize(
        ("seats", "reason"),
        [
            ({**JURY, NORTH: SeatRole.MEMBER}, "A party cannot sit on the panel."),
            ({**JURY, DIRECTOR: SeatRole.MEMBER}, "Who gave the ruling cannot sit on the panel."),
            ({J1: SeatRole.CHAIR, J2: SeatRole.MEMBER}, "The panel needs at least {count} members."),
            (
                {J1: SeatRole.CHAIR, J2: SeatRole.MEMBER, L1: SeatRole.ATTENDEE},
                "The panel needs at least {count} members.",
            ),
            ({J1: SeatRole.MEMBER, J2: SeatRole.MEMBER, J3: SeatRole.MEMBER}, "Choose one chair."),
        ],
    )
    def test_a_panel_that_does_not_fit(self, seats: dict[UUID, SeatRole], reason: str) -> None:
        assert to_compose().refused(ActionName.COMPOSE_PANEL, ORGANISER, seats=seats) == [reason]

    def test_an_lk_member_may_sit_on_a_jury(self) -> None:
        """R19."""
        assert to_compose().composed({J1: SeatRole.CHAIR, J2: SeatRole.MEMBER, L1: SeatRole.MEMBER})

    def test_who_sat_on_the_jury_is_barred_from_lk(self) -> None:
        """R19."""
        built = to_compose().composed({J1: SeatRole.CHAIR, J2: SeatRole.MEMBER, L1: SeatRole.MEMBER})
        built.without_conflicts().called().arrives().heard().voted().decided().arrives()
        built.lodged(NS, at=built.view().this.id).forwarded()
        built.reported().demanded().arrives().declined(NS, EW).declined(NS, EW).sent_in()
        reasons = built.refused(ActionName.REGISTER_CASE, LK_CHAIR, seats=COMMISSION, jurisdiction="R1")
        assert reasons == ["Who sat on the jury cannot try the case in the Law Commission."]
        assert built.registered({L2: SeatRole.CHAIR, L3: SeatRole.MEMBER, L4: SeatRole.RESERVE})

    def test_a_chair_of_lk_who_sat_on_the_jury_does_nothing_in_lk(self) -> None:
        """R19: the office registers in his place."""
        built = to_compose().composed({LK_CHAIR: SeatRole.CHAIR, J2: SeatRole.MEMBER, J3: SeatRole.MEMBER})
        built.without_conflicts().called().arrives().heard().voted().decided().arrives()
        built.lodged(NS, at=built.view().this.id).forwarded()
        built.reported().demanded().arrives().declined(NS, EW).declined(NS, EW).sent_in()
        assert built.refused(ActionName.REGISTER_CASE, LK_CHAIR, seats=COMMISSION, jurisdiction="R1")
        assert built.registered(by=OFFICE).state() is State.REGISTERED

    def test_only_lk_s_own_sit_in_lk(self) -> None:
        seats = {**COMMISSION, J1: SeatRole.MEMBER}
        reasons = complete().sent_in().refused(ActionName.REGISTER_CASE, LK_CHAIR, seats=seats, jurisdiction="R1")
        assert reasons == ["Only members and reserves of the Law Commission sit in it."]

    def test_the_organiser_does_not_compose_lk(self) -> None:
        reasons = complete().sent_in().refused(ActionName.REGISTER_CASE, ORGANISER, seats=COMMISSION, jurisdiction="R1")
        assert reasons == ["The Law Commission seats its own members."]

    def test_lk_s_chair_has_no_part_in_a_jury(self) -> None:
        built = to_compose()
        assert not built.ask(LK_CHAIR, built.view()).parts

    def test_a_stranger_composes_nothing(self) -> None:
        assert to_compose().refused(ActionName.COMPOSE_PANEL, STRANGER, seats=JURY)


class TestConflicts:
    def test_the_hearing_waits_for_everybody_s_answer(self) -> None:
        """Section 7, 3: a member with a conflict takes no part."""
        built = to_compose().composed().called().arrives()
        built.take(ActionName.NOTE_ATTENDANCE, ORGANISER, parties={NS: True, EW: True})
        assert built.refused(ActionName.OPEN_HEARING, ORGANISER) == [
            "Every member must first say whether there is a conflict of interest, and each doubt must be decided."
        ]

    def test_nobody_decides_about_his_own(self) -> None:
        built = to_compose().composed().without_conflicts()
        reasons = built.refused(ActionName.DECIDE_CONFLICT, J1, subject=built.seat(J1).id, recused=False, because="No.")
        assert reasons == ["Nobody decides about his own conflict of interest."]

    def test_a_juror_answers_for_himself(self) -> None:
        built = to_compose().composed()
        reasons = built.refused(ActionName.DECLARE_CONFLICT, J2, subject=built.seat(J3).id, has_conflict=True)
        assert reasons == ["You can answer for yourself only."]

    def test_on_site_the_one_at_the_laptop_enters_it(self) -> None:
        built = to_compose().composed()
        built.take(ActionName.DECLARE_CONFLICT, DIRECTOR, subject=built.seat(J3).id, has_conflict=False)
        assert built.seat(J3).conflict is ConflictState.NONE

    def test_nobody_answers_for_a_member_of_lk(self) -> None:
        built = complete().sent_in().registered()
        reasons = built.refused(ActionName.DECLARE_CONFLICT, DIRECTOR, subject=built.seat(L2).id, has_conflict=True)
        assert reasons == ["You can answer for yourself only."]

    def test_the_director_recuses_nobody_in_lk(self) -> None:
        built = before_lk()
        reasons = built.refused(ActionName.DECIDE_CONFLICT, ORGANISER, subject=built.seat(L2).id, because="So.")
        assert reasons == ["The body itself decides about conflicts of interest."]
        assert built.refused(ActionName.DECIDE_CONFLICT, DIRECTOR, subject=built.seat(L2).id, because="So.")

    def test_who_attended_the_jury_is_decided_about(self) -> None:
        """R17: suggested, not barred; the own word is not enough."""
        built = at_hearing(present_lk=frozenset({L1})).heard().voted().decided().arrives()
        built.lodged(NS, at=built.view().this.id).forwarded()
        built.reported().demanded().arrives().declined(NS, EW).declined(NS, EW).sent_in().registered()
        assert built.seat(L1).conflict is ConflictState.SUGGESTED
        built.without_conflicts()
        assert built.refused(ActionName.BEGIN_DELIBERATION, built.chair)
        built.take(ActionName.DECIDE_CONFLICT, OFFICE, subject=built.seat(L1).id, because="He only listened.")
        assert built.deliberating().state() is State.DELIBERATING

    def test_a_recused_member_has_no_part(self) -> None:
        built = recuse(before_lk(), L3)
        assert not built.ask(L3, built.view()).parts

    def test_a_recusal_stands(self) -> None:
        built = recuse(before_lk(), L3)
        reasons = built.refused(ActionName.DECIDE_CONFLICT, OFFICE, subject=built.seat(L3).id, because="Back again.")
        assert reasons == ["This member is already recused."]

    def test_a_recusal_that_leaves_too_few_is_made_good_by_a_reserve(self) -> None:
        """R19."""
        built = recuse(before_lk(), L3)
        built.composed({L1: SeatRole.CHAIR, L2: SeatRole.MEMBER, L4: SeatRole.RESERVE}, by=LK_CHAIR)
        built.without_conflicts()
        assert built.voted().decided().state() is State.FINAL

    def test_who_joins_a_jury_late_hears_the_parties(self) -> None:
        built = recuse(at_hearing().heard(), J3)
        built.composed({J1: SeatRole.CHAIR, J2: SeatRole.MEMBER, J4: SeatRole.MEMBER})
        assert built.state() is State.CALLED
        built.without_conflicts().called().arrives().heard()
        assert built.voted().decided().state() is State.DECIDED

    def test_a_panel_that_suffices_is_not_changed_while_it_deliberates(self) -> None:
        seats = {L1: SeatRole.CHAIR, L2: SeatRole.MEMBER, L4: SeatRole.MEMBER}
        reasons = before_lk().refused(ActionName.COMPOSE_PANEL, LK_CHAIR, seats=seats)
        assert reasons == ["The panel can be changed only if too few members are left."]


class TestHearing:
    def test_every_lk_member_present_is_called_first(self) -> None:
        """R18: with or without his coming."""
        built = at_hearing()
        built.facts = replace(built.facts, present_lk=frozenset({L1}))
        built.take(ActionName.NOTE_ATTENDANCE, ORGANISER, parties={NS: True, EW: True})
        assert built.refused(ActionName.OPEN_HEARING, ORGANISER) == [
            "A member of the Law Commission is present and must be called before the hearing can open."
        ]
        assert built.called().take(ActionName.OPEN_HEARING, ORGANISER).state() is State.HEARING

    def test_an_lk_member_who_is_a_party_is_not_called(self) -> None:
        """R17."""
        built = at_hearing(present_lk=frozenset({NORTH}))
        assert built.heard().state() is State.DELIBERATING

    def test_who_attends_has_no_vote(self) -> None:
        """R17."""
        built = at_hearing(present_lk=frozenset({L1})).heard()
        assert built.seat(L1).role is SeatRole.ATTENDEE
        assert built.refused(ActionName.CAST_VOTE, L1, position=CONFIRM)

    def test_each_party_is_noted(self) -> None:
        """R26."""
        built = at_hearing().take(ActionName.NOTE_ATTENDANCE, ORGANISER, parties={NS: True})
        assert built.refused(ActionName.OPEN_HEARING, ORGANISER) == ["Note whether {party} is present."]

    def test_an_absent_party_was_called(self) -> None:
        """R26: with proof."""
        uncalled = to_compose().composed().without_conflicts().called()
        uncalled.take(ActionName.NOTE_ATTENDANCE, ORGANISER, parties={NS: True, EW: False})
        assert uncalled.refused(ActionName.OPEN_HEARING, ORGANISER) == [
            "{party} is absent, and nothing proves that the call reached them."
        ]
        assert at_hearing().heard(EW).state() is State.DELIBERATING

    def test_who_is_called_to_a_time_is_waited_for(self) -> None:
        """R26: the hearing opens before its time only when both sides are there."""
        built = to_compose().composed().without_conflicts()
        at = built.now + timedelta(hours=2)
        built.take(ActionName.CALL_HEARING, ORGANISER, place="The lounge", at=at).arrives()
        assert built.refused(ActionName.NOTE_ATTENDANCE, ORGANISER, parties={NS: True, EW: False}) == [
            "Nobody is absent before the time of the call, {at}."
        ]
        built.take(ActionName.NOTE_ATTENDANCE, ORGANISER, parties={NS: True})
        assert "The hearing is called to {at}. It opens earlier only when both sides are here." in built.refused(
            ActionName.OPEN_HEARING, ORGANISER
        )
        built.take(ActionName.NOTE_ATTENDANCE, ORGANISER, parties={EW: True})
        assert built.take(ActionName.OPEN_HEARING, ORGANISER).state() is State.HEARING

    def test_who_comes_after_its_turn_is_heard_all_the_same(self) -> None:
        """R26: the turn is open again, and the room is cleared after it."""
        taken = {step: START + timedelta(minutes=number) for number, step in enumerate(HearingStep)}
        in_time = {NS: START, EW: taken[HearingStep.RESPONDENTS_HEARD]}
        assert steps_that_stand(taken, arrived=in_time, appealing={NS}) == taken
        late = {NS: START, EW: taken[HearingStep.RESPONDENTS_HEARD] + timedelta(seconds=1)}
        open_again = set(taken) - set(steps_that_stand(taken, arrived=late, appealing={NS}))
        assert open_again == {HearingStep.RESPONDENTS_HEARD, HearingStep.ROOM_CLEARED}

    def test_the_room_is_cleared_when_the_late_have_been_heard(self) -> None:
        taken = {step: START + timedelta(minutes=number) for number, step in enumerate(HearingStep)}
        taken[HearingStep.APPELLANTS_HEARD] = START + timedelta(hours=1)
        standing = steps_that_stand(taken, arrived={NS: START}, appealing={NS})
        assert set(taken) - set(standing) == {HearingStep.ROOM_CLEARED}

    def test_steps_are_taken_in_order(self) -> None:
        """R25: the director presents after the chair has explained."""
        built = at_hearing().take(ActionName.NOTE_ATTENDANCE, ORGANISER, parties={NS: True, EW: True})
        built.take(ActionName.OPEN_HEARING, ORGANISER)
        reasons = built.refused(ActionName.NOTE_STEP, ORGANISER, step=HearingStep.DIRECTOR_PRESENTS)
        assert reasons == ["Take the steps of the hearing in their order."]
        assert built.refused(ActionName.CLOSE_HEARING, ORGANISER) == ["The hearing's checklist is not complete."]

    def test_nothing_is_filed_with_a_jury_that_deliberates(self) -> None:
        built = at_hearing().heard()
        reasons = built.refused(ActionName.FILE_STATEMENT, SOUTH, party=NS, text="One more thing.")
        assert reasons[0] == "The jury hears the parties in the room, not in writing."


class TestVote:
    def test_one_vote_a_member(self) -> None:
        built = before_lk().take(ActionName.CAST_VOTE, L1, position=CONFIRM)
        assert built.refused(ActionName.CAST_VOTE, L1, position=CHANGE) == ["You have already voted."]

    def test_no_vote_for_who_does_not_sit(self) -> None:
        assert before_lk().refused(ActionName.CAST_VOTE, OFFICE, position=CONFIRM)

    def test_it_closes_when_a_quorum_has_voted(self) -> None:
        built = before_lk().take(ActionName.CAST_VOTE, L1, position=CONFIRM)
        assert built.refused(ActionName.CLOSE_BALLOT, L1) == ["Not enough members have voted."]

    def test_the_vote_of_a_recused_member_is_no_quorum(self) -> None:
        built = before_lk()
        for person in (L1, L2, L3):
            built.take(ActionName.CAST_VOTE, person, position=CONFIRM)
        assert recuse(built, L3).refused(ActionName.CLOSE_BALLOT, L1) == ["Not enough members have voted."]

    def test_no_vote_after_it_is_closed(self) -> None:
        seats = {**COMMISSION, L4: SeatRole.MEMBER}
        built = complete().sent_in().registered(seats).without_conflicts().deliberating().voted(CHANGE, CHANGE, CHANGE)
        assert built.refused(ActionName.CAST_VOTE, L4, position=CONFIRM) == ["The ballot is closed."]

    def test_the_vote_in_the_room_names_everybody(self) -> None:
        built = before_lk()
        seats = [seat.id for seat in built.panel.seats]
        reasons = built.refused(ActionName.RECORD_ROOM_VOTE, L1, positions=dict.fromkeys(seats[:2], CONFIRM))
        assert reasons == ["Enter how each member voted."]
        built.take(ActionName.RECORD_ROOM_VOTE, L1, positions=dict.fromkeys(seats, CONFIRM))
        assert built.decided().state() is State.FINAL

    def test_a_vote_in_the_room_does_not_replace_a_blind_one(self) -> None:
        built = before_lk().take(ActionName.CAST_VOTE, L2, position=CHANGE)
        positions = {seat.id: CONFIRM for seat in built.panel.seats}
        assert built.refused(ActionName.RECORD_ROOM_VOTE, L1, positions=positions) == [
            "Somebody has already voted here. Let the others vote here too."
        ]

    def test_without_a_majority_the_panel_votes_again(self) -> None:
        built = before_lk().voted(CONFIRM, CHANGE, DISMISS)
        outcomes = {built.facts.appeals[0].id: AppealOutcome.REJECTED}
        data = {**DECISION_TEXT, "outcomes": outcomes}
        assert built.refused(ActionName.DECIDE_APPEAL, L1, **data) == [
            "No position has a majority. Vote again or deliberate further."
        ]
        built.take(ActionName.VOTE_AGAIN, L1)
        assert built.voted(CONFIRM, CONFIRM, CHANGE).decided().state() is State.FINAL

    def test_a_vote_with_a_result_is_not_taken_again(self) -> None:
        assert before_lk().voted().refused(ActionName.VOTE_AGAIN, L1) == ["The vote has a result."]

    def test_a_vote_in_which_a_recused_member_took_part_is_taken_again(self) -> None:
        built = recuse(before_lk().voted(), L3)
        outcomes = {built.facts.appeals[0].id: AppealOutcome.REJECTED}
        reasons = built.refused(ActionName.DECIDE_APPEAL, L1, **{**DECISION_TEXT, "outcomes": outcomes})
        assert reasons == ["A recused member has voted. The panel must vote again."]
        built.composed({L1: SeatRole.CHAIR, L2: SeatRole.MEMBER, L4: SeatRole.RESERVE}, by=LK_CHAIR)
        built.without_conflicts().take(ActionName.VOTE_AGAIN, L1)
        assert built.voted().decided().state() is State.FINAL


class TestDecision:
    @pytest.mark.parametrize(
        ("positions", "outcome"),
        [
            ((CONFIRM, CONFIRM, CHANGE), AppealOutcome.GRANTED),
            ((CHANGE, CHANGE, CONFIRM), AppealOutcome.REJECTED),
            ((DISMISS, DISMISS, CHANGE), AppealOutcome.REJECTED),
            ((CONFIRM, CONFIRM, CONFIRM), AppealOutcome.DISMISSED),
            ((CHANGE, CHANGE, CHANGE), AppealOutcome.DISMISSED),
        ],
    )
    def test_the_outcome_follows_the_majority(self, positions: tuple[Position, ...], outcome: AppealOutcome) -> None:
        built = before_lk().voted(*positions)
        outcomes = {built.facts.appeals[0].id: outcome}
        reasons = built.refused(ActionName.DECIDE_APPEAL, L1, **{**DECISION_TEXT, "outcomes": outcomes})
        assert reasons == ["The outcome does not follow the vote."]

    def test_a_dissent_does_not_stop_a_decision(self) -> None:
        assert before_lk().voted(CHANGE, CONFIRM, CHANGE).decided(AppealOutcome.PARTLY).state() is State.FINAL

    @pytest.mark.parametrize("missing", ["operative", "facts", "reasons", "laws"])
    def test_its_parts_are_there(self, missing: str) -> None:
        """Section 7, 4; R3."""
        built = before_lk().voted()
        outcomes = {built.facts.appeals[0].id: AppealOutcome.REJECTED}
        data = {**DECISION_TEXT, "outcomes": outcomes, missing: ""}
        assert len(built.refused(ActionName.DECIDE_APPEAL, L1, **data)) == 1

    def test_every_appeal_is_decided(self) -> None:
        built = before_lk().voted()
        assert built.refused(ActionName.DECIDE_APPEAL, L1, **DECISION_TEXT) == ["Decide on every appeal."]

    def test_a_late_appeal_is_judged_and_may_be_dismissed_beside_the_other(self) -> None:
        built = case().ruled().told(NS, EW).published().lodged(NS).later(minutes=40).lodged(EW).forwarded()
        built.composed().without_conflicts().called().arrives().heard().voted()
        in_time, late = built.facts.appeals
        outcomes = {in_time.id: AppealOutcome.REJECTED, late.id: AppealOutcome.DISMISSED}
        data = {**DECISION_TEXT, "outcomes": outcomes}
        assert built.refused(ActionName.DECIDE_APPEAL, J1, **data) == [
            "An appeal came in late. Decide whether it is tried."
        ]
        assert built.decided(outcomes=outcomes, found_in_time={late.id: False}).state() is State.DECIDED

    def test_what_is_not_tried_is_dismissed(self) -> None:
        built = case().ruled().told(NS, EW).published().later(minutes=40).lodged(NS).forwarded()
        built.composed().without_conflicts().called().arrives().heard().voted()
        late = built.facts.appeals[0].id
        data = {**DECISION_TEXT, "outcomes": {late: AppealOutcome.REJECTED}, "found_in_time": {late: False}}
        assert built.refused(ActionName.DECIDE_APPEAL, J1, **data) == [
            "An appeal that is not tried because it was late is dismissed."
        ]

    def test_only_the_chair_signs(self) -> None:
        assert before_lk().voted().refused(ActionName.DECIDE_APPEAL, L2) == ["This is not yours to do: {action}."]

    def test_a_jury_s_decision_opens_each_party_s_window_to_lk(self) -> None:
        """R32."""
        built = at_hearing().heard().voted().decided()
        windows = [d for d in built.facts.deadlines if d.proceeding_id == built.view().this.id and d.party_id]
        assert {d.party_id for d in windows} == {NS, EW}
        assert all(d.instant is None for d in windows)
        assert built.arrives().later(days=11).state() is State.FINAL

    def test_the_director_may_still_record_whom_he_told_a_final_decision(self) -> None:
        """R37: his task lasts until each person is told."""
        assert before_lk().voted().decided().take(ActionName.RECORD_TELLING, DIRECTOR, told_at=START)

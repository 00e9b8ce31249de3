"""The written way (R27-R31): report, statements, answers, complete papers, taken over, taken up."""

from dataclasses import replace
from uuid import UUID

import pytest

from casework.domain.terms import (
    ActionName,
    AppealOutcome,
    AppealRoute,
    DeadlineEnd,
    DeadlineKind,
    DemandEnd,
    NoticeKind,
    Position,
    State,
    StatementKind,
)
from tests.domain.workflow.begin import before_lk, case, complete, in_writing
from tests.domain.workflow.build import DECISION_TEXT, JURY, Case
from tests.domain.workflow.people import (
    CHIEF,
    DIRECTOR,
    EAST,
    EW,
    L1,
    L2,
    LK_CHAIR,
    NORTH,
    NS,
    OFFICE,
    ORGANISER,
    PARTIES,
)

REPORT = {"events": "An alert.", "ruling": "The result stands.", "reasons": "No damage."}


def asked() -> Case:
    return in_writing().reported().demanded().arrives()


class TestReport:
    @pytest.mark.parametrize("part", REPORT)
    def test_it_has_its_parts(self, part: str) -> None:
        """R27."""
        data = {**REPORT, part: ""}
        assert len(in_writing().refused(ActionName.FILE_REPORT, DIRECTOR, **data)) == 1

    def test_one_is_enough(self) -> None:
        reasons = in_writing().reported().refused(ActionName.FILE_REPORT, DIRECTOR, **REPORT)
        assert reasons == ["The report is already filed."]

    def test_the_parties_are_asked_when_they_can_read_it(self) -> None:
        """R27, R28."""
        reasons = in_writing().refused(ActionName.DEMAND_STATEMENTS, DIRECTOR, demands={})
        assert reasons == ["The director's report is not filed."]

    def test_nobody_reports_in_the_director_s_place_while_he_has_time(self) -> None:
        built = in_writing()
        reasons = built.refused(ActionName.REPORT_IN_PLACE, OFFICE, because="Faster.", **REPORT)
        assert reasons == ["The director still has time to report and to ask the parties."]

    @pytest.mark.parametrize("person", [OFFICE, CHIEF, LK_CHAIR])
    def test_when_he_is_late_the_named_may_with_a_reason(self, person: UUID) -> None:
        built = in_writing().later(days=4)
        assert built.refused(ActionName.REPORT_IN_PLACE, person, **REPORT)
        built.take(ActionName.REPORT_IN_PLACE, person, because="He is ill.", **REPORT)  # type: ignore[arg-type]
        demands = {party.id: built.fresh() for party in PARTIES}
        built.take(ActionName.DEMAND_IN_PLACE, person, because="He is ill.", demands=demands)
        assert built.deadline(DeadlineKind.REPORT).ended == "met"


class TestStatements:
    def test_a_statement_s_time_runs_from_its_own_notice(self) -> None:
        """R28."""
        built = in_writing().reported().demanded().arrives(EW)
        assert built.deadline(DeadlineKind.STATEMENT, NS).instant is None
        assert built.deadline(DeadlineKind.STATEMENT, EW).instant is not None

    def test_the_same_moment_opens_all(self) -> None:
        built = asked().stated(NS)
        assert [s.opened for s in built.facts.statements if s.party_id] == [False]
        assert built.stated(EW).state() is State.ANSWERING
        assert all(s.opened for s in built.facts.statements)

    def test_silence_with_proof_completes(self) -> None:
        """R30, C9."""
        built = asked().stated(NS).later(days=12)
        assert {d.ended for d in built.facts.demands if d.kind == "statement"} == {DemandEnd.ANSWERED, DemandEnd.SILENT}
        assert built.state() is State.ANSWERING

    def test_silence_without_proof_never_completes(self) -> None:
        """R30: who was not reached has not been asked."""
        built = in_writing().reported().demanded().arrives(NS).later(days=365)
        assert built.state() is State.PREPARING

    def test_nothing_to_add_is_an_answer(self) -> None:
        assert asked().declined(NS, EW).state() is State.ANSWERING

    def test_one_answers_its_own_question(self) -> None:
        built = asked()
        reasons = built.refused(ActionName.DECLINE_STATEMENT, EAST, party=EW, demand_id=built.open_demand(NS))
        assert reasons == ["You can act for your own side only."]

    def test_what_is_added_while_statements_are_collected_opens_with_them(self) -> None:
        built = asked().stated(NS).stated(NS)
        assert [s.opened for s in built.facts.statements if s.party_id] == [False, False]
        assert all(s.opened for s in built.stated(EW).facts.statements)

    def test_what_is_added_later_may_be_answered_by_the_other_side(self) -> None:
        """Section 7, 2."""
        built = asked().stated(NS).stated(EW).arrives().declined(NS, EW)
        assert built.state() is State.COMPLETE
        assert built.stated(NS).open_demand(EW) is not None

    def test_nothing_is_filed_before_the_parties_are_asked(self) -> None:
        reasons = in_writing().refused(ActionName.FILE_STATEMENT, NORTH, party=NS, text="First.")
        assert reasons == ["The parties have not yet been asked for their statements."]

    def test_a_question_is_answered_once(self) -> None:
        built = asked()
        demand = built.open_demand(NS)
        built.declined(NS)
        reasons = built.refused(ActionName.DECLINE_STATEMENT, NORTH, party=NS, demand_id=demand)
        assert reasons == ["This question has already been answered or its time has run out."]

    def test_an_official_enters_what_came_on_paper(self) -> None:
        built = asked()
        built.take(ActionName.ENTER_STATEMENT, OFFICE, party=NS, text="By letter.", demand_id=built.open_demand(NS))
        assert built.open_demand(NS) is None

    def test_the_parties_are_asked_once(self) -> None:
        assert asked().refused(ActionName.DEMAND_STATEMENTS, DIRECTOR, demands={}) == [
            "The statements are already demanded."
        ]

    def test_the_papers_wait_for_everybody_s_answer_to_the_others(self) -> None:
        built = asked().stated(NS).stated(EW).arrives().declined(NS)
        assert built.state() is State.ANSWERING
        assert built.later(days=8).state() is State.COMPLETE


class TestPapers:
    def test_contact_data_is_there(self) -> None:
        """R29."""
        built = complete()
        built.facts = replace(built.facts, director_reachable=False)
        assert built.refused(ActionName.SEND_IN, DIRECTOR) == [
            "The director's address and telephone number are missing."
        ]

    def test_a_party_s_contact_data_is_there(self) -> None:
        """R29: of one of its members."""
        built = complete()
        hidden = replace(PARTIES[0], members=tuple(replace(m, reachable_on_paper=False) for m in PARTIES[0].members))
        built.facts = replace(built.facts, parties=(hidden, PARTIES[1]))
        reasons = built.refused(ActionName.SEND_IN, DIRECTOR)
        assert reasons == ["Address and telephone number of {party} are missing."]

    def test_sending_in_is_taken_over_when_it_is_late(self) -> None:
        """R30."""
        built = complete()
        assert built.refused(ActionName.SEND_IN_IN_PLACE, OFFICE, because="Faster.") == [
            "The director still has time to send in the papers."
        ]
        built.later(days=15).take(ActionName.SEND_IN_IN_PLACE, OFFICE, because="He is ill.")
        assert built.state() is State.SENT_IN

    def test_lk_takes_up_what_is_incomplete(self) -> None:
        """R1, R30."""
        built = complete()
        built.facts = replace(built.facts, director_reachable=False)
        assert built.refused(ActionName.TAKE_UP, LK_CHAIR, because="")
        assert built.take(ActionName.TAKE_UP, LK_CHAIR, because="We know where he lives.").state() is State.SENT_IN

    def test_what_is_taken_up_without_a_report_is_still_put_to_the_parties(self) -> None:
        """Section 7, 1."""
        built = in_writing().take(ActionName.TAKE_UP, LK_CHAIR, because="No report for a month.")
        assert built.state() is State.PREPARING
        demands = {party.id: built.fresh() for party in PARTIES}
        built.take(ActionName.DEMAND_IN_PLACE, LK_CHAIR, because="No report.", demands=demands).arrives()
        assert built.later(days=12).state() is State.ANSWERING

    def test_nobody_but_the_body_takes_up(self) -> None:
        for person in (OFFICE, CHIEF, ORGANISER, DIRECTOR):
            assert complete().refused(ActionName.TAKE_UP, person, because="So.")

    def test_the_office_takes_up_for_a_jury_that_meets_later(self) -> None:
        """R30: nobody sits on it before it has the papers; who had a part in the fault does not act for it."""
        built = complete(route=AppealRoute.JURY_LATER)
        built.facts = replace(built.facts, director_reachable=False)
        for person in (CHIEF, ORGANISER, DIRECTOR, LK_CHAIR):
            assert built.refused(ActionName.TAKE_UP, person, because="So.")
        assert built.refused(ActionName.TAKE_UP, OFFICE, because=" ")
        assert built.take(ActionName.TAKE_UP, OFFICE, because="We know where he lives.").state() is State.SENT_IN
        assert {p.person_id for p in built.underway if p.kind is NoticeKind.SENT_IN} >= {ORGANISER, DIRECTOR, NORTH}

    def test_what_never_came_through_the_director_is_put_to_the_parties_first(self) -> None:
        lodged = case(route=AppealRoute.JURY_LATER).ruled().told(NS, EW).published().lodged(NS)
        assert lodged.take(ActionName.TAKE_UP, OFFICE, because="Sent straight to us.").state() is State.PREPARING

    def test_a_jury_on_site_is_not_sent_papers(self) -> None:
        lodged = case().ruled().told(NS, EW).published().lodged(NS)
        reasons = lodged.refused(ActionName.TAKE_UP, OFFICE, because="Sent straight to us.")
        assert "The jury hears the parties in the room, not in writing." in reasons

    @pytest.mark.parametrize(("route", "days"), [(AppealRoute.JURY_LATER, 30), (AppealRoute.LAW_COMMISSION, 60)])
    def test_each_body_has_a_day_to_aim_at(self, route: AppealRoute, days: int) -> None:
        """C10: from when it has the papers."""
        built = complete(route=route).sent_in()
        target = built.deadline(DeadlineKind.DECISION)
        assert target.instant is not None
        assert days <= (target.instant - built.now).days <= days + 4

    def test_a_jury_that_meets_later_decides_from_the_papers(self) -> None:
        built = complete(route=AppealRoute.JURY_LATER).sent_in().registered(JURY, by=ORGANISER)
        built.without_conflicts().deliberating().voted().decided()
        assert built.state() is State.DECIDED

    def test_a_body_says_why_it_may_try_the_case(self) -> None:
        """R2, R15."""
        reasons = complete().sent_in().refused(ActionName.REGISTER_CASE, LK_CHAIR, seats={}, jurisdiction=" ")
        assert "Write why the body may try the case." in reasons


def test_a_body_decides_nothing_before_each_party_was_heard() -> None:
    """Section 7, 1: whatever way a case came there."""
    built = before_lk().voted()
    built.facts = replace(built.facts, demands=tuple(d for d in built.facts.demands if d.party_id == NS))
    outcomes = {built.facts.appeals[0].id: AppealOutcome.REJECTED}
    reasons = built.refused(ActionName.DECIDE_APPEAL, L1, **{**DECISION_TEXT, "outcomes": outcomes})
    assert reasons == ["{party} has not been heard."]


class TestLateMaterial:
    def test_it_waits_for_the_other_side(self) -> None:
        """Section 7, 2: what a party could not see and answer grounds nothing."""
        built = before_lk().stated(NS)
        assert built.refused(ActionName.CAST_VOTE, L1, position=Position.CONFIRM) == [
            "There is material that a party has not yet been able to read and answer."
        ]
        assert built.stated(EW).voted().decided().state() is State.FINAL

    def test_it_makes_an_earlier_vote_void(self) -> None:
        """Section 7, 2: the members vote on all there is."""
        built = before_lk().voted().later(minutes=1).stated(NS).stated(EW)
        again = "Something new has been filed since the vote began. The panel must vote again."
        assert again in built.refused(ActionName.DECIDE_APPEAL, L1, **DECISION_TEXT)
        assert built.take(ActionName.VOTE_AGAIN, L1).voted().decided().state() is State.FINAL

    def test_silence_about_it_counts_with_proof_only(self) -> None:
        built = before_lk().stated(NS).later(days=30)
        assert built.refused(ActionName.CAST_VOTE, L1, position=Position.CONFIRM)
        assert built.arrives().later(days=6).voted().decided().state() is State.FINAL


def late(built: Case) -> list[UUID]:
    """What came late to the newest proceeding, in the order in which it came."""
    return [statement.id for statement in built.view().filed(StatementKind.LATE)]


class TestLeavingOut:
    """Section 7, 2: nobody can keep a body from deciding by adding more and more."""

    def test_the_body_decides_without_it(self) -> None:
        built = before_lk().voted().stated(NS)
        built.left_out(*late(built))
        assert built.open_demand(EW) is None
        assert built.deadline(DeadlineKind.ANSWER, EW).ended is DeadlineEnd.VOID
        assert built.decided().state() is State.FINAL

    def test_all_parties_are_told(self) -> None:
        built = before_lk().stated(NS).arrives()
        built.left_out(*late(built))
        assert {(p.kind, p.party_id) for p in built.underway} == {(NoticeKind.LEFT_OUT, p.id) for p in PARTIES}

    def test_it_takes_a_reason(self) -> None:
        built = before_lk().stated(NS)
        reasons = built.refused(ActionName.LEAVE_OUT, L1, subject=late(built)[0], because=" ")
        assert reasons == ["Write why it is left out of account."]

    def test_lk_s_chair_may_too(self) -> None:
        built = before_lk().stated(NS)
        assert built.left_out(late(built)[0], by=LK_CHAIR).open_demand(EW) is None

    @pytest.mark.parametrize("person", [NORTH, EAST, DIRECTOR, CHIEF, OFFICE, ORGANISER, L2])
    def test_nobody_else_may(self, person: UUID) -> None:
        built = before_lk().stated(NS)
        assert built.refused(ActionName.LEAVE_OUT, person, subject=late(built)[0], because="So.")

    def test_never_what_was_in_time(self) -> None:
        built = before_lk().stated(NS)
        for statement in built.view().filed(StatementKind.STATEMENT, StatementKind.REPORT):
            reasons = built.refused(ActionName.LEAVE_OUT, L1, subject=statement.id, because="So.")
            assert reasons == ["Only what came after the papers were complete can be left out of account."]

    def test_never_what_everybody_has_answered(self) -> None:
        built = before_lk().stated(NS).arrives().declined(EW).stated(EW)
        reasons = built.refused(ActionName.LEAVE_OUT, L1, subject=late(built)[0], because="So.")
        assert reasons == ["Everybody has had the time to answer this, so it counts."]

    def test_never_what_was_added_while_the_parties_answered_each_other(self) -> None:
        """It was answered, or its time ran out, before the papers became complete."""
        built = asked().stated(NS).stated(EW).arrives().declined(NS).stated(NS).declined(EW)
        built.sent_in().registered().without_conflicts().deliberating().stated(EW)
        reasons = built.refused(ActionName.LEAVE_OUT, L1, subject=late(built)[0], because="So.")
        assert reasons == ["Everybody has had the time to answer this, so it counts."]

    def test_what_else_came_late_can_still_be_answered(self) -> None:
        built = before_lk().voted().stated(NS).stated(NS)
        first, second = late(built)
        assert built.left_out(second).open_demand(EW) is not None
        assert built.refused(ActionName.DECIDE_APPEAL, L1, **DECISION_TEXT)
        assert built.left_out(first).open_demand(EW) is None

    def test_once_is_enough(self) -> None:
        built = before_lk().stated(NS).stated(NS)
        first, _ = late(built)
        reasons = built.left_out(first).refused(ActionName.LEAVE_OUT, L1, subject=first, because="So.")
        assert reasons == ["This is already left out of account."]

    def test_while_the_parties_answer_each_other_a_side_adds_once(self) -> None:
        """Nobody sits yet who could leave it out, and each addition gives the other side new time."""
        built = asked().stated(NS).stated(EW).arrives().declined(NS).stated(NS)
        text = {"party": NS, "text": "And another thing."}
        assert built.refused(ActionName.FILE_STATEMENT, NORTH, **text) == [
            "This side has already added something. It can add more when the papers are complete."
        ]
        assert built.declined(EW).stated(NS).state() is State.COMPLETE


def test_an_overdue_body_is_shown_and_not_stopped() -> None:
    """C10: it aims to decide by the day; the decision is met, late or not."""
    built = before_lk().later(days=61)
    assert built.deadline(DeadlineKind.DECISION).overdue
    assert built.voted().decided().deadline(DeadlineKind.DECISION).ended == "met"


def test_the_first_appeal_decided_ends_the_ruling() -> None:
    """R36: the ruling has been tried, and nothing of it runs."""
    built = before_lk().voted().decided()
    root = built.facts.proceedings[0].id
    assert built.state(root) is State.TRIED
    assert not [d for d in built.facts.deadlines if d.ended is None]


def test_no_appeal_ends_in_two_proceedings() -> None:
    built = case().ruled().told(NS, EW).published().lodged(NS).lodged(EW)
    assert len({appeal.proceeding_id for appeal in built.facts.appeals}) == 1

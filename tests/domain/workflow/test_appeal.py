"""The appeal until it is forwarded: lodged, joined, concurred, warned, withdrawn (R23-R24, R33-R34, R38)."""

from datetime import timedelta

import pytest

from casework.domain.terms import ActionName, AppealRoute, Body, DeadlineKind, NoticeKind, State
from tests.domain.workflow.begin import at_hearing, before_lk, case, in_writing
from tests.domain.workflow.build import DECISION_TEXT, ROOT, Case
from tests.domain.workflow.people import (
    CHIEF,
    DIRECTOR,
    EAST,
    EW,
    J1,
    LK_CHAIR,
    NORTH,
    NS,
    OFFICE,
    ORGANISER,
    OTHER_DIRECTOR,
    SOUTH,
    STRANGER,
)


def open_to_appeal(route: AppealRoute = AppealRoute.JURY_ON_SITE) -> Case:
    return case(route=route).ruled().told(NS, EW).published()


class TestLodging:
    def test_an_appeal_goes_to_the_director(self) -> None:
        """R23."""
        built = open_to_appeal().lodged(NS)
        assert (built.state(), built.state(ROOT)) == (State.LODGED, State.APPEALED)
        told = {t.person_id for t in built.history[-1].changes.tellings if t.kind is NoticeKind.APPEAL_TO_FORWARD}
        assert told == {DIRECTOR}

    def test_a_late_appeal_is_taken_in_and_marked(self) -> None:
        built = open_to_appeal().later(hours=1)
        assert built.state() is State.FINAL
        assert built.lodged(NS).facts.appeals[-1].in_time is False
        assert built.state(ROOT) is State.APPEALED

    def test_an_appeal_before_the_window_starts_is_in_time(self) -> None:
        assert case().ruled().lodged(NS).facts.appeals[-1].in_time is True

    def test_both_sides_are_tried_together(self) -> None:
        built = open_to_appeal().lodged(NS).lodged(EW)
        assert len(built.facts.proceedings) == 2
        assert {appeal.party_id for appeal in built.view().tried_here} == {NS, EW}

    def test_who_joins_opens_no_new_time_to_forward(self) -> None:
        built = open_to_appeal(AppealRoute.LAW_COMMISSION).lodged(NS).forwarded().lodged(EW)
        assert [d.ended for d in built.facts.deadlines if d.kind is DeadlineKind.FORWARD_APPEAL] == ["met"]

    def test_one_appeal_a_side(self) -> None:
        reasons = open_to_appeal().lodged(NS).refused(ActionName.LODGE_APPEAL, SOUTH, where=ROOT, party=NS, wants="X")
        assert reasons == ["Your side has already appealed."]

    def test_a_party_appeals_for_itself_only(self) -> None:
        reasons = open_to_appeal().refused(ActionName.LODGE_APPEAL, NORTH, party=EW, wants="X")
        assert reasons == ["You can act for your own side only."]

    def test_an_official_names_the_party(self) -> None:
        assert open_to_appeal().refused(ActionName.LODGE_APPEAL, OFFICE, wants="X") == ["Say for which party."]
        registered = open_to_appeal().take(
            ActionName.LODGE_APPEAL, OFFICE, subject=ROOT, party=NS, wants="X", lodged_by=NORTH
        )
        assert registered.state(ROOT) is State.APPEALED

    def test_an_appeal_says_what_it_wants(self) -> None:
        assert open_to_appeal().refused(ActionName.LODGE_APPEAL, NORTH, party=NS, wants=" ")

    def test_nobody_else_appeals(self) -> None:
        assert open_to_appeal().refused(ActionName.LODGE_APPEAL, STRANGER, party=NS, wants="X")

    def test_nobody_joins_once_the_body_deliberates(self) -> None:
        reasons = at_hearing().heard().refused(ActionName.LODGE_APPEAL, EAST, where=ROOT, party=EW, wants="X")
        assert reasons == ["The body has already begun to decide on this ruling."]

    def test_a_decision_of_lk_cannot_be_appealed(self) -> None:
        """R5."""
        reasons = before_lk().voted().decided().refused(ActionName.LODGE_APPEAL, NORTH, party=NS, wants="X")
        assert reasons == ["The Law Commission's decision is final and cannot be appealed."]

    def test_a_jury_decides_finally_where_the_way_to_lk_is_closed(self) -> None:
        """R38."""
        built = at_hearing(lk_open=False).heard().voted().later(minutes=31).decided()
        assert built.state() is State.FINAL
        reasons = built.refused(ActionName.LODGE_APPEAL, NORTH, party=NS, wants="X")
        assert reasons == ["In this tournament the jury's decision is final."]

    def test_what_is_final_waits_for_the_other_sides_time_to_appeal(self) -> None:
        """R5, R38: the appeals are tried together, and nobody's own is cut off."""
        built = at_hearing(lk_open=False).heard().voted()
        assert built.refused(ActionName.DECIDE_APPEAL, J1, **DECISION_TEXT)[0] == (
            "{party} may still appeal, until {at}. The appeals are tried together."
        )
        jury = at_hearing().heard().voted().decided().arrives()
        jury.lodged(NS, at=jury.view().this.id).forwarded().reported().demanded().arrives().declined(NS, EW)
        jury.declined(NS, EW).sent_in().registered().without_conflicts()
        jury.take(ActionName.BEGIN_DELIBERATION, jury.chair).voted()
        assert "{party} may still appeal, until {at}. The appeals are tried together." in jury.refused(
            ActionName.DECIDE_APPEAL, jury.chair, **DECISION_TEXT
        )
        assert jury.later(days=11).decided().state() is State.FINAL

    def test_a_jury_s_decision_goes_on_to_lk_in_writing(self) -> None:
        """R31, R38."""
        built = at_hearing().heard().voted().decided().arrives()
        jury = built.view().this.id
        assert built.lodged(EW, at=jury).forwarded().state() is State.PREPARING
        assert built.view().this.body is Body.LAW_COMMISSION
        assert built.state(jury) is State.APPEALED


class TestConcurrence:
    def test_the_partner_is_asked(self) -> None:
        """Law 92D."""
        tellings = open_to_appeal().lodged(NS).history[-1].changes.tellings
        assert {t.person_id for t in tellings if t.kind is NoticeKind.CONCURRENCE_ASKED} == {SOUTH}

    def test_the_partner_concurs_once(self) -> None:
        built = open_to_appeal().lodged(NS)
        appeal = built.facts.appeals[-1].id
        built.take(ActionName.CONCUR, SOUTH, subject=appeal, party=NS)
        reasons = built.refused(ActionName.CONCUR, SOUTH, subject=appeal, party=NS)
        assert reasons == ["This player has already concurred."]

    def test_the_other_side_does_not_concur(self) -> None:
        built = open_to_appeal().lodged(NS)
        assert built.refused(ActionName.CONCUR, EAST, subject=built.facts.appeals[-1].id, party=NS)

    def test_an_absent_partner_is_deemed_to_concur_with_a_reason(self) -> None:
        built = open_to_appeal().lodged(NS)
        appeal = built.facts.appeals[-1].id
        more = {"subject": appeal, "party": NS, "concurring_id": SOUTH}
        reasons = built.refused(ActionName.DEEM_CONCURRENCE, DIRECTOR, **more)
        assert reasons == ["Write why the partner cannot be asked."]
        built.take(ActionName.DEEM_CONCURRENCE, DIRECTOR, because="On the train home.", **more)
        assert built.facts.appeals[-1].concurred == {NORTH, SOUTH}

    def test_who_only_counts_as_concurring_may_still_concur_himself(self) -> None:
        """Law 92D: his own word takes the place of what was said for him."""
        built = open_to_appeal().lodged(NS)
        appeal = built.facts.appeals[-1].id
        built.take(
            ActionName.DEEM_CONCURRENCE,
            DIRECTOR,
            subject=appeal,
            party=NS,
            concurring_id=SOUTH,
            because="On the train home.",
        )
        assert built.facts.appeals[-1].deemed == {SOUTH}
        built.take(ActionName.CONCUR, SOUTH, subject=appeal, party=NS)
        assert built.facts.appeals[-1].deemed == set()
        assert built.refused(ActionName.CONCUR, SOUTH, subject=appeal, party=NS)

    def test_a_word_that_is_told_to_an_official_counts_as_given(self) -> None:
        """Law 92D: with when and how; also of one who could not be asked before, and once."""
        built = open_to_appeal().lodged(NS)
        more = {"subject": built.facts.appeals[-1].id, "party": NS, "concurring_id": SOUTH}
        assert built.refused(ActionName.RECORD_CONCURRENCE, DIRECTOR, **more) == [
            "Write when and how the partner said it."
        ]
        built.take(ActionName.DEEM_CONCURRENCE, DIRECTOR, because="On the train home.", **more)
        built.take(ActionName.RECORD_CONCURRENCE, DIRECTOR, told_how="By phone.", **more)
        assert (built.facts.appeals[-1].concurred, built.facts.appeals[-1].deemed) == (
            frozenset({NORTH, SOUTH}),
            frozenset(),
        )
        assert built.refused(ActionName.RECORD_CONCURRENCE, DIRECTOR, told_how="Again.", **more)


class TestWarning:
    def test_a_warning_travels_with_the_appeal(self) -> None:
        """R33, R34."""
        built = open_to_appeal().lodged(NS)
        built.take(
            ActionName.WARN_APPELLANT, DIRECTOR, subject=built.facts.appeals[-1].id, party=NS, how="At the table."
        )
        assert built.forwarded().view().tried_here[0].warned

    def test_a_warning_says_how_it_was_given(self) -> None:
        """R33."""
        built = open_to_appeal().lodged(NS)
        reasons = built.refused(
            ActionName.WARN_APPELLANT, DIRECTOR, subject=built.facts.appeals[-1].id, party=NS, how=""
        )
        assert reasons == ["Write how you told the appellant."]


class TestWithdrawing:
    def test_the_last_withdrawal_writes_off_and_the_ruling_becomes_final_when_its_windows_have_run(self) -> None:
        built = withdrawn(open_to_appeal().lodged(NS), NS).tick()
        assert (built.state(), built.state(ROOT)) == (State.WRITTEN_OFF, State.GIVEN)
        assert built.later(minutes=31).state(ROOT) is State.FINAL

    def test_the_other_side_s_appeal_goes_on(self) -> None:
        built = withdrawn(open_to_appeal().lodged(NS).lodged(EW), NS)
        assert built.state() is State.LODGED

    def test_a_withdrawal_ends_every_clock_of_the_appeal(self) -> None:
        built = withdrawn(in_writing().reported().demanded().arrives(), NS)
        running = [d for d in built.facts.deadlines if d.proceeding_id == built.view().this.id and d.ended is None]
        assert not running
        assert ActionName.PASS_DEADLINE not in {t.changes.action.name for t in built.later(days=99).history}

    def test_only_the_own_appeal(self) -> None:
        built = open_to_appeal().lodged(NS).lodged(EW)
        reasons = built.refused(ActionName.WITHDRAW_APPEAL, EAST, subject=built.facts.appeals[0].id, party=NS)
        assert reasons == ["You can act for your own side only."]

    def test_an_official_says_when_and_how_the_party_withdrew(self) -> None:
        built = open_to_appeal().lodged(NS)
        reasons = built.refused(ActionName.WITHDRAW_APPEAL, OFFICE, subject=built.facts.appeals[0].id, party=NS)
        assert reasons == ["Write when and how the party withdrew its appeal."]

    def test_until_it_is_decided(self) -> None:
        built = before_lk().voted().decided()
        assert built.refused(ActionName.WITHDRAW_APPEAL, NORTH, subject=built.facts.appeals[0].id, party=NS)

    def test_a_side_may_appeal_again_after_a_withdrawal(self) -> None:
        assert withdrawn(open_to_appeal().lodged(NS), NS).tick().lodged(NS).state() is State.LODGED


def withdrawn(built: Case, party: object) -> Case:
    appeal = next(a for a in built.facts.appeals if a.party_id == party and not a.withdrawn)
    return built.take(ActionName.WITHDRAW_APPEAL, NORTH, subject=appeal.id, party=appeal.party_id)


class TestForwarding:
    def test_another_director_does_not_take_the_directors_step(self) -> None:
        """R23: nobody signs in the director's name while his time runs."""
        built = open_to_appeal().lodged(NS)
        built.take(ActionName.CONCUR, SOUTH, subject=built.facts.appeals[-1].id, party=NS)
        (reason,) = built.refused(ActionName.FORWARD_APPEAL, OTHER_DIRECTOR)
        assert reason.startswith("This is for the director who ruled.")
        built.take(ActionName.FORWARD_APPEAL, DIRECTOR)

    def test_an_appeal_goes_through_the_director_who_ruled(self) -> None:
        """R23: also where another one had postponed the ruling."""
        built = case().take(ActionName.POSTPONE_RULING, DIRECTOR, waits_for="The card.").ruled(by=OTHER_DIRECTOR)
        built.told(NS, EW).published().lodged(NS)
        assert built.view().this.director_id == OTHER_DIRECTOR

    def test_on_site_to_the_jury(self) -> None:
        """R25."""
        assert open_to_appeal().lodged(NS).forwarded().state() is State.COMPOSING

    @pytest.mark.parametrize("route", [AppealRoute.JURY_LATER, AppealRoute.LAW_COMMISSION])
    def test_else_in_writing(self, route: AppealRoute) -> None:
        """R27."""
        assert in_writing(route).state() is State.PREPARING

    def test_nobody_forwards_in_the_director_s_place_while_he_has_time(self) -> None:
        """R24."""
        reasons = open_to_appeal().lodged(NS).refused(ActionName.FORWARD_IN_PLACE, OFFICE, because="Faster.")
        assert reasons == ["The director still has time to forward the appeal."]

    @pytest.mark.parametrize("person", [OFFICE, CHIEF, LK_CHAIR])
    def test_when_he_is_late_the_named_may(self, person: object) -> None:
        """R24: the office, the chief director, or the body itself."""
        built = open_to_appeal(AppealRoute.LAW_COMMISSION).lodged(NS).later(days=2)
        assert built.deadline(DeadlineKind.FORWARD_APPEAL).overdue
        built.take(ActionName.FORWARD_IN_PLACE, person, because="The director is ill.")  # type: ignore[arg-type]
        assert built.state() is State.PREPARING

    @pytest.mark.parametrize("person", [ORGANISER, LK_CHAIR, NORTH])
    def test_nobody_else_may(self, person: object) -> None:
        """R24: LK is not the body of an appeal to a jury."""
        built = open_to_appeal().lodged(NS).later(days=2)
        assert built.refused(ActionName.FORWARD_IN_PLACE, person, because="So.")  # type: ignore[arg-type]

    def test_not_without_a_reason(self) -> None:
        built = open_to_appeal().lodged(NS).later(days=2)
        assert built.refused(ActionName.FORWARD_IN_PLACE, OFFICE, because=" ") == [
            "Write why you take this step in another's place or in spite of a fault."
        ]

    def test_an_overdue_director_is_told_of_once(self) -> None:
        built = open_to_appeal().lodged(NS).later(days=2).later(days=2)
        assert [t.changes.action.name for t in built.history].count(ActionName.PASS_DEADLINE) == 1

    def test_forwarding_late_ends_the_red(self) -> None:
        built = open_to_appeal().lodged(NS).later(days=2).forwarded()
        assert built.deadline(DeadlineKind.FORWARD_APPEAL).ended == "met"
        assert built.now - timedelta(days=1) > built.facts.appeals[0].lodged_at

    def test_lk_takes_up_what_never_came_through_the_director(self) -> None:
        """R23: by its own decision with reasons, at once; the parties are still asked."""
        built = open_to_appeal(AppealRoute.LAW_COMMISSION).lodged(NS)
        built.take(ActionName.TAKE_UP, LK_CHAIR, because="Sent straight to us.")
        assert built.state() is State.PREPARING
        assert built.take(ActionName.DEMAND_IN_PLACE, LK_CHAIR, because="No report.", demands={NS: ROOT, EW: DIRECTOR})

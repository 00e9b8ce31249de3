"""The director's ruling and its windows (R22, R32)."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from casework.domain.bridge.board import Board
from casework.domain.bridge.board_parts import Refiled
from casework.domain.rules.editions import LawEdition
from casework.domain.terms import (
    ActionName,
    AppealRoute,
    Body,
    DeadlineEnd,
    DeadlineKind,
    NoticeKind,
    Part,
    RulingOutcome,
    State,
)
from casework.domain.workflow.facts import ProofFacts
from tests.domain.workflow.begin import at_hearing, case, in_writing
from tests.domain.workflow.build import DECISION_TEXT, ROOT, START, Case
from tests.domain.workflow.people import (
    CHIEF,
    DIRECTOR,
    EW,
    LK_CHAIR,
    NORTH,
    NS,
    OFFICE,
    ORGANISER,
    OTHER_DIRECTOR,
    STRANGER,
    WEST,
)

HALF_AN_HOUR = timedelta(minutes=30)


def proof(built: Case, **more: object) -> ProofFacts:
    facts = built.view(ROOT)
    values = {"kind": NoticeKind.RULING, "person_id": NORTH, "party_id": NS, "demand_id": None, "at": built.now}
    return ProofFacts(**{"decision_id": facts.this.decision_id, **values, **more})  # type: ignore[arg-type]


def window(built: Case, party: UUID = NS) -> datetime | None:
    return built.deadline(DeadlineKind.APPEAL_WINDOW, party).instant


def told_by_publication(built: Case) -> set[UUID | None]:
    taken = [t for t in built.history if t.changes.action.name is ActionName.RECORD_PUBLICATION][-1]
    return {telling.party_id for telling in taken.changes.tellings}


class TestGiving:
    def test_no_jury_without_a_ruling(self) -> None:
        """R22: the refusal says why."""
        (reason,) = case().refused(ActionName.SEND_TO_JURY, DIRECTOR)
        assert reason.startswith("You must give a ruling before the jury can try the case.")

    def test_no_jury_from_a_postponed_ruling(self) -> None:
        """R22."""
        postponed = case().take(ActionName.POSTPONE_RULING, DIRECTOR, waits_for="The hand records.")
        assert postponed.refused(ActionName.SEND_TO_JURY, DIRECTOR)

    def test_a_postponed_ruling_says_what_it_waits_for(self) -> None:
        """R22."""
        assert case().refused(ActionName.POSTPONE_RULING, DIRECTOR, waits_for=" ") == ["Write what is waited for."]

    def test_a_director_who_is_a_party_cannot_rule(self) -> None:
        reasons = case(director=NORTH).refused(ActionName.GIVE_RULING, NORTH, **DECISION_TEXT)
        assert reasons == ["This is not yours to do: {action}."]

    def test_a_party_cannot_be_made_director(self) -> None:
        reasons = case().refused(ActionName.HAND_OVER_RULING, CHIEF, director_id=WEST)
        assert reasons == ["The director is a party in this case, so another director must rule."]

    def test_another_director_rules_when_the_first_is_a_party(self) -> None:
        """P08."""
        built = case(director=NORTH).take(ActionName.HAND_OVER_RULING, ORGANISER, director_id=OTHER_DIRECTOR)
        assert built.ruled(by=OTHER_DIRECTOR).state() is State.GIVEN

    def test_who_asked_for_a_ruling_gets_a_director_appointed(self) -> None:
        built = case(state=State.REQUESTED)
        assert built.refused(ActionName.APPOINT_DIRECTOR, ORGANISER) == ["Choose the director who is to rule."]
        assert built.take(ActionName.APPOINT_DIRECTOR, ORGANISER, director_id=STRANGER).ruled(by=STRANGER)

    def test_a_ruling_of_judgement_needs_its_reasons(self) -> None:
        data = {**DECISION_TEXT, "reasons": "", "of_judgement": True}
        assert case().refused(ActionName.GIVE_RULING, DIRECTOR, **data) == ["A ruling of judgement needs its reasons."]

    def test_a_ruling_rests_on_laws(self) -> None:
        data = {**DECISION_TEXT, "laws": ()}
        assert case().refused(ActionName.GIVE_RULING, DIRECTOR, **data) == ["Say which laws the ruling rests on."]

    def test_a_director_weighs_a_score_by_the_laws_of_2017_only(self) -> None:
        """R73."""
        data = {**DECISION_TEXT, "outcome": RulingOutcome.WEIGHTED}
        earlier = case()
        earlier.facts = replace(earlier.facts, law_edition=LawEdition.laws_2007)
        (reason,) = earlier.refused(ActionName.GIVE_RULING, DIRECTOR, **data)
        assert reason.startswith("By {edition} only a jury and the Law Commission may weight")
        assert case().ruled(outcome=RulingOutcome.WEIGHTED).state() is State.GIVEN

    def test_a_ruling_was_not_given_in_the_future(self) -> None:
        data = {**DECISION_TEXT, "given_at": START + timedelta(minutes=1)}
        reasons = case().refused(ActionName.GIVE_RULING, DIRECTOR, **data)
        assert reasons == ["The ruling cannot have been given in the future."]

    def test_every_party_is_told_and_gets_a_window(self) -> None:
        """R32."""
        changes = case().ruled().history[-1].changes
        assert {opening.party_id for opening in changes.openings} == {NS, EW}
        assert {telling.party_id for telling in changes.tellings} == {NS, EW}

    def test_lk_takes_up_a_case_without_a_ruling_by_its_own_decision_only(self) -> None:
        """R22, P01: nobody else can, and not without reasons."""
        assert case().refused(ActionName.TAKE_UP, OFFICE, because="Urgent.")
        assert case().refused(ActionName.TAKE_UP, LK_CHAIR, because=" ")
        built = case().take(ActionName.TAKE_UP, LK_CHAIR, because="The jury decided without a ruling.")
        assert built.state(ROOT) is State.APPEALED
        assert built.view().this.body is Body.LAW_COMMISSION

    def test_a_case_taken_up_without_a_ruling_has_nothing_to_appeal(self) -> None:
        built = case().take(ActionName.TAKE_UP, LK_CHAIR, because="The jury decided without a ruling.")
        reasons = built.refused(ActionName.LODGE_APPEAL, NORTH, where=ROOT, party=NS, wants="More.")
        assert reasons == ["This decision cannot be appealed."]


class TestWindows:
    def test_nothing_runs_before_the_score_is_published(self) -> None:
        assert window(case().ruled().told(NS, EW)) is None

    def test_nothing_runs_before_the_party_is_told(self) -> None:
        built = case().ruled().told(EW).published()
        assert window(built, NS) is None
        assert window(built, EW) == START + HALF_AN_HOUR

    def test_it_runs_from_the_publication_for_who_was_told_before(self) -> None:
        built = case().ruled().told(NS, EW).later(hours=2).published()
        assert window(built) == START + timedelta(hours=2) + HALF_AN_HOUR

    def test_it_runs_from_the_own_notice_for_who_was_told_after(self) -> None:
        """P09: the pair was not told when the score was entered."""
        built = case().ruled().told(EW).published().later(hours=48).told(NS)
        assert window(built, NS) == START + timedelta(hours=48) + HALF_AN_HOUR

    def test_a_party_told_at_the_table_has_its_window_from_the_start(self) -> None:
        built = case()
        built.facts = replace(built.facts, published_at=START)
        told = proof(built, decision_id=ROOT)
        built.take(ActionName.GIVE_RULING, DIRECTOR, subject=ROOT, proofs=(told,), **DECISION_TEXT)
        assert window(built, NS) == START + HALF_AN_HOUR

    def test_a_publication_recorded_afterwards_closes_what_has_run(self) -> None:
        built = case().ruled().told(NS, EW).later(hours=2)
        assert built.published(START).state() is State.FINAL

    def test_only_a_side_whose_time_starts_is_told_of_the_publication(self) -> None:
        """C2: who has not been told the ruling has no running time yet."""
        assert told_by_publication(case().ruled().told(EW).published()) == {EW}

    def test_a_side_whose_time_starts_later_by_a_new_record_is_told_again(self) -> None:
        built = case().ruled().told(NS, EW).later(minutes=10).published(START)
        assert told_by_publication(built.published()) == {NS, EW}

    def test_a_new_record_that_moves_no_time_tells_nobody(self) -> None:
        built = case().ruled().told(NS, EW).later(minutes=10).published()
        assert told_by_publication(built.published(START)) == set()

    def test_a_side_that_has_appealed_is_not_told_that_its_time_starts(self) -> None:
        built = case().ruled().told(NS, EW).lodged(NS).published()
        assert told_by_publication(built) == {EW}

    def test_a_publication_is_not_in_the_future(self) -> None:
        built = case().ruled()
        later = START + timedelta(minutes=1)
        reasons = built.refused(ActionName.RECORD_PUBLICATION, ORGANISER, published_at=later)
        assert reasons == ["The official score cannot have been made available in the future."]

    def test_a_party_was_not_told_before_the_ruling_was_given(self) -> None:
        built = case().ruled().later(minutes=5)
        early = proof(built, at=START - timedelta(minutes=1))
        reasons = built.refused(ActionName.RECORD_TELLING, DIRECTOR, proofs=(early,))
        assert reasons == ["A party cannot have been told before the decision was given."]

    def test_a_party_was_not_told_in_the_future(self) -> None:
        built = case().ruled()
        later = proof(built, at=START + timedelta(minutes=1))
        assert built.refused(ActionName.RECORD_PROOF, DIRECTOR, proofs=(later,))

    def test_a_ruling_becomes_final_when_the_last_window_has_run(self) -> None:
        built = case().ruled().told(EW).published().later(minutes=10).told(NS).later(minutes=21)
        assert built.state() is State.GIVEN
        assert built.later(minutes=10).state() is State.FINAL
        assert {d.ended for d in built.facts.deadlines} == {DeadlineEnd.EXPIRED}

    def test_a_ruling_never_becomes_final_for_a_party_that_was_not_told(self) -> None:
        assert case().ruled().told(EW).published().later(days=365).state() is State.GIVEN

    def test_more_time_reopens_a_ruling_that_had_become_final(self) -> None:
        built = case().ruled().told(NS, EW).published().later(hours=1)
        until = built.now + timedelta(hours=1)
        old = built.deadline(DeadlineKind.APPEAL_WINDOW, NS)
        built.take(ActionName.PROLONG_WINDOW, DIRECTOR, subject=old.id, party=NS, until=until, because="Recorded late.")
        assert built.tick().state() is State.GIVEN
        assert built.later(minutes=61).state() is State.FINAL

    def test_a_score_that_was_available_later_than_recorded_reopens_a_final_ruling(self) -> None:
        """R32: nobody loses his time by a record that was wrong; both sides and the director are told."""
        built = case().ruled().told(NS, EW).later(hours=2).published(START)
        assert built.state() is State.FINAL
        assert built.published(built.now - timedelta(minutes=5)).state() is State.GIVEN
        assert window(built) == built.now + timedelta(minutes=25)
        assert told_by_publication(built) == {NS, EW}
        assert built.later(minutes=26).state() is State.FINAL

    def test_a_correction_that_leaves_no_time_reopens_nothing(self) -> None:
        built = case().ruled().told(NS, EW).later(hours=2).published(START)
        assert built.published(START + timedelta(minutes=10)).state() is State.FINAL
        assert window(built) == START + timedelta(minutes=10) + HALF_AN_HOUR

    def test_the_other_side_and_the_director_are_told_that_a_ruling_is_no_longer_final(self) -> None:
        built = case().ruled().told(NS, EW).published().later(hours=1)
        old, until = built.deadline(DeadlineKind.APPEAL_WINDOW, NS), built.now + timedelta(hours=1)
        built.take(ActionName.PROLONG_WINDOW, DIRECTOR, subject=old.id, party=NS, until=until, because="So.").tick()
        reopened = next(taken for taken in built.history if taken.changes.action.name is ActionName.REOPEN)
        assert {t.party_id for t in reopened.changes.tellings} == {EW, None}

    def test_more_time_needs_a_reason(self) -> None:
        built = case().ruled().told(NS, EW).published()
        old, until = built.deadline(DeadlineKind.APPEAL_WINDOW, NS), built.now + timedelta(hours=1)
        reasons = built.refused(ActionName.PROLONG_WINDOW, DIRECTOR, subject=old.id, party=NS, until=until)
        assert reasons == ["Write why the party gets more time."]

    def test_a_window_is_never_cut(self) -> None:
        built = case().ruled().told(NS, EW).published()
        old, until = built.deadline(DeadlineKind.APPEAL_WINDOW, NS), built.now + timedelta(minutes=29)
        reasons = built.refused(
            ActionName.PROLONG_WINDOW, DIRECTOR, subject=old.id, party=NS, until=until, because="So."
        )
        assert reasons == ["The new time must be later than the old one and later than now."]

    def test_more_time_has_an_end_in_sight(self) -> None:
        """At most 60 days are given at a time."""
        built = case().ruled().told(NS, EW).published()
        old, until = built.deadline(DeadlineKind.APPEAL_WINDOW, NS), built.now + timedelta(days=61)
        reasons = built.refused(
            ActionName.PROLONG_WINDOW, DIRECTOR, subject=old.id, party=NS, until=until, because="So."
        )
        assert reasons == ["At most {count} days can be given at a time."]

    def test_a_window_that_has_not_started_is_not_given_an_end(self) -> None:
        """Else it could end before its party is told."""
        built = case().ruled().told(EW).published()
        old, until = built.deadline(DeadlineKind.APPEAL_WINDOW, NS), built.now + timedelta(hours=9)
        reasons = built.refused(
            ActionName.PROLONG_WINDOW, DIRECTOR, subject=old.id, party=NS, until=until, because="So."
        )
        assert reasons == ["The time to appeal has not started for this party."]

    def test_only_a_time_to_appeal_is_prolonged_here(self) -> None:
        built = case(route=AppealRoute.LAW_COMMISSION).ruled().told(NS, EW).published().lodged(NS)
        forwarding, until = built.deadline(DeadlineKind.FORWARD_APPEAL), built.now + timedelta(days=9)
        reasons = built.refused(
            ActionName.PROLONG_WINDOW, DIRECTOR, where=ROOT, subject=forwarding.id, until=until, because="So."
        )
        assert reasons == ["This is no time to appeal."]

    def test_the_system_does_not_close_a_window_early(self) -> None:
        built = case().ruled().told(NS, EW).published()
        running = built.deadline(DeadlineKind.APPEAL_WINDOW, NS)
        reasons = built.refused(ActionName.CLOSE_WINDOW, None, subject=running.id, party=NS)
        assert reasons == ["The time has not run out."]

    def test_no_person_closes_a_window(self) -> None:
        built = case().ruled()
        assert built.refused(ActionName.CLOSE_WINDOW, DIRECTOR) == ["This is not yours to do: {action}."]


def test_a_party_is_nothing_else_in_its_own_case() -> None:
    """An organiser who plays is a party, and does not record his own publication."""
    built = case(director=NORTH).take(ActionName.HAND_OVER_RULING, CHIEF, director_id=DIRECTOR).ruled()
    assert built.ask(NORTH, built.view()).parts == {Part.PARTY}


def test_the_ruling_is_completed_while_the_parties_can_answer_it() -> None:
    """R27, R28: on site until the jury deliberates, in writing until the parties are asked."""
    written = in_writing()
    written.take(ActionName.COMPLETE_RULING, DIRECTOR, where=ROOT, subject=written.fresh())
    written.reported().demanded()
    assert written.refused(ActionName.COMPLETE_RULING, DIRECTOR, where=ROOT) == [
        "The parties have been asked for their statements. What you add now they could not answer."
    ]
    on_site = at_hearing()
    on_site.take(ActionName.COMPLETE_RULING, DIRECTOR, where=ROOT, subject=on_site.fresh())
    assert on_site.heard().refused(ActionName.COMPLETE_RULING, DIRECTOR, where=ROOT) == [
        "The case is being decided or is decided. Nothing more can be added to the ruling."
    ]


BARE = Board.numbered(18)
LED, LED_HIGH = replace(BARE, lead="S2"), replace(BARE, lead="SA")


@pytest.mark.parametrize(
    ("filed", "news"),
    [
        (Refiled(ruled=LED, last=LED, now=LED_HIGH), True),
        (Refiled(ruled=BARE, last=BARE, now=LED), True),
        (Refiled(ruled=LED, last=LED, now=LED), False),
        (Refiled(ruled=None, last=None, now=LED), False),
        (Refiled(ruled=None, last=BARE, now=LED), False),
        (Refiled(ruled=None, last=LED, now=LED_HIGH), True),
    ],
)
def test_the_parties_are_told_of_a_board_that_says_another_thing_than_they_read(filed: Refiled, *, news: bool) -> None:
    """R27: to a short ruling the board is added in parts, of which nobody is told until one of them is changed."""
    built = in_writing().take(ActionName.COMPLETE_RULING, DIRECTOR, where=ROOT, board=filed)
    told = {t.party_id for t in built.history[-1].changes.tellings if t.kind is NoticeKind.MATERIAL_ADDED}
    assert told == ({NS, EW} if news else set())

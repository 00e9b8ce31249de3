"""Adjusted scores: filed beside each other, taken along by the decision, changed by nobody after it (R69-R77)."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.adapters.i18n import render
from casework.domain.bridge.contract import Contract, Strain
from casework.domain.bridge.notation import Seat
from casework.domain.bridge.scoring.adjustment import SplitGround
from casework.domain.bridge.scoring.artificial import ArtificialScore, Fault
from casework.domain.bridge.scoring.matchpoints import Comparison, Frequency, Line
from casework.domain.bridge.scoring.methods import ByMatchpoints, ByPercent, Method
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome, Share, read_percent
from casework.domain.bridge.scoring.typed import render_outcome
from casework.domain.errors import Conflict, Invalid, NotAllowed
from casework.domain.models import AdjustmentRecord, Case, Decision, Notice
from casework.domain.rules.editions import LawEdition
from casework.domain.terms import AppealOutcome, NoticeKind, Position, RulingOutcome, Side
from casework.services import boards, decisions, going_out, rulings, scores
from casework.services.boards import blank_board
from casework.services.case_view import case_view
from casework.services.decisions import AppealDecision
from casework.services.loading import load
from casework.services.mail_context import context_of
from casework.services.room_view import room_view
from casework.services.score_basis import result_of
from casework.services.score_view import saved_view
from casework.services.scores import SavedScore, ScoreInput
from casework.services.step import FormInstance, Step
from tests import factories
from tests.factories import Federation, OpenCase
from tests.juries import JURORS, JuryCase, heard, vote
from tests.services.filing import FILED, rows
from tests.services.test_decisions import decision

MADE, DOWN = Outcome(-430), Outcome(100)
TABLE = (Line(100), Line(-420, 2), Line(-430), Line(-450, 3), Line(-460))
PAIRS = ByMatchpoints(Frequency(TABLE, Comparison.plus_one), Line(100))


def weighted(one: str = "33,3", other: str = "66,7") -> AssignedScore:
    """100 and −430 with these shares."""
    return AssignedScore((Share(DOWN, read_percent(one)), Share(MADE, read_percent(other))))


def score(method: Method = PAIRS, **changes: Any) -> ScoreInput:
    """Both sides get −430, with what `changes` says otherwise."""
    given = AssignedScore.of(MADE)
    return ScoreInput(**({"north_south": given, "east_west": given, "method": method, "at_table": DOWN} | changes))


def keep(
    there: Federation, case: OpenCase, typed: ScoreInput | None, *, who: str = "director", minutes: int = 0
) -> Step:
    """File it on top of the newest."""
    with uow(write=True) as session:
        newest = scores.newest_score(session, case.proceeding_id)
        return scores.keep_score(
            session,
            case.proceeding_id,
            there.actor(who),
            typed,
            basis=newest.id if newest else None,
            now=FILED + timedelta(minutes=minutes),
        )


def newest(case: OpenCase) -> SavedScore:
    """The newest filing."""
    with uow() as session:
        found = scores.newest_score(session, case.proceeding_id)
    assert found is not None
    return found


def judged_by(case: OpenCase, edition: LawEdition) -> None:
    """Let the case be one of earlier laws."""
    with uow(write=True) as session:
        session.get_one(Case, case.case_id).law_edition = edition


def refused(there: Federation, case: OpenCase, typed: ScoreInput) -> dict[str, str]:
    with pytest.raises(Invalid) as refusal:
        keep(there, case, typed)
    return {name: render(words, "sv") for name, words in refusal.value.fields.items()}


def test_a_later_score_stands_beside_the_earlier_and_counts(there: Federation) -> None:
    case = factories.open_case(there)
    keep(there, case, score())
    both = weighted()
    keep(there, case, score(north_south=both, east_west=both), minutes=1)
    assert len(rows(AdjustmentRecord)) == 2
    counted = newest(case).score
    assert counted is not None
    assert counted.adjustment.outcome is RulingOutcome.WEIGHTED


def test_two_who_work_out_the_score_meet(there: Federation) -> None:
    case = factories.open_case(there)
    keep(there, case, score())
    with pytest.raises(Conflict), uow(write=True) as session:
        scores.keep_score(session, case.proceeding_id, there.actor("chief"), score(), basis=None, now=FILED)


def test_r73_by_the_laws_of_2007_the_director_gives_one_result(there: Federation) -> None:
    case = factories.open_case(there)
    judged_by(case, LawEdition.laws_2007)
    both = weighted()
    assert "2007" in refused(there, case, score(north_south=both, east_west=both))["north_south"]
    keep(there, case, score(east_west=AssignedScore.of(Outcome(-450))))
    counted = newest(case).score
    assert counted is not None
    assert counted.adjustment.outcome is RulingOutcome.SPLIT


def test_r72_by_the_laws_of_2017_a_split_needs_its_ground(there: Federation) -> None:
    case = factories.open_case(there)
    typed = score(east_west=AssignedScore.of(Outcome(-450)))
    assert list(refused(there, case, typed)) == ["split_because"]
    keep(there, case, score(east_west=typed.east_west, split_because=SplitGround.self_inflicted))


def test_shares_that_do_not_come_to_a_hundred_are_refused(there: Federation) -> None:
    case = factories.open_case(there)
    both = weighted("30", "60")
    assert "90 %" in refused(there, case, score(north_south=both, east_west=both))["north_south"]
    assert rows(AdjustmentRecord) == []


def test_the_ruling_takes_the_newest_score_along(there: Federation) -> None:
    case = factories.open_case(there)
    keep(there, case, score(ByPercent()))
    keep(there, case, score(), minutes=1)
    factories.give_ruling(there, case, at=FILED + timedelta(minutes=2))
    (given,) = rows(Decision)
    assert given.adjustment_id == newest(case).id


def test_a_ruling_that_says_something_else_is_refused_at_its_outcome(there: Federation) -> None:
    case = factories.open_case(there)
    keep(there, case, score())
    with pytest.raises(Invalid) as refusal:
        factories.give_ruling(there, case, at=FILED, outcome=RulingOutcome.RESULT_STANDS)
    assert list(refusal.value.fields) == ["outcome"]
    keep(there, case, None, minutes=1)
    factories.give_ruling(there, case, at=FILED + timedelta(minutes=2), outcome=RulingOutcome.RESULT_STANDS)
    (given,) = rows(Decision)
    assert given.adjustment_id is None


def test_a_ruling_is_not_given_on_another_score_than_its_page_showed(there: Federation) -> None:
    """Compared under the lock: on both databases the later of two who act at once sees what the earlier did."""
    case, director, at = factories.open_case(there), there.actor("director"), FILED + timedelta(minutes=2)
    keep(there, case, score())
    with uow() as session:
        seen = going_out.ruling_now(session, load(session, case.proceeding_id), director, {}, at)
        form = FormInstance(seen=seen.mark)
    keep(there, case, score(ByPercent()), minutes=1)
    with pytest.raises(Conflict) as refusal, uow(write=True) as session:
        rulings.give_ruling(session, case.proceeding_id, director, factories.ruling(), now=at, form=form)
    assert "poängen" in render(refusal.value.reason, "sv")
    assert rows(Decision) == []


def test_what_a_page_showed_is_never_left_uncompared(there: Federation) -> None:
    """A step that nobody has said what its page shows takes no such form."""
    case = factories.open_case(there)
    with pytest.raises(LookupError), uow(write=True) as session:
        rulings.postpone_ruling(
            session,
            case.proceeding_id,
            there.actor("director"),
            waits_for="Kortet.",
            now=FILED,
            form=FormInstance(seen=""),
        )


def test_what_is_decided_can_be_counted_further_but_not_changed(there: Federation) -> None:
    """The frequency table comes when all have played; the ruling's own score stays as it was counted then."""
    case = factories.open_case(there)
    keep(there, case, score(ByPercent()))
    frozen = newest(case).id
    factories.give_ruling(there, case, at=FILED)
    both = AssignedScore.of(Outcome(-450))
    with pytest.raises(NotAllowed):
        keep(there, case, score(north_south=both, east_west=both), minutes=5)
    with pytest.raises(NotAllowed):
        keep(there, case, None, minutes=5)
    with pytest.raises(Invalid):
        keep(there, case, score(north_south=ArtificialScore(Fault.none), east_west=ArtificialScore(Fault.none)))
    keep(there, case, score(), minutes=5)
    with uow() as session:
        view = case_view(session, case.case_id, there.actor("north"), FILED + timedelta(minutes=6))
    assert view.decision is not None
    first, later = view.decision.scores
    assert (first.later, first.sides) == (None, ())
    assert later.later == FILED + timedelta(minutes=5)
    assert [row.ours for row in later.sides] == [False, True, False]
    (given,) = rows(Decision)
    assert given.adjustment_id == frozen


def test_points_that_are_counted_anew_are_told_to_the_parties_and_stand(there: Federation) -> None:
    """Nobody reads two scores without knowing which; a draft before the ruling is told to nobody."""
    case = factories.open_case(there)
    keep(there, case, score())
    assert rows(Notice) == []
    factories.give_ruling(there, case, at=FILED)
    missing = ByMatchpoints(Frequency((*TABLE, Line(-430)), Comparison.plus_one), Line(100))
    keep(there, case, score(missing), minutes=5)
    told = rows(Notice, Notice.kind == NoticeKind.SCORE_COUNTED)
    ruled = rows(Notice, Notice.kind == NoticeKind.RULING)
    assert {notice.person_id for notice in told} == {notice.person_id for notice in ruled} != set()
    with uow() as session:
        view = case_view(session, case.case_id, there.actor("north"), FILED + timedelta(minutes=6))
        context = context_of(session, session.get_one(Notice, told[0].id), FILED + timedelta(minutes=6))
    assert view.decision is not None
    assert [score.replaced_at for score in view.decision.scores] == [FILED + timedelta(minutes=5), None]
    assert "9 resultat" in str(context["decision"]["counted"])


def test_each_side_sees_its_own_points(there: Federation) -> None:
    case = factories.open_case(there)
    keep(there, case, score())
    for side, points in (
        (None, ["+100", "−430"]),
        (Side.NORTH_SOUTH, ["+100", "−430"]),
        (Side.EAST_WEST, ["−100", "+430"]),
    ):
        view = saved_view(newest(case), own=side)
        assert view is not None
        assert [row.points for row in view.results] == points
        assert [render(line, "sv") for line in view.gains] == [
            "Nord–Syd: 9 poäng, tidigare 14 poäng",
            "Öst–Väst: 5 poäng, tidigare 0 poäng",
        ]


TWO_NO_TRUMPS = Contract(2, Strain.no_trumps)


def recorded(there: Federation, case: OpenCase, tricks: int, *, minutes: int = 0) -> None:
    """File 2NT by North with so many tricks as the board's result."""
    with uow(write=True) as session:
        boards.complete_ruling(
            session,
            case.proceeding_id,
            there.actor("director"),
            change=lambda board: replace(board, contract=TWO_NO_TRUMPS, declarer=Seat.north, tricks=tricks),
            now=FILED + timedelta(minutes=minutes),
        )


def two_no_trumps(tricks: int) -> Outcome:
    return Outcome.of(TWO_NO_TRUMPS, Seat.north, tricks, blank_board(18).vulnerability)


def test_another_result_than_the_recorded_one_needs_a_reason(there: Federation) -> None:
    case = factories.open_case(there)
    recorded(there, case, 9)
    for wrong in (two_no_trumps(8), DOWN):
        assert "2NT" in refused(there, case, score(ByPercent(), at_table=wrong))["at_table"]
    keep(there, case, score(ByPercent(), at_table=DOWN, differs_because="Listan är inte rättad än."))
    assert newest(case).differs_because == "Listan är inte rättad än."


@pytest.mark.parametrize("at_table", [two_no_trumps(9), Outcome(150)])
def test_the_recorded_result_or_its_score_alone_will_do(there: Federation, at_table: Outcome) -> None:
    case = factories.open_case(there)
    recorded(there, case, 9)
    keep(there, case, score(ByPercent(), at_table=at_table, differs_because="not ticked"))
    assert not newest(case).differs_because


def test_a_score_whose_board_is_changed_decides_nothing_until_it_is_worked_out_again(there: Federation) -> None:
    case = factories.open_case(there)
    recorded(there, case, 9)
    keep(there, case, score(ByPercent(), at_table=two_no_trumps(9)), minutes=1)
    recorded(there, case, 8, minutes=2)
    with pytest.raises(Invalid) as refusal:
        factories.give_ruling(there, case, at=FILED + timedelta(minutes=3))
    assert "+150" in render(refusal.value.fields["outcome"], "sv")
    keep(there, case, score(ByPercent(), at_table=two_no_trumps(8)), minutes=4)
    factories.give_ruling(there, case, at=FILED + timedelta(minutes=5))


def test_weighted_results_are_told_from_the_readers_side(there: Federation) -> None:
    """One perspective in all of a mail, and it is said whose."""
    case = factories.open_case(there)
    keep(there, case, score(north_south=weighted(), east_west=weighted()))
    for own, named, other in ((Side.EAST_WEST, "Öst–Väst +430", "Nord–Syd +"), (None, "Nord–Syd −430", "Öst–Väst +")):
        view = saved_view(newest(case), own=own)
        assert view is not None
        told = [render(line, "sv") for line in view.lines()][:2]
        assert named in told[1]
        assert not any(other in line for line in told)
    assert told[0] == "Vid bordet: Poängen (Nord–Syd +100)"


@pytest.fixture
def panel(database: str) -> JuryCase:
    """The jury is alone with an appeal of a ruling that took no score along."""
    return heard(factories.federation())


def worked_out(case: JuryCase, who: str = "juror_1") -> Step:
    """A member works out a weighted score."""
    both = weighted("50", "50")
    return case.do(scores.keep_score, who, 21, typed=score(north_south=both, east_west=both), basis=None)


def test_the_chairs_draft_is_seen_by_the_panel_alone(panel: JuryCase) -> None:
    """S-AC4: nothing of the deliberation is told before the decision."""
    worked_out(panel)
    with uow() as session:
        for juror in JURORS:
            assert room_view(session, panel.case_id, panel.there.actor(juror), panel.at).score is not None
        for key in ("north", "east", "director", "office", "organiser"):
            view = case_view(session, panel.case_id, panel.there.actor(key), panel.at + timedelta(minutes=30))
            assert view.decision is not None
            assert view.decision.scores == ()
            assert not any("poängen" in render(act.title, "sv") for act in view.happenings)


@pytest.mark.parametrize("who", ["juror_2", "director", "office", "north"])
def test_nobody_but_the_chair_works_out_the_panels_score(panel: JuryCase, who: str) -> None:
    with pytest.raises(NotAllowed):
        worked_out(panel, who)
    assert rows(AdjustmentRecord) == []


def test_the_decision_takes_the_panels_score_along_and_must_agree(panel: JuryCase) -> None:
    """R73: a jury weights by all laws."""
    judged_by(panel.opened, LawEdition.laws_2007)
    worked_out(panel)
    for who in JURORS:
        vote(panel, who, Position.CHANGE)
    panel.do(decisions.close_ballot, "juror_1", 22)
    granted = {panel.appeal_ids()[0]: AppealDecision(outcome=AppealOutcome.GRANTED)}
    said: dict[str, Any] = {"appeals": granted, "score_detail": "50 % av varje."}
    with pytest.raises(Invalid) as refusal:
        panel.do(decisions.decide_appeal, "juror_1", 23, decision=decision(panel, **said))
    assert list(refusal.value.fields) == ["score"]
    said["score"] = RulingOutcome.WEIGHTED
    panel.do(decisions.decide_appeal, "juror_1", 24, decision=decision(panel, **said))
    with uow() as session:
        given = session.exec(select(Decision).where(Decision.proceeding_id == panel.proceeding_id)).one()
        view = case_view(session, panel.case_id, panel.there.actor("north"), panel.at + timedelta(minutes=30))
    assert given.adjustment_id is not None
    assert view.decision is not None
    assert len(view.decision.scores) == 1


@pytest.mark.parametrize("who", ["north", "office", "organiser", "juror_1"])
def test_nobody_but_a_director_works_out_the_rulings_score(there: Federation, who: str) -> None:
    with pytest.raises(NotAllowed):
        keep(there, factories.open_case(there), score(), who=who)


@pytest.mark.parametrize(
    ("changes", "result"),
    [
        ({}, None),
        ({"contract": Contract(4, Strain.spades), "declarer": Seat.south}, None),
        ({"contract": Contract(4, Strain.spades), "declarer": Seat.south, "tricks": 10}, "4♠ S ="),
        ({"contract": Contract(4, Strain.spades), "declarer": Seat.south, "tricks": 10, "ns_score": -50}, "−50"),
        ({"ns_score": 620}, "+620"),
    ],
)
def test_a_score_that_was_entered_goes_before_the_computed_one(changes: dict[str, Any], result: str | None) -> None:
    found = result_of(replace(blank_board(18), **changes))
    assert (render_outcome(found, "sv") if found else None) == result

"""Published hands with the chain of rulings that they went through, replayed card by card."""

from typing import Any

import pytest
from flask import Flask

from casework import clock
from casework.adapters.database import uow
from casework.app import create_app
from casework.domain.bridge.board import Board
from casework.domain.bridge.notation import Seat, vulnerability_of
from casework.domain.models import BoardRecord
from casework.domain.terms import (
    AppealOutcome,
    Body,
    ConsequenceKind,
    Position,
    Role,
    RulingOutcome,
    Side,
    State,
)
from casework.services import decisions
from casework.services.decisions import AppealDecision, DecisionInput
from casework.services.loading import load
from casework.services.panels import panel_seats
from tests import factories
from tests.page import PageClient
from tests.scenarios import facts, stage
from tests.scenarios.facts import T03, T04, T08, T09, Published
from tests.story import Story
from tests.web import signing

FOUR = ("juror_1", "juror_2", "juror_3", "juror_4")
WITH_RESULTS = [
    (case, result)
    for case in vars(facts).values()
    if isinstance(case, Published)
    for result in (case.at_table, case.ruled)
    if result is not None
]


@pytest.mark.parametrize(
    ("case", "result"), WITH_RESULTS, ids=[f"{case.id} {result.contract}" for case, result in WITH_RESULTS]
)
def test_every_published_score_follows_from_its_contract(case: Published, result: facts.Result) -> None:
    assert result.computed == result.published
    assert result.vulnerable is vulnerability_of(case.board)


@pytest.mark.parametrize("case", [T03, T04, T08, T09], ids=lambda case: case.id)
def test_the_published_boards_are_without_fault(case: Published) -> None:
    """52 cards, a possible auction, and contract, declarer and score that follow from it."""
    assert case.filed_board().findings() == []


def filed(story: Story) -> Board:
    """The board as the case holds it."""
    (record,) = stage.rows(BoardRecord, BoardRecord.case_id == story.case.case_id)
    return Board.from_json(record.board)


def upheld(story: Story, case: Published, *jurors: str, **fields: Any) -> None:
    """The jury hears both sides and lets the ruling stand, unanimously."""
    story.forward()
    story.hear(*jurors)
    story.decide(*(jurors or FOUR[:3]), **{"laws": case.citations, **fields})


def test_t03_a_slow_pass_that_one_side_denies(database: str) -> None:
    """T03: 4♥ by West is taken back to 3♣; East-West appeal, and a committee of four lets it stand (R25, R26, R32)."""
    there = stage.federation(T03, settings={"jury_size": 4})
    story = stage.begin(stage.joined(there, "juror_4", "Rune Malmsjö", Role.JURY_MEMBER), T03)
    assert T03.ruled
    story.rule(
        operative=f"Resultatet ändras till {T03.ruled.words}.",
        facts="Öst passade långsamt efter en förklaring. Väst spelade sedan 4♥.",
        facts_disputed={Side.EAST_WEST: "Öst tänkte inte.", Side.NORTH_SOUTH: "Öst tvekade."},
        reasons="Pass var ett logiskt alternativ.",
        laws=T03.citations,
        board=T03.filed_board(),
    )
    story.publish()
    stage.told(story, Body.DIRECTOR, stage.HOW_TO_APPEAL)
    assert filed(story).computed_score() == -620
    ruling = stage.decision(story, Body.DIRECTOR)
    assert "NS +110" in ruling.operative
    assert ruling.facts_disputed == {"east_west": "Öst tänkte inte.", "north_south": "Öst tvekade."}

    story.appeal("east", Side.EAST_WEST, wants="4♥ ska stå.", grounds="Öst tänkte inte.")
    assert stage.appeal(story, Body.DIRECTOR).in_time is True
    upheld(story, T03, *FOUR)

    assert stage.states(story) == {Body.DIRECTOR: State.TRIED, Body.JURY: State.DECIDED}
    assert stage.appeal(story, Body.DIRECTOR).outcome is AppealOutcome.REJECTED
    assert stage.decision(story, Body.JURY).outcome is RulingOutcome.ASSIGNED
    stage.told(story, Body.JURY, stage.HOW_TO_APPEAL)
    story.expire(days=11)
    assert stage.states(story)[Body.JURY] is State.FINAL
    stage.ended(story, T03)


def test_t04_a_slow_double(database: str) -> None:
    """T04: 4♠ is taken back to 4♥ doubled, one off; the committee upholds it with one voice (R19, R23, R25)."""
    story = stage.begin(stage.federation(T04), T04)
    assert T04.ruled
    story.rule(
        operative=f"Resultatet ändras till {T04.ruled.words}.",
        facts="Väst tänkte en halv minut innan han dubblade 4♥.",
        facts_agreed="Alla är ense om att dubblingen tog 30 sekunder.",
        reasons="Pass var ett logiskt alternativ till 4♠.",
        laws=T04.citations,
        board=T04.filed_board(),
    )
    story.publish()
    stage.told(story, Body.DIRECTOR, stage.HOW_TO_APPEAL)
    assert filed(story).computed_score() == -620
    assert "4♥X N −1, NS −100" in stage.decision(story, Body.DIRECTOR).operative

    story.appeal("east", Side.EAST_WEST, wants="4♠ ska stå.", grounds="Öst hade sex spader.")
    story.concur("west")
    story.forward()
    story.hear()
    newest, chair = story.newest(), story.actors["juror_1"]
    with uow() as session:
        positions = {seat.id: Position.CONFIRM for seat in panel_seats(load(session, newest))}
    story.write(
        lambda s: decisions.record_room_vote(s, newest, chair, positions=positions, dissents={}, now=story.later())
    )
    found = DecisionInput(
        operative="Överklagandet avslås. Domslutet står fast.",
        facts="Dubblingen tog 30 sekunder.",
        reasons="Den långsamma dubblingen visade tvekan.",
        laws=T04.citations,
        appeals={story.appeals()[0]: AppealDecision(outcome=AppealOutcome.REJECTED)},
    )
    story.write(lambda s: decisions.decide_appeal(s, newest, chair, found, now=story.later()))
    story.deliver()

    assert len(positions) == 3
    assert stage.appeal(story, Body.DIRECTOR).outcome is AppealOutcome.REJECTED
    assert stage.decision(story, Body.JURY).dissent == ""
    stage.told(story, Body.JURY, stage.HOW_TO_APPEAL)
    story.expire(days=11)
    assert stage.states(story) == {Body.DIRECTOR: State.TRIED, Body.JURY: State.FINAL}
    stage.ended(story, T04)


def test_t08_two_bids_that_were_not_alerted(database: str) -> None:
    """T08: the table result stands, and so does the ruling; the appeal had merit, so nothing follows of it (R35)."""
    there = stage.federation(T08, settings={"jury_size": 4})
    story = stage.begin(stage.joined(there, "juror_4", "Rune Malmsjö", Role.JURY_MEMBER), T08)
    assert T08.at_table
    story.rule(
        operative=f"Resultatet vid bordet står: {T08.at_table.words}.",
        outcome=RulingOutcome.RESULT_STANDS,
        facts="2♦ och 3♠ alertades inte.",
        reasons="Färre än en av fyra hade bjudit något annat med rätt upplysning.",
        laws=T08.citations,
        board=T08.filed_board(),
    )
    story.publish()
    stage.told(story, Body.DIRECTOR, stage.HOW_TO_APPEAL)
    assert filed(story).computed_score() == -1370
    assert ConsequenceKind.SCORE_ADJUSTMENT not in stage.consequences(story)

    story.appeal("north", wants="Resultatet ska ändras.", grounds="Vi fick ingen alert.")
    upheld(
        story,
        T08,
        *FOUR,
        operative="Överklagandet avslås. Domslutet står fast. Öst–Väst uppmanas att alertera.",
        reasons="Utan skriftligt underlag framgår ingen skada.",
    )

    appeal = stage.appeal(story, Body.DIRECTOR)
    assert (appeal.outcome, appeal.without_merit) == (AppealOutcome.REJECTED, False)
    followed = stage.consequences(story)
    assert ConsequenceKind.WITHOUT_MERIT not in followed
    assert ConsequenceKind.PROCEDURAL_PENALTY not in followed
    stage.told(story, Body.JURY, stage.HOW_TO_APPEAL)
    story.expire(days=11)
    assert stage.states(story) == {Body.DIRECTOR: State.TRIED, Body.JURY: State.FINAL}
    stage.ended(story, T08)


def test_t09_an_alert_that_told_too_much(database: str) -> None:
    """T09: three instances, the last of which dismisses with one voice and keeps the deposit (R5, R31, R35)."""
    story = stage.begin(stage.federation(T09, settings={"appeal_fee": 300}), T09)
    assert T09.ruled
    story.rule(
        operative=f"Resultatet ändras till {T09.ruled.words}.",
        facts="3♦ alertades tvekande och förklarades senare.",
        reasons="Alerten var en otillåten upplysning.",
        laws=T09.citations,
        board=T09.filed_board(),
    )
    story.publish()
    stage.told(story, Body.DIRECTOR, stage.HOW_TO_APPEAL)
    assert filed(story).computed_score() == 620
    assert "NS −100" in stage.decision(story, Body.DIRECTOR).operative
    story.appeal("north", wants="4♥ jämna ska stå.", grounds="Syd hade alltid bjudit 4♥.")
    story.concur("south")
    upheld(story, T09)
    assert stage.appeal(story, Body.DIRECTOR).outcome is AppealOutcome.REJECTED
    stage.told(story, Body.JURY, stage.HOW_TO_APPEAL)

    story.appeal("north", wants="4♥ jämna ska stå.", grounds="Juryn lyssnade inte.")
    story.concur("south")
    story.forward()
    story.write_papers()
    story.register()
    story.decide(
        "lk_chair",
        "lk_1",
        "lk_2",
        position=Position.DISMISS,
        outcome=AppealOutcome.DISMISSED,
        operative="Överklagandet avvisas.",
        laws=T09.citations,
        appeals={story.appeals()[-1]: AppealDecision(outcome=AppealOutcome.DISMISSED, without_merit=True)},
        merit_detail="Avgiften behålls.",
    )

    last = stage.appeal(story, Body.JURY)
    assert (last.outcome, last.without_merit) == (AppealOutcome.DISMISSED, True)
    assert stage.detail(story, Body.LAW_COMMISSION, ConsequenceKind.WITHOUT_MERIT) == "Avgiften behålls."
    assert stage.states(story) == {
        Body.DIRECTOR: State.TRIED,
        Body.JURY: State.TRIED,
        Body.LAW_COMMISSION: State.FINAL,
    }
    stage.told(story, Body.LAW_COMMISSION, stage.FINAL)
    stage.ended(story, T09)


@pytest.fixture
def app(sqlite: str) -> Flask:
    """The application, while the session of the factories is played."""
    clock.advance(factories.START - clock.now())
    return create_app()


def test_t09_the_hand_as_it_was_printed_is_refused(app: Flask) -> None:
    """T09: West was printed with North's ♦8, and nobody with the ♦2; the page names both cards and files nothing."""
    there = factories.federation()
    case = factories.open_case(there)
    director: PageClient = signing.official(app, there, "director")
    printed = (*T09.hands[:3], facts.T09_WEST_AS_PRINTED)
    typed = {seat.name: hand for seat, hand in zip(Seat, printed, strict=True)}
    form = director.get(f"/arenden/{case.case_id}/domslut/underlag/hander")
    page = director.submit(form, "Spara", status=422, **typed)
    said = page.text(".error-summary")
    assert "Mer än en hand har ruter 8: Nord och Väst." in said
    assert "Ingen hand har ruter 2." in said
    assert stage.rows(BoardRecord) == []
    assert page.values("Spara")["west"] == [facts.T09_WEST_AS_PRINTED]

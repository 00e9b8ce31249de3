"""Published procedural cases, replayed: what was filed, by whom and when, and what the bodies decided."""

import pytest

from casework.adapters.database import uow
from casework.domain.errors import NotAllowed
from casework.domain.models import PanelNote, Statement
from casework.domain.rules.citations import find_law
from casework.domain.rules.editions import LawEdition
from casework.domain.terms import (
    ActionName,
    AppealOutcome,
    AppealRoute,
    Body,
    ConflictState,
    ConsequenceKind,
    ConsequenceState,
    RulingOutcome,
    Side,
    State,
    StatementKind,
)
from casework.services import decisions, hearings, room_view
from tests.scenarios import stage
from tests.scenarios.facts import P03, P04, P05, P06
from tests.story import Story

LK = ("lk_chair", "lk_1", "lk_2")
JURY = ("juror_1", "juror_2", "juror_3")


# P03: who sat on the jury


def test_p03_the_jurys_composition_is_attacked_and_found_correct(database: str) -> None:
    """P03: no infraction, the damage was self-inflicted; a doubt about a juror is settled by another (R17, R19)."""
    story = stage.begin(stage.federation(P03), P03)
    story.rule(
        operative="Resultatet vid bordet står.",
        outcome=RulingOutcome.RESULT_STANDS,
        facts="Budgivningen öppnades inte igen efter en rättad förklaring.",
        reasons="Det spelade ingen roll för resultatet.",
        laws=P03.citations,
    )
    story.publish()
    stage.told(story, Body.DIRECTOR, stage.HOW_TO_APPEAL)
    story.appeal("east", Side.EAST_WEST, wants="Resultatet ska justeras.", grounds="Budgivningen skulle ha öppnats.")
    story.forward()

    doubted(story)
    story.sit()
    jury = story.newest()
    private = "Öst verkar ha missförstått sitt eget system."
    story.write(
        lambda s: decisions.write_note(s, jury, story.actors["juror_3"], text=private, shared=False, now=story.later())
    )
    assert notes_of(story, "juror_3") == [private]
    assert notes_of(story, "juror_1") == []
    story.decide(*JURY, laws=P03.citations, reasons="Ingen regel bröts. Skadan var självförvållad.")
    stage.told(story, Body.JURY, stage.HOW_TO_APPEAL)

    story.appeal("east", Side.EAST_WEST, wants="Juryns beslut ska ändras.", grounds="En i juryn hör till vår klubb.")
    story.forward()
    story.report()
    story.demand()
    assert [row.opened_at for row in stage.rows(Statement, Statement.kind == StatementKind.STATEMENT)] == []
    story.state({"east": "Tävlingsledaren skulle ha öppnat budgivningen.", "south": "Väst bjöd sig för högt."})
    story.finish_papers()
    story.register()
    assert notes_of(story, "lk_chair") == []
    story.decide(*LK, laws=P03.citations, reasons="Juryn var rätt sammansatt. Ingen regel bröts.")

    assert len(stage.rows(PanelNote, PanelNote.text == private)) == 1
    assert stage.appeal(story, Body.DIRECTOR).outcome is AppealOutcome.REJECTED
    assert stage.appeal(story, Body.JURY).outcome is AppealOutcome.REJECTED
    assert ConsequenceKind.SCORE_ADJUSTMENT not in stage.consequences(story)
    assert stage.states(story) == {
        Body.DIRECTOR: State.TRIED,
        Body.JURY: State.TRIED,
        Body.LAW_COMMISSION: State.FINAL,
    }
    stage.told(story, Body.LAW_COMMISSION, stage.FINAL)
    stage.ended(story, P03)


def doubted(story: Story) -> None:
    """A juror of a party's club denies that it matters, and the organiser decides that he stays."""
    stage.belongs_to(story, "juror_2", "Lindvalla BK")
    story.compose()
    story.declare()
    jury, doubt = story.newest(), stage.seat(story, "juror_2")
    assert doubt.conflict is ConflictState.SUGGESTED
    assert doubt.suggestion
    assert "samma klubb" in stage.words(doubt.suggestion)
    juror, answer = story.actors["juror_2"], "Vi har aldrig spelat ihop."
    story.write(
        lambda s: hearings.declare_conflict(
            s, jury, juror, seat_id=doubt.id, has_conflict=False, reason=answer, now=story.later()
        )
    )
    assert stage.seat(story, "juror_2").conflict is ConflictState.DECLARED
    with pytest.raises(NotAllowed, match="each doubt must be decided"):
        story.sit()
    because = "Klubben är stor, och de känner inte varandra."
    for key in ("juror_2", "west"):
        with pytest.raises(NotAllowed, match="not yours"), uow(write=True) as session:
            hearings.decide_conflict(
                session, jury, story.actors[key], seat_id=doubt.id, recused=False, because=because, now=story.at
            )
    story.write(
        lambda s: hearings.decide_conflict(
            s, jury, story.actors["organiser"], seat_id=doubt.id, recused=False, because=because, now=story.later()
        )
    )
    assert stage.seat(story, "juror_2").conflict is ConflictState.NONE
    assert [remark.text for remark in stage.remarks(story, ActionName.DECIDE_CONFLICT)] == [because]


def notes_of(story: Story, key: str) -> list[str]:
    """The notes that a member of the panel reads in its room."""
    with uow() as session:
        return [
            note.text for note in room_view.room_view(session, story.case.case_id, story.actors[key], story.at).notes
        ]


# P04: the appeal is granted


def test_p04_misinformation_changes_the_score(database: str) -> None:
    """P04: two meanings of one raise; LK takes 4♠ one off, and the organiser is told the new swing (R9, R111)."""
    there = stage.federation(P04, route=AppealRoute.LAW_COMMISSION)
    story = stage.begin(there, P04)
    story.rule(
        operative="Resultatet vid bordet står.",
        outcome=RulingOutcome.RESULT_STANDS,
        facts="Öst och Väst förklarade samma höjning till tre på olika sätt.",
        reasons="Nord–Syd hade inte bjudit annorlunda.",
        laws=P04.citations,
    )
    story.publish()
    stage.told(story, Body.DIRECTOR, stage.HOW_TO_APPEAL)
    before_lk(story, "north", wants="4♠ ska gå bet.", grounds="Rätt förklaring hade gett ett annat utspel.")
    held = stage.consequences(story)
    assert held[ConsequenceKind.TITLES_HELD] == [ConsequenceState.HELD]
    assert held[ConsequenceKind.PRIZES_MAY_BE_PAID] == [ConsequenceState.ALLOWED]
    assert P04.ruled
    story.decide(
        *LK,
        outcome=AppealOutcome.GRANTED,
        operative=f"Överklagandet bifalls. Resultatet ändras till {P04.ruled.words}.",
        laws=P04.citations,
        score=RulingOutcome.ASSIGNED,
        score_detail=f"{P04.ruled.words}. Skillnaden mellan lagen går från 2 IMP till 11 IMP.",
    )

    assert stage.appeal(story, Body.DIRECTOR).outcome is AppealOutcome.GRANTED
    assert stage.detail(story, Body.LAW_COMMISSION, ConsequenceKind.SCORE_ADJUSTMENT).startswith("4♠ V −1, NS +50.")
    followed = stage.consequences(story)
    assert followed[ConsequenceKind.SCORE_ADJUSTMENT] == [ConsequenceState.PENDING]
    assert followed[ConsequenceKind.CORRECTED_REPORT] == [ConsequenceState.PENDING]
    assert followed[ConsequenceKind.TITLES_HELD] == [ConsequenceState.RELEASED]
    assert stage.states(story) == {Body.DIRECTOR: State.TRIED, Body.LAW_COMMISSION: State.FINAL}
    stage.told(story, Body.LAW_COMMISSION, stage.FINAL)
    stage.ended(story, P04)


def before_lk(story: Story, *keys: str, wants: str, grounds: str) -> None:
    """North-South appeal (who concurs stands last), both sides are heard in writing, and LK begins to deliberate."""
    lodged_by, *partners = keys
    story.appeal(lodged_by, wants=wants, grounds=grounds)
    for key in partners:
        story.concur(key)
    story.forward()
    story.write_papers()
    story.register()


# P05: a penalty is taken away


def test_p05_a_penalty_is_taken_away_though_the_appeal_fails(database: str) -> None:
    """P05: the result stands in three instances; the information was not used, so LK removes the penalty (R3)."""
    story = stage.begin(stage.federation(P05), P05)
    assert P05.at_table
    stands = f"Resultatet vid bordet står: {P05.at_table.words}."
    story.rule(
        operative=f"{stands} Öst–Väst får ett avdrag på en halv topp.",
        outcome=RulingOutcome.PENALTY,
        facts="Väst fick en otillåten upplysning.",
        reasons="Upplysningen kunde ha använts.",
        laws=P05.citations,
    )
    story.publish()
    story.appeal("north", wants="Resultatet ska ändras.", grounds="Väst använde upplysningen.")
    story.concur("south")
    story.forward()
    story.hear()
    story.decide(*JURY, operative=f"Överklagandet avslås. {stands} Avdraget står.", laws=P05.citations)
    stage.told(story, Body.JURY, stage.HOW_TO_APPEAL)
    silent, to_lk = ConsequenceState.UNREGULATED, ConsequenceState.ALLOWED
    assert stage.consequences(story)[ConsequenceKind.PRIZES_MAY_BE_PAID] == [silent]

    before_lk(story, "north", "south", wants="Resultatet ska ändras.", grounds="Väst använde upplysningen.")
    assert stage.consequences(story)[ConsequenceKind.PRIZES_MAY_BE_PAID] == [to_lk]
    removed = "Öst–Väst får tillbaka en halv topp."
    story.decide(
        *LK,
        operative=f"Överklagandet avslås. {stands} Bestraffningen tas bort.",
        reasons="Väst hade upplysningen men använde den inte.",
        laws=P05.citations,
        score=RulingOutcome.RESULT_STANDS,
        changes_anyway=removed,
    )

    assert stage.appeal(story, Body.JURY).outcome is AppealOutcome.REJECTED
    decided = stage.decision(story, Body.LAW_COMMISSION)
    assert (decided.outcome, decided.final) == (RulingOutcome.RESULT_STANDS, True)
    assert "NS +100" in decided.operative
    assert stage.detail(story, Body.LAW_COMMISSION, ConsequenceKind.SCORE_ADJUSTMENT) == removed
    followed = stage.consequences(story)
    assert ConsequenceKind.PROCEDURAL_PENALTY not in followed
    assert followed[ConsequenceKind.CORRECTED_REPORT] == [ConsequenceState.PENDING]
    stage.told(story, Body.LAW_COMMISSION, stage.FINAL)
    stage.ended(story, P05)


# P06: under the laws of 2007


def test_p06_a_claim_with_a_trump_out(database: str) -> None:
    """P06, R43: East claimed one off; the concession was cancelled, and LK takes it back under the laws of 2007."""
    story = stage.begin(stage.federation(P06, route=AppealRoute.LAW_COMMISSION), P06)
    assert P06.at_table
    assert P06.ruled
    story.rule(
        operative=f"Resultatet blir {P06.at_table.words}.",
        facts="Öst sade ”en bet” med en trumf ute och angav ingen spelföring.",
        reasons="Medgivandet av en bet gäller inte.",
        laws=P06.citations,
    )
    story.publish()
    assert stage.edition(story) is LawEdition.laws_2007
    assert story.case.number == "SBF-2010-0001"
    stage.told(story, Body.DIRECTOR, stage.HOW_TO_APPEAL)
    assert "NS −140" in stage.decision(story, Body.DIRECTOR).operative

    before_lk(story, "north", "south", wants="3♥ ska gå en bet.", grounds="Ingen frågade efter spelföringen.")
    story.decide(
        *LK,
        outcome=AppealOutcome.GRANTED,
        operative=f"Överklagandet bifalls. Resultatet ändras till {P06.ruled.words}.",
        reasons="Tävlingsledaren skulle ha frågat efter spelföringen.",
        laws=P06.citations,
        score=RulingOutcome.ASSIGNED,
        score_detail=P06.ruled.words,
    )

    assert stage.appeal(story, Body.DIRECTOR).outcome is AppealOutcome.GRANTED
    assert stage.detail(story, Body.LAW_COMMISSION, ConsequenceKind.SCORE_ADJUSTMENT) == "3♥ Ö −1, NS +50"
    assert [law["code"] for law in stage.decision(story, Body.LAW_COMMISSION).laws] == ["70C", "70D", "71B"]
    stage.told(story, Body.LAW_COMMISSION, stage.FINAL)
    stage.ended(story, P06)


def test_p06_neither_edition_has_the_paragraph_that_was_cited() -> None:
    """P06: the published decision cites 71C, which stands in earlier laws only (R43)."""
    assert find_law(LawEdition.laws_2007, "71C") is None
    assert find_law(LawEdition.laws_2017, "71C") is None
    assert find_law(LawEdition.earlier, "71C") is not None


def test_p06_the_director_may_not_weight_but_lk_may(database: str) -> None:
    """R73: under the laws of 2007 only a jury and LK weight several results."""
    story = stage.begin(stage.federation(P06, route=AppealRoute.LAW_COMMISSION), P06)
    with pytest.raises(NotAllowed) as refused:
        story.rule(outcome=RulingOutcome.WEIGHTED, laws=P06.citations)
    (reason,) = stage.said(refused.value)
    assert reason.startswith("Enligt 2007 års lagar")
    story.rule(laws=P06.citations)
    story.publish()
    before_lk(story, "north", "south", wants="3♥ ska gå bet.", grounds="En trumf var ute.")
    story.decide(*LK, outcome=AppealOutcome.PARTLY, score=RulingOutcome.WEIGHTED, laws=P06.citations)
    assert stage.decision(story, Body.LAW_COMMISSION).outcome is RulingOutcome.WEIGHTED

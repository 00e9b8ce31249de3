"""Published cases about the ruling itself: not given, given by another, not told (P01, P08, P09)."""

from datetime import datetime, timedelta

import pytest

from casework.adapters.database import uow
from casework.domain.errors import NotAllowed
from casework.domain.models import Grant, Notice, Statement
from casework.domain.terms import (
    ActionName,
    Body,
    Channel,
    ConsequenceKind,
    ConsequenceState,
    NoticeKind,
    NoticeState,
    Role,
    RulingOutcome,
    Side,
    State,
    StatementKind,
)
from casework.services import at_the_table, notices, posting, prolonging, rulings, statements, todo
from casework.services.statements import ReportInput
from tests import factories
from tests.factories import OpenCase
from tests.scenarios import stage
from tests.scenarios.facts import P01, P08, P09
from tests.story import Story

LK = ("lk_chair", "lk_1", "lk_2")
JURY = ("juror_1", "juror_2", "juror_3")


# P01: the jury may not rule in the director's place


def test_p01_the_director_may_not_leave_it_to_the_jury(database: str) -> None:
    """P01, R22: refused with its reason, which also stands at the button; he can postpone and rule, nothing else."""
    story = stage.begin(stage.federation(P01), P01)
    with pytest.raises(NotAllowed) as refused, uow(write=True) as session:
        rulings.send_to_jury(session, story.case.proceeding_id, story.actors["director"], now=story.later())
    (reason,) = stage.said(refused.value)
    assert reason.startswith("Du måste ge ett domslut innan juryn kan pröva ärendet.")
    assert stage.reasons(story, "director", ActionName.SEND_TO_JURY) == [reason]
    assert stage.states(story) == {Body.DIRECTOR: State.OPEN}
    with pytest.raises(NotAllowed, match="cannot be done now"):
        story.appeal("north")


def test_p01_only_lks_chair_takes_it_up_and_only_with_a_reason(database: str) -> None:
    """P01, R1, R22: the override is one person's, its reason is asked for, kept, and on the office's list."""
    story = stage.begin(stage.federation(P01), P01)
    ours = story.case.proceeding_id
    for key in sorted(story.there.persons.keys() - {"lk_chair"}):
        assert stage.reasons(story, key, ActionName.TAKE_UP) is None
        with pytest.raises(NotAllowed, match="not yours"), uow(write=True) as session:
            rulings.take_up_without_ruling(session, ours, story.actors[key], because="Det brådskar.", now=story.at)
    with pytest.raises(NotAllowed) as refused, uow(write=True) as session:
        rulings.take_up_without_ruling(session, ours, story.actors["lk_chair"], because=" ", now=story.at)
    assert len(stage.said(refused.value)) == 1
    assert stage.states(story) == {Body.DIRECTOR: State.OPEN}

    took_up(story)
    assert stage.states(story) == {Body.DIRECTOR: State.APPEALED, Body.LAW_COMMISSION: State.PREPARING}
    with uow() as session:
        (listed,) = todo.todo(session, story.actors["office"], story.at).overrides
    assert (listed.number, listed.by, listed.reason) == (story.case.number, "Hjalmar Rydén", WITHOUT_RULING)
    assert stage.mails(story, NoticeKind.REGISTERED).keys() == stage.EVERY_PLAYER | {"director"}


WITHOUT_RULING = "Tävlingsledaren lät juryn avgöra direkt. Det får han inte."


def took_up(story: Story) -> None:
    """LK's chair takes the case up although nobody has ruled."""
    chair = story.actors["lk_chair"]
    story.write(
        lambda s: rulings.take_up_without_ruling(
            s, story.case.proceeding_id, chair, because=WITHOUT_RULING, now=story.later()
        )
    )
    story.deliver()


def test_p01_lk_hears_both_sides_and_lets_the_table_result_stand(database: str) -> None:
    """P01: no alert and a late correction cost 1 VP, but did no damage: NS −110 stands (R1, R3, R5, R28)."""
    story = stage.begin(stage.federation(P01), P01)
    took_up(story)
    newest, chair = story.newest(), story.actors["lk_chair"]
    report = ReportInput(
        events="Nord alerterade inte, svarade fel och rättade sig vid fel tillfälle.",
        ruling="Inget domslut. Juryn drog av 3 IMP från Nord–Syd.",
        reasons="Tävlingsledaren lät juryn avgöra.",
    )
    because = "LK tar själv in det som saknas."
    story.write(lambda s: statements.file_report(s, newest, chair, report, because=because, now=story.later()))
    story.write(lambda s: statements.demand_statements(s, newest, chair, because=because, now=story.later()))
    story.deliver()
    assert stage.mails(story, NoticeKind.STATEMENT_DEMANDED).keys() == stage.EVERY_PLAYER
    story.state({"north": "Vi rättade oss så snart vi kunde.", "east": "Vi fick fel svar på en fråga."})
    opened = stage.rows(Statement, Statement.kind == StatementKind.STATEMENT)
    assert len({statement.opened_at for statement in opened}) == 1
    story.finish_papers()
    story.register()
    assert P01.at_table
    story.decide(
        *LK,
        appeals={},
        operative=f"Resultatet vid bordet står: {P01.at_table.words}.",
        facts=report.events,
        reasons="Tävlingsledaren ska döma själv. Felet i förklaringen vållade ingen skada.",
        laws=P01.citations,
        sanction="Nord–Syd får ett avdrag på 1 VP.",
    )

    decided = stage.decision(story, Body.LAW_COMMISSION)
    assert (decided.outcome, decided.final) == (RulingOutcome.RESULT_STANDS, True)
    assert "NS −110" in decided.operative
    assert stage.detail(story, Body.LAW_COMMISSION, ConsequenceKind.PROCEDURAL_PENALTY).endswith("1 VP.")
    assert stage.states(story) == {Body.DIRECTOR: State.TRIED, Body.LAW_COMMISSION: State.FINAL}
    stage.told(story, Body.LAW_COMMISSION, stage.FINAL)
    stage.ended(story, P01)


# P08: the director is a party

ANOTHER = "en annan tävlingsledare"


def test_p08_another_director_rules_where_the_first_one_plays(database: str) -> None:
    """P08: jury on site and LK see it like the director who ruled; the title follows the first list (R9, R22)."""
    there = stage.federation(P08)
    with uow(write=True) as session:
        session.add(Grant(person_id=there.persons["west"], role=Role.DIRECTOR, tournament_id=there.tournament_id))
    involved, at = there.actor("west"), P08.starts_at
    where = stage.incident(there, P08)
    mine = factories.ruling(laws=P08.citations)
    with pytest.raises(NotAllowed) as refused, uow(write=True) as session:
        at_the_table.file_ruling(session, where, involved, mine, now=at)
    assert ANOTHER in stage.said(refused.value)[0]

    with uow(write=True) as session:
        loaded = at_the_table.request_ruling(
            session, where, there.actor("north"), text="Öst tänkte länge.", now=at
        ).loaded
        sides = {party.side: party.id for party in loaded.parties}
    case = OpenCase(loaded.case.id, loaded.case.number, loaded.proceeding.id, sides)
    story = Story(there, case, at + timedelta(minutes=30))
    story.deliver()
    assert stage.mails(story, NoticeKind.RULING_ASKED).keys() == {"organiser", "office"}
    with pytest.raises(NotAllowed) as refused:
        appointed(story, "west")
    assert ANOTHER in stage.said(refused.value)[0]
    appointed(story, "director")
    with pytest.raises(NotAllowed, match="not yours"), uow(write=True) as session:
        rulings.give_ruling(session, case.proceeding_id, involved, mine, now=story.later())

    ruled_and_tried(story)
    assert stage.decision(story, Body.DIRECTOR).given_by == there.persons["director"]
    assert stage.consequences(story)[ConsequenceKind.TITLES_HELD] == [ConsequenceState.HELD]
    story.decide(*LK, laws=P08.citations)
    assert stage.consequences(story)[ConsequenceKind.TITLES_HELD] == [ConsequenceState.RELEASED]
    assert ConsequenceKind.SCORE_ADJUSTMENT not in stage.consequences(story)
    assert ConsequenceKind.CORRECTED_REPORT not in stage.consequences(story)
    assert stage.states(story) == {
        Body.DIRECTOR: State.TRIED,
        Body.JURY: State.TRIED,
        Body.LAW_COMMISSION: State.FINAL,
    }
    stage.told(story, Body.LAW_COMMISSION, stage.FINAL)
    stage.ended(story, P08)


def appointed(story: Story, key: str) -> None:
    """The organiser appoints who is to rule."""
    organiser, director = story.actors["organiser"], story.there.persons[key]
    story.write(
        lambda s: rulings.appoint_director(
            s, story.case.proceeding_id, organiser, director_id=director, now=story.later()
        )
    )
    story.deliver()


def ruled_and_tried(story: Story) -> None:
    """The table result stands, before the jury too; North-South go on to LK."""
    story.rule(operative="Resultatet vid bordet står.", outcome=RulingOutcome.RESULT_STANDS, laws=P08.citations)
    story.publish()
    stage.told(story, Body.DIRECTOR, stage.HOW_TO_APPEAL)
    wants = "Resultatet ska ändras."
    story.appeal("north", wants=wants, grounds="Passet var inte självklart.")
    story.forward()
    story.hear()
    story.decide(*JURY, laws=P08.citations)
    stage.told(story, Body.JURY, stage.HOW_TO_APPEAL)
    story.appeal("north", wants=wants, grounds="Juryn missförstod systemet.")
    story.forward()
    story.write_papers()
    story.register()


# P09: a score that nobody was told of

TOLD = datetime(2018, 7, 9, 19, 48, tzinfo=P09.starts_at.tzinfo)
"""21.48 in Sweden, two days after the session."""
TWO_DAYS = timedelta(hours=48)


def entered_without_telling() -> Story:
    """East-West have no mail, and nobody posts their letter; North-South were told at the table."""
    there = stage.federation(P09, without_mail=frozenset({"east", "west"}))
    story = stage.begin(there, P09)
    now = story.later()
    story.rule(laws=P09.citations, told={there.persons["north"]: now + timedelta(minutes=1)})
    story.publish()
    return story


def told_at_last(story: Story) -> None:
    """Two days later the pair protests at 15.10; at 21.48 the chief director says that the score stands."""
    story.at = TOLD - timedelta(hours=6, minutes=38)
    story.expire()
    assert stage.states(story) == {Body.DIRECTOR: State.GIVEN}
    story.at = TOLD
    note = "Ni får 48 timmar från nu. Poängen står."
    story.write(
        lambda s: rulings.record_telling(
            s,
            story.case.proceeding_id,
            story.actors["chief"],
            person_id=story.there.persons["east"],
            told_at=TOLD,
            note=note,
            now=TOLD,
        )
    )


def prolonged(story: Story) -> None:
    """The chief director opens a fresh time of 48 hours."""
    side = Side.EAST_WEST
    story.write(
        lambda s: prolonging.prolong_window(
            s,
            story.case.proceeding_id,
            story.actors["chief"],
            deadline_id=stage.window(story, side).id,
            party_id=story.case.party_ids[side],
            until=TOLD + TWO_DAYS,
            because="Paret fick inte veta något förrän nu.",
            now=story.later(),
        )
    )


def test_p09_no_time_runs_against_a_pair_that_was_not_told(database: str) -> None:
    """P09, R32, R37: the other side's time ran out long ago; theirs begins when somebody tells them."""
    story = entered_without_telling()
    letters = stage.rows(Notice, Notice.kind == NoticeKind.RULING, Notice.channel == Channel.LETTER)
    assert {letter.state for letter in letters} == {NoticeState.TO_BE_POSTED}
    assert stage.window(story, Side.NORTH_SOUTH).instant is not None
    untold = stage.window(story, Side.EAST_WEST)
    assert (untold.base, untold.instant) == (None, None)
    assert "du har fått veta domslutet" in stage.words(untold.explanation)

    told_at_last(story)
    begun = stage.window(story, Side.EAST_WEST)
    assert (begun.base, begun.instant) == (TOLD, TOLD + timedelta(minutes=30))

    prolonged(story)
    fresh = stage.window(story, Side.EAST_WEST)
    assert fresh.instant == TOLD + timedelta(hours=48)
    assert [remark.text for remark in stage.remarks(story, ActionName.PROLONG_WINDOW)] == [
        "Paret fick inte veta något förrän nu."
    ]
    story.expire(hours=47)
    assert stage.states(story) == {Body.DIRECTOR: State.GIVEN}
    story.expire(hours=1)
    assert stage.states(story) == {Body.DIRECTOR: State.FINAL}
    stage.ended(story, P09)


def test_p09_a_letter_in_the_post_proves_nothing_until_it_arrives(database: str) -> None:
    """R37: it starts the time when somebody knows that it arrived, from that moment on."""
    story = entered_without_telling()
    letter = next(
        each
        for each in stage.rows(Notice, Notice.kind == NoticeKind.RULING, Notice.channel == Channel.LETTER)
        if each.person_id == story.there.persons["east"]
    )
    office = story.actors["office"]
    sent = story.later()
    story.write(lambda s: posting.record_posted(s, letter.id, office, at=sent, now=sent))
    assert stage.window(story, Side.EAST_WEST).instant is None
    arrived, now = story.later(days=1), story.later(hours=1)
    story.write(lambda s: notices.record_arrived(s, letter.id, office, arrived_at=arrived, note="Öst ringde.", now=now))
    assert stage.window(story, Side.EAST_WEST).base == arrived


@pytest.mark.parametrize(("hours", "then"), [(47, State.GIVEN), (49, State.FINAL)])
def test_p09_an_appeal_is_taken_in_after_the_fresh_time_too_and_marked(database: str, hours: int, then: State) -> None:
    """R23: in time until the fresh time ends; later it is left to the body, which must say whether it tries it."""
    story = entered_without_telling()
    told_at_last(story)
    prolonged(story)
    story.at = TOLD + timedelta(hours=hours)
    story.expire()
    assert stage.states(story) == {Body.DIRECTOR: then}
    story.appeal("east", Side.EAST_WEST, wants="Justeringen ska tas bort.", grounds="Vi fick inte veta något.")
    assert stage.appeal(story, Body.DIRECTOR).in_time is (hours < 48)
    assert stage.states(story) == {Body.DIRECTOR: State.APPEALED, Body.JURY: State.LODGED}
    assert stage.consequences(story)[ConsequenceKind.TITLES_HELD] == [ConsequenceState.HELD]

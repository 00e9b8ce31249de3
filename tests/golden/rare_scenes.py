"""What happens seldom, with ordinary data: individuals and teams, times that are over or corrected, steps in another's
place."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.calendar import Span, Unit
from casework.domain.models import Deadline, Notice
from casework.domain.terms import (
    AppealOutcome,
    AppealRoute,
    Channel,
    DeadlineKind,
    FilingChannel,
    Form,
    NoticeKind,
    RulingOutcome,
    Side,
)
from casework.services import (
    appeals,
    correcting,
    hearing_reminders,
    prolonging,
    recalculating,
    rulings,
    statements,
    suspending,
    tournaments,
)
from casework.services.appeals import AppealInput
from casework.services.decisions import AppealDecision
from casework.services.loading import load
from casework.services.statements import StatementInput
from tests import factories, support
from tests.golden.appeal_scenes import NO_LONGER_FINAL, WITHDRAWN, lodges, word_of
from tests.golden.data import ORDINARY, Data
from tests.golden.score_scenes import late_score, score_corrected
from tests.golden.scribe import Scribe

IN_WRITING: dict[str, Any] = {"route": AppealRoute.LAW_COMMISSION}
TEN_DAYS: dict[str, Any] = {"settings": {"appeal_window": Span(10, Unit.days)}}
SINGLES = {"north": 7, "south": 8, "east": 12, "west": 13}
JURY = ("juror_1", "juror_2", "juror_3")


@dataclass(frozen=True, slots=True)
class Scene:
    """How a case is told, and the kinds of its mails that stand in the golden files: all, if none is named."""

    tell: Callable[[Data], Scribe]
    kinds: AbstractSet[NoticeKind] = frozenset(NoticeKind)
    data: Data = ORDINARY


def four_players(data: Data) -> Scribe:
    """Each plays for himself: partners appeal, one withdraws, all four state their views and answer the others."""
    story = Scribe.told(data, form=Form.INDIVIDUAL, **IN_WRITING, **TEN_DAYS)
    story.rule(outcome=RulingOutcome.ASSIGNED)
    story.publish()
    _one_stands_still(story, "south")
    story.appeal()
    lodges(story, "south", AppealInput(party_id=_party(story, "south"), wants="Bordsresultatet."))
    story.withdraw("south")
    story.forward()
    story.report()
    story.demand()
    for key in ("north", "south", "east"):
        _states(story, key)
    story.run_out(DeadlineKind.STATEMENT, until=timedelta(hours=-1))
    _declines(story, "west")
    story.run_out(DeadlineKind.ANSWER, until=timedelta(hours=-1))
    for key in SINGLES:
        _states(story, key)
    return story


def two_teams(data: Data) -> Scribe:
    """The captain's word is asked for: he could not be asked and counts as concurring, and then he phones."""
    story = Scribe.told(data, form=Form.TEAMS, settings={"forward_appeal": Span(3, Unit.days)})
    story.rule(outcome=RulingOutcome.SPLIT)
    story.publish()
    story.appeal("south")
    word_of(story, "north")
    _registered_as_present(story, "lk_1")
    story.run_out(DeadlineKind.FORWARD_APPEAL)
    _in_place(story, appeals.forward_in_place)
    lodges(story, "east", AppealInput(party_id=_party(story, "east"), wants=data.says("Bordsresultatet.")))
    story.hear(*JURY)
    return story


def told_at_the_table(data: Data) -> Scribe:
    """One side was told in person and has no time left when the mail goes; its appeal is late; more time is given."""
    story = Scribe.told(data)
    factories.publish_score(story.there, at=factories.START)
    told = {story.there.persons["north"]: story.at, story.there.persons["east"]: story.at - timedelta(minutes=29)}
    story.rule(given_at=story.at - timedelta(minutes=30), told=told)
    story.expire(hours=1)
    story.waits = True
    story.prolong(Side.EAST_WEST)
    story.later(days=2)
    story.waits = False
    story.appeal()
    story.concur()
    story.forward()
    story.hear(*JURY)
    tried = AppealDecision(outcome=AppealOutcome.REJECTED, found_in_time=True)
    story.decide(*JURY, delivered=False, appeals={story.appeals()[-1]: tried})
    newest, director, north = story.newest(), story.actors["director"], story.there.persons["north"]
    at = story.later()
    story.write(lambda s: rulings.record_telling(s, newest, director, person_id=north, told_at=at, now=at))
    story.later(days=12)
    story.deliver()
    return story


def told_in_time(data: Data) -> Scribe:
    """The same with time left; the jury's decision is final by the event's rules."""
    story = Scribe.told(data, lk_open=False)
    factories.publish_score(story.there, at=factories.START)
    story.rule(told={story.there.persons["north"]: story.at + timedelta(minutes=1)})
    story.appeal()
    story.forward()
    story.hear(*JURY)
    story.expire(hours=1)
    story.decide(*JURY)
    return story


def decision_told(data: Data) -> Scribe:
    """The jury's decision is told in person, and the mail follows while there is time."""
    story = Scribe.told(data)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.hear(*JURY)
    story.decide(*JURY, delivered=False)
    newest, director, north = story.newest(), story.actors["director"], story.there.persons["north"]
    at = story.later()
    story.write(lambda s: rulings.record_telling(s, newest, director, person_id=north, told_at=at, now=at))
    story.deliver()
    story.expire(days=11)
    with uow() as session:
        rows, theirs = load(session, newest).deadlines, story.case.party_ids[Side.EAST_WEST]
        window = next(row.id for row in rows if row.party_id == theirs and row.proceeding_id == newest)
    story.write(
        lambda s: prolonging.prolong_window(
            s,
            newest,
            director,
            deadline_id=window,
            party_id=theirs,
            until=Span(2, Unit.days),
            because="De fick beslutet sent.",
            now=story.later(),
        )
    )
    story.deliver()
    return story


def times_moved(data: Data) -> Scribe:
    """When a side was told is put right; then a day off is added."""
    story = Scribe.told(data, **TEN_DAYS)
    factories.publish_score(story.there, at=factories.START)
    told = story.at + timedelta(minutes=1)
    story.rule(told={story.there.persons[key]: told for key in ("north", "east")})
    with uow() as session:
        spoken = select(Notice).where(Notice.channel == Channel.SPOKEN)
        ours = next(n.id for n in session.exec(spoken) if n.person_id == story.there.persons["north"])
    right, now = story.at, story.later(days=1)
    story.write(
        lambda s: correcting.correct_telling(
            s, ours, story.actors["director"], right_at=right, because="Fel tid.", now=now
        )
    )
    story.deliver()
    with pytest.MonkeyPatch.context() as patch, uow() as session:
        windows = [row.id for row in session.exec(select(Deadline))]
        patch.setenv("CASEWORK_EXTRA_HOLIDAYS", '["2026-12-08"]')
        support.forget_settings()
        for window in windows:
            story.write(lambda s, one=window: recalculating.recalculate(s, one, story.at))  # type: ignore[misc]
        story.deliver()
    support.forget_settings()
    return story


def in_the_directors_place(data: Data) -> Scribe:
    """What both sides said by phone is entered, and the papers are sent in by another."""
    story = Scribe.told(data, **IN_WRITING)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    for key, side in (("north", Side.NORTH_SOUTH), ("east", Side.EAST_WEST)):
        _entered(story, key, side)
    story.deliver()
    for side in Side:
        story.decline(side)
    story.run_out(DeadlineKind.SEND_IN)
    _in_place(story, statements.send_in_in_place)
    return story


def taken_up(data: Data) -> Scribe:
    """The Law Commission takes up an appeal whose papers are not complete."""
    story = Scribe.told(data, **IN_WRITING)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    newest, chair = story.newest(), story.actors["lk_chair"]
    because = "Tävlingsledaren har slutat."
    story.write(lambda s: statements.take_up_incomplete(s, newest, chair, because=because, now=story.later(days=30)))
    story.deliver()
    return story


def no_ruling(data: Data) -> Scribe:
    """The Law Commission takes up a case in which no ruling was given (R22)."""
    story = Scribe.told(data, **IN_WRITING)
    ruling, chair = story.case.proceeding_id, story.actors["lk_chair"]
    because = "Tävlingsledaren dömer inte."
    story.write(lambda s: rulings.take_up_without_ruling(s, ruling, chair, because=because, now=story.later()))
    story.deliver()
    return story


def another_jury(data: Data) -> Scribe:
    """Members change before and after the call; everybody is reminded, and who has not answered as well."""
    story = Scribe.told(data)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.compose(*JURY)
    story.deliver()
    story.compose("juror_1", "juror_2", "lk_2")
    story.deliver()
    _registered_as_present(story, "lk_1")
    story.later(days=1)
    _reminded(story)
    story.declare()
    story.call(in_days=5)
    story.compose(*JURY)
    story.deliver()
    story.recuse("juror_2")
    story.compose("juror_1", "juror_3", "lk_2")
    story.deliver()
    story.later(days=2)
    _reminded(story)
    return story


def one_to_spare(data: Data) -> Scribe:
    """A member leaves who can be spared; then the appeal is withdrawn before the hearing."""
    story = Scribe.told(data)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.compose("juror_1", "juror_2", "juror_3", "lk_2")
    story.call(in_days=5)
    story.recuse("juror_3")
    story.deliver()
    story.withdraw()
    return story


_OF_STATEMENTS = {NoticeKind.STATEMENT_DEMANDED, NoticeKind.STATEMENT_RECEIVED, NoticeKind.STATEMENT_REMINDER,
                  NoticeKind.STATEMENTS_OPEN, NoticeKind.MATERIAL_ADDED}  # fmt: skip
RARE = {
    "four single players": Scene(
        four_players,
        {NoticeKind.RULING, NoticeKind.APPEAL_RECEIVED, NoticeKind.APPEAL_WITHDRAWN, NoticeKind.TIME_SUSPENDED}
        | _OF_STATEMENTS,
    ),
    "two teams": Scene(
        two_teams,
        {NoticeKind.CONCURRENCE_ASKED, NoticeKind.CONCURRED, NoticeKind.TASK_DUE, NoticeKind.APPEAL_TO_FORWARD,
         NoticeKind.APPEAL_FORWARDED, NoticeKind.SUMMONS, NoticeKind.APPEAL_RECEIVED},
    ),
    **{name: Scene(tell, {NoticeKind.NO_LONGER_FINAL}) for name, tell in NO_LONGER_FINAL.items()},
    **{name: Scene(tell, {NoticeKind.APPEAL_WITHDRAWN}) for name, tell in WITHDRAWN.items()},
    "told at the table": Scene(
        told_at_the_table,
        {NoticeKind.RULING, NoticeKind.WINDOW_PROLONGED, NoticeKind.APPEAL_RECEIVED, NoticeKind.DECISION},
    ),
    "told in time": Scene(told_in_time, {NoticeKind.RULING, NoticeKind.DECISION}),
    "decision told": Scene(decision_told, {NoticeKind.DECISION, NoticeKind.FINAL, NoticeKind.NO_LONGER_FINAL}),
    "score corrected": Scene(score_corrected, {NoticeKind.WINDOW_OPEN}),
    "late score": Scene(late_score, {NoticeKind.WINDOW_OPEN}),
    "times moved": Scene(times_moved, {NoticeKind.WINDOW_MOVED}),
    "in the director's place": Scene(
        in_the_directors_place, {NoticeKind.STATEMENT_RECEIVED, NoticeKind.SENT_IN}
    ),
    "taken up": Scene(taken_up, {NoticeKind.SENT_IN}),
    "another jury": Scene(
        another_jury,
        {NoticeKind.PANEL_LEFT, NoticeKind.PANEL_CHANGED, NoticeKind.HEARING_REMINDER, NoticeKind.CONFLICT_REMINDER,
         NoticeKind.SEAT_TO_FILL},
    ),
    "one to spare": Scene(one_to_spare, {NoticeKind.SEAT_TO_FILL, NoticeKind.APPEAL_WITHDRAWN}),
    "no ruling": Scene(no_ruling, {NoticeKind.REGISTERED}),
}  # fmt: skip
"""With the kinds that they say something of that the other scenes do not."""


def _party(story: Scribe, key: str) -> UUID:
    return story.case.parties[SINGLES[key]]


def _reminded(story: Scribe) -> None:
    story.write(lambda s: hearing_reminders.remind(s, story.newest(), story.later()))
    story.deliver()


def _states(story: Scribe, key: str) -> None:
    newest, actor = story.newest(), story.actors[key]
    said = StatementInput(party_id=_party(story, key), text="Pausen var kort.")
    story.write(lambda s: statements.file_statement(s, newest, actor, said, now=story.later()))
    story.deliver()


def _entered(story: Scribe, key: str, side: Side) -> None:
    newest, office = story.newest(), story.actors["office"]
    said = StatementInput(
        party_id=story.case.party_ids[side],
        text="Pausen var kort.",
        channel=FilingChannel.PHONE,
        author_id=story.there.persons[key],
        received_at=story.at,
    )
    story.write(lambda s: statements.enter_statement(s, newest, office, said, now=story.later()))


def _declines(story: Scribe, key: str) -> None:
    newest, actor, party = story.newest(), story.actors[key], _party(story, key)
    story.write(lambda s: statements.decline_statement(s, newest, actor, party_id=party, now=story.later()))
    story.deliver()


def _one_stands_still(story: Scribe, key: str) -> None:
    now, ours, director = story.later(), story.newest(), story.actors["director"]
    with uow() as session:
        rows = [session.get_one(Deadline, each.deadline_id) for each in suspending.choices(load(session, ours))]
    mine = [row.id for row in rows if row.party_id == _party(story, key)]
    story.write(
        lambda s: suspending.suspend_times(
            s, ours, director, deadline_ids=mine, begins=now, ends=None, because="Sjukdom.", now=now
        )
    )
    story.deliver()
    story.go_on()


def _registered_as_present(story: Scribe, key: str) -> None:
    tournament, person, organiser = story.there.tournament_id, story.there.persons[key], story.actors["organiser"]
    with uow(write=True) as session:
        tournaments.register_presence(session, tournament, person, organiser, now=story.at)


def _in_place(story: Scribe, deed: Any) -> None:
    newest, office = story.newest(), story.actors["office"]
    story.write(lambda s: deed(s, newest, office, because="Tiden har gått ut.", now=story.later()))
    story.deliver()

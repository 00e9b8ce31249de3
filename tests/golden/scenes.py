"""The cases of the golden mails: together they send every kind of notice, and say every sentence of it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.deal import Deal, Hand
from casework.domain.bridge.notation import Seat
from casework.domain.bridge.scoring.matchpoints import Frequency, Line
from casework.domain.bridge.scoring.methods import ByMatchpoints
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome, Share, read_percent
from casework.domain.models import Link
from casework.domain.terms import (
    DeadlineKind,
    NoticeKind,
    RulingOutcome,
    Side,
)
from casework.services import boards, links, notices, scores, statements
from casework.services.scores import ScoreInput
from tests.golden.data import LONG, ODD, ORDINARY, Data
from tests.golden.late_scenes import LATE
from tests.golden.rare_scenes import IN_WRITING, RARE, TEN_DAYS, Scene
from tests.golden.scribe import Scribe

TABLE = (Line(100), Line(-420, 2), Line(-430), Line(-450, 3), Line(-460))


def appeal_on_site(data: Data) -> Scribe:
    """A weighted ruling with board and score, an appeal, a hearing that is called twice, and the jury's decision."""
    story = Scribe.told(data)
    _board_and_score(story)
    story.rule(outcome=RulingOutcome.WEIGHTED, facts_disputed={Side.EAST_WEST.value: data.says("Pausen var kort.")})
    story.publish()
    _keep_score(story, (*TABLE, Line(-450)))
    story.deliver()
    story.appeal()
    story.concur()
    story.warn()
    story.forward()
    story.compose()
    story.deliver()
    story.declare()
    story.call()
    story.later(minutes=10)
    place = data.says("Rum 4").splitlines()[0][:200]
    story.call(place)
    story.attend()
    keys = ("juror_1", "juror_2", "juror_3")
    story.decide(
        *keys,
        operative=data.says("Överklagandet avslås."),
        dissent=data.says("En ledamot är av annan mening."),
        dissents={"juror_3": data.says("Pausen var lång.")},
    )
    story.expire(days=11)
    return story


def appeal_in_writing(data: Data) -> Scribe:
    """Report, statements, answers, something late, another member, and the Law Commission's decision."""
    story = Scribe.told(data, **IN_WRITING)
    story.rule(outcome=RulingOutcome.RESULT_STANDS)
    story.publish()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    story.run_out(DeadlineKind.STATEMENT, until=-timedelta(minutes=1))
    story.state({"north": data.says("Pausen var kort."), "east": data.says("Pausen var lång.")})
    story.run_out(DeadlineKind.ANSWER, until=-timedelta(minutes=1))
    story.state({"west": data.says("Den var lång.")})
    story.finish_papers(Side.NORTH_SOUTH)
    story.state({"north": data.says("En sak till."), "east": data.says("Det stämmer inte.")})
    story.register()
    story.recuse("lk_chair")
    story.declare()
    story.state({"north": data.says("En sak till.")})
    story.leave_out("lk_1")
    keys = ("lk_1", "lk_2", "lk_reserve")
    story.decide(*keys, operative=data.says("Överklagandet avslås."), reasons=data.says("Pausen var kort."))
    return story


def ruling_that_stands(data: Data) -> Scribe:
    """A ruling asked for and postponed, more time for both sides, an appeal withdrawn, final and no longer final."""
    story = Scribe.told(data, asked=True)
    story.deliver()
    story.appoint()
    story.rule(outcome=RulingOutcome.PENALTY)
    story.notice(NoticeKind.PUBLICATION_MISSING, proceeding_id=story.case.proceeding_id)
    story.deliver()
    story.publish()
    story.prolong()
    story.appeal()
    story.withdraw()
    story.expire(days=3)
    story.prolong(Side.EAST_WEST)
    _new_link(story)
    story.deliver()
    return story


def standstills(data: Data) -> Scribe:
    """A time stands still before it has begun, one is to stand still later, and one for a statement does."""
    story = Scribe.told(data, **IN_WRITING, **TEN_DAYS)
    story.rule(outcome=RulingOutcome.OTHER)
    story.stand_still(Side.NORTH_SOUTH)
    story.go_on()
    story.publish()
    begins = story.at + timedelta(days=2)
    story.stand_still(Side.NORTH_SOUTH, begins=begins, ends=begins + timedelta(days=3))
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    story.stand_still(Side.NORTH_SOUTH, who="office")
    story.go_on(who="office")
    return story


def short_pauses(data: Data) -> Scribe:
    """Minutes stand still; what stood still while the mail server was away is over when it is told."""
    story = Scribe.told(data, **IN_WRITING)
    story.rule()
    story.publish()
    story.stand_still(Side.NORTH_SOUTH, ends=story.at + timedelta(minutes=20))
    story.waits = True
    story.stand_still(Side.EAST_WEST, ends=story.at + timedelta(minutes=4))
    story.later(minutes=5)
    story.waits = False
    story.deliver()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    story.waits = True
    story.stand_still(Side.NORTH_SOUTH, ends=story.at + timedelta(hours=1), who="office")
    story.later(hours=2)
    story.waits = False
    story.deliver()
    return story


def board_changed(data: Data) -> Scribe:
    """What the director has noted of the board is not the same after his ruling."""
    story = Scribe.told(data)
    noted = replace(Board.numbered(18), auction=Auction.parse('1S! "minst fem" [30 s] P P P', Seat.east))
    story.rule(board=noted)
    later = replace(noted, auction=Auction.parse("1S P P P", Seat.east))
    ours, director = story.case.proceeding_id, story.actors["director"]
    story.write(lambda s: boards.complete_ruling(s, ours, director, change=lambda _: later, now=story.later()))
    story.deliver()
    return story


def times_and_tasks(data: Data) -> Scribe:
    """Times that stand still and go on, and every step that an official is reminded of and lets run out."""
    story = Scribe.told(data, **IN_WRITING, **TEN_DAYS)
    story.rule(outcome=RulingOutcome.OTHER)
    story.publish()
    story.stand_still(Side.NORTH_SOUTH)
    story.later(days=2)
    story.go_on()
    story.notice(NoticeKind.WINDOW_MOVED)
    story.appeal()
    story.run_out(DeadlineKind.FORWARD_APPEAL)
    story.forward()
    story.run_out(DeadlineKind.REPORT)
    story.report()
    story.demand()
    story.decline(Side.NORTH_SOUTH)
    story.state({"east": data.says("Pausen var lång.")})
    story.decline(Side.NORTH_SOUTH)
    story.decline(Side.EAST_WEST)
    story.run_out(DeadlineKind.SEND_IN)
    newest, director = story.newest(), story.actors["director"]
    story.write(lambda s: statements.send_in(s, newest, director, now=story.later()))
    story.register()
    story.run_out(DeadlineKind.DECISION)
    return story


MAIN = {
    "appeal on site": (
        appeal_on_site,
        {NoticeKind.RULING, NoticeKind.WINDOW_OPEN, NoticeKind.APPEAL_RECEIVED, NoticeKind.CONCURRENCE_ASKED,
         NoticeKind.APPEAL_TO_FORWARD, NoticeKind.CONCURRED, NoticeKind.APPELLANT_WARNED, NoticeKind.APPEAL_FORWARDED,
         NoticeKind.SEATED, NoticeKind.SUMMONS, NoticeKind.DECISION, NoticeKind.TO_BE_TOLD,
         NoticeKind.SCORE_COUNTED},
    ),
    "appeal in writing": (
        appeal_in_writing,
        {NoticeKind.REPORT_FILED, NoticeKind.STATEMENT_DEMANDED, NoticeKind.STATEMENT_RECEIVED,
         NoticeKind.STATEMENT_REMINDER, NoticeKind.STATEMENTS_OPEN, NoticeKind.MATERIAL_ADDED, NoticeKind.LEFT_OUT,
         NoticeKind.SENT_IN, NoticeKind.REGISTERED, NoticeKind.PANEL_CHANGED, NoticeKind.NEW_CHAIR},
    ),
    "ruling that stands": (
        ruling_that_stands,
        {NoticeKind.RULING_ASKED, NoticeKind.DIRECTOR_APPOINTED, NoticeKind.TO_RULE, NoticeKind.RULING_POSTPONED,
         NoticeKind.WINDOW_PROLONGED, NoticeKind.APPEAL_WITHDRAWN, NoticeKind.FINAL, NoticeKind.NO_LONGER_FINAL,
         NoticeKind.PUBLICATION_MISSING, NoticeKind.LINK},
    ),
    "times and tasks": (
        times_and_tasks,
        {NoticeKind.TIME_SUSPENDED, NoticeKind.TIME_RESUMED, NoticeKind.TASK_DUE, NoticeKind.DEADLINE_PASSED,
         NoticeKind.WINDOW_MOVED},
    ),
}  # fmt: skip
"""Told with every data, and whose kinds they show."""
OTHERWISE = {NoticeKind.RULING, NoticeKind.APPEAL_FORWARDED, NoticeKind.DECISION}
"""Kinds that say something else in each of them, with ordinary data."""
_AFTERWARDS = {
    "standstills": Scene(standstills, {NoticeKind.TIME_SUSPENDED, NoticeKind.TIME_RESUMED}),
    "short pauses": Scene(short_pauses, {NoticeKind.TIME_SUSPENDED}),
    "board changed": Scene(board_changed, {NoticeKind.MATERIAL_ADDED}),
    **{name: Scene(tell, kinds) for name, (tell, kinds) in LATE.items()},
}
SCENES: Mapping[str, Scene] = {
    f"{words}, {data.name}": Scene(tell, kinds | OTHERWISE if data is ORDINARY else kinds, data)
    for words, (tell, kinds) in MAIN.items()
    for data in (ORDINARY, LONG, ODD)
} | {f"{words}, {ORDINARY.name}": scene for words, scene in (_AFTERWARDS | RARE).items()}
"""By the heading that their sections have."""


def _new_link(story: Scribe) -> None:
    with uow(write=True) as session:
        link = session.exec(select(Link).where(Link.person_id == story.there.persons["north"])).one()
        link.expires_at = story.at
        notices.send_link(session, links.replace_link(session, link.id, story.at), story.at)


def _board_and_score(story: Scribe) -> None:
    hands = [
        Hand.parse(each) for each in ("AKQJ98.T987.765.-", "T7.AKQ.JT9.98765", "654.65.AKQ8.AKQ2", "32.J432.432.JT43")
    ]
    auction = Auction.parse(
        'P 1NT! "14–16, kan ha en femkorts högfärg eller en sexkorts lågfärg" 2C [12 s] 2H! "överföring till spader" '
        "P 2S P 4S P P P",
        Seat.east,
    )
    director, ours = story.actors["director"], story.case.proceeding_id
    story.write(
        lambda s: boards.complete_ruling(
            s,
            ours,
            director,
            change=lambda board: replace(board, deal=Deal(*hands), auction=auction),
            now=story.later(),
        )
    )
    _keep_score(story, TABLE)


def _keep_score(story: Scribe, table: tuple[Line, ...]) -> None:
    thirds = AssignedScore((Share(Outcome(100), read_percent("33,3")), Share(Outcome(-430), read_percent("66,7"))))
    typed = ScoreInput(
        north_south=thirds,
        east_west=thirds,
        method=ByMatchpoints(Frequency(table), Line(100)),
        at_table=Outcome(100),
    )
    ours, director = story.case.proceeding_id, story.actors["director"]
    with uow() as session:
        newest = scores.newest_score(session, ours)
    basis = newest.id if newest else None
    story.write(lambda s: scores.keep_score(s, ours, director, typed, basis=basis, now=story.later()))

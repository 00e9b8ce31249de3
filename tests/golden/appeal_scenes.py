"""Scenes of golden mails about appeals that join another, that are withdrawn, and that become possible again."""

from collections.abc import Callable, Mapping

from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.models import Notice
from casework.domain.terms import NoticeKind, Side
from casework.services import appeals, reaching
from casework.services.appeals import AppealInput
from tests.golden.data import Data
from tests.golden.scribe import Scribe


def lodges(story: Scribe, key: str, appeal: AppealInput) -> None:
    """A player appeals the ruling, whatever tries it already."""
    ruling, actor = story.case.proceeding_id, story.actors[key]
    story.write(lambda s: appeals.lodge_appeal(s, ruling, actor, appeal, now=story.later()))
    story.deliver()


def word_of(story: Scribe, key: str) -> None:
    """A captain cannot be asked, and then phones."""
    newest, director, appeal = story.newest(), story.actors["director"], story.appeals()[-1]
    captain = story.there.persons[key]
    story.write(
        lambda s: appeals.deem_concurrence(
            s, newest, director, appeal_id=appeal, person_id=captain, because="Svarar inte.", now=story.later()
        )
    )
    story.deliver()
    story.write(
        lambda s: appeals.record_concurrence(
            s, newest, director, appeal_id=appeal, person_id=captain, told_how="Ringde mig 21.40.", now=story.later()
        )
    )
    story.deliver()


def withdrawn_after_all_times(data: Data) -> Scribe:
    """The last appeal is withdrawn when nobody can appeal any more: all is final with it."""
    story = Scribe.told(data)
    story.rule()
    story.publish()
    story.appeal()
    story.expire(hours=25)
    story.withdraw()
    return story


def left_with_a_late_one(data: Data) -> Scribe:
    """An appeal in time is withdrawn, and the other side's is left, which came too late."""
    story = Scribe.told(data)
    story.rule()
    story.publish()
    story.appeal()
    story.expire(hours=1)
    lodges(story, "east", AppealInput(party_id=story.case.party_ids[Side.EAST_WEST], wants="Bordsresultatet."))
    newest, north, first = story.newest(), story.actors["north"], story.appeals()[0]
    story.write(lambda s: appeals.withdraw_appeal(s, newest, north, appeal_id=first, now=story.later()))
    story.deliver()
    return story


def no_longer_final(data: Data) -> Scribe:
    """What was final is no longer: a side turns out not to have been told.

    The mail server is away when it happens, so each mail says what holds when it is made.
    """
    story = _final(data)
    _come_back(story)
    story.deliver()
    return story


def no_longer_final_and_still(data: Data) -> Scribe:
    """The same, and the side's time is made to stand still before the mail is made."""
    story = _final(data)
    story.waits = True
    story.prolong(Side.NORTH_SOUTH)
    story.stand_still(Side.NORTH_SOUTH)
    story.waits = False
    story.deliver()
    return story


def no_longer_final_for_a_while(data: Data) -> Scribe:
    """The same, and it is over again before the mail is made."""
    story = _final(data)
    story.waits = True
    story.prolong(Side.NORTH_SOUTH)
    story.later(days=3)
    story.waits = False
    story.deliver()
    return story


def _final(data: Data) -> Scribe:
    story = Scribe.told(data)
    story.rule()
    story.publish()
    story.expire(days=2)
    return story


def _come_back(story: Scribe) -> None:
    """Both mails of the ruling to North–South."""
    players = {story.there.persons[key] for key in ("north", "south")}
    with uow() as session:
        ruled = session.exec(select(Notice).where(Notice.kind == NoticeKind.RULING)).all()
    for notice_id in [notice.id for notice in ruled if notice.person_id in players]:
        story.write(lambda s, one=notice_id: reaching.record_return(s, one, story.later(), "550 5.1.1"))  # type: ignore[misc]  # bound to this one


NO_LONGER_FINAL: Mapping[str, Callable[[Data], Scribe]] = {
    "no longer final": no_longer_final,
    "no longer final and still": no_longer_final_and_still,
    "no longer final for a while": no_longer_final_for_a_while,
}
WITHDRAWN: Mapping[str, Callable[[Data], Scribe]] = {
    "withdrawn after all times": withdrawn_after_all_times,
    "left with a late one": left_with_a_late_one,
}

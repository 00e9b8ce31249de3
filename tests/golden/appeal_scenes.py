"""Scenes of golden mails about appeals that join another, and that are withdrawn."""

from casework.services import appeals
from casework.services.appeals import AppealInput
from tests.golden.data import Data
from tests.golden.scribe import Scribe


def lodges(story: Scribe, key: str, appeal: AppealInput) -> None:
    """A player appeals the ruling, whatever tries it already."""
    ruling, actor = story.case.proceeding_id, story.actors[key]
    story.write(lambda s: appeals.lodge_appeal(s, ruling, actor, appeal, now=story.later()))
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

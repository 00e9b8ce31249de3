"""Scenes of golden mails about an official score that is recorded late, or with a wrong time at first."""

from datetime import timedelta
from typing import Any

from casework.adapters.database import uow
from casework.domain.access import Actor
from casework.services import tournaments
from tests.golden.data import Data
from tests.golden.scribe import Scribe


def score_corrected(data: Data) -> Scribe:
    """The official score was recorded as too early: who was told that the ruling is final has time again."""
    story = Scribe.told(data)
    story.rule()
    early = story.later()
    _published(story, early)
    story.expire(hours=1)
    _published(story, story.at - timedelta(minutes=5))
    return story


def late_score(data: Data) -> Scribe:
    """The official score is recorded so late that no time is left; a late appeal is in time by the right score."""
    story = Scribe.told(data)
    story.rule()
    early = story.later()
    story.later(hours=2)
    _published(story, early)
    story.appeal()
    _published(story, story.at - timedelta(minutes=10))
    return story


def _published(story: Scribe, at: Any) -> None:
    organiser: Actor = story.actors["organiser"]
    with uow(write=True) as session:
        tournaments.record_publication(session, story.there.session_id, organiser, published_at=at, now=story.later())
    story.write(lambda _session: None)
    story.deliver()

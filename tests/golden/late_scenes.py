"""Scenes of golden mails that go long after their step: the reader's own mail server was away meanwhile (E10)."""

from collections.abc import Callable, Mapping
from datetime import timedelta

from casework.domain.terms import AppealRoute, NoticeKind, Side
from tests.golden.data import Data
from tests.golden.scribe import Scribe

AWAY = frozenset({"north", "west", "juror_2", "director"})


def late_on_site(data: Data) -> Scribe:
    """From the ruling to the jury's decision nothing reaches one of each side, a member and the director."""
    story = Scribe.told(data)
    story.away = AWAY
    story.rule()
    story.publish()
    story.prolong(Side.EAST_WEST)
    story.stand_still(Side.EAST_WEST, ends=story.at + timedelta(minutes=20))
    story.appeal("south")
    story.forward()
    story.hear("juror_1", "juror_2", "juror_3")
    story.expire(days=2)
    story.decide("juror_1", "juror_2", "juror_3")
    return _back(story, days=20)


def late_in_writing(data: Data) -> Scribe:
    """The same of statements, as far as the Law Commission's decision."""
    story = Scribe.told(data, route=AppealRoute.LAW_COMMISSION)
    story.away = AWAY
    story.rule()
    story.publish()
    story.appeal("south")
    story.forward()
    story.write_papers()
    story.register()
    story.decide("lk_chair", "lk_1", "lk_2")
    return _back(story, days=1)


def late_to_forward(data: Data) -> Scribe:
    """An appeal waits with the director, who was told of it when the time to forward it was over."""
    story = Scribe.told(data)
    story.away = AWAY
    story.rule()
    story.publish()
    story.appeal("south")
    return _back(story, days=2)


def _back(story: Scribe, **by: float) -> Scribe:
    story.later(**by)
    story.away = frozenset()
    story.deliver()
    return story


LATE: Mapping[str, tuple[Callable[[Data], Scribe], frozenset[NoticeKind]]] = {
    "late on site": (late_on_site, frozenset(NoticeKind)),
    "late in writing": (late_in_writing, frozenset(NoticeKind)),
    "late to forward": (late_to_forward, frozenset({NoticeKind.APPEAL_TO_FORWARD})),
}

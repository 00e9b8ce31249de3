"""S-LINK3: a side's mail link works as long as its case goes on, and thirty days after its last time."""

from datetime import datetime, timedelta

import pytest
from sqlmodel import col, select

from casework.adapters.database import uow
from casework.domain.models import Deadline, Link
from casework.domain.terms import LinkPurpose, Side
from tests.story import Story

MONTH = timedelta(days=30)


@pytest.fixture
def story(sqlite: str) -> Story:
    story = Story.begun()
    story.rule()
    story.publish()
    return story


def ends() -> set[datetime | None]:
    """When the sides' links run out."""
    with uow() as session:
        return {link.expires_at for link in session.exec(select(Link).where(Link.purpose == LinkPurpose.PARTY))}


def last_time() -> datetime:
    with uow() as session:
        found = session.exec(select(Deadline.instant).order_by(col(Deadline.instant).desc())).first()
    assert found is not None
    return found


def test_a_link_ends_a_month_after_the_last_time_of_its_case(story: Story) -> None:
    assert ends() == {None}
    story.expire(hours=1)
    (until,) = ends()
    assert until is not None
    assert last_time() + MONTH <= until <= story.at + MONTH


def test_no_link_ends_while_the_case_goes_on(story: Story) -> None:
    """However long the body takes, and whatever times have run out meanwhile."""
    story.appeal()
    story.forward()
    story.expire(days=40)
    assert ends() == {None}
    story.hear()
    story.decide("juror_1", "juror_2", "juror_3")
    assert ends() == {None}
    story.expire(days=40)
    (until,) = ends()
    assert until is not None


def test_what_is_opened_again_opens_the_links(story: Story) -> None:
    """More time for one side: the ruling is not final any more, and every link works."""
    story.expire(hours=1)
    assert None not in ends()
    story.prolong_by(story.at + timedelta(days=2), Side.EAST_WEST)
    assert ends() == {None}

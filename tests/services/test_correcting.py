"""Correcting when a party was told, on both databases: shown first, then done, with the old time kept (B1.14)."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.calendar import Span, Unit
from casework.domain.errors import Invalid, NotAllowed
from casework.domain.models import Deadline, DeadlineMove, Event, Notice
from casework.domain.terms import ActionName, Channel, DeadlineEnd, NoticeKind, Side
from casework.services import correcting, history
from casework.services.loading import load
from tests import factories
from tests.factories import START
from tests.kept import kept
from tests.story import Story
from workers.handlers import DUTIES

TOLD = START + timedelta(minutes=31)
DAY = timedelta(days=1)


@kept
def told_at_the_table() -> Story:
    """Ten days to appeal; North and East were told at the table, North and South have no mail."""
    without = frozenset({"north", "south"})
    story = Story.begun(settings={"appeal_window": Span(10, Unit.days)}, without_mail=without)
    factories.publish_score(story.there, at=START)
    told = {story.there.persons[key]: TOLD for key in ("north", "east")}
    story.rule(told=told)
    story.later(days=3)
    return story


@pytest.fixture
def story(database: str) -> Story:
    return told_at_the_table()


def spoken(story: Story, key: str = "north") -> Notice:
    with uow() as session:
        found = select(Notice).where(Notice.channel == Channel.SPOKEN, Notice.person_id == story.there.persons[key])
        return session.exec(found).one()


def window(story: Story, side: Side = Side.NORTH_SOUTH) -> Deadline:
    with uow() as session:
        return session.exec(select(Deadline).where(Deadline.party_id == story.case.party_ids[side])).one()


def preview(story: Story, right_at: datetime) -> list[correcting.Moved]:
    with uow() as session:
        loaded = load(session, story.case.proceeding_id)
        return correcting.preview(loaded, session.get_one(Notice, spoken(story).id), right_at, story.at)


def correct(story: Story, right_at: datetime, *, who: str = "director", because: str = "Fel dag.") -> None:
    notice = spoken(story).id
    story.write(
        lambda s: correcting.correct_telling(
            s, notice, story.actors[who], right_at=right_at, because=because, now=story.at
        )
    )


def rows(table: type, *where: object) -> list[object]:
    with uow() as session:
        return list(session.exec(select(table).where(*where)))  # type: ignore[arg-type]


def test_what_is_shown_is_what_is_done(story: Story) -> None:
    """B1.14: The preview and the step give the same instant and words, and nothing else moves."""
    others = window(story, Side.EAST_WEST)
    (shown,) = preview(story, TOLD + 2 * DAY)
    assert shown.old == window(story).instant != shown.new
    correct(story, TOLD + 2 * DAY)
    assert (window(story).instant, window(story).explanation) == (shown.new, shown.explanation)
    assert window(story, Side.EAST_WEST) == others


def test_what_a_side_has_been_told_is_never_cut(story: Story) -> None:
    """Put right to an earlier moment, the record is right, and the last day that was told stands and says why."""
    correct(story, TOLD + 2 * DAY)
    told = window(story)
    (shown,) = preview(story, TOLD + DAY)
    assert shown.stays is not None
    correct(story, TOLD + DAY)
    assert spoken(story).proven_at == TOLD + DAY
    assert (window(story).instant, window(story).base) == (told.instant, told.base)
    assert "the later time stands" in window(story).explanation.msgid
    assert len(rows(Notice, Notice.kind == NoticeKind.WINDOW_MOVED)) == 2


def test_the_old_time_is_kept_and_the_side_is_told(story: Story) -> None:
    """Nothing is moved silently."""
    old = window(story)
    correct(story, TOLD + 2 * DAY)
    (move,) = rows(DeadlineMove)
    assert isinstance(move, DeadlineMove)
    assert (move.instant, move.base, move.explanation) == (old.instant, old.base, old.explanation)
    assert (move.action, move.new_instant) == (ActionName.CORRECT_TIME, window(story).instant)
    told = rows(Notice, Notice.kind == NoticeKind.WINDOW_MOVED)
    assert {notice.person_id for notice in told if isinstance(notice, Notice)} == {
        story.there.persons[key] for key in ("north", "south")
    }
    (event,) = rows(Event, Event.action == ActionName.CORRECT_TIME)
    assert isinstance(event, Event)
    assert datetime.fromisoformat(event.data["was"]) == TOLD
    with uow() as session:
        assert history.verify(session, load(session, story.case.proceeding_id).case) is None


def test_a_time_that_runs_is_not_taken_away(story: Story) -> None:
    """It would have run out already: it stays, and the preview says so."""
    correct(story, TOLD + 3 * DAY)
    old = window(story).instant
    story.later(days=8)
    (shown,) = preview(story, TOLD + timedelta(minutes=1))
    assert shown.new < story.at
    assert shown.stays is not None
    correct(story, TOLD + timedelta(minutes=1))
    assert window(story).instant == old


def test_what_had_run_out_from_too_early_a_start_runs_again(story: Story) -> None:
    """R32: nobody loses his time to a mistake in the record; what had become final is not."""
    story.later(days=9)
    DUTIES.sweep(story.at)
    assert window(story).ended is DeadlineEnd.EXPIRED
    (shown,) = preview(story, story.at - DAY)
    assert shown.stays is None
    correct(story, story.at - DAY)
    assert window(story).ended is None


def test_what_had_run_out_all_the_same_stays(story: Story) -> None:
    story.later(days=19)
    DUTIES.sweep(story.at)
    (shown,) = preview(story, TOLD + DAY)
    assert shown.stays is not None
    correct(story, TOLD + DAY)
    assert window(story).ended is DeadlineEnd.EXPIRED


@pytest.mark.parametrize("right", [START + 30 * DAY, START - DAY, TOLD])
def test_an_impossible_time_is_refused(story: Story, right: datetime) -> None:
    """Not in the future, not before the ruling, not the same."""
    with pytest.raises(Invalid):
        preview(story, right)


def test_what_a_mail_server_said_is_not_corrected(story: Story) -> None:
    with uow() as session:
        mailed: UUID = session.exec(
            select(Notice.id).where(Notice.channel == Channel.MAIL, Notice.kind == NoticeKind.RULING)
        ).first()  # type: ignore[assignment]
    with pytest.raises(NotAllowed):
        story.write(
            lambda s: correcting.correct_telling(
                s, mailed, story.actors["director"], right_at=TOLD + DAY, because="Fel.", now=story.at
            )
        )


@pytest.mark.parametrize(("who", "because"), [("organiser", "Fel dag."), ("north", "Fel dag."), ("director", " ")])
def test_only_who_tells_corrects_and_says_why(story: Story, who: str, because: str) -> None:
    with pytest.raises(NotAllowed):
        correct(story, TOLD + DAY, who=who, because=because)

"""Times that stand still, on both databases: nothing runs out, what was left is left, and both sides are told."""

from datetime import datetime, timedelta

import pytest
from sqlmodel import Session, col, select

from casework.adapters import i18n
from casework.adapters.database import uow
from casework.domain.calendar import Span, Unit
from casework.domain.errors import Invalid, NotAllowed
from casework.domain.models import Deadline, DeadlineMove, Notice, Proceeding, Timer
from casework.domain.terms import AppealRoute, DeadlineEnd, DeadlineKind, NoticeKind, NoticeState, Side, State
from casework.domain.watch import TimerState
from casework.services import deadlines, notices, reaching, suspending
from casework.services.loading import load
from tests.kept import kept
from tests.story import Story

DAY = timedelta(days=1)


@kept
def begun() -> Story:
    """Both sides have ten days to appeal a ruling."""
    story = Story.begun(settings={"appeal_window": Span(10, Unit.days)})
    story.rule()
    story.publish()
    return story


@pytest.fixture
def story(database: str) -> Story:
    return begun()


@pytest.fixture
def quick(sqlite: str) -> Story:
    """For what is decided before anything is asked of a database."""
    return begun()


def windows(story: Story, side: Side = Side.NORTH_SOUTH) -> list[Deadline]:
    """A side's times to appeal, the newest first."""
    with uow() as session:
        found = select(Deadline).where(Deadline.party_id == story.case.party_ids[side])
        return list(session.exec(found.order_by(col(Deadline.opened_at).desc())))


def told(kind: NoticeKind) -> list[Notice]:
    with uow() as session:
        return list(session.exec(select(Notice).where(Notice.kind == kind)))


def state(story: Story) -> State:
    with uow() as session:
        return session.get_one(Proceeding, story.case.proceeding_id).state


def test_nothing_runs_out_while_it_stands_still(story: Story) -> None:
    """The other side's time runs out as it was; the ruling is not final while one side's stands still."""
    story.stand_still(Side.NORTH_SOUTH)
    story.expire(days=50)
    assert windows(story)[0].ended is None
    assert windows(story, Side.EAST_WEST)[0].ended is DeadlineEnd.EXPIRED
    assert state(story) is State.GIVEN


def test_what_was_left_is_left_when_it_goes_on(story: Story) -> None:
    """Every day that the standstill touched is put on; how it stood before is kept."""
    before = windows(story)[0]
    story.stand_still()
    story.later(days=20)
    with uow() as session:
        shown = suspending.preview_lifting(load(session, story.case.proceeding_id), story.at + timedelta(minutes=1))
    story.go_on()
    after = windows(story)[0]
    assert before.unrolled is not None
    assert after.unrolled == before.unrolled + 20 * DAY  # the first of the 21 days is that of the event
    assert {one.new for one in shown} == {after.instant}
    with uow() as session:
        kept = session.exec(select(DeadlineMove).where(DeadlineMove.deadline_id == after.id)).all()
    assert [(move.instant, move.new_instant) for move in kept] == [(before.instant, None)]


def test_an_interval_is_shown_before_it_is_written(story: Story) -> None:
    ends = story.at + 3 * DAY
    with uow() as session:
        loaded = load(session, story.case.proceeding_id)
        chosen = [each.deadline_id for each in suspending.choices(loaded)]
        shown = suspending.preview(loaded, chosen, story.at + timedelta(minutes=1), ends, story.at)
    story.stand_still(ends=ends)
    now = {side: windows(story, side)[0] for side in Side}
    assert [(one.new, one.explanation) for one in shown] == [
        (window.instant, window.explanation) for one in shown for window in now.values() if window.id == one.deadline_id
    ]
    assert all(one.old is not None and one.new is not None and one.new > one.old for one in shown)


def test_everyone_concerned_is_told_of_his_own_time(quick: Story) -> None:
    """A party reads its own new time, the other side that nothing of its own changes, both why."""
    quick.stand_still(Side.NORTH_SOUTH)
    still = letters(quick, NoticeKind.TIME_SUSPENDED)
    quick.go_on()
    for said, time in ((still, "Tid att överklaga"), (letters(quick, NoticeKind.TIME_RESUMED), "Överklaga senast")):
        assert set(said) == {"north", "south", "east", "west", "director"}
        assert time in said["north"]
        assert f"{time}, par 7" in said["director"]
        assert time not in said["east"]
        assert "En tid för par 7" in said["east"]
        assert "ändrar ingen av dina tider" in said["east"]
    assert all("Sjukdom." in text for text in still.values())
    assert not any("senast" in text for text in still.values())


def test_who_may_appeal_is_told_how_whenever_his_time_stands_still_or_goes_on(quick: Story) -> None:
    """R32: and nothing says that he need not do anything, without saying of what."""
    quick.stand_still(Side.NORTH_SOUTH)
    still = letters(quick, NoticeKind.TIME_SUSPENDED)
    quick.go_on()
    on = letters(quick, NoticeKind.TIME_RESUMED)
    for said in (still["north"], on["north"]):
        assert "Så överklagar du" in said
        assert "Är du nöjd med domslutet behöver du inte göra något" in said
        assert "Du behöver inte göra något" not in said
    assert "Så överklagar du" not in still["east"] + still["director"] + on["east"]


def test_a_mail_says_from_when_to_when_a_time_stands_still(quick: Story) -> None:
    """It may begin days later: then nobody reads that it stands still already."""
    begins = quick.at + 2 * DAY
    quick.stand_still(Side.NORTH_SOUTH, begins=begins, ends=begins + 3 * DAY)
    for key, text in letters(quick, NoticeKind.TIME_SUSPENDED).items():
        assert "En tid ska stå still" in text, key
        assert "står still från måndag 30 november 2026 kl. 13.34 till torsdag 3 december 2026 kl. 13.34" in text, key


def test_a_mail_says_how_much_is_left_of_a_time_without_an_end(quick: Story) -> None:
    """Just as much is left when it goes on."""
    quick.later(days=2)
    quick.stand_still(Side.NORTH_SOUTH)
    assert "När den går vidare är det 9 dagar kvar." in letters(quick, NoticeKind.TIME_SUSPENDED)["north"]
    quick.later(days=5)
    quick.go_on()
    last_day = windows(quick)[0].unrolled
    assert last_day is not None
    assert (last_day - quick.at.date()).days == 9


def test_a_mail_that_is_written_when_the_pause_is_over_says_so(sqlite: str) -> None:
    """It waited while the mail server was away. Of minutes nobody reads that days are not counted."""
    story = Story.begun()
    story.rule()
    story.publish()
    before = end(story)
    story.stand_still(Side.NORTH_SOUTH, ends=story.at + timedelta(minutes=11))
    assert end(story) == before + timedelta(minutes=10)
    still = letters(story, NoticeKind.TIME_SUSPENDED)
    over = letters(story, NoticeKind.TIME_SUSPENDED, written_at=story.at + timedelta(minutes=15))
    for key in ("north", "director"):
        assert "Minuterna då den står still räknas inte" in still[key]
        assert "Minuterna då den stod still räknas inte." in over[key]
    for key, text in over.items():
        assert "En tid har stått still" in text, key
        assert "stod still från" in text, key
        assert "Dagar" not in text + still[key], key


def test_what_is_left_of_a_moment_is_said_to_the_minute(quick: Story) -> None:
    quick.prolong_by(quick.at + timedelta(days=20, hours=4, minutes=28))
    given = end(quick)
    quick.stand_still(Side.NORTH_SOUTH)
    said = letters(quick, NoticeKind.TIME_SUSPENDED)["north"]
    assert windows(quick)[0].halted_at == given - timedelta(days=20, hours=4, minutes=25)
    assert "är det 20 dagar, 4 timmar och 25 minuter kvar" in said
    assert "Minuterna då den står still räknas inte" in said


def test_what_runs_out_before_it_would_stand_still_is_said_of_its_side(quick: Story) -> None:
    quick.prolong_by(quick.at + 40 * DAY)
    begins = quick.at + 30 * DAY
    with uow() as session:
        loaded = load(session, quick.case.proceeding_id)
        chosen = [each.deadline_id for each in suspending.choices(loaded)]
        with pytest.raises(Invalid) as refused:
            suspending.preview(loaded, chosen, begins, begins + DAY, quick.at)
    said = i18n.render(refused.value.fields["deadlines"], "sv")
    assert said.startswith("Tiden för par 12 går ut innan")


def letters(story: Story, kind: NoticeKind, written_at: datetime | None = None) -> dict[str, str]:
    """What each was told, by his key, or would be if it was written at a time."""
    keys = {person: key for key, person in story.there.persons.items()}
    with uow() as session, session.no_autoflush:
        found = list(session.exec(select(Notice).where(Notice.kind == kind)))
        for notice in found:
            notice.state = NoticeState.DUE if written_at else notice.state
        return {keys[n.person_id]: notices.message_for(session, n.id, written_at or story.at).text for n in found}


def test_a_time_that_has_not_begun_can_stand_still_too(database: str) -> None:
    """It begins meanwhile, has no end, and is reckoned from its own start when it goes on."""
    story = Story.begun(settings={"appeal_window": Span(10, Unit.days)})
    story.rule()
    story.stand_still()
    story.later(days=2)
    story.publish()
    assert (windows(story)[0].instant, windows(story)[0].base) != (None, None)
    assert windows(story)[0].instant is None
    story.later(days=5)
    story.go_on()
    assert windows(story)[0].instant is not None


def test_no_reminder_goes_out_while_it_stands_still(database: str) -> None:
    """R-DL2: done with the reason, and planned anew when the time goes on."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    story.stand_still(who="office")
    assert _states() == {TimerState.DONE}
    story.later(days=30)
    story.go_on(who="office")
    assert _states() == {TimerState.WAITING}
    with uow() as session:
        asked = session.exec(select(Deadline).where(Deadline.kind == DeadlineKind.STATEMENT)).all()
    assert all(row.instant is not None and row.instant > story.at + 9 * DAY for row in asked)


def _states() -> set[TimerState]:
    with uow() as session:
        return {one.state for one in session.exec(select(Timer).where(col(Timer.step).startswith("remind:")))}


def test_who_is_asked_anew_is_not_made_to_run(database: str) -> None:
    """R30: what another side adds meanwhile gives a new time, which stands still as the old one did."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    story.state({"north": "Pausen var kort.", "east": "Pausen var lång."})
    story.decline(Side.NORTH_SOUTH)
    story.stand_still(Side.EAST_WEST, who="office")
    story.state({"north": "En sak till."})
    old, new = answers(story)
    assert (old.ended, new.ended) == (DeadlineEnd.VOID, None)
    assert (new.halted_at, new.explanation, new.instant) == (old.halted_at, old.explanation, None)
    with uow() as session:
        told = [notices.message_for(session, notice.id, story.at).text for notice in told_of(session, story, "east")]
    assert "Tiden står still sedan" in told[-1]
    story.expire(days=50)
    story.go_on(who="office")
    end = answers(story)[-1].instant
    assert end is not None
    assert end > story.at + 5 * DAY


def answers(story: Story) -> list[Deadline]:
    """East–West's times to answer, in the order in which they came."""
    with uow() as session:
        found = select(Deadline).where(
            Deadline.kind == DeadlineKind.ANSWER, Deadline.party_id == story.case.party_ids[Side.EAST_WEST]
        )
        return list(session.exec(found.order_by(col(Deadline.opened_at))))


def told_of(session: Session, story: Story, key: str) -> list[Notice]:
    """What a player has been told of new material, in order."""
    found = select(Notice).where(Notice.kind == NoticeKind.MATERIAL_ADDED, Notice.person_id == story.there.persons[key])
    return list(session.exec(found.order_by(col(Notice.due_at))))


@pytest.mark.parametrize("days", [-1, 61, 90])
def test_an_impossible_interval_is_refused_at_its_field(quick: Story, days: int) -> None:
    """Before its beginning, longer than sixty days, or begun after the time has run out."""
    begins = quick.at + (30 * DAY if days == 90 else timedelta(0))
    with uow() as session:
        loaded = load(session, quick.case.proceeding_id)
        chosen = [each.deadline_id for each in suspending.choices(loaded)]
        with pytest.raises(Invalid):
            suspending.preview(loaded, chosen, begins, begins + (days if days != 90 else 1) * DAY, quick.at)


@pytest.mark.parametrize("who", ["north", "juror_1", "organiser"])
def test_only_the_body_or_the_office_can_do_it(quick: Story, who: str) -> None:
    with pytest.raises(NotAllowed):
        quick.stand_still(who=who)


def test_more_time_is_counted_on_from_the_unrolled_day(story: Story) -> None:
    """B1.7, B1.35: from before the day was moved, moved once at the end; the old time stays, and both are said."""
    old = windows(story)[0]
    assert old.unrolled is not None
    story.prolong_by(Span(2, Unit.weeks))
    new, ended = windows(story)[0], next(row for row in windows(story) if row.id == old.id)
    assert new.unrolled == old.unrolled + 14 * DAY
    assert (ended.ended, ended.instant) == (DeadlineEnd.MOVED, old.instant)
    assert {new.explanation.params["old"], new.explanation.params["start"]} == {old.last_day, old.unrolled}
    story.prolong_by(Span(1, Unit.weeks))
    assert windows(story)[0].unrolled == old.unrolled + 21 * DAY


def test_every_reason_stays_when_a_moment_is_given_and_stands_still(story: Story) -> None:
    """R32: the first last day, the span, the moment and the standstill are all in the words, in their order."""
    first = windows(story)[0].explanation
    story.prolong_by(Span(2, Unit.weeks))
    counted = windows(story)[0].explanation
    assert counted.params["before"] == first
    story.prolong_by(story.at + 40 * DAY)
    assert windows(story)[0].explanation.params["before"] == counted
    begins = story.at + DAY
    story.stand_still(Side.NORTH_SOUTH, begins=begins, ends=begins + DAY)
    still = windows(story)[0].explanation
    assert "so it runs out" in still.msgid
    assert i18n.render(counted, "sv") in i18n.render(still, "sv")


def test_a_last_day_is_not_moved_by_minutes(quick: Story) -> None:
    with pytest.raises(Invalid):
        quick.prolong_by(Span(30, Unit.minutes))


def test_a_time_given_to_a_moment_stands_still_as_well(story: Story) -> None:
    """What was set as a moment is put off by exactly what it stood still."""
    story.prolong_by(story.at + 20 * DAY)
    given = windows(story)[0].instant
    story.stand_still(Side.NORTH_SOUTH)
    began = story.at - timedelta(minutes=1)
    story.later(days=3)
    story.go_on()
    lifted = story.at - timedelta(minutes=1)
    assert given is not None
    assert windows(story)[0].instant == given + (lifted - began)


def test_a_moment_that_is_given_counts_what_was_to_stand_still(story: Story) -> None:
    """Who says until when has said it: only what stands still from now on puts that off."""
    begins = story.at + 3 * DAY
    story.stand_still(Side.NORTH_SOUTH, begins=begins, ends=begins + 4 * DAY)
    given = story.at + 25 * DAY
    story.prolong_by(given)
    assert windows(story)[0].instant == given
    begins = story.at + 20 * DAY
    story.stand_still(Side.NORTH_SOUTH, begins=begins, ends=begins + DAY)
    assert windows(story)[0].instant == given + DAY


def test_what_was_given_stands_when_its_start_is_no_longer_proven(story: Story) -> None:
    """R32: the mails came back; the end that was given can still stand still, go on and be put off."""
    story.prolong_by(Span(2, Unit.weeks))
    given = end(story)
    mails_come_back(story)
    assert (windows(story)[0].base, end(story)) == (None, given)
    begins = story.at + DAY
    story.stand_still(Side.NORTH_SOUTH, begins=begins, ends=begins + DAY)
    assert end(story) == given + DAY
    story.prolong_by(Span(1, Unit.weeks))
    longer = end(story)
    assert longer >= given + 8 * DAY
    story.stand_still(Side.NORTH_SOUTH)
    story.later(days=3)
    story.go_on()
    assert end(story) >= longer + 3 * DAY


def end(story: Story) -> datetime:
    """When North–South's time ends that runs."""
    (instant,) = (row.instant for row in windows(story) if row.ended is None)
    assert instant is not None
    return instant


def mails_come_back(story: Story) -> None:
    """Both mails of the ruling to North–South."""
    players = {story.there.persons[key] for key in ("north", "south")}
    ours = [notice.id for notice in told(NoticeKind.RULING) if notice.person_id in players]
    for notice_id in ours:
        story.write(lambda s, one=notice_id: reaching.record_return(s, one, story.later(), "550 5.1.1"))  # type: ignore[misc]  # bound to this one


def test_only_what_runs_is_due(quick: Story) -> None:
    quick.stand_still()
    with uow() as session:
        assert deadlines.due(session, quick.at + 400 * DAY) == []


def test_times_that_begin_at_one_moment_show_the_same_in_whatever_order_they_are_read(quick: Story) -> None:
    """A database gives rows of one moment in any order: nobody is told that they changed."""
    with uow() as session:
        times = suspending.choices(load(session, quick.newest()))
    assert len(times) == 2
    assert suspending.shown_times(times).mark == suspending.shown_times(times[::-1]).mark

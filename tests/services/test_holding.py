"""What is held before it is sent, and what stopping it means (U10, R36, R37)."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlmodel import Session, col, select

from casework.adapters.database import uow
from casework.adapters.i18n import format_instant, render
from casework.domain.errors import Conflict, Invalid, NotAllowed
from casework.domain.models import Deadline, Decision, Event, Notice, OutboxJob
from casework.domain.terms import (
    ActionName,
    AppealRoute,
    Channel,
    DeadlineKind,
    JobState,
    NoticeKind,
    NoticeState,
    Side,
    State,
)
from casework.domain.workflow.held import HOLD
from casework.services import case_view, holding, posting, prolonging, reaching, rulings, timeline
from casework.services.case_rows import read_case
from tests.kept import kept
from tests.story import Story


@kept
def decided() -> Story:
    """A case that the Law Commission has just decided."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.write_papers()
    story.register()
    story.decide("lk_chair", "lk_1", "lk_2", delivered=False)
    return story


def of_decision() -> list[Notice]:
    with uow() as session:
        return list(session.exec(select(Notice).where(Notice.kind == NoticeKind.DECISION).order_by(col(Notice.id))))


def jobs_of(found: list[Notice]) -> list[OutboxJob]:
    with uow() as session:
        query = select(OutboxJob).where(col(OutboxJob.subject_id).in_([notice.id for notice in found]))
        return list(session.exec(query.order_by(col(OutboxJob.created_at))))


def does(story: Story, deed: Callable[[Session], object]) -> None:
    story.write(deed)


def test_a_decision_of_the_law_commission_is_held(database: str) -> None:
    decided()
    found = of_decision()
    assert len(found) == 4
    assert {notice.held_until for notice in found} == {notice.due_at + HOLD for notice in found}
    assert {job.next_at for job in jobs_of(found)} == {notice.due_at + HOLD for notice in found}


def test_what_is_held_is_not_on_its_way(sqlite: str) -> None:
    """Whoever may stop it reads in what has happened until when."""
    story = decided()
    with uow() as session:
        rows = read_case(session, story.case.case_id, story.actors["lk_chair"], story.at)
        said = [render(line, "sv") for line in timeline.reached(rows, ActionName.DECIDE_APPEAL)]
    assert said
    assert all(f"väntar till {format_instant(of_decision()[0].due_at + HOLD, 'sv')}" in line for line in said)


def test_nothing_at_the_event_is_held(sqlite: str) -> None:
    """A ruling and an on-site jury's decision go at once."""
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.hear()
    story.decide("juror_1", "juror_2", "juror_3")
    with uow() as session:
        assert {notice.held_until for notice in session.exec(select(Notice))} == {None}


def test_no_party_reads_what_is_held(sqlite: str) -> None:
    """Nobody knows before the other; who handles the case sees it."""
    story = decided()
    with uow() as session:
        seen = {
            key: case_view.case_view(session, story.case.case_id, story.actors[key], story.at).decision
            for key in ("north", "office")
        }
        rows = read_case(session, story.case.case_id, story.actors["north"], story.at)
    assert seen["office"] is not None
    assert seen["north"] is None or seen["north"].id != of_decision()[0].decision_id
    assert of_decision()[0].decision_id not in {decision.id for decision in rows.decisions}


def test_what_is_held_can_be_sent_at_once(database: str) -> None:
    story = decided()
    first = of_decision()[0].id
    does(story, lambda s: holding.send_now(s, first, story.actors["office"], now=story.at))
    found = of_decision()
    assert {notice.held_until for notice in found} == {story.at}
    assert sorted(job.state for job in jobs_of(found)) == [JobState.CALLED_BACK] * 4 + [JobState.DUE] * 4
    with pytest.raises(Conflict):
        does(story, lambda s: holding.send_now(s, first, story.actors["office"], now=story.at))


def test_stopping_tells_nobody_and_takes_nothing_back(database: str) -> None:
    """The decision stands as it was filed; nobody is told until it is sent, and then everybody."""
    story = decided()
    first, office = of_decision()[0].id, story.actors["office"]
    with pytest.raises(NotAllowed):
        does(story, lambda s: holding.call_back(s, first, office, because=" ", now=story.at))
    does(story, lambda s: holding.call_back(s, first, office, because="Fel bricka i texten.", now=story.at))
    found = of_decision()
    assert {notice.state for notice in found} == {NoticeState.CALLED_BACK}
    assert {job.state for job in jobs_of(found)} == {JobState.CALLED_BACK}
    with uow() as session:
        decision = session.get_one(Decision, found[0].decision_id)
        assert decision.replaced_by_id is None
        assert session.exec(select(Event).where(Event.action == ActionName.CALL_BACK)).one() is not None
        (stopped,) = holding.held(session, story.case.case_id, office, story.at + timedelta(days=3), masked=True)
        assert stopped.until is None
        assert all("···@" in address for _, _, address in stopped.told)
    later = story.at + timedelta(days=1)
    does(story, lambda s: holding.send_now(s, first, office, now=later))
    found = of_decision()
    assert {(notice.state, notice.held_until) for notice in found} == {(NoticeState.DUE, later)}
    assert [job.next_at for job in jobs_of(found) if job.state is JobState.DUE] == [later] * 4


@pytest.mark.parametrize("stopped", [False, True])
def test_nobody_is_told_aloud_what_waits(sqlite: str, *, stopped: bool) -> None:
    """Else one side knew before the other, or what was stopped as wrong: it is sent first, and then told."""
    story = decided()
    (first, *_), office, north = of_decision(), story.actors["office"], story.there.persons["north"]
    if stopped:
        does(story, lambda s: holding.call_back(s, first.id, office, because="Fel bricka.", now=story.at))

    def tell(session: Session) -> object:
        return rulings.record_telling(
            session, first.proceeding_id, office, person_id=north, told_at=story.at, now=story.at
        )

    with pytest.raises(Invalid, match="Send it first"):
        does(story, tell)
    does(story, lambda s: holding.send_now(s, first.id, office, now=story.at))
    does(story, tell)


def test_it_is_too_late_when_one_has_begun_to_go(database: str) -> None:
    """All are stopped or none: what is past the point of no return does not go alone."""
    story = decided()
    found = of_decision()

    def claim(session: Session) -> None:
        job = session.exec(select(OutboxJob).where(OutboxJob.subject_id == found[2].id)).one()
        job.state = JobState.SENDING

    does(story, claim)
    with pytest.raises(NotAllowed):
        does(story, lambda s: holding.call_back(s, found[0].id, story.actors["office"], because="Nej.", now=story.at))
    assert {notice.state for notice in of_decision()} == {NoticeState.DUE}


@pytest.mark.parametrize("key", ["north", "lk_1", "organiser"])
def test_others_neither_send_nor_stop(sqlite: str, key: str) -> None:
    story = decided()
    first = of_decision()[0].id
    with pytest.raises(NotAllowed):
        does(story, lambda s: holding.send_now(s, first, story.actors[key], now=story.at))
    with pytest.raises(NotAllowed):
        does(story, lambda s: holding.call_back(s, first, story.actors[key], because="Nej.", now=story.at))


def test_who_ruled_does_not_stop_the_decision_on_his_ruling(sqlite: str) -> None:
    """R36."""
    story = decided()
    first = of_decision()[0].id
    with pytest.raises(NotAllowed):
        does(
            story, lambda s: holding.call_back(s, first, story.actors["director"], because="Fel bricka.", now=story.at)
        )
    assert {notice.state for notice in of_decision()} == {NoticeState.DUE}


def test_a_held_letter_is_not_posted(sqlite: str) -> None:
    story = decided()
    office, held = story.actors["office"], of_decision()[0]

    def on_paper(session: Session) -> None:
        notice = session.get_one(Notice, held.id)
        notice.channel, notice.state = Channel.LETTER, NoticeState.TO_BE_POSTED

    does(story, on_paper)
    with pytest.raises(NotAllowed):
        does(story, lambda s: posting.record_posted(s, held.id, office, at=story.at, now=story.at))
    does(story, lambda s: posting.record_posted(s, held.id, office, at=held.due_at + HOLD, now=held.due_at + HOLD))


def test_nobody_is_called_in_place_of_a_held_letter(sqlite: str) -> None:
    """What waits is told to nobody first, by telephone either."""
    story = decided()
    office, held = story.actors["office"], of_decision()[0]

    def on_paper(session: Session) -> None:
        notice = session.get_one(Notice, held.id)
        notice.channel, notice.state = Channel.LETTER, NoticeState.TO_BE_POSTED

    def call(at: datetime) -> None:
        does(story, lambda s: reaching.record_call(s, held.id, office, at=at, note="Ringde.", now=at))

    does(story, on_paper)
    with pytest.raises(NotAllowed, match="Send it first"):
        call(held.due_at)
    call(held.due_at + HOLD)


def test_what_is_refused_only_meanwhile_gives_no_reason_away(sqlite: str) -> None:
    """More time to appeal the ruling, which a signed decision has replaced: nothing of it can be taken in."""
    story = decided()
    party = story.case.party_ids[Side.EAST_WEST]
    with uow() as session:
        ours = select(Deadline).where(Deadline.kind == DeadlineKind.APPEAL_WINDOW, Deadline.party_id == party)
        window = session.exec(ours.order_by(col(Deadline.opened_at))).all()[0]

    def more(session: Session) -> object:
        return prolonging.prolong_window(
            session,
            window.proceeding_id,
            story.actors["director"],
            deadline_id=window.id,
            party_id=party,
            until=story.at + timedelta(days=2),
            because="Sent resultat.",
            now=story.at,
        )

    with pytest.raises(NotAllowed) as refused:
        does(story, more)
    assert [reason.msgid for reason in refused.value.reasons] == [
        "This cannot be done right now. Look at the case again in a few minutes."
    ]


def test_the_state_of_the_case_is_the_decisions(sqlite: str) -> None:
    story = decided()
    with uow() as session:
        rows = read_case(session, story.case.case_id, story.actors["office"], story.at)
    assert rows.loaded.proceedings[-1].state is State.FINAL

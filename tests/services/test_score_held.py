"""An official score is told to many people in many cases: at once on its day, held afterwards (U10, R32)."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest
from sqlmodel import col

from casework.adapters.database import uow
from casework.domain.calendar import Span, Unit
from casework.domain.errors import NotAllowed
from casework.domain.models import Case, Deadline, Notice, OutboxJob, Proceeding
from casework.domain.terms import JobState, NoticeKind, NoticeState, State
from casework.domain.workflow.held import AT_ONCE, HOLD
from casework.services import deadlines, dispatch, holding
from tests import factories
from tests.factories import Federation
from tests.services.filing import FILED, PLAYERS, file_ruling, rows, ruled_in_three


def of_score() -> list[Notice]:
    return rows(Notice, col(Notice.kind).in_([NoticeKind.WINDOW_OPEN, NoticeKind.NO_LONGER_FINAL]))


def cases_held(there: Federation, now: datetime) -> list[UUID]:
    with uow() as session:
        return [case for case, _ in holding.held_scores(session, there.session_id, there.actor("organiser"), now)]


def test_a_score_recorded_on_its_day_is_told_at_once(there: Federation) -> None:
    """Times of minutes run from it, so nobody waits for five of them."""
    ruled_in_three(there)
    factories.publish_score(there, at=FILED, now=FILED + AT_ONCE - timedelta(minutes=1))
    assert [notice.held_until for notice in of_score()] == [None] * 12
    assert cases_held(there, FILED + AT_ONCE) == []


def test_a_score_recorded_afterwards_is_held_in_all_its_cases(there: Federation) -> None:
    """No case has more than ten people, all of them have; the times run from the score and never from the notice."""
    ruled_in_three(there)
    late, organiser = FILED + AT_ONCE, there.actor("organiser")
    factories.publish_score(there, at=FILED, now=late)
    found = of_score()
    assert [notice.held_until for notice in found] == [late + HOLD] * 12
    jobs = rows(OutboxJob, col(OutboxJob.subject_id).in_([notice.id for notice in found]))
    assert [job.next_at for job in jobs] == [late + HOLD] * 12
    cases = cases_held(there, late)
    assert len(cases) == 3
    with uow() as session:
        page = dispatch.held_page(session, cases[0], organiser, late)
    (one,) = page.held
    assert (one.score, len(one.told), list(page.mine)) == (True, 4, [one.notice_id])

    sent, stopped = (next(notice.id for notice in found if notice.case_id == case) for case in cases[:2])
    with uow(write=True) as session:
        holding.send_now(session, sent, organiser, now=late)
        holding.call_back(session, stopped, organiser, because="Fel klockslag.", now=late)
    then = late + HOLD
    assert cases_held(there, late) == cases[1:]
    assert cases_held(there, then) == cases[1:2]
    assert {(n.state, n.held_until) for n in of_score() if n.case_id == cases[0]} == {(NoticeState.DUE, late)}
    assert {n.state for n in of_score() if n.case_id == cases[1]} == {NoticeState.CALLED_BACK}
    assert [j.state for j in jobs_of(of_score(), cases[1])] == [JobState.CALLED_BACK] * 4
    assert {(w.base, w.instant) for w in rows(Deadline)} == {(FILED, FILED + timedelta(minutes=30))}


def jobs_of(found: list[Notice], case_id: UUID) -> list[OutboxJob]:
    return rows(OutboxJob, col(OutboxJob.subject_id).in_([n.id for n in found if n.case_id == case_id]))


def test_people_are_counted_once(there: Federation) -> None:
    """Twelve messages to the same four players are not many people."""
    for _ in range(3):
        file_ruling(there, told={there.persons[key]: FILED for key in PLAYERS})
    factories.publish_score(there, at=FILED, now=FILED + AT_ONCE)
    assert [notice.held_until for notice in of_score()] == [None] * 12


def test_what_a_late_score_opens_again_waits_with_it(sqlite: str) -> None:
    there = factories.federation(settings={"appeal_window": Span(10, Unit.days)})
    ruled_in_three(there)
    factories.publish_score(there, at=FILED)
    late = FILED + timedelta(days=20)
    with uow(write=True) as session:
        for deadline_id in deadlines.due(session, late):
            deadlines.expire(session, deadline_id, late)
    for case in rows(Case):
        with uow(write=True) as session:
            deadlines.advance(session, case.id, late)
    assert {p.state for p in rows(Proceeding)} == {State.FINAL}
    factories.publish_score(there, at=late - timedelta(days=2), now=late)
    newest = [notice for notice in of_score() if notice.due_at == late]
    assert NoticeKind.NO_LONGER_FINAL in {notice.kind for notice in newest}
    assert {notice.held_until for notice in newest} == {late + HOLD}


def test_a_juror_neither_sends_nor_stops_it(there: Federation) -> None:
    ruled_in_three(there)
    late = FILED + AT_ONCE
    factories.publish_score(there, at=FILED, now=late)
    notice, juror = of_score()[0], there.actor("juror_1")
    with pytest.raises(NotAllowed), uow(write=True) as session:
        holding.send_now(session, notice.id, juror, now=late)

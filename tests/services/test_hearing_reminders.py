"""Reminders of a hearing, and to members who have not said whether there is a conflict of interest (R17, R19, R26)."""

from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.clock import LOCAL
from casework.domain.models import Notice, OutboxJob
from casework.domain.terms import NoticeKind
from casework.services import hearing_reminders, hearings
from tests.factories import federation
from tests.juries import JURORS, JuryCase, answer, answered, composed, roles

pytestmark = pytest.mark.usefixtures("database")
DAY = timedelta(days=1)


def look(case: JuryCase, at: datetime, times: int = 2) -> None:
    """What the clock and a worker do, more than once."""
    for _ in range(times):
        with uow(write=True) as session:
            hearing_reminders.find(session, at)
        with uow() as session:
            waiting = session.exec(select(OutboxJob).where(OutboxJob.kind == hearing_reminders.KIND)).all()
        for job in waiting:
            with uow(write=True) as session:
                hearing_reminders.remind(session, job.subject_id, at)


def told(case: JuryCase, kind: NoticeKind) -> list[str]:
    keys = {person: key for key, person in case.there.persons.items()}
    with uow() as session:
        return sorted(keys[n.person_id] for n in session.exec(select(Notice).where(Notice.kind == kind)))


def nine(case: JuryCase, days: int) -> datetime:
    """Nine o'clock so many days after the appeal."""
    return (case.at.astimezone(LOCAL) + days * DAY).replace(hour=9, minute=0, second=0)


def call(case: JuryCase, days: int) -> None:
    case.do(hearings.call_hearing, "director", 4, place="Rum 2", at=case.at + days * DAY)


def test_everybody_who_is_called_is_reminded_three_days_and_a_day_before() -> None:
    case = answered(federation())
    call(case, 10)
    look(case, nine(case, 7) - timedelta(minutes=1))
    assert told(case, NoticeKind.HEARING_REMINDER) == []
    look(case, nine(case, 7))
    everybody = sorted(["north", "south", "east", "west", "director", *JURORS])
    assert told(case, NoticeKind.HEARING_REMINDER) == everybody
    look(case, nine(case, 9))
    assert told(case, NoticeKind.HEARING_REMINDER) == sorted(everybody * 2)


def test_nobody_is_reminded_of_a_hearing_that_was_called_since_then_or_is_over() -> None:
    case = answered(federation())
    call(case, 1)
    look(case, case.at + timedelta(minutes=5))
    look(case, case.at + 2 * DAY)
    assert told(case, NoticeKind.HEARING_REMINDER) == []


def test_a_member_is_reminded_of_the_question_until_it_is_answered() -> None:
    case = composed(federation())
    answer(case, "juror_1")
    look(case, nine(case, 1))
    assert told(case, NoticeKind.CONFLICT_REMINDER) == ["juror_2", "juror_3"]
    answer(case, "juror_2")
    case.do(hearings.compose_panel, "organiser", 60, seats=roles(case.there, ("juror_1", "juror_2", "lk_2")))
    look(case, nine(case, 3))
    assert told(case, NoticeKind.CONFLICT_REMINDER) == ["juror_2", "juror_3", "lk_2"]
    look(case, nine(case, 9))
    assert told(case, NoticeKind.CONFLICT_REMINDER) == ["juror_2", "juror_3", "lk_2"]


def test_a_reminder_is_asked_for_once_however_often_one_looks() -> None:
    case = answered(federation())
    call(case, 10)
    with uow(write=True) as session:
        asked = [hearing_reminders.find(session, nine(case, 7)) for _ in range(2)]
    assert asked == [1, 0]

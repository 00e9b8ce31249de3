"""A notice that waits is not sent when a newer one says what holds now, and the proof says so; on both databases."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from sqlmodel import col, select

from casework.adapters.database import uow
from casework.adapters.i18n import render
from casework.adapters.smtp import Trouble
from casework.domain.delivery import SmtpPhase
from casework.domain.models import Notice, OutboxJob
from casework.domain.terms import Channel, JobState, NoticeKind, NoticeState, Side
from casework.services import appeals, hearings, notice_proof, notices
from casework.services.case_rows import read_case
from tests.factories import START, federation
from tests.juries import JuryCase, called, roles
from tests.story import Story

EARLIER, NEWER = NoticeState.OVERTAKEN, NoticeState.DUE


@pytest.fixture
def case(database: str) -> JuryCase:
    return called(federation())


def again(case: JuryCase) -> None:
    """The hearing is moved."""
    case.do(hearings.call_hearing, "director", 6, place="Rum 4", at=START + timedelta(minutes=40))


def sent_to(case: JuryCase, key: str, *kinds: NoticeKind) -> list[Notice]:
    """What a person is told, the oldest first."""
    with uow() as session:
        found = select(Notice).where(
            Notice.proceeding_id == case.proceeding_id,
            Notice.person_id == case.there.persons[key],
            col(Notice.kind).in_(kinds),
        )
        return list(session.exec(found.order_by(col(Notice.due_at))))


def job_of(notice: Notice) -> OutboxJob:
    with uow() as session:
        return session.exec(select(OutboxJob).where(OutboxJob.subject_id == notice.id)).one()


def test_a_call_that_has_not_gone_is_overtaken_by_the_next(case: JuryCase) -> None:
    """R18: each gets one, with the time that holds, which replaces none that he has had; the proof says why."""
    again(case)
    for key in ("north", "west", "juror_1", "juror_3"):
        first, second = sent_to(case, key, NoticeKind.SUMMONS)
        assert (first.state, second.state) == (EARLIER, NEWER)
        assert (job_of(first).state, job_of(second).state) == (JobState.CALLED_BACK, JobState.DUE)
        with uow() as session:
            mail = notices.message_for(session, second.id, START + timedelta(minutes=7))
        assert mail.subject.startswith("Du är kallad"), key
        assert "Rum 4" in mail.text
    with uow() as session:
        rows = read_case(session, case.case_id, case.there.actor("office"), START + timedelta(minutes=7))
        proof = notice_proof.one(session, rows, sent_to(case, "north", NoticeKind.SUMMONS)[0], masked=False)
    said = " ".join(
        render(line, "sv") if not isinstance(line, str) else line for _, lines in proof.facts for line in lines
    )
    assert render(proof.state, "sv") == "Ersatt"
    assert "Innan det skickades kom ett nyare meddelande i stället" in said
    assert "Kallelsen" in said


def test_what_is_going_out_goes(case: JuryCase) -> None:
    """Past the point of no return nobody takes a mail back; if the server says "later", it is too late for it."""
    (going,) = sent_to(case, "north", NoticeKind.SUMMONS)
    with uow(write=True) as session:
        session.get_one(OutboxJob, job_of(going).id).state = JobState.SENDING
    again(case)
    assert sent_to(case, "north", NoticeKind.SUMMONS)[0].state is NoticeState.DUE
    with uow(write=True) as session:
        session.get_one(OutboxJob, job_of(going).id).state = JobState.DUE
        notices.record_later(session, going.id, Trouble(START + timedelta(minutes=7), SmtpPhase.RECIPIENT, "450 later"))
    assert sent_to(case, "north", NoticeKind.SUMMONS)[0].state is EARLIER
    assert job_of(going).state is JobState.CALLED_BACK


def test_no_letter_is_posted_for_a_mail_that_came_back_when_a_newer_one_is_there(case: JuryCase) -> None:
    (first,) = sent_to(case, "north", NoticeKind.SUMMONS)
    with uow(write=True) as session:
        session.get_one(Notice, first.id).state = NoticeState.HANDED_OVER
    again(case)
    with uow(write=True) as session:
        refused = Trouble(START + timedelta(minutes=7), SmtpPhase.RECIPIENT, "550 unknown")
        notices.record_bounce(session, first.id, refused)
    letter = next(one for one in sent_to(case, "north", NoticeKind.SUMMONS) if one.channel is Channel.LETTER)
    assert letter.state is EARLIER


def test_who_leaves_before_he_was_called_is_told_that_alone(case: JuryCase) -> None:
    """He has been called to nothing; who comes back is seated anew."""
    kinds = (NoticeKind.SEATED, NoticeKind.SUMMONS, NoticeKind.PANEL_LEFT)
    case.do(hearings.compose_panel, "organiser", 5, seats=roles(case.there, ("juror_1", "juror_2", "lk_2")))
    assert [one.state for one in sent_to(case, "juror_3", *kinds)] == [EARLIER, EARLIER, NEWER]
    (left,) = sent_to(case, "juror_3", NoticeKind.PANEL_LEFT)
    with uow() as session:
        assert "sammanträdet" not in notices.message_for(session, left.id, START + timedelta(minutes=6)).text
    case.do(hearings.compose_panel, "organiser", 6, seats=roles(case.there))
    assert sent_to(case, "juror_3", NoticeKind.PANEL_LEFT)[0].state is EARLIER


def test_a_call_falls_with_the_last_appeal(case: JuryCase) -> None:
    case.do(appeals.withdraw_appeal, "north", 5, appeal_id=case.appeal_ids()[0])
    assert sent_to(case, "west", NoticeKind.SUMMONS)[0].state is EARLIER
    assert sent_to(case, "west", NoticeKind.APPEAL_WITHDRAWN)[0].state is NEWER


def test_a_call_is_not_overtaken_by_a_change_of_the_jury(database: str) -> None:
    """R18: everybody must be called."""
    case = called(federation())
    case.do(hearings.compose_panel, "organiser", 5, seats=roles(case.there, ("juror_1", "juror_2", "lk_2")))
    assert {one.state for one in sent_to(case, "north", NoticeKind.SUMMONS, NoticeKind.PANEL_CHANGED)} == {NEWER}


@dataclass
class Away(Story):
    """A story whose mails wait from `away` on."""

    away: bool = False

    def deliver(self) -> None:
        """Nothing goes out meanwhile."""
        if not self.away:
            super().deliver()

    def told(self, kind: NoticeKind) -> list[Notice]:
        """What North is told, the oldest first."""
        with uow() as session:
            mine = select(Notice).where(Notice.kind == kind, Notice.person_id == self.there.persons["north"])
            return list(session.exec(mine.order_by(col(Notice.due_at))))


@pytest.fixture
def away(sqlite: str) -> Away:
    story = Away.begun()
    story.rule()
    story.publish()
    story.away = True
    return story


def test_times_are_told_of_by_what_tells_of_them_all(away: Away) -> None:
    """R32: of another side's time nothing takes the place of what tells a party of its own, and how to appeal."""
    away.stand_still(Side.NORTH_SOUTH)
    away.stand_still(Side.EAST_WEST)
    assert [one.state for one in away.told(NoticeKind.TIME_SUSPENDED)] == [NEWER, NEWER]
    away.go_on()
    assert [one.state for one in away.told(NoticeKind.TIME_SUSPENDED)] == [EARLIER, EARLIER]
    (on,) = away.told(NoticeKind.TIME_RESUMED)
    with uow() as session:
        assert "Så överklagar du" in notices.message_for(session, on.id, away.at).text


def test_more_time_that_is_given_twice_is_told_once(away: Away) -> None:
    away.prolong_by(away.at + timedelta(hours=2))
    away.prolong_by(away.at + timedelta(hours=4))
    first, second = away.told(NoticeKind.WINDOW_PROLONGED)
    assert (first.state, second.state) == (EARLIER, NEWER)

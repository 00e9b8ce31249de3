"""What users of systems like this one have reported about deadlines, notices and queues, where no other test says it.

The rest stand beside what they are about, with the same ids in their docstrings: B1.3, B2.57, X35.
"""

import re
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from sqlmodel import Session, col, select

from casework import clock
from casework.adapters import broker, outbox
from casework.adapters.database import uow
from casework.app import create_app
from casework.domain.minutes import over_from
from casework.domain.models import Deadline, Notice
from casework.domain.terms import AppealRoute, NoticeKind, NoticeState, Side
from casework.paths import PACKAGE
from casework.services import hearings, notices
from casework.services.clockwork import Watch
from tests import factories
from tests.faults import pairs
from tests.faults.invariants import check
from tests.faults.office import Office, jobs
from tests.faults.pairs import Pair
from tests.faults.settled import settle
from tests.page import PageClient
from tests.smtp import SmtpSink
from tests.story import Story
from tests.web.readers import browser
from tests.workers.waiting import wait_until
from workers.handlers import DUTIES, MAIL

ON_ALL = pytest.mark.fault(bites=pairs.EACH)


def test_b1_30_what_is_due_today_is_not_overdue(database: str) -> None:
    """B1.30, B1.1: open to the last second of the minute on the page, as in the record, and over the second after."""
    story = Story.begun()
    story.rule()
    story.publish()
    with uow() as session:
        mine = select(Deadline).where(Deadline.party_id == story.case.party_ids[Side.NORTH_SOUTH])
        end = session.exec(mine).one().instant
    assert end is not None
    north = browser(story, "north")
    path = f"/arenden/{story.case.case_id}/overklaga"
    clock.advance(end - timedelta(seconds=30) - clock.now())
    assert "mindre än en minut kvar" in north.get(path).text("main")
    clock.advance(over_from(end) - timedelta(seconds=1) - clock.now())
    assert "Tiden gick ut" not in north.get(path).text("main")
    clock.advance(over_from(end) - clock.now())
    late = north.get(path).text("main")
    assert "Tiden gick ut" in late
    assert north.get(path).has("textarea")


def test_b1_28_a_hearing_past_midnight_is_on_its_own_day(database: str) -> None:
    """B1.28: half past midnight in Sweden is the day before in UTC; mail and page name the Swedish day."""
    story = Story.begun()
    story.at = datetime(2026, 11, 28, 21, 0, tzinfo=UTC)
    story.rule()
    here = story.appeal()
    story.forward()
    story.compose()
    story.declare()
    starts = datetime(2026, 11, 28, 23, 30, tzinfo=UTC)
    story.write(
        lambda s: hearings.call_hearing(s, here, story.actors["organiser"], place="Rum 3", at=starts, now=story.later())
    )
    with uow() as session:
        summons = session.exec(select(col(Notice.id)).where(Notice.kind == NoticeKind.SUMMONS)).all()
        letters = [notices.message_for(session, notice_id, story.at) for notice_id in summons]
    assert letters
    for letter in letters:
        assert "29 november 2026 kl. 00.30" in letter.text
    assert "29 november 2026 kl. 00.30" in browser(story, "organiser").get(
        f"/arenden/{story.case.case_id}/sammantrade"
    ).text("main")


def test_b1_4_a_late_statement_goes_the_way_that_its_mail_shows(database: str) -> None:
    """B1.4: after the last moment the mail's own link still leads to the form, which warns; the body sees the mark."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION, without_mail=frozenset({"east", "west"}))
    story.rule()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    with uow() as session:
        asked = select(Notice.id).where(
            Notice.kind == NoticeKind.STATEMENT_DEMANDED, Notice.person_id == story.there.persons["north"]
        )
        notice_id = session.exec(asked).one()
        letter = notices.with_links(session, notice_id, notices.message_for(session, notice_id, story.at).text)
    story.expire(days=20)  # North–South's time; the letter to East–West is still to be posted
    clock.advance(story.at - clock.now())
    north = PageClient(create_app())
    link = re.search(r"/l/\S+", letter)
    assert link is not None
    case = north.submit(north.get(link[0]), "Fortsätt")
    assert case.has(f'main a[href="{case.path}/yttrande"]')
    page = north.get(f"{case.path}/yttrande")
    assert "Tiden gick ut" in page.text("main")
    assert "Du kan ändå lämna in" in page.text("main")
    north.submit(north.submit(page, "Fortsätt till kontrollen", text="Pausen var kort."), "Lämna in yttrandet")
    office = browser(story, "office").get(case.path).text("main")
    assert "Yttrande från par 7, efter att tiden hade gått ut" in office


def test_b2_41_nothing_goes_out_again_because_somebody_acts(database: str, smtp_sink: SmtpSink) -> None:
    """B2.41, B2.42, B2.56: every sweep and every later step leaves what was sent alone; one mail a notice."""
    there = factories.federation(without_mail=frozenset({"west"}))
    case = factories.open_case(there)
    factories.give_ruling(there, case)
    clock.advance(factories.START + timedelta(minutes=5) - clock.now())
    duties = replace(DUTIES, watch=Watch())
    for _ in range(3):
        duties.drain(clock.now())
    sent = len(smtp_sink.messages)
    assert sent == 3
    factories.publish_score(there, at=clock.now())
    for _ in range(3):
        duties.drain(clock.now())
    assert [mail.subject for mail in smtp_sink.messages[:sent]].count("Domslut i bricka 18") <= sent
    ruling = [mail for mail in smtp_sink.messages if "Domslut i bricka 18" in mail.subject]
    assert len(ruling) == sent
    assert not any("" in mail.recipients for mail in smtp_sink.messages)
    settle(smtp_sink)


@ON_ALL
def test_b2_42_a_notice_goes_out_once_however_often_it_is_rung_for(office: Office) -> None:
    """B2.42, B2.41, X32, X33: one row a recipient, sent by whoever claims it and by nobody else."""
    office.rule()
    office.open()
    with uow() as session:
        due = [job.id for job in jobs(session, MAIL)]
    broker.ring(*due * 3)
    office.wait_for(NoticeState.HANDED_OVER, 4)
    broker.ring(*due * 3)
    broker.ring_sweep()
    office.settle()
    assert len(office.sink.messages) == len(due) == 4
    check(office.seen())


@ON_ALL
def test_b2_59_no_bell_is_rung_before_the_commit(on_pair: Pair) -> None:
    """B2.59, B2.58: a worker that is told early finds no row; a step that fails rings for nothing."""
    with uow(write=True) as session:
        made = ring(session)
        assert rung() == []
    assert rung() == [made]
    with suppress(ZeroDivisionError), uow(write=True) as session:
        ring(session)
        raise ZeroDivisionError
    assert rung() == []


def ring(session: Session) -> str:
    """A job that is due, in a step that has not ended; gives its id."""
    subject = uuid4()
    job = outbox.enqueue(
        session, kind="note", subject_id=subject, case_id=None, dedupe_key=str(subject), due=clock.now()
    )
    session.flush()
    return str(job.id)


def rung() -> list[str]:
    """The ids that have been rung for since the last look: one is rung for now, and what came before it is there."""
    last = uuid4()
    broker.ring(last)
    found: list[str] = []
    with broker.application().connection_for_read() as connection:
        queue = broker.application().amqp.queues["casework"](connection.default_channel)
        queue.declare()

        def came() -> bool:
            while bell := queue.get(no_ack=True):
                found.append(str(bell.payload[0][0]))
            return str(last) in found

        wait_until(came, "the last bell is there")
    return [one for one in found if one != str(last)]


def test_b2_57_nothing_is_ever_put_on_a_broker_for_later() -> None:
    """B2.57, X35, X36, X38: no ETA and no countdown, so no visibility timeout can run one twice; the row waits."""
    written = [path for folder in ("casework", "workers") for path in (PACKAGE.parent / folder).rglob("*.py")]
    assert written
    later = [path for path in written if re.search(r"\b(eta|countdown|visibility_timeout)\s*=", path.read_text())]
    assert later == []

"""A form is open while the ground moves under it: the deadline passes, or its sender loses his rights (F31, F32)."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from flask import Flask, request
from sqlmodel import col, delete, select

from casework import clock
from casework.adapters.database import uow
from casework.app import create_app
from casework.domain.minutes import over_from
from casework.domain.models import Appeal, Case, Deadline, Grant, Statement
from casework.domain.terms import AppealRoute, DeadlineEnd, Side, StatementKind
from casework.services import hearings
from tests import factories
from tests.faults.settled import settle
from tests.juries import heard
from tests.page import Page
from tests.smtp import SmtpSink
from tests.story import Story
from tests.web import at_table, panels, signing
from tests.web.readers import browser

TEXT = "Pausen var kort.\nJag frågade inget."


def late_in(app: Flask, meanwhile: Callable[[], None]) -> None:
    """Something happens when a form has arrived and before it is acted on: a queue, a slow upload, another's lock."""
    done: list[bool] = []

    def wait() -> None:
        if request.form.get("go") == "file" and not done:
            done.append(True)
            meanwhile()

    app.before_request_funcs.setdefault(None, []).append(wait)  # its own decorator is for before the first request


@pytest.mark.parametrize(("before", "in_time"), [(1, True), (-1, False)])
def test_f31_the_deadline_passes_during_the_post(
    database: str,
    smtp_sink: SmtpSink,
    before: int,
    in_time: bool,  # noqa: FBT001  # pytest passes it by name
) -> None:
    """F31, R-DL1, B1.1, B1.4: when the request began decides, though the clock has closed the time since."""
    story = Story.begun(workers=True)
    story.rule(told={story.there.persons[key]: story.at + timedelta(minutes=1) for key in ("north", "east")})
    story.publish()
    north = browser(story, "north")
    check = north.submit(
        north.get(f"/arenden/{story.case.case_id}/overklaga"), "Fortsätt till kontrollen", wants="Allt."
    )
    over = over_from(window(story))
    clock.advance(over - timedelta(seconds=before) - clock.now())

    def meanwhile() -> None:
        clock.advance(timedelta(seconds=5))
        story.at = clock.now()
        story.expire(seconds=0.001)
        assert window_end(story) is DeadlineEnd.EXPIRED

    late_in(north.app, meanwhile)
    receipt = north.submit(check, "Överklaga domslutet")
    assert receipt.h1 == "Överklagandet är inlämnat"
    with uow() as session:
        (appeal,) = session.exec(select(Appeal)).all()
    assert (appeal.in_time, appeal.lodged_at < over) == (in_time, in_time)
    settle(smtp_sink, now=story.at + timedelta(minutes=1))


def window(story: Story) -> datetime:
    """When North–South's time to appeal ends."""
    with uow() as session:
        mine = select(Deadline).where(Deadline.party_id == story.case.party_ids[Side.NORTH_SOUTH])
        instant = session.exec(mine).one().instant
    assert instant is not None
    return instant


def window_end(story: Story) -> DeadlineEnd | None:
    """How North–South's time to appeal has ended."""
    with uow() as session:
        mine = select(Deadline).where(Deadline.party_id == story.case.party_ids[Side.NORTH_SOUTH])
        return session.exec(mine).one().ended


def dismiss(there: factories.Federation, who: str) -> None:
    """Somebody is trusted with nothing any longer."""
    with uow(write=True) as session:
        session.exec(delete(Grant).where(col(Grant.person_id) == there.persons[who]))


def offered(page: Page) -> str:
    """The text that the page offers for copying, as it was written."""
    return "\n".join("".join(node.itertext()) for node in page.select(".as-written"))


def test_f32_a_dismissed_director_files_no_ruling_and_keeps_his_text(database: str) -> None:
    """F32: the right is the federation's to give and to take; what was written is the writer's."""
    clock.advance(at_table.LATER - clock.now())
    app, there = create_app(), factories.federation()
    director = signing.official(app, there, "director")
    check = at_table.check(director)
    dismiss(there, "director")
    page = director.submit(check, at_table.TELL, status=403)
    assert at_table.SHORT["happened"] in offered(page)
    with uow() as session:
        assert session.exec(select(Case)).all() == []


def test_f32_a_dismissed_director_files_no_report_and_keeps_his_text(database: str) -> None:
    """F32: he may not even know of the case any longer; his own words are shown to him all the same."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.appeal()
    story.forward()
    director = browser(story, "director")
    form = director.get(f"/arenden/{story.case.case_id}/rapport")
    check = director.submit(form, "Fortsätt till kontrollen", events=TEXT)
    dismiss(story.there, "director")
    page = director.submit(check, "Lämna in rapporten", status=404)
    assert "Du kan inte längre göra det här" in page.text("main")
    assert TEXT in offered(page)
    with uow() as session:
        assert session.exec(select(Statement).where(Statement.kind == StatementKind.REPORT)).all() == []


def test_f32_a_recused_juror_writes_no_note_and_keeps_his_text(database: str) -> None:
    """F32, R17: recused while he writes."""
    clock.advance(factories.START + panels.AGO - clock.now())
    case = heard(factories.federation())
    member = panels.by_link(case, "juror_2")
    room = member.get(panels.at(case, "overlaggning"))
    case.do(hearings.decide_conflict, "organiser", 21, seat_id=case.seat("juror_2"), recused=True, because="Släkt.")
    page = member.submit(room, "Dela anteckningen", shared_note=TEXT, status=404)
    assert TEXT in offered(page)


def test_f32_a_stranger_who_guesses_learns_nothing(sqlite: str) -> None:
    """F32: what a case answers to who has lost his rights is what it answers where there is no case."""
    clock.advance(at_table.LATER - clock.now())
    app, there = create_app(), factories.federation()
    case = factories.open_case(there)
    other = signing.official(app, there, "lk_reserve")
    token = other.get("/").values("form[action='/logga-ut']") if other.get("/").has("form[action='/logga-ut']") else {}
    sent = {"text": TEXT, "csrf_token": token.get("csrf_token", [""])[0]}
    answers = [
        other.post(f"/arenden/{number}/yttrande", sent, status=404).text("main").replace(str(number), "")
        for number in (case.case_id, there.session_id)
    ]
    assert answers[0] == answers[1]

"""The Law Commission in the same rooms: by accounts, from the papers, and finally (R3, R5, R19)."""

from uuid import UUID

import pytest
from flask import Flask
from sqlmodel import select

from casework.adapters.database import uow
from casework.app import create_app
from casework.domain.models import Decision, Seat
from casework.domain.terms import AppealRoute, ConflictState, SeatRole
from casework.services import statements
from tests.kept import kept
from tests.story import Story
from tests.web.panels import browser, rows

MEMBERS = ("lk_chair", "lk_1", "lk_2")


@pytest.fixture
def app(sqlite: str) -> Flask:
    """The application."""
    return create_app()


@kept
def registered(*, after_jury: bool = False) -> Story:
    """LK has the papers and its members are seated; nobody has answered about conflicts of interest."""
    story = Story.begun(route=AppealRoute.JURY_ON_SITE if after_jury else AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    if after_jury:
        story.hear("juror_1", "juror_2", "lk_2")
        story.decide("juror_1", "juror_2", "lk_2")
        story.appeal()
        story.forward()
    story.write_papers()
    members = ("lk_chair", "lk_1", "lk_reserve") if after_jury else MEMBERS
    chair, seats, newest = story.actors["lk_chair"], seating(story, *members), story.newest()
    story.write(
        lambda s: statements.register_case(
            s, newest, chair, jurisdiction="Överklagat domslut.", seats=seats, now=story.later()
        )
    )
    return story


def seating(story: Story, *keys: str) -> dict[UUID, SeatRole]:
    """The members with their roles; the first is the chair."""
    first, *others = (story.there.persons[key] for key in keys)
    return {first: SeatRole.CHAIR} | dict.fromkeys(others, SeatRole.MEMBER)


def at(story: Story, place: str) -> str:
    """An address within the case."""
    return f"/arenden/{story.case.case_id}/{place}"


def test_the_members_answer_deliberate_and_decide_finally(app: Flask) -> None:
    """R3, R5."""
    story = registered()
    for who in MEMBERS:
        member = browser(story.there, who)
        page = member.get(at(story, "sammantrade"))
        assert page.path == at(story, "jav")
        assert "Pausen var kort." not in page.html
        member.submit(page, "Skicka svaret", answer="no")
    chair = browser(story.there, "lk_chair")
    room = chair.submit(chair.get(at(story, "overlaggning")), "Börja överläggningen")
    assert "Pausen var kort." in rows(room)
    assert "Så gick det till." in rows(room)
    assert not room.has(".steps li:nth-child(4)")
    for who in MEMBERS:
        member = browser(story.there, who)
        member.submit(member.get(at(story, "overlaggning")), "Lägg din röst", position="confirm")
    chair.submit(chair.get(at(story, "overlaggning")), "Stäng omröstningen och visa rösterna")
    check = chair.submit(
        chair.get(at(story, "beslut/skriv")),
        "Kontrollera och skriv under",
        operative="Domslutet står fast.",
        reasons="Pass var ett logiskt alternativ.",
        with_sanction="yes",
        sanction="Par 7 får en varning.",
    )
    assert "Beslutet är slutgiltigt och kan inte överklagas" in rows(check)
    receipt = chair.submit(check, "Skriv under beslutet")
    assert "Beslutet är slutgiltigt" in rows(receipt)
    with uow() as session:
        signed = session.exec(select(Decision).where(Decision.final)).one()
    assert signed.operative == "Domslutet står fast.\n\nPar 7 får en varning."


def test_lk_leaves_out_of_account_what_came_too_late(app: Flask) -> None:
    """Section 7, 2: what waits for an answer keeps the body from deciding only until it decides without it."""
    story = registered()
    story.declare()
    chair = browser(story.there, "lk_chair")
    room = chair.submit(chair.get(at(story, "overlaggning")), "Börja överläggningen")
    assert not room.has("a[href$='/bortse-fran']")
    story.add_late()
    assert chair.get(at(story, "overlaggning")).has("a[href$='/bortse-fran']")
    page = chair.get(at(story, "bortse-fran"))
    assert "En sak till." in rows(page)
    page = chair.submit(page, "Bortse från det", status=422)
    assert "Skriv varför ni bortser från det" in page.text(".error-summary")
    (late,) = page.select("input[name=late]")
    done = chair.submit(page, "Bortse från det", late=late.get("value") or "", because="Det säger inget nytt.")
    assert done.h1.endswith("Materialet lämnas utanför bedömningen")
    assert "Det säger inget nytt." in rows(chair.get(at(story, "overlaggning")))
    chair.get(at(story, "bortse-fran"), status=403)
    for who in ("north", "east"):
        party = browser(story.there, who)
        assert "Det säger inget nytt." in rows(party.get(f"/arenden/{story.case.case_id}?visa=allt"))
        assert "Lämnas utanför bedömningen" in rows(party.get(at(story, "yttrande")))


def test_a_reserve_takes_the_place_of_who_is_recused_by_itself(app: Flask) -> None:
    """R19: without anyone having to remember."""
    story = registered()
    member = browser(story.there, "lk_2")
    page = member.get(at(story, "jav"))
    receipt = member.submit(page, "Skicka svaret", answer="yes", reason="Syd är min bror.")
    assert receipt.h1 == "Du deltar inte i ärendet"
    with uow() as session:
        seats = {seat.person_id: seat for seat in session.exec(select(Seat))}
    assert seats[story.there.persons["lk_2"]].conflict is ConflictState.RECUSED
    assert seats[story.there.persons["lk_reserve"]].role is SeatRole.RESERVE
    assert browser(story.there, "lk_reserve").get(at(story, "jav")).h1 == "Har du jäv?"


def test_a_member_answers_for_himself_only(app: Flask) -> None:
    """At a distance nobody sits at the others' laptop."""
    story = registered()
    with uow() as session:
        seat = session.exec(select(Seat).where(Seat.person_id == story.there.persons["lk_1"])).one()
    for who in ("director", "organiser", "office", "lk_chair"):
        browser(story.there, who).get(at(story, f"jav/{seat.id}"), status=404)


def test_who_sat_on_the_jury_is_nothing_in_lk(app: Flask) -> None:
    """R19: nor does he read what its panel reads."""
    story = registered(after_jury=True)
    for who in ("lk_2", "juror_1"):
        for place in ("sammantrade", "overlaggning", "jav", "beslut/skriv"):
            browser(story.there, who).get(at(story, place), status=404)
    page = browser(story.there, "office").get(at(story, "jury"))
    assert "Per ÅslingSatt i juryn" in rows(page)

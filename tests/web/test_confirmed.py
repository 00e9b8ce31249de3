"""Every other page on which somebody confirms what he was shown: what changes meanwhile is named, and shown."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.bridge.notation import Vulnerability
from casework.domain.calendar import Span, Unit
from casework.domain.models import Contact, Person
from casework.domain.terms import AppealRoute, Side
from casework.services import appeals, boards, tournaments
from casework.services.appeals import AppealInput
from tests import factories
from tests.kept import kept
from tests.page import Page, PageClient
from tests.story import Story
from tests.web.at_table import CHECK, errors
from tests.web.readers import browser

pytestmark = pytest.mark.usefixtures("sqlite")


def url(story: Story, place: str) -> str:
    """An address within the case."""
    return f"/arenden/{story.case.case_id}/{place}"


def met(client: PageClient, page: Page, button: str, named: str, **fields: Any) -> Page:
    """Press a button on a page that is no longer as it was: nothing is done, and what is new is named."""
    again = client.submit(page, button, status=409, **fields)
    assert f"inte längre som du såg det: {named}." in errors(again)
    return again


def change(model: Any, where: Any, **values: Any) -> None:
    """Change a row of a register."""
    with uow(write=True) as session:
        row = session.exec(select(model).where(where)).one()
        for name, value in values.items():
            setattr(row, name, value)
        session.add(row)


@kept
def given(**federation: Any) -> Story:
    """A ruling that both sides have been told, with the official score."""
    story = Story.begun(**federation)
    story.rule()
    story.publish()
    return story


@kept
def appealed(**federation: Any) -> Story:
    """North–South have appealed it."""
    story = given(**federation)
    story.appeal()
    return story


def lodge(story: Story, key: str, side: Side, *, wants: str, grounds: str = "") -> None:
    """A side appeals the ruling, whatever others have done."""
    entered = AppealInput(party_id=story.case.party_ids[side], wants=wants, grounds=grounds)
    actor, ruling, now = story.actors[key], story.case.proceeding_id, story.later()
    story.write(lambda session: appeals.lodge_appeal(session, ruling, actor, entered, now=now))


@kept
def written() -> Story:
    """It goes to LK in writing, and both sides are asked."""
    story = appealed(route=AppealRoute.LAW_COMMISSION)
    story.forward()
    story.report()
    story.demand()
    return story


def test_a_hearing_is_not_called_to_others_than_were_shown() -> None:
    """R18: a member of LK who has come meanwhile is on the page before he is called."""
    story = appealed()
    story.forward()
    story.compose()
    story.declare()
    organiser = browser(story, "organiser")
    page = organiser.get(url(story, "sammantrade/kalla"))
    with uow(write=True) as session:
        there, actor = story.there, story.actors["organiser"]
        tournaments.register_presence(session, there.tournament_id, there.persons["lk_1"], actor, now=story.at)
    place: dict[str, Any] = {"place": "Rum 3", "clock": "23.00"}
    again = met(organiser, page, "Kalla till sammanträdet", "vilka som får besked", **place)
    assert "Ulla Sandvik" in again.text("main")
    assert again.values("Kalla till sammanträdet")["place"] == ["Rum 3"]
    organiser.submit(again, "Kalla till sammanträdet")


def test_statements_are_not_demanded_otherwise_than_was_shown() -> None:
    story = appealed(route=AppealRoute.LAW_COMMISSION)
    story.forward()
    story.report()
    director = browser(story, "director")
    page = director.get(url(story, "begar-yttranden"))
    change(Contact, Contact.person_id == story.there.persons["west"], email="")
    again = met(director, page, "Begär yttrandena", "vilka som får besked", question="Hur lång?")
    assert "med brev" in again.text("main")
    director.submit(again, "Begär yttrandena")


def test_papers_are_not_sent_in_on_a_list_that_has_changed() -> None:
    story = written()
    story.state({"north": "Ja.", "east": "Nej."})
    for side in Side:
        story.decline(side)
    director = browser(story, "director")
    page = director.get(url(story, "handlingarna"))
    change(Contact, Contact.person_id == story.there.persons["north"], phone="")
    again = met(director, page, "Skicka in handlingarna", "handlingarna")
    assert "Något saknas" in again.text("main")


def test_a_statement_is_not_filed_for_other_readers_than_were_shown() -> None:
    """Who reads it when depends on what it answers: an answer is given once, to all that has been said."""
    story = written()
    story.state({"north": "Kort.", "east": "Lång."})
    north = browser(story, "north")
    check = north.submit(north.get(url(story, "yttrande")), CHECK, text="Det stämmer inte.")
    story.state({"east": "Den var mycket lång."})
    story.state({"east": "Och en sak till."})
    again = met(north, check, "Lämna in yttrandet", "handlingarna")
    assert "Och en sak till." in again.text("main")
    assert "Det stämmer inte." in again.text("textarea")


def test_an_appeal_is_not_forwarded_with_one_that_was_not_read() -> None:
    story = appealed()
    director = browser(story, "director")
    page = director.get(url(story, "lamna-vidare"))
    lodge(story, "east", Side.EAST_WEST, wants="Par 7 ska varnas.", grounds="Vi såg pausen.")
    again = met(director, page, "Skicka överklagandet vidare", "överklagandena")
    assert "Vi såg pausen." in again.text("main")


@pytest.mark.parametrize(
    ("who", "place", "button", "ticked"),
    [
        ("south", "instam", "Instäm i överklagandet", "agrees"),
        ("south", "dra-tillbaka", "Återkalla överklagandet", "sure"),
    ],
)
def test_nobody_speaks_for_an_appeal_that_has_taken_anothers_place(
    who: str, place: str, button: str, ticked: str
) -> None:
    story = appealed()
    client = browser(story, who)
    page = client.get(url(story, place))
    story.withdraw()
    lodge(story, "north", Side.NORTH_SOUTH, wants="Något helt annat.")
    again = met(client, page, button, "överklagandena", **{ticked: True})
    assert "Något helt annat." in again.text("main")


def test_times_do_not_stand_still_otherwise_than_was_shown() -> None:
    story = given(settings={"appeal_window": Span(10, Unit.days)})
    director = browser(story, "director")
    typed: dict[str, Any] = {"to_day": "2026-12-24", "ends": "12.00", "because": "Sjukdom."}
    check = director.submit(director.get(url(story, "sta-still")), "Se vad det flyttar", **typed)
    factories.publish_score(story.there, at=story.later(hours=12))
    again = met(director, check, "Låt den stå still", "tiderna")
    assert "Ändrat sedan du såg det" in again.text("main")


def test_times_go_on_as_they_were_shown_to_stand() -> None:
    story = given(settings={"appeal_window": Span(10, Unit.days)})
    story.stand_still(Side.NORTH_SOUTH)
    director = browser(story, "director")
    page = director.get(url(story, "ga-vidare"))
    story.stand_still(Side.EAST_WEST)
    again = met(director, page, "Låt tiderna gå vidare", "tiderna")
    assert "Par 12" in again.text("main")


def test_more_time_is_not_given_from_another_time_than_was_shown() -> None:
    story = given(settings={"appeal_window": Span(10, Unit.days)})
    place = url(story, f"mer-tid/{story.case.party_ids[Side.NORTH_SOUTH]}")
    director = browser(story, "director")
    check = director.submit(director.get(place), CHECK, number="3", unit="weeks", because="Kö.")
    story.prolong_by(story.at + timedelta(days=12))
    met(director, check, "Ge längre tid att överklaga", "tiderna")


def test_an_official_score_is_not_recorded_over_another() -> None:
    story = Story.begun()
    story.rule()
    organiser = browser(story, "organiser")
    place = f"/tavlingar/omgangar/{story.there.session_id}/resultat"
    check = organiser.submit(organiser.get(place), CHECK)
    factories.publish_score(story.there, at=story.at - timedelta(minutes=2), now=story.at)
    button = "Skriv in när resultatet visades"
    again = met(organiser, check, button, "tiderna och vilka som får besked")
    organiser.submit(again, button)


def test_a_score_is_not_saved_that_comes_to_something_else_than_was_shown() -> None:
    story = Story.begun()
    director = browser(story, "director")
    typed: dict[str, Any] = {"at_table": "-100", "north_south-shares-0-result": "4♠ S =", "method": "percent"}
    check = director.submit(director.get(url(story, "poang")), "Räkna", **typed)
    assert "+620" in check.text("main")

    def at_no_zone(board: Any) -> Any:
        return replace(board, vulnerability=Vulnerability.none, because={"vulnerability": "Fel plastficka."})

    with uow(write=True) as session:
        boards.complete_ruling(
            session, story.case.proceeding_id, story.actors["chief"], change=at_no_zone, now=story.at
        )
    again = met(director, check, "Spara poängen", "poängen")
    assert "+420" in again.text("main")
    director.submit(again, "Spara poängen")


def test_a_question_at_the_table_is_about_those_who_were_shown() -> None:
    story = Story.begun()
    director = browser(story, "director")
    sides: dict[str, Any] = {"north_south": "7", "east_west": "12", "waits_for": "Systemkortet."}
    check = director.submit(director.get("/domslut/skjut-upp"), CHECK, **sides)
    change(Person, Person.id == story.there.persons["west"], given_name="Olov")
    again = met(director, check, "Skjut upp domslutet", "sidorna")
    assert "Olov Hägglund" in again.text("main")
    director.submit(again, "Skjut upp domslutet")

"""A form that another has overtaken: which step, by whom and when; the text kept, the case a link away (R-TWO1)."""

from typing import Any

import pytest
from sqlmodel import col, select

from casework import clock
from casework.adapters.database import uow
from casework.adapters.i18n import render
from casework.domain.models import Event, Person
from casework.domain.terms import ActionName, AppealRoute, Position, Side
from casework.services import appeals
from casework.services.appeals import AppealInput
from casework.text import t
from tests.kept import kept
from tests.page import Page, PageClient
from tests.story import Story
from tests.web.readers import browser

pytestmark = pytest.mark.usefixtures("sqlite")

TEXT = "Pausen var kort. Jag frågade inget."
TO_CHECK, FILE = "Fortsätt till kontrollen", "Lämna in yttrandet"


@kept
def ruled() -> Story:
    """A ruling that can be appealed to the Law Commission."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    return story


@kept
def asked() -> Story:
    """The same, appealed by North, and both sides are asked for statements."""
    story = ruled()
    story.appeal()
    story.forward()
    story.report()
    story.demand()
    return story


@kept
def deliberating() -> Story:
    """The Law Commission deliberates."""
    story = ruled()
    story.appeal()
    story.forward()
    story.write_papers()
    story.register()
    return story


def page_of(story: Story, name: str) -> str:
    return f"/arenden/{story.case.case_id}/{name}"


def checked(story: Story, key: str, page: str, **typed: Any) -> tuple[PageClient, Page]:
    """Somebody has typed, and has the check page open."""
    client = browser(story, key)
    return client, client.submit(client.get(page_of(story, page)), TO_CHECK, **typed)


def late(story: Story, client: PageClient, page: Page, button: str, *, status: int = 409, **typed: Any) -> Page:
    """He presses the button when the story has gone on."""
    clock.advance(story.later() - clock.now())
    return client.submit(page, button, status=status, **typed)


def told(story: Story, key: str, action: ActionName) -> tuple[str, str]:
    """The name of who took a step, and when, as a Swedish page writes it."""
    with uow() as session:
        steps = select(Event).where(Event.action == action).order_by(col(Event.seq).desc())
        step = session.exec(steps).first()
        assert step is not None
        assert step.actor_id == story.there.persons[key]
        return session.get_one(Person, step.actor_id).name, render(t("{at}", at=step.at), "sv")


def assert_names(page: Page, what: str, by: tuple[str, str]) -> None:
    said = page.text("main")
    assert [words for words in (what, *by) if words not in said] == [], said


def leads_to_case(story: Story, client: PageClient, page: Page) -> bool:
    """The link stands beside what happened, and works."""
    assert page.has(f"main a[href='/arenden/{story.case.case_id}']")
    return client.get(f"/arenden/{story.case.case_id}").status == 200


def test_a_statement_to_a_withdrawn_appeal() -> None:
    story = asked()
    east, check = checked(story, "east", "yttrande", text=TEXT)
    story.withdraw()
    answer = late(story, east, check, FILE)
    assert answer.h1 == "Något har hänt under tiden"
    assert_names(answer, "Återkallade överklagandet", told(story, "north", ActionName.WITHDRAW_APPEAL))
    assert TEXT in answer.text(".as-written")
    assert leads_to_case(story, east, answer)


def test_a_statement_that_comes_after_the_decision() -> None:
    story = deliberating()
    east, check = checked(story, "east", "yttrande", text=TEXT)
    story.decide("lk_chair", "lk_1", "lk_2")
    story.later(minutes=6)
    answer = late(story, east, check, FILE)
    assert_names(answer, "Beslutade om överklagandet", told(story, "lk_chair", ActionName.DECIDE_APPEAL))
    assert TEXT in answer.text(".as-written")


def test_a_statement_of_a_side_that_has_answered_keeps_the_text() -> None:
    """The partner was first: the form is gone, what was typed is not."""
    story = asked()
    south, check = checked(story, "south", "yttrande", text=TEXT)
    story.state({"north": "Vi har inget att säga."})
    answer = late(story, south, check, FILE)
    assert_names(answer, "Lämnade ett yttrande", told(story, "north", ActionName.FILE_STATEMENT))
    assert TEXT in answer.text("main")
    assert leads_to_case(story, south, answer)


def test_nothing_to_add_after_the_partner_has_answered() -> None:
    story = asked()
    south = browser(story, "south")
    form = south.get(page_of(story, "inget-att-tillagga"))
    story.state({"north": "Vi har inget att säga."})
    answer = late(story, south, form, "Meddela att du inte har något att tillägga", nothing=True)
    assert_names(answer, "Lämnade ett yttrande", told(story, "north", ActionName.FILE_STATEMENT))


def test_a_second_appeal_of_the_same_side() -> None:
    story = ruled()
    south, check = checked(story, "south", "overklaga", wants=TEXT)
    story.appeal()
    answer = late(story, south, check, "Överklaga domslutet")
    by = told(story, "north", ActionName.LODGE_APPEAL)
    assert "Din sida har redan överklagat." in answer.text(".error-summary")
    assert_names(answer, "Överklagade", by)
    assert answer.values(TO_CHECK)["wants"] == [TEXT]
    assert leads_to_case(story, south, answer)
    assert_names(south.get(page_of(story, "overklaga"), status=403), "Det gjorde", by)


def test_concurring_in_a_withdrawn_appeal() -> None:
    story = ruled()
    story.appeal()
    south = browser(story, "south")
    form = south.get(page_of(story, "instam"))
    story.withdraw()
    answer = late(story, south, form, "Instäm i överklagandet", agrees=True)
    assert_names(answer, "Återkallade överklagandet", told(story, "north", ActionName.WITHDRAW_APPEAL))
    assert leads_to_case(story, south, answer)


def test_an_absent_partner_who_has_concurred_himself() -> None:
    story = ruled()
    story.appeal()
    director = browser(story, "director")
    form = director.get(page_of(story, "rakna-som-instamd"))
    story.concur()
    person = str(story.there.persons["south"])
    answer = late(story, director, form, "Anteckna instämmandet", person=person, because="Har åkt hem.")
    assert_names(answer, "Instämde i överklagandet", told(story, "south", ActionName.CONCUR))
    assert "Har åkt hem." in answer.text(".as-written")
    assert leads_to_case(story, director, answer)


def test_what_can_no_longer_be_chosen() -> None:
    """Both sides have appealed; what the director chose is withdrawn while he writes, and the other stands."""
    story = ruled()
    story.appeal()
    ruling, here, east = story.case.proceeding_id, story.newest(), story.actors["east"]
    theirs = AppealInput(party_id=story.case.party_ids[Side.EAST_WEST], wants="Sänk det.")
    story.write(lambda s: appeals.lodge_appeal(s, ruling, east, theirs, now=story.later()))
    _, second = story.appeals()
    director = browser(story, "director")
    form = director.get(page_of(story, "dra-tillbaka"))
    story.write(lambda s: appeals.withdraw_appeal(s, here, east, appeal_id=second, now=story.later()))
    sent = {"appeal": str(second), "because": "Sagt vid bordet."}
    answer = late(story, director, form, "Återkalla överklagandet", status=422, **sent)
    assert_names(answer, "Återkallade överklagandet", told(story, "east", ActionName.WITHDRAW_APPEAL))
    assert answer.values("Återkalla överklagandet")["because"] == ["Sagt vid bordet."]
    assert leads_to_case(story, director, answer)


def test_a_page_that_is_opened_too_late_names_the_step() -> None:
    """Nothing was typed, so it is no conflict; what moved the case is said all the same."""
    story = asked()
    story.withdraw()
    east = browser(story, "east")
    page = east.get(page_of(story, "yttrande"), status=403)
    assert_names(page, "Återkallade överklagandet", told(story, "north", ActionName.WITHDRAW_APPEAL))


def test_votes_are_named_to_nobody_outside() -> None:
    """Promise 4: the same answer before and after the votes, with no step that its reader may not see."""
    story = deliberating()
    north = browser(story, "north")
    answers = []
    for votes in (False, True):
        if votes:
            story.vote("lk_chair", "lk_1", "lk_2", position=Position.CONFIRM)
            clock.advance(story.at - clock.now())
        page = north.get(page_of(story, "dra-tillbaka"), status=403)
        answers.append(page.text("main"))
    assert answers[0] == answers[1]


def test_an_old_tab_is_answered_alike_before_and_after_the_signature() -> None:
    """Promise 4: nothing to add, said from a page of long ago, while a decision is held as in the deliberation."""
    story = asked()
    button = "Meddela att du inte har något att tillägga"
    typed = browser(story, "east").get(page_of(story, "inget-att-tillagga")).values(button)
    story.state({"north": "Pausen var kort.", "east": "Pausen var lång."})
    story.finish_papers()
    story.register()
    story.vote("lk_chair", "lk_1", "lk_2", position=Position.CONFIRM)
    east = browser(story, "east")
    token = east.get(page_of(story, "yttrande")).values(TO_CHECK)["csrf_token"]
    answers = []
    for signed in (False, True):
        if signed:
            story.sign("lk_chair", delivered=False)
            clock.advance(story.at - clock.now())
        sent = {**typed, "csrf_token": token, "nothing": "y"}
        answers.append(east.post(page_of(story, "inget-att-tillagga"), sent, status=409).text("main"))
    assert answers[0] == answers[1]
    assert "redan besvarad" in answers[0]


def test_who_may_not_know_of_the_case_reads_no_step() -> None:
    """Whatever time he says that his page was opened."""
    story = asked()
    story.withdraw()
    sent = {"text": TEXT, "opened": "2020-01-01T00:00:00+00:00"}
    answer = browser(story, "lk_reserve").post(page_of(story, "yttrande"), sent, status=404)
    assert "Återkallade" not in answer.text("main")

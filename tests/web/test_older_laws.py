"""A case under the laws of 2007, entered and tried in the browser: only a jury and LK weight a score (R73)."""

from typing import Any

import pytest

from casework import clock
from casework.adapters.database import uow
from casework.domain.models import AdjustmentRecord, Case, Decision, Party
from casework.domain.models import Session as PlayingSession
from casework.domain.rules.editions import LawEdition
from casework.domain.terms import Body, Position, RulingOutcome, Side
from casework.services.scores import SavedScore
from tests import factories
from tests.factories import Federation, OpenCase
from tests.page import Page, PageClient
from tests.story import Story
from tests.web import readers
from tests.web.at_table import ANSWERS, CHECK, LATER, PLACE, TELL, errors, main, rows, url
from tests.web.panels import browser
from tests.web.test_signed import COUNT, SAVE, SIGN, TO_SIGN, WEIGHTED, WRITTEN, weigh

pytestmark = pytest.mark.usefixtures("sqlite")


@pytest.fixture
def there() -> Federation:
    """A tournament of pairs, two hours into its session."""
    clock.advance(LATER - clock.now())
    return factories.federation()


@pytest.fixture
def phone(there: Federation) -> PageClient:
    """The director's phone."""
    return browser(there, "director")


def check(phone: PageClient, *, status: int = 200, **changes: Any) -> Page:
    """Fill in the short form under the laws of 2007."""
    typed = ANSWERS | PLACE | {"edition": "2007"} | changes
    return phone.submit(phone.get("/domslut/ny"), CHECK, status=status, **typed)


def ruled(there: Federation, phone: PageClient) -> Story:
    """The director gives one result, in a case under the laws of 2007."""
    shown = check(phone)
    assert "2007 års lagar" in main(shown)
    assert phone.submit(shown, TELL).h1 == "Domslutet är meddelat"
    (case,) = rows(Case)
    parties = {party.side: party.id for party in rows(Party)}
    (given,) = rows(Decision)
    return Story(there, OpenCase(case.id, case.number, given.proceeding_id, parties), clock.now())


def test_the_laws_of_the_day_are_those_that_are_proposed(there: Federation, phone: PageClient) -> None:
    """R43: a session before September 2017 has them without a choice."""
    assert "2017 års lagar" in main(check(phone, edition=""))
    with uow(write=True) as session:
        row = session.get_one(PlayingSession, there.session_id)
        row.starts_at = row.starts_at.replace(year=2017, month=8)
        session.add(row)
    shown = check(phone, edition="")
    assert "2007 års lagar" in main(shown)
    phone.submit(shown, TELL)
    assert [case.law_edition for case in rows(Case)] == [LawEdition.laws_2007]


def test_a_party_does_not_choose_the_laws(there: Federation) -> None:
    north = browser(there, "north")
    page = north.get("/domslut/begaran")
    assert not page.has("[name=edition]")
    shown = north.submit(page, CHECK, happened="Får Nord tänka?", **PLACE)
    sent = shown.values("Begär domslutet") | {"edition": ["2007"], "go": ["file"]}
    north.post(shown.path, sent)
    assert [case.law_edition for case in rows(Case)] == [LawEdition.laws_2017]


def decide(story: Story, chair: str, one: str, other: str) -> Page:
    """The chair weights two results and signs; gives the page on which the decision was checked."""
    client = readers.browser(story, chair)
    weigh(client, url(story.case, "poang"), one, other)
    checked = client.submit(client.get(url(story.case, "beslut/skriv")), TO_SIGN, **WRITTEN)
    assert client.submit(checked, SIGN).h1 == "Beslutet är undertecknat"
    story.at = clock.now()
    story.deliver()
    return checked


def tried_by_both(story: Story) -> Page:
    """The jury weights 60 to 40, LK 30 to 70; gives LK's check page."""
    story.publish()
    story.appeal()
    story.forward()
    story.hear()
    story.vote("juror_1", "juror_2", "juror_3", position=Position.CHANGE)
    decide(story, "juror_1", "60", "40")
    story.appeal("east", Side.EAST_WEST)
    story.forward()
    story.write_papers()
    story.register()
    story.vote("lk_chair", "lk_1", "lk_2", position=Position.CHANGE)
    return decide(story, "lk_chair", "30", "70")


def test_by_the_laws_of_2007_a_jury_and_lk_weight_and_the_director_does_not(
    there: Federation, phone: PageClient
) -> None:
    """R73, from the table to the last instance."""
    assert "bara en jury" in errors(check(phone, status=422, outcome="weighted"))
    story = ruled(there, phone)
    place = url(story.case, "poang")
    assert "shares-1" not in phone.get(place).html
    alone = {name: value for name, value in WEIGHTED.items() if "shares-1" not in name}
    phone.submit(phone.submit(phone.get(place), COUNT, **alone), SAVE)
    tried_by_both(story)
    judged = [SavedScore.of(row).score for row in rows(AdjustmentRecord)]
    assert {(score.adjustment.body, score.adjustment.edition) for score in judged if score} == {
        (body, LawEdition.laws_2007) for body in Body
    }
    assert [row.outcome for row in sorted(rows(Decision), key=lambda row: row.recorded_at)] == [
        RulingOutcome.ASSIGNED,
        RulingOutcome.WEIGHTED,
        RulingOutcome.WEIGHTED,
    ]

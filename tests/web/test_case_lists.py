"""The lists of cases and the start page: what each reader may know of, counted, found and waited for."""

import pytest

from casework.adapters.database import uow
from casework.domain.models import Notice
from casework.domain.terms import LinkPurpose, NoticeKind, NoticeState
from casework.services import appeals, deadlines
from tests import factories
from tests.story import Story
from tests.web.readers import browser, case_page, queries_of


@pytest.fixture
def story(sqlite: str) -> Story:
    """A case of a tournament with a jury on site."""
    return Story.begun()


@pytest.mark.parametrize("url", ["/arenden", "/arenden?q=ekestam", "/"])
def test_a_list_asks_as_much_for_many_cases_as_for_few(story: Story, url: str) -> None:
    """Issue, Speed."""
    few = queries_of(browser(story, "office"), url)
    for _ in range(12):
        factories.open_case(story.there, at=story.later())
    assert queries_of(browser(story, "office"), url) == few


# The list


def test_the_list_shows_what_the_reader_may_know_of_and_counts_it(story: Story) -> None:
    """S-AC2, U11: the numbers beside the views are the lengths of the lists."""
    factories.open_case(story.there, at=story.later())
    story.rule()
    for key, cases in (("office", 2), ("director", 2), ("lk_1", 0)):
        client = browser(story, key)
        for link in client.get("/arenden").select(".filters a"):
            page = client.get(link.get("href") or "")
            count = page.one(".filters a[aria-current] .num").text
            assert len(page.select(".case-row")) == int(count or "-1")
        assert len(client.get("/arenden").select(".case-row")) == cases


def test_a_search_is_forgiving(story: Story) -> None:
    """U20: case and accents do not matter."""
    client = browser(story, "office")
    for search in ("EKESTAM", "tvaras", "hostpokalen 18", "0001", "18", "Lindvalla"):
        assert len(client.get(f"/arenden?q={search}").select(".case-row")) == 1


def test_a_search_without_hits_helps(story: Story) -> None:
    """U20."""
    page = browser(story, "office").get("/arenden?q=finnsinte")
    assert "Pröva färre ord" in page.text(".empty")


def test_a_search_finds_nothing_of_cases_that_the_reader_may_not_know_of(story: Story) -> None:
    """S-AC6."""
    assert not browser(story, "lk_1").get("/arenden?q=ekestam").has(".case-row")


def test_the_list_has_pages(story: Story) -> None:
    """25 cases on each; a page beyond the last is the last."""
    for _ in range(27):
        factories.open_case(story.there, at=story.later())
    client = browser(story, "office")
    assert len(client.get("/arenden").select(".case-row")) == 25
    assert len(client.get("/arenden?sida=2").select(".case-row")) == 3
    assert len(client.get("/arenden?sida=99").select(".case-row")) == 3
    assert len(client.get("/arenden?sida=noll").select(".case-row")) == 25


def test_who_came_by_a_link_is_led_to_his_own_case(story: Story) -> None:
    """A link opens one case."""
    page = browser(story, "north", link=LinkPurpose.PARTY).get("/arenden")
    assert page.path == f"/arenden/{story.case.case_id}"


# What remains to be done


def test_the_start_page_of_who_has_nothing_to_do_says_so(story: Story) -> None:
    """Look, tone 12."""
    assert "Du har inget att göra just nu." in browser(story, "lk_1").get("/").text(".empty")


def test_the_office_sees_whom_a_case_waits_for_since_when(story: Story) -> None:
    """U11."""
    text = browser(story, "office").get("/").text("main")
    assert "Väntar på Karin Fjällbo sedan lördag 28 november 2026" in text


def test_the_director_sees_what_he_must_do(story: Story) -> None:
    """U11."""
    text = browser(story, "director").get("/").text("main")
    assert "Väntar på dig" in text
    assert "Karin Fjällbo utreder vad som hände" in text


def test_the_office_sees_notices_that_did_not_arrive(story: Story) -> None:
    """R37."""
    notice_id = story.notice(NoticeKind.RULING)
    with uow(write=True) as session:
        session.get_one(Notice, notice_id).state = NoticeState.BOUNCED
    text = browser(story, "office").get("/").text("main")
    assert "Birgit Ekestam" in text
    assert "Kom inte fram" in text or "kom inte fram" in text


def test_the_office_sees_every_step_taken_in_anothers_place(story: Story) -> None:
    """R24: overrides are listed, with their reasons."""
    story.rule()
    story.publish()
    story.appeal()
    story.later(days=30)
    newest, office = story.newest(), story.actors["office"]
    with uow(write=True) as session:
        for due in deadlines.due(session, story.at):
            deadlines.expire(session, due, story.at)
    story.write(
        lambda s: appeals.forward_in_place(s, newest, office, because="Tävlingsledaren är bortrest.", now=story.later())
    )
    assert "Tävlingsledaren är bortrest." in browser(story, "office").get("/").text("main")
    assert "Tävlingsledaren är bortrest." in case_page(story, "east").text(".timeline")

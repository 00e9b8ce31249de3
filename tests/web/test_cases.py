"""The case page, the list and the papers: each reader sees his sections, with a constant number of queries."""

from uuid import uuid4

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.app import create_app
from casework.domain.models import AccessEntry, Case, Statement
from casework.domain.terms import (
    ActionName,
    AppealRoute,
    LinkPurpose,
    NoticeKind,
    Part,
    Position,
    Side,
    StatementKind,
)
from casework.services import decisions, hearings, history, statements
from casework.services.statements import ReportInput, StatementInput
from casework.web.cases import actions
from tests import factories
from tests.kept import kept
from tests.page import Page, PageClient
from tests.story import Story
from tests.web.readers import browser, case_page, queries_of

STAFF = ("director", "chief", "organiser", "office")
PARTIES = ("north", "south", "east", "west")


@pytest.fixture
def story(sqlite: str) -> Story:
    """A case of a tournament with a jury on site."""
    return Story.begun()


@kept
def asked_in_writing() -> Story:
    """A case whose appeal goes to the Law Commission in writing, as far as both sides are asked for statements."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    director, newest = story.actors["director"], story.newest()
    report = ReportInput(events="Så gick det till.", ruling="4♠ nio stick.", reasons="Lag 16B1.")
    story.write(lambda s: statements.file_report(s, newest, director, report, now=story.later()))
    story.write(lambda s: statements.demand_statements(s, newest, director, question="?", now=story.later()))
    story.deliver()
    return story


@pytest.fixture
def written(sqlite: str) -> Story:
    return asked_in_writing()


def statement_of(story: Story, side: Side, text: str) -> str:
    """A side's statement, filed and not opened; gives the address of its page."""
    key = {Side.NORTH_SOUTH: "north", Side.EAST_WEST: "east"}[side]
    mine = StatementInput(party_id=story.case.party_ids[side], text=text)
    newest = story.newest()
    story.write(lambda s: statements.file_statement(s, newest, story.actors[key], mine, now=story.later()))
    with uow() as session:
        row = session.exec(select(Statement).where(Statement.kind == StatementKind.STATEMENT)).one()
    return f"/arenden/{story.case.case_id}/handlingar/statement/{row.id}"


# Who finds the case


def test_who_has_a_part_reads_the_page(story: Story) -> None:
    """S-AC1: the page has a title without the number, which stands above it."""
    story.rule()
    for key in (*STAFF, *PARTIES):
        page = case_page(story, key)
        assert page.h1 == "Domslut i bricka 18"
        assert story.case.number in page.text("main")


def test_who_has_no_part_is_told_that_there_is_no_page(story: Story) -> None:
    """S-AC3: not even that the case exists."""
    story.rule()
    for key in ("juror_1", "lk_1", "lk_chair"):
        assert case_page(story, key, status=404).status == 404


def test_an_unknown_case_is_no_page(story: Story) -> None:
    """S-AC3: the same answer as for a case of others."""
    assert browser(story, "office").get(f"/arenden/{uuid4()}", status=404).status == 404


def test_who_is_not_signed_in_is_asked_to(story: Story) -> None:
    """The way back leads to the case."""
    answer = PageClient(create_app()).raw(f"/arenden/{story.case.case_id}")
    assert answer.status_code in (302, 303)
    assert "logga-in" in answer.headers["Location"]


def test_a_seated_juror_sees_what_the_case_is_about_and_no_papers(story: Story) -> None:
    """S-AC1: who has not answered about conflicts of interest reads no papers."""
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    seats = story._seats("juror_1", "juror_2", "juror_3")  # the story's own helper
    newest, organiser = story.newest(), story.actors["organiser"]
    story.write(lambda s: hearings.compose_panel(s, newest, organiser, seats=seats, now=story.later()))
    page = case_page(story, "juror_1", link=LinkPurpose.SEAT)
    text = page.text("main")
    assert "Birgit Ekestam" in text
    assert "Du kan läsa handlingarna när du har svarat om jäv." in text
    assert not page.has(".timeline")
    assert "Resultatet ändras till" not in text
    assert "Ge tillbaka" not in text
    browser(story, "juror_1", link=LinkPurpose.SEAT).get(
        f"/arenden/{story.case.case_id}/handlingar/appeal/{story.appeals()[0]}", status=404
    )


def test_a_jurors_link_opens_nothing_once_the_jury_has_decided(story: Story) -> None:
    """Issue item 6: a link of the seat opens the case until the decision."""
    _decided_by_jury(story)
    assert case_page(story, "juror_1", link=LinkPurpose.SEAT, status=404).status == 404


def _decided_by_jury(story: Story) -> None:
    story.rule()
    story.publish()
    story.appeal()
    story.concur()
    story.forward()
    story.hear()
    story.decide("juror_1", "juror_2", "juror_3")


# What each reader sees


def test_the_first_screen_says_what_who_and_when(story: Story) -> None:
    """U7: state, next step, who must act and until when."""
    story.rule()
    story.publish()
    page = case_page(story, "director")
    summary = page.text("dl.summary")
    assert "Domslutet är givet och kan överklagas" in summary
    assert "Ingen måste. Båda sidor kan överklaga." in summary
    assert page.text(".deadline .label") == "Överklaga senast, par 7"


def test_a_party_reads_what_was_decided_and_until_when_it_can_appeal(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    """U7, look 4: the decision, its own last moment, how, one button."""
    monkeypatch.setitem(actions._PAGES, ActionName.LODGE_APPEAL, "cases.show")  # a page to lead to
    story.rule()
    story.publish()
    page = case_page(story, "north", link=LinkPurpose.PARTY)
    text = page.text("main")
    assert "Till Birgit Ekestam." in text
    assert "av Syd, nio stick." in text
    assert page.text(".deadline .label") == "Överklaga senast"
    assert "Arne Solvik måste instämma, genom en egen länk." in text
    assert [b.text for b in page.select("a.button")] == ["Överklaga domslutet"]


def test_an_action_that_has_no_page_is_not_offered(story: Story) -> None:
    """Nothing leads nowhere."""
    before = dict(actions._PAGES)  # to be put back
    actions._PAGES.clear()
    try:
        page = case_page(story, "director")
    finally:
        actions._PAGES.update(before)
    assert not page.has("a.button")


def told(page: Page) -> str:
    """The lines that say how somebody was told."""
    return " ".join(line for line in page.text("main").split(".") if "e-post levererad" in line)


def test_officials_read_how_each_person_was_told(story: Story) -> None:
    """R32, R37: proof per person; those told alike share a line."""
    story.rule()
    page = case_page(story, "director")
    assert all(factories.NAMES[key] in told(page) for key in PARTIES)


def test_a_party_reads_only_how_its_own_side_was_told(story: Story) -> None:
    """S-AC7: the other side's proof is not a party's."""
    story.rule()
    page = case_page(story, "north")
    assert "Birgit Ekestam" in told(page)
    others = [factories.NAMES[key] for key in ("east", "west")]
    assert [page.text("main").count(name) for name in others] == [1, 1], "only among the parties"


def test_who_is_not_told_yet_is_named(story: Story) -> None:
    """R37: the task lasts for each side until there is proof."""
    factories.give_ruling(story.there, story.case, at=story.later())
    page = case_page(story, "director")
    assert "Det är ännu inte visat att personen har fått veta beslutet" in page.text("main")
    assert "måste få veta beslutet" in page.text("dl.summary")


def test_a_warning_to_the_appellant_is_not_shown_to_the_other_side(story: Story) -> None:
    """R33: told to one side, and to the body."""
    story.rule()
    story.publish()
    story.appeal()
    story.warn()
    assert "skälen verkar otillräckliga" in case_page(story, "north").text("main")
    assert "skälen verkar otillräckliga" in case_page(story, "office").text("main")
    assert "skälen verkar otillräckliga" not in case_page(story, "east").text("main")


def test_who_has_not_concurred_is_said(story: Story) -> None:
    """Law 92D."""
    story.rule()
    story.publish()
    story.appeal()
    assert "Arne Solvik har inte instämt ännu." in case_page(story, "director").text("main")
    story.concur()
    assert "Arne Solvik instämmer." in case_page(story, "director").text("main")


def test_an_unopened_statement_is_announced_to_the_other_side_and_not_readable(written: Story) -> None:
    """R28: that it came in is no secret, what it says is."""
    url = statement_of(written, Side.NORTH_SOUTH, "Hemligt tills alla har svarat.")
    page = case_page(written, "east")
    assert "Yttrande från par 7" in page.text(".aside")
    assert not any(url in (link.get("href") or "") for link in page.select("a"))
    assert "Hemligt" not in page.html
    browser(written, "east").get(url, status=404)


def test_an_unopened_statement_is_read_by_its_own_side_and_noted_for_officials(written: Story) -> None:
    """S-AUD7: an official's reading of what is not open leaves a note."""
    url = statement_of(written, Side.NORTH_SOUTH, "Hemligt tills alla har svarat.")
    for key in ("north", "south", "director", "office"):
        assert "Hemligt tills alla har svarat." in browser(written, key).get(url).text("main")
    with uow() as session:
        entries = session.exec(select(AccessEntry)).all()
    assert {entry.person_id for entry in entries} == {written.there.persons[key] for key in ("director", "office")}


def test_an_unopened_statement_is_no_page_for_who_does_not_collect_them(written: Story) -> None:
    """`access.IN_CASE`: READ_UNOPENED is the directors' and the office's."""
    url = statement_of(written, Side.NORTH_SOUTH, "Hemligt tills alla har svarat.")
    assert browser(written, "organiser").get(url, status=404).status == 404


def test_nothing_of_the_deliberation_is_in_a_page_before_the_decision(story: Story) -> None:
    """S-AC4: no vote, no note, not even that somebody has voted."""
    story.rule()
    story.publish()
    story.appeal()
    story.concur()
    story.forward()
    story.hear()
    newest, juror = story.newest(), story.actors["juror_1"]
    story.write(lambda s: decisions.write_note(s, newest, juror, text="Nord ljuger.", shared=True, now=story.later()))
    story.write(lambda s: decisions.cast_vote(s, newest, juror, position=Position.CHANGE, now=story.later()))
    for key in (*PARTIES, *STAFF):
        page = case_page(story, key)
        for secret in ("Nord ljuger", "Röstade", "Skrev en anteckning", "Ändra beslutet"):
            assert secret not in page.text("main")


def test_the_decision_names_each_members_position(story: Story) -> None:
    """Issue item 6: position and dissent are named with the decision, for everybody who reads it."""
    _decided_by_jury(story)
    for key in (*PARTIES, "director", "office"):
        client = browser(story, key)
        page = client.get(f"/arenden/{story.case.case_id}")
        links = [a.get("href") or "" for a in page.select(".aside a")]
        text = client.get(next(link for link in links if "/handlingar/decision/" in link)).text("main")
        votes = text[text.index("Hur ledamöterna röstade") :]
        assert all(name in votes for name in ("Göran Wiklund", "Inga Bergdal", "Sten Oskarsson"))
        assert text.index("Överklagandet avslås") < text.index("Vad som hände")


def test_a_dissent_is_named_once_and_never_taken_for_the_reasons(story: Story) -> None:
    """The case page gives the body's reasons; who thought otherwise stands in the decision, once and named."""
    story.rule()
    story.appeal()
    story.forward()
    story.hear()
    mine = "Pausen hade ingen betydelse."
    story.decide("juror_1", "juror_2", "juror_3", dissents={"juror_3": mine}, dissent=f"Sten Oskarsson: {mine}")
    page = case_page(story, "north")
    assert factories.ruling().reasons in page.text("main")
    assert mine not in page.text("main")
    links = [a.get("href") or "" for a in page.select(".aside a")]
    decision = browser(story, "north").get(next(link for link in links if "/handlingar/decision/" in link))
    assert decision.text("main").count(mine) == 1
    assert "Skiljaktig mening" in decision.text("main")


def test_the_history_says_whose_conflict_it_was_and_who_came(story: Story) -> None:
    """R17, R26: at one laptop somebody else answers, and an arrival is a happening of its own."""
    story.rule()
    story.appeal()
    story.forward()
    story.compose()
    story.recuse("juror_3", by="organiser")
    page = case_page(story, "director")
    assert "Det gällde Sten Oskarsson. Släkt." in page.text(".timeline")
    story.compose("juror_1", "juror_2", "lk_2")
    story.declare()
    story.sit()
    assert "På plats: par 7 och par 12." in case_page(story, "director").text(".timeline")


def test_no_page_gives_an_address_or_a_telephone_number(story: Story) -> None:
    """R29: contact data has a page of its own."""
    _decided_by_jury(story)
    for key in (*STAFF, *PARTIES):
        page = case_page(story, key)
        for secret in ("@lindvalla.example", "Provgatan", "08-000 00"):
            assert secret not in page.html


def test_a_paper_of_another_kind_or_case_is_no_page(story: Story) -> None:
    """S-AC3: kind, case and id must fit together."""
    decision = story.rule()
    client = browser(story, "north")
    client.get(f"/arenden/{story.case.case_id}/handlingar/ruling/{decision}")
    client.get(f"/arenden/{story.case.case_id}/handlingar/decision/{decision}", status=404)
    client.get(f"/arenden/{story.case.case_id}/handlingar/ruling/{uuid4()}", status=404)
    client.get(f"/arenden/{story.case.case_id}/handlingar/hemligt/{decision}", status=404)


def test_the_newest_happening_stands_first_and_the_order_can_be_turned(story: Story) -> None:
    """U7."""
    story.rule()
    client = browser(story, "director")
    newest_first = [h.text for h in client.get(f"/arenden/{story.case.case_id}").select(".timeline h3")]
    oldest_first = [h.text for h in client.get(f"/arenden/{story.case.case_id}?ordning=aldst").select(".timeline h3")]
    assert newest_first == oldest_first[::-1]
    assert oldest_first[0] == "Öppnade ärendet"


def test_a_party_that_is_asked_for_a_statement_reads_until_when_it_is_to_be_given(written: Story) -> None:
    """R28: the one time on the page is that of the statement, not of the appeal it could still make."""
    for key in ("north", "east"):
        page = case_page(written, key)
        assert page.text(".deadline .label") == "Yttra dig senast"
        assert "Yttra dig" in [heading.text for heading in page.select("h2")]
        assert "Du kan överklaga" not in page.text("main")


def test_a_late_forwarding_is_said_to_parties_and_officials(story: Story) -> None:
    """R24: the case goes red for office and parties."""
    story.rule()
    story.publish()
    story.appeal()
    story.later(days=30)
    for key in ("east", "office"):
        assert "Överklagandet skulle ha skickats vidare senast" in case_page(story, key).text("main p.error")


# Questions to the database


def test_the_case_page_asks_as_much_for_a_long_case_as_for_a_short_one(written: Story) -> None:
    """Issue, Speed."""
    url = f"/arenden/{written.case.case_id}"
    short = {key: queries_of(browser(written, key), url) for key in ("director", "north")}
    statement_of(written, Side.NORTH_SOUTH, "Första.")
    for _ in range(20):
        written.notice(NoticeKind.REPORT_FILED)
    with uow(write=True) as session:
        case = session.get_one(Case, written.case.case_id)
        for _ in range(40):
            history.append(
                session,
                case,
                at=written.later(),
                action=ActionName.COMPLETE_RULING,
                proceeding_id=written.case.proceeding_id,
                actor_id=written.there.persons["director"],
                part=Part.DIRECTOR,
                data={},
            )
    assert {key: queries_of(browser(written, key), url) for key in ("director", "north")} == short

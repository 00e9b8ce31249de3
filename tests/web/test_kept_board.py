"""A board that is filed again after the ruling: what it was about stays to be read, and the parties are told."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.contract import Contract
from casework.domain.bridge.notation import Seat
from casework.domain.errors import NotAllowed
from casework.domain.models import Notice
from casework.domain.terms import AppealOutcome, NoticeKind, Position
from casework.services import boards, hearings
from casework.services.case_file import case_file
from casework.web.moment import now
from tests.kept import kept
from tests.page import Page
from tests.story import Story
from tests.web.readers import browser
from tests.web.test_decided_board import decided

pytestmark = pytest.mark.usefixtures("sqlite")

RULED = replace(Board.numbered(18), auction=Auction.parse('1S! "minst fem" [30 s] P P P', Seat.east))
LATER = replace(RULED, auction=Auction.parse("1S P P P", Seat.east))


def filed(story: Story, change: Callable[[Board], Board]) -> None:
    """The director files the board again."""
    story.write(
        lambda s: boards.complete_ruling(
            s, story.case.proceeding_id, story.actors["director"], change=change, now=story.later()
        )
    )


@kept
def ruled(board: Board | None = RULED) -> Story:
    story = Story.begun()
    story.rule(**({"board": board} if board else {}))
    return story


@kept
def changed() -> Story:
    """The pause and the explanation are taken away after the ruling."""
    story = ruled()
    filed(story, lambda _: LATER)
    return story


def told(story: Story) -> list[Notice]:
    with uow() as session:
        return list(session.exec(select(Notice).where(Notice.kind == NoticeKind.MATERIAL_ADDED)))


def the_board(story: Story, key: str = "north", query: str = "") -> Page:
    return browser(story, key).get(f"/arenden/{story.case.case_id}/bricka{query}")


def test_a_ruling_keeps_the_board_that_it_was_about_and_says_what_was_changed_since() -> None:
    page = decided(changed(), "ruling", "north")
    assert "30 sekunder" in page.text(".footnotes")
    text = page.text("main")
    assert "Brickan ändrades efter domslutet" in text
    assert "av Karin" in text
    assert "Pauser: Syd, Pass: Tankepaus i 30 sekunder" in text
    assert "→ inget" in text


def test_the_board_page_has_the_newest_and_the_way_to_what_was_ruled_on() -> None:
    story = changed()
    page = the_board(story)
    assert not page.has(".footnotes")
    assert "Så som det står nu" in page.text("main")
    then = [a.get("href") or "" for a in page.select("main a") if "antecknad=" in (a.get("href") or "")]
    assert len(then) == 1
    assert "minst fem" in the_board(story, query="?" + then[0].partition("?")[2]).text(".footnotes")


def test_the_history_says_what_was_changed() -> None:
    story = changed()
    text = browser(story, "north").get(f"/arenden/{story.case.case_id}").text("main")
    assert "Ändrade brickan" in text
    assert "Ändrat: Pauser och Alerter och förklaringar." in text


def test_the_pdf_has_the_ruled_board_and_lists_the_later_filing_among_the_additions() -> None:
    story = changed()
    with uow() as session:
        context = case_file(session, story.case.case_id, for_parties=True, language="sv", dated=now().date())
    sections = {section.id: section.body for section in context["sections"]}
    assert sections["board"].view.auction["notes"]
    assert [len(filing.changes) for filing in sections["boards"]] == [2]


def test_the_parties_are_told_of_a_board_that_is_changed_after_the_ruling() -> None:
    """R28: they can say what they think of it."""
    story = changed()
    assert {notice.party_id for notice in told(story)} == set(story.case.parties.values())


def test_a_board_that_is_added_to_a_short_ruling_is_no_change() -> None:
    """R27."""
    story = ruled(None)
    filed(story, lambda _: LATER)
    filed(story, lambda known: replace(known, lead="S2"))
    assert not told(story)
    assert "Brickan lades till efter domslutet" in decided(story, "ruling", "north").text("main")


def test_no_board_is_changed_while_the_parties_are_heard_about_it() -> None:
    story = ruled()
    story.publish()
    story.appeal()
    story.concur()
    story.forward()
    story.compose()
    story.declare()
    story.call()
    newest, organiser = story.newest(), story.actors["organiser"]
    present = dict.fromkeys(story.case.party_ids.values(), True)
    story.write(lambda s: hearings.note_attendance(s, newest, organiser, parties=present, seats={}, now=story.later()))
    story.write(lambda s: hearings.open_hearing(s, newest, organiser, now=story.later()))
    with pytest.raises(NotAllowed) as refused:
        filed(story, lambda _: LATER)
    assert "The hearing has begun" in refused.value.reasons[0].msgid


def test_the_panels_reason_bears_its_name_and_stands_in_the_ruling_as_later_only() -> None:
    story = ruled()
    story.publish()
    story.appeal()
    story.concur()
    story.forward()
    contract, declarer = Contract.parse("5S E")
    filed(story, lambda known: replace(known, contract=contract, declarer=declarer))
    story.hear()
    story.vote("juror_1", "juror_2", "juror_3", position=Position.CONFIRM)
    story.sign("juror_1", outcome=AppealOutcome.REJECTED, board_because="Alla är ense.")
    story.deliver()
    ruling = decided(story, "ruling", "north")
    assert not ruling.has(".oddities")
    assert "ordförande, jury" in ruling.text("main").lower()
    odd = decided(story, "decision", "north").text(".oddities")
    assert odd.startswith("Går inte ihop, och får stå så")
    assert "Alla är ense. (" in odd
    assert "ordförande, jury" in odd.lower()

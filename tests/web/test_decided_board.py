"""The whole ruling or decision as a page: the hands and the auction that it is about stand in it."""

from dataclasses import replace

import pytest

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.deal import Deal, Hand
from casework.domain.bridge.notation import Seat
from tests.page import Page
from tests.story import Story
from tests.web.readers import browser

pytestmark = pytest.mark.usefixtures("sqlite")

HANDS = "QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
BOARD = replace(
    Board.numbered(18),
    deal=Deal(*map(Hand.parse, HANDS.split())),
    auction=Auction.parse('P P 1S! "minst fem" P P P', Seat.east),
)


def decided(story: Story, kind: str, key: str) -> Page:
    """The page of the newest document of a kind, come to from the case page."""
    client = browser(story, key)
    links = [a.get("href") or "" for a in client.get(f"/arenden/{story.case.case_id}").select(".aside a")]
    return client.get(next(link for link in reversed(links) if f"/handlingar/{kind}/" in link))


@pytest.mark.parametrize("key", ["north", "director"])
def test_the_whole_ruling_has_its_hands_and_auction(key: str) -> None:
    story = Story.begun()
    story.rule(board=BOARD)
    page = decided(story, "ruling", key)
    assert page.text(".hand-n").startswith("Nord♠\ufe0e spader D Kn 6♥\ufe0e hjärter K 6 5 2")
    assert page.text(".footnotes") == "Alerterat: ”minst fem”."
    assert [a.get("href") for a in page.select(".section-head a")] == [f"/arenden/{story.case.case_id}/bricka"]


def test_a_jurys_decision_has_them_too() -> None:
    story = Story.begun()
    story.rule(board=BOARD)
    story.publish()
    story.appeal()
    story.concur()
    story.forward()
    story.hear()
    story.decide("juror_1", "juror_2", "juror_3")
    assert decided(story, "decision", "north").has(".hands")


def test_a_ruling_without_a_board_has_no_empty_section() -> None:
    story = Story.begun()
    story.rule()
    assert "Händer och budgivning" not in decided(story, "ruling", "north").text("main")

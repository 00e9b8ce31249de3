"""A board that somebody has made contradict itself after the ruling: no panel decides on it without saying why."""

from dataclasses import replace
from typing import Any

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.contract import Contract
from casework.domain.bridge.notation import Seat
from casework.domain.errors import Invalid
from casework.domain.models import BoardRecord, Decision
from casework.domain.terms import AppealOutcome, Position
from casework.services import boards
from tests.kept import kept
from tests.page import Page, PageClient
from tests.story import Story
from tests.web.readers import browser

pytestmark = pytest.mark.usefixtures("sqlite")

BOARD = replace(Board.numbered(18), auction=Auction.parse("4S P P P", Seat.east))
CONTRADICTION = "Budgivningen ger kontraktet 4♠"
WRITTEN: dict[str, Any] = {
    "operative": "Domslutet står fast.",
    "outcome_1": "rejected",
    "score": "assigned",
    "facts": "Nord tänkte länge och passade.",
    "reasons": "Pass var ett logiskt alternativ.",
    "laws": "16B1, 12C1",
}


@kept
def tried(contract: str) -> Story:
    """The director has added the contract after his ruling; the jury has voted."""
    story = Story.begun()
    story.rule(board=BOARD)
    story.publish()
    story.appeal()
    story.concur()
    story.forward()
    added, declarer = Contract.parse(contract)
    story.write(
        lambda s: boards.complete_ruling(
            s,
            story.case.proceeding_id,
            story.actors["director"],
            change=lambda known: replace(known, contract=added, declarer=declarer),
            now=story.later(),
        )
    )
    story.hear()
    story.vote("juror_1", "juror_2", "juror_3", position=Position.CONFIRM)
    return story


def write(chair: PageClient, story: Story, *, status: int = 200, **changes: Any) -> Page:
    """Fill in the decision and go on to the check page."""
    form = chair.get(f"/arenden/{story.case.case_id}/beslut/skriv")
    return chair.submit(form, "Kontrollera och skriv under", status=status, **(WRITTEN | changes))


def newest_board() -> Board:
    with uow() as session:
        record = session.exec(select(BoardRecord).order_by(BoardRecord.filed_at.desc())).first()  # type: ignore[attr-defined]
        assert record is not None
        return Board.from_json(record.board)


def test_no_panel_signs_on_a_board_that_contradicts_itself() -> None:
    """As for the ruling: whatever the order in which the board was entered."""
    story = tried("5S E")
    with pytest.raises(Invalid) as refused:
        story.sign("juror_1", outcome=AppealOutcome.REJECTED)
    assert list(refused.value.fields) == ["board_stands"]
    with uow() as session:
        assert len(session.exec(select(Decision)).all()) == 1


def test_a_reason_lets_it_stand_and_is_recorded_on_the_board() -> None:
    """Nobody can correct it while the panel decides, and an irregularity may be the very matter of the case."""
    story = tried("5S E")
    story.sign("juror_1", outcome=AppealOutcome.REJECTED, board_because="Alla är ense om att 5♠ är felskrivet.")
    assert newest_board().open_findings() == []
    assert newest_board().because == {"contract": "Alla är ense om att 5♠ är felskrivet."}


def test_a_board_that_fits_together_is_not_asked_about() -> None:
    story = tried("4S E")
    form = browser(story, "juror_1").get(f"/arenden/{story.case.case_id}/beslut/skriv")
    assert not form.has("#board_stands")


def test_the_chair_is_told_at_the_box_and_the_parties_read_the_reason() -> None:
    story = tried("5S E")
    chair = browser(story, "juror_1")
    assert CONTRADICTION in plain(chair.get(f"/arenden/{story.case.case_id}/overlaggning"))
    asked = write(chair, story, status=422)
    assert CONTRADICTION in plain(asked, "#board_stands-error")
    silent = write(chair, story, status=422, board_stands=True)
    assert "Skriv varför brickan får stå så" in silent.text("#board_because-error")
    check = chair.submit(
        asked, "Kontrollera och skriv under", board_stands=True, board_because="Alla är ense om felskrivningen."
    )
    assert "Alla är ense om felskrivningen." in check.text(".oddities")
    chair.submit(check, "Skriv under beslutet")
    story.deliver()
    read = browser(story, "north").get(f"/arenden/{story.case.case_id}/bricka")
    assert "Alla är ense om felskrivningen." in read.text(".oddities")


def plain(page: Page, where: str = "main") -> str:
    """A part of the page without what is only for the eye or the ear."""
    return page.text(where).replace("\N{VARIATION SELECTOR-15}", "").replace(" spader", "")

"""The nine published hands: written as PBN and read again, and drawn with every card and call in its place."""

import re

import pytest

from casework.adapters.i18n import jinja_environment
from casework.domain.bridge.auction import COLUMNS
from casework.domain.bridge.files.checks import warnings
from casework.domain.bridge.files.reading import read_file
from casework.domain.bridge.files.writer import write_pbn
from casework.services.board_view import board_view
from tests.domain.bridge.published import PUBLISHED, Published, board_of

HAND = '{% from "macros/bridge.html" import hand_diagram %}{{ hand_diagram(view.diagram) }}'
AUCTION = '{% from "macros/bridge.html" import auction %}{{ auction(view.auction) }}'
NAMES = {"N": "Nord", "E": "Öst", "S": "Syd", "W": "Väst"}


def drawn(source: str, facts: Published) -> str:
    """What is drawn, as words: a suit is its glyph and its name."""
    page = jinja_environment("sv").from_string(source).render(view=board_view(board_of(facts), "sv"))
    return " ".join(re.sub("<[^>]*>", "", page).replace("&#xFE0E;", "").split())


@pytest.mark.parametrize("facts", PUBLISHED, ids=lambda facts: facts.key)
def test_a_published_board_is_read_from_a_file(facts: Published) -> None:
    board = board_of(facts)
    (record,) = read_file(write_pbn(board).encode()).records
    assert (record.board.deal, record.board.auction, record.board.contract) == (
        board.deal, board.auction, board.contract,
    )  # fmt: skip
    assert record.board.computed_score() == facts.ns_score
    known = [warning.text.msgid for warning in warnings(record)]
    assert known == []


@pytest.mark.parametrize("facts", PUBLISHED, ids=lambda facts: facts.key)
def test_every_card_is_drawn_under_its_player(facts: Published) -> None:
    words = drawn(HAND, facts)
    for seat, hand in board_of(facts).deal.known():
        suits = zip("♠♥♦♣", ("spader", "hjärter", "ruter", "klöver"), hand.shown("sv"), strict=True)
        lines = [f"{glyph} {name} {' '.join(ranks) or '–'}" for glyph, name, ranks in suits]
        assert "".join([NAMES[seat], *lines]) in words


@pytest.mark.parametrize("facts", [facts for facts in PUBLISHED if facts.calls], ids=lambda facts: facts.key)
def test_every_call_is_drawn_in_its_column(facts: Published) -> None:
    """T03's auction is not known."""
    board = board_of(facts)
    assert board.auction
    words = drawn(AUCTION, facts)
    view = board_view(board, "sv").auction
    assert view
    cells = [cell for row in view["rows"] for cell in row]
    seats = [COLUMNS[index % 4] for index, cell in enumerate(cells) if cell and cell.calls]
    assert seats == [seat.value for seat, _ in board.auction.seated()]
    assert words.count("Pass") == facts.calls.split().count("P")

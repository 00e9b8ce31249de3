"""The board in a mail: tables, as on the page and on paper; the text half says the same."""

import re
from dataclasses import replace

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.adapters.mail import Letter
from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.contract import Contract, Strain
from casework.domain.bridge.deal import Deal, Hand
from casework.domain.bridge.notation import Seat
from casework.domain.bridge.play_text import read_play
from casework.domain.models import Notice
from casework.domain.terms import NoticeKind
from casework.services import notices
from tests.golden.mail_words import differences, lines_of_html
from tests.story import Story

pytestmark = pytest.mark.usefixtures("sqlite")

HANDS = "AKQJ98.T987.765.- T7.AKQ.JT9.98765 654.65.AKQ8.AKQ2 32.J432.432.JT43"
AUCTION = 'P 1NT! "14–16, kan ha en femkorts högfärg" 2C [12 s] 2H! "överföring till spader" P 1S 2NT P 4S P P P'
BOARD = replace(
    Board.numbered(18),
    deal=Deal(*map(Hand.parse, HANDS.split())),
    auction=Auction.parse(AUCTION, Seat.east),
    contract=Contract.parse("4S")[0],
    declarer=Seat.south,
    tricks=11,
    lead="H2",
    ns_score=620,
    because={"auction": "Bordet spelade vidare.", "declarer": "Syd bjöd spader först.", "score": "Lappen säger 620."},
)


def told(board: Board) -> Letter:
    """The mail of a ruling on a board."""
    story = Story.begun()
    story.rule(board=board)
    with uow() as session:
        notice = session.exec(select(Notice).where(Notice.kind == NoticeKind.RULING)).first()
        assert notice is not None
        return notices.message_for(session, notice.id, notice.due_at)


def test_hands_and_auction_are_tables_that_say_what_the_text_says() -> None:
    """A-AA1, E10: a table can be read aloud, reflows at 360 px and follows the theme."""
    mail = told(BOARD)
    assert differences(mail, "sv") == set()
    assert {"Bricka 18. Öst är givare. Nord–Syd i zon.", "♣ –", "Väst Nord Öst Syd", "– – Pass 1NT (1)"} <= (
        lines_of_html(mail.html)
    )
    assert "<pre" not in mail.html
    assert re.findall(r'<th scope="row" role="rowheader">(\w+)</th>', mail.html) == ["Nord", "Väst", "Öst", "Syd"]


def test_nothing_is_laid_over_a_box_that_a_mail_client_cannot_place() -> None:
    assert 'class="board-box"' not in told(BOARD).html


def test_the_play_is_a_table_too() -> None:
    played = replace(BOARD, play=read_play("H2 H7 HQ H5", Seat.west, Strain.spades))
    mail = told(played)
    assert re.search(r'<div class="play">\s*<table>', mail.html)
    assert "1. V (♥2)" in mail.text


def test_dealer_and_zone_are_said_where_no_hand_is_known() -> None:
    mail = told(replace(BOARD, deal=Deal(), lead=None))
    assert "Bricka 18. Öst är givare. Nord–Syd i zon." in lines_of_html(mail.html)

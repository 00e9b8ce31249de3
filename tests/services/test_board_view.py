"""A board as page, paper and mail draw it: cells, footnotes, and the same in plain text."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casework.adapters.i18n import render
from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.call import Call
from casework.domain.bridge.contract import Contract
from casework.domain.bridge.notation import Seat, Vulnerability
from casework.services.board_text import board_text
from casework.services.board_view import board_view, drawn_auction
from casework.services.demo_story.boards import board


def rows(typed: str, dealer: Seat = Seat.north) -> list[str]:
    """Each row in a line: cells with a stroke between, "–" before the dealer, withdrawn calls in brackets."""
    drawn = drawn_auction(Auction.parse(typed, dealer))
    return [
        "|".join(
            "–" if cell is None else "+".join(f"[{c.text}]" if c.withdrawn else c.text for c in cell.calls)
            for cell in row
        )
        for row in drawn["rows"]
    ]


def notes(typed: str) -> list[str]:
    """The footnotes in English."""
    drawn = drawn_auction(Auction.parse(typed, Seat.north))
    return [" ".join(render(words, "en") for words in note) for note in drawn["notes"]]


@pytest.mark.parametrize(
    ("typed", "dealer", "drawn"),
    [
        ("P 1S P P P", Seat.east, ["–|–|Pass|1♠", "Pass|Pass|Pass|"]),
        ("1C", Seat.west, ["1♣|||"]),
        ("1S W: 2H P P P", Seat.north, ["–|1♠||", "2♥|Pass|Pass|Pass"]),
        ("1S W: 2H [withdrawn] P P P", Seat.north, ["–|1♠|Pass|Pass", "[2♥]+Pass|||"]),
        ("2S 1NT [withdrawn] 2NT P", Seat.north, ["–|2♠|[1NT]+2NT|Pass"]),
    ],
)
def test_each_call_stands_under_its_player(typed: str, dealer: Seat, drawn: list[str]) -> None:
    """B5: West first; what was taken back shares the cell of what came instead."""
    assert rows(typed, dealer) == drawn


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        ("1S!", "Alerted."),
        ('1S! "5+"', "Alerted: “5+”."),
        ('1S "5+"', "Explained: “5+”."),
        ('1S N>E: "5+"', "North to East: “5+”."),
        ('1S >E: "5+"', "To East: “5+”."),
        ('1S N: "5+"', "North: “5+”."),
        ('1S NE: "5+"', "North–East's side of the screen: “5+”."),
        ('1S SW S>W: "4+"', "South to West, South–West's side of the screen: “4+”."),
        ("[30 s] 1S", "A pause of 30 seconds that both sides agree about."),
        ("[30 s?] 1S", "A pause of 30 seconds, disputed."),
        ("[pause] 1S", "A pause that both sides agree about."),
        ("… 1S!", "A pause that both sides agree about. Alerted."),
        ("[pause?] 1S", "A pause, disputed."),
        ("W: 1S", "West called when it was North's turn."),
        ("1S [withdrawn]", "1♠ was withdrawn."),
    ],
)
def test_a_footnote_says_what_is_known_of_a_call(typed: str, note: str) -> None:
    assert notes(typed) == [note]


def test_pauses_are_marked_and_irregular_calls_are_seen() -> None:
    drawn = drawn_auction(Auction.parse("2S [10 s] P 1H P", Seat.west))
    looks = [(cell.marked, cell.irregular) for cell in drawn["rows"][0]]
    assert looks == [(False, False), (True, False), (False, True), (False, False)]
    assert [cell.calls[0].note for cell in drawn["rows"][0]] == [None, 1, 2, None]


def test_what_is_odd_stands_with_its_reason_and_a_shared_reason_once() -> None:
    odd = replace(
        Board.numbered(1),
        vulnerability=Vulnerability.both,
        auction=Auction.parse("2S 1H P P P", Seat.north),
        because={"vulnerability": "Fel zon spelades.", "auction": "Godtogs.", "number": "Godtogs.", "score": " "},
    )
    assert [([render(text, "en") for text in row.oddities], row.reason) for row in board_view(odd, "en").irregular] == [
        (["Board 1 has none vulnerable."], "Fel zon spelades."),
        (["The file that the board was taken from has it under another number.", "1♥ is not higher than 2♠."],
         "Godtogs."),
    ]  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(["1S", "P", "X"]), st.none() | st.sampled_from(Seat), st.booleans())))
def test_no_call_is_lost_and_each_stands_in_its_column(made: list[tuple[str, Seat | None, bool]]) -> None:
    auction = Auction(Seat.south, tuple(Call(call, by=by, withdrawn=withdrawn) for call, by, withdrawn in made))
    drawn = drawn_auction(auction)
    by_column = [[c.text for row in drawn["rows"] for c in (row[at].calls if row[at] else ())] for at in range(4)]
    assert by_column == [[call.shown for seat, call in auction.seated() if seat == at] for at in "WNES"]


def test_a_board_in_a_mail() -> None:
    """E1: the text half needs no drawing; dealer and zone are said, a pause is a footnote."""
    played = board(22)
    auction = Auction.parse("P P 1C 1H 1S 4H [30 s] X P 4S P P P", played.dealer)
    assert board_text(replace(played, auction=auction), "sv").splitlines() == [
        *("Bricka 22. Öst är givare. Öst–Väst i zon.", ""),
        *("Nord", "♠ 10 8", "♥ K 10 9 4 2", "♦ D 5 4", "♣ E Kn 5", ""),
        *("Väst", "♠ Kn 7 6 2", "♥ E 6 3", "♦ E K", "♣ 10 9 6 3", ""),
        *("Öst", "♠ K D 9 5 4 3", "♥ D", "♦ 9 8 3", "♣ D 8 7", ""),
        *("Syd", "♠ E", "♥ Kn 8 7 5", "♦ Kn 10 7 6 2", "♣ K 4 2", ""),
        "Väst    Nord    Öst     Syd",
        "i zon   ej zon  i zon   ej zon",
        "–       –       Pass    Pass",
        "1♣      1♥      1♠      4♥",
        "X (1)   Pass    4♠      Pass",
        *("Pass    Pass", ""),
        *("(1) Tankepaus i 30 sekunder. Båda sidor är överens.", ""),
        *("Resultat vid bordet", "4♠ av Öst, hemgång. −620 till Nord–Syd."),
    ]


def test_of_an_empty_board_little_is_said() -> None:
    assert board_text(Board.numbered(1), "en") == "Board 1. North is dealer. Neither side is vulnerable."
    view = board_view(Board.numbered(1), "en")
    assert (view.diagram, view.auction, view.result, view.lead) == (None, None, None, None)


@pytest.mark.parametrize(
    ("result", "score", "shown"),
    [
        ("1S E 7", None, "1♠ av Öst, hemgång. −80 till Nord–Syd."),
        ("1S E 7", -80, "1♠ av Öst, hemgång. −80 till Nord–Syd."),
        ("1S E 7", -110, "1♠ av Öst, hemgång. Antecknat −110 till Nord–Syd, enligt poängtabellen −80."),
        ("1S E -", -110, "1♠ av Öst. Antecknat −110 till Nord–Syd."),
        ("Pass - -", None, "Alla passade"),
        ("Pass - -", 0, "Alla passade"),
        ("Pass - -", 1400, "Alla passade. Antecknat +1400 till Nord–Syd, enligt poängtabellen 0."),
        ("", 140, "Antecknat +140 till Nord–Syd."),
    ],
)
def test_a_recorded_score_stands_as_it_was_recorded(result: str, score: int | None, shown: str) -> None:
    """Beside what the table gives: whoever rules on it must see it, with the reason."""
    contract, seat, tricks = result.split() if result else ("", "-", "-")
    known = Board(
        dealer=Seat.north,
        vulnerability=Vulnerability.none,
        contract=Contract.parse(contract)[0] if contract else None,
        declarer=None if seat == "-" else Seat(seat),
        tricks=None if tricks == "-" else int(tricks),
        ns_score=score,
    )
    told = replace(known, because={"score": "Bridgemate har 110."})
    reason = " Angivet skäl: ”Bridgemate har 110.”" if "Antecknat" in shown else ""
    for drawn_board, words in ((known, shown), (told, shown + reason)):
        drawn = board_view(drawn_board, "sv").result
        assert drawn
        assert render(drawn, "sv") == words
        assert words in board_text(drawn_board, "sv")

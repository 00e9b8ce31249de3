"""PBN: what programs write, what is odd about it, and what is refused."""

import pytest

from casework.domain.bridge.files.checks import warnings
from casework.domain.bridge.files.reading import read_file
from casework.domain.bridge.notation import Seat, Unreadable, Vulnerability
from tests.domain.bridge.files.made import calls, read, said, sentences

DEAL = "N:QJT.A432.8643.K2 A875.JT9.A5.T765 9642.765.JT.QJ93 K3.KQ8.KQ972.A84"
BOARD_1 = f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{DEAL}"]\n'
EACH_A_SUIT = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def only(text: str) -> tuple[str, list[tuple[int, str]]]:
    """The calls and what is said of the one game in the text."""
    (record,) = read(text).records
    return calls(record.board), said(record)


def test_hash_signs_take_over_what_stood_before() -> None:
    """PBN 2.1: `#` once, `##` until it is ended."""
    text = (
        f'[Event "##Autumn pairs"]\n[North "Nils"]\n{BOARD_1}\n'
        f'[North "#"]\n{BOARD_1.replace("1", "2", 1)}\n'
        f'[Event "Final"]\n{BOARD_1.replace("1", "3", 1)}\n{BOARD_1.replace("1", "4", 1)}'
    )
    records = read(text).records
    assert [record.event for record in records] == ["Autumn pairs", "Autumn pairs", "Final", ""]
    assert [record.players.get(Seat.north) for record in records] == ["Nils", "Nils", None, None]


def test_what_bridgecomposer_writes_is_kept_or_said_to_be_left_out() -> None:
    """The event stands in the head; what could be made is advice, and no evidence of what happened."""
    advice = '[DoubleDummyTricks "66477665877785677856"]\n[OptimumScore "NS -100"]\n'
    (record,) = read(f'% PBN 2.1\n%HRTitleEvent "Höstpokalen"\n[Event ""]\n{BOARD_1}{advice}').records
    assert record.event == "Höstpokalen"
    words = "What the file says that each side could make is left out: it is advice and no evidence."
    assert said(record) == [(8, words)]


@pytest.mark.parametrize(
    ("note", "shown"),
    [("3+ !C; 5+ !h", "3+ ♣; 5+ ♥"), ("!Ss or @D", "♠s or ♦"), ("Wow!Count", "Wow!Count"), ("!", "")],
)
def test_a_suit_in_a_note_is_its_sign(note: str, shown: str) -> None:
    """BR10: as Bridge Base and Vugraph write it, in either case; nothing else is touched."""
    (record,) = read(f'{BOARD_1}[Auction "N"]\n1C =1= AP\n[Note "1:{note}"]\n').records
    assert record.board.auction
    assert record.board.auction.calls[0].explanation == shown


def test_a_deal_taken_over_is_said() -> None:
    text = f'{BOARD_1}\n[Board "1"]\n[Dealer "#"]\n[Vulnerable "None"]\n[Deal "#"]\n[Contract "#"]\n'
    _, second = read(text).records
    assert second.board.deal.partial is False
    assert said(second) == [
        (7, "[{tag}] is taken from the game before."),
        (9, "[{tag}] is taken from the game before."),
        (10, "[{tag}] is to be as in the game before, which has none."),
    ]


@pytest.mark.parametrize(
    ("rows", "expected", "odd"),
    [
        ("1C Pass 1NT AP", "1♣ Pass 1NT Pass Pass Pass", []),
        ("Pass Pass AP", "Pass Pass Pass Pass", []),
        ("1C $13 X $22 XX! AP", "1♣ X XX Pass Pass Pass", []),
        ("1C =1= =2=\nAP", '1♣ "strong; forcing" Pass Pass Pass', []),
        ("1N AP", "1NT Pass Pass Pass", [(6, "{written} is not written as PBN writes it; it was read as {call}.")]),
        ("1C ^S 2C AP", "1♣ 2♣ Pass Pass Pass", [(6, "The file marks the next call or card as irregular: {mark}")]),
        ("1C !!! AP", "1♣ Pass Pass Pass", [(6, "This cannot be read: {text}")]),
        ("1C =7= AP", "1♣ Pass Pass Pass", [(6, "There is no note {number}.")]),
        ("1D 1C AP", "1♦ 1♣ Pass Pass Pass", [(5, "{call} is not higher than {last}.")]),
        ("1D Pass X AP", "1♦ Pass X Pass Pass Pass", [(5, "{call} comes after the own side's {last}.")]),
        ("1D Pass +", "1♦ Pass", [(5, "The auction is not finished. Add the last passes.")]),
        ("1D 1 Pass", "1♦", [
            (5, "The auction is not finished. Add the last passes."),
            (6, "{call} is no call; the auction is read up to here."),
        ]),
    ],
)  # fmt: skip
def test_calls_and_their_marks(rows: str, expected: str, odd: list[tuple[int, str]]) -> None:
    """A suffix says how good a call is; an irregular call is kept."""
    notes = '[Note "1:strong"]\n[Note "2:forcing"]\n' if "=1=" in rows else ""
    assert only(f'{BOARD_1}[Auction "N"]\n{rows}\n{notes}') == (expected, odd)


def test_an_auction_may_start_in_another_column() -> None:
    """Dashes stand for the places before the dealer."""
    text = f'[Board "2"]\n[Dealer "E"]\n[Vulnerable "NS"]\n[Deal "{DEAL}"]\n[Auction "S"]\n- - - 1C\nAP\n'
    assert only(text) == ("1♣ Pass Pass Pass", [])
    starts_wrong = text.replace("- - - 1C", "1C")
    assert (5, "{seat} calls first, but {dealer} is the dealer; the calls are read from the dealer on.") in only(
        starts_wrong
    )[1]


def test_a_bare_alert_is_an_alert() -> None:
    """RealBridge writes "Alerted" where nothing was explained."""
    text = f'{BOARD_1}[Auction "N"]\n1C =1= AP\n[Note "1: Alerted"]\n'
    assert only(text)[0] == '1♣! "Alerted" Pass Pass Pass'


@pytest.mark.parametrize(
    ("tags", "odd"),
    [
        ('[Declarer "S"]\n[Contract "1NT"]', "By the auction {seat} is declarer."),
        ('[Declarer "E"]\n[Contract "2NT"]', "The auction gives the contract {contract}."),
        ('[Declarer "E"]\n[Contract "1NTX"]', "The auction gives the contract {contract}."),
        ('[Contract "Pass"]', "The auction gives the contract {contract}."),
        ('[Declarer "^E"]\n[Contract "1NT"]', "The file marks the declarer as irregular."),
        ('[Declarer "White"]\n[Contract "1NT"]', "This is no seat: {text}"),
        ('[Contract "1NT"]', "The file does not say who is declarer."),
        ('[Declarer "E"]\n[Contract "1Nothing"]', "{contract} is no contract."),
        ('[Declarer "E"]\n[Contract "1 sang"]', "{written} is not written as PBN writes it; it was read as {call}."),
        ('[Declarer "E"]\n[Contract "1NT"]\n[Result "C-2"]', "{result} is no number of tricks."),
        ('[Declarer "E"]\n[Contract "1NT"]\n[Result "NS 4 EW 2"]', "{result} is no number of tricks."),
        ('[Result "7"]', "There is a result ({result}) without contract and declarer."),
        ('[Declarer "E"]\n[Contract "1NT"]\n[Result "7"]\n[Score "NS 90"]',
         "Contract and result give {score} to North–South."),
        ('[Declarer "E"]\n[Contract "1NT"]\n[Score "much"]', "{score} is no score."),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_taken_as_written_and_said(tags: str, odd: str) -> None:
    """It may be the very matter of the case."""
    text = f'{BOARD_1}{tags}\n[Auction "N"]\nPass 1NT AP\n'
    _, found = only(text)
    assert odd in [msgid for _, msgid in found]


@pytest.mark.parametrize(
    ("written", "tricks"), [("9", 9), ("^9", 9), ("EW 9", 9), ("NS 4", 9), ("NS 4 EW 9", 9), ("", None), ("?", None)]
)
def test_a_result_from_either_side(written: str, tricks: int | None) -> None:
    (record,) = read(f'{BOARD_1}[Declarer "E"]\n[Contract "1NT"]\n[Result "{written}"]\n').records
    assert record.board.tricks == tricks


@pytest.mark.parametrize(
    ("written", "ns_score"), [("NS 150", 150), ("EW -150", 150), ("-150", 150), ("EW -150 NS 150", 150), ("", None)]
)
def test_a_score_from_either_side(written: str, ns_score: int | None) -> None:
    """A number without a side is declarer's."""
    (record,) = read(f'{BOARD_1}[Declarer "E"]\n[Contract "1NT"]\n[Score "{written}"]\n').records
    assert record.board.ns_score == ns_score


def test_passes_before_the_opening_that_were_left_out() -> None:
    """Some archives leave them out, so that every call sits in the wrong seat: said, and not mended."""
    text = f'{BOARD_1}[Declarer "E"]\n[Contract "1NT"]\n[Auction "N"]\n1NT AP\n'
    opened, found = only(text)
    assert opened == "1NT Pass Pass Pass"
    assert (7, "One pass before the first call seems to be left out; with it, {seat} is declarer.") in found
    south = text.replace('[Declarer "E"]', '[Declarer "S"]')
    assert "{number} passes before the first call seem to be left out; with them, {seat} is declarer." in [
        msgid for _, msgid in only(south)[1]
    ]


@pytest.mark.parametrize(
    ("deal", "reasons"),
    [
        (DEAL.replace("K2 ", "2 "), ["{seat} has 12 cards. Add one card.", "No hand has {cards}."]),
        (DEAL.replace("K2 ", "A2 "), ["More than one hand has {card}: {seats}.", "No hand has {cards}."]),
        (DEAL.replace("K2 ", "KK2 "), ["{seat} has 14 cards. Remove one card.", "{seat} has {card} more than once."]),
        (DEAL.replace("QJT.", "vQJT."), ["{hand} is no hand: write four suits with full stops between them."]),
        ("N:QJT.A432.8643.K A875.JT9.A5.T765 - -", ["{seat} has {held} cards."]),
        ("QJT.A432.8643.K2", ["{deal} is no deal."]),
    ],
)
def test_no_deal_is_refused_with_its_line_and_never_stops_the_next_game(deal: str, reasons: list[str]) -> None:
    """51 cards, a card twice: nothing else is refused."""
    read_back = read(f"{BOARD_1.replace(DEAL, deal)}\n{BOARD_1.replace('1', '5', 1)}")
    (refused,) = read_back.refused
    assert (refused.game, refused.line, refused.number) == (1, 4, 1)
    assert sentences(refused.reason) == reasons
    assert [record.board.number for record in read_back.records] == [5]


@pytest.mark.parametrize(
    "deal", ["N:QJT.A432.8643.K2 - - -", "S:- AK.2.. - 32.A..", "N:QJT.A4..K A8.JT.A5. 96.7.JT.Q K3.KQ.K."]
)
def test_some_hands_or_an_end_position_are_a_partial_deal(deal: str) -> None:
    (record,) = read(BOARD_1.replace(DEAL, deal)).records
    assert record.board.deal.partial


def test_hands_that_nobody_knows() -> None:
    (record,) = read(BOARD_1.replace(DEAL, "N:- - - -")).records
    assert not any(record.board.deal.known())
    assert said(record) == [(4, "The hands are not in the file.")]


def test_a_deal_in_loose_form_is_read_and_said() -> None:
    loose = DEAL.lower().replace(" ", "  ").replace("jt9", "j109")
    (record,) = read(BOARD_1.replace(DEAL, loose)).records
    assert str(record.board.deal.east) == "A875.JT9.A5.T765"
    assert said(record) == [(4, "The deal is not written as PBN writes it.")]


@pytest.mark.parametrize(("written", "zone"), [("-", "None"), ("Love", "None"), ("Both", "All"), ("ns", "NS")])
def test_ways_to_write_the_vulnerability(written: str, zone: str) -> None:
    (record,) = read(BOARD_1.replace('"None"', f'"{written}"')).records
    assert record.board.vulnerability is Vulnerability(zone)


def test_dealer_and_vulnerability_that_are_missing_come_from_the_number_and_it_is_said() -> None:
    (record,) = read(f'[Board "2"]\n[Deal "{DEAL}"]\n').records
    assert (record.board.dealer, record.board.vulnerability) == (Seat.east, Vulnerability.north_south)
    assert [msgid for _, msgid in said(record)] == [
        "The file does not say who dealt; the dealer is taken from the board number.",
        "The file does not say who is vulnerable; it is taken from the board number.",
    ]


@pytest.mark.parametrize(
    ("rows", "odd"),
    [
        ("SA HA DA CA", []),
        ("SA HA DA CA\nSK SA DK CK", ["In trick {number} {card} is played a second time."]),
        ("SA HA DA S2", ["In trick {number} {seat} plays {card}, but does not have it."]),
        ("S1 HHT KT CA", ["{card} is no card."] * 3),
    ],
)
def test_cards_that_cannot_have_been_played(rows: str, odd: list[str]) -> None:
    text = BOARD_1.replace(DEAL, EACH_A_SUIT) + f'[Declarer "W"]\n[Contract "7NT"]\n[Play "N"]\n{rows}\n*\n'
    assert [msgid for _, msgid in only(text)[1]] == odd


def test_a_revoke_is_kept_and_said() -> None:
    """Law 61: it happened."""
    text = f'{BOARD_1}[Declarer "E"]\n[Contract "1NT"]\n[Play "S"]\nC3 C4 CK SA\n'
    assert only(text)[1] == [(7, "In trick {number} {seat} plays {card} and does not follow suit.")]


def test_a_result_that_the_play_denies() -> None:
    text = f'{BOARD_1}[Declarer "E"]\n[Contract "1NT"]\n[Result "13"]\n[Play "S"]\nC3 C4 CK C5\n*\n'
    assert only(text)[1] == [(7, "Declarer had {won} of the first {played} tricks; {tricks} in all do not fit.")]


def test_a_tag_that_cannot_be_read_is_shown_with_its_line() -> None:
    """A value without its quotation mark, one that stands twice, text between tags."""
    text = BOARD_1 + '[Site No_quotes]\n[Board "1"\n[Dealer "S"]\nsome words\n'
    _, found = only(text)
    assert found == [
        (5, "This cannot be read: {text}"),
        (6, "This cannot be read: {text}"),
        (7, "[{tag}] stands twice; the first one counts."),
        (8, "This cannot be read: {text}"),
    ]


def test_several_tags_on_a_line_and_escaped_quotation_marks() -> None:
    (record,) = read('[Event "The \\"Cup\\""] [Date "2026.11.30"]\n' + BOARD_1).records
    assert (record.event, record.date) == ('The "Cup"', "2026.11.30")


def test_games_without_an_empty_line_between_them() -> None:
    two = f'[Event "A"]\n{BOARD_1}[Event "B"]\n{BOARD_1.replace("1", "2", 1)}{BOARD_1.replace("1", "3", 1)}'
    assert [(record.event, record.board.number) for record in read(two).records] == [("A", 1), ("B", 2), ("", 3)]


def test_a_game_that_says_nothing_about_a_board_is_no_reason_to_refuse_the_others() -> None:
    empty, full = read(f'[Site "Here"]\n\n{BOARD_1}').records
    assert (1, "The game says nothing about a board.") in said(empty)
    assert said(full) == []


@pytest.mark.parametrize("text", ['[Site "Here"]\n', '[Event "only words"]\n\nhello\n', "hello\n", "{"])
def test_a_file_without_a_board_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read(text)


def test_letters_of_a_guessed_encoding_are_said_at_each_game() -> None:
    (record,) = read_file(('[Event "Höstparet"]\n' + BOARD_1).encode("cp1252")).records
    assert record.event == "Höstparet"
    assert (warnings(record)[0].line, warnings(record)[0].text.params["encoding"]) == (1, "cp1252")

"""USEBIO: hands at the end, results with labels, nothing fetched."""

import pytest

from casework.domain.bridge.notation import Seat, Unreadable, Vulnerability
from tests.domain.bridge.files.made import read, said

HANDS = {"East": ("A875", "JT9", "A5", "T765"), "North": ("QJT", "A432", "8643", "K2"),
         "South": ("9642", "765", "JT", "QJ93"), "West": ("K3", "KQ8", "KQ972", "A84")}  # fmt: skip


def line(pairs: str, **words: str) -> str:
    ns, ew = pairs.split("-")
    inside = "".join(f"<{name}>{word}</{name}>" for name, word in words.items())
    return (f"<TRAVELLER_LINE><NS_PAIR_NUMBER>{ns}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{ew}</EW_PAIR_NUMBER>{inside}"
            "</TRAVELLER_LINE>\n")  # fmt: skip


def usebio(
    *lines: str, head: str = '<!DOCTYPE USEBIO SYSTEM "http://usebio.example.org/v1_2.dtd">', east: str = ""
) -> str:
    hands = "".join(
        f"<HAND><DIRECTION>{seat}</DIRECTION><CLUBS>{clubs}</CLUBS><DIAMONDS>{diamonds}</DIAMONDS>"
        f"<HEARTS>{hearts}</HEARTS><SPADES>{spades if seat != 'East' or not east else east}</SPADES></HAND>"
        for seat, (spades, hearts, diamonds, clubs) in HANDS.items()
    )
    return (
        f'<?xml version="1.0"?>\n{head}\n<USEBIO Version="1.2"><EVENT EVENT_TYPE="MP_PAIRS">'
        "<EVENT_DESCRIPTION>Autumn &amp; winter</EVENT_DESCRIPTION><DATE>30/11/2026</DATE>\n"
        "<PARTICIPANTS><PAIR><PAIR_NUMBER>1NS</PAIR_NUMBER><PERCENTAGE>61.2</PERCENTAGE><PLACE>1</PLACE>"
        "<PLAYER><PLAYER_NAME>Siv Ek</PLAYER_NAME></PLAYER><PLAYER><PLAYER_NAME>Nils Al</PLAYER_NAME></PLAYER></PAIR>"
        f"</PARTICIPANTS>\n<BOARD><BOARD_NUMBER>3</BOARD_NUMBER>\n{''.join(lines)}</BOARD></EVENT>\n"
        f"<HANDSET><BOARD><BOARD_NUMBER>3</BOARD_NUMBER>{hands}</BOARD></HANDSET></USEBIO>\n"
    )


def test_a_board_with_its_results() -> None:
    """Dealer and zone come from the number; the lead is written rank first; PASS has nobody who played it."""
    text = usebio(
        line("1NS-4EW", CONTRACT="3N", PLAYED_BY="W", LEAD="6D", TRICKS="9", SCORE="-600", NS_MATCH_POINTS="0",
             EW_MATCH_POINTS="2"),
        line("2NS-5EW", CONTRACT="PASS", PLAYED_BY="N", TRICKS="0", SCORE="0", NS_MATCH_POINTS="2",
             EW_MATCH_POINTS="0"),
    )  # fmt: skip
    (record,) = read(text).records
    board = record.board
    assert (record.event, record.date, board.number) == ("Autumn & winter", "30/11/2026", 3)
    assert (board.dealer, board.vulnerability) == (Seat.south, Vulnerability.east_west)
    assert str(board.deal.west) == "K3.KQ8.KQ972.A84"
    played, passed = record.results
    assert (played.north_south, played.declarer, played.lead, played.tricks) == ("1NS", Seat.west, "D6", 9)
    assert (passed.declarer, passed.tricks, passed.ns_score, passed.points) == (None, None, 0, ("2", "0"))
    assert record.ranking[0]["Names"] == "Siv Ek - Nils Al"
    assert said(record) == []


def test_labels_of_adjusted_scores_are_kept_and_compared_with_the_points() -> None:
    """`A5050` with other points than half of the top: both stay."""
    text = usebio(
        line("1NS-4EW", SCORE="A5050", NS_MATCH_POINTS="3", EW_MATCH_POINTS="1"),
        line("2NS-5EW", SCORE="A6040", NS_MATCH_POINTS="2.4", EW_MATCH_POINTS="1.6"),
        line("3NS-6EW", SCORE="A50", NS_MATCH_POINTS="2", EW_MATCH_POINTS="2"),
    )
    (record,) = read(text).records
    assert [result.adjusted for result in record.results] == [(label, label) for label in ("A5050", "A6040", "A50")]
    assert said(record) == [(6, "The table has {label}, but {ns} and {ew} points of {top}.")]


def test_what_does_not_fit_is_said() -> None:
    text = usebio(
        line("1NS-4EW", CONTRACT="3N", PLAYED_BY="W", TRICKS="9", SCORE="-400"),
        line("2NS-5EW", CONTRACT="9N", PLAYED_BY="W", TRICKS="9", SCORE="-400"),
        line("3NS-6EW", CONTRACT="3N", PLAYED_BY="W", TRICKS="19", SCORE="-400"),
    )
    (record,) = read(text).records
    assert said(record) == [
        (6, "Contract and result give {score} to North–South, the table has {written}."),
        (7, "{contract} is no contract."),
        (8, "{result} is no number of tricks."),
    ]


def test_no_deal_is_refused() -> None:
    (refused,) = read(usebio(line("1NS-4EW", SCORE="A50"), east="A876")).refused
    assert (refused.number, refused.reason.msgid) == (3, "{what} {detail}")


@pytest.mark.parametrize(
    ("text", "msgid"),
    [
        (usebio(head='<!DOCTYPE USEBIO [<!ENTITY a "b">]>'),
         "Line {line}: the file declares entities, which are not read."),
        (usebio(head='<!DOCTYPE USEBIO [<!ENTITY a SYSTEM "file:///dev/zero">]>'),
         "Line {line}: the file declares entities, which are not read."),
        ('<html><body>[Board "1"]</body></html>', "Line {line}: this is no USEBIO file."),
        (usebio()[:-30], "Line {line}: this is no well-formed XML."),
        ("<a>" * 100, "Line {line}: this is no USEBIO file."),
        ("<USEBIO></USEBIO>", "There is no board in the file."),
    ],
)  # fmt: skip
def test_what_is_no_usebio_is_refused(text: str, msgid: str) -> None:
    """Nothing is fetched or expanded."""
    with pytest.raises(Unreadable) as refused:
        read(text)
    assert refused.value.reason.msgid == msgid

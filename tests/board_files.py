"""One board in every format that is read, as small as it goes: board 18, 4♥ by West, two down."""

PBN = """\
[Event "Höstbrickan"]
[Board "18"]
[Dealer "E"]
[Vulnerable "NS"]
[Deal "N:Q74.7.J832.KJT75 962.K852.A94.862 AKT85.T3.QT7.A94 J3.AQJ964.K65.Q3"]
[Declarer "W"]
[Contract "4H"]
[Result "8"]
[Auction "E"]
Pass 1S 2H 2S
3H 3S Pass Pass
4H Pass Pass Pass
"""
RUTER = (
    PBN.replace("[Event", '[Site ""]\n[Event')
    + """\
[ScoreTable "Table\\2R;Round\\2R;PairId_NS\\2R;PairId_EW\\2R;Contract;Declarer;Result;Score_NS\\6R;Score_EW\\6R"]
1 1 1 9 "4H" W 8 "100" "-"
2 1 2 10 "4H" W 10 "-" "420"
3 1 3 11 "4H" W 8 "100" "-"
4 1 4 12 "-" - - "A+" "A-"
5 1 5 - "-" - - "Bye" "Bye"
"""
)
CALLS = "P 1S 2H 2S 3H 3S P P 4H P P P"
LIN = (
    "qx|o18|ah|Board 18|\nmd|4SAKT85HT3DQT7CA94,SJ3HAQJ964DK65CQ3,SQ74H7DJ832CKJT75,|sv|n|\n"
    + "".join(f"mb|{call}|" for call in CALLS.split())
    + "mc|8|\n"
)
LIN_TWO_HANDS = "qx|o18|md|4SAKT85HT3DQT7CA94,SJ3HAQJ964DK65CQ3|sv|n|\n"
_HANDS = {
    "North": "Q74.7.J832.KJT75",
    "East": "962.K852.A94.862",
    "South": "AKT85.T3.QT7.A94",
    "West": "J3.AQJ964.K65.Q3",
}
_SUITS = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
USEBIO = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<USEBIO Version="1.2"><EVENT><BOARD><BOARD_NUMBER>18</BOARD_NUMBER>'
    "<TRAVELLER_LINE><CONTRACT>4H</CONTRACT><PLAYED_BY>W</PLAYED_BY><TRICKS>8</TRICKS><SCORE>100</SCORE>"
    "</TRAVELLER_LINE></BOARD></EVENT>\n<HANDSET><BOARD><BOARD_NUMBER>18</BOARD_NUMBER>"
    + "".join(
        f"<HAND><DIRECTION>{seat}</DIRECTION>"
        + "".join(f"<{suit}>{held}</{suit}>" for suit, held in zip(_SUITS, hand.split("."), strict=True))
        + "</HAND>"
        for seat, hand in _HANDS.items()
    )
    + "</BOARD></HANDSET></USEBIO>\n"
)
OTHER = PBN.replace('"18"', '"3"').replace('"E"]\n[V', '"S"]\n[V').replace('"NS"', '"EW"').partition("[Auction")[0]
"""The same cards as board 3, without an auction."""

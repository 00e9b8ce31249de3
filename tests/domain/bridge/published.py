"""Facts of published appeal hands, names left out: the board, the auction where it is certain, and the table score."""

from dataclasses import dataclass

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board, parse_deal
from casework.domain.bridge.contract import Contract
from casework.domain.bridge.notation import SEATS, Seat, Vulnerability


@dataclass(frozen=True)
class Published:
    key: str
    dealer: str
    vulnerable: str
    deal: str
    """Four hands from North, clockwise."""
    number: int | None = None
    calls: str = ""
    contract: str = ""
    declarer: str = ""
    tricks: int | None = None
    ns_score: int | None = None
    lead: str | None = None


PUBLISHED = (
    Published("T01", "W", "None", "AK.JT976.AQ2.986 QJT84.84.K5.AK54 6.AK3.98763.QJ32 97532.Q52.JT4.T7",
              calls="P P 1S P 3S P P X P 4H 4S X P P P", contract="4SX", declarer="E", tricks=9, ns_score=100),
    Published("T02", "N", "EW", "AKQ932.5.A.KT754 64.QJ.Q98732.Q82 T.AT86.JT6.AJ963 J875.K97432.K54.", 25,
              calls="2C P 2D P 2S P 3C P 4C P 4H P 5D P 6C P 7C P P P",
              contract="7C", declarer="N", tricks=13, ns_score=1440, lead="HJ"),
    Published("T03", "S", "EW", "A54.Q9.832.AQT62 Q.AT83.KQT5.9743 JT93.J6.AJ4.KJ85 K8762.K7542.976.", 19,
              contract="4H", declarer="W", tricks=10, ns_score=-620),
    Published("T04", "E", "EW", "T8.KT942.Q54.AJ5 KQ9543.Q.983.Q87 A.J875.JT762.K42 J762.A63.AK.T963", 22,
              calls="P P 1C 1H 1S 4H X P 4S P P P", contract="4S", declarer="E", tricks=10, ns_score=-620),
    Published("T05", "N", "None", "KQT42.J.T9876.Q4 5.T62.J43.A76532 A973.AK98743.A.J J86.Q5.KQ52.KT98", 1,
              calls="P P 2C P 2H P 4N P 5C X 5S P 6S P P P",
              contract="6S", declarer="S", tricks=12, ns_score=980, lead="CT"),
    Published("T06", "W", "None", "AT963.A98.9.KQJ2 K8542.Q.AT865.87 J.JT42.72.AT9543 Q7.K7653.KQJ43.6", 8,
              calls="1H 1S P P 2D X 4D 5C 5D P P X P P P", contract="5DX", declarer="W"),
    Published("T07", "E", "None", "8642.AJT5.96.532 AJ73.K976.5.AQT6 QT9.Q2.T432.J984 K5.843.AKQJ87.K7", 14,
              calls="1H P 2D P 2N P 4C P 4S P 6D P P P",
              contract="6D", declarer="W", tricks=11, ns_score=50, lead="C2"),
    Published("T08", "S", "EW", "AQ97.7543.3.9873 2.K986.AQJT76.AK T86543.T.4.JT642 KJ.AQJ2.K9852.Q5", 3,
              calls="P 1D P 2D P 2H P 3S P 4D P 4N P 5H P 6D P P P",
              contract="6D", declarer="W", tricks=12, ns_score=-1370),
    Published("T09", "S", "All", "AK.AKJ87.AJT87.3 87654.T532.64.AT JT32.Q9.53.KJ852 Q9.64.KQ92.Q9764", 23,
              calls="P P 1H P 1S P 3D P 3S P 4D P 4H P P P", contract="4H", declarer="N", tricks=10, ns_score=620),
)  # fmt: skip

T09_WEST_AS_PUBLISHED = "Q9.64.KQ98.Q9764"


def board_of(facts: Published) -> Board:
    """The board as it was published."""
    dealer = Seat.parse(facts.dealer)
    deal, unread = parse_deal(dict(zip(SEATS, facts.deal.split(), strict=True)))
    assert not unread
    return Board(
        dealer=dealer,
        vulnerability=Vulnerability(facts.vulnerable),
        number=facts.number,
        deal=deal,
        auction=Auction.parse(facts.calls, dealer) if facts.calls else None,
        contract=Contract.parse(facts.contract)[0],
        declarer=Seat.parse(facts.declarer),
        lead=facts.lead,
        tricks=facts.tricks,
        ns_score=facts.ns_score,
    )

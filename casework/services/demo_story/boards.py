"""Boards of the demo: facts of published cases, moved to invented tournaments."""

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board, parse_deal
from casework.domain.bridge.contract import Contract
from casework.domain.bridge.notation import SEATS, Vulnerability
from casework.domain.bridge.scoring.matchpoints import Frequency, Line
from casework.domain.bridge.scoring.methods import ByImps, ByMatchpoints
from casework.domain.bridge.scoring.outcomes import AssignedScore, Share, read_percent
from casework.domain.bridge.scoring.typed import read_frequency, read_outcome
from casework.services.score_basis import result_of
from casework.services.scores import ScoreInput

_DEALS = {
    22: "T8.KT942.Q54.AJ5 KQ9543.Q.983.Q87 A.J875.JT762.K42 J762.A63.AK.T963",
    3: "AQ97.7543.3.9873 2.K986.AQJT76.AK T86543.T.4.JT642 KJ.AQJ2.K9852.Q5",
    19: "A54.Q9.832.AQT62 Q.AT83.KQT5.9743 JT93.J6.AJ4.KJ85 K8762.K7542.976.",
    23: "AK.AKJ87.AJT87.3 87654.T532.64.AT JT32.Q9.53.KJ852 Q9.64.KQ92.Q9764",
}
_AUCTIONS = {
    22: "P P 1C 1H 1S 4H [30 s] X P 4S P P P",
    3: "P 1D P 2D P 2H P 3S P 4D P 4NT P 5H P 6D P P P",
    23: 'P P 1H P 1S P 3D! "utgångskrav" P 3S P 4D P 4H P P P',
}
_CONTRACTS = {22: ("4S E", 10), 3: ("6D W", 12), 19: ("4H W", 10), 23: ("4H N", 10)}


def board(number: int) -> Board:
    """A whole board as it was played, with dealer and vulnerability from its number."""
    numbered = Board.numbered(number)
    deal, _ = parse_deal(dict(zip(SEATS, _DEALS[number].split(), strict=True)))
    contract, declarer = Contract.parse(_CONTRACTS[number][0])
    auction = Auction.parse(_AUCTIONS[number], numbered.dealer) if number in _AUCTIONS else None
    return Board(
        dealer=numbered.dealer,
        vulnerability=numbered.vulnerability,
        number=number,
        deal=deal,
        auction=auction,
        contract=contract,
        declarer=declarer,
        tricks=_CONTRACTS[number][1],
        because=_because(auction),
    )


def doubled_game() -> ScoreInput:
    """Board 22 in pairs: 4♥ doubled instead of 4♠, among the results of eight tables."""
    played = board(22)
    given = AssignedScore.of(read_outcome("4HX N -1", played.vulnerability))
    table = read_frequency("+100\n-50\n-100\n-170\n-620 x 3\n-650", played.vulnerability)
    method = ByMatchpoints(Frequency(table), Line(-620))
    return ScoreInput(north_south=given, east_west=given, method=method, at_table=result_of(played))


def weighted_slam() -> ScoreInput:
    """Board 14 in teams: 6♦ goes down 30 times of a hundred, against 3NT at the other table."""
    zone = Vulnerability.none
    down, made = read_outcome("6D W -1", zone), read_outcome("6D W =", zone)
    given = AssignedScore((Share(down, read_percent("30")), Share(made, read_percent("70"))))
    method = ByImps(other_table=read_outcome("3NT W +2", zone).ns_score, table=down.ns_score)
    return ScoreInput(north_south=given, east_west=given, method=method, at_table=down)


def _because(auction: Auction | None) -> dict[str, str]:
    """What is irregular in a published record is recorded with its reason."""
    irregular = auction is not None and auction.irregularity() is not None
    return {"auction": "Så står budgivningen i det publicerade fallet."} if irregular else {}

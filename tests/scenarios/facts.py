"""What was published about the cases that are replayed: hands, auctions, results and what each body decided.

Every case stands on a new date under the Laws of 2017, but P06, which stands under those of 2007. Tournaments,
tables, names and numbers of contestants are invented; so is the contract where only its score was published.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board, parse_deal
from casework.domain.bridge.contract import Contract, render_tricks, score
from casework.domain.bridge.notation import Seat, Vulnerability
from casework.domain.rules.citations import Citation, parse_citations
from casework.domain.rules.editions import edition_on
from casework.domain.terms import Form


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A result as it was published: contract with declarer, declarer's tricks, and North-South's score."""

    contract: str
    tricks: int
    vulnerable: Vulnerability
    published: int

    @property
    def computed(self) -> int:
        """The score that the scoring table gives to North–South."""
        contract, declarer = Contract.parse(self.contract)
        return score(contract, declarer, self.tricks, self.vulnerable)

    @property
    def words(self) -> str:
        """As a ruling says it, with the computed score: "4♠ Ö =, NS −620"."""
        contract, declarer = Contract.parse(self.contract)
        points = f"{self.computed:+}".replace("-", "−")
        return f"{contract.render('sv', declarer)} {render_tricks(self.tricks, contract)}, NS {points}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """One case; `at_table` is the result before anybody ruled, `hands` are given from North round the table."""

    id: str
    tournament: str
    day: date
    board: int
    form: Form = Form.PAIRS
    laws: str = ""
    at_table: Result | None = None
    ruled: Result | None = None
    hands: tuple[str, str, str, str] = ("", "", "", "")
    calls: str = ""

    @property
    def starts_at(self) -> datetime:
        """When its session begins."""
        return datetime.combine(self.day, time(12), UTC)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The laws of the edition in force on the day (R43); each must be one of that edition."""
        found, unknown = parse_citations(edition_on(self.day), self.laws)
        assert not unknown, f"{self.id}: {edition_on(self.day)} has no law {unknown}"
        return tuple(found)

    def filed_board(self) -> Board:
        """The board as the director files it."""
        usual = Board.numbered(self.board)
        played = self.at_table
        assert played is not None
        contract, declarer = Contract.parse(played.contract)
        hands, unread = parse_deal(dict(zip(Seat, self.hands, strict=True)))
        assert not unread
        return Board(
            dealer=usual.dealer,
            vulnerability=usual.vulnerability,
            number=self.board,
            deal=hands,
            auction=Auction.parse(self.calls, usual.dealer) if self.calls else None,
            contract=contract,
            declarer=declarer,
            tricks=played.tricks,
            ns_score=played.published,
        )


P01 = Published(
    id="P01",
    tournament="Seriespelet, division 3",
    day=date(2018, 2, 3),
    board=8,
    form=Form.TEAMS,
    laws="20F, 21B, 12B1",
    at_table=Result(contract="2H E", tricks=8, vulnerable=Vulnerability.none, published=-110),
)
P03 = Published(
    id="P03", tournament="Seriespelet, division 2", day=date(2018, 3, 10), board=14, form=Form.TEAMS, laws="21B1"
)
P04 = Published(
    id="P04",
    tournament="Höstlagens final",
    day=date(2019, 10, 12),
    board=2,
    form=Form.TEAMS,
    laws="40B, 21B, 12C1",
    ruled=Result(contract="4S W", tricks=9, vulnerable=Vulnerability.north_south, published=50),
)
P05 = Published(
    id="P05",
    tournament="Vårmästerskapet",
    day=date(2022, 4, 23),
    board=3,
    laws="16B1, 90A",
    at_table=Result(contract="3H W", tricks=8, vulnerable=Vulnerability.east_west, published=100),
)
P06 = Published(
    id="P06",
    tournament="Vinterpokalen",
    day=date(2010, 2, 13),
    board=1,
    laws="70C, 70D, 71B",
    at_table=Result(contract="3H E", tricks=9, vulnerable=Vulnerability.none, published=-140),
    ruled=Result(contract="3H E", tricks=8, vulnerable=Vulnerability.none, published=50),
)
P08 = Published(
    id="P08", tournament="Distriktets lagmästerskap", day=date(2019, 1, 19), board=21, form=Form.TEAMS, laws="16B1"
)
P09 = Published(id="P09", tournament="Sommarfestivalens handikapp", day=date(2018, 7, 7), board=5, laws="12C1")

T03 = Published(
    id="T03",
    tournament="Lagcupen",
    day=date(2018, 4, 14),
    board=19,
    form=Form.TEAMS,
    laws="16B1, 12C1",
    at_table=Result(contract="4H W", tricks=10, vulnerable=Vulnerability.east_west, published=-620),
    ruled=Result(contract="3C N", tricks=9, vulnerable=Vulnerability.east_west, published=110),
    hands=("A54.Q9.832.AQT62", "Q.AT83.KQT5.9743", "JT93.J6.AJ4.KJ85", "K8762.K7542.976."),
)
T04 = Published(
    id="T04",
    tournament="Novemberparen",
    day=date(2018, 11, 24),
    board=22,
    laws="16B1, 12C1",
    at_table=Result(contract="4S E", tricks=10, vulnerable=Vulnerability.east_west, published=-620),
    ruled=Result(contract="4HX N", tricks=9, vulnerable=Vulnerability.east_west, published=-100),
    hands=("T8.KT942.Q54.AJ5", "KQ9543.Q.983.Q87", "A.J875.JT762.K42", "J762.A63.AK.T963"),
    calls="P P 1C 1H 1S 4H X P 4S P P P",
)
T08 = Published(
    id="T08",
    tournament="Nyårslagen",
    day=date(2019, 1, 5),
    board=3,
    form=Form.TEAMS,
    laws="40C, 75",
    at_table=Result(contract="6D W", tricks=12, vulnerable=Vulnerability.east_west, published=-1370),
    hands=("AQ97.7543.3.9873", "2.K986.AQJT76.AK", "T86543.T.4.JT642", "KJ.AQJ2.K9852.Q5"),
    calls="P 1D P 2D P 2H P 3S P 4D P 4N P 5H P 6D P P P",
)
T09 = Published(
    id="T09",
    tournament="Skånska paren",
    day=date(2019, 10, 19),
    board=23,
    laws="16B1, 12C1",
    at_table=Result(contract="4H N", tricks=10, vulnerable=Vulnerability.both, published=620),
    ruled=Result(contract="4S S", tricks=9, vulnerable=Vulnerability.both, published=-100),
    hands=("AK.AKJ87.AJT87.3", "87654.T532.64.AT", "JT32.Q9.53.KJ852", "Q9.64.KQ92.Q9764"),
    calls="P P 1H P 1S P 3D P 3S P 4D P 4H P P P",
)
T09_WEST_AS_PRINTED = "Q9.64.KQ98.Q9764"
"""The published record gave West the ♦8 that North holds, and nobody the ♦2."""

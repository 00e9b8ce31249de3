"""USEBIO (XML of the English Bridge Union, version 1.2): the hands and every table's result, board by board."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self
from xml.parsers import expat  # no entity is declared and nothing outside is opened: see _Tree

from casework.domain.bridge.board import Board
from casework.domain.bridge.deal import Hand
from casework.domain.bridge.files.deals import checked, dotted_hand
from casework.domain.bridge.files.frequency import is_label
from casework.domain.bridge.files.record import MOST_BOARDS, BoardFile, Record, Refusal, Remark, TableResult, add_remark
from casework.domain.bridge.files.source import Source
from casework.domain.bridge.files.words import read_card, read_contract, read_number, read_tricks
from casework.domain.bridge.notation import SEATS, Unreadable
from casework.text import t

MOST_ELEMENTS = 100_000
"""More than twice what the results of a large event need."""
_DEEPEST = 20
_LONGEST_WORD = 1000
_SUITS = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
_SEATS = {seat.name: seat for seat in SEATS} | {seat.value.lower(): seat for seat in SEATS}


@dataclass(slots=True)
class _Element:
    name: str
    line: int
    text: str = ""
    children: "list[_Element] | None" = None
    """None where there are none: most elements hold a word only."""

    def add(self, child: "_Element") -> None:
        if self.children is None:
            self.children = []
        self.children.append(child)

    def all(self, name: str) -> "Iterator[_Element]":
        return (child for child in self.children or () if child.name == name)

    def word(self, name: str) -> str:
        return next((child.text.strip() for child in self.all(name)), "")


class _Tree:
    """Elements and text. A DOCTYPE is passed over: nothing is fetched, and a declared entity is refused."""

    def __init__(self) -> None:
        self.root = _Element("", 0)
        self.open = [self.root]
        self.elements = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._entity

    @classmethod
    def of(cls, text: str) -> Self:
        tree = cls()
        try:
            tree.parser.Parse(text, True)  # pyexpat takes no keywords
        except expat.ExpatError as error:
            raise Unreadable(t("Line {line}: this is no well-formed XML.", line=error.lineno)) from None
        return tree

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        if self.elements > MOST_ELEMENTS or len(self.open) > _DEEPEST:
            raise Unreadable(t("Line {line}: this is no USEBIO file.", line=self.parser.CurrentLineNumber))
        element = _Element(name.upper(), self.parser.CurrentLineNumber)
        self.open[-1].add(element)
        self.open.append(element)

    def _end(self, name: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        element = self.open[-1]
        if len(element.text) < _LONGEST_WORD:
            element.text += text

    def _entity(self, *declared: object) -> None:
        raise Unreadable(t("Line {line}: the file declares entities, which are not read.",
                           line=self.parser.CurrentLineNumber))  # fmt: skip


def read_usebio(source: Source) -> BoardFile:
    """The boards of all events. Unreadable if it is no USEBIO, or holds no board."""
    root = next(_Tree.of(source.text).root.all("USEBIO"), None)
    if root is None:
        raise Unreadable(t("Line {line}: this is no USEBIO file.", line=1))
    hands = {board.word("BOARD_NUMBER"): board for handset in root.all("HANDSET") for board in handset.all("BOARD")}
    records: list[Record] = []
    refused: list[Refusal] = []
    games = [(event, board) for event in root.all("EVENT") for board in _boards(event)]
    played = {board.word("BOARD_NUMBER") for _, board in games}
    games += [(root, board) for number, board in hands.items() if number not in played]
    if not games:
        raise Unreadable(t("There is no board in the file."))
    if len(games) > MOST_BOARDS:
        raise Unreadable(t("The file has more than {limit} boards.", limit=MOST_BOARDS))
    for game, (event, board) in enumerate(games, 1):
        dealt = hands.get(board.word("BOARD_NUMBER"), board)
        try:
            records.append(replace(_record(board, dealt), game=game, event=event.word("EVENT_DESCRIPTION"),
                                   date=event.word("DATE")))  # fmt: skip
        except Unreadable as error:
            refused.append(Refusal(game, dealt.line, error.reason, read_number(board.word("BOARD_NUMBER"))))
    if records:
        records[0] = replace(records[0], ranking=tuple(_ranking(root)))
    return BoardFile(tuple(records), tuple(refused))


def _ranking(root: _Element) -> Iterator[Mapping[str, str]]:
    """The pairs with place and score, under the columns of a PBN ranking."""
    for event in root.all("EVENT"):
        for participants in event.all("PARTICIPANTS"):
            for pair in participants.all("PAIR"):
                names = [player.word("PLAYER_NAME") for player in pair.all("PLAYER")]
                yield {
                    "Rank": pair.word("PLACE"),
                    "PairId": pair.word("PAIR_NUMBER"),
                    "TotalScoreMP": pair.word("TOTAL_SCORE"),
                    "TotalPercentage": pair.word("PERCENTAGE"),
                    "Names": " - ".join(names),
                }


def _boards(event: _Element) -> Iterator[_Element]:
    yield from event.all("BOARD")
    for part in ("SESSION", "SECTION", "MATCH"):
        for child in event.all(part):
            yield from _boards(child)


def _record(board: _Element, dealt: _Element) -> Record:
    number = read_number(board.word("BOARD_NUMBER"))
    if number is None or number < 1:
        raise Unreadable(t("{number} is no board number.", number=board.word("BOARD_NUMBER")[:20] or "–"))
    hands = {_SEATS.get(hand.word("DIRECTION").lower()): _hand(hand) for hand in dealt.all("HAND")}
    remarks: list[Remark] = []
    if not hands:
        add_remark(remarks, board.line, t("The hands are not in the file."))
    results = tuple(_result(line, remarks) for line in board.all("TRAVELLER_LINE"))
    return Record(
        game=0,
        line=board.line,
        board=replace(Board.numbered(number), deal=checked(hands.get(seat) for seat in SEATS)),
        remarks=tuple(remarks),
        places={"deal": dealt.line},
        results=results,
    )


def _hand(hand: _Element) -> Hand | None:
    return dotted_hand(".".join(hand.word(suit) for suit in _SUITS))


def _result(line: _Element, remarks: list[Remark]) -> TableResult:
    written = line.word("CONTRACT")
    contract, _ = read_contract(written)
    if written and contract is None:
        add_remark(remarks, line.line, t("{contract} is no contract.", contract=written[:20]))
    played = contract is not None and not contract.passed_out
    tricks = read_tricks(line.word("TRICKS"))
    if played and tricks is None:
        add_remark(remarks, line.line, t("{result} is no number of tricks.", result=line.word("TRICKS")[:20] or "–"))
    points = line.word("SCORE")
    ns_score = read_number(points)
    if points and ns_score is None and not is_label(points):
        add_remark(remarks, line.line, t("{score} is no score; the table is left out of the results.",
                                         score=points[:20]))  # fmt: skip
    return TableResult(
        line=line.line,
        table=line.word("TABLE"),
        round=line.word("ROUND_NUMBER"),
        north_south=line.word("NS_PAIR_NUMBER"),
        east_west=line.word("EW_PAIR_NUMBER"),
        contract=contract,
        declarer=_SEATS.get(line.word("PLAYED_BY").lower()) if played else None,
        tricks=tricks if played else None,
        lead=read_card(line.word("LEAD")),
        ns_score=ns_score,
        adjusted=(points, points) if points and ns_score is None else None,
        points=(line.word("NS_MATCH_POINTS"), line.word("EW_MATCH_POINTS")),
    )

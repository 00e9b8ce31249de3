"""PBN → records. What is there is taken as it is written; only what is no deal is refused."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.contract import Contract
from casework.domain.bridge.deal import Deal
from casework.domain.bridge.files.deals import checked, dotted_hand
from casework.domain.bridge.files.pbn_games import Game, split_games
from casework.domain.bridge.files.pbn_inheritance import inherited
from casework.domain.bridge.files.pbn_sections import Calls, read_calls, read_lead, read_play, read_seat
from casework.domain.bridge.files.pbn_supplement import PARTIAL, supplemented
from casework.domain.bridge.files.pbn_tables import read_ranking, read_results
from casework.domain.bridge.files.record import MOST_BOARDS, BoardFile, Record, Refusal, Wanted
from casework.domain.bridge.files.source import Source, doubly_encoded
from casework.domain.bridge.files.words import read_contract, read_number
from casework.domain.bridge.notation import SEATS, Seat, Unreadable, Vulnerability, dealer_of, vulnerability_of
from casework.text import Text, t

_ABOUT_A_BOARD = frozenset(
    ("Board", "Dealer", "Vulnerable", "Deal", "Auction", "Contract", "Declarer", "Result", "Play", "ScoreTable")
)
_PLAYERS = (("North", Seat.north), ("East", Seat.east), ("South", Seat.south), ("West", Seat.west))
_PLACES = {"dealer": "Dealer", "vulnerability": "Vulnerable", "deal": "Deal", "auction": "Auction",
           "contract": "Contract", "declarer": "Declarer", "lead": "Play", "play": "Play", "result": "Result",
           "score": "Score", "event": "Event"}  # fmt: skip
_VULNERABLE = {"none": Vulnerability.none, "love": Vulnerability.none, "-": Vulnerability.none,
               "ns": Vulnerability.north_south, "ew": Vulnerability.east_west, "all": Vulnerability.both,
               "both": Vulnerability.both}  # fmt: skip
_ADVICE = ("DoubleDummyTricks", "DoubleDummyTable", "OptimumScore", "OptimumResultTable", "ParContract")
_TITLE = re.compile(r"^%HRTitleEvent[ \t]+\"([^\"\n]{1,200})\"", re.MULTILINE)
"""Where BridgeComposer has the event's name, in the head of the file."""
_HEAD = 10_000
_UNKNOWN = frozenset(("", "?", "-"))
_DEAL = re.compile(r"([NESW]):(\S+) (\S+) (\S+) (\S+)")
_LOOSE_DEAL = re.compile(r"\s*([NESWnesw])\s*:\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*")
_RESULT = re.compile(r"\^?\s*(?:(NS|EW)\s+(\d{1,2})(?:\s+(?:NS|EW)\s+(\d{1,2}))?|(\d{1,2}))\s*")
_SCORE = re.compile(r"\s*(?:(NS|EW)\s+)?([+-]?\d{1,5})(?:\s+(?:NS|EW)\s+([+-]?\d{1,5}))?\s*")


def read_pbn(source: Source, wanted: Wanted | None = None) -> BoardFile:
    """The games of the file. Unreadable if it holds none, or far too many: they are counted before one is read."""
    if source.text.count('[Board "') > MOST_BOARDS:
        raise Unreadable(t("The file has more than {limit} boards.", limit=MOST_BOARDS))
    games = list(split_games(source.text))
    unread = 0
    records: list[Record] = []
    refused: list[Refusal] = []
    about_boards = False
    odd_letters = source.odd_letters
    title = _TITLE.search(source.text[:_HEAD])
    for game in inherited(games):
        about_boards = about_boards or not _ABOUT_A_BOARD.isdisjoint(game.tags)
        if wanted and not wanted.wants(game.number, read_number(game.tags.get("Board", ""))):
            unread += 1
            continue
        if odd_letters:
            _say_letters(game, source.guessed)
        try:
            records.append(_Reading.of(game).record(title[1] if title else ""))
        except Unreadable as error:
            number = read_number(game.tags.get("Board", ""))
            refused.append(Refusal(game.number, game.place("Deal"), error.reason, number, tuple(game.remarks)))
    if not about_boards:
        raise _no_board([*records, *refused])
    return BoardFile(tuple(records), tuple(refused), unread=unread)


def _no_board(games: Iterable[Record | Refusal]) -> Unreadable:
    nothing = t("There is no board in the file.")
    first = next((remark for game in games for remark in game.remarks), None)
    if first is None:
        return Unreadable(nothing)
    where = t("Line {line}: {what}", line=first.line, what=first.text)
    return Unreadable(t("{what} {detail}", what=nothing, detail=where))


@dataclass(frozen=True, slots=True)
class _Reading:
    """One game on its way to a record; what is odd goes to the game's remarks."""

    game: Game
    known: Mapping[str, str]
    """The tags that say something: neither empty nor `?` nor `-` (BR04)."""

    @classmethod
    def of(cls, game: Game) -> Self:
        """The game as its tags stand now."""
        return cls(game, {tag: value for tag, value in game.tags.items() if value not in _UNKNOWN})

    def record(self, title: str = "") -> Record:
        """The record; `title` is what the head of the file calls the event."""
        game = self.game
        if not game.tags:
            raise Unreadable(t("There is no game that can be read."))
        if "Board" not in game.tags and _ABOUT_A_BOARD.isdisjoint(game.tags):
            game.remark(game.line, t("The game says nothing about a board."))
        deal = self._deal()
        number = self._number()
        if advice := next((tag for tag in _ADVICE if tag in self.known), None):
            self._say(
                advice, t("What the file says that each side could make is left out: it is advice and no evidence.")
            )
        calls = read_calls(game) if game.rows.get("Auction") else None
        dealer = self._dealer(number, calls)
        if calls and calls.first and calls.first is not dealer:
            self._say("Auction", t("{seat} calls first, but {dealer} is the dealer; the calls are read from the dealer "
                                   "on.", seat=calls.first.words, dealer=dealer.words))  # fmt: skip
        contract = self._contract()
        declarer = self._declarer(contract)
        lead = read_lead(game) if game.rows.get("Play") else None
        play = read_play(game, declarer) if game.rows.get("Play") and not lead else None
        for (section, note), text in game.notes.items():
            if section == "Auction" and (section, note) not in game.used:
                self._say(section, t("Note {number} belongs to no call: {note}", number=note, note=text[:200]))
        board = Board(
            dealer=dealer,
            vulnerability=self._vulnerability(number),
            number=number,
            deal=deal,
            auction=Auction(dealer, tuple(calls.calls)) if calls and calls.calls else None,
            contract=contract,
            declarer=declarer,
            lead=play.lead if play else lead,
            tricks=self._tricks(contract, declarer),
            ns_score=self._score(declarer),
            play=play,
        )
        return Record(
            game=game.number,
            line=game.line,
            board=supplemented(board, game),
            results=read_results(game),
            ranking=read_ranking(game),
            remarks=tuple(game.remarks),
            places={part: line for part, tag in _PLACES.items() if (line := game.places.get(tag))},
            event=self._known("Event") or title,
            date=self._known("Date"),
            room=self._known("Room").lower(),
            table=self._known("Table"),
            players={seat: self.known[tag] for tag, seat in _PLAYERS if tag in self.known},
        )

    def _say(self, tag: str, text: Text) -> None:
        self.game.remark(self.game.place(tag), text)

    def _known(self, tag: str) -> str:
        """The value of a tag; "" if it says nothing."""
        return self.known.get(tag, "")

    def _deal(self) -> Deal:
        value, partial = self._known("Deal"), self._known(PARTIAL) == "true"
        if not value:
            self._say("Deal", t("The hands are not in the file."))
            return Deal(partial=partial)
        written = _DEAL.fullmatch(value)
        if written is None:
            written = _LOOSE_DEAL.fullmatch(value)
            if written is None:
                raise Unreadable(t("{deal} is no deal.", deal=value[:80]))
            self._say("Deal", t("The deal is not written as PBN writes it."))
        first = SEATS.index(Seat(written[1].upper()))
        hands = [dotted_hand(hand) for hand in written.groups()[1:]]
        if not any(hands):
            self._say("Deal", t("The hands are not in the file."))
        return checked(hands[-first:] + hands[:-first], partial=partial)

    def _number(self) -> int | None:
        written = self._known("Board")
        number = read_number(written)
        if number is not None and number > 0:
            return number
        if written:
            self._say("Board", t("{number} is no board number.", number=written[:20]))
        return None

    def _dealer(self, number: int | None, calls: Calls | None) -> Seat:
        """As written; else by the number, else who calls first, else North; and it is said."""
        written = self._known("Dealer")
        if dealer := read_seat(written):
            return dealer
        if written:
            self._say("Dealer", t("This is no seat: {text}", text=written[:20]))
        if number:
            self._say("Dealer", t("The file does not say who dealt; the dealer is taken from the board number."))
            return dealer_of(number)
        if calls and calls.first:
            self._say("Auction", t("The file does not say who dealt; who calls first is taken as the dealer."))
            return calls.first
        self._say("Dealer", t("The file does not say who dealt; North is written."))
        return Seat.north

    def _vulnerability(self, number: int | None) -> Vulnerability:
        written = self.game.tags.get("Vulnerable", "").lower()
        if vulnerability := _VULNERABLE.get(written):
            return vulnerability
        if written not in _UNKNOWN:
            self._say("Vulnerable", t("This is no vulnerability: {text}", text=self.game.tags["Vulnerable"][:20]))
        if number:
            self._say("Vulnerable", t("The file does not say who is vulnerable; it is taken from the board number."))
            return vulnerability_of(number)
        self._say("Vulnerable", t("The file does not say who is vulnerable; none is written."))
        return Vulnerability.none

    def _contract(self) -> Contract | None:
        written = self._known("Contract")
        contract, usual = read_contract(written)
        if written and contract is None:
            self._say("Contract", t("{contract} is no contract.", contract=written[:20]))
        elif contract and not usual:
            self._say("Contract", t("{written} is not written as PBN writes it; it was read as {call}.",
                                    written=written, call=contract.shown))  # fmt: skip
        return contract

    def _declarer(self, contract: Contract | None) -> Seat | None:
        written = self._known("Declarer")
        declarer = read_seat(written.removeprefix("^"))
        if written.startswith("^"):
            self._say("Declarer", t("The file marks the declarer as irregular."))
        if written and declarer is None:
            self._say("Declarer", t("This is no seat: {text}", text=written[:20]))
        if contract and contract.passed_out:
            if declarer:
                self._say("Declarer", t("A passed-out board has no declarer; {seat} is left out.", seat=declarer.words))
            return None
        if contract and declarer is None:
            self._say("Contract", t("The file does not say who is declarer."))
        elif declarer and contract is None and self._known("Play"):
            self._say("Declarer", t("There is a declarer but no contract."))
        return declarer

    def _tricks(self, contract: Contract | None, declarer: Seat | None) -> int | None:
        """Declarer's tricks from "9", "^9" (irregular) or "NS 9 EW 4"."""
        written = self._known("Result")
        if not written:
            return None
        result = _RESULT.fullmatch(written)
        numbers = [int(number) for number in result.group(2, 3, 4) if number] if result else []
        if not result or max(numbers) > 13 or (len(numbers) == 2 and sum(numbers) != 13):
            self._say("Result", t("{result} is no number of tricks.", result=written[:20]))
            return None
        if "^" in written:
            self._say("Result", t("The file marks the result as irregular."))
        if (contract and contract.passed_out) or declarer is None:
            self._say("Result", t("There is a result ({result}) without contract and declarer.", result=written))
            return None
        tricks = numbers[0]
        return tricks if not result[1] or (result[1] == "NS") is declarer.is_north_south else 13 - tricks

    def _score(self, declarer: Seat | None) -> int | None:
        """North-South's score; a number without a side is declarer's."""
        written = self._known("Score")
        score = _SCORE.fullmatch(written)
        if score is None:
            if written:
                self._say("Score", t("{score} is no score.", score=written[:20]))
            return None
        side = score[1] or ("NS" if declarer is None or declarer.is_north_south else "EW")
        points = int(score[2]) if side == "NS" else -int(score[2])
        if score[3] and int(score[3]) != -int(score[2]):
            self._say("Score", t("The sides have different scores: {score}", score=written))
        return points


def _say_letters(game: Game, guessed: str) -> None:
    """Once for a game: its letters depend on an encoding that was guessed, or were encoded twice."""
    if "".join([*game.tags.values(), *game.notes.values()]).isascii():
        return
    values = [(game.place(tag), value) for tag, value in game.tags.items()]
    values += [(game.place(section), note) for (section, _), note in game.notes.items()]
    line, value = next(found for found in values if not found[1].isascii())
    if guessed:
        game.remark(line, t("The file does not say how its letters are encoded; it was read as {encoding}: {text}",
                            encoding=guessed, text=value[:60]))  # fmt: skip
    elif twice := next((found for found in values if doubly_encoded(found[1])), None):
        game.remark(twice[0], t("The letters look as if they had been encoded twice: {text}", text=twice[1][:60]))

"""LIN, Bridge Base Online's format, which has no public specification: pairs of letters and text between bars.

The dealer's digit counts from South, hands and names stand in the order S W N E, and `mc` is declarer's tricks in all.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.call import Call
from casework.domain.bridge.deal import Deal, Hand
from casework.domain.bridge.files.deals import checked, the_rest
from casework.domain.bridge.files.record import MOST_BOARDS, BoardFile, Record, Refusal, Remark, Wanted, add_remark
from casework.domain.bridge.files.source import Source, doubly_encoded
from casework.domain.bridge.files.words import MOST_CALLS, MOST_CARDS, explained, read_number, read_tricks
from casework.domain.bridge.notation import Seat, Unreadable, Vulnerability, dealer_of, vulnerability_of
from casework.domain.bridge.play import Claim, Play
from casework.text import Text, t

MOST_UNREAD = 1000
MOST_PAIRS = 2000
"""Of a board, chat and all; with more it is no LIN file."""
_KEYS = frozenset("vg rs pn pg qx st md rh ah sv mb an pc mc nt mp pw bn sk ht lb lg tu va bt cq cr cs ct fp gt hs "
                  "ia ih in ip kc kd nd ob p0 pf pi px q0 rc rq sa se sh sn ub up zz".split())  # fmt: skip
_ORDER = (Seat.south, Seat.west, Seat.north, Seat.east)
_DEALER = {"1": Seat.south, "2": Seat.west, "3": Seat.north, "4": Seat.east}
_VULNERABLE = {"o": Vulnerability.none, "0": Vulnerability.none, "n": Vulnerability.north_south,
               "e": Vulnerability.east_west, "b": Vulnerability.both}  # fmt: skip
_HAND = re.compile(r"(?:S([2-9TJQKA]*))?(?:H([2-9TJQKA]*))?(?:D([2-9TJQKA]*))?(?:C([2-9TJQKA]*))?")
_CALL = re.compile(r"([1-7])(NT?|[CDHS])|(XX|R)|([XD])|(P)", re.IGNORECASE)
_CARD = re.compile(r"[SHDC][2-9TJQKA]")
_RESULT = re.compile(r"(?P<level>[1-7])[NSHDC][NESW]x{0,2}(?:(?P<made>=)|(?P<more>[+-]\d{1,2}))")
_HEADING = re.compile(r"(?:^|[|\n])[ \t]*vg\|([^|]*)\|")
_LISTED = re.compile(r"(?:^|[|\n])[ \t]*rs\|([^|]*)\|")
_AHEAD = re.compile(r"\d{1,5}\s*$")
_ROOMS = {"o": "open", "c": "closed"}


@dataclass(slots=True)
class _Game:
    """The pairs of one board, each with its line."""

    number: int
    line: int
    room: str = ""
    board: int | None = None
    names: str = ""
    pairs: list[tuple[int, str, str]] = field(default_factory=list)
    dealt: bool = False

    def named(self) -> int | None:
        """The board's number: as `qx` has it, else as `ah` says."""
        headings = (_AHEAD.search(value) for _, key, value in self.pairs if key == "ah")
        return next((int(found[0]) or None for found in headings if found), self.board)


def is_lin(text: str) -> bool:
    """Whether it looks like LIN: it holds a deal."""
    return re.search(r"(?:^|[|\n])[ \t]*md\|", text, re.IGNORECASE) is not None


def read_lin(source: Source, wanted: Wanted | None = None) -> BoardFile:
    """The boards of the file. Unreadable if it holds none, or far too many."""
    games = [game for game in _games(source.text) if game.dealt]
    if not games:
        raise Unreadable(t("There is no board in the file."))
    line, results = _listed_results(source.text)
    heading = _Heading.of(source.text)
    records: list[Record] = []
    refused = []
    asked_for = [game for game in games if wanted is None or wanted.wants(game.number, game.named())]
    unread = len(games) - len(asked_for)
    for game in asked_for:
        reading = _Reading(game, source.guessed, heading)
        try:
            records.append(reading.record(results))
        except Unreadable as error:
            refused.append(Refusal(game.number, game.line, error.reason, game.board, tuple(reading.remarks)))
    if unread:
        return BoardFile(tuple(records), tuple(refused), unread=unread)
    missing = results.keys() - {(record.board.number, record.room) for record in records}
    others = t("The list of results has {number} results of boards that are not in the file.", number=len(missing))
    return BoardFile(tuple(records), tuple(refused), (Remark(line, others),) if missing else ())


@dataclass(frozen=True, slots=True)
class _Heading:
    """`vg`: event, segment, what is scored, first and last board, and each team with what it brought along."""

    line: int = 0
    event: str = ""
    teams: str = ""

    @classmethod
    def of(cls, text: str) -> "_Heading":
        """Of the first one in a file; empty where there is none."""
        found = _HEADING.search(text)
        if found is None:
            return cls()
        event, segment, _, _, _, *teams = [part.strip() for part in found[1].split(",")] + [""] * 5
        named = ", ".join(part for part in teams if part)
        line = text.count("\n", 0, found.start(1)) + 1
        return cls(line, ", ".join(part for part in (event, segment) if part), named)


def _pairs(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, key and value; a line before a key that is not part of it is a heading (BR10)."""
    line, unread = 1, 0
    pieces = iter(text.split("|"))
    for key, value in zip(pieces, pieces, strict=False):
        word = key.rpartition("\n")[2].strip().lower()
        at = line + key.count("\n")
        line = at + value.count("\n")
        if word in _KEYS:
            yield at, word, value
        else:
            unread += 1
            yield at, "", f"{word[:20]}|{value[:40]}"
        if unread > MOST_UNREAD:
            raise Unreadable(t("Line {line}: this is no LIN file; too much cannot be read.", line=at))


def _games(text: str) -> list[_Game]:
    """A board begins with `qx`, or with `md` where the last one has its deal; names go before the deal."""
    games: list[_Game] = []
    names = ""
    for line, key, value in _pairs(text):
        if key == "qx" or (key == "md" and (not games or games[-1].dealt)):
            if len(games) == MOST_BOARDS:
                raise Unreadable(t("The file has more than {limit} boards.", limit=MOST_BOARDS))
            games.append(_Game(len(games) + 1, line, names=names))
        game = games[-1] if games else None
        if key == "pn":
            names = value
        if game is None:
            continue
        if key == "pn" and not game.dealt:
            game.names = names
        elif key == "qx":
            game.room = _ROOMS.get(value[:1].lower(), "")
            game.board = read_number(value.lstrip("ocOC ").strip())
        elif key == "md":
            game.dealt = True
        game.pairs.append((line, key, value))
        if len(game.pairs) > MOST_PAIRS:
            raise Unreadable(t("Line {line}: this is no LIN file; a board has too much to it.", line=line))
    return games


def _listed_results(text: str) -> tuple[int, dict[tuple[int | None, str], int]]:
    """The line of `rs`, and declarer's tricks by board and room: it lists open and closed room in turn."""
    heading, listed = _HEADING.search(text), _LISTED.search(text)
    if not heading or not listed:
        return 0, {}
    first = read_number((heading[1].split(",") + [""] * 4)[3]) or 1
    found: dict[tuple[int | None, str], int] = {}
    for index, written in enumerate(listed[1].split(",")):
        if result := _RESULT.fullmatch(written.strip()):
            room = ("open", "closed")[index % 2]
            found[first + index // 2, room] = int(result["level"]) + 6 + int(result["more"] or 0)
    return text.count("\n", 0, listed.start(1)) + 1, found


class _Reading:
    """One board on its way to a record."""

    def __init__(self, game: _Game, guessed: str, heading: _Heading) -> None:
        self.game = game
        self.heading = heading
        self.guessed = guessed
        self.remarks: list[Remark] = []
        self.places: dict[str, int] = {}
        self.line = game.line
        self.dealer: Seat | None = None
        self.deal = Deal()
        self.vulnerability: Vulnerability | None = None
        self.calls: list[Call] = []
        self.cards: list[str] = []
        self.claimed: int | None = None
        self.chat = 0

    def record(self, results: dict[tuple[int | None, str], int]) -> Record:
        for line, key, value in self.game.pairs:
            self.line = line
            if reader := getattr(self, f"_read_{key}", None):
                reader(value.strip())
            elif not key:
                self._say(t("This cannot be read: {text}", text=value))
        self.line = self.game.line
        self._say_what_is_odd()
        board = self._board()
        listed = results.get((board.number, self.game.room))
        if listed is not None and board.tricks is not None and listed != board.tricks:
            self._say(t("The list of results has {listed} tricks, the board {tricks}.",
                        listed=listed, tricks=board.tricks))  # fmt: skip
        return Record(
            game=self.game.number,
            line=self.game.line,
            board=board,
            remarks=tuple(self.remarks),
            places=self.places,
            event=self.heading.event,
            room=self.game.room,
            players=self._players(),
        )

    def _say(self, text: Text) -> None:
        add_remark(self.remarks, self.line, text)

    def _say_once(self, text: Text) -> None:
        if not any(remark.text == text for remark in self.remarks):
            self._say(text)

    def _say_what_is_odd(self) -> None:
        if self.heading.teams:
            teams = t("The teams and what they brought along are left out: {text}", text=self.heading.teams[:200])
            add_remark(self.remarks, self.heading.line, teams)
        if self.chat:
            self._say(t("{number} lines of chat are left out.", number=self.chat))
        words = [call.explanation for call in self.calls] + [self.game.names]
        if odd := next((word for word in words if self.guessed and not word.isascii()), ""):
            self._say(t("The file does not say how its letters are encoded; it was read as {encoding}: {text}",
                        encoding=self.guessed, text=odd[:60]))  # fmt: skip
        elif odd := next((word for word in words if doubly_encoded(word)), ""):
            self._say(t("The letters look as if they had been encoded twice: {text}", text=odd[:60]))

    def _board(self) -> Board:
        number = self.game.board
        if self.dealer is None:
            self._say(t("The file does not say who dealt; the dealer is taken from the board number.")
                      if number else t("The file does not say who dealt; North is written."))  # fmt: skip
        if self.vulnerability is None:
            self._say(t("The file does not say who is vulnerable; it is taken from the board number.")
                      if number else t("The file does not say who is vulnerable; none is written."))  # fmt: skip
        dealer = self.dealer or (dealer_of(number) if number else Seat.north)
        auction = Auction(dealer, tuple(self.calls)) if self.calls else None
        contract, declarer = (auction.contract() if auction else None) or (None, None)
        play = None
        if declarer and contract and self.cards:
            play = Play.in_turn(declarer.next, self.cards, contract.strain)
        elif self.cards:
            self._say(t("Cards are played, but there is no contract; they are left out."))
        won, played = play.won(declarer, contract.strain) if play and declarer and contract else (0, 0)
        claimed = self.claimed is not None and declarer is not None
        in_play = claimed and play is not None and 0 < len(self.cards) < MOST_CARDS
        return Board(
            dealer=dealer,
            vulnerability=self.vulnerability or (vulnerability_of(number) if number else Vulnerability.none),
            number=number,
            deal=self.deal,
            auction=auction,
            contract=contract,
            declarer=declarer,
            lead=play.lead if play else None,
            tricks=self.claimed if claimed else won if played == 13 else None,
            play=play,
            claim=Claim(trick=min(played + 1, 13), tricks=self.claimed) if in_play else None,
        )

    def _players(self) -> dict[Seat, str]:
        """Four names, or eight: the open room's before the closed room's."""
        names = [name.strip() for name in self.game.names.split(",")]
        if self.game.room == "closed" and len(names) >= 8:
            names = names[4:]
        return {seat: name for seat, name in zip(_ORDER, names, strict=False) if name}

    def _read_md(self, value: str) -> None:
        self.places |= dict.fromkeys(("deal", "dealer"), self.line)
        self.dealer = _DEALER.get(value[:1])
        written = value.lstrip("01234").rstrip(",").split(",")
        if len(written) not in (3, 4):
            raise Unreadable(t("Three or four hands are needed; there are {number}.", number=len(written)))
        south, west, north, *fourth = hands = [_hand(each) for each in written]
        whole = all(len(hand.cards) == 13 for hand in hands)
        east = fourth[0] if fourth else the_rest(hands) if whole else None
        self.deal = checked((north, east, south, west))

    def _read_ah(self, value: str) -> None:
        if number := _AHEAD.search(value):
            self.game.board = int(number[0]) or None

    def _read_sv(self, value: str) -> None:
        self.places["vulnerability"] = self.line
        self.vulnerability = _VULNERABLE.get(value[:1].lower())

    def _read_mb(self, value: str) -> None:
        self.places.setdefault("auction", self.line)
        if len(self.calls) == MOST_CALLS:
            self._say_once(t("The auction is too long; it is read up to here."))
            return
        plain = value.replace("!", "").strip()
        call = _CALL.fullmatch(plain)
        if call is None:
            self._say(t("{call} is no call.", call=plain[:20]))
            return
        level, strain, redouble, double, _ = call.groups()
        written = level + strain[0].upper() if level else "XX" if redouble else "X" if double else "P"
        self.calls.append(Call(written, alert="!" in value))

    def _read_an(self, value: str) -> None:
        if not self.calls:
            self._say(t("An explanation stands before any call: {text}", text=value[:200]))
        elif value:
            self.calls[-1] = explained(self.calls[-1], value)

    def _read_pc(self, value: str) -> None:
        self.places.setdefault("play", self.line)
        if len(self.cards) == MOST_CARDS:
            self._say_once(t("More than 52 cards are played; the rest is left out."))
            return
        plain = value.upper().replace("10", "T")
        cards = _CARD.findall(plain)
        if _CARD.sub("", plain).strip(" ,") or not cards:
            self._say(t("{card} is no card.", card=value[:20]))
        self.cards += cards[: MOST_CARDS - len(self.cards)]

    def _read_mc(self, value: str) -> None:
        self.places |= dict.fromkeys(("claim", "result"), self.line)
        tricks = read_tricks(value)
        if tricks is None:
            self._say(t("{result} is no number of tricks.", result=value[:20]))
        else:
            self.claimed = tricks

    def _read_nt(self, value: str) -> None:
        self.chat += bool(value)


def _hand(written: str) -> Hand:
    plain = written.strip().upper().replace("10", "T")
    hand = _HAND.fullmatch(plain) if len(plain) <= 60 else None
    if hand is None:
        raise Unreadable(t("{hand} is no hand: write four suits as S, H, D and C.", hand=written[:40]))
    spades, hearts, diamonds, clubs = (suit or "" for suit in hand.groups())
    return Hand((spades, hearts, diamonds, clubs))

"""The auction and the play of a PBN game (PBN 2.1, sections 3.5 and 3.6)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.call import Call, last_passes
from casework.domain.bridge.call import read_calls as read_calls_typed
from casework.domain.bridge.files.pbn_games import Game
from casework.domain.bridge.files.words import MOST_CALLS, MOST_CARDS, explained
from casework.domain.bridge.notation import RANKS, SEATS, Seat, Suit, Unreadable
from casework.domain.bridge.play import Play, Trick
from casework.text import t

_PASS = Call("P")
_CALLS = (
    dict.fromkeys(("Pass", "pass", "PASS", "P", "p"), _PASS)
    | {written: Call(written.upper()) for written in ("X", "x", "XX", "xx")}
    | {f"{level}{strain}": Call(f"{level}{strain}") for level in range(1, 8) for strain in "CDHS"}
    | {f"{level}NT": Call(f"{level}N") for level in range(1, 8)}
)
_CARDS = {card: card for card in (suit + rank for suit in Suit for rank in RANKS)}
_PLAIN_CARDS = _CARDS | {"-": ""}
"""As written → canonical: the same 52 texts for all games of a file."""
_TOKEN = re.compile(r"=[^=\s]*=?|\$\w*|\^\w?|[!?]+|[^=$^!?\s]+")
_LONGEST_WORD = 100
_ALERTED = re.compile(r"\s*(!$|! |alert)", re.IGNORECASE)


def read_seat(written: str) -> Seat | None:
    """N, E, S or W in a tag; None for anything else."""
    return _SEATS.get(written)


_SEATS = {seat.value: seat for seat in SEATS} | {seat.value.lower(): seat for seat in SEATS}


@dataclass(slots=True)
class Calls:
    """The calls of a game; `first` is who makes the first by the file."""

    first: Seat | None
    calls: list[Call] = field(default_factory=list)

    def add_passes(self) -> None:
        """`AP`: all pass who still can."""
        self.calls += last_passes(self.calls)


def read_calls(game: Game) -> Calls:
    """The calls that can be read, up to the first that cannot."""
    read = Calls(read_seat(game.tags["Auction"]))
    if read.first is None and game.tags["Auction"] not in ("", "#"):
        game.remark(game.place("Auction"), t("This is no seat: {text}", text=game.tags["Auction"][:20]))
    for line, row in game.rows["Auction"]:
        ended = not _read_row(game, read, line, row.split())
        if len(read.calls) > MOST_CALLS:
            game.remark(line, t("The auction is too long; it is read up to here."))
            del read.calls[MOST_CALLS:]
            return read
        if ended:
            return read
    return read


def _read_row(game: Game, read: Calls, line: int, words: list[str]) -> bool:
    """Most rows are plain calls; False where the auction ends."""
    try:
        read.calls += [_CALLS[word] for word in words]
    except KeyError:
        return _read_words(game, read, line, words)
    return True


def _read_words(game: Game, read: Calls, line: int, words: list[str]) -> bool:
    """A row with notes or worse; False where the auction ends."""
    for word in words:
        if call := _CALLS.get(word):
            read.calls.append(call)
        elif word[0] == "=" == word[-1]:
            _mark(game, read.calls, line, word[:_LONGEST_WORD])
        elif not _read_odd(game, read, line, word):
            return False
    return True


def _read_odd(game: Game, read: Calls, line: int, word: str) -> bool:
    """Whatever is no plain call; False where the auction ends."""
    if word == "-":
        if read.calls:
            game.remark(line, t("A call is missing here."))
        elif read.first:
            read.first = read.first.next
        return True
    if word in ("*", "+"):
        return False
    if len(word) > _LONGEST_WORD:
        game.remark(line, t("{call} is no call; the auction is read up to here.", call=word[:20]))
        return False
    for part in _TOKEN.findall(word):
        if part.upper() == "AP":
            read.add_passes()
        elif part[0] in "=$!?^":
            _mark(game, read.calls, line, part)
        elif (call := _CALLS.get(part)) or (call := _other_call(game, line, part)):
            read.calls.append(call)
        else:
            game.remark(line, t("{call} is no call; the auction is read up to here.", call=part[:20]))
            return False
    return True


def _other_call(game: Game, line: int, written: str) -> Call | None:
    """A call as other programs write it, as `1N` or `Dbl`."""
    try:
        (call,) = Auction.parse("XX" if written == "R" else written, Seat.north).calls
    except (Unreadable, ValueError):
        return None
    game.remark(line, t("{written} is not written as PBN writes it; it was read as {call}.",
                        written=written[:20], call=call.shown))  # fmt: skip
    return call


def _mark(game: Game, calls: list[Call], line: int, mark: str) -> None:
    """A note, a suffix or an irregularity; suffixes say how good a call is, not that it was alerted."""
    if mark[0] == "=" and calls:
        note = _note(game, line, mark, ("Auction", "Play"))
        if note is not None:
            calls[-1] = noted(calls[-1], note)
    else:
        _other_mark(game, line, mark)


def _note(game: Game, line: int, mark: str, sections: tuple[str, ...]) -> str | None:
    """The note that `=n=` stands for; some programs put the auction's notes after the play (BR06)."""
    number = mark[1:-1] if mark[-1] == "=" else ""
    for section in sections:
        note = section, number
        if note in game.notes:
            game.used.add(note)
            return game.notes[note]
    if number.isdecimal():
        game.remark(line, t("There is no note {number}.", number=number[:4]))
    else:
        game.remark(line, t("This cannot be read: {text}", text=mark[:20]))
    return None


def _other_mark(game: Game, line: int, mark: str) -> None:
    suffix = mark in ("!", "?", "!!", "??", "!?", "?!")
    if mark[0] == "^":
        game.remark(line, t("The file marks the next call or card as irregular: {mark}", mark=mark))
    elif not (suffix or (mark[1:].isdecimal() and 1 <= int(mark[1:5]) <= 255)):
        game.remark(line, t("This cannot be read: {text}", text=mark[:20]))


@lru_cache(maxsize=1 << 12)
def noted(call: Call, note: str) -> Call:
    """The call with a note more.

    A note that is the call itself, as players write it, says all about it: `[30 s] 2♣! N>E: "forcing"`. `! text` is
    how this project writes an alerted call; RealBridge writes "Alerted" where nothing was explained.
    """
    if call == Call(call.call) and call.shown in note and (whole := _said_whole(call, note)):
        return whole
    text = note[1:] if note[:2] in ("!", "! ") else note
    return explained(call, text, alert=_ALERTED.match(note) is not None)


def _said_whole(call: Call, note: str) -> Call | None:
    try:
        said = read_calls_typed(note)
    except Unreadable:
        return None
    return said[0] if len(said) == 1 and said[0].call == call.call and said[0] != call else None


def read_lead(game: Game) -> str | None:
    """The lead where it is all that is known of the play: one card, and no places for the others."""
    words = " ".join([row for _, row in game.rows["Play"][:3]]).split()
    return _CARDS.get(words[0]) if len(words) == 1 or words[1:] == ["*"] else None


def read_play(game: Game, declarer: Seat | None) -> Play | None:
    """Rows of four cards from `Play`'s seat on, whoever leads to the trick; cards that cannot be read are left out."""
    written = game.tags["Play"]
    leader = read_seat(written) or (declarer and declarer.next)
    cards = _plain_cards(game) or _cards(game)
    if not leader or not any(cards):
        return None
    cards += [""] * (-len(cards) % 4)
    at = SEATS.index(leader)
    tricks: list[Trick] = list(zip(*(cards[(seat - at) % 4 :: 4] for seat in range(4)), strict=True))
    while not any(tricks[-1]):
        tricks.pop()
    return Play(leader, tuple(tricks))


def _plain_cards(game: Game) -> list[str]:
    """The cards where nothing but cards and dashes stands there; else none."""
    words = " ".join([row for _, row in game.rows["Play"]]).split()
    if words[-1:] == ["*"]:
        words.pop()
    if len(words) > MOST_CARDS:
        return []
    try:
        return list(map(_PLAIN_CARDS.__getitem__, words))
    except KeyError:
        return []


def _cards(game: Game) -> list[str]:
    cards: list[str] = []
    for line, row in game.rows["Play"]:
        for word in row.split():
            if word == "*":
                return cards
            cards += _odd_cards(game, line, word)
        if len(cards) > MOST_CARDS:
            game.remark(line, t("More than 52 cards are played; the rest is left out."))
            return cards[:MOST_CARDS]
    return cards


def _odd_cards(game: Game, line: int, word: str) -> Iterator[str]:
    if word in ("-", "+"):
        yield ""
        return
    for part in _TOKEN.findall(word[:_LONGEST_WORD]):
        card = part.upper().replace("10", "T")
        if card in _CARDS:
            yield card
        elif part[0] == "=":
            if note := _note(game, line, part, ("Play",)):
                game.remark(line, t("A note on a card is left out: {note}", note=note[:200]))
        elif part[0] in "$!?^":
            _other_mark(game, line, part)
        else:
            game.remark(line, t("{card} is no card.", card=part[:20]))
            yield ""

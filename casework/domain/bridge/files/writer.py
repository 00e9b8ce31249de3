"""A board as PBN 2.1 in export form, for programs outside."""

from collections.abc import Iterator, Mapping

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.call import Call
from casework.domain.bridge.files.pbn import read_pbn
from casework.domain.bridge.files.pbn_games import MOST_NOTES
from casework.domain.bridge.files.pbn_sections import noted
from casework.domain.bridge.files.pbn_supplement import PARTIAL, supplement
from casework.domain.bridge.files.source import Source
from casework.domain.bridge.notation import SEATS, Seat
from casework.domain.bridge.play import Play

HEAD = "% PBN 2.1\n% EXPORT\n%Content-type: text/x-pbn; charset=UTF-8\n"
_CALLS = {"P": "Pass"} | {f"{level}N": f"{level}NT" for level in range(1, 8)}


def write_pbn(board: Board, *, event: str = "", date: str = "", players: Mapping[Seat, str] | None = None) -> str:
    """The board as a file of its own, to be encoded as UTF-8. An unknown value is empty.

    Notes stand right after their section, and a passed-out board has neither declarer nor result (BR06). An alert is
    a note that begins with "!"; a note on a pause, a call out of turn or who explained what is the call as players
    write it. A lead alone is a play of one card. What PBN cannot say stands in tags of our own: nothing is lost.
    """
    written = HEAD + "\n".join(_lines(board, event, date, players or {})) + "\n"
    read = read_pbn(Source(written)).records
    added = supplement(board, read[0].board if read else Board(board.dealer, board.vulnerability))
    return written + "".join(_whole_tag(tag, value) + "\n" for tag, value in added.items())


def _lines(board: Board, event: str, date: str, players: Mapping[Seat, str]) -> Iterator[str]:
    contract = board.contract
    played = contract is not None and not contract.passed_out
    yield _tag("Event", event)
    yield _tag("Site", "")
    yield _tag("Date", date)
    yield _tag("Board", board.number)
    for seat in (Seat.west, Seat.north, Seat.east, Seat.south):
        yield _tag(seat.name.capitalize(), players.get(seat, ""))
    yield _tag("Dealer", board.dealer)
    yield _tag("Vulnerable", board.vulnerability)
    yield _tag("Deal", _deal(board))
    if board.deal.partial:
        yield _tag(PARTIAL, "true")
    yield _tag("Scoring", "")
    yield _tag("Declarer", board.declarer if played else "")
    yield _tag("Contract", _contract(str(contract)) if contract else "")
    yield _tag("Result", board.tricks if played else "")
    if board.ns_score is not None:
        yield _tag("Score", f"NS {board.ns_score}")
    if board.auction:
        yield from _auction(board.auction)
    if board.play:
        yield from _play(board.play)
    elif board.lead:
        yield _tag("Play", board.declarer.next if board.declarer else "")
        yield from (board.lead, "*")


def _tag(name: str, value: object) -> str:
    return _whole_tag(name, "" if value is None else " ".join(str(value).split()))


def _whole_tag(name: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _deal(board: Board) -> str:
    if not any(board.deal.known()):
        return ""
    return "N:" + " ".join("-" if (hand := board.deal.hand(seat)) is None else str(hand) for seat in SEATS)


def _contract(written: str) -> str:
    return written[0] + written[1:].replace("N", "NT", 1) if written[1:2] == "N" else written


def _auction(auction: Auction) -> Iterator[str]:
    notes: list[str] = []
    words = []
    for call in auction.calls:
        words.append(_CALLS.get(call.call, call.call))
        if note := _note(call):
            if note not in notes and len(notes) < MOST_NOTES:
                notes.append(note)
            words[-1] += f" ={notes.index(note) + 1}=" if note in notes else ""
    if not auction.finished:
        words.append("+")
    yield _tag("Auction", auction.dealer)
    yield from (" ".join(words[start : start + 4]) for start in range(0, len(words), 4))
    yield from (_tag("Note", f"{number}:{note}") for number, note in enumerate(notes, 1))


def _note(call: Call) -> str:
    bare, plain = Call(call.call), f"! {call.explanation}".strip() if call.alert else call.explanation
    return plain if (noted(bare, plain) if plain else bare) == call else call.render("en")


def _play(play: Play) -> Iterator[str]:
    at = SEATS.index(play.leader)
    yield _tag("Play", play.leader)
    for trick in play.tricks:
        yield " ".join(card or "-" for card in trick[at:] + trick[:at])
    if len(play.tricks) < 13 or not all(play.tricks[-1]):
        yield "*"

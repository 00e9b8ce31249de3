"""Boards made by chance, in which everything fits, and short ways to read a file."""

from collections.abc import Sequence
from random import Random

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board
from casework.domain.bridge.call import Call
from casework.domain.bridge.contract import Strain
from casework.domain.bridge.deal import Deal, Hand
from casework.domain.bridge.files.checks import warnings
from casework.domain.bridge.files.reading import read_file
from casework.domain.bridge.files.record import BoardFile, Record
from casework.domain.bridge.files.writer import HEAD, write_pbn
from casework.domain.bridge.notation import RANKS, SEATS, Seat, Suit, dealer_of, vulnerability_of
from casework.domain.bridge.play import Play, winner
from casework.text import Text

PACK = [suit + rank for suit in Suit for rank in RANKS]
BIDS = [f"{level}{strain}" for level in range(1, 8) for strain in Strain]
WORDS = ["", "", "", "5+ hjärter", "11–14 hp", 'the "Multi"', "2♦/♥; forcing", "a \\ b", "[0:17] late"]


def random_board(random: Random, number: int | None = None, cards: Sequence[int] = (0, 1, 4, 23, 50, 52)) -> Board:
    """A board in which everything fits; the play stops after one of `cards`."""
    number = number or random.randint(1, 99)
    dealer, vulnerability = dealer_of(number), vulnerability_of(number)
    held = random_hands(random)
    auction = random_auction(random, dealer)
    contract, declarer = auction.contract() or (None, None)
    board = Board(
        dealer=dealer,
        vulnerability=vulnerability,
        number=number,
        deal=Deal(*(hand_of(held[seat]) for seat in SEATS)),
        auction=auction,
        contract=contract,
        declarer=declarer,
    )
    if contract is None or declarer is None:
        return board
    turns = random_cards(random, held, declarer.next, contract.strain)
    play = Play.in_turn(declarer.next, turns[: random.choice(cards)], contract.strain)
    won, played = play.won(declarer, contract.strain)
    return Board(
        dealer=dealer,
        vulnerability=vulnerability,
        number=number,
        deal=board.deal,
        auction=auction,
        contract=contract,
        declarer=declarer,
        lead=play.lead,
        tricks=random.randint(won, 13 - played + won),
        play=play if play.tricks else None,
    )


def random_hands(random: Random) -> dict[Seat, set[str]]:
    pack = random.sample(PACK, 52)
    return {seat: set(pack[13 * at : 13 * at + 13]) for at, seat in enumerate(SEATS)}


def hand_of(cards: set[str]) -> Hand:
    return Hand.of({suit: "".join(card[1] for card in cards if card[0] == suit) for suit in Suit})


def random_auction(random: Random, dealer: Seat) -> Auction:
    """Rising bids, passes between them, now and then a double of the other side; finished."""
    calls = [Call("P")] * random.randint(0, 4)
    bid = random.randint(0, 9)
    while (len(calls) != 4 or calls[0].bid) and bid < len(BIDS):
        calls.append(random_call(random, BIDS[bid]))
        if random.random() < 0.2:
            calls.append(random_call(random, "X"))
            if random.random() < 0.2:
                calls.append(random_call(random, "XX"))
        passes = random.choice([0, 1, 1, 2, 3])
        calls += [Call("P")] * passes
        if passes == 3:
            break
        bid += random.randint(1, 12)
    if not any(call.bid for call in calls) or [call.call for call in calls[-3:]] == ["P"] * 3:
        return Auction(dealer, tuple(calls))
    while calls[-1].call == "P":
        calls.pop()
    return Auction(dealer, (*calls, *[Call("P")] * 3))


def random_call(random: Random, call: str) -> Call:
    return Call(call, alert=random.random() < 0.2, explanation=random.choice(WORDS))


def random_cards(random: Random, held: dict[Seat, set[str]], leader: Seat, strain: Strain) -> list[str]:
    """All 52 cards in the order they were played, following suit."""
    left = {seat: sorted(cards) for seat, cards in held.items()}
    played: list[str] = []
    for _ in range(13):
        trick = dict.fromkeys(SEATS, "")
        seat = leader
        for _ in range(4):
            led = trick[leader][:1]
            card = random.choice([card for card in left[seat] if card[0] == led] or left[seat])
            left[seat].remove(card)
            trick[seat] = card
            played.append(card)
            seat = seat.next
        leader = winner((trick[Seat.north], trick[Seat.east], trick[Seat.south], trick[Seat.west]), leader, strain)
    return played


def written_file(random: Random, boards: int) -> str:
    """A PBN file of random boards, most of them played to the end, as a club has them."""
    made = (random_board(random, number, cards=(36, 44, 52, 52)) for number in range(1, boards + 1))
    return HEAD + "\n".join(write_pbn(board, event="Autumn pairs").removeprefix(HEAD) for board in made)


def read(text: str) -> BoardFile:
    """A file in UTF-8."""
    return read_file(text.encode())


def said(record: Record) -> list[tuple[int, str]]:
    """Line and msgid of all that is odd about a record."""
    return [(remark.line, remark.text.msgid) for remark in warnings(record)]


def calls(board: Board) -> str:
    """The calls as in the text field."""
    return board.auction.render("sv") if board.auction else ""


def sentences(text: Text) -> list[str]:
    """The msgids of sentences that were put together."""
    if text.msgid != "{what} {detail}":
        return [text.msgid]
    return [msgid for part in text.params.values() if isinstance(part, Text) for msgid in sentences(part)]

"""What a PBN game takes from the game before: `#` and `##` (PBN 2.1), and a deal shared by two rooms (BR08)."""

from collections.abc import Iterable, Iterator

from casework.domain.bridge.files.pbn_games import Game
from casework.text import t

_THE_DEAL = ("Board", "Dealer", "Vulnerable", "Deal")
_PLAYED = ("Auction", "Contract", "Declarer", "Play", "Result")


def inherited(games: Iterable[Game]) -> Iterator[Game]:
    """The games with what each takes over; where it concerns the board itself, it is said."""
    standing: dict[str, str] = {}
    before = Game(0, 0)
    for game in games:
        _copy(game, before, standing)
        _share_deal(game, before)
        yield game
        before = game


def _copy(game: Game, before: Game, standing: dict[str, str]) -> None:
    """`#` is the value of the game before, `##` stands for all games that follow without one of their own."""
    if not standing and not game.copies:
        return
    for tag in game.tags.keys() & standing.keys():
        del standing[tag]
    for tag in game.copies:
        written = game.tags[tag]
        if written not in ("#", "##") and not written.startswith("##"):
            continue
        value = written[2:] or before.tags.get(tag)
        line = game.places[tag]
        if value is None:
            game.remark(line, t("[{tag}] is to be as in the game before, which has none.", tag=tag))
            value = ""
        elif tag in _THE_DEAL + _PLAYED:
            game.remark(line, t("[{tag}] is taken from the game before.", tag=tag))
        game.tags[tag] = value
        if written.startswith("##"):
            standing[tag] = value
    for tag, value in standing.items():
        game.tags.setdefault(tag, value)


def _share_deal(game: Game, before: Game) -> None:
    tags = game.tags
    if "Board" in tags or any(tag in tags for tag in _THE_DEAL) or not any(tag in tags for tag in _PLAYED):
        return
    if "." not in before.tags.get("Deal", ""):
        return
    for tag in _THE_DEAL:
        if tag in before.tags:
            tags[tag] = before.tags[tag]
            game.places[tag] = game.line
    game.remark(game.line, t("Board, dealer, vulnerability and hands are taken from the game before, on line {line}.",
                             line=before.place("Board", "Deal")))  # fmt: skip

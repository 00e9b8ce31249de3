"""What a thumb does on the pads: cards, calls, results."""

from tests.browser.phone import Phone

SUITS = {"S": "spader", "H": "hjärter", "D": "ruter", "C": "klöver"}
RANKS = {"A": "E", "Q": "D", "J": "Kn", "T": "10"}
WHOSE, SUIT, OF_SUIT = "Vems hand", "Färg", "Kort i färgen"
CALLED, LEVEL, LAST = "Pass och dubblingar", "Nivå", "Om det senaste budet"


def deal(phone: Phone, hand: str) -> None:
    """The cards of one hand, "AK.JT976.AQ2.986"."""
    for suit, ranks in zip(SUITS.values(), hand.split("."), strict=True):
        cards = phone.page.get_by_role("group", name="Kort", exact=True)
        cards.get_by_role("group", name=SUIT).get_by_role("button", name=suit).tap()
        phone.tap(*(RANKS.get(rank, rank) for rank in ranks), within=OF_SUIT)


def call(phone: Phone, made: str) -> None:
    """One call, "1S" or "P"."""
    if not made[0].isdigit():
        phone.tap({"P": "Pass"}.get(made, made), within=CALLED)
        return
    phone.tap(made[0], within=LEVEL)
    bids = phone.page.get_by_role("group", name="Bud", exact=True).get_by_role("group", name=SUIT)
    bids.get_by_role("button", name=SUITS.get(made[1], "NT")).tap()

"""A board as a ruling knows it: whatever is known of deal, auction, contract and result, checked against itself."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.call import Call
from casework.domain.bridge.contract import Contract, score
from casework.domain.bridge.deal import Deal, Hand
from casework.domain.bridge.notation import (
    SEATS,
    Seat,
    Unreadable,
    Vulnerability,
    card_words,
    dealer_of,
    vulnerability_of,
)
from casework.domain.bridge.play import Claim, Play
from casework.domain.bridge.scoring.outcomes import not_in_zone
from casework.domain.bridge.scoring.working import signed
from casework.text import Text, says_something, t


@dataclass(frozen=True, slots=True)
class Finding:
    """Something odd about a board; `field` names the part. What is `grave` cannot have happened at any table.

    `about` tells two findings of the same words apart: what was recorded, or which call it was.
    """

    field: str
    text: Text
    grave: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """All that is known of one board; `ns_score` is as recorded, from North-South's side.

    `because` holds, by the field of a finding, why it is recorded as it is: an irregularity is often the very
    matter of the case.
    """

    dealer: Seat
    vulnerability: Vulnerability
    number: int | None = None
    deal: Deal = field(default_factory=Deal)
    auction: Auction | None = None
    contract: Contract | None = None
    declarer: Seat | None = None
    lead: str | None = None
    tricks: int | None = None
    ns_score: int | None = None
    play: Play | None = None
    claim: Claim | None = None
    because: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.auction is not None and self.auction.dealer is not self.dealer:
            raise ValueError("the auction begins with the dealer")

    @classmethod
    def numbered(cls, number: int) -> Self:
        """An empty board with the dealer and vulnerability of its number. ValueError below 1."""
        return cls(dealer=dealer_of(number), vulnerability=vulnerability_of(number), number=number)

    @property
    def zone(self) -> Vulnerability | None:
        """The vulnerability where it is known: of a board without a number that nobody has described it is not."""
        described = self.auction is not None or any(self.deal.known())
        known = self.number is not None or described or self.vulnerability is not Vulnerability.none
        return self.vulnerability if known else None

    def computed_score(self) -> int | None:
        """The score that contract, declarer and result give; None while one of them is missing."""
        if self.contract is None:
            return None
        if self.contract.passed_out:
            return 0
        if self.declarer is None or self.tricks is None:
            return None
        return score(self.contract, self.declarer, self.tricks, self.vulnerability)

    def findings(self) -> list[Finding]:
        """Everything odd, in the order of the form."""
        return [*self._against_number(), *self._in_deal(), *self._in_auction(), *self._in_contract(),
                *self._in_result(), *self._in_play(), *self._in_claim()]  # fmt: skip

    def open_findings(self) -> list[Finding]:
        """The findings that are still to be put right, or recorded with a reason where that is possible."""
        return [each for each in self.findings() if each.grave or not says_something(self.because.get(each.field, ""))]

    def explained(self) -> list[Finding]:
        """The findings that have their reason: it was given for these, and for no others."""
        return [each for each in self.findings() if not each.grave and says_something(self.because.get(each.field, ""))]

    def reasons_for(self, fresh: Self) -> dict[str, str]:
        """The reasons that still hold when the board becomes `fresh`: those of fields where nothing odd is new."""
        explained = self.explained()
        new = {finding.field for finding in fresh.findings() if finding not in explained}
        return {name: reason for name, reason in self.because.items() if name not in new}

    def _against_number(self) -> Iterator[Finding]:
        if self.number is None:
            return
        dealer, vulnerability = dealer_of(self.number), vulnerability_of(self.number)
        if dealer is not self.dealer:
            words = t("Board {number} is dealt by {seat}.", number=self.number, seat=dealer.words)
            yield Finding("dealer", words, about=self.dealer)
        if vulnerability is not self.vulnerability:
            words = t("Board {number} has {vulnerability}.", number=self.number, vulnerability=vulnerability.words)
            yield Finding("vulnerability", words, about=self.vulnerability)

    def _in_deal(self) -> Iterator[Finding]:
        if any(self.deal.known()):
            yield from (Finding("deal", problem, grave=True) for problem in self.deal.problems())

    def _in_auction(self) -> Iterator[Finding]:
        if self.auction is None:
            return
        for each in self.auction.irregularities():
            yield Finding("auction", each.reason, about=str(each.index))
        if not self.auction.finished:
            yield Finding("auction", t("The auction is not finished. Add the last passes."))

    def _in_contract(self) -> Iterator[Finding]:
        given = self.auction.contract() if self.auction else None
        if given is None or self.contract is None:
            return
        contract, declarer = given
        if contract != self.contract:
            words = t("The auction gives the contract {contract}.", contract=contract.shown)
            yield Finding("contract", words, about=str(self.contract))
        if declarer is not None and self.declarer is not None and declarer is not self.declarer:
            words = t("By the auction {seat} is declarer.", seat=declarer.words)
            yield Finding("declarer", words, about=self.declarer)

    def _in_result(self) -> Iterator[Finding]:
        if self.contract is not None and self.contract.passed_out and (self.lead or self.tricks):
            words = t("A board that was passed out has neither lead nor tricks.")
            yield Finding("result", words, about=f"{self.lead} {self.tricks}")
        leader = self.declarer and self.deal.hand(self.declarer.next)
        if self.lead and self.declarer and leader and not self.deal.partial and self.lead not in leader.cards:
            words = t("{seat} leads, but does not have {card}.", seat=self.declarer.next.words,
                      card=card_words(self.lead))  # fmt: skip
            yield Finding("lead", words)
        computed = self.computed_score()
        if computed is not None and self.ns_score is not None and computed != self.ns_score:
            words = t("Contract and result give {score} to North–South.", score=signed(computed))
            yield Finding("score", words, about=str(self.ns_score))
        elif computed is None and self.ns_score is not None and (odd := not_in_zone(self.zone, self.ns_score)):
            yield Finding("score", odd, about=str(self.ns_score))

    def _in_play(self) -> Iterator[Finding]:
        if self.play is None:
            return
        strain = self.contract.strain if self.contract else None
        faults = list(self.play.faults(self.deal, strain))
        yield from (Finding("play", fault) for fault in faults)
        if self.declarer is None:
            return
        if self.play.leader is not self.declarer.next:
            yield Finding("play", t("{seat} is to lead.", seat=self.declarer.next.words))
        if faults or strain is None or any(len(hand.cards) != 13 for _, hand in self.deal.known()):
            return
        won, played = self.play.won(self.declarer, strain)
        claimed = self.claim.tricks if self.claim else None
        for part, tricks in {"claim": claimed, "result": self.tricks}.items():
            if tricks is not None and not won <= tricks <= 13 - played + won:
                yield Finding(part, t("Declarer had {won} of the first {played} tricks; {tricks} in all do not fit.",
                                      won=won, played=played, tricks=tricks))  # fmt: skip

    def _in_claim(self) -> Iterator[Finding]:
        if self.claim is None or self.claim.remaining is None:
            return
        left = 13 - self.claim.trick
        for seat, hand in self.claim.remaining.known():
            held = self.deal.hand(seat)
            for card in hand.cards if held and not self.deal.partial else ():
                if held and card not in held.cards:
                    yield Finding("claim", t("{seat} cannot have {card} left: it was never in the hand.",
                                             seat=seat.words, card=card_words(card)))  # fmt: skip
            if not left <= len(hand.cards) <= left + 1:
                yield Finding("claim", t("{seat} has {held} cards left; in trick {number} it is {most}, or one less.",
                                         seat=seat.words, held=len(hand.cards), number=self.claim.trick,
                                         most=left + 1))  # fmt: skip

    def remaining(self) -> Deal | None:
        """The cards at the claim: as they were shown, else what a play that reaches it leaves of a whole deal."""
        if self.claim is None:
            return None
        if self.claim.remaining is not None:
            return self.claim.remaining
        whole = not self.deal.partial and len([*self.deal.known()]) == len(SEATS)
        played = self.play.until(self.claim.trick) if self.play is not None else None
        return played.left(self.deal) if whole and played is not None else None

    def to_json(self) -> dict[str, Any]:
        """The one stored form: PBN's letters, the keys that `casework board` prints."""
        return {
            "board": self.number,
            "dealer": self.dealer.value,
            "vulnerable": self.vulnerability.value,
            "hands": {seat.value: str(hand) for seat, hand in self.deal.known()},
            "partial": self.deal.partial,
            "auction": [call.to_json() for call in self.auction.calls] if self.auction else None,
            "contract": self.contract and str(self.contract),
            "declarer": self.declarer and self.declarer.value,
            "lead": self.lead,
            "result": self.tricks,
            "score": self.ns_score,
            "play": self.play and self.play.to_json(),
            "claim": self.claim and self.claim.to_json(),
            "because": dict(self.because),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave, also before it knew play and claims."""
        dealer = Seat(stored["dealer"])
        hands = {seat: Hand.parse(stored["hands"][seat]) if seat in stored["hands"] else None for seat in SEATS}
        auction = stored["auction"]
        return cls(
            dealer=dealer,
            vulnerability=Vulnerability(stored["vulnerable"]),
            number=stored["board"],
            deal=Deal(*hands.values(), partial=stored["partial"]),
            auction=Auction(dealer, tuple(Call.from_json(call) for call in auction)) if auction is not None else None,
            contract=Contract.parse(stored["contract"])[0] if stored["contract"] else None,
            declarer=Seat(stored["declarer"]) if stored["declarer"] else None,
            lead=stored["lead"],
            tricks=stored["result"],
            ns_score=stored["score"],
            play=Play.from_json(stored["play"]) if stored.get("play") else None,
            claim=Claim.from_json(stored["claim"]) if stored.get("claim") else None,
            because=stored["because"],
        )


def parse_deal(typed: Mapping[Seat, str], *, partial: bool = False) -> tuple[Deal, dict[Seat, Text]]:
    """The deal from a text field per seat, and what could not be read by seat; an empty field is an unknown hand."""
    hands: dict[Seat, Hand | None] = dict.fromkeys(SEATS)
    unread: dict[Seat, Text] = {}
    for seat, text in typed.items():
        try:
            hands[seat] = Hand.parse(text) if text.strip() else None
        except Unreadable as error:
            unread[seat] = error.reason
    return Deal(*hands.values(), partial=partial), unread

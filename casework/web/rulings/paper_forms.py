"""The parts of the full form: hands and auction, contract and result, what the sides say, reasons."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import wtforms
from wtforms import validators
from wtforms.widgets import HiddenInput

from casework.domain.bridge.auction import Auction
from casework.domain.bridge.board import Board, Finding, parse_deal
from casework.domain.bridge.contract import Contract, parse_tricks, render_tricks
from casework.domain.bridge.notation import SEATS, Language, Seat, Unreadable, Vulnerability, card_name, parse_card
from casework.domain.terms import Side
from casework.services.boards import AGREED, REASONS, RulingPapers
from casework.text import t
from casework.web.forms import Form, Needed, ReasonField, options
from casework.web.rulings.play_fields import PlayFields, typed_play

HAND = {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}


class Paper(Form):
    """A part of the full form; `basis` names the newest filing that its reader has seen."""

    basis = wtforms.StringField(widget=HiddenInput(), validators=[validators.Optional()])


class BoardPaper(Paper):
    """A part of the board. What is odd can be recorded as it was, with the reason; what cannot have been, cannot.

    The tick and the reason count for what `named` says that its reader has been told, and for nothing else. Given
    before anything was told, they count for one thing: who knows of two can be wrong about the second.
    """

    named = wtforms.StringField(widget=HiddenInput(), validators=[validators.Optional()])
    as_played = wtforms.BooleanField(t("It was so at the table"))
    because = ReasonField(t("Why is it recorded like that?"))

    concerns: Collection[str] = ()
    """The findings of `Board` that are this part's to put right."""

    def read(self, board: Board) -> Board:
        """The board with this part as it was typed; what cannot be read is said at its field."""
        raise NotImplementedError

    def recorded(self, board: Board) -> Board:
        """The board as it is to be filed; what is odd and not explained is said at its field."""
        fresh = self.read(board)
        mine = [finding for finding in self.found(fresh, board) if finding.field in self.concerns]
        kept = {name: reason for name, reason in board.reasons_for(fresh).items() if name not in self.concerns}
        reason = self.because.data if self.as_played.data else ""
        told = [*(self.named.data or "").split(), *map(_mark, board.explained())]
        if not told and len({finding.field for finding in mine}) == 1:
            told = [*map(_mark, mine)]
        unsaid = [finding for finding in mine if finding.grave or not reason or _mark(finding) not in told]
        fresh = replace(
            fresh, because=kept | {finding.field: reason for finding in mine if reason and not finding.grave}
        )
        self._say(unsaid)
        if self.as_played.data and not reason:
            self.because.errors = [t("Write why it is recorded like that.")]
        elif any(not finding.grave for finding in unsaid):
            self._ask_again(again=bool(told))
        if self.errors:
            self.name(mine)
        self.status = 422 if self.errors else 200
        return fresh

    def name(self, findings: Iterable[Finding]) -> None:
        """Note what the page tells: the next tick counts for it."""
        self.named.data = " ".join(map(_mark, findings))

    def _ask_again(self, *, again: bool) -> None:
        """A tick that was given for something else is taken away; its reason stays as a start."""
        if self.as_played.data:
            self.as_played.data = False
            words = t("Tick that all of this was so at the table, and see that the reason covers it.")
            if again:
                words = t("Tick that this too was so at the table, and see that the reason covers it.")
            self.as_played.errors = [words]

    def found(self, fresh: Board, known: Board) -> Iterable[Finding]:
        """What is odd about it, given what was known of the board before."""
        return fresh.findings()

    def _say(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            field = self._fields.get(_PLACES.get(finding.field, finding.field))
            if field is None:
                self.form_errors.append(finding.text)
            else:
                field.errors = [*field.errors, finding.text]

    @property
    def odd(self) -> bool:
        """Whether the boxes for what is odd are to be shown open."""
        return bool(self.errors or self.as_played.data)


_PLACES = {"deal": "north", "score": "ns_score", "declarer": "contract", "claim": "claim_trick", "result": "tricks"}
"""Finding → the field where it is said, where the two are not called alike."""


class HandsPaper(BoardPaper):
    """Four hands and the auction; dealer and zone where the board has no number."""

    concerns = ("deal", "auction", "dealer", "vulnerability")

    dealer = wtforms.SelectField(t("Dealer"), choices=options(*((seat.value, seat.words) for seat in SEATS)))
    vulnerability = wtforms.SelectField(
        t("Vulnerability"), choices=options(*((zone.value, zone.words) for zone in Vulnerability))
    )
    north = wtforms.StringField(
        t("North"),
        description=t("Spades, hearts, diamonds, clubs with a slash between them, for example {hand}.",
                      hand="E K 10 / Kn 9 4 / – / D 8 7 6 5 4 2"),
        validators=[validators.Optional()], render_kw=HAND,
    )  # fmt: skip
    east = wtforms.StringField(t("East"), validators=[validators.Optional()], render_kw=HAND)
    south = wtforms.StringField(t("South"), validators=[validators.Optional()], render_kw=HAND)
    west = wtforms.StringField(t("West"), validators=[validators.Optional()], render_kw=HAND)
    partial = wtforms.BooleanField(t("Not all hands or cards are known"))
    auction = wtforms.TextAreaField(
        t("Auction"),
        description=t("From the dealer on, for example {auction}.", auction=t('1♠ P 2♣! "forcing" P')),
        validators=[validators.Optional()],
    )

    @classmethod
    def of(cls, papers: RulingPapers, language: Language) -> "HandsPaper":
        """Prefilled with what is filed."""
        board = papers.board
        hands = {seat.name: hand.render(language) for seat, hand in board.deal.known()}
        return cls(
            basis=papers.basis,
            dealer=board.dealer.value,
            vulnerability=board.vulnerability.value,
            partial=board.deal.partial,
            auction=board.auction.render(language) if board.auction else "",
            as_played=any(board.because.get(name) for name in cls.concerns),
            because=_reason(board, cls.concerns),
            **hands,
        )

    def read(self, board: Board) -> Board:
        """Hands and auction as typed."""
        typed = {seat: self._fields[seat.name].data or "" for seat in SEATS}
        deal, unread = parse_deal(typed, partial=self.partial.data)
        for seat, reason in unread.items():
            self._fields[seat.name].errors = [reason]
        dealer = Seat(self.dealer.data or board.dealer)
        zone = Vulnerability(self.vulnerability.data or board.vulnerability)
        fresh = replace(board, dealer=dealer, vulnerability=zone, deal=board.deal if unread else deal, auction=None)
        try:
            auction = Auction.parse(self.auction.data, dealer) if self.auction.data else None
        except Unreadable as error:
            self.auction.errors = [error.reason]
            return fresh
        return replace(fresh, auction=auction)


class ResultPaper(PlayFields, BoardPaper):
    """Contract, lead and result; play and claim where they matter."""

    concerns = ("contract", "declarer", "lead", "score", "play", "claim", "result")
    results = ("−4", "−3", "−2", "−1", "=", "+1", "+2", "+3")
    leads: Sequence[str] = ()
    """The cards of who is to lead, where his hand is known."""

    contract = wtforms.StringField(
        t("Contract and declarer"),
        description=t("For example {example}.", example="4♠X S"),
        validators=[Needed(t("Write the contract and who played it."))],
        render_kw=HAND,
    )
    lead = wtforms.StringField(
        t("Lead"), description=t("For example {example}.", example="♥8"), validators=[validators.Optional()],
        render_kw=HAND,
    )  # fmt: skip
    tricks = wtforms.StringField(
        t("Result"), description=t("As =, +1, −1 or the number of tricks."), validators=[validators.Optional()],
        render_kw=HAND,
    )  # fmt: skip
    ns_score = wtforms.StringField(
        t("Score to North–South"),
        description=t("As it was entered at the table. Empty: as contract and result give it."),
        validators=[validators.Optional()],
        render_kw=HAND,
    )

    @classmethod
    def of(cls, papers: RulingPapers, language: Language) -> "ResultPaper":
        """Prefilled with what is filed, or with what the auction gives."""
        board = papers.board
        given = board.auction.contract() if board.auction else None
        contract, declarer = (board.contract, board.declarer) if board.contract else given or (None, None)
        form = cls(
            basis=papers.basis,
            contract=contract.render(language, declarer) if contract else "",
            lead=card_name(board.lead, language) if board.lead else "",
            tricks=render_tricks(board.tricks, contract) if contract and board.tricks is not None else "",
            ns_score="" if board.ns_score is None else str(board.ns_score).replace("-", "−"),
            as_played=any(board.because.get(name) for name in cls.concerns),
            because=_reason(board, cls.concerns),
            **typed_play(board, language),
        )
        leader = board.deal.hand(declarer.next) if declarer else None
        form.leads = [card_name(card, language) for card in leader.cards] if leader else []
        return form

    def read(self, board: Board) -> Board:
        """Contract, lead and result as typed."""
        fresh = replace(board, contract=None, declarer=None, lead=None, tricks=None, ns_score=None)
        try:
            contract, declarer = Contract.parse(self.contract.data)
        except Unreadable as error:
            self.contract.errors = [error.reason]
            return fresh
        if declarer is None and not contract.passed_out:
            self.contract.errors = [t("Write who played the contract, for example {example}.", example="4♠ S")]
        fresh = replace(fresh, contract=contract, declarer=declarer)
        fresh = self._with(fresh, "lead", lambda typed: replace(fresh, lead=parse_card(typed)))
        fresh = self._with(fresh, "tricks", lambda typed: replace(fresh, tricks=parse_tricks(typed, contract)))
        fresh = self._with(fresh, "ns_score", lambda typed: replace(fresh, ns_score=_points(typed)))
        return self.read_play_and_claim(fresh)

    def _with(self, board: Board, name: str, reading: Any) -> Board:
        field = self._fields[name]
        if not field.data:
            return board
        try:
            read: Board = reading(field.data)
        except Unreadable as error:
            field.errors = [error.reason]
            return board
        return read


class FactsPaper(Paper):
    """What both sides say, and what each of them says alone."""

    agreed = wtforms.TextAreaField(t("What both sides agree on"), validators=[validators.Optional()])
    north_south = wtforms.TextAreaField(
        t("What North–South say, and the others dispute"), validators=[validators.Optional()]
    )
    east_west = wtforms.TextAreaField(
        t("What East–West say, and the others dispute"), validators=[validators.Optional()]
    )

    def texts(self) -> Mapping[str, str]:
        """What the service files."""
        return {
            AGREED: self.agreed.data or "",
            Side.NORTH_SOUTH.value: self.north_south.data or "",
            Side.EAST_WEST.value: self.east_west.data or "",
        }


class ReasonsPaper(Paper):
    """Why the director ruled as he did."""

    reasons = wtforms.TextAreaField(t("Reasons"), validators=[Needed(t("Write the reasons."))])

    def texts(self) -> Mapping[str, str]:
        """What the service files."""
        return {REASONS: self.reasons.data}


def _points(typed: str) -> int:
    plain = "".join(typed.split()).replace("−", "-").replace("–", "-")
    try:
        points = int(plain)
    except ValueError:
        points = 5
    if points % 10 or abs(points) > 7600:
        raise Unreadable(t("Write the score as 620 or −100."))
    return points


def _mark(finding: Finding) -> str:
    """A finding in a hidden field."""
    said = json.dumps([finding.field, finding.text.to_json(), finding.about], sort_keys=True)
    return sha256(said.encode()).hexdigest()[:16]


def _reason(board: Board, concerns: Iterable[str]) -> str:
    return next((board.because[name] for name in concerns if board.because.get(name)), "")

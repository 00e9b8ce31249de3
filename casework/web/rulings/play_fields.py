"""The play as far as it matters, and a claim: the folded part of the form about contract and result (Laws 68-71)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import wtforms
from wtforms import validators

from casework.domain.bridge.board import Board, parse_deal
from casework.domain.bridge.contract import Strain
from casework.domain.bridge.deal import Deal
from casework.domain.bridge.notation import SEATS, Language, Seat, Unreadable
from casework.domain.bridge.play import Claim
from casework.domain.bridge.play_text import MOST, read_play, render_play
from casework.text import Text, t
from casework.web.forms import Form, options

CARDS = {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
NUMBER = {"inputmode": "numeric", "autocomplete": "off"}


class PlayFields(Form):
    """All of it is optional; a claim is there as soon as one of its fields is filled in."""

    play = wtforms.TextAreaField(
        t("The play, a trick a line"),
        description=t("The cards in the order they were played, for example {trick}. A card without a suit is of the "
                      "suit led. Stop where it no longer matters.", trick=t("♠8 A 2 4")),
        validators=[validators.Optional()], render_kw=CARDS,
    )  # fmt: skip
    claim_trick = wtforms.StringField(
        t("In which trick was the claim?"), validators=[validators.Optional()], render_kw=NUMBER
    )
    claim_by = wtforms.SelectField(
        t("Who claimed?"),
        choices=options(("", t("Not noted")), *((seat.value, seat.words) for seat in SEATS)),
        validators=[validators.Optional()],
    )
    claim_statement = wtforms.TextAreaField(t("What was said"), validators=[validators.Optional()])
    claim_tricks = wtforms.StringField(
        t("Declarer's tricks in all, by the claim"), validators=[validators.Optional()], render_kw=NUMBER
    )
    left_north = wtforms.StringField(t("North had left"), validators=[validators.Optional()], render_kw=CARDS)
    left_east = wtforms.StringField(t("East had left"), validators=[validators.Optional()], render_kw=CARDS)
    left_south = wtforms.StringField(t("South had left"), validators=[validators.Optional()], render_kw=CARDS)
    left_west = wtforms.StringField(t("West had left"), validators=[validators.Optional()], render_kw=CARDS)

    claim_names = (
        "claim_trick", "claim_by", "claim_statement", "claim_tricks", "left_north", "left_east", "left_south",
        "left_west",
    )  # fmt: skip

    @property
    def about_play(self) -> bool:
        """Whether the folded part holds something, and is shown open."""
        return any(self[name].data or self[name].errors for name in ("play", *self.claim_names))

    def read_play_and_claim(self, board: Board) -> Board:
        """The board with play and claim as typed; what cannot be read is said at its field."""
        fresh = replace(board, play=None, claim=self._claim())
        try:
            play = read_play(self.play.data or "", _leader(board), _strain(board))
        except Unreadable as error:
            self.play.errors = [error.reason]
            return fresh
        return replace(fresh, play=play)

    def _claim(self) -> Claim | None:
        if not any(self[name].data for name in self.claim_names):
            return None
        trick = self._number("claim_trick", 1, t("Write the number of the trick, 1 to 13."))
        if trick is None and not self.claim_trick.errors:
            self.claim_trick.errors = [t("Write the number of the trick, 1 to 13.")]
        tricks = self._number("claim_tricks", 0, t("Write the number of tricks, 0 to 13."))
        remaining = self._remaining()
        if trick is None:
            return None
        by = Seat(self.claim_by.data) if self.claim_by.data else None
        statement = self.claim_statement.data or ""
        return Claim(trick=trick, by=by, statement=statement, tricks=tricks, remaining=remaining)

    def _number(self, name: str, low: int, wrong: Text) -> int | None:
        typed = (self[name].data or "").strip()
        if not typed:
            return None
        if typed.isascii() and typed.isdigit() and low <= int(typed[:3]) <= MOST:
            return int(typed)
        self[name].errors = [wrong]
        return None

    def _remaining(self) -> Deal | None:
        typed = {seat: self[f"left_{seat.name}"].data or "" for seat in SEATS}
        left, unread = parse_deal(typed, partial=True)
        for seat, reason in unread.items():
            self[f"left_{seat.name}"].errors = [reason]
        return left if any(left.known()) else None


def typed_play(board: Board, language: Language) -> Mapping[str, Any]:
    """What the fields begin with where play or claim are filed."""
    typed: dict[str, Any] = {}
    if board.play is not None:
        typed["play"] = render_play(board.play, language, _leader(board), _strain(board))
    claim = board.claim
    if claim is not None:
        left = dict(claim.remaining.known()) if claim.remaining else {}
        typed |= {
            "claim_trick": str(claim.trick),
            "claim_by": claim.by.value if claim.by else "",
            "claim_statement": claim.statement,
            "claim_tricks": "" if claim.tricks is None else str(claim.tricks),
            **{f"left_{seat.name}": hand.render(language) for seat, hand in left.items()},
        }
    return typed


def _leader(board: Board) -> Seat | None:
    return board.declarer.next if board.declarer else None


def _strain(board: Board) -> Strain | None:
    return board.contract.strain if board.contract else None

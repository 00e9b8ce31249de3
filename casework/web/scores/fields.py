"""What one side gets, as it is asked, and how a field of the score editor is read."""

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import wtforms

from casework.domain.bridge.notation import Unreadable, Vulnerability
from casework.domain.bridge.scoring.adjustment import SideScore
from casework.domain.bridge.scoring.artificial import BOARDS_PLAYED, ArtificialScore, Fault, Ground
from casework.domain.bridge.scoring.outcomes import AssignedScore, Share, read_percent
from casework.domain.bridge.scoring.penalties import Measure, Penalty
from casework.domain.bridge.scoring.typed import (
    read_outcome,
)
from casework.domain.bridge.scoring.working import HUNDRED
from casework.domain.rules.editions import LawEdition
from casework.text import Text, t
from casework.web.forms import Group, ReasonField, options

R = TypeVar("R")

TYPED = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
OUTCOME = TYPED | {"data-outcome": ""}
"""A result, which the pad helps to choose."""
NUMBER = TYPED | {"inputmode": "numeric"}
PERCENTS = ("10", "20", "25", "30", "33,3", "40", "50", "60", "66,7", "70", "75", "80", "90")
"""The shares that the pad offers."""
OFTEN = "−620\N{NO-BREAK SPACE}x\N{NO-BREAK SPACE}3"
MOST_BOARDS = 999
MOST = 8
"""Results that one side's score can be weighted of."""
ASSIGNED, ARTIFICIAL, SAME, STANDS = "assigned", "artificial", "same", "stands"
MATCHPOINTS, MATCH, PERCENT, MATCH_LATER = "matchpoints", "imps", "percent", "imps_later"


class ShareRow(Group):
    """A result with its share."""

    result = wtforms.StringField(t("Result"), render_kw=OUTCOME)
    percent = wtforms.StringField(t("Share, %"), render_kw=TYPED | {"inputmode": "decimal", "data-share": ""})


class SideFields(Group):
    """What one side gets; what is not of the chosen kind is not read."""

    kind = wtforms.RadioField(t("What does the side get?"), validate_choice=False)
    shares = wtforms.FieldList(wtforms.FormField(ShareRow), min_entries=2, max_entries=MOST)
    fault = wtforms.RadioField(
        t("How far was the side at fault?"),
        choices=options(*((fault.value, fault.words) for fault in Fault)),
        validate_choice=False,
    )
    ground = wtforms.RadioField(
        t("Why has the board no result?"),
        choices=options(*((ground.value, ground.words) for ground in Ground)),
        default=Ground.no_result.value,
        validate_choice=False,
    )
    own_percent = wtforms.StringField(
        t("The side's result on the other boards, %"),
        description=t(
            "Only if it is above 60 or under 40 per cent, or for a bye. Of a withdrawn board that was "
            "started: the result that you find likely. By the event's own method: what it gives."
        ),
        render_kw=TYPED | {"inputmode": "decimal"},
    )

    percent_labels: ClassVar[dict[str, Text]] = {
        "bye": t("The pair's own result on the boards it played, %"),
        "started": t("The likely result, %"),
        "own-method": t("What the method gives the side, %"),
    }
    """What the percentage is on other grounds; its label shows the one that is chosen."""

    own_method = ReasonField(
        t("The event's own method"),
        description=t("As it was announced before the event, and what it is counted from."),
    )
    played = wtforms.StringField(t("Boards played"), render_kw=NUMBER)
    boards = wtforms.StringField(t("Boards in the stage"), render_kw=NUMBER)

    penalty = wtforms.StringField(
        t("Penalty, besides the score"),
        description=t("Only the number, for example 10 per cent of a top. Empty: no penalty."),
        render_kw=TYPED | {"inputmode": "decimal"},
    )
    measure = wtforms.RadioField(
        t("The penalty is in"),
        choices=options(
            (Measure.percent_of_top.value, t("Per cent of a top")),
            (Measure.victory_points.value, t("VP")),
            (Measure.imps.value, t("IMPs")),
        ),
        default=Measure.percent_of_top.value,
        validate_choice=False,
    )

    def read_penalty(self, edition: LawEdition) -> Penalty | None:
        """What is taken from the side; None where nothing is, or where the field says what is wrong."""
        amount = read_field(self.penalty, read_percent)
        measures = (Measure.percent_of_top, Measure.victory_points, Measure.imps)
        if amount is None or self.measure.data not in measures:
            return None
        return Penalty.besides_the_score(edition, Measure(self.measure.data), amount)

    def read(self, vulnerability: Vulnerability) -> SideScore | None:
        """The score; None where a field says what is wrong."""
        if self.kind.data == ARTIFICIAL:
            return self._artificial()
        if self.kind.data == ASSIGNED:
            return self._assigned(vulnerability)
        self.kind.errors = [t("Choose what the side gets.")]
        return None

    def _artificial(self) -> ArtificialScore | None:
        ground = Ground(self.ground.data) if self.ground.data in set(Ground) else Ground.no_result
        if not ground.of_fault:
            return self._whoever_was_at_fault(ground)
        if self.fault.data not in set(Fault):
            self.fault.errors = [t("Choose how far the side was at fault.")]
        own = read_field(self.own_percent, read_percent)
        return None if self.errors else ArtificialScore(Fault(self.fault.data), own, ground)

    def _whoever_was_at_fault(self, ground: Ground) -> ArtificialScore | None:
        method, played, boards, own = "", None, None, None
        if ground is Ground.withdrew:
            played, boards = read_number(self.played, MOST_BOARDS), read_number(self.boards, MOST_BOARDS)
            if not self.errors and None in (played, boards):
                self.played.errors = [BOARDS_PLAYED]
        else:
            own = read_field(self.own_percent, read_percent)
        if ground is Ground.own_method:
            method = (self.own_method.data or "").strip()
            if not method:
                self.own_method.errors = [t("Write the event's own method in words.")]
        return None if self.errors else ArtificialScore(Fault.none, own, ground, method, played, boards)

    def _assigned(self, vulnerability: Vulnerability) -> AssignedScore | None:
        rows = [row.form for row in self.shares if row.form.result.data or row.form.percent.data]
        if not rows:
            self.shares[0].form.result.errors = [t("Write the result that the side gets.")]
        shares = [_share(row, vulnerability, alone=len(rows) == 1) for row in rows]
        found = tuple(share for share in shares if share is not None)
        return AssignedScore(found) if rows and len(found) == len(shares) else None


def _share(row: ShareRow, vulnerability: Vulnerability, *, alone: bool) -> Share | None:
    outcome = read_field(row.result, lambda typed: read_outcome(typed, vulnerability))
    if outcome is None and not row.result.errors:
        row.result.errors = [t("Write the result that this share is of.")]
    percent = read_field(row.percent, read_percent)
    if percent is None and not row.percent.errors:
        if not alone:
            row.percent.errors = [t("Write the share of this result, for example {example}.", example="33,3")]
        percent = HUNDRED
    return None if outcome is None or percent is None or row.errors else Share(outcome, percent)


def read_field(field: Any, reading: Callable[[str], R]) -> R | None:
    """What was typed, read; None where nothing was, or where the field says why it cannot be."""
    if not field.data or field.errors:
        return None
    try:
        return reading(field.data)
    except Unreadable as error:
        field.errors = [error.reason]
        return None


def read_number(field: Any, most: int, *, signed: bool = False) -> int | None:
    """A whole number from 0, or from the negative of `most` where it is `signed`."""

    def reading(typed: str) -> int:
        plain = typed.replace("−", "-").replace("–", "-").replace(" ", "")
        try:
            number = int(plain) if plain.isascii() else most + 1
        except ValueError:
            number = most + 1
        low = -most if signed else 0
        if not low <= number <= most:
            raise Unreadable(t("Write a whole number from {low} to {high}.", low=low, high=most))
        return number

    return read_field(field, reading)

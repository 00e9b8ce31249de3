"""What is asked about an adjusted score: what each side gets, and how the board is scored (R69-R78)."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

import wtforms
from wtforms import validators
from wtforms.widgets import HiddenInput

from casework.domain.bridge.notation import Language, Unreadable, Vulnerability
from casework.domain.bridge.scoring.adjustment import Adjustment, SideScore, SplitGround
from casework.domain.bridge.scoring.artificial import IMPS, ArtificialScore, Fault
from casework.domain.bridge.scoring.matchpoints import Comparison, Frequency, Line
from casework.domain.bridge.scoring.methods import ByImps, ByMatchpoints, ByPercent, Method, method_name
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome, Share, read_percent
from casework.domain.bridge.scoring.typed import (
    read_frequency,
    read_line,
    read_outcome,
    render_frequency,
    render_line,
    render_outcome,
)
from casework.domain.bridge.scoring.working import HUNDRED, shown
from casework.domain.errors import Invalid
from casework.domain.terms import Form as EventForm
from casework.domain.terms import Side
from casework.services.scores import ScoreInput
from casework.text import t
from casework.web.forms import Form, Group, Needed, options

R = TypeVar("R")

TYPED = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
OUTCOME = TYPED | {"data-outcome": ""}
"""A result, which the pad helps to choose."""
NUMBER = TYPED | {"inputmode": "numeric"}
PERCENTS = ("10", "20", "25", "30", "33,3", "40", "50", "60", "66,7", "70", "75", "80", "90")
"""The shares that the pad offers."""
OFTEN = "−620\N{NO-BREAK SPACE}x\N{NO-BREAK SPACE}3"
MOST = 8
"""Results that one side's score can be weighted of."""
ASSIGNED, ARTIFICIAL, SAME = "assigned", "artificial", "same"
MATCHPOINTS, MATCH, PERCENT = "matchpoints", "imps", "percent"


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
    own_percent = wtforms.StringField(
        t("The side's result on the other boards, %"),
        description=t("Only if it is above 60 or under 40 per cent: then the side gets that."),
        render_kw=TYPED | {"inputmode": "decimal"},
    )

    def read(self, vulnerability: Vulnerability) -> SideScore | None:
        """The score; None where a field says what is wrong."""
        if self.kind.data == ARTIFICIAL:
            return self._artificial()
        if self.kind.data == ASSIGNED:
            return self._assigned(vulnerability)
        self.kind.errors = [t("Choose what the side gets.")]
        return None

    def _artificial(self) -> ArtificialScore | None:
        if self.fault.data not in set(Fault):
            self.fault.errors = [t("Choose how far the side was at fault.")]
        own = _read(self.own_percent, read_percent)
        return None if self.errors else ArtificialScore(Fault(self.fault.data), own)

    def _assigned(self, vulnerability: Vulnerability) -> AssignedScore | None:
        rows = [row.form for row in self.shares if row.form.result.data or row.form.percent.data]
        if not rows:
            self.shares[0].form.result.errors = [t("Write the result that the side gets.")]
        shares = [_share(row, vulnerability, alone=len(rows) == 1) for row in rows]
        found = tuple(share for share in shares if share is not None)
        return AssignedScore(found) if rows and len(found) == len(shares) else None


def _share(row: ShareRow, vulnerability: Vulnerability, *, alone: bool) -> Share | None:
    outcome = _read(row.result, lambda typed: read_outcome(typed, vulnerability))
    if outcome is None and not row.result.errors:
        row.result.errors = [t("Write the result that this share is of.")]
    percent = _read(row.percent, read_percent)
    if percent is None and not row.percent.errors:
        if not alone:
            row.percent.errors = [t("Write the share of this result, for example {example}.", example="33,3")]
        percent = HUNDRED
    return None if outcome is None or percent is None or row.errors else Share(outcome, percent)


def _read(field: Any, reading: Callable[[str], R]) -> R | None:
    """What was typed, read; None where nothing was, or where the field says why it cannot be."""
    if not field.data or field.errors:
        return None
    try:
        return reading(field.data)
    except Unreadable as error:
        field.errors = [error.reason]
        return None


class ScoreForm(Form):
    """The whole editor. `basis` names the newest filing that its reader has seen."""

    basis = wtforms.StringField(widget=HiddenInput(), validators=[validators.Optional()])
    at_table = wtforms.StringField(
        t("Result at the table"),
        description=t("As it is in the result list now: {example}, or the score from North–South's side.",
                      example="4♥ N −2"),
        render_kw=OUTCOME,
    )  # fmt: skip
    north_south = wtforms.FormField(SideFields, t("What North–South get"))
    east_west = wtforms.FormField(SideFields, t("What East–West get"))
    split_because = wtforms.RadioField(
        t("Why do the sides get different results?"),
        choices=options(("", t("They get the same, or each what the laws say")), *((g, g.words) for g in SplitGround)),
        default="",
        validate_choice=False,
    )
    method = wtforms.RadioField(
        t("How is the board scored?"),
        choices=options(
            (MATCHPOINTS, t("Matchpoints, with the results of all tables")),
            (MATCH, t("IMPs, against the other table of the match")),
            (PERCENT, t("The results of the other tables are not here yet")),
        ),
        validators=[Needed(t("Choose how the board is scored."))],
    )
    frequency = wtforms.TextAreaField(
        t("The results of all tables"),
        description=t("One result a line from North–South's side, this table's own too. Several tables: {example}. A "
                      "table without a result: {percent}.", example=OFTEN, percent="60 % / 40 %"),
        render_kw=TYPED,
    )  # fmt: skip
    comparison = wtforms.RadioField(
        t("How are results that cannot be compared made good?"),
        choices=options(*((each.value, each.words) for each in Comparison)),
        default=Comparison.neuberg.value,
        validators=[Needed(t("Choose one of the answers."))],
    )
    missing = wtforms.StringField(t("Tables that have no line here"), render_kw=NUMBER)
    common_top = wtforms.StringField(
        t("The top of the event"), description=t("Only if it is not this board's own."), render_kw=NUMBER
    )
    other_table = wtforms.StringField(
        t("Result at the other table"),
        description=t("From North–South's side at that table."),
        render_kw=OUTCOME,
    )
    knock_out = wtforms.BooleanField(t("It is a knock-out match"))
    other_boards = wtforms.StringField(
        t("IMPs of the other boards"),
        description=t("What North–South's team leads by, with a minus if it is behind. Gives the match's VP."),
        render_kw=TYPED,
    )
    boards = wtforms.StringField(t("Boards in the match"), render_kw=NUMBER)
    average = wtforms.StringField(
        t("IMPs for average plus"), description=t("Empty: {number}.", number=IMPS), render_kw=NUMBER
    )

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        kinds = [
            (ASSIGNED, t("One result, or several weighted")),
            (ARTIFICIAL, t("A percentage, for want of a result")),
        ]
        self.north_south.form.kind.choices = options(*kinds)
        self.east_west.form.kind.choices = options((SAME, t("The same as North–South")), *kinds)
        self._number_rows()

    @property
    def sides(self) -> tuple[Any, Any]:
        """The fields of both sides."""
        return self.north_south, self.east_west

    def add_rows(self) -> None:
        """Room for one more result on each side."""
        for side in self.sides:
            if len(side.form.shares) < MOST:
                side.form.shares.append_entry()
        self._number_rows()

    def _number_rows(self) -> None:
        for side in self.sides:
            for number, row in enumerate(side.form.shares, start=1):
                row.form.result.label.text = t("Result {number}", number=number)
                row.form.percent.label.text = t("Share {number}, %", number=number)

    def read(self, vulnerability: Vulnerability) -> ScoreInput | None:
        """What was typed; None where a field says what is wrong."""
        north_south = self.north_south.form.read(vulnerability)
        east_west = self._east_west(north_south, vulnerability)
        table = _read(self.at_table, lambda typed: read_line(typed, vulnerability))
        method = self._method(table, vulnerability)
        ground = SplitGround(self.split_because.data) if self.split_because.data in set(SplitGround) else None
        self._gather()
        self.status = 422 if self.errors else 200
        if self.errors or north_south is None or east_west is None or method is None:
            return None
        return ScoreInput(
            north_south=north_south,
            east_west=east_west,
            method=method,
            split_because=ground,
            at_table=self._at_table(table, vulnerability),
        )

    def _gather(self) -> None:
        """A list of rows learns only while it is validated what its rows have to say."""
        for side in self.sides:
            side.form.shares.errors = [row.errors for row in side.form.shares if row.errors]

    def _at_table(self, table: Line | None, vulnerability: Vulnerability) -> Outcome | None:
        """The result with its contract, where the table had one."""
        has_one = table is not None and table.ns_score is not None
        return read_outcome(self.at_table.data, vulnerability) if has_one else None

    def _east_west(self, north_south: SideScore | None, vulnerability: Vulnerability) -> SideScore | None:
        fields: SideFields = self.east_west.form
        if fields.kind.data != SAME:
            return fields.read(vulnerability)
        if isinstance(north_south, ArtificialScore):
            fields.kind.errors = [t("Say for East–West too how far they were at fault.")]
        return north_south

    def _method(self, table: Line | None, vulnerability: Vulnerability) -> Method | None:
        if self.method.data == MATCHPOINTS:
            return self._matchpoints(table, vulnerability)
        if self.method.data == MATCH:
            return self._match(table, vulnerability)
        return ByPercent()

    def _matchpoints(self, table: Line | None, vulnerability: Vulnerability) -> ByMatchpoints | None:
        lines = _read(self.frequency, lambda typed: read_frequency(typed, vulnerability))
        if not lines and not self.frequency.errors:
            self.frequency.errors = [t("Write the results of all tables, one a line.")]
        if table is None and not self.at_table.errors:
            self.at_table.errors = [t("Write the result that the table has in the list.")]
        missing, top = _number(self.missing, 999) or 0, _number(self.common_top, 9999)
        if not lines or table is None or self.comparison.data not in set(Comparison):
            return None
        frequency = Frequency(lines, Comparison(self.comparison.data), missing, top)
        return ByMatchpoints(frequency, Line(table.ns_score, percent=table.percent))

    def _match(self, table: Line | None, vulnerability: Vulnerability) -> ByImps:
        other = _read(self.other_table, lambda typed: read_outcome(typed, vulnerability))
        average = _number(self.average, 24)
        return ByImps(
            other_table=other.ns_score if other else None,
            table=table.ns_score if table else None,
            knock_out=self.knock_out.data,
            other_boards=_number(self.other_boards, 999, signed=True),
            boards=_number(self.boards, 999),
            average=IMPS if average is None else average,
        )

    def apply_invalid(self, refusal: Invalid) -> None:
        """What is wrong with a side is said where its score was typed, with a method where its results were."""
        places = {side.value: _first(self[side.value].form) for side in Side}
        places["method"] = self.other_table if self.method.data == MATCH else self.frequency
        left = {}
        both = refusal.fields.get(Side.NORTH_SOUTH.value) == refusal.fields.get(Side.EAST_WEST.value)
        for name, reason in refusal.fields.items():
            if name == Side.EAST_WEST.value and both and self.east_west.form.kind.data == SAME:
                continue
            if name in places:
                places[name].errors = [*places[name].errors, reason]
            else:
                left[name] = reason
        self._gather()
        if left:
            super().apply_invalid(Invalid(left))


def _first(side: SideFields) -> Any:
    """The field of a side where its score is complained of."""
    if side.kind.data == ASSIGNED:
        return side.shares[0].form.percent
    return side.own_percent if side.kind.data == ARTIFICIAL else side.kind


def _number(field: Any, most: int, *, signed: bool = False) -> int | None:
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

    return _read(field, reading)


def typed_of(plan: Adjustment, at_table: Outcome | None, language: Language) -> dict[str, Any]:
    """What the form begins with where a score is filed."""
    same = isinstance(plan.north_south, AssignedScore) and plan.north_south == plan.east_west
    return {
        "north_south": _typed_side(plan.north_south, language),
        "east_west": {"kind": SAME} if same else _typed_side(plan.east_west, language),
        "split_because": plan.split_because or "",
    } | typed_method(plan.method, at_table, language)


def _typed_side(score: SideScore, language: Language) -> dict[str, Any]:
    if isinstance(score, ArtificialScore):
        return {"kind": ARTIFICIAL, "fault": score.fault.value, "own_percent": _percent(score.own_percent, language)}
    alone = len(score.shares) == 1
    rows = [
        {"result": render_outcome(each.outcome, language), "percent": "" if alone else _percent(each.percent, language)}
        for each in score.shares
    ]
    return {"kind": ASSIGNED, "shares": rows}


def typed_method(method: Method, at_table: Outcome | None, language: Language) -> dict[str, Any]:
    """The part of it that is no decision: the results of the board."""
    result = render_outcome(at_table, language) if at_table else ""
    return {"method": method_name(method), "at_table": result} | _typed_results(method, at_table)


def _typed_results(method: Method, at_table: Outcome | None) -> dict[str, Any]:
    match method:
        case ByMatchpoints(frequency, table):
            return {
                "frequency": render_frequency(frequency.lines),
                "comparison": frequency.comparison.value,
                "missing": str(frequency.missing or ""),
                "common_top": str(frequency.common_top or ""),
            } | ({} if at_table else {"at_table": render_line(table)})
        case ByImps():
            return {
                "other_table": _plain(method.other_table),
                "knock_out": method.knock_out,
                "other_boards": _plain(method.other_boards),
                "boards": _plain(method.boards),
                "average": "" if method.average == IMPS else str(method.average),
            }
        case _:
            return {}


def _percent(percent: Fraction | None, language: Language) -> str:
    """A percentage as it is typed: it was read with at most four decimals, so none is lost."""
    plain = "" if percent is None else str(shown(percent, 4))
    return plain.replace(".", ",") if language == "sv" else plain


def _plain(number: int | None) -> str:
    return "" if number is None else str(number)


def usual(event: EventForm) -> dict[str, Any]:
    """What the form begins with where nothing is filed."""
    return {
        "north_south": {"kind": ASSIGNED},
        "east_west": {"kind": SAME},
        "method": MATCH if event is EventForm.TEAMS else MATCHPOINTS,
    }

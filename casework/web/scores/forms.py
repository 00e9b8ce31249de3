"""What is asked about an adjusted score: what each side gets, and how the board is scored (R69-R78)."""

from collections.abc import Iterator
from typing import Any

import wtforms
from wtforms import validators
from wtforms.widgets import HiddenInput

from casework.domain.bridge.board import Board
from casework.domain.bridge.notation import Language, Vulnerability
from casework.domain.bridge.scoring.adjustment import SideScore, SplitGround
from casework.domain.bridge.scoring.artificial import IMPS, ArtificialScore, Ground
from casework.domain.bridge.scoring.matchpoints import SMALL_GROUP_FROM, Comparison, Frequency, Line
from casework.domain.bridge.scoring.methods import ByImps, ByMatchpoints, ByPercent, Method
from casework.domain.bridge.scoring.outcomes import AssignedScore, Outcome
from casework.domain.bridge.scoring.typed import (
    read_frequency,
    read_line,
    read_outcome,
    render_outcome,
)
from casework.domain.errors import Invalid
from casework.domain.rules.editions import LawEdition
from casework.domain.terms import Form as EventForm
from casework.domain.terms import Side
from casework.services.score_basis import result_of
from casework.services.scores import ScoreInput
from casework.text import Text, t
from casework.web.forms import CheckedForm, Needed, ReasonField, options
from casework.web.scores.fields import (
    ARTIFICIAL,
    ASSIGNED,
    MATCH,
    MATCH_LATER,
    MATCHPOINTS,
    MOST,
    NUMBER,
    OFTEN,
    OUTCOME,
    PERCENT,
    SAME,
    STANDS,
    TYPED,
    SideFields,
    read_field,
    read_number,
)


class ScoreForm(CheckedForm):
    """The whole editor. `basis` names the newest filing that its reader has seen."""

    basis = wtforms.StringField(widget=HiddenInput(), validators=[validators.Optional()])
    at_table = wtforms.StringField(
        t("Result at the table"),
        description=t("As it is in the result list now: {example}, or the score from North–South's side.",
                      example="4♥ N −2"),
        render_kw=OUTCOME,
    )  # fmt: skip
    differs = wtforms.BooleanField(t("It stands so in the result list, though it does not fit the board as recorded"))
    differs_because = ReasonField(t("Why does it stand so?"))
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
            (MATCH_LATER, t("IMPs, when the other table of the match has its result")),
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
        self.small_group_from, self.one_only = SMALL_GROUP_FROM, False
        kinds = [
            (ASSIGNED, t("One result, or several weighted")),
            (ARTIFICIAL, t("A percentage, for want of a result")),
        ]
        stands = (STANDS, t("The result at the table stands, with a penalty"))
        self.north_south.form.kind.choices = options(*kinds, stands)
        self.east_west.form.kind.choices = options((SAME, t("The same as North–South")), *kinds)
        self._number_rows()

    def suits(self, event: EventForm, why_not_weight: Text | None) -> None:
        """Offer what the event and the laws allow: a match waits for its other table, others for their frequency."""
        waits = PERCENT if event is EventForm.TEAMS else MATCH_LATER
        self.method.choices = [choice for choice in self.method.choices if choice.value != waits]
        self.one_only = why_not_weight is not None
        if self.one_only:
            for side in self.sides:
                for choice in side.form.kind.choices:
                    choice.label = t("One result") if choice.value == ASSIGNED else choice.label

    @property
    def odd(self) -> bool:
        """Whether the result list does not fit the board, or is refused for it."""
        fields = (self.differs, self.differs_because, self.at_table, self.frequency, self.other_table)
        return bool(self.differs.data or any(field.errors for field in fields))

    @property
    def sides(self) -> tuple[Any, Any]:
        """The fields of both sides."""
        return self.north_south, self.east_west

    def now_recorded(self, board: Board, language: Language) -> None:
        """Begin with the result as it is recorded now, not with the one that a stale score was worked out on."""
        result = result_of(board)
        self.at_table.data = render_outcome(result, language) if result is not None else ""
        self.differs.data, self.differs_because.data = False, ""

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

    def read(
        self, vulnerability: Vulnerability, edition: LawEdition, *, small_group_from: int = SMALL_GROUP_FROM
    ) -> ScoreInput | None:
        """What was typed; None where a field says what is wrong. `small_group_from` is the profile's (R84, C7)."""
        self.small_group_from = small_group_from
        stands = self.north_south.form.kind.data == STANDS and self.east_west.form.kind.data == SAME
        north_south = self._north_south(vulnerability)
        east_west = self._east_west(north_south, vulnerability)
        table = read_field(self.at_table, lambda typed: read_line(typed, vulnerability))
        method = self._method(table, vulnerability)
        ground = SplitGround(self.split_because.data) if self.split_because.data in set(SplitGround) else None
        if self.differs.data and not self.differs_because.data:
            self.differs_because.errors = [t("Write why it stands so in the result list.")]
        read = ((side, self[side.value].form.read_penalty(edition)) for side in Side)
        penalties = tuple((side, penalty) for side, penalty in read if penalty is not None)
        self._gather()
        self.status = 422 if self.errors else 200
        if self.errors or north_south is None or east_west is None or method is None:
            return None
        return ScoreInput(
            north_south=north_south,
            east_west=east_west,
            method=method,
            split_because=ground,
            stands=stands,
            penalties=penalties,
            at_table=self._at_table(table, vulnerability),
            differs_because=self.differs_because.data if self.differs.data else "",
        )

    def _gather(self) -> None:
        """A list of rows learns only while it is validated what its rows have to say."""
        for side in self.sides:
            side.form.shares.errors = [row.errors for row in side.form.shares if row.errors]

    def _at_table(self, table: Line | None, vulnerability: Vulnerability) -> Outcome | None:
        """The result with its contract, where the table had one."""
        has_one = table is not None and table.ns_score is not None
        return read_outcome(self.at_table.data, vulnerability) if has_one else None

    def _north_south(self, vulnerability: Vulnerability) -> SideScore | None:
        fields: SideFields = self.north_south.form
        if fields.kind.data != STANDS:
            return fields.read(vulnerability)
        if self.east_west.form.kind.data != SAME:
            self.east_west.form.kind.errors = [t("If the result stands, it stands for both sides.")]
        outcome = read_field(self.at_table, lambda typed: read_outcome(typed, vulnerability))
        if outcome is None and not self.at_table.errors:
            self.at_table.errors = [t("Write the result that stands.")]
        return AssignedScore.of(outcome) if outcome is not None else None

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
        if self.method.data in (MATCH, MATCH_LATER):
            return self._match(table, vulnerability)
        return ByPercent()

    def _matchpoints(self, table: Line | None, vulnerability: Vulnerability) -> ByMatchpoints | None:
        lines = read_field(self.frequency, lambda typed: read_frequency(typed, vulnerability))
        if not lines and not self.frequency.errors:
            self.frequency.errors = [t("Write the results of all tables, one a line.")]
        if table is None and not self.at_table.errors:
            self.at_table.errors = [t("Write the result that the table has in the list.")]
        missing, top = read_number(self.missing, 999) or 0, read_number(self.common_top, 9999)
        if not lines or table is None or self.comparison.data not in set(Comparison):
            return None
        frequency = Frequency(lines, Comparison(self.comparison.data), missing, top, self.small_group_from)
        return ByMatchpoints(frequency, Line(table.ns_score, percent=table.percent))

    def _match(self, table: Line | None, vulnerability: Vulnerability) -> ByImps:
        other = read_field(self.other_table, lambda typed: read_outcome(typed, vulnerability))
        average = read_number(self.average, 24)
        return ByImps(
            other_table=other.ns_score if other else None,
            table=table.ns_score if table else None,
            knock_out=self.knock_out.data,
            other_boards=read_number(self.other_boards, 999, signed=True),
            boards=read_number(self.boards, 999),
            average=IMPS if average is None else average,
            waits=self.method.data == MATCH_LATER and other is None,
        )

    def _results(self, side: Side) -> Iterator[tuple[int, Any]]:
        """The fields of a side's results that are filled in, by their place among them."""
        rows = (row.form for row in self[side.value].form.shares if row.form.result.data or row.form.percent.data)
        return enumerate(row.result for row in rows)

    def apply_invalid(self, refusal: Invalid) -> None:
        """What is wrong with a side is said where its score was typed, with a method where its results were."""
        places = {side.value: _first(self[side.value].form) for side in Side}
        places |= {f"penalty_{side.value}": self[side.value].form.penalty for side in Side}
        places |= {f"{side.value}-{place}": field for side in Side for place, field in self._results(side)}
        places["method"] = self.frequency if self.method.data == MATCHPOINTS else self.other_table
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
    if side.kind.data == ARTIFICIAL:
        return side.played if side.ground.data == Ground.withdrew else side.own_percent
    return side.kind

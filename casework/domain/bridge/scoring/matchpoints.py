"""Matchpoints from a frequency table: 2 for every worse result, 1 for every equal one (Law 78A, R81-R83)."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate
from typing import Any, Self

from casework.domain.bridge.scoring.outcomes import Outcome, impossible
from casework.domain.bridge.scoring.working import HUNDRED, Step, Working, equals, shown
from casework.text import Text, t

Percents = tuple[Fraction, Fraction]
"""North-South's and East-West's part of a top."""
Result = tuple[int | None, Percents | None]
SMALL_GROUP_FROM = 7
"""From how many tables small groups get fixed percentages; the profile's `small_group_tables` (R84, C7)."""
SMALL_GROUP = 3
"""Results that can be compared, at most, for the fixed percentages (R84)."""
SMALL_GROUP_MEAN = Fraction(60)
"""The percentage in the middle of a small group, and of who is alone in his."""


class Comparison(StrEnum):
    """How an event makes good for results that cannot be compared."""

    neuberg = "neuberg"
    """As if every result had come in as often as the missing ones ask for (R81): the computer's way."""
    plus_one = "plus_one"
    """One point for each that is missing (R83): the way by hand."""

    @property
    def words(self) -> Text:
        """As it is chosen in a form."""
        return t("Neuberg's formula") if self is Comparison.neuberg else t("1 point for each result that is missing")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a frequency table: a score from North-South's side, or what a table without one got.

    Exactly one of the two is there, else ValueError.
    """

    ns_score: int | None = None
    tables: int = 1
    percent: Percents | None = None

    def __post_init__(self) -> None:
        if (self.ns_score is None) is (self.percent is None) or self.tables < 1:
            raise ValueError("a line has a score or a percentage for each side, of one table or more")

    @property
    def result(self) -> Result:
        """What stands in the line, at however many tables."""
        return self.ns_score, self.percent

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        percent = self.percent and [str(each) for each in self.percent]
        return {"score": self.ns_score, "tables": self.tables, "percent": percent}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        percent = stored["percent"]
        both = (Fraction(percent[0]), Fraction(percent[1])) if percent else None
        return cls(stored["score"], stored["tables"], both)


@dataclass(frozen=True, slots=True)
class ScoredLine:
    """A line with the matchpoints of each of its tables."""

    line: Line
    north_south: Fraction
    east_west: Fraction

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types; matchpoints stay exact."""
        return {**self.line.to_json(), "matchpoints": [str(self.north_south), str(self.east_west)]}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        return cls(Line.from_json(stored), *(Fraction(each) for each in stored["matchpoints"]))


@dataclass(frozen=True, slots=True)
class Frequency:
    """All results of a board.

    `missing` tables should have played it but have no line; `common_top` is the top that boards of all sessions are
    brought to where they differ (R82), `small_group_from` the tables from which R84 counts.
    """

    lines: tuple[Line, ...]
    comparison: Comparison = Comparison.neuberg
    missing: int = 0
    common_top: int | None = None
    small_group_from: int = SMALL_GROUP_FROM

    @property
    def tables(self) -> int:
        """How many tables the board was to be played at."""
        return sum(line.tables for line in self.lines) + self.missing

    @property
    def top(self) -> int:
        """Matchpoints for the best possible result."""
        return self.own_top if self.common_top is None else self.common_top

    @property
    def compared(self) -> int:
        """How many results can be compared."""
        return sum(line.tables for line in self.lines if line.ns_score is not None)

    def problem(self) -> Text | None:
        """Why nothing can be counted from it; None when it can."""
        if wrong := impossible(*(line.ns_score for line in self.lines)):
            return wrong
        if self.tables < 2:
            return t("A board needs at least two tables to give matchpoints.")
        if self.missing < 0 or (self.common_top is not None and self.common_top < 1):
            return t("The top must be at least 1, and the number of tables without a result at least 0.")
        return None

    def changed(self, old: Line, new: Line | None) -> Self | None:
        """The table with the line of one table, `old`, exchanged for `new`; None when no table has `old`.

        Without a new one it is as if that table had never been to play the board.
        """
        tables: dict[Result, int] = {}
        for line in self.lines:
            tables[line.result] = tables.get(line.result, 0) + line.tables
        if not tables.get(old.result):
            return None
        tables[old.result] -= 1
        if new is not None:
            tables[new.result] = tables.get(new.result, 0) + 1
        lines = (Line(score, left, percent) for (score, percent), left in tables.items() if left)
        return replace(self, lines=tuple(lines))

    def scored(self) -> tuple[ScoredLine, ...]:
        """Every line with its matchpoints, the best for North-South first and those without a score last."""
        ranking = Ranking.of(self)
        ordered = sorted(self.lines, key=lambda line: (line.ns_score is None, -(line.ns_score or 0)))
        return tuple(ranking.scored(line) for line in ordered)

    def way(self) -> Step:
        """How the results are compared, in words, and that they are scaled where the event has another top (R82)."""
        step = self._way()
        if self.top == self.own_top or self.is_small_group:
            return step
        words = t("{way} The matchpoints are then scaled from the board's own top {own} to the event's {top}.",
                  way=step.text, own=self.own_top, top=self.top)  # fmt: skip
        return Step(f"{step.rule}, R82", words)

    @property
    def own_top(self) -> int:
        """The top that the board's own tables give."""
        return 2 * (self.tables - 1)

    def _way(self) -> Step:
        missing = self.tables - self.compared
        if self.is_small_group:
            return self._small_group_way()
        if not missing:
            words = t("All {tables} results are compared: 2 points for each worse, 1 for each equal; top {top}.",
                      tables=self.tables, top=self.own_top)  # fmt: skip
            return Step("78A", words)
        if self.comparison is Comparison.plus_one:
            words = t("{results} of {tables} results are compared. Each gets 1 point more for every result that is "
                      "missing: {missing}.", results=self.compared, tables=self.tables, missing=missing)  # fmt: skip
            return Step("R83", words)
        words = t("{results} of {tables} results are compared, by Neuberg's formula: "
                  "(points + 1) × {tables} / {results} − 1.", results=self.compared, tables=self.tables)  # fmt: skip
        return Step("R81", words)

    @property
    def is_small_group(self) -> bool:
        """Whether so few results can be compared that fixed percentages are given (R84)."""
        return is_small_group(self.compared, tables=self.tables, small_group_from=self.small_group_from)

    def _small_group_way(self) -> Step:
        if self.compared < 2:
            words = t("No two of the {tables} results can be compared: 60 % for both sides, or a side's own result if "
                      "that is better.", tables=self.tables)  # fmt: skip
            return Step("R83, R84", words)
        places = "–".join(str(shown(small_group_percent(won, self.compared)))
                          for won in range(2 * (self.compared - 1), -1, -2))  # fmt: skip
        words = t("{results} of {tables} results can be compared: {places} % of the top {top} by place.",
                  results=self.compared, tables=self.tables, places=places, top=self.top)  # fmt: skip
        return Step("R84", words)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {
            "lines": [line.to_json() for line in self.lines],
            "comparison": self.comparison.value,
            "missing": self.missing,
            "common_top": self.common_top,
            "small_group_from": self.small_group_from,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        lines = tuple(Line.from_json(line) for line in stored["lines"])
        return cls(lines, Comparison(stored["comparison"]), stored["missing"], stored["common_top"],
                   stored["small_group_from"])  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ranking:
    """The comparable results of a frequency table in order, ready to say what any score is worth among them."""

    scores: tuple[int, ...]
    """Rising, each once."""
    below: tuple[int, ...]
    """How many results are worse than each of `scores`, and last how many there are."""
    tables: int
    comparison: Comparison
    top: int
    small_group: bool = False

    @classmethod
    def of(cls, frequency: Frequency) -> Self:
        """The ranking of a board that has at least two tables."""
        counts: dict[int, int] = {}
        for line in frequency.lines:
            if line.ns_score is not None:
                counts[line.ns_score] = counts.get(line.ns_score, 0) + line.tables
        scores = tuple(sorted(counts))
        below = tuple(accumulate((counts[each] for each in scores), initial=0))
        return cls(scores, below, frequency.tables, frequency.comparison, frequency.top, frequency.is_small_group)

    @property
    def results(self) -> int:
        """How many results are compared."""
        return self.below[-1]

    def raw(self, ns_score: int) -> int:
        """What North-South win against the results compared, from 0 to 2 · (results − 1).

        A score that the table does not hold lies between its neighbours, and beyond them all it is a clear top or
        bottom of the results compared, no more: so LK reads an outcome off a table that a weighted score has left.
        """
        if not self.scores:
            return 0
        worse = self.below[bisect_left(self.scores, ns_score)]
        not_better = self.below[bisect_right(self.scores, ns_score)]
        return min(max(worse + not_better - 1, 0), self.most)

    @property
    def most(self) -> int:
        """What the best of the results compared wins against the others."""
        return max(2 * (self.results - 1), 0)

    def beyond(self, outcome: Outcome) -> Step | None:
        """What is said of an outcome that is better or worse than all results compared."""
        if not self.scores:
            return None
        if outcome.ns_score > self.scores[-1]:
            words = t("{outcome} is better for North–South than all results compared: a clear top among them.",
                      outcome=outcome.words)  # fmt: skip
        elif outcome.ns_score < self.scores[0]:
            words = t("{outcome} is worse for North–South than all results compared: a clear bottom among them.",
                      outcome=outcome.words)  # fmt: skip
        else:
            return None
        return Step("R83", words)

    def matchpoints(self, ns_score: int) -> Fraction:
        """North-South's matchpoints; East-West's are the top less these, except in a small group (R84)."""
        return self._made_good(self.raw(ns_score))

    def scored(self, line: Line) -> ScoredLine:
        """A line of the table with its matchpoints."""
        if line.percent is not None:
            ours, theirs = line.percent
            return ScoredLine(line, self.top * ours / HUNDRED, self.top * theirs / HUNDRED)
        won = self.raw(line.ns_score or 0)
        return ScoredLine(line, self._made_good(won), self._made_good(self.most - won))

    def _made_good(self, won: int) -> Fraction:
        """What is won against the results compared, made good for those that are missing (R81-R84)."""
        if self.small_group:
            return self.top * small_group_percent(won, self.results) / HUNDRED
        own_top = 2 * (self.tables - 1)
        if self.comparison is Comparison.neuberg:
            return Fraction(self.top * ((won + 1) * self.tables - self.results), own_top * self.results)
        return Fraction(self.top * (won + self.tables - self.results), own_top)

    def working(self, ns_score: int, *, north_south: bool) -> Working:
        """One side's matchpoints for a score, with the sum that gives them."""
        won = self.raw(ns_score) if north_south else self.most - self.raw(ns_score)
        missing = self.tables - self.results
        if self.small_group:
            return self._in_small_group(won)
        if not missing:
            counted = Working(Fraction(won))
        elif self.comparison is Comparison.neuberg:
            counted = neuberg(won, results=self.results, tables=self.tables)
        else:
            words = t("{points} + {missing} = {value}", points=won, missing=missing, value=won + missing)
            counted = Working(Fraction(won + missing), (Step("R83", words),))
        own_top = 2 * (self.tables - 1)
        if self.top == own_top:
            return counted
        scaled = to_common_top(counted.value, top=own_top, common=self.top)
        return Working(scaled.value, counted.steps + scaled.steps)

    def _in_small_group(self, won: int) -> Working:
        percent, value = small_group_percent(won, self.results), self._made_good(won)
        words = t("{percent} % of the top {top} {equals} {value}", percent=shown(percent), top=self.top,
                  equals=equals(value), value=shown(value))  # fmt: skip
        return Working(value, (Step("R84", words),))


def is_small_group(results: int, *, tables: int, small_group_from: int) -> bool:
    """Whether so few of the tables' results can be compared that R84 gives fixed percentages."""
    return results < tables and results <= SMALL_GROUP and tables >= small_group_from


def small_group_percent(won: int, results: int) -> Fraction:
    """What a place in a small group is worth, in percent of a top: 60, 65-55 or 70-60-50 (R84).

    `won` is what it wins against the others of the group; equal results share what their places are worth.
    """
    return SMALL_GROUP_MEAN + 5 * (won - max(results - 1, 0))


def neuberg(points: Fraction | int, *, results: int, tables: int) -> Working:
    """Matchpoints among `results`, brought to what they are worth among `tables` (R81)."""
    value = (Fraction(points) + 1) * tables / results - 1
    words = t("({points} + 1) × {tables} / {results} − 1 {equals} {value}", points=shown(points), tables=tables,
              results=results, equals=equals(value), value=shown(value))  # fmt: skip
    return Working(value, (Step("R81", words),))


def to_common_top(points: Fraction | int, *, top: int, common: int) -> Working:
    """Matchpoints of a session with a lower top, scaled to the top that all sessions share (R82)."""
    value = Fraction(points) * common / top
    words = t("{points} × {common} / {top} {equals} {value}", points=shown(points), common=common, top=top,
              equals=equals(value), value=shown(value))  # fmt: skip
    return Working(value, (Step("R82", words),))

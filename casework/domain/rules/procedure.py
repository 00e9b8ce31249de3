"""Procedure profiles: every number the procedure needs, with its unit, starting event, source and date.

Profiles are dated TOML files beside this module. A tournament may set values of its own over them, and a case
freezes the result as JSON when it opens (R39, C10).
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Self, cast

from casework.domain.calendar import LONGEST, Span, Unit
from casework.domain.errors import Invalid
from casework.text import Text, t

_FOLDER = Path(__file__).parent / "profiles"
_QUORUMS = {"jury_quorum": "jury_size", "lk_quorum": "lk_size"}
_TIMES = {unit.value for unit in Unit}

Value = int | str | tuple[int, ...]


class Measure(StrEnum):
    """What a setting that is no length of time is counted in."""

    days_before = "days_before"
    days_after = "days_after"
    days_unopened = "days_unopened"
    persons = "persons"
    tables = "tables"
    kronor = "kronor"
    percent_of_top = "percent_of_top"
    choice = "choice"


class StartEvent(StrEnum):
    """What a time runs from."""

    official_score = "official_score"
    appeal_lodged = "appeal_lodged"
    demand_told = "demand_told"
    statements_opened = "statements_opened"
    last_answer = "last_answer"
    decision_told = "decision_told"
    papers_received = "papers_received"
    last_day = "last_day"

    @property
    def words(self) -> Text:
        """A clause for "counted from when …"."""
        return _START_WORDS[self]


class Source(StrEnum):
    """Where a value comes from."""

    federation_rule = "federation_rule"
    preset = "preset"
    own_setting = "own_setting"
    event = "event"

    @property
    def words(self) -> Text:
        """As doctor and the procedure page show it."""
        return _SOURCE_WORDS[self]


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of the procedure. `rule` is the number it rests on ("R32, 92B", "R95, C5"), never a sentence."""

    value: Value
    unit: Unit | Measure
    starts_from: StartEvent | None
    source: Source
    rule: str
    valid_from: date | None

    @property
    def confirmed(self) -> bool:
        """Whether somebody with the power to has set it: a preset is only a proposal."""
        return self.source in (Source.federation_rule, Source.event)

    @property
    def words(self) -> Text:
        """Value and unit: "30 minutes", "50 % of a top"."""
        if isinstance(self.unit, Unit):
            return Span(cast(int, self.value), self.unit).words
        if isinstance(self.value, tuple):
            days = list(self.value)
            before = self.unit is Measure.days_before
            return t("{days} days before", days=days) if before else t("{days} days after", days=days)
        if isinstance(self.value, str):
            return _CHOICE_WORDS[self.value]
        return _measured(self.value, self.unit)

    def takes(self, value: Value) -> bool:
        """Whether `value` is of this setting's kind and in its range."""
        match self.unit:
            case Measure.choice:
                return value in _OPTIONS[cast(str, self.value)]
            case Measure.days_before | Measure.days_after:
                return isinstance(value, tuple) and all(1 <= day <= 365 for day in value)
            case _:
                low, high = _RANGES.get(self.unit, (1, LONGEST))
                return isinstance(value, int) and low <= value <= high

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {
            "value": list(self.value) if isinstance(self.value, tuple) else self.value,
            "unit": self.unit.value,
            "starts_from": self.starts_from and self.starts_from.value,
            "source": self.source.value,
            "rule": self.rule,
            "valid_from": self.valid_from and self.valid_from.isoformat(),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave; ValueError for an unknown unit, event or source, or a bad value."""
        value, start, day = stored["value"], stored.get("starts_from"), stored.get("valid_from")
        setting = cls(
            value=tuple(value) if isinstance(value, list) else value,
            unit=Unit(stored["unit"]) if stored["unit"] in _TIMES else Measure(stored["unit"]),
            starts_from=StartEvent(start) if start else None,
            source=Source(stored["source"]),
            rule=stored["rule"],
            valid_from=date.fromisoformat(day) if isinstance(day, str) else day,
        )
        if not setting.takes(setting.value):
            raise ValueError(f"{value!r} is no value in {setting.unit}")
        return setting


@dataclass(frozen=True, slots=True)
class ProcedureProfile:
    """The values of one procedure; ask by name, a KeyError is a mistake in the code."""

    name: str
    valid_from: date
    values: Mapping[str, Setting]

    def span(self, name: str) -> Span:
        """A length of time: `profile.span("statement")`."""
        setting = self.values[name]
        if not isinstance(setting.unit, Unit) or not isinstance(setting.value, int):
            raise TypeError(f"{name} is no length of time")
        return Span(setting.value, setting.unit)

    def number(self, name: str) -> int:
        """A whole number: `profile.number("jury_quorum")`."""
        value = self.values[name].value
        if not isinstance(value, int):
            raise TypeError(f"{name} is no number")
        return value

    def numbers(self, name: str) -> tuple[int, ...]:
        """Several whole numbers: `profile.numbers("reminders")`."""
        value = self.values[name].value
        if not isinstance(value, tuple):
            raise TypeError(f"{name} is no list of numbers")
        return value

    def choice(self, name: str) -> str:
        """A named choice: `profile.choice("majority")`."""
        value = self.values[name].value
        if not isinstance(value, str):
            raise TypeError(f"{name} is no choice")
        return value

    def settings(self) -> Iterator[tuple[str, Setting]]:
        """All values in the order of the file, for doctor and the procedure page."""
        return iter(self.values.items())

    def with_overrides(self, own: Mapping[str, Value | Span], *, valid_from: date | None = None) -> Self:
        """The profile with a tournament's own values over it (R41, R46).

        A number, list or choice keeps its unit, a `Span` brings its own. Invalid names the settings that do not
        take the value; KeyError for a name that does not exist.
        """
        fresh = dict(self.values)
        wrong: dict[str, Text] = {}
        for name, given in own.items():
            setting = self.values[name]
            value, unit = (given.value, given.unit) if isinstance(given, Span) else (given, setting.unit)
            if isinstance(unit, Unit) is not isinstance(setting.unit, Unit) or not setting.takes(value):
                wrong[name] = t("Write a value that fits, for example {example}.", example=setting.words)
            fresh[name] = replace(setting, value=value, unit=unit, source=Source.event, valid_from=valid_from)
        for quorum, size in _QUORUMS.items():
            if not wrong and cast(int, fresh[quorum].value) > cast(int, fresh[size].value):
                wrong[quorum] = t("The quorum cannot be larger than the number of members.")
        if wrong:
            raise Invalid(wrong)
        return replace(self, values=fresh)

    def to_json(self) -> dict[str, Any]:
        """What a case freezes; the same profile always gives the same JSON."""
        values = {name: setting.to_json() for name, setting in self.values.items()}
        return {"name": self.name, "valid_from": self.valid_from.isoformat(), "settings": values}

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> "ProcedureProfile":
        """Read back what `to_json` gave. Most cases have the same one, so it is read once."""
        return _read_back(json.dumps(stored))


@lru_cache(maxsize=64)
def _read_back(text: str) -> ProcedureProfile:
    stored = json.loads(text)
    values = {name: Setting.from_json(setting) for name, setting in stored["settings"].items()}
    return ProcedureProfile(stored["name"], date.fromisoformat(stored["valid_from"]), values)


@cache
def shipped_profiles() -> tuple[ProcedureProfile, ...]:
    """All shipped profiles, the latest first. ValueError or KeyError names a fault in a file."""
    profiles = [_load(path) for path in _FOLDER.glob("*.toml")]
    return tuple(sorted(profiles, key=lambda profile: profile.valid_from, reverse=True))


def profile_on(day: date) -> ProcedureProfile:
    """The profile in force on a local date; before the first one, the first, as there is no other."""
    profiles = shipped_profiles()
    return next((profile for profile in profiles if profile.valid_from <= day), profiles[-1])


def setting_label(name: str) -> Text:
    """What a setting is called on the procedure page; KeyError for a name that does not exist."""
    return _LABELS[name]


def _load(path: Path) -> ProcedureProfile:
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    start: date = raw["valid_from"]
    values = {name: Setting.from_json({"valid_from": start, **value}) for name, value in raw["settings"].items()}
    return ProcedureProfile(raw["name"], start, values)


def _measured(number: int, unit: Measure) -> Text:
    match unit:
        case Measure.persons:
            return t("1 panel member") if number == 1 else t("{number} panel members", number=number)
        case Measure.tables:
            return t("1 table") if number == 1 else t("{number} tables", number=number)
        case Measure.days_unopened:
            return t("after 1 day") if number == 1 else t("after {number} days", number=number)
        case Measure.kronor:
            return t("{number} kronor", number=number) if number else t("no fee")
        case _:
            return t("{number} % of a top", number=number) if number else t("no penalty")


_START_WORDS = {
    StartEvent.official_score: t("the official score was made available"),
    StartEvent.appeal_lodged: t("the appeal was lodged"),
    StartEvent.demand_told: t("the party was asked"),
    StartEvent.statements_opened: t("the statements were opened"),
    StartEvent.last_answer: t("the last answer came in"),
    StartEvent.decision_told: t("the party was told of the decision"),
    StartEvent.papers_received: t("the papers were received"),
    StartEvent.last_day: t("the last day"),
}

_SOURCE_WORDS = {
    Source.federation_rule: t("federation rule"),
    Source.preset: t("preset, confirm it"),
    Source.own_setting: t("own setting, not a federation rule"),
    Source.event: t("the tournament's own rules"),
}

_RANGES: dict[str, tuple[int, int]] = {
    Measure.days_unopened: (1, 365),
    Measure.persons: (1, 100),
    Measure.tables: (1, 100),
    Measure.kronor: (0, 1_000_000),
    Measure.percent_of_top: (0, 100),
}

_CHOICE_WORDS = {
    "simple": t("simple majority"),
    "none": t("no casting vote"),
    "chair": t("the chair has the casting vote"),
    "held_with_titles": t("held together with titles and master points"),
}

# What each choice could be instead.
_OPTIONS = {
    "simple": {"simple"},
    "none": {"none", "chair"},
    "chair": {"none", "chair"},
    "held_with_titles": {"held_with_titles"},
}

_LABELS = {
    "appeal_window": t("Time to ask for a ruling or to appeal at the event"),
    "forward_appeal": t("The director forwards an appeal"),
    "report_and_demands": t("The director's report and the requests for statements are sent"),
    "statement": t("Time for a statement"),
    "unopened": t("The office is asked to reach who has not opened a mail"),
    "reminders": t("Reminders"),
    "official_reminders": t("Reminders to officials of their own tasks"),
    "conflict_reminders": t("Reminders to a member who has not said whether there is a conflict of interest"),
    "escalation": t("The office and the Laws Commission are told again of an overdue step"),
    "answer": t("Time to answer the others' statements"),
    "papers_sent_in": t("The director sends in the papers"),
    "jury_to_lk": t("Time to appeal from the jury to the Laws Commission"),
    "lk_decides": t("The Laws Commission decides (a target, without effect)"),
    "jury_decides": t("A jury that meets later decides (a target, without effect)"),
    "jury_size": t("Members of the jury"),
    "jury_quorum": t("Quorum of the jury"),
    "lk_size": t("Members of the Laws Commission in a case"),
    "lk_quorum": t("Quorum of the Laws Commission"),
    "majority": t("Majority"),
    "casting_vote": t("Casting vote"),
    "appeal_fee": t("Fee for an appeal"),
    "penalty_without_merit": t("Score penalty for an appeal without merit"),
    "mobile_phone_individual": t("Mobile phone switched on, individual event"),
    "small_group_tables": t("Fouled board: the table for small groups is used from"),
    "ranking_points": t("Ranking points while an appeal is open"),
}

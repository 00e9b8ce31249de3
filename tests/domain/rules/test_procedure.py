"""The procedure profile: what ships, a tournament's own values, and the form a case freezes."""

import json
from datetime import date

import pytest

from casework.domain.calendar import Span, Unit
from casework.domain.errors import Invalid
from casework.domain.rules.procedure import (
    ProcedureProfile,
    Source,
    StartEvent,
    profile_on,
    setting_label,
    shipped_profiles,
)
from casework.text import t


@pytest.fixture
def profile() -> ProcedureProfile:
    return profile_on(date(2026, 11, 28))


def test_the_times_that_ship(profile: ProcedureProfile) -> None:
    """C10, presets shipped."""
    assert {name: profile.span(name) for name, setting in profile.settings() if isinstance(setting.unit, Unit)} == {
        "appeal_window": Span(30, Unit.minutes),
        "forward_appeal": Span(24, Unit.hours),
        "report_and_demands": Span(3, Unit.days),
        "statement": Span(10, Unit.days),
        "answer": Span(5, Unit.days),
        "papers_sent_in": Span(14, Unit.days),
        "jury_to_lk": Span(10, Unit.days),
        "lk_decides": Span(60, Unit.days),
        "jury_decides": Span(30, Unit.days),
    }


def test_the_numbers_that_ship(profile: ProcedureProfile) -> None:
    """C2, C5, C7, C10."""
    numbers = ["jury_size", "jury_quorum", "lk_size", "lk_quorum", "appeal_fee", "penalty_without_merit"]
    assert [profile.number(name) for name in numbers] == [3, 3, 3, 3, 0, 0]
    assert profile.number("mobile_phone_individual") == 50
    assert profile.number("small_group_tables") == 7
    assert profile.numbers("reminders") == (3, 1)
    assert (profile.choice("majority"), profile.choice("casting_vote")) == ("simple", "none")


def test_only_the_appeal_window_is_a_federation_rule(profile: ProcedureProfile) -> None:
    """R32, C10: an unknown is never presented as a rule."""
    assert [name for name, setting in profile.settings() if setting.confirmed] == ["appeal_window"]
    assert dict(profile.settings())["appeal_window"].rule == "R32, 92B"
    own = [name for name, setting in profile.settings() if setting.source is Source.own_setting]
    assert own == ["unopened", "conflict_reminders", "mobile_phone_individual", "ranking_points"]


def test_the_window_runs_from_the_official_score(profile: ProcedureProfile) -> None:
    """Law 92B."""
    window = dict(profile.settings())["appeal_window"]
    assert window.starts_from is StartEvent.official_score
    assert window.starts_from.words == t("the official score was made available")


@pytest.mark.parametrize("shipped", shipped_profiles(), ids=lambda shipped: shipped.name)
def test_every_setting_can_be_shown(shipped: ProcedureProfile) -> None:
    """Doctor and the procedure page name value, unit, start, source and date of each."""
    for name, setting in shipped.settings():
        assert setting_label(name).msgid
        assert setting.words.msgid
        assert setting.source.words.msgid
        assert setting.rule
        assert setting.valid_from is not None
        assert (setting.starts_from is not None) == (
            isinstance(setting.unit, Unit) or name in ("reminders", "official_reminders", "escalation")
        )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("appeal_window", t("{number} minutes", number=30)),
        ("reminders", t("{days} days before", days=[3, 1])),
        ("escalation", t("{days} days after", days=[3, 7])),
        ("jury_size", t("{number} panel members", number=3)),
        ("appeal_fee", t("no fee")),
        ("penalty_without_merit", t("no penalty")),
        ("mobile_phone_individual", t("{number} % of a top", number=50)),
        ("majority", t("simple majority")),
        ("small_group_tables", t("{number} tables", number=7)),
    ],
)
def test_a_value_in_words(profile: ProcedureProfile, name: str, words: object) -> None:
    assert dict(profile.settings())[name].words == words


def test_a_day_before_the_first_profile_gets_the_first() -> None:
    """An old incident needs a procedure too, and there is no other."""
    assert profile_on(date(2009, 1, 1)) == shipped_profiles()[-1]


def test_an_events_own_values(profile: ProcedureProfile) -> None:
    """R39, R41: event rules go before general ones, and say where they come from."""
    own = profile.with_overrides({"appeal_window": Span(48, Unit.hours), "jury_size": 5}, valid_from=date(2026, 9, 1))
    window = dict(own.settings())["appeal_window"]
    assert (own.span("appeal_window"), own.number("jury_size")) == (Span(48, Unit.hours), 5)
    assert (window.source, window.confirmed, window.valid_from) == (Source.event, True, date(2026, 9, 1))
    assert window.starts_from is StartEvent.official_score
    assert own.span("statement") == profile.span("statement")
    assert profile.span("appeal_window") == Span(30, Unit.minutes)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("jury_size", 0),
        ("jury_size", Span(3, Unit.days)),
        ("statement", 0),
        ("statement", "long"),
        ("reminders", 3),
        ("reminders", (0,)),
        ("penalty_without_merit", 101),
        ("appeal_fee", -1),
        ("majority", "chair"),
        ("jury_quorum", 4),
    ],
)
def test_an_impossible_own_value_is_refused_by_name(profile: ProcedureProfile, name: str, value: int) -> None:
    """Bad input names the field; a quorum beyond the panel could never be met."""
    with pytest.raises(Invalid) as refused:
        profile.with_overrides({name: value})
    assert list(refused.value.fields) == [name]


def test_a_name_that_does_not_exist_is_a_mistake_in_the_code(profile: ProcedureProfile) -> None:
    with pytest.raises(KeyError):
        profile.with_overrides({"patience": 1})
    with pytest.raises(KeyError):
        profile.span("patience")


def test_the_wrong_kind_of_question(profile: ProcedureProfile) -> None:
    """A number is no time, and a time in minutes no list."""
    with pytest.raises(TypeError):
        profile.span("jury_size")
    with pytest.raises(TypeError):
        profile.number("majority")
    with pytest.raises(TypeError):
        profile.numbers("statement")
    with pytest.raises(TypeError):
        profile.choice("statement")


def test_a_case_freezes_its_profile(profile: ProcedureProfile) -> None:
    """R42: what was frozen reads back the same, own values included, and always as the same JSON."""
    own = profile.with_overrides({"statement": 14, "reminders": (5,)}, valid_from=date(2026, 9, 1))
    stored = json.dumps(own.to_json())
    again = ProcedureProfile.from_json(json.loads(stored))
    assert again == own
    assert json.dumps(again.to_json()) == stored


def test_a_frozen_value_out_of_range_is_not_read(profile: ProcedureProfile) -> None:
    stored = profile.to_json()
    stored["settings"]["statement"]["value"] = 0
    with pytest.raises(ValueError, match="no value in days"):
        ProcedureProfile.from_json(stored)

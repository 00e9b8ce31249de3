"""Words for a reader: the same sentence in page, mail and PDF, in his language."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from jinja2 import UndefinedError

from casework.adapters import i18n
from casework.text import Text, t

MIDNIGHT = datetime(2026, 12, 7, 22, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("sv", "måndag 7 december 2026 kl. 23.59"),
        ("en", "Monday 7 December 2026 at 23.59"),
        ("xx", "måndag 7 december 2026 kl. 23.59"),
    ],
)
def test_an_instant_has_weekday_date_and_time(language: str, words: str) -> None:
    assert i18n.format_instant(MIDNIGHT, language) == words


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (0, "i dag kl. 23.59"),
        (1, "i morgon kl. 23.59"),
        (-1, "i går kl. 23.59"),
        (2, "onsdag 9 december 2026 kl. 23.59"),
    ],
)
def test_a_near_day_is_called_by_its_word(days: int, words: str) -> None:
    assert i18n.format_instant(MIDNIGHT + timedelta(days=days), "sv", now=MIDNIGHT) == words


def test_both_sides_of_the_night_when_the_clock_is_set_back() -> None:
    """F26: the hour that comes twice says which of the two it is, in page, mail and PDF alike."""
    summer = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    shown = [i18n.format_time(summer + timedelta(hours=hour), "sv") for hour in range(3)]
    assert shown == ["02.30 (sommartid)", "02.30 (vintertid)", "03.30"]
    assert i18n.format_instant(summer, "en") == "Sunday 25 October 2026 at 02.30 (summer time)"
    assert i18n.filters("sv")["when"](summer) == "söndag 25 oktober 2026 kl. 02.30 (sommartid)"


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(days=5, hours=14), "5 dagar kvar"),
        (timedelta(days=1), "1 dag kvar"),
        (timedelta(hours=23, minutes=59), "23 timmar kvar"),
        (timedelta(hours=1), "1 timme kvar"),
        (timedelta(minutes=30), "30 minuter kvar"),
        (timedelta(minutes=1), "1 minut kvar"),
        (timedelta(seconds=5), "mindre än en minut kvar"),
        (timedelta(0), "tiden har gått ut"),
    ],
)
def test_the_time_left_never_promises_too_much(left: timedelta, words: str) -> None:
    assert i18n.render(i18n.time_left(MIDNIGHT, MIDNIGHT - left), "sv") == words


def test_a_text_holds_all_kinds_of_values() -> None:
    text = t("{first} and {last}", first=[t("today"), "{last}", date(2026, 12, 7)], last=MIDNIGHT)
    assert i18n.render(text, "sv") == "i dag, {last} och måndag 7 december 2026 och måndag 7 december 2026 kl. 23.59"
    assert i18n.render(Text.from_json(text.to_json()), "sv") == i18n.render(text, "sv")


@pytest.mark.parametrize(
    ("number", "swedish", "english"),
    [("4.83", "4,83", "4.83"), ("-14.50", "−14,50", "−14.50"), ("2E+3", "2000", "2000")],
)
def test_a_number_has_the_readers_decimal_sign(number: str, swedish: str, english: str) -> None:
    text = t("{first} and {last}", first=Decimal(number), last="x")
    for language, words in (("sv", f"{swedish} och x"), ("en", f"{english} and x")):
        assert i18n.render(Text.from_json(text.to_json()), language) == words


@pytest.mark.parametrize(
    ("parts", "words"), [([], ""), (["a"], "a"), (["a", "b"], "a och b"), (["a", "b", "c"], "a, b och c")]
)
def test_a_list_in_running_text(parts: list[str], words: str) -> None:
    assert i18n.join(parts, "sv") == words


def test_a_template_speaks_the_readers_language_and_escapes() -> None:
    template = '{{ lang }} {{ _("today") }} {{ x|words }} {{ at|when }} {{ at|day }} {{ at|clock }}'
    rendered = i18n.jinja_environment("sv").from_string(template).render(x="<b>", at=MIDNIGHT)
    assert rendered == "sv i dag &lt;b&gt; måndag 7 december 2026 kl. 23.59 måndag 7 december 2026 23.59"


def test_a_template_that_asks_for_too_much_fails() -> None:
    """A mail with a hole in it must not go out."""
    with pytest.raises(UndefinedError):
        i18n.jinja_environment("sv").from_string("{{ nobody }}").render()

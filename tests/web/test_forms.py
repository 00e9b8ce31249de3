"""What all forms share: clean text, messages at their fields, Swedish time, and no identity numbers."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from functools import reduce
from importlib import import_module
from pkgutil import walk_packages
from typing import Any
from uuid import UUID

import pytest
import wtforms
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from casework import web
from casework.app import create_app
from casework.domain.errors import Conflict, Invalid, Missing, NotAllowed
from casework.text import Text, t
from casework.web import security
from casework.web.forms import Form, Group, HiddenText, MovingForm, Needed, options
from casework.web.identity_number import has_identity_number
from casework.web.time_fields import ClockField, DayField, instant_of
from casework.web.words import words


def lines() -> Iterator[tuple[type, str, Any]]:
    """Every single-line field of every form of the product."""
    for module in walk_packages(web.__path__, "casework.web."):
        import_module(module.name)
    for form in sorted(_below(wtforms.Form), key=lambda form: (form.__module__, form.__qualname__)):
        for name, unbound in vars(form).items() if form.__module__.startswith("casework.") else ():
            kind = getattr(unbound, "field_class", wtforms.Field)
            if issubclass(kind, wtforms.StringField) and not issubclass(kind, OTHERS):
                yield form, name, unbound


OTHERS = (wtforms.TextAreaField, wtforms.PasswordField, HiddenText)


def _below(form: type) -> set[type]:
    found = {form}
    one: type
    for one in form.__subclasses__():
        found |= _below(one)
    return found


class Sample(MovingForm):
    """A form with a field of each kind."""

    title = wtforms.StringField(t("Title"), validators=[Needed(t("Write the title"))])
    prose = wtforms.TextAreaField(t("What happened"))
    day = DayField(t("Day"), validators=[wtforms.validators.Optional()])
    clock = ClockField(t("Time"), day="day")
    side = wtforms.RadioField(
        t("Side"), choices=options(("NS", t("Sign in"))), validators=[wtforms.validators.Optional()]
    )
    body = wtforms.SelectField(
        t("Body"), choices=options(("J", t("Sign in"))), validators=[wtforms.validators.Optional()]
    )
    inner = wtforms.FormField(type("Inner", (Group,), {"prose": wtforms.TextAreaField(t("More"))}))


Fill = Callable[..., Sample]


@pytest.fixture
def app(sqlite: str) -> Flask:
    """The application."""
    return create_app()


@pytest.fixture
def fill(app: Flask) -> Fill:
    """Fill in and send the sample form."""

    def filled(**fields: str) -> Sample:
        with app.test_request_context("/", method="POST", data={"title": "Bricka 7", "version": "3"} | fields):
            from flask import g

            g.token_proven = True
            form = Sample()
            form.validate()
            return form

    return filled


def said(form: Form, app: Flask) -> list[Any]:
    """All messages of a form in Swedish."""
    with app.test_request_context("/"):
        return [words(message) for errors in form.errors.values() for message in errors if isinstance(message, Text)]


def test_text_is_stripped_and_composed(fill: Fill) -> None:
    form = fill(title="  Ha\u0308nder  ", prose=" ett\r\ntva\u030a ")
    assert (form.title.data, form.prose.data, form.errors) == ("Händer", "ett\ntvå", {})


@pytest.mark.parametrize("ends", ["\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028"])
def test_what_a_word_processor_ends_a_line_with_ends_a_line(fill: Fill, ends: str) -> None:
    """A party who pastes at the last minute is not turned away for a character that nobody sees."""
    form = fill(title=f"Bricka{ends}18", prose=f"ett{ends}två")
    assert (form.title.data, form.prose.data, form.errors) == ("Bricka 18", "ett\ntvå", {})


@pytest.mark.parametrize("bad", ["a\x00b", "a\ud800b", "a\x07b", "a\uffffb"])
@pytest.mark.parametrize("name", ["title", "prose", "inner-prose"])
def test_what_a_database_cannot_hold_is_refused_at_its_field(fill: Fill, app: Flask, name: str, bad: str) -> None:
    with app.test_request_context("/", method="POST"):
        from flask import g, request

        g.token_proven = True
        request.form = type(request.form)({"title": "Bricka", "version": "3"} | {name: bad})
        form = Sample()
        form.validate()
    field = form.inner.form.prose if "-" in name else form[name]
    assert field.errors[0].msgid.startswith("The text has a character")


LINES = list(lines())


@pytest.mark.parametrize("field", LINES, ids=[f"{form.__name__}.{name}" for form, name, _ in LINES])
@given(text=st.text(st.sampled_from("aÖ \r\n\t\u2028\u2029")))
def test_what_is_no_prose_stands_on_one_line(field: tuple[type, str, Any], text: str) -> None:
    """A table, a place or a name never begins a line of its own in a mail, a PDF or a log."""
    unbound = field[2]
    one = type("One", (Group,), {"only": unbound})().only
    said = reduce(lambda kept, clean: clean(kept), one.filters, f"a{text}b")
    assert not set("\r\n\t\u2028\u2029") & set(str(said))
    assert sum(map(text.count, "aÖ")) + 2 == sum(map(str(said).count, "aÖb"))


def test_prose_keeps_its_lines_and_a_pasted_line_loses_none_of_its_words(fill: Fill) -> None:
    form = fill(title="Bord 7\r\nBricka\t18", prose="ett\r\ntvå")
    assert (form.title.data, form.prose.data, form.errors) == ("Bord 7 Bricka 18", "ett\ntvå", {})


def test_a_text_that_is_too_long_says_how_long(fill: Fill, app: Flask) -> None:
    assert said(fill(title="x" * 201), app) == ["Texten är 201 tecken lång. Högst 200 får plats."]


@pytest.mark.parametrize("number", ["811218-9876", "8112189876", "19811218-9876", "198112189876", "811278-9873"])
def test_an_identity_number_is_refused(fill: Fill, app: Flask, number: str) -> None:
    """P4."""
    assert said(fill(prose=f"Syd ({number}) bjöd."), app) == ["Ta bort personnumret. Det behövs inte här."]


def test_a_mail_link_is_refused_in_any_text(fill: Fill, app: Flask) -> None:
    """S-LINK3: all readers of the case could act by it; the text stays in the form."""
    link = f"https://{'x' * 9}.example/l/{'aB3_-' * 8}"
    refused = ["Texten innehåller din personliga länk. Ta bort den: den som har länken kan handla i ditt namn."]
    form = fill(prose=f"Se {link}.")
    assert said(form, app) == refused
    assert link in form.prose.data
    assert said(fill(title=link), app) == refused
    assert said(fill(prose="Se https://example.org/l/resultat."), app) == []


@pytest.mark.parametrize(
    "text",
    [
        "811218-9877",
        "Ring 08-465 004 12 eller 070-1740605",
        '[Deal "N:T843.K4.A732.Q86 Q.A9762.T98.KJ32 AKJ92.QJ5.K.A754 765.T83.QJ654.T9"]',
        "st||pn|syd,väst,nord,öst|md|3SAKT98HQ72DK5C432",
        "Bricka 12 par 12 resultat 1430 620 -100 2000",
        "2026-11-28 21.12, SBF-2026-0123",
        "1234567890123456",
    ],
)
def test_numbers_of_bridge_are_no_identity_numbers(text: str) -> None:
    """P4."""
    assert not has_identity_number(text)


def test_wtforms_own_messages_are_swedish(fill: Fill, app: Flask) -> None:
    assert said(fill(title="", side="XX", day="i går"), app) == [
        "Write the title",
        "Skriv dagen som 2026-11-28.",
        "Välj ett av svaren.",
    ]


def test_what_hidden_fields_say_is_said_by_the_form(fill: Fill) -> None:
    form = fill(version="tre")
    assert form.version.errors == []
    assert len(form.form_errors) == 1


def test_choices_are_shown_in_the_readers_language(app: Flask) -> None:
    with app.test_request_context("/"):
        assert ">Logga in<" in Sample().body()


def test_a_form_has_its_own_id_and_keeps_it(app: Flask, fill: Fill) -> None:
    with app.test_request_context("/"):
        first, second = Form(), Form()
    assert first.instance.form_id != second.instance.form_id
    kept = fill(form_id=str(first.instance.form_id), version="7").instance
    assert (kept.form_id, kept.version) == (first.instance.form_id, 7)
    assert isinstance(fill(form_id="'; DROP TABLE").instance.form_id, UUID)


@pytest.mark.parametrize("shown", ["21.12", "21:12", "2112", "kl. 21.12"])
def test_a_time_is_read_as_people_write_it(fill: Fill, shown: str) -> None:
    form = fill(day="2026-11-28", clock=shown)
    assert form.clock.instant == datetime(2026, 11, 28, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize("wrong", ["25.00", "21.60", "kväll", "21.1", "2026", "-1"])
def test_a_time_that_is_none_says_how_to_write_it(fill: Fill, app: Flask, wrong: str) -> None:
    form = fill(day="2026-11-28", clock="9999" if wrong == "2026" else wrong)
    assert said(form, app) == ["Skriv klockslaget som 21.12."]


@pytest.mark.parametrize(
    ("clock", "hour"),
    [
        ("02.30 sommartid", 0),
        ("02.30 vintertid", 1),
        ("2.30 summer", 0),
        ("2.30 Vintertid", 1),
        ("02.30 (sommartid)", 0),
        ("02.30 (winter time)", 1),
    ],
)
def test_the_hour_that_comes_twice_is_told_apart(clock: str, hour: int) -> None:
    assert instant_of(date(2026, 10, 25), clock) == datetime(2026, 10, 25, hour, 30, tzinfo=UTC)


@pytest.mark.parametrize("hour", [0, 1])
def test_what_is_filled_in_says_which_of_the_two_it_is(app: Flask, hour: int) -> None:
    shown = datetime(2026, 10, 25, hour, 30, tzinfo=UTC)
    with app.test_request_context():
        form = Sample(data={"day": shown, "clock": shown})
    assert instant_of(date(2026, 10, 25), str(form.clock.data)) == shown


def test_the_hour_that_comes_twice_is_asked_about(fill: Fill, app: Flask) -> None:
    assert "Skriv 02.30 sommartid eller 02.30 vintertid." in said(fill(day="2026-10-25", clock="2.30"), app)[0]


def test_the_hour_that_never_comes_is_refused(fill: Fill, app: Flask) -> None:
    assert "aldrig 02.30" in said(fill(day="2026-03-29", clock="02.30"), app)[0]


def test_an_instant_is_shown_as_day_and_time_in_sweden(app: Flask) -> None:
    at = datetime(2026, 11, 28, 23, 5, tzinfo=UTC)
    with app.test_request_context("/"):
        form = Sample(day=at, clock=at)
    assert (form.day.data, form.clock.data) == (date(2026, 11, 29), "00.05")


def test_the_domains_errors_stand_at_their_fields(fill: Fill) -> None:
    form = fill()
    with form.showing_errors():
        raise Invalid({"title": t("The board is taken"), "unknown": t("Somewhere else")})
    assert [error.msgid for error in form.title.errors] == ["The board is taken"]
    assert [error.msgid for error in form.form_errors] == ["Somewhere else"]
    assert form.status == 422


def test_a_conflict_keeps_the_text_and_shows_the_new_version(app: Flask) -> None:
    with app.test_request_context("/", method="POST", data={"title": "Bricka 7", "version": "3"}):
        form = Sample()
        form.shows(9)
        assert form.version.data == 3
        with form.showing_errors():
            raise Conflict(t("Somebody was here"))
        form.shows(9)
        assert (form.version.data, 'value="9"' in form.version()) == (9, True)
        assert (form.title.data, form.status) == ("Bricka 7", 409)


def test_a_time_that_is_none_is_said_with_everything_else(fill: Fill) -> None:
    form = fill(title="", clock="25.00")
    assert set(form.errors) == {"title", "clock"}


def test_a_refusal_stands_at_the_answer_it_is_about(fill: Fill) -> None:
    form = fill()
    form.answers = {"outcome": "side"}  # type: ignore[misc]  # a form of its own would say it once for all
    with form.showing_errors():
        raise NotAllowed(t("Sign in"), t("Body"), t("Day"), answers=("outcome", "prose", ""))
    assert {name: form[name].errors for name in ("side", "prose")} == {"side": [t("Sign in")], "prose": [t("Body")]}
    assert form.form_errors == [t("Day")]


def test_every_reason_of_a_refusal_is_shown(fill: Fill) -> None:
    form = fill()
    with form.showing_errors():
        raise NotAllowed(t("One"), t("Two"))
    assert (len(form.form_errors), form.status) == (2, 403)


@pytest.mark.parametrize("error", [Missing(), security.TokenMissing(), KeyError("x")])
def test_what_no_form_can_show_goes_on(fill: Fill, error: Exception) -> None:
    with pytest.raises(type(error)), fill().showing_errors():
        raise error

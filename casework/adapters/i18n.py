"""Words for a reader: the catalogues, and the one place that turns a `Text`, an instant or a date into a sentence.

The catalogues are read from their .po files, so there is nothing to compile. An instant is never shown in the
locale's own format: "måndag 7 december 2026 kl. 23.59" has a point and "kl.", and English has the same 24 hours.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal
from functools import cache
from io import BytesIO
from typing import Any

from babel.dates import format_date as babel_date
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import get_decimal_symbol
from babel.support import Translations
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from casework.clock import LOCAL
from casework.paths import TEMPLATES, TRANSLATIONS
from casework.text import Quoted, Text, t

LANGUAGES = ("sv", "en")
"""What a reader may choose; the first is everybody's who has not chosen."""

_DAY = "EEEE d MMMM y"


def language_or_default(language: str) -> str:
    """The language itself if there is a catalogue for it, else the federation's."""
    return language if language in LANGUAGES else LANGUAGES[0]


@cache
def translations(language: str) -> Translations:
    """The catalogue of a language, for Flask-Babel and Jinja as well."""
    language = language_or_default(language)
    with (TRANSLATIONS / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)


def render(text: Text, language: str, zone: tzinfo = LOCAL) -> str:
    """A `Text` as a sentence; its instants are shown in `zone`."""
    params = {name: format_value(value, language, zone) for name, value in text.params.items()}
    sentence: str = translations(language).gettext(text.msgid)
    return sentence.format(**params) if params else sentence


def format_value(value: Any, language: str, zone: tzinfo = LOCAL) -> str:
    """Anything that a `Text` may hold: an instant, a date, another `Text`, a list joined with "and", a number."""
    match value:
        case Text():
            return render(value, language, zone)
        case datetime():
            return format_instant(value, language, zone=zone)
        case date():
            return format_date(value, language)
        case Decimal() | int():
            return format_number(Decimal(value), language)
        case list() | tuple():
            return join([format_value(item, language, zone) for item in value], language)
        case _:
            return str(value)


def format_instant(instant: datetime, language: str, *, zone: tzinfo = LOCAL, now: datetime | None = None) -> str:
    """Weekday, date and time, "måndag 7 december 2026 kl. 23.59".

    With `now`, a near day is called by its word: "i dag kl. 21.42". In the hour that comes twice it says which (F26).
    """
    day = format_date(instant.astimezone(zone), language, today=now.astimezone(zone).date() if now else None)
    return render(t("{day} at {time}", day=day, time=format_time(instant, language, zone=zone)), language)


def _which_of_two(local: datetime, language: str) -> str:
    """In the hour that comes twice, which of the two it is, " (sommartid)"; empty at any other time."""
    if local.replace(fold=0).utcoffset() == local.replace(fold=1).utcoffset():
        return ""
    return f" ({render(t('winter time') if local.fold else t('summer time'), language)})"


def format_date(day: date, language: str, *, zone: tzinfo = LOCAL, today: date | None = None) -> str:
    """Weekday and date, "måndag 7 december 2026"; with `today`, "i dag", "i morgon" and "i går" where they are right.

    An instant is shown as its day in `zone`.
    """
    if isinstance(day, datetime):
        day = day.astimezone(zone).date()
    near = {-1: t("yesterday"), 0: t("today"), 1: t("tomorrow")}
    word = near.get((day - today).days) if today else None
    return render(word, language) if word else babel_date(day, _DAY, locale=language_or_default(language))


def format_number(number: Decimal, language: str) -> str:
    """A number with the decimals it has, "−14,5" and "−14.5": a true minus, and no groups of thousands."""
    point = get_decimal_symbol(language_or_default(language))
    return f"{number:f}".replace("-", "−").replace(".", point)


def format_time(instant: datetime, language: str, *, zone: tzinfo = LOCAL) -> str:
    """Hours and minutes, "21.42", and in the hour that comes twice which of the two."""
    local = instant.astimezone(zone)
    return f"{local:%H.%M}{_which_of_two(local, language)}"


def time_left(instant: datetime, now: datetime) -> Text:
    """How much time is left, "5 dagar kvar", in whole units, so that it never promises more than there is."""
    left = instant - now
    if left <= timedelta(0):
        return t("the time has run out")
    days, hours, minutes = left.days, left // timedelta(hours=1), left // timedelta(minutes=1)
    if days:
        return t("1 day left") if days == 1 else t("{days} days left", days=days)
    if hours:
        return t("1 hour left") if hours == 1 else t("{hours} hours left", hours=hours)
    if minutes:
        return t("1 minute left") if minutes == 1 else t("{minutes} minutes left", minutes=minutes)
    return t("less than a minute left")


def join(parts: Sequence[str], language: str) -> str:
    """A list in running text, "a, b och c"."""
    if len(parts) < 2:
        return "".join(parts)
    return render(t("{first} and {last}", first=", ".join(parts[:-1]), last=parts[-1]), language)


@cache
def jinja_environment(language: str) -> Environment:
    """The templates of mails and PDFs in one language, with `filters`."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(default_for_string=True),
        extensions=["jinja2.ext.i18n"],
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.install_gettext_translations(translations(language), newstyle=True)  # type: ignore[attr-defined]
    environment.filters |= filters(language)
    environment.filters["apart"] = _apart
    environment.globals["lang"] = language_or_default(language)
    return environment


def _apart(text: str) -> str:
    """In plain text each line of what somebody has typed is marked, as mails mark what they answer."""
    if not isinstance(text, Quoted) or not text.apart:
        return text
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def filters(language: str) -> dict[str, Callable[..., str]]:
    """The filters of mails and PDFs.

    `words` (a Text, or words already), `sentence` (the same with a capital), `when` and `instant` (weekday, date and
    time), `day`, `clock`.
    """

    def words(value: Any) -> str:
        return value if isinstance(value, str) else format_value(value, language)

    return {
        "words": words,
        "sentence": lambda value: words(value)[:1].upper() + words(value)[1:],
        "when": lambda value: format_value(value, language),
        "instant": lambda value: format_value(value, language),
        "day": lambda value: format_date(value, language),
        "clock": lambda value: format_time(value, language),
    }

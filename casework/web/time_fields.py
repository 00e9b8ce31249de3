"""Day and time as people write them in the hall, read as an instant in Swedish time."""

import re
from datetime import UTC, date, datetime, time
from typing import Any

import wtforms
from wtforms import ValidationError
from wtforms.widgets import DateInput

from casework.adapters.i18n import format_time
from casework.clock import LOCAL
from casework.text import Text, t
from casework.web.words import language

CLOCK = re.compile(
    r"(?:kl\.?\s*)?(\d{1,2})(?:[.:]?(\d\d))?(?:\s*\(?(sommartid|vintertid|summer|winter)(?: time)?\)?)?", re.IGNORECASE
)
YEARS = range(2000, 2101)
SUMMER = {"sommartid", "summer"}


class DayField(wtforms.DateField):
    """A day, written as 2026-11-28 or 28.11.2026; prefilled with a date or an instant."""

    widget = DateInput()

    def __init__(self, label: Text, **options: Any) -> None:
        super().__init__(label, format=["%Y-%m-%d", "%d.%m.%Y"], **options)

    def pre_validate(self, form: Any) -> None:
        """Refuse a mistyped year before anything is reckoned from the day."""
        if self.data is not None and self.data.year not in YEARS:
            raise wtforms.validators.StopValidation(t("Write a year between 2000 and 2100."))

    def process_data(self, value: Any) -> None:
        """Show the day on which an instant falls in Sweden."""
        super().process_data(value.astimezone(LOCAL).date() if isinstance(value, datetime) else value)


class ClockField(wtforms.StringField):
    """A time of day, written as 21.12 or 21:12, on the day of the field named `day`.

    After `validate()` the aware instant in UTC stands in `instant` (None when nothing was written). In the hour that
    comes twice, "sommartid" or "vintertid" says which one is meant.
    """

    longest = 40

    def __init__(self, label: Text, *, day: str, **options: Any) -> None:
        super().__init__(label, **options)
        self.day = day
        self.instant: datetime | None = None

    def process_data(self, value: Any) -> None:
        """Show an instant as the clock in Sweden."""
        super().process_data(format_time(value, language()) if isinstance(value, datetime) else value)

    def post_validate(self, form: Any, validation_stopped: bool) -> None:  # noqa: FBT001  # WTForms' signature
        """Read the clock on the day of the other field; an impossible one is said whatever the day is."""
        if not self.data or self.errors:
            return
        _read(self.data)
        day = form[self.day].data
        if isinstance(day, date) and day.year in YEARS:
            self.instant = instant_of(day, self.data)


def begin_with(form: wtforms.Form, clock: ClockField, at: datetime | None) -> None:
    """Show an instant as the day and the clock in Sweden."""
    form[clock.day].process_data(at)
    clock.process_data(at)


def _read(clock: str) -> re.Match[str]:
    match = CLOCK.fullmatch(clock.strip())
    if not match or int(match[1]) > 23 or int(match[2] or 0) > 59:
        raise ValidationError(t("Write the time as 21.12."))
    return match


def instant_of(day: date, clock: str) -> datetime:
    """The instant in UTC. Raises WTForms' ValidationError with words for the reader."""
    match = _read(clock)
    wall = datetime.combine(day, time(int(match[1]), int(match[2] or 0)), LOCAL)
    first, second = wall.replace(fold=0).astimezone(UTC), wall.replace(fold=1).astimezone(UTC)
    shown = wall.strftime("%H.%M")
    if first > second:
        raise ValidationError(t("The clock was never {clock} that night: it was set forward.", clock=shown))
    if first < second and not match[3]:
        raise ValidationError(
            t("The clock was {clock} twice that night. Write {clock} summer, or {clock} winter.", clock=shown)
        )
    return first if not match[3] or match[3].lower() in SUMMER else second

"""What is asked before a time stands still."""

from datetime import datetime
from typing import Any

from wtforms import validators

from casework.clock import today
from casework.text import t
from casework.web.forms import Boxes, CheckedForm, MovingForm, Needed, ReasonField
from casework.web.rulings.forms import at
from casework.web.time_fields import ClockField, DayField


class Standstill(CheckedForm, MovingForm):
    """Which times, from when, until when if that is known, and why."""

    deadlines = Boxes(t("Which times?"), choices=[], validators=[Needed(t("Tick the times that are to stand still."))])
    from_day = DayField(t("From, day"), validators=[Needed(t("Write the day."))], default=today)
    begins = ClockField(t("Time"), day="from_day", validators=[Needed(t("Write the time, for example 21.12."))])
    to_day = DayField(
        t("Until, day"),
        description=t("Leave it empty if it is not known. The time then stands still until somebody lets it go on."),
        validators=[validators.Optional()],
    )
    ends = ClockField(t("Time"), day="to_day", validators=[validators.Optional()])
    because = ReasonField(
        t("Why is the time to stand still?"),
        description=t("The parties read it."),
        validators=[Needed(t("Write why the time is to stand still."))],
    )

    def validate(self, extra_validators: Any = None) -> bool:
        """An end is a day and a time, or neither."""
        super().validate(extra_validators)
        if not self.errors and bool(self.to_day.data) != bool(self.ends.data):
            self.ends.errors = [t("Write both the day and the time, or neither.")]
        self.status = 422 if self.errors else 200
        return not self.errors

    @property
    def interval(self) -> tuple[datetime, datetime | None]:
        """From when, and until when where that is known."""
        return at(self.begins), self.ends.instant


class GoOn(CheckedForm, MovingForm):
    """Nothing to fill in: the page shows what it does."""

"""What is asked about a telling, a letter and the times that they start."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, cast

import wtforms
from wtforms import validators

from casework.clock import today
from casework.domain.calendar import Span, Unit
from casework.text import t
from casework.web.forms import CheckedForm, Form, MovingForm, Needed, ReasonField, options
from casework.web.rulings.forms import NUMBER, Between, TickList
from casework.web.time_fields import ClockField, DayField


class Telling(Form):
    """Whom the director has told, and when."""

    persons = TickList(t("I have read this aloud to"), choices=[], validators=[Needed(t("Tick whom you have told."))])
    day = DayField(t("Day"), validators=[Needed(t("Write the day."))], default=today)
    told_at = ClockField(t("Time"), day="day", validators=[Needed(t("Write the time, for example 21.12."))])


class LetterPosted(Form):
    """When a letter went to the post."""

    day = DayField(t("Day"), validators=[Needed(t("Write the day."))], default=today)
    posted_at = ClockField(t("Time"), day="day", validators=[Needed(t("Write the time, for example 21.12."))])


class LetterArrived(Form):
    """When a letter arrived, and how that is known."""

    day = DayField(t("Day"), validators=[Needed(t("Write the day."))], default=today)
    arrived_at = ClockField(t("Time"), day="day", validators=[Needed(t("Write the time, for example 21.12."))])
    note = ReasonField(
        t("How do you know?"),
        description=t("For example: the player said so on the phone."),
        validators=[Needed(t("Write how you know that the letter arrived."))],
    )


class RightTime(CheckedForm):
    """When somebody was told in truth, and why something else was recorded."""

    day = DayField(t("Day"), validators=[Needed(t("Write the day."))], default=today)
    right_at = ClockField(t("Time"), day="day", validators=[Needed(t("Write the time, for example 21.12."))])
    because = ReasonField(t("Why was it recorded wrongly?"), validators=[Needed(t("Write why the time was wrong."))])


class MoreTime(CheckedForm, MovingForm):
    """More time for one side: so much longer, or until a moment."""

    number = wtforms.IntegerField(
        t("How much longer"),
        description=t("It is counted on from the last day before it was moved, and moved once, at the end."),
        validators=[validators.Optional(), Between(1, 366, t("Write a number from 1 to 366."))],
        render_kw=NUMBER,
    )
    unit = wtforms.SelectField(t("Unit"), choices=[])
    day = DayField(
        t("Or until, day"),
        description=t("The whole day. If no time can end on that day, it ends on the next day on which one can."),
        validators=[validators.Optional()],
    )
    until = ClockField(
        t("Time"),
        day="day",
        description=t("Only if it is to end at a certain time. Without a day it is today."),
        validators=[validators.Optional()],
    )
    because = ReasonField(
        t("Why does the side get more time?"), validators=[Needed(t("Write why the party gets more time."))]
    )

    def offers(self, units: Sequence[Unit]) -> None:
        """In what more time can be given here."""
        self.unit.choices = options(*((unit.value, _UNIT_WORDS[unit]) for unit in units))

    def validate(self, extra_validators: Any = None) -> bool:
        """One of the two; a time without a day is today's."""
        if self.until.data and self.day.data is None:
            self.day.data = today()
        super().validate(extra_validators)
        until = self.day.data is not None or bool(self.until.data)
        if not self.errors and until == (self.number.data is not None):
            self.number.errors = [t("Write how much longer, or until when: one of the two.")]
        self.status = 422 if self.errors else 200
        return not self.errors

    @property
    def given(self) -> Span | datetime | date:
        """What the side gets, of a form that is valid."""
        if self.number.data is not None:
            return Span(cast(int, self.number.data), Unit(self.unit.data))
        return self.until.instant or cast(date, self.day.data)


_UNIT_WORDS = {
    Unit.minutes: t("minutes"),
    Unit.hours: t("hours"),
    Unit.days: t("days"),
    Unit.weeks: t("weeks"),
    Unit.months: t("months"),
    Unit.working_days: t("working days"),
}

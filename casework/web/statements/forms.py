"""The forms of the written way."""

import wtforms
from wtforms import validators

from casework.domain.labels import label
from casework.domain.terms import FilingChannel
from casework.text import t
from casework.web.appeals.forms import InPlaceForm, happened
from casework.web.forms import CheckedForm, Form, MovingForm, Needed, options
from casework.web.time_fields import ClockField, DayField
from casework.web.uploads import WithFiles

PARTIES_READ = t("Read by both sides as soon as you file the report, and by the body.")
STATED = (FilingChannel.PAPER, FilingChannel.PHONE, FilingChannel.TABLE)
"""How a statement reaches an official."""


class LongText(wtforms.TextAreaField):
    """A text in which everything may be said (R28)."""

    longest = 50_000


class ReportForm(WithFiles):
    """The director's report: four parts (R27)."""

    events = wtforms.TextAreaField(
        t("What happened"), description=PARTIES_READ, validators=[Needed(t("Write the course of events"))]
    )
    ruling = wtforms.TextAreaField(
        t("Your ruling"), description=PARTIES_READ, validators=[Needed(t("Write the ruling"))]
    )
    reasons = wtforms.TextAreaField(
        t("Your reasons"), description=PARTIES_READ, validators=[Needed(t("Write the reasons"))]
    )
    other = wtforms.TextAreaField(
        t("Anything else that matters"), description=PARTIES_READ, validators=[validators.Optional()]
    )


class ReportInPlaceForm(ReportForm):
    """The same, in the director's place."""

    because = wtforms.TextAreaField(
        t("Why do you take this step in the director's place?"),
        description=t("Stands in the case and is read by the director and both sides."),
        validators=[Needed(t("Write why you take this step in the director's place"))],
    )


class DemandForm(CheckedForm, MovingForm):
    """What all parties are asked."""

    question = wtforms.TextAreaField(
        t("Is there anything in particular they should answer?"),
        description=t("Read by both sides. They are always asked for all their arguments."),
        validators=[validators.Optional()],
    )


class DemandInPlaceForm(DemandForm, InPlaceForm):
    """The same, in the director's place."""


class StatementForm(CheckedForm, WithFiles):
    """A party's statement, answer or later material."""

    text = LongText(t("Your statement"), validators=[Needed(t("Write your statement"))])


class DeclineForm(Form):
    """A party has nothing to add."""

    nothing = wtforms.BooleanField(
        t("I answer for our side: we have nothing to add"),
        validators=[Needed(t("Tick that you have nothing to add, or go back"))],
    )


class LeaveOutForm(Form):
    """Which late material the body leaves out of account, and why."""

    late = wtforms.RadioField(
        t("What is left out of account?"),
        choices=[],
        validators=[validators.InputRequired(t("Choose what is left out of account"))],
    )
    because = wtforms.TextAreaField(
        t("Why?"),
        description=t("Read by both sides and the director. It stands in the case beside the material."),
        validators=[Needed(t("Write why it is left out of account"))],
    )


class EnterForm(CheckedForm, WithFiles):
    """What a party sent on paper or said, entered by an official."""

    person = wtforms.RadioField(
        t("Whose statement is it?"),
        choices=[],
        validators=[validators.InputRequired(t("Choose whose statement it is"))],
    )
    channel = wtforms.RadioField(
        t("How did it come in?"),
        choices=options(*((channel.value, label(channel)) for channel in STATED)),
        validators=[validators.InputRequired(t("Choose how the statement came in"))],
    )
    day: DayField
    clock: ClockField
    day, clock = happened(t("Day when it came in"), t("Time"))
    text = LongText(
        t("What they say"),
        description=t("Word for word if it came on paper; attach the original."),
        validators=[Needed(t("Write the statement"))],
    )

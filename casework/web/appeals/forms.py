"""The forms of the appeal's way through the director."""

import wtforms
from wtforms import validators

from casework.domain.labels import label
from casework.domain.terms import FilingChannel
from casework.text import Text, t
from casework.web.forms import CheckedForm, Form, MovingForm, Needed, options
from casework.web.time_fields import ClockField, DayField
from casework.web.uploads import WithFiles

READ_BY = t("Read by the director, the body that tries the appeal, and the other side.")
CHANNELS = (FilingChannel.TABLE, FilingChannel.PHONE, FilingChannel.PAPER)
"""How something reached an official."""


def happened(day: Text, clock: Text) -> tuple[DayField, ClockField]:
    """The two fields of a moment."""
    return (
        DayField(day, validators=[Needed(t("Write the day"))]),
        ClockField(clock, day="day", validators=[Needed(t("Write the time"))]),
    )


class AppealForm(WithFiles):
    """What a side wants changed, and why."""

    wants = wtforms.TextAreaField(
        t("What do you want to change?"),
        description=READ_BY,
        validators=[Needed(t("Write what in the ruling you want to change"))],
    )
    grounds = wtforms.TextAreaField(t("Why?"), description=READ_BY, validators=[validators.Optional()])

    def ask_about_decision(self) -> None:
        """The jury's decision is appealed, not a ruling."""
        self.wants.validators = [Needed(t("Write what in the decision you want to change"))]


class RegisterForm(AppealForm):
    """The same, registered by an official for a party."""

    person = wtforms.RadioField(
        t("Who appeals?"), choices=[], validators=[validators.InputRequired(t("Choose who appeals"))]
    )
    channel = wtforms.RadioField(
        t("How did the appeal come in?"),
        choices=options(*((channel.value, label(channel)) for channel in CHANNELS)),
        validators=[validators.InputRequired(t("Choose how the appeal came in"))],
    )
    day, clock = happened(t("Day when it was said or came in"), t("Time"))


class ConcurForm(CheckedForm):
    """A partner's or captain's own word."""

    agrees = wtforms.BooleanField(
        t("I concur in the appeal"), validators=[Needed(t("Tick that you concur, or close the page"))]
    )


class RecordConcurrenceForm(Form):
    """A partner or captain has said that he concurs."""

    person = wtforms.RadioField(
        t("Who concurs?"), choices=[], validators=[validators.InputRequired(t("Choose a player"))]
    )
    told_how = wtforms.TextAreaField(
        t("When and how did the player say it?"),
        description=READ_BY,
        validators=[Needed(t("Write when and how the player said it"))],
    )


class DeemForm(Form):
    """An absent partner counts as concurring."""

    person = wtforms.RadioField(
        t("Who counts as concurring?"), choices=[], validators=[validators.InputRequired(t("Choose a player"))]
    )
    because = wtforms.TextAreaField(
        t("Why can the player not be asked?"),
        description=READ_BY,
        validators=[Needed(t("Write why the player cannot be asked"))],
    )


class WarnForm(Form):
    """What the director told an appellant (R33)."""

    appeal = wtforms.RadioField(
        t("Whose appeal?"), choices=[], validators=[validators.InputRequired(t("Choose whose appeal it is about"))]
    )
    how = wtforms.TextAreaField(
        t("How did you tell the appellant, and what did you say?"),
        description=READ_BY,
        validators=[Needed(t("Write how you told the appellant"))],
    )
    day, clock = happened(t("Day when you said it"), t("Time"))


class WithdrawForm(CheckedForm, MovingForm):
    """The side takes its own appeal back."""

    sure = wtforms.BooleanField(
        t("We withdraw our appeal"), validators=[Needed(t("Tick that you withdraw the appeal, or close the page"))]
    )


class WithdrawForPartyForm(MovingForm):
    """An official records that a side took its appeal back."""

    appeal = wtforms.RadioField(
        t("Whose appeal?"), choices=[], validators=[validators.InputRequired(t("Choose whose appeal it is about"))]
    )
    because = wtforms.TextAreaField(
        t("When and how did the party withdraw it?"),
        description=READ_BY,
        validators=[Needed(t("Write when and how the party withdrew its appeal"))],
    )


class ForwardForm(CheckedForm, MovingForm):
    """The director forwards."""


class InPlaceForm(CheckedForm, MovingForm):
    """Somebody takes the step in the director's place."""

    because = wtforms.TextAreaField(
        t("Why do you take this step in the director's place?"),
        description=t("Stands in the case and is read by the director and both sides."),
        validators=[Needed(t("Write why you take this step in the director's place"))],
    )

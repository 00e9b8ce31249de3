"""What a person says about a notice that did not arrive."""

import wtforms
from wtforms import validators

from casework.text import t
from casework.web.forms import CheckedForm, Form, Needed
from casework.web.time_fields import ClockField, DayField


class AgainForm(CheckedForm):
    """Run a mail again; where it may have arrived, only with an explicit word."""

    anyway = wtforms.BooleanField(t("Send it although it may have arrived already"))


class CallForm(Form):
    """When somebody was told by telephone, and what was said."""

    day = DayField(t("Which day did you call?"), validators=[validators.InputRequired(t("Write the day"))])
    at = ClockField(t("What time?"), day="day", validators=[Needed(t("Write the time"))])
    note = wtforms.TextAreaField(
        t("Whom did you talk to, and what did you say?"),
        description=t("Say what is decided and until when it can be appealed. Read by those who handle the case."),
        validators=[Needed(t("Write whom you talked to and what you said."))],
    )


class StopForm(Form):
    """Stop what is held, with the reason."""

    because = wtforms.TextAreaField(
        t("Why is it not to be sent?"),
        description=t("It is kept with the case and read by those who handle it."),
        validators=[Needed(t("Write why nothing is to be sent."))],
    )

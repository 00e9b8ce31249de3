"""What is recorded about a letter."""

import wtforms
from wtforms import validators

from casework.text import t
from casework.web.forms import Form, Needed
from casework.web.time_fields import ClockField, DayField


class ArrivedForm(Form):
    """When a letter is known to have arrived, and how it is known."""

    day = DayField(t("Which day did the letter arrive?"), validators=[validators.InputRequired(t("Write the day"))])
    arrived_at = ClockField(
        t("What time?"),
        day="day",
        description=t("If you only know the day, write 23.59: then nobody loses time."),
        validators=[Needed(t("Write the time"))],
    )
    note = wtforms.TextAreaField(
        t("How do you know?"),
        description=t("For example: a receipt from the post, or a telephone call. Read by those who handle the case."),
        validators=[Needed(t("Write how you know that the letter arrived"))],
    )

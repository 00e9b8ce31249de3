"""What is recorded about a letter."""

import wtforms
from wtforms import validators

from casework.text import t
from casework.web.forms import Form, Needed
from casework.web.time_fields import ClockField, DayField


class PostedForm(Form):
    """When a letter went to the post."""

    day = DayField(t("Which day did you post it?"), validators=[validators.InputRequired(t("Write the day"))])
    posted_at = ClockField(t("What time?"), day="day", validators=[Needed(t("Write the time"))])


class RightPostedForm(PostedForm):
    """When it went to the post in truth, and why something else was noted."""

    because = wtforms.TextAreaField(
        t("Why was it recorded wrongly?"), validators=[Needed(t("Write why the time was wrong."))]
    )


class ArrivedForm(Form):
    """When a letter is known to have arrived, and how it is known."""

    day = DayField(t("Which day did the letter arrive?"), validators=[validators.InputRequired(t("Write the day"))])
    arrived_at = ClockField(
        t("What time?"),
        day="day",
        description=t(
            "If you only know the day, write 23.59: then nobody loses time. If it is today, write the time it is now."
        ),
        validators=[Needed(t("Write the time"))],
    )
    note = wtforms.TextAreaField(
        t("How do you know?"),
        description=t("For example: a receipt from the post, or a telephone call. Read by those who handle the case."),
        validators=[Needed(t("Write how you know that the letter arrived"))],
    )

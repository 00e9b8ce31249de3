"""When the official score was made available, and who of the Law Commission is present."""

import wtforms

from casework.clock import today
from casework.text import t
from casework.web.forms import CheckedForm, Form, Needed
from casework.web.time_fields import ClockField, DayField


class Publication(CheckedForm):
    """The moment from which the times to appeal run."""

    day = DayField(t("Day"), validators=[Needed(t("Write the day."))], default=today)
    published_at = ClockField(t("Time"), day="day", validators=[Needed(t("Write the time, for example 21.12."))])


class PresentMember(Form):
    """An LK member who is at the tournament."""

    person_id = wtforms.RadioField(
        t("Who is present?"), choices=[], validators=[Needed(t("Choose the member who is present."))]
    )

"""When the official score was made available, and who of the Law Commission is present."""

import wtforms
from wtforms import validators

from casework.clock import today
from casework.domain.errors import Invalid
from casework.domain.workflow.held import MANY
from casework.text import t
from casework.web.forms import CheckedForm, Form, Needed
from casework.web.telling import not_the_number
from casework.web.time_fields import ClockField, DayField


class Publication(CheckedForm):
    """The moment from which the times to appeal run."""

    day = DayField(t("Day"), validators=[Needed(t("Write the day."))], default=today)
    published_at = ClockField(t("Time"), day="day", validators=[Needed(t("Write the time, for example 21.12."))])
    people = wtforms.IntegerField(t("Write how many messages are sent"), validators=[validators.Optional()])

    def confirms(self, count: int) -> bool:
        """Whether the number of messages is confirmed, where they are many (U10)."""
        if count <= MANY or self.people.data == count:
            return True
        self.refused(Invalid({"people": not_the_number(count)}))
        return False


class PresentMember(Form):
    """An LK member who is at the tournament."""

    person_id = wtforms.RadioField(
        t("Who is present?"), choices=[], validators=[Needed(t("Choose the member who is present."))]
    )

"""What is asked about a telling, a letter and the times that they start."""

from casework.clock import today
from casework.text import t
from casework.web.forms import Form, MovingForm, Needed
from casework.web.rulings.forms import ReasonField, TickList
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


class RightTime(Form):
    """When somebody was told in truth, and why something else was recorded."""

    day = DayField(t("Day"), validators=[Needed(t("Write the day."))], default=today)
    right_at = ClockField(t("Time"), day="day", validators=[Needed(t("Write the time, for example 21.12."))])
    because = ReasonField(t("Why was it recorded wrongly?"), validators=[Needed(t("Write why the time was wrong."))])


class MoreTime(MovingForm):
    """A later last moment for one side."""

    day = DayField(t("Day"), validators=[Needed(t("Write the day."))], default=today)
    until = ClockField(t("Time"), day="day", validators=[Needed(t("Write the time, for example 21.12."))])
    because = ReasonField(
        t("Why does the side get more time?"), validators=[Needed(t("Write why the party gets more time."))]
    )

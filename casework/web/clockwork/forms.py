"""The word of a person that the clock is right."""

import wtforms
from wtforms.widgets import HiddenInput

from casework.web.forms import Form


class ClockIsRight(Form):
    """`stop_id` is the jump that its reader saw: another one is asked about anew."""

    stop_id = wtforms.StringField(widget=HiddenInput())

"""The forms for signing in and for the calendar."""

import wtforms

from casework.text import t
from casework.web.forms import Form, Needed


class SignInForm(Form):
    """Name and password; `back` is where the reader was going."""

    back = wtforms.HiddenField()
    username = wtforms.StringField(
        t("User name"),
        validators=[Needed(t("Write your user name"))],
        render_kw={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"},
    )
    password = wtforms.PasswordField(
        t("Password"),
        validators=[Needed(t("Write your password"))],
        render_kw={"autocomplete": "current-password"},
    )


class CalendarForm(Form):
    """A button of the calendar; `version` is the address that the page showed."""

    version = wtforms.HiddenField()

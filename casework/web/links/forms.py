"""The forms of a mail link's page, and of who has lost it."""

import wtforms

from casework.services import link_codes
from casework.text import t
from casework.web.forms import Form, Needed


class AskForm(Form):
    """Whose link is wanted."""

    asked_for = wtforms.StringField(
        t("E-mail address or member number"),
        description=t("The address that the federation writes to, or your member number."),
        validators=[Needed(t("Write your e-mail address or your member number"))],
        render_kw={"autocomplete": "email", "autocapitalize": "none", "spellcheck": "false"},
    )


class CodeForm(Form):
    """The code beside the link in its mail, asked for in a browser that is new to the link."""

    code = wtforms.StringField(
        t("Code in the mail"),
        description=t("It has six characters and stands below the link in the same mail. You may paste it."),
        validators=[Needed(t("Write the code that stands in the mail"))],
        render_kw={"autocomplete": "one-time-code", "autocapitalize": "characters", "spellcheck": "false"},
    )

    def validate_code(self, field: wtforms.StringField) -> None:
        """A code that cannot be one is no try."""
        if len(link_codes.tidy(field.data)) != link_codes.LENGTH:
            raise wtforms.ValidationError(t("The code has six characters. Look in the mail, below the link."))

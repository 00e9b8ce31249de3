"""The forms of sending in, taking up, registering, and contact data."""

from typing import Any, ClassVar

import wtforms
from wtforms import validators

from casework.text import t
from casework.web.forms import Boxes, CheckedForm, Form, MovingForm, Needed


class SendInForm(CheckedForm, MovingForm):
    """The complete papers go to the body."""


class TakeUpForm(MovingForm):
    """The body takes a case up in spite of a fault."""

    because = wtforms.TextAreaField(
        t("Why is the case taken up?"),
        description=t("The reasons are read by the director and both sides."),
        validators=[Needed(t("Write why the case is taken up"))],
    )


class RegisterForm(MovingForm):
    """On what ground the body may try the case, and who sits."""

    answers: ClassVar = {"seats": "members"}

    jurisdiction = wtforms.TextAreaField(
        t("Why may the body try the case?"),
        description=t("For example: an appeal of a director's ruling under the laws. Read by both sides."),
        validators=[Needed(t("Write why the body may try the case"))],
    )
    members = Boxes(t("Members"), choices=[], validators=[validators.InputRequired(t("Choose the members"))])
    chair = wtforms.RadioField(
        t("Chair"), choices=[], validators=[validators.InputRequired(t("Choose who is the chair"))]
    )

    def validate_chair(self, field: Any) -> None:
        """The chair is one of the members."""
        if field.data and field.data not in (self.members.data or []):
            raise wtforms.ValidationError(t("The chair must be one of the members"))


class ContactForm(Form):
    """Address and telephone number (R29)."""

    phone = wtforms.TelField(
        t("Telephone"), validators=[Needed(t("Write the telephone number"))], render_kw={"autocomplete": "off"}
    )
    street = wtforms.StringField(
        t("Street address"), validators=[Needed(t("Write the street address"))], render_kw={"autocomplete": "off"}
    )
    postal_code = wtforms.StringField(
        t("Postal code"),
        validators=[Needed(t("Write the postal code")), validators.Length(max=12, message=t("Write the postal code"))],
        render_kw={"autocomplete": "off"},
    )
    city = wtforms.StringField(t("City"), validators=[Needed(t("Write the city"))], render_kw={"autocomplete": "off"})

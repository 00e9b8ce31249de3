"""Before something is sent to many people their number is written as a confirmation (U10)."""

from typing import Any, TypeVar

import wtforms
from wtforms import validators

from casework.services.notifying import MANY
from casework.text import Text, t
from casework.web.forms import Form

F = TypeVar("F", bound=Form)


def number_field(count: int) -> wtforms.IntegerField:
    """Asks how many are told."""
    return wtforms.IntegerField(
        t("{count} people are told. Write the number to confirm.", count=count), validators=[validators.Optional()]
    )


def counting(form_class: type[F], count: int) -> type[F]:
    """The form with a field for the number, where what it sends goes to many; it must be filled in."""
    if count <= MANY:
        return form_class
    wrong = not_the_number(count)
    field: Any = wtforms.IntegerField(
        t("{count} people are told. Write the number to confirm.", count=count),
        validators=[validators.InputRequired(wrong), validators.AnyOf([count], message=wrong)],
    )
    return type(form_class.__name__, (form_class,), {"people": field})


def not_the_number(count: int) -> Text:
    """What is said where the number is missing or another."""
    return t("Write how many people are told: {count}.", count=count)

"""Before something is sent to many people their number is written as a confirmation (U10)."""

from typing import Any, TypeVar

import wtforms
from wtforms import validators

from casework.domain.workflow.held import MANY
from casework.text import Text, t
from casework.web.forms import Form

F = TypeVar("F", bound=Form)


class _TheNumber:
    """The field must hold this very number."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.field_flags: dict[str, object] = {}

    def __call__(self, _form: object, field: wtforms.Field) -> None:
        if field.data != self.count:
            field.errors = []  # what the field itself says of what is no number
            raise validators.StopValidation(not_the_number(self.count))


def number_field(count: int) -> wtforms.IntegerField:
    """Asks how many are told."""
    return wtforms.IntegerField(
        t("{count} people are told. Write the number to confirm.", count=count), validators=[validators.Optional()]
    )


def counting(form_class: type[F], count: int) -> type[F]:
    """The form with a field for the number, where what it sends goes to many; it must be filled in."""
    if count <= MANY:
        return form_class
    field: Any = wtforms.IntegerField(
        t("{count} people are told. Write the number to confirm.", count=count),
        validators=[_TheNumber(count)],
    )
    return type(form_class.__name__, (form_class,), {"people": field})


def not_the_number(count: int) -> Text:
    """What is said where the number is missing or another."""
    return t("Write how many people are told: {count}.", count=count)

"""What all forms share: the hidden fields, clean text, one way to show what went wrong, and Swedish time.

Labels, hints, choices and messages are `Text`: `StringField(t("Board"), validators=[Needed(t("Write the board"))])`.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, ClassVar, Self
from uuid import UUID, uuid4

import wtforms
from flask import request
from werkzeug.datastructures import CombinedMultiDict
from wtforms import SelectChoice, validators
from wtforms.meta import DefaultMeta
from wtforms.widgets import CheckboxInput, HiddenInput, ListWidget

from casework.domain.errors import CaseworkError, Conflict, Invalid, Missing, NotAllowed, Overtaken
from casework.domain.shown import Piece, Shown
from casework.services.step import FormInstance
from casework.text import UNSEEN, Text, kept, one_line, plain_line_ends, says_something, t
from casework.web import meanwhile, security, typed
from casework.web.identity_number import has_identity_number
from casework.web.words import words

LONGEST_LINE = 200
LONGEST_SEARCH = 100
LONGEST_TEXT = 10_000
_PERSONAL_LINK = re.compile(r"/l/[A-Za-z0-9_.~-]{20,}")
"""A mail link in what somebody writes would open the case to all who read it (S-LINK3)."""


def options(*pairs: tuple[str, Text | str]) -> list[SelectChoice]:
    """The choices of a radio or select field: what is sent, and its words."""
    return [SelectChoice(value, label) for value, label in pairs]


class Needed(validators.DataRequired):
    """The field must be filled in, a text with words; `message` says what to do in the field's own words."""

    def __init__(self, message: Text) -> None:
        super().__init__(message)
        self.field_flags: dict[str, object] = {}

    def __call__(self, form: Any, field: Any) -> None:
        """A password may be of any characters."""
        super().__call__(form, field)
        written = isinstance(field, wtforms.StringField) and not isinstance(field, wtforms.PasswordField)
        if written and not says_something(field.data):
            raise validators.StopValidation(self.message)


class ReasonField(wtforms.TextAreaField):
    """A reason of the length that its column keeps; signs without a word are none."""

    longest = 2000
    data: Any

    def process(self, *given: Any, **more: Any) -> None:
        """What says nothing is as if it were not written, whatever else asks for the reason."""
        super().process(*given, **more)
        if isinstance(self.data, str) and not says_something(self.data):
            self.data = ""


class Boxes(wtforms.SelectMultipleField):
    """Several answers as boxes to tick."""

    data: Any
    widget = ListWidget(prefix_label=False)
    option_widget = CheckboxInput()

    def pre_validate(self, form: Any) -> None:
        """What was offered when the page was opened may be gone: the page says so and keeps the other ticks."""
        offered = {choice.value for choice in self.choices}
        if any(value not in offered for value in self.data or ()):
            raise validators.ValidationError(
                t(
                    "Somebody else has done something since you opened this page, and one of those you chose can no "
                    "longer be chosen. Look through the choices and send again."
                )
            )


class _Plain:
    """WTForms' own messages in the house's words."""

    MESSAGES: ClassVar = {
        "Not a valid choice.": t("Choose one of the answers."),
        "Not a valid choice": t("Choose one of the answers."),
        "Not a valid integer value.": t("Write a whole number, with digits."),
        "Not a valid decimal value.": t("Write a number, with digits."),
        "Not a valid date value.": t("Write the day as 2026-11-28."),
    }

    def gettext(self, message: str) -> Any:
        return self.MESSAGES.get(message, t("Check this answer."))

    def ngettext(self, one: str, many: str, count: int) -> Any:
        return self.gettext(one)


class _Meta(DefaultMeta):
    def bind_field(self, form: Any, unbound_field: Any, options: dict[str, Any]) -> Any:
        """Every text is stripped and made of composed characters and plain line ends, but for passwords.

        What is no prose stands on one line.
        """
        kind = unbound_field.field_class
        if issubclass(kind, wtforms.StringField) and not issubclass(kind, wtforms.PasswordField):
            prose = issubclass(kind, wtforms.TextAreaField | HiddenText)
            options["filters"] = [*unbound_field.kwargs.get("filters", ()), _clean if prose else _clean_line]
        return unbound_field.bind(form=form, **options)

    def render_field(self, field: Any, render_kw: Any) -> Any:
        """A list of choices is shown in the reader's language."""
        if isinstance(field, wtforms.SelectField):
            field.choices = [replace(choice, label=words(choice.label)) for choice in field.choices]
        return super().render_field(field, render_kw)

    def get_translations(self, form: Any) -> _Plain:
        return _Plain()


class Group(wtforms.Form):
    """Fields that belong together, for `FormField(Group)` and `FieldList(FormField(Group))` within a form."""

    Meta = _Meta


class Form(wtforms.Form):
    """A form that posts. `form_id` names this instance of it: sent twice, it takes effect once.

    `opened` says when its first page was opened. The status of the page that shows it again stands in `status`.
    """

    Meta = _Meta

    answers: ClassVar[Mapping[str, str]] = {}
    """Which field holds an answer that a refusal names, where the two are called differently."""

    csrf_token = wtforms.HiddenField()
    form_id = wtforms.HiddenField()
    opened = wtforms.HiddenField()

    case_url = ""
    """The case's own page, where the form was refused because of what has happened since."""

    def __init__(self, obj: Any = None, **values: Any) -> None:
        """Take what was sent, or begin with `obj`'s attributes and `values`."""
        sent: Any = CombinedMultiDict[str, Any]([request.files, request.form]) if request.method == "POST" else None
        super().__init__(sent, obj=obj, **values)
        self.status = 200
        self.csrf_token.data = security.form_token()
        self.form_id.data = str(_uuid(self.form_id.data) or uuid4())
        self.opened.data = self.opened.data if meanwhile.opened_at(self.opened.data) else meanwhile.opened()
        self.written = typed.mark()

    @property
    def instance(self) -> FormInstance:
        """What the services want to know of every form: its id, and the version of the page it was filled in on."""
        return FormInstance(form_id=UUID(self.form_id.data), written=self.written)

    def sent(self) -> bool:
        """Whether this request posts the form and all its answers will do."""
        return request.method == "POST" and self.validate()

    def validate(self, extra_validators: Any = None) -> bool:
        """Check all fields; what hidden ones say is said by the form, and a foreign token never passes."""
        super().validate(extra_validators)
        for field in _leaves(self):
            if field.errors and isinstance(field.widget, HiddenInput):
                self.form_errors += field.errors
                field.errors = []
            elif not field.errors and (wrong := _unfit(field)):
                field.errors = [wrong]
        if not security.token_proven():
            self.form_errors.append(security.TokenMissing().reason)
        elif any(_offered_no_more(field) for field in _leaves(self)):
            self._say_who_was_first(meanwhile.since_opened())
        self.status = 422 if self.errors else 200
        return not self.errors

    def showing_errors(self) -> "_Showing":
        """Within `with form.showing_errors():` what a service refuses is put at the form's fields."""
        return _Showing(self)

    def apply_invalid(self, refusal: Invalid) -> None:
        """Put the domain's errors at the fields they name; an unknown name is said by the form."""
        for name, reason in refusal.fields.items():
            self._say_at(name, reason)

    def _say_at(self, name: str, reason: Text) -> None:
        field = self._fields.get(self.answers.get(name, name))
        if field is None or isinstance(field.widget, HiddenInput):
            self.form_errors.append(reason)
        else:
            field.errors = [*field.errors, reason]

    def refused(self, refusal: CaseworkError) -> None:
        """Show why the service said no; everything typed stays in the form. A conflict stays one, whatever follows.

        What others have done since the form was opened makes it one, and is said (R-TWO1).
        """
        steps = meanwhile.overtaking(refusal)
        if isinstance(refusal, Overtaken):
            self.case_url = meanwhile.case_url()
        self.status = Conflict.status if steps or self.status == Conflict.status else refusal.status
        if isinstance(refusal, Invalid):
            self.apply_invalid(refusal)
        elif isinstance(refusal, NotAllowed):
            for name, reason in zip(refusal.answers, refusal.reasons, strict=True):
                self._say_at(name, reason)
        else:
            self.form_errors.append(refusal.reason)
        self._say_who_was_first(steps)

    def _say_who_was_first(self, steps: Sequence[Text]) -> None:
        self.form_errors += steps
        if steps:
            self.case_url = meanwhile.case_url()


class MovingForm(Form):
    """A form of a moving action: it carries the version that its reader saw."""

    version = wtforms.IntegerField(widget=HiddenInput())

    @property
    def instance(self) -> FormInstance:
        """The form's id and the version that its reader saw."""
        return replace(super().instance, version=self.version.data)

    def shows(self, version: int) -> None:
        """Say which version the page shows; after a conflict the reader has seen the new one."""
        if request.method != "POST" or self.status == Conflict.status:
            self.version.data, self.version.raw_data = version, None


class HiddenText(wtforms.StringField):
    """What a page says to the next one, longer than a line."""

    longest = LONGEST_TEXT
    widget = HiddenInput()


class CheckedForm(Form):
    """A form that is looked at before it takes effect: it carries the mark of what its reader was shown."""

    seen = HiddenText(validators=[validators.Optional()])
    changed: frozenset[Piece] = frozenset()
    """What is new since the page before this one, for the page to point out."""

    @property
    def instance(self) -> FormInstance:
        """With the mark."""
        return replace(super().instance, seen=self.seen.data or "")

    @property
    def to_check(self) -> bool:
        """Whether its check page is the one to show: nothing is wrong with it, or something is new there."""
        return not self.errors or self.status == Conflict.status

    def must_warn(self, shown: Shown, piece: Piece) -> bool:
        """Whether a warning that the page before did not give is all that is new: by what was typed, or by time itself.

        A warning that has fallen away is no news to anybody: what is left has been seen.
        """
        if shown.changed_since(self.seen.data or "") != (piece,):
            return False
        if not shown.pieces[piece]:
            self.seen.data = shown.mark
        return bool(shown.pieces[piece])

    def has_shown(self, shown: Shown) -> None:
        """Say what the page that is made now shows."""
        if self.status == Conflict.status:
            self.changed = frozenset(shown.changed_since(self.seen.data or ""))
        self.seen.data, self.seen.raw_data = shown.mark, None


class _Showing:
    def __init__(self, form: Form) -> None:
        self.form = form

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> bool:
        if not isinstance(error, CaseworkError) or isinstance(error, Missing | security.TokenMissing):
            return False
        self.form.refused(error)
        return True


def _leaves(form: Any) -> Iterator[Any]:
    """All fields that hold an answer, those of groups and lists too."""
    for field in form:
        if isinstance(field, wtforms.FormField | wtforms.FieldList):
            yield from _leaves(field)
        else:
            yield field


def _offered_no_more(field: Any) -> bool:
    """Whether what was chosen stood among the choices only when the page was opened."""
    if not isinstance(field, wtforms.SelectField) or not field.errors:
        return False
    offered = {choice.value for choice in field.choices or ()}
    return any(value not in offered for value in field.raw_data or ())


def searched() -> str:
    """What is searched for (`q` in the address), without what no database can hold."""
    return "".join(filter(kept, _clean_line(request.args.get("q", ""))))[:LONGEST_SEARCH].strip()


def _clean(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    return plain_line_ends(unicodedata.normalize("NFC", text).translate(dict.fromkeys(UNSEEN))).strip()


def _clean_line(text: Any) -> Any:
    return _clean(one_line(text)) if isinstance(text, str) else text


def _unfit(field: Any) -> Text | None:
    """What is wrong with a text whatever it is about: its characters, its length, an identity number or a link."""
    if not isinstance(field, wtforms.StringField) or not isinstance(field.data, str):
        return None
    prose = isinstance(field, wtforms.TextAreaField)
    if not all(kept(char) or char in "\n\t" for char in field.data):
        return t("The text has a character that cannot be kept. Write it again, without pasting.")
    longest = getattr(field, "longest", LONGEST_TEXT if prose else LONGEST_LINE)
    if len(field.data) > longest:
        return t(
            "The text is {length} characters long. At most {longest} fit.", length=len(field.data), longest=longest
        )
    if not isinstance(field.widget, HiddenInput) and _PERSONAL_LINK.search(field.data):
        return t("The text contains your personal link. Take it away: whoever has the link can act in your name.")
    if prose and has_identity_number(field.data):
        return t("Take away the personal identity number. It is not needed here.")
    return None


def _uuid(text: Any) -> UUID | None:
    return UUID(text) if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", str(text)) else None

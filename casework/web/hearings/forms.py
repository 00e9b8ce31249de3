"""The forms of the panel and its hearing."""

from collections.abc import Iterable
from typing import Any, ClassVar
from uuid import UUID

import wtforms
from wtforms import SelectChoice, ValidationError, validators

from casework.domain.labels import label
from casework.services.panel_view import PanelView, PartyRow
from casework.text import Text, says_something, t
from casework.web.far_ahead import AsksFarAhead
from casework.web.forms import Boxes, CheckedForm, Form, MovingForm, Needed, options
from casework.web.time_fields import ClockField, DayField


class ComposeForm(MovingForm):
    """Who sits, and who of them is the chair."""

    answers: ClassVar = {"seats": "members"}

    members = Boxes(t("Members"), validators=[Needed(t("Choose the members"))])
    chair = wtforms.SelectField(t("Chair"), validators=[Needed(t("Choose the chair"))])

    def offers(self, persons: Iterable[tuple[UUID, str]]) -> None:
        """Who can be chosen."""
        choices = [SelectChoice(str(person), name) for person, name in persons]
        self.members.choices = choices
        self.chair.choices = [SelectChoice("", t("Choose")), *choices]

    def validate_chair(self, field: wtforms.SelectField) -> None:
        """The chair is one of the members."""
        if field.data and field.data not in (self.members.data or []):
            raise ValidationError(t("The chair must be one of the members"))


class ConflictForm(Form):
    """A member's answer about conflicts of interest (jäv)."""

    answer = wtforms.RadioField(
        t("Do you have a conflict of interest in this case?"),
        choices=options(("no", t("No, I have no conflict of interest")), ("yes", t("Yes"))),
        validators=[Needed(t("Say whether there is a conflict of interest"))],
    )
    reason = wtforms.TextAreaField(
        t("What is the conflict of interest?"),
        description=t("Needed if you answer yes. Read by the others of the panel and by those who appoint it."),
    )

    @property
    def recuses(self) -> bool:
        """Whether the member says that there is a conflict."""
        return bool(self.answer.data == "yes")

    def asks_about(self, name: str) -> None:
        """Ask for another member's answer."""
        self.answer.label.text = t("Does {name} have a conflict of interest in this case?", name=name)
        self.answer.choices = options(("no", t("No, no conflict of interest")), ("yes", t("Yes")))

    def validate_reason(self, field: wtforms.TextAreaField) -> None:
        """Who says yes says why."""
        if self.answer.data == "yes" and not says_something(field.data or ""):
            raise ValidationError(t("Write what the conflict of interest is"))


class LaterConflictForm(Form):
    """A member who has answered no discovers a conflict of interest: what is sent is always a yes."""

    answer = wtforms.HiddenField(default="yes")
    reason = wtforms.TextAreaField(
        t("What is the conflict of interest?"),
        description=t("Read by the others of the panel and by those who appoint it."),
        validators=[Needed(t("Write what the conflict of interest is"))],
    )
    recuses = True


class SettleForm(Form):
    """Another's decision about a member's conflict of interest."""

    answer = wtforms.RadioField(
        t("Is there a conflict of interest?"),
        choices=options(("no", t("No, the member may sit")), ("yes", t("Yes, the member is recused"))),
        validators=[Needed(t("Decide whether the member may sit"))],
    )
    because = wtforms.TextAreaField(
        t("Reasons"),
        description=t("Kept with the case. Read by the panel and by those who appoint it."),
        validators=[Needed(t("Write the reasons"))],
    )


class CallForm(AsksFarAhead, CheckedForm, MovingForm):
    """Where and when the hearing is."""

    answers: ClassVar = {"at": "clock"}

    place = wtforms.StringField(
        t("Place"),
        description=t("For example the room behind the scoring desk."),
        validators=[Needed(t("Write where the hearing is"))],
    )
    day = DayField(t("Day"), validators=[Needed(t("Write which day the hearing is"))])
    clock = ClockField(t("Time"), day="day", validators=[Needed(t("Write when the hearing begins"))])


class AttendanceForm(Form):
    """Who is there; a question for each party stands in a form made by `attendance_form`."""

    seats = Boxes(
        t("Members who are there"),
        description=t("Who is not ticked is not noted as absent."),
        validators=[validators.Optional()],
    )
    note = wtforms.TextAreaField(
        t("If a party is absent: what has been done to reach it?"),
        description=t("For example: called by phone 21.40 and 21.50, no answer."),
    )
    asked: tuple[PartyRow, ...] = ()

    def party(self, row: PartyRow) -> Any:
        """The question about one party."""
        return self[f"party_{row.id.hex}"]

    def parties(self) -> dict[UUID, bool]:
        """Party → present; nothing is said of who is waited for."""
        said = {row.id: self.party(row).data for row in self.asked}
        return {party: answer == "present" for party, answer in said.items() if answer != "awaited"}

    def validate_note(self, field: wtforms.TextAreaField) -> None:
        """An absence is noted with what was done about it (R26)."""
        if any(self.party(row).data == "absent" for row in self.asked) and not says_something(field.data or ""):
            raise ValidationError(t("Write what has been done to reach the party that is absent"))


def attendance_form(view: PanelView) -> AttendanceForm:
    """The form with the parties and members of this hearing, prefilled with what is noted."""
    fields: dict[str, Any] = {"asked": view.parties}
    noted: dict[str, Any] = {"note": next((row.note for row in view.parties if row.note), "")}
    for row in view.parties:
        name = f"party_{row.id.hex}"
        fields[name] = wtforms.RadioField(
            t("{names} ({party})", party=row.label, names=list(row.names)),
            choices=options(("present", t("Present")), ("absent", t("Absent")), ("awaited", t("Not here yet"))),
            validators=[Needed(t("Say whether {party} is present", party=row.label))],
        )
        noted[name] = {True: "present", False: "absent"}.get(row.present) if row.present is not None else None
    kind = type("AttendanceFormHere", (AttendanceForm,), fields)
    noted["seats"] = [str(member.seat_id) for member in view.everybody if member.attended]
    form: AttendanceForm = kind(**noted)
    form.seats.choices = [
        SelectChoice(str(member.seat_id), _seat_label(member.name, label(member.role))) for member in view.everybody
    ]
    return form


def _seat_label(name: str, role: Text) -> Text:
    return t("{name} ({role})", name=name, role=role)

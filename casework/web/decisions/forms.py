"""The forms of the deliberation: notes, votes, the decision."""

from typing import Any, ClassVar

import wtforms
from wtforms import ValidationError, validators

from casework.domain.errors import Invalid
from casework.domain.labels import label
from casework.domain.rules.citations import Citation, parse_citations
from casework.domain.rules.editions import LawEdition
from casework.domain.terms import AppealOutcome, Body, Position, RulingOutcome
from casework.domain.workflow.held import MANY
from casework.services.decisions import AppealDecision, DecisionInput
from casework.services.panel_view import PanelView
from casework.services.room_view import RoomView
from casework.text import Text, says_something, t
from casework.web.forms import CheckedForm, Form, MovingForm, Needed, ReasonField, options
from casework.web.telling import not_the_number, number_field

POSITIONS = options(
    (Position.CONFIRM, t("Yes, confirm it")),
    (Position.CHANGE, t("No, change it")),
    (Position.DISMISS, t("Do not try the appeal")),
)
OUTCOMES = (AppealOutcome.GRANTED, AppealOutcome.PARTLY, AppealOutcome.REJECTED, AppealOutcome.DISMISSED)
FOLLOWS = {Position.CONFIRM: AppealOutcome.REJECTED, Position.DISMISS: AppealOutcome.DISMISSED}
"""What the outcome begins as, where the vote leaves one that is usual."""


class OwnNoteForm(Form):
    """A note for oneself."""

    own_note = wtforms.TextAreaField(t("Own note"), validators=[Needed(t("Write the note"))])


class SharedNoteForm(Form):
    """A note for the panel."""

    shared_note = wtforms.TextAreaField(t("The panel's note"), validators=[Needed(t("Write the note"))])


class VoteForm(Form):
    """A member's own vote."""

    position = wtforms.RadioField(choices=POSITIONS, validators=[Needed(t("Choose how you vote"))])
    dissent = wtforms.TextAreaField(
        t("Your reasons, if the others decide otherwise"),
        description=t("Shown to the panel with your vote, not before."),
        validators=[validators.Optional()],
    )


class RoomVoteForm(MovingForm):
    """The vote taken in the room; each member's fields stand in a form made by `room_vote_form`."""

    def position(self, seat: str) -> Any:
        """How one member voted."""
        return self[f"position_{seat}"]

    def dissent(self, seat: str) -> Any:
        """What one member thought instead."""
        return self[f"dissent_{seat}"]


def room_vote_form(view: PanelView) -> RoomVoteForm:
    """The form with a question for each member."""
    fields: dict[str, Any] = {}
    for member in view.members:
        fields[f"position_{member.seat_id.hex}"] = wtforms.RadioField(
            t("How {name} voted", name=member.name),
            choices=POSITIONS,
            validators=[Needed(t("Say how {name} voted", name=member.name))],
        )
        fields[f"dissent_{member.seat_id.hex}"] = wtforms.TextAreaField(
            t("Dissent of {name}", name=member.name), validators=[validators.Optional()]
        )
    form: RoomVoteForm = type("RoomVoteFormHere", (RoomVoteForm,), fields)()
    return form


class OnlyLost:
    """R35: what is granted, by the field that says the outcome, is not without merit."""

    def __init__(self, outcome: str) -> None:
        self.outcome = outcome

    def __call__(self, form: Any, field: wtforms.Field) -> None:
        """Raise where the box is ticked for an appeal that is granted."""
        if field.data and form[self.outcome].data in (AppealOutcome.GRANTED, AppealOutcome.PARTLY):
            raise ValidationError(t("An appeal that is granted is not without merit."))


class LongLine(wtforms.StringField):
    """A line that a weighted score fits in."""

    longest = 1000


class DecisionForm(CheckedForm, MovingForm):
    """The decision as the chair writes it; what is asked of each appeal stands in a form made by `decision_form`."""

    answers: ClassVar = {"outcomes": "outcome_1", "score": "score_detail"}
    """What is wrong between several appeals is said at the first."""

    operative = wtforms.TextAreaField(
        t("What is decided"),
        description=t("Begins the decision: first whether the ruling stands, then what the result becomes."),
        validators=[Needed(t("Write what the body decides"))],
    )
    score = wtforms.SelectField(
        t("The result of the board"),
        choices=options(("", t("Choose")), *((outcome, label(outcome)) for outcome in RulingOutcome)),
        validators=[Needed(t("Choose what the result becomes"))],
    )
    score_detail = LongLine(
        t("What the organiser enters in the result list"),
        description=t("For example: 3♠ by South, nine tricks, 140 to North–South."),
        validators=[validators.Optional()],
    )
    other_change = wtforms.BooleanField(
        t("The decision changes something other than the score"),
        description=t("Tick only if an appeal is granted without a new score."),
    )
    changes_anyway = wtforms.TextAreaField(
        t("Why the decision changes the result all the same"),
        description=t("Only if no appeal is granted and the result still changes."),
        validators=[validators.Optional()],
    )
    facts = wtforms.TextAreaField(t("Facts found"), validators=[Needed(t("Write which facts the body found"))])
    reasons = wtforms.TextAreaField(t("Reasons"), validators=[Needed(t("Write the reasons"))])
    board_stands = wtforms.BooleanField(t("The board may stand as it is recorded"))
    board_because = ReasonField(
        t("Why may the board stand so?"),
        description=t(
            "It was so at the table, or something is wrongly entered and nothing rests on it. The parties read it."
        ),
    )
    laws = wtforms.StringField(
        t("Laws"),
        description=t("Numbers with commas between them, for example 16B1, 12C1."),
        validators=[Needed(t("Say which laws the decision rests on"))],
    )
    late_reason = wtforms.TextAreaField(
        t("Why the late appeal is tried, or not"),
        description=t("What made the appeal late, and why that is enough or not."),
    )
    merit_detail = wtforms.StringField(
        t("What follows of an appeal without merit"),
        description=t("Only what the tournament's rules allow."),
        validators=[validators.Optional()],
    )
    with_sanction = wtforms.RadioField(
        t("Is there a sanction?"),
        choices=options(("no", t("No sanction")), ("yes", t("Yes"))),
        validators=[Needed(t("Say whether there is a sanction"))],
        default="no",
    )
    sanction = wtforms.TextAreaField(
        t("The sanction"),
        description=t("Needed if you answer yes. In full sentences: it stands last in what is decided."),
    )
    dissent = wtforms.TextAreaField(
        t("Dissent"),
        description=t("Who did not agree, and that member's own words. Stands in the decision."),
        validators=[validators.Optional()],
    )
    edition: LawEdition
    asks_merit_detail: bool = False
    """Whether the tournament's profile lets anything follow of an appeal without merit (R35)."""
    appeals: tuple[tuple[str, Any], ...] = ()
    """The fields' suffix and the appeal, for each that is tried."""
    cited: tuple[Citation, ...] = ()

    def validate_laws(self, field: wtforms.StringField) -> None:
        """Each law is one of the edition in force that day (R43)."""
        found, unknown = parse_citations(self.edition, field.data or "")
        if unknown:
            raise ValidationError(t("There is no law {code}. Check the number.", code=unknown[0]))
        self.cited = tuple(found)

    def validate_sanction(self, field: wtforms.TextAreaField) -> None:
        """R3: a sanction is stated together with the decision."""
        if self.with_sanction.data == "yes" and not says_something(field.data or ""):
            raise ValidationError(t("Write the sanction. It must stand in the decision."))

    def validate_board_because(self, field: wtforms.TextAreaField) -> None:
        """A board that contradicts itself stands with a reason, as in the ruling."""
        if self.board_stands.data and not field.data:
            raise ValidationError(t("Write why the board may stand so."))

    def validate_late_reason(self, field: wtforms.TextAreaField) -> None:
        """Whether a late appeal is tried is decided with reasons."""
        if self.has_late and not says_something(field.data or ""):
            raise ValidationError(t("Write why the late appeal is tried, or not"))

    @property
    def has_late(self) -> bool:
        """Whether an appeal that is tried came in late."""
        return any(appeal.late for _, appeal in self.appeals)

    def appeal_fields(self, suffix: str) -> list[Any]:
        """What is asked of one appeal."""
        return [self[name] for name in (f"late_{suffix}", f"outcome_{suffix}", f"merit_{suffix}") if name in self]

    def has_counted(self) -> None:
        """The score that is worked out speaks for itself: what is written beside it is a remark."""
        self.score_detail.label.text = t("Anything more for the organiser")
        self.score_detail.description = t("The score goes along as it is worked out. A remark does not replace it.")

    def confirms(self, count: int) -> bool:
        """Whether the number of those who are told is confirmed, where they are many (U10)."""
        field = self._fields.get("people")
        if field is None or field.data == count:
            return True
        self.refused(Invalid({"people": not_the_number(count)}))
        return False

    def decision(self) -> DecisionInput:
        """What the chair signs."""
        return DecisionInput(
            operative=self.operative.data,
            facts=self.facts.data,
            reasons=self.reasons.data,
            laws=self.cited,
            appeals={appeal.id: self._found(suffix) for suffix, appeal in self.appeals},
            score=RulingOutcome(self.score.data),
            score_detail=self.score_detail.data,
            changes_anyway=self.changes_anyway.data or "",
            other_change=self.other_change.data,
            dissent=self.dissent.data,
            merit_detail=self.merit_detail.data or "",
            late_reason=self.late_reason.data or "",
            sanction=self.sanction.data if self.with_sanction.data == "yes" else "",
            board_because=self.board_because.data or "" if self.board_stands.data else "",
        )

    def _found(self, suffix: str) -> AppealDecision:
        late = f"late_{suffix}"
        return AppealDecision(
            outcome=AppealOutcome(self[f"outcome_{suffix}"].data),
            without_merit=bool(self[f"merit_{suffix}"].data),
            found_in_time=self[late].data == "yes" if late in self else None,
        )


def decision_form(room: RoomView) -> DecisionForm:
    """The form for the appeals that are tried, begun with what is known already: nothing is written twice."""
    suffixed = tuple((str(index), appeal) for index, appeal in enumerate(room.appeals, start=1))
    profile = room.panel.profile
    allowed = bool(profile.number("appeal_fee") or profile.number("penalty_without_merit"))
    fields: dict[str, Any] = {"edition": room.edition, "appeals": suffixed, "asks_merit_detail": allowed}
    for suffix, appeal in suffixed:
        if appeal.late:
            fields[f"late_{suffix}"] = wtforms.RadioField(
                t("The appeal of {party} came in late. Is it tried all the same?", party=appeal.party),
                choices=options(("yes", t("Yes, it is tried")), ("no", t("No, it is dismissed"))),
                validators=[Needed(t("Decide whether the late appeal is tried"))],
            )
        fields[f"outcome_{suffix}"] = wtforms.RadioField(
            t("The appeal of {party}", party=appeal.party),
            choices=options(*((outcome, label(outcome)) for outcome in OUTCOMES)),
            validators=[Needed(t("Choose the outcome of the appeal of {party}", party=appeal.party))],
        )
        fields[f"merit_{suffix}"] = wtforms.BooleanField(
            t("The appeal of {party} is without merit", party=appeal.party),
            description=merit_hint(room),
            validators=[OnlyLost(f"outcome_{suffix}")],
        )
    if len(room.told) > MANY:
        fields["people"] = number_field(len(room.told))
    form: DecisionForm = type("DecisionFormHere", (DecisionForm,), fields)(**_known(room, suffixed))
    if room.score is not None:
        form.has_counted()
    return form


def _known(room: RoomView, suffixed: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    ballot, tried = room.panel.ballot, room.tried
    winning = ballot.winning if ballot else None
    known: dict[str, Any] = {}
    if tried is not None:
        known |= {"facts": tried.facts, "laws": ", ".join(law.code for law in tried.laws)}
        if winning is Position.CONFIRM:
            known["score"] = tried.outcome
    if room.score is not None:
        known["score"] = room.score.outcome
    if winning in FOLLOWS:
        known |= {f"outcome_{suffix}": FOLLOWS[winning] for suffix, _ in suffixed}
    if ballot is not None:
        others = [cast for cast in ballot.cast if cast.position is not winning]
        known["dissent"] = "\n".join(f"{cast.name}: {cast.dissent}" for cast in others if cast.dissent)
    return known


def merit_hint(room: RoomView) -> Text:
    """What the tournament's profile allows where an appeal is without merit (R35)."""
    profile = room.panel.profile
    fee, penalty = profile.number("appeal_fee"), profile.number("penalty_without_merit")
    if fee and penalty:
        return t("The fee of {fee} kronor is kept, and a penalty of {penalty} % of a top is possible.", fee=fee,
                 penalty=penalty)  # fmt: skip
    if fee:
        return t("The fee of {fee} kronor is kept. No score penalty is set for this tournament.", fee=fee)
    if penalty:
        return t("A penalty of {penalty} % of a top is possible. There is no fee.", penalty=penalty)
    return t("This tournament has neither a fee nor a score penalty for it. You may still find it without merit.")


def question(view: PanelView) -> Text:
    """What the panel votes about."""
    if view.body is Body.LAW_COMMISSION and view.tried_body is Body.JURY:
        return t("Shall the jury's decision stand?")
    return t("Shall the ruling stand?")

"""What is asked about an incident at a table, and about a ruling on it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

import wtforms
from flask import request
from wtforms import validators

from casework.clock import today
from casework.domain.bridge.board import Board
from casework.domain.bridge.notation import SEATS, Seat, Vulnerability
from casework.domain.labels import label
from casework.domain.rules.citations import Citation, parse_citations
from casework.domain.rules.editions import LawEdition, edition_on, why_not_weight
from casework.domain.terms import Body, FilingChannel, RulingOutcome, Side
from casework.domain.terms import Form as EventForm
from casework.services.at_the_table import SessionChoice
from casework.services.boards import RulingPapers
from casework.services.opening import Contestants, IncidentInput
from casework.services.rulings import RulingInput
from casework.text import Text, says_something, t
from casework.web.forms import Boxes, CheckedForm, Form, HiddenText, MovingForm, Needed, ReasonField, options
from casework.web.moment import now
from casework.web.time_fields import ClockField, DayField

NUMBER = {"inputmode": "numeric", "autocomplete": "off"}
NUMBERS = range(1, 100_000)
"""What a contestant's number can be."""
PLAIN = {"autocomplete": "off"}
SHOWN_ON_CHECK = {"told", "told_day", "told_at", "absent"}
"""What is answered when the names are known; the page that asks it carries all other answers."""


def at(field: ClockField) -> datetime:
    """The instant of a field that has been validated and must be filled in."""
    if field.instant is None:
        raise ValueError("the field was not validated")
    return field.instant


class Between:
    """A number in a range; `message` is a `Text`, which WTForms' own validator cannot carry."""

    def __init__(self, low: int, high: int, message: Text) -> None:
        self.low, self.high, self.message = low, high, message

    def __call__(self, form: object, field: wtforms.IntegerField) -> None:
        """Refuse what is outside; what is no number has been refused before."""
        if field.data is not None and not self.low <= field.data <= self.high:
            raise wtforms.ValidationError(self.message)


class ShortLine(wtforms.StringField):
    """A line of the length that its column keeps."""

    longest = 20


class TickList(Boxes):
    """Boxes to tick. What was never offered is not ticked."""

    def pre_validate(self, form: Any) -> None:
        """Of a box that is not there the page could only say that something unseen is wrong: it is left out."""
        offered = {choice.value for choice in self.choices}
        self.data = [value for value in self.data or () if value in offered]


def _other_player(words: Text) -> wtforms.IntegerField:
    return wtforms.IntegerField(
        words,
        description=t("Only in an individual event."),
        validators=[
            validators.Optional(),
            Between(NUMBERS[0], NUMBERS[-1], t("Write the contestant's number, for example 12.")),
        ],
        render_kw=NUMBER,
    )


class IncidentFields(Form):
    """Where it happened, and who sat there."""

    individual: Collection[str] = ()
    """The sessions offered in which two contestants sit on each side."""

    session_id = wtforms.SelectField(t("Tournament and session"), validators=[Needed(t("Choose the session"))])
    table = ShortLine(t("Table"), validators=[validators.Optional()], render_kw=PLAIN)
    board = wtforms.IntegerField(
        t("Board"),
        validators=[
            validators.Optional(),
            Between(1, 999, t("Write the board's number, for example 18.")),
        ],
        render_kw=NUMBER,
    )
    dealer = wtforms.SelectField(
        t("Dealer"),
        choices=options(("", t("as the board's number says")), *((seat.value, seat.words) for seat in SEATS)),
        validators=[validators.Optional()],
    )
    vulnerability = wtforms.SelectField(
        t("Vulnerability"),
        choices=options(("", t("as the board's number says")), *((zone.value, zone.words) for zone in Vulnerability)),
        validators=[validators.Optional()],
    )
    board_because = ReasonField(t("Why do they differ from the board's number?"))
    edition = wtforms.SelectField(
        t("Which laws is it judged by?"),
        description=t("Others than those of the day only where the event's own rules say so."),
        choices=options(
            ("", t("those in force that day")), *((each.value, each.words) for each in reversed(LawEdition))
        ),
        validators=[validators.Optional()],
    )
    north_south = wtforms.IntegerField(
        t("North–South, number"),
        validators=[
            validators.InputRequired(t("Write the number of the contestant that sat North–South")),
            Between(NUMBERS[0], NUMBERS[-1], t("Write the contestant's number, for example 7.")),
        ],
        render_kw=NUMBER,
    )
    east_west = wtforms.IntegerField(
        t("East–West, number"),
        validators=[
            validators.InputRequired(t("Write the number of the contestant that sat East–West")),
            Between(NUMBERS[0], NUMBERS[-1], t("Write the contestant's number, for example 12.")),
        ],
        render_kw=NUMBER,
    )
    north_south_2 = _other_player(t("North–South, the other player's number"))
    east_west_2 = _other_player(t("East–West, the other player's number"))
    absent = TickList(t("Who of the teams did not sit at the table?"), choices=[])

    def offer(self, sessions: Sequence[SessionChoice]) -> None:
        """The sessions to choose among; the one that is being played stands first and is chosen.

        Where none is of an individual event, nobody is asked for a side's other player.
        """
        self.individual = {str(each.id) for each in sessions if each.form is EventForm.INDIVIDUAL}
        if not self.individual:
            del self.north_south_2, self.east_west_2
        ordered = sorted(sessions, key=lambda choice: not choice.running)
        self.session_id.choices = options(*((str(each.id), f"{each.tournament} – {each.name}") for each in ordered))
        if request.method != "POST" and not self.session_id.data and ordered:
            self.session_id.data = str(ordered[0].id)

    def offer_players(self, found: Contestants | None) -> None:
        """The names behind the numbers, to be ticked."""
        everybody = found.players if found else []
        self.absent.choices = options(*((str(player.person_id), player.name) for player in everybody))

    @property
    def numbers(self) -> dict[Side, tuple[int, ...]]:
        """Side → numbers, of what was written."""
        written = {side: tuple(self._numbers(side)) for side in Side}
        return {side: numbers for side, numbers in written.items() if numbers}

    def _numbers(self, side: Side) -> Iterator[int]:
        for name in (side.value, f"{side.value}_2"):
            if name in self and self[name].data is not None and self[name].data in NUMBERS:
                yield self[name].data

    def incident(self, occurred_on: Any) -> IncidentInput:
        """What the service wants."""
        return IncidentInput(
            session_id=UUID(self.session_id.data),
            contestants=self.numbers,
            occurred_on=occurred_on,
            table=self.table.data or "",
            board=self.board.data,
            absent=frozenset(UUID(person) for person in self.absent.data or ()),
            edition=self.laws_on(occurred_on) if self.edition.data else None,
        )

    def laws_on(self, day: date) -> LawEdition:
        """By which laws it is judged, as far as that is answered."""
        return LawEdition(self.edition.data) if self.edition.data in set(LawEdition) else edition_on(day)

    def deal(self) -> Board | None:
        """The board where it differs from its number; None when the number says it all."""
        if self.board.data is None or not (self.dealer.data or self.vulnerability.data):
            return None
        usual = Board.numbered(self.board.data)
        dealer = Seat(self.dealer.data) if self.dealer.data else usual.dealer
        zone = Vulnerability(self.vulnerability.data) if self.vulnerability.data else usual.vulnerability
        board = replace(usual, dealer=dealer, vulnerability=zone)
        because = {finding.field: self.board_because.data or "" for finding in board.findings()}
        return replace(board, because=because) if because else None

    def validate(self, extra_validators: Any = None) -> bool:
        """A dealer or zone that the number does not give needs its reason, and each single player his number."""
        super().validate(extra_validators)
        if self.session_id.data in self.individual:
            for field in (self.north_south_2, self.east_west_2):
                if field.data is None and not field.errors:
                    field.errors = [t("Write the other player's number too: each is told and heard.")]
        if not self.errors:
            if self.board.data is None and (self.dealer.data or self.vulnerability.data):
                self.board.errors = [t("Write the board's number, or let its number say dealer and vulnerability.")]
            elif (deal := self.deal()) and deal.open_findings():
                self.board_because.errors = [t("Write why dealer or vulnerability differ from the board's number.")]
        self.status = 422 if self.errors else 200
        return not self.errors


class RulingFields(Form):
    """What happened, and what the director decides."""

    usual_laws = ("16B1", "73C", "21B1", "75B", "40B", "64C", "70", "12C1c")
    """What a ruling at the table most often rests on: each stands in every edition, and is offered as a button."""

    happened = wtforms.TextAreaField(t("What happened?"), validators=[Needed(t("Write what happened."))])
    laws = wtforms.StringField(
        t("Laws"),
        description=t("For example 16B1, 73C."),
        validators=[Needed(t("Say which laws the ruling rests on."))],
        render_kw=PLAIN,
    )
    outcome = wtforms.RadioField(
        t("What happens to the result?"),
        choices=options(*((outcome.value, label(outcome)) for outcome in RulingOutcome)),
        validators=[Needed(t("Choose what happens to the result"))],
    )
    operative = wtforms.TextAreaField(
        t("The ruling"),
        description=t("The words that the parties get."),
        validators=[Needed(t("Write what you have decided."))],
    )
    of_judgement = wtforms.RadioField(
        t("Is it a ruling of judgement?"),
        choices=options(("no", t("No")), ("yes", t("Yes"))),
        validators=[Needed(t("Choose yes or no"))],
    )
    reasons = wtforms.TextAreaField(
        t("Reasons"),
        description=t("Needed when the ruling is one of judgement."),
    )
    given_day = DayField(t("Day"), validators=[Needed(t("Write the day."))], default=today)
    given_at = ClockField(t("Time"), day="given_day", description=t("For example 21.12. Empty means now."))
    told = TickList(t("Whom have you told at the table?"), choices=[])
    told_day = DayField(t("Day"), validators=[Needed(t("Write the day."))], default=today)
    told_at = ClockField(t("Time"), day="told_day")

    def offer_outcomes(self, *editions: LawEdition) -> None:
        """What the laws of none of the sessions let a director give is not offered (R73)."""
        if all(why_not_weight(edition, Body.DIRECTOR) for edition in editions):
            self.outcome.choices = [each for each in self.outcome.choices if each.value != RulingOutcome.WEIGHTED]

    def offer_told(self, people: Iterable[tuple[UUID, str]]) -> None:
        """Whom the director can have told."""
        self.told.choices = options(*((str(person), name) for person, name in people))

    def read_laws(self, edition: LawEdition) -> tuple[Citation, ...]:
        """The citations; what the edition does not know is said at the field."""
        found, unknown = parse_citations(edition, self.laws.data or "")
        if unknown and not self.laws.errors:
            words = t("{edition} have no law {code}. Choose one from the list.", edition=edition.words, code=unknown[0])
            self.laws.errors = [words]
        refused = why_not_weight(edition, Body.DIRECTOR)
        if self.outcome.data == RulingOutcome.WEIGHTED and refused:
            self.outcome.errors = [refused]
        self.status = 422 if self.errors else 200
        return tuple(found)

    def validate(self, extra_validators: Any = None) -> bool:
        """A ruling of judgement has reasons, a telling has its time, and neither time is yet to come."""
        super().validate(extra_validators)
        if self.of_judgement.data == "yes" and not says_something(self.reasons.data or "") and not self.reasons.errors:
            self.reasons.errors = [t("A ruling of judgement needs its reasons.")]
        if self.told.data and not self.told_at.data:
            self.told_at.errors = [t("Write when you told them, for example 21.12.")]
        if self.given_at.instant and self.given_at.instant > now():
            self.given_at.errors = [t("The ruling cannot have been given in the future.")]
        if self.told.data and self.told_at.instant and self.told_at.instant > now():
            self.told_at.errors = [t("The time when the party was told cannot be in the future.")]
        self.status = 422 if self.errors else 200
        return not self.errors

    @property
    def told_when(self) -> dict[UUID, datetime]:
        """Whom the director has told, and when, as far as it is answered."""
        told_at: datetime | None = self.told_at.instant
        return {UUID(person): told_at for person in self.told.data or ()} if told_at else {}

    def suggest_time(self, present: datetime) -> None:
        """The telling is most often just done."""
        if not self.told_at.raw_data:
            self.told_at.process_data(present)

    def warn(self) -> None:
        """Ask about the telling before anything is done: the page says above what it leads to."""
        self.told_at.errors = [t("See above whose time to appeal would be over. Press again if that is right.")]
        self.status = 422

    def only_telling_is_wrong(self) -> bool:
        """Whether everything but the telling is well: then the page with the names is the one to show."""
        return not any(field.errors for field in self if field.name not in SHOWN_ON_CHECK)

    def ruling(
        self, laws: tuple[Citation, ...], *, board: Board | None = None, drafted: RulingPapers | None = None
    ) -> RulingInput:
        """What the service wants, with a board that is filed with it; facts that are drafted already go along."""
        return RulingInput(
            operative=self.operative.data,
            facts=self.happened.data,
            laws=laws,
            outcome=RulingOutcome(self.outcome.data),
            reasons=self.reasons.data or "",
            of_judgement=self.of_judgement.data == "yes",
            given_at=self.given_at.instant,
            told=self.told_when,
            board=board,
            facts_agreed=drafted.agreed if drafted else "",
            facts_disputed={side.value: said for side, said in drafted.disputed.items() if said} if drafted else {},
        )


class ShortRuling(CheckedForm, RulingFields, IncidentFields):
    """The whole short form: one screen on a phone."""

    def offer_players(self, found: Contestants | None) -> None:
        """The names behind the numbers, to be ticked."""
        super().offer_players(found)
        self.offer_told((player.person_id, player.name) for player in (found.players if found else ()))


class LaterRuling(CheckedForm, RulingFields, MovingForm):
    """A ruling in a case that is open already."""

    suggested = HiddenText(validators=[validators.Optional()])
    """The words that the form began with, made of the score."""

    def suggests(self, words: str) -> None:
        """The ruling says what the score comes to, as long as its director has put it in no words of his own."""
        if (self.operative.data or "") == (self.suggested.data or "") and self.operative.data != words:
            self.operative.data, self.operative.raw_data = words, [words]
        self.suggested.data = words


class PostponedRuling(CheckedForm, IncidentFields):
    """A question that the director cannot answer yet."""

    waits_for = ReasonField(t("What is waited for?"), validators=[Needed(t("Write what is waited for."))])


class RulingRequest(CheckedForm, IncidentFields):
    """A question where no director was; who is trusted there enters it for a player or captain."""

    happened = wtforms.TextAreaField(
        t("What is the ruling asked about?"), validators=[Needed(t("Write what the ruling is asked about."))]
    )
    channel = wtforms.RadioField(
        t("How was it asked?"),
        choices=options(
            *((each.value, label(each)) for each in (FilingChannel.PHONE, FilingChannel.PAPER, FilingChannel.TABLE))
        ),
        validators=[validators.Optional()],
    )
    asked_by = wtforms.RadioField(t("Who asks?"), choices=[], validators=[validators.Optional()])

    @property
    def by(self) -> FilingChannel:
        """How the question reached who enters it."""
        return FilingChannel(self.channel.data) if self.channel.data else FilingChannel.TABLE

    def offer_players(self, found: Contestants | None) -> None:
        """The names behind the numbers, to be ticked or chosen."""
        super().offer_players(found)
        everybody = found.players if found else []
        self.asked_by.choices = options(*((str(player.person_id), player.name) for player in everybody))

    def is_for_others(self) -> None:
        """Who enters it for somebody must say for whom."""
        self.asked_by.flags.optional = False


class Postponing(MovingForm):
    """A ruling that waits for something."""

    waits_for = ReasonField(t("What is waited for?"), validators=[Needed(t("Write what is waited for."))])


class NamingDirector(MovingForm):
    """Who is to rule."""

    director_id = wtforms.RadioField(
        t("Who is to rule?"), choices=[], validators=[Needed(t("Choose the director who is to rule."))]
    )

"""At the table: a ruling, a postponed ruling, or a question where no director was; each begins a case."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from flask import Response, request, url_for
from sqlmodel import Session

from casework.clock import today
from casework.domain.access import Actor, Permission
from casework.domain.errors import Invalid, Missing
from casework.domain.labels import label
from casework.domain.rules.citations import Citation, law_choices
from casework.domain.rules.editions import edition_on
from casework.domain.shown import Piece, Shown
from casework.domain.terms import RulingOutcome
from casework.services import at_the_table, opening
from casework.services.at_the_table import SessionChoice
from casework.services.before_telling import BeforeTelling
from casework.services.boards import blank_board
from casework.services.going_out import shown_at_the_table, shown_sides
from casework.services.opening import Contestants, IncidentInput
from casework.services.scores import lacks_score
from casework.services.step import AlreadyDone, Step
from casework.web import typed
from casework.web.acting import EDIT, FILE, pressed
from casework.web.moment import now
from casework.web.pages import page, see_other
from casework.web.permission import permission
from casework.web.rulings import afterwards, board_file, correcting, in_case, papers
from casework.web.rulings.blueprint import blueprint
from casework.web.rulings.forms import IncidentFields, PostponedRuling, RulingRequest, ShortRuling
from casework.web.sessions import current_actor
from casework.web.units import reading, write

__all__ = ["afterwards", "blueprint", "board_file", "correcting", "in_case", "papers"]


@blueprint.route("/domslut/ny", methods=["GET", "POST"])
@permission(Permission.FILE_RULING)
def new() -> Response:
    """The short form, the page that asks whether everything is right, and the case that it opens."""
    form, choices = ShortRuling(), _sessions(at_the_table.sessions_to_rule)
    form.offer(choices)
    played_on = _played_on(choices, form.session_id.data)
    edition, found = form.laws_on(played_on), _look_up(form)
    form.offer_outcomes(*(edition_on(choice.played_on) for choice in choices or ()), edition)
    shown: dict[str, Any] = {"form": form, "laws": law_choices(edition), "edition": edition, "choices": choices}
    if request.method == "GET" or pressed() == EDIT:
        return page("rulings/new.html", **shown)
    _answered(form, found)
    cited = form.read_laws(edition)
    if found is None:
        return page("rulings/new.html", **shown)
    check = partial(_check_ruling, form, found, cited)
    if form.errors:
        telling = pressed() == FILE and form.only_telling_is_wrong()
        return check() if telling else page("rulings/new.html", **shown)
    if pressed() != FILE:
        form.suggest_time(now())
        return check()
    if form.must_warn(_shown(form, found), Piece.OVER):
        form.warn()
        return check()
    incident, ruling = form.incident(played_on), form.ruling(cited, board=form.deal())
    return _open(
        form,
        lambda session: at_the_table.file_ruling(
            session, incident, current_actor(), ruling, now=now(), form=form.instance
        ),
        lambda: check() if form.only_telling_is_wrong() else page("rulings/new.html", **shown),
    )


@blueprint.route("/domslut/skjut-upp", methods=["GET", "POST"])
@permission(Permission.FILE_RULING)
def postpone_new() -> Response:
    """A question that cannot be answered yet: both sides are told what is waited for (R22)."""
    form, choices = PostponedRuling(), _sessions(at_the_table.sessions_to_rule)
    form.offer(choices)
    found = _look_up(form)
    if (request.method == "POST" and pressed() == EDIT) or not _answered(form, found) or found is None:
        return page("rulings/postpone_new.html", form=form, choices=choices)
    if pressed() != FILE:
        return _check_sides("rulings/check_postponed.html", form, found)
    incident = form.incident(_played_on(choices, form.session_id.data))
    return _open(
        form,
        lambda session: at_the_table.postpone_at_once(
            session, incident, current_actor(), waits_for=form.waits_for.data, now=now(), form=form.instance
        ),
        lambda: _check_sides("rulings/check_postponed.html", form, found),
    )


@blueprint.route("/domslut/begaran", methods=["GET", "POST"])
@permission(Permission.ASK_FOR_RULING)
def ask() -> Response:
    """Ask for a ruling where no director was, or enter that a player or captain asks (R22)."""
    form, choices = RulingRequest(), _sessions(at_the_table.sessions_to_ask)
    form.offer(choices)
    found = _look_up(form, at_the_table.asked_about)
    if (
        (request.method == "POST" and pressed() == EDIT)
        or not _answered(form, found, at_the_table.asked_about)
        or found is None
    ):
        return page("rulings/ask.html", form=form, choices=choices)
    for_others = not _plays(found)
    if for_others:
        form.is_for_others()
    check = partial(_check_sides, "rulings/check_asked.html", form, found, for_others=for_others)
    if pressed() != FILE:
        return check()
    incident = form.incident(_played_on(choices, form.session_id.data))
    return _open(
        form,
        lambda session: at_the_table.request_ruling(
            session,
            incident,
            current_actor(),
            text=form.happened.data,
            now=now(),
            asked_by=UUID(form.asked_by.data) if for_others and form.asked_by.data else None,
            channel=form.by,
            form=form.instance,
        ),
        check,
        receipt="rulings.asked",
    )


def _sessions(of: Callable[..., list[SessionChoice]]) -> list[SessionChoice]:
    with reading() as session:
        return of(session, current_actor(), now())


def _played_on(choices: list[SessionChoice], chosen: Any) -> Any:
    """The local day of the chosen session, which picks the laws (R43); today while none is chosen."""
    return next((each.played_on for each in choices if str(each.id) == chosen), today())


Look = Callable[[Session, IncidentInput, Actor], Contestants]
"""Who the numbers are, as far as the asking person may know it."""


def _anybody(session: Session, incident: IncidentInput, _actor: Actor) -> Contestants:
    return opening.contestants(session, incident)


def _look_up(form: IncidentFields, look: Look = _anybody) -> Contestants | None:
    """The people behind the numbers, as far as they can be found; offered to be ticked."""
    offered = {choice.value for choice in form.session_id.choices}
    found = None
    if request.method == "POST" and len(form.numbers) == 2 and form.session_id.data in offered:
        with reading() as session:
            try:
                found = look(session, form.incident(today()), current_actor())
            except (Invalid, Missing, ValueError):
                found = None
    form.offer_players(found)
    return found


def _answered(form: IncidentFields, found: Contestants | None, look: Look = _anybody) -> bool:
    """Whether every answer will do; of contestants that do not exist the service says so."""
    if not form.sent():
        return False
    if found is None:
        with form.showing_errors(), reading() as session:
            look(session, form.incident(today()), current_actor())
    return not form.errors


def _shown(form: ShortRuling, found: Contestants) -> Shown:
    with reading() as session:
        return shown_at_the_table(session, found, current_actor(), form.told_when, now())


def _check_ruling(form: ShortRuling, found: Contestants, cited: Sequence[Citation]) -> Response:
    number, shown = form.board.data, _shown(form, found)
    form.has_shown(shown)
    return page(
        "rulings/check_ruling.html",
        told=shown.pieces[Piece.TOLD],
        form=form,
        found=found,
        ahead=BeforeTelling(words=shown.pieces[Piece.TIMES], over=shown.pieces[Piece.OVER]),
        cited=cited,
        outcome=label(RulingOutcome(form.outcome.data)),
        lacks_score=lacks_score(RulingOutcome(form.outcome.data), None),
        board=form.deal() or (blank_board(number) if number else None),
        laws=form.laws_on(found.played_on).words,
    )


def _check_sides(template: str, form: PostponedRuling | RulingRequest, found: Contestants, **more: Any) -> Response:
    form.has_shown(shown_sides(found))
    return page(template, form=form, found=found, laws=form.laws_on(found.played_on).words, **more)


def _open(
    form: IncidentFields,
    verb: Callable[[Session], Step],
    again: Callable[[], Response],
    *,
    receipt: str = "rulings.receipt",
) -> Response:
    """Open the case, once; then its receipt. What the service refuses is shown with everything that was typed."""
    with form.showing_errors():
        try:
            case_id = write(verb).loaded.case.id
        except AlreadyDone as before:
            if not typed.is_as_sent(before):
                raise
            case_id = before.receipt.case_id
        return see_other(url_for(receipt, case_id=case_id))
    return again()


def _plays(found: Contestants) -> bool:
    return any(player.person_id == current_actor().person_id for player in found.players)

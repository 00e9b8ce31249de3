"""The written way: the director's report, the parties' statements and answers, what comes late (R27-R28)."""

from typing import Any
from uuid import UUID

from flask import Blueprint, Response
from sqlmodel import Session

from casework.domain.access import Permission
from casework.domain.labels import label
from casework.domain.terms import ActionName, DemandKind, FilingChannel, State, StatementKind
from casework.domain.workflow.written import LATE
from casework.services import late_material, readings, side_answers, statements
from casework.services.before_sending import parties_told, shown_parties
from casework.services.loading import Loaded
from casework.services.statements import ReportInput, StatementInput
from casework.text import Text, t
from casework.web.acting import CHECK, FILE, acted, allowed, deadline_block, pressed
from casework.web.cases.actions import leads_to
from casework.web.forms import options
from casework.web.moment import now
from casework.web.pages import page
from casework.web.permission import parts, permission
from casework.web.sessions import current_actor
from casework.web.statements.forms import (
    DeclineForm,
    DemandForm,
    DemandInPlaceForm,
    EnterForm,
    LeaveOutForm,
    ReportForm,
    ReportInPlaceForm,
    StatementForm,
)
from casework.web.telling import counting
from casework.web.units import reading
from casework.web.words import words

blueprint = Blueprint("statements", __name__, url_prefix="/arenden/<uuid:case_id>")
for action, endpoint in (
    (ActionName.FILE_REPORT, "statements.report"),
    (ActionName.REPORT_IN_PLACE, "statements.report"),
    (ActionName.DEMAND_STATEMENTS, "statements.demand"),
    (ActionName.DEMAND_IN_PLACE, "statements.demand"),
    (ActionName.FILE_STATEMENT, "statements.file"),
    (ActionName.DECLINE_STATEMENT, "statements.decline"),
    (ActionName.ENTER_STATEMENT, "statements.enter"),
    (ActionName.LEAVE_OUT, "statements.leave_out"),
):
    leads_to(action, endpoint)

STATE_BY = t("State your views no later than")
ANSWER_BY = t("Answer no later than")
YOUR_ANSWER = t("Your answer")


@blueprint.route("/rapport", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def report(case_id: UUID) -> Response:
    """The director's report, prefilled from the ruling; when he is late, another files it in his place."""
    actor = current_actor()
    with reading() as session:
        loaded, possibility = allowed(session, case_id, ActionName.FILE_REPORT, ActionName.REPORT_IN_PLACE)
        drafted = statements.drafted_report(loaded)
    form = ReportInPlaceForm(obj=drafted) if possibility.action.override else ReportForm(obj=drafted)
    ready = form.sent_with_files(case_id, None)

    def verb(session: Session) -> object:
        filed = ReportInput(
            events=form.events.data,
            ruling=form.ruling.data,
            reasons=form.reasons.data,
            other=form.other.data,
            attachments=form.draft_ids,
        )
        because = form.because.data if isinstance(form, ReportInPlaceForm) else None
        return statements.file_report(
            session, loaded.proceeding.id, actor, filed, now=now(), because=because, form=form.instance
        )

    if ready and pressed() == FILE:
        if done := acted(form, case_id, verb):
            return done
        ready = False
    return page(
        "statements/report.html",
        form=form,
        loaded=loaded,
        in_place=possibility.action.override,
        checking=ready and pressed() == CHECK,
    )


@blueprint.route("/begar-yttranden", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def demand(case_id: UUID) -> Response:
    """Ask all parties for statements (R28). The page says who is asked, and how the question goes out."""
    actor = current_actor()
    with reading() as session:
        loaded, possibility = allowed(session, case_id, ActionName.DEMAND_STATEMENTS, ActionName.DEMAND_IN_PLACE)
    asked = readings.members(loaded)
    chosen = DemandInPlaceForm if possibility.action.override else DemandForm
    form = counting(chosen, len(asked))()
    if form.sent() and (
        done := acted(
            form,
            case_id,
            lambda session: statements.demand_statements(
                session,
                loaded.proceeding.id,
                actor,
                question=form.question.data,
                now=now(),
                because=form.because.data if isinstance(form, DemandInPlaceForm) else None,
                form=form.instance,
            ),
        )
    ):
        return done
    form.shows(loaded.proceeding.version)
    form.has_shown(shown_parties(loaded))
    return page(
        "statements/demand.html",
        form=form,
        loaded=loaded,
        in_place=possibility.action.override,
        told=parties_told(loaded),
    )


@blueprint.route("/yttrande", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def file(case_id: UUID) -> Response:
    """A party states its views, answers the others once, or adds something late."""
    form, actor = StatementForm(), current_actor()
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.FILE_STATEMENT)
        shown = _asked(session, loaded)
    if shown["answers"]:
        form.text.label.text = YOUR_ANSWER
    ready = form.sent_with_files(case_id, shown["party_id"])
    if ready and pressed() == FILE:
        statement = StatementInput(party_id=shown["party_id"], text=form.text.data, attachments=form.draft_ids)
        if done := acted(
            form,
            case_id,
            lambda session: statements.file_statement(
                session, loaded.proceeding.id, actor, statement, now=now(), form=form.instance
            ),
        ):
            return done
        ready = False
    form.has_shown(side_answers.shown_of_filing(loaded, shown["party_id"]))
    return page("statements/file.html", form=form, loaded=loaded, checking=ready and pressed() == CHECK, **shown)


def _asked(session: Session, loaded: Loaded) -> dict[str, Any]:
    """What a party is asked and may read: the question, its last day, the report, the others' opened papers."""
    actor = current_actor()
    party_id = readings.party_of(loaded, actor)
    if party_id is None:
        raise LookupError("only a party files its own statement")
    asked = side_answers.open_demand(loaded, party_id)
    papers = [
        view
        for view in readings.statements(session, loaded, actor, parts())
        if view.proceeding_id == loaded.proceeding.id
    ]
    answers = asked is not None and asked.kind is DemandKind.ANSWER
    answer = side_answers.answer_of(session, loaded, party_id) if asked is None else None
    return {
        "party_id": party_id,
        "asked": asked,
        "answer": answer,
        "answered_by": readings.names(session, loaded, [answer.by])[answer.by] if answer else "",
        "others": [p.name for p in readings.members(loaded) if p.party_id == party_id and p.id != actor.person_id],
        "answers": answers,
        "sealed": loaded.proceeding.state is State.PREPARING,
        "out_of_time": side_answers.out_of_time(loaded, party_id, now()),
        "late": asked is None and loaded.proceeding.state in LATE,
        "body": loaded.proceeding.body,
        "deadline": deadline_block(
            readings.deadline_of(loaded, asked),
            t("Answer no later than") if answers else t("State your views no later than"),
        ),
        "report": next((view for view in papers if view.kind is StatementKind.REPORT), None),
        "said": [view for view in papers if view.kind is not StatementKind.REPORT],
    }


@blueprint.route("/inget-att-tillagga", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def decline(case_id: UUID) -> Response:
    """A party says, with a ticked sentence, that it has nothing to add."""
    form, actor = DeclineForm(), current_actor()
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.DECLINE_STATEMENT)
        shown = _asked(session, loaded)
    if form.sent() and (
        done := acted(
            form,
            case_id,
            lambda session: statements.decline_statement(
                session, loaded.proceeding.id, actor, party_id=shown["party_id"], now=now(), form=form.instance
            ),
        )
    ):
        return done
    return page("statements/decline.html", form=form, loaded=loaded, **shown)


@blueprint.route("/yttrande-at-part", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def enter(case_id: UUID) -> Response:
    """An official enters what a party sent on paper or said; it is marked so, and the party gets a copy."""
    form, actor = EnterForm(day=now(), clock=now()), current_actor()
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.ENTER_STATEMENT)
    people = {str(person.id): person for person in readings.members(loaded)}
    form.person.choices = options(*((key, _named(person)) for key, person in people.items()))
    who = people.get(form.person.data or "")
    ready = form.sent_with_files(case_id, who.party_id if who else None)
    if ready and who:
        statement = StatementInput(
            party_id=who.party_id,
            text=form.text.data,
            channel=FilingChannel(form.channel.data),
            author_id=who.id,
            received_at=form.clock.instant,
            attachments=form.draft_ids,
        )
        with form.showing_errors():
            statements.refuse_impossible(loaded, statement, now())
        ready = not form.errors
    if ready and who and pressed() == FILE:
        if done := acted(
            form,
            case_id,
            lambda session: statements.enter_statement(
                session, loaded.proceeding.id, actor, statement, now=now(), form=form.instance
            ),
        ):
            return done
        ready = False
    if who:
        form.has_shown(side_answers.shown_of_filing(loaded, who.party_id))
    return page(
        "statements/enter.html",
        form=form,
        loaded=loaded,
        who=who,
        channel=_channel(form.channel.data),
        checking=ready and pressed() == CHECK,
    )


@blueprint.route("/bortse-fran", methods=["GET", "POST"])
@permission(Permission.READ_PAPERS)
def leave_out(case_id: UUID) -> Response:
    """The body leaves what came late and is not answered out of account, with a reason."""
    form, actor = LeaveOutForm(), current_actor()
    with reading() as session:
        loaded, _ = allowed(session, case_id, ActionName.LEAVE_OUT)
        waiting = {row.id for row in late_material.waiting(loaded)}
        late = [view for view in readings.statements(session, loaded, actor, parts()) if view.id in waiting]
    form.late.choices = options(*((str(view.id), _of(view)) for view in late))
    if form.sent() and (
        done := acted(
            form,
            case_id,
            lambda session: late_material.leave_out(
                session,
                loaded.proceeding.id,
                actor,
                statement_id=UUID(form.late.data),
                because=form.because.data,
                now=now(),
                form=form.instance,
            ),
        )
    ):
        return done
    return page("statements/leave_out.html", form=form, loaded=loaded, late=late)


def _of(view: readings.StatementView) -> Text:
    return t("What {party} filed {at}", party=view.party or "", at=view.received_at)


def _named(person: readings.PersonRow) -> str:
    return str(words(t("{name}, {party}", name=person.name, party=person.party)))


def _channel(chosen: str | None) -> Text | str:
    return label(FilingChannel(chosen)) if chosen in list(FilingChannel) else ""

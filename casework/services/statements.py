"""The written way: report, demands, statements, answers, complete papers, sent in, registered (R27-R31)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from sqlmodel import Session

from casework.domain.access import SYSTEM, Actor
from casework.domain.errors import Invalid
from casework.domain.models import Demand, Link, Proceeding, Statement
from casework.domain.shown import Shown
from casework.domain.terms import (
    ActionName,
    DemandEnd,
    DemandKind,
    FilingChannel,
    LinkPurpose,
    SeatRole,
    State,
    StatementKind,
)
from casework.services import panels, papers, untold
from casework.services.before_sending import shown_parties
from casework.services.completeness import papers_shown
from casework.services.engine import confirmed, locked, take
from casework.services.loading import Loaded
from casework.services.papers import Hangs
from casework.services.side_answers import open_demand, shown_of_filing
from casework.services.step import FormInstance, Step, acting_person
from casework.text import t


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportInput:
    """The director's report: four parts (R27)."""

    events: str
    ruling: str
    reasons: str
    other: str = ""
    attachments: tuple[UUID, ...] = ()
    """Drafts of `services.papers`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementInput:
    """A party's statement; `author_id` and `received_at` differ from actor and now when an official enters it."""

    party_id: UUID
    text: str
    channel: FilingChannel = FilingChannel.LINK
    author_id: UUID | None = None
    received_at: datetime | None = None
    attachments: tuple[UUID, ...] = ()


def drafted_report(loaded: Loaded) -> ReportInput:
    """The report as far as the ruling says it already: nothing is asked for twice."""
    ruling = loaded.decision(loaded.root.id)
    if ruling is None:
        return ReportInput(events="", ruling="", reasons="")
    return ReportInput(
        events="\n\n".join(part for part in (ruling.facts, ruling.facts_agreed) if part),
        ruling=ruling.operative,
        reasons=ruling.reasons,
    )


def file_report(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    report: ReportInput,
    *,
    now: datetime,
    because: str | None = None,
    form: FormInstance | None = None,
) -> Step:
    """File the director's report, open to all parties from its signing; with `because` in the director's place."""
    report_id = uuid4()
    parts = {"events": report.events, "ruling": report.ruling, "reasons": report.reasons, "other": report.other}

    def write(step: Step) -> None:
        step.file(
            Statement(
                id=report_id,
                case_id=step.loaded.case.id,
                proceeding_id=step.proceeding.id,
                kind=StatementKind.REPORT,
                author_id=acting_person(actor),
                channel=FilingChannel.ACCOUNT,
                parts=parts,
                signed_at=step.now,
                received_at=step.now,
                opened_at=step.now,
            )
        )
        papers.file_drafts(step, report.attachments, Hangs(statement_id=report_id), party_id=None)

    action = ActionName.FILE_REPORT if because is None else ActionName.REPORT_IN_PLACE
    data = {**parts, "because": because or ""}
    return take(session, proceeding_id, action, actor, now=now, data=data, subject_id=report_id, form=form, write=write)


def demand_statements(
    session: Session,
    proceeding: UUID | Loaded,
    actor: Actor,
    *,
    question: str = "",
    now: datetime,
    because: str | None = None,
    form: FormInstance | None = None,
) -> Step:
    """Ask all parties for statements with all their arguments (R28), each with its own last day from its notice.

    With `because` it is done in the director's place.
    """
    loaded = confirmed(session, proceeding, form, lambda _, case: shown_parties(case))
    demands = {party.id: uuid4() for party in loaded.parties}

    def write(step: Step) -> None:
        step.session.add_all(_demands(step, DemandKind.STATEMENT, demands, question))

    action = ActionName.DEMAND_STATEMENTS if because is None else ActionName.DEMAND_IN_PLACE
    data = {"demands": demands, "because": because or ""}
    return take(session, loaded, action, actor, now=now, data=data, form=form, write=write)


def _demands(step: Step, kind: DemandKind, demands: Mapping[UUID, UUID], question: str) -> list[Demand]:
    return [
        Demand(
            id=demand_id,
            case_id=step.loaded.case.id,
            proceeding_id=step.proceeding.id,
            party_id=party_id,
            kind=kind,
            asked_at=step.now,
            asked_by=step.actor.person_id,
            question=question.strip(),
        )
        for party_id, demand_id in demands.items()
    ]


def open_statements(session: Session, loaded: Loaded, now: datetime) -> Step:
    """Open the statements to all parties at one moment; each may then answer the others once."""
    demands = {party.id: uuid4() for party in loaded.parties}

    def write(step: Step) -> None:
        for statement in step.loaded.statements:
            if statement.proceeding_id == step.proceeding.id and statement.opened_at is None:
                statement.opened_at = step.now
                session.add(statement)
        session.add_all(_demands(step, DemandKind.ANSWER, demands, ""))

    data = {"demands": demands}
    return take(session, loaded, ActionName.OPEN_STATEMENTS, SYSTEM, now=now, data=data, write=write)


def file_statement(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    statement: StatementInput,
    *,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """A party states its views, answers the others, or adds something late, which is shown to the others at once."""
    return _file(session, proceeding_id, ActionName.FILE_STATEMENT, actor, statement=statement, now=now, form=form)


def enter_statement(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    statement: StatementInput,
    *,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """An official enters what a party sent on paper or said by phone; the party gets a copy."""
    return _file(session, proceeding_id, ActionName.ENTER_STATEMENT, actor, statement=statement, now=now, form=form)


def _file(
    session: Session,
    proceeding_id: UUID,
    action: ActionName,
    actor: Actor,
    *,
    statement: StatementInput,
    now: datetime,
    form: FormInstance | None,
) -> Step:
    def shows(session: Session, case: Loaded) -> Shown:
        return shown_of_filing(untold.as_reader(session, case, actor, now), statement.party_id)

    loaded = confirmed(session, proceeding_id, form, shows)
    known = untold.as_reader(session, loaded, actor, now)
    refuse_impossible(loaded, statement, now)
    demand = open_demand(loaded, statement.party_id)
    asks = demand is None and not known.untold
    demands = _others_may_answer(loaded, statement.party_id) if asks else {}
    statement_id = uuid4()

    def write(step: Step) -> None:
        step.file(_statement(step, statement_id, statement, demand))
        hangs = Hangs(statement_id=statement_id)
        papers.file_drafts(step, statement.attachments, hangs, party_id=statement.party_id)
        if demand is not None:
            demand.ended, demand.ended_at = DemandEnd.ANSWERED, step.now
            session.add(demand)
        session.add_all(_asked_anew(step, statement_id, demands))

    return take(
        session,
        loaded,
        action,
        actor,
        now=now,
        data={
            "text": statement.text,
            "demand_id": demand.id if demand else None,
            "demands": demands,
            "happened_at": statement.received_at or now,
        },
        subject_id=statement_id,
        party_id=statement.party_id,
        form=form,
        write=write,
    )


def refuse_impossible(loaded: Loaded, statement: StatementInput, now: datetime) -> None:
    """Raise Invalid for a time that cannot be, or for a paper without its original (R28)."""
    ruling, came = loaded.decision(loaded.root.id), statement.received_at
    if came is not None and came > now:
        raise Invalid({"clock": t("The statement cannot have come in the future.")})
    if came is not None and ruling is not None and came < ruling.given_at:
        raise Invalid({"clock": t("The statement cannot have come before the ruling was given.")})
    papers.refuse_without_original(statement.channel, statement.attachments)


def _others_may_answer(loaded: Loaded, party_id: UUID) -> dict[UUID, UUID]:
    """What comes once the statements are open may be answered by each other party, in a time of its own."""
    if loaded.proceeding.state is State.PREPARING:
        return {}
    return {party.id: uuid4() for party in loaded.parties if party.id != party_id}


def _asked_anew(step: Step, late_id: UUID, demands: Mapping[UUID, UUID]) -> Iterator[Demand]:
    """A party that is being asked already is asked anew: it answers once, to everything, in its whole time."""
    for demand in _demands(step, DemandKind.ANSWER, demands, ""):
        earlier = open_demand(step.loaded, demand.party_id)
        demand.about = [*(earlier.about if earlier else ()), str(late_id)]
        if earlier is not None:
            earlier.ended, earlier.ended_at = DemandEnd.RENEWED, step.now
            yield earlier
        yield demand


_ANSWERING: Mapping[DemandKind, StatementKind] = {
    DemandKind.STATEMENT: StatementKind.STATEMENT,
    DemandKind.ANSWER: StatementKind.ANSWER,
}


def _statement(step: Step, statement_id: UUID, statement: StatementInput, demand: Demand | None) -> Statement:
    """Statements are opened to the others all at one moment; answers and what comes later at once."""
    collecting = step.proceeding.state is State.PREPARING
    late = StatementKind.STATEMENT if collecting else StatementKind.LATE
    kind = _ANSWERING[demand.kind] if demand is not None else late
    author = statement.author_id or acting_person(step.actor)
    return Statement(
        id=statement_id,
        case_id=step.loaded.case.id,
        proceeding_id=step.proceeding.id,
        kind=kind,
        demand_id=demand.id if demand else None,
        party_id=statement.party_id,
        author_id=author,
        entered_by=step.actor.person_id if step.actor.person_id != author else None,
        channel=statement.channel,
        text=statement.text,
        signed_at=statement.received_at or step.now,
        received_at=step.now,
        opened_at=None if kind is StatementKind.STATEMENT else step.now,
    )


def decline_statement(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    party_id: UUID,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """A party says that it has nothing to add."""
    loaded = locked(session, proceeding_id, form)
    demand = open_demand(loaded, party_id)

    def write(step: Step) -> None:
        if demand is not None:
            demand.ended, demand.ended_at = DemandEnd.DECLINED, step.now
            session.add(demand)

    return take(
        session,
        loaded,
        ActionName.DECLINE_STATEMENT,
        actor,
        now=now,
        data={"demand_id": demand.id if demand else None},
        subject_id=demand.id if demand else None,
        party_id=party_id,
        form=form,
        write=write,
    )


def send_in(
    session: Session, proceeding_id: UUID, actor: Actor, *, now: datetime, form: FormInstance | None = None
) -> Step:
    """Send in the complete papers (R30)."""
    loaded = confirmed(session, proceeding_id, form, papers_shown)
    return take(session, loaded, ActionName.SEND_IN, actor, now=now, form=form, write=_note_sending_in)


def send_in_in_place(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Send in in the director's place when his time has run out."""
    loaded = confirmed(session, proceeding_id, form, papers_shown)
    data = {"because": because}
    action = ActionName.SEND_IN_IN_PLACE
    return take(session, loaded, action, actor, now=now, data=data, form=form, write=_note_sending_in)


def take_up_incomplete(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """The body takes the case up although papers are missing, by its explicit decision with reasons."""

    def write(step: Step) -> None:
        step.proceeding.taken_up_because = because.strip()
        _note_sending_in(step)

    data = {"because": because}
    return take(session, proceeding_id, ActionName.TAKE_UP, actor, now=now, data=data, form=form, write=write)


def _note_sending_in(step: Step) -> None:
    step.proceeding.sent_in_at = step.now


def register_case(
    session: Session,
    proceeding: UUID | Loaded,
    actor: Actor,
    *,
    jurisdiction: str,
    seats: Mapping[UUID, SeatRole],
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Register the case with its basis of jurisdiction (R2) and seat the members."""
    loaded = locked(session, proceeding, form)
    links = {
        person: Link(
            purpose=LinkPurpose.SEAT, person_id=person, case_id=loaded.case.id, seat_id=uuid4(), created_at=now
        )
        for person in seats
    }

    def write(step: Step) -> None:
        row: Proceeding = step.proceeding
        row.jurisdiction, row.registered_at = jurisdiction.strip(), step.now
        panels.seat_panel(step, seats, links)

    data = {"jurisdiction": jurisdiction, "seats": seats, "seated": list(seats), "seat_links": links}
    return take(session, loaded, ActionName.REGISTER_CASE, actor, now=now, data=data, form=form, write=write)

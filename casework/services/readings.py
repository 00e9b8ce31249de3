"""What a reader is shown of a case's appeals and papers: never more than the policy gives."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.domain.access import Actor
from casework.domain.errors import Missing, NotAllowed, NotNow
from casework.domain.labels import contestant, label
from casework.domain.models import Appeal, Attachment, Deadline, Demand, Person, Proceeding, Statement
from casework.domain.terms import (
    ActionName,
    DeadlineEnd,
    DeadlineKind,
    FilingChannel,
    Part,
    ProceedingKind,
    StatementKind,
)
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.audience import concurring, parts_of
from casework.domain.workflow.decide import Possibility
from casework.domain.workflow.facts import Ask
from casework.services import papers, queries
from casework.services.engine import possibilities
from casework.services.loading import Loaded
from casework.services.snapshot import snapshot
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRow:
    """Somebody of a party."""

    id: UUID
    name: str
    party_id: UUID
    party: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealView:
    """One side's appeal. `missing` are those whose word is still needed (Law 92D)."""

    id: UUID
    proceeding_id: UUID
    of_ruling: bool
    party_id: UUID
    party: Text
    lodged_by: str
    lodged_at: datetime
    received_by: str
    channel: FilingChannel
    wants: str
    grounds: str
    in_time: bool | None
    missing: tuple[PersonRow, ...]
    deemed: tuple[PersonRow, ...]
    """Who could not be asked, and count as concurring until they have said it themselves."""
    warned_at: datetime | None
    warned_by: str
    warned_how: str
    withdrawn_at: datetime | None
    attachments: tuple[Attachment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementView:
    """A paper that its reader may read; `parts` (the report's four) or `text`."""

    id: UUID
    proceeding_id: UUID
    kind: StatementKind
    party: Text | None
    author: str
    entered_by: str
    channel: FilingChannel
    text: str
    parts: Mapping[str, str]
    signed_at: datetime
    received_at: datetime
    opened_at: datetime | None
    left_out_at: datetime | None
    left_out_because: str
    attachments: tuple[Attachment, ...]


def around(loaded: Loaded, proceeding_id: UUID) -> Loaded:
    """The same case seen from another of its proceedings. Raises Missing."""
    proceeding = next((p for p in loaded.proceedings if p.id == proceeding_id), None)
    if proceeding is None:
        raise Missing
    return replace(loaded, proceeding=proceeding)


def place_of(
    loaded: Loaded, actor: Actor, now: datetime, *names: ActionName, subject_id: UUID | None = None
) -> tuple[Loaded, Possibility]:
    """The proceeding where the actor can take one of these actions, the newest first; else where something bars it.

    Earlier names go before later ones. Raises NotAllowed where none is his to take anywhere in the case.
    """
    barred: list[tuple[Loaded, Possibility]] = []
    for here in queries.around_each(loaded):
        found = {p.action.name: p for p in possibilities(here, actor, now, subject_id=subject_id)}
        for possibility in (found[name] for name in names if name in found):
            if possibility.allowed:
                return here, possibility
            barred.append((here, possibility))
    if theirs := _of_others(loaded, actor, now, *names):
        raise NotAllowed(theirs)
    if not barred:
        action = next(a for p in PROCEDURES.values() for a in p.actions if a.name == names[0])
        raise NotNow(t("This cannot be done now: {action}.", action=action.label))
    return barred[0]


def _of_others(loaded: Loaded, actor: Actor, now: datetime, *names: ActionName) -> Text | None:
    """Whose such an action is, where it can be taken but is not the actor's: the reason that is to be named."""
    for here in queries.around_each(loaded):
        facts, procedure = snapshot(here), PROCEDURES[here.proceeding.kind]
        mine = parts_of(actor, facts)
        for action in (procedure.action(name) for name in names if procedure.has(name)):
            people = action.who - {Part.SYSTEM}
            if people & mine or not people or facts.this.state not in action.start:
                continue
            ask = Ask(person_id=None, parts=people, now=now)
            if not any(guard(facts, ask) for guard in action.guards):
                whose = [label(part) for part in Part if part in people]
                return t("This is not yours to do: {action}. It is for: {who}.", action=action.label, who=whose)
    return None


def members(loaded: Loaded) -> Sequence[PersonRow]:
    """Everybody of the parties."""
    return [
        PersonRow(
            id=member.person_id,
            name=loaded.persons[member.person_id].name,
            party_id=member.party_id,
            party=party_label(loaded, member.party_id),
        )
        for member in loaded.members
    ]


def party_label(loaded: Loaded, party_id: UUID) -> Text:
    """What the party is called: "pair 7"."""
    party = next(party for party in loaded.parties if party.id == party_id)
    return contestant(loaded.tournament.form, party.number, party.name)


def side_labels(loaded: Loaded) -> Mapping[str, Text]:
    """Side → what its contestants are called: facts are disputed side by side."""
    sides: dict[str, list[Text]] = {}
    for party in loaded.parties:
        sides.setdefault(party.side.value, []).append(party_label(loaded, party.id))
    return {side: t("{who}", who=labels) for side, labels in sides.items()}


def party_of(loaded: Loaded, actor: Actor) -> UUID | None:
    """The party that the actor belongs to."""
    return next((member.party_id for member in loaded.members if member.person_id == actor.person_id), None)


def names(session: Session, loaded: Loaded, ids: Iterable[UUID | None]) -> Mapping[UUID | None, str]:
    """The names of people who act in the case, officials too."""
    wanted = {person_id for person_id in ids if person_id is not None}
    known: dict[UUID | None, str] = {
        person_id: loaded.persons[person_id].name for person_id in wanted if person_id in loaded.persons
    }
    unknown = wanted - set(known)
    rows = session.exec(select(Person).where(col(Person.id).in_(unknown))) if unknown else ()
    return known | {None: ""} | {person.id: person.name for person in rows}


def appeals(session: Session, loaded: Loaded) -> Sequence[AppealView]:
    """All appeals of a case, with their attachments, for a reader of the papers."""
    files = papers.attached(session, loaded)
    called = names(session, loaded, (who for a in loaded.appeals for who in (a.lodged_by, a.received_by, a.warned_by)))
    return [_appeal(loaded, appeal, called, files) for appeal in loaded.appeals]


def appeal(session: Session, loaded: Loaded, appeal_id: UUID) -> AppealView:
    """One appeal. Raises Missing."""
    for view in appeals(session, loaded):
        if view.id == appeal_id:
            return view
    raise Missing


def _appeal(loaded: Loaded, row: Appeal, called: Mapping[UUID | None, str], files: Sequence[Attachment]) -> AppealView:
    said = [c for c in loaded.concurrences if c.appeal_id == row.id]
    needed = concurring(snapshot(loaded), row.party_id) - {c.person_id for c in said}
    deemed = {c.person_id for c in said if c.deemed_because}
    tried = next(p for p in loaded.proceedings if loaded.decisions.get(p.id) and _owns(loaded, p, row))
    return AppealView(
        id=row.id,
        proceeding_id=row.proceeding_id,
        of_ruling=tried.kind is ProceedingKind.RULING,
        party_id=row.party_id,
        party=party_label(loaded, row.party_id),
        lodged_by=called[row.lodged_by],
        lodged_at=row.lodged_at,
        received_by=called[row.received_by],
        channel=row.channel,
        wants=row.wants,
        grounds=row.grounds,
        in_time=row.in_time,
        missing=tuple(person for person in members(loaded) if person.id in needed),
        deemed=tuple(person for person in members(loaded) if person.id in deemed),
        warned_at=row.warned_at,
        warned_by=called[row.warned_by],
        warned_how=row.warned_how,
        withdrawn_at=row.withdrawn_at,
        attachments=tuple(file for file in files if file.appeal_id == row.id),
    )


def _owns(loaded: Loaded, proceeding: Proceeding, row: Appeal) -> bool:
    return loaded.decisions[proceeding.id].id == row.decision_id


def statements(session: Session, loaded: Loaded, actor: Actor, parts: Collection[Part]) -> Sequence[StatementView]:
    """The papers of a case that this reader may read, in the order they came."""
    rows = [s for s in loaded.statements if papers.may_read(s, loaded, actor, parts)]
    files = papers.attached(session, loaded) if rows else ()
    called = names(session, loaded, [person for s in rows for person in (s.author_id, s.entered_by)])
    return [_statement(loaded, row, called, files) for row in rows]


def statement(
    session: Session, loaded: Loaded, statement_id: UUID, actor: Actor, parts: Collection[Part]
) -> StatementView:
    """One paper. Raises Missing where the reader may not read it."""
    for view in statements(session, loaded, actor, parts):
        if view.id == statement_id:
            return view
    raise Missing


def _statement(
    loaded: Loaded, row: Statement, called: Mapping[UUID | None, str], files: Sequence[Attachment]
) -> StatementView:
    return StatementView(
        id=row.id,
        proceeding_id=row.proceeding_id,
        kind=row.kind,
        party=party_label(loaded, row.party_id) if row.party_id else None,
        author=called[row.author_id],
        entered_by=called[row.entered_by],
        channel=row.channel,
        text=row.text,
        parts=row.parts or {},
        signed_at=row.signed_at,
        received_at=row.received_at,
        opened_at=row.opened_at,
        left_out_at=row.left_out_at,
        left_out_because=row.left_out_because,
        attachments=tuple(file for file in files if file.statement_id == row.id),
    )


def running(loaded: Loaded, kind: DeadlineKind) -> Deadline | None:
    """This proceeding's newest deadline of a kind that has not ended otherwise than by running out."""
    found = (
        d
        for d in loaded.deadlines
        if d.proceeding_id == loaded.proceeding.id and d.kind is kind and d.ended in (None, DeadlineEnd.EXPIRED)
    )
    return max(found, key=lambda deadline: deadline.opened_at, default=None)


def forwarding(loaded: Loaded) -> Deadline | None:
    """Of the times in which this proceeding's appeals are to be forwarded, the first to end: one step carries all."""
    found = (d for d in loaded.deadlines if d.proceeding_id == loaded.proceeding.id)
    running = [d for d in found if d.kind is DeadlineKind.FORWARD_APPEAL and d.ended is None and d.instant]
    return min(running, key=lambda d: d.instant or d.opened_at, default=None)


def deadline_of(loaded: Loaded, demand: Demand | None) -> Deadline | None:
    """The last day of a demand."""
    return next((d for d in loaded.deadlines if demand is not None and d.demand_id == demand.id), None)

"""The rows that a case's page is made of, with the reader they are shown to: a fixed number of queries."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from casework.domain.access import NOBODY, Actor, Permission, can
from casework.domain.labels import contestant, label
from casework.domain.models import (
    AdjustmentRecord,
    Attachment,
    CaseFile,
    Consequence,
    Decision,
    Event,
    Notice,
    Party,
    Person,
    Remark,
    Statement,
)
from casework.domain.terms import ConsequenceKind, ConsequenceState, Part, Side
from casework.domain.workflow.facts import Facts
from casework.services import case_files, papers, scores, untold
from casework.services.board_changes import Filing, filings
from casework.services.earlier_scores import decided_before
from casework.services.loading import Loaded
from casework.services.queries import all_parts, load_visible
from casework.services.score_view import ScoreView, entered, views_of
from casework.services.scores import SavedScore, lacks_score, upheld
from casework.services.snapshot import snapshot
from casework.services.standing import current
from casework.services.waiting import Named
from casework.text import Text, t


@dataclass
class CaseRows:
    """A case's rows, and who reads them."""

    loaded: Loaded
    facts: Facts
    actor: Actor
    parts: frozenset[Part]
    now: datetime
    decisions: list[Decision] = field(default_factory=list)
    scores: Mapping[UUID, Sequence[AdjustmentRecord]] = field(default_factory=dict)
    """Decision → its adjusted score, as counted then and later."""
    statements: list[Statement] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    files: list[CaseFile] = field(default_factory=list)
    consequences: list[Consequence] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    boards: tuple[Filing, ...] = ()
    """The filings of the board, the oldest first."""
    persons: dict[UUID, Person] = field(default_factory=dict)

    def uncounted(self, decision: Decision) -> bool:
        """Whether a decision changes the score, or confirms that, and nobody has worked it out."""
        newest = [SavedScore.of(record) for record in self.scores.get(decision.id, ())][-1:]
        before = upheld(self.loaded, decision, self.consequences)
        lacks = lacks_score(decision.outcome, newest[0] if newest else None)
        return lacks and (before is None or self.uncounted(before))

    def still_to_enter(self, consequence: Consequence) -> tuple[Text | str, ...]:
        """The same of what has not been replaced: beside the word that it is, a figure would seem to be the new one."""
        return () if consequence.state is ConsequenceState.REPLACED else self.to_enter(consequence)

    def score_views(self, decision: Decision) -> tuple[ScoreView, ...]:
        """What a decision makes of the score, for its reader's side, beside what earlier ones made of it."""
        before = decided_before(self.loaded.proceedings, self.decisions, self.scores, decision.proceeding_id)
        records = self.scores.get(decision.id, ())
        return views_of(records, decision.adjustment_id, own=self.own_side, before=before)

    def to_enter(self, consequence: Consequence) -> tuple[Text | str, ...]:
        """What is entered or paid: the score that the decision is worked out to, and what is written beside it."""
        score = None
        if consequence.kind is ConsequenceKind.SCORE_ADJUSTMENT and consequence.decision_id is not None:
            records = self.scores.get(consequence.decision_id, ())
            score = next((saved.score for saved in map(SavedScore.of, reversed(records)) if saved.score), None)
        counted = (entered(score.adjustment),) if score is not None else ()
        return (*counted, *([consequence.detail] if consequence.detail else []))

    def may(self, permission: Permission) -> bool:
        """Whether the reader's parts in the case give a permission."""
        return can(self.actor, permission, self.parts)

    @cached_property
    def own_party(self) -> UUID | None:
        """The party that the reader belongs to."""
        party = self.facts.party_of(self.actor.person_id)
        return party.id if party else None

    @cached_property
    def appealing(self) -> frozenset[UUID]:
        """The parties that appeal."""
        return frozenset(appeal.party_id for appeal in self.loaded.appeals if appeal.withdrawn_at is None)

    def opposes(self, party: Party) -> bool:
        """Whether a party sits against one that appeals: in an individual event the partner of that one does not."""
        sides = {each.side for each in self.loaded.parties if each.id in self.appealing}
        return bool(sides) and party.side not in sides

    @property
    def own_side(self) -> Side | None:
        """Where the reader's party sat."""
        return next((party.side for party in self.loaded.parties if party.id == self.own_party), None)

    @property
    def stands_in(self) -> UUID:
        """The proceeding that the case stands in."""
        return current(self.loaded.proceedings).id

    def name(self, person_id: UUID | None) -> str:
        """A person's name; empty for the system."""
        person = self.persons.get(person_id) if person_id else None
        return person.name if person else ""

    def named(self, person_id: UUID) -> Named:
        """A person with his name."""
        return Named(person_id, self.name(person_id))

    def party_label(self, party_id: UUID | None) -> Text:
        """What a party is called, "pair 7"."""
        party = next((p for p in self.loaded.parties if p.id == party_id), None)
        if party is None:
            return label(Part.PARTY)
        return contestant(self.loaded.tournament.form, party.number, party.name)

    def can_read(self, statement: Statement) -> bool:
        """Whether the reader may read a filed text."""
        return papers.may_read(statement, self.loaded, self.actor, self.parts)

    def can_read_attachment(self, attachment: Attachment) -> bool:
        """A file is known to those who may read what it hangs on."""
        statement = self._hangs_on(attachment)
        if statement is not None:
            return self.can_read(statement)
        return attachment.appeal_id is not None

    def can_fetch(self, attachment: Attachment) -> bool:
        """Whether the bytes of a file that the reader knows of are his too."""
        return papers.may_fetch(self._hangs_on(attachment), self.actor, self.parts)

    def _hangs_on(self, attachment: Attachment) -> Statement | None:
        return next((s for s in self.statements if s.id == attachment.statement_id), None)

    def signer(self, person_id: UUID | None, part: Part | None = None) -> Text:
        """A name with what the person is in the case: "Lena Norrbro, pair 7", "Karin Fjällbo, director"."""
        name = self.name(person_id)
        party = self.facts.party_of(person_id)
        if party is not None:
            return t("{name}, {part}", name=name, part=party.label)
        if not name:
            return t("The system")
        return t("{name}, {part}", name=name, part=label(part)) if part else t("{name}", name=name)


def read_case(session: Session, case_id: UUID, actor: Actor, now: datetime) -> CaseRows:
    """The case with everything about it, for a reader who may know of it.

    Raises:
        Missing: there is no such case, or the reader has no part in it.
    """
    loaded = load_visible(session, case_id, actor, now)
    facts = snapshot(loaded)
    rows = CaseRows(loaded, facts, actor, all_parts(facts, actor), now)
    rows.persons = dict(loaded.persons)
    if rows.may(Permission.READ_PAPERS):
        _read_papers(session, rows)
    _read_names(session, rows)
    return rows


def read_copy(session: Session, loaded: Loaded, parts: frozenset[Part], now: datetime) -> CaseRows:
    """The same for a copy on paper: what everybody in these parts may read, nobody's own side."""
    rows = CaseRows(loaded, snapshot(loaded), NOBODY, parts, now, persons=dict(loaded.persons))
    _read_papers(session, rows)
    _read_names(session, rows)
    return rows


def _read_papers(session: Session, rows: CaseRows) -> None:
    def of_case(model: Any, order: Any, *options: Any) -> list[Any]:
        query = select(model).where(model.case_id == rows.loaded.case.id).order_by(order).options(*options)
        return list(session.exec(query))

    rows.decisions = of_case(Decision, col(Decision.recorded_at))
    rows.scores = scores.of_decisions(session, rows.decisions)
    statements = of_case(Statement, col(Statement.received_at))
    rows.statements = [statement for statement in statements if not statement.is_draft]
    rows.attachments = list(papers.attached(session, rows.loaded))
    rows.files = list(case_files.files_of(session, rows.loaded.case.id, rows.actor, rows.parts))
    rows.consequences = sorted(of_case(Consequence, col(Consequence.id)), key=_in_order(rows.decisions))
    rows.notices = of_case(Notice, col(Notice.due_at), defer(Notice.mime))  # type: ignore[arg-type]  # a column
    rows.remarks = of_case(Remark, col(Remark.written_at))
    rows.events = of_case(Event, col(Event.seq))
    rows.boards = filings(session, rows.loaded)
    if kept := rows.loaded.untold:
        hidden = {one.decision_id for one in kept}
        rows.decisions = [decision for decision in rows.decisions if decision.id not in hidden]
        rows.events = untold.events_before(rows.events, kept)
        rows.notices = untold.notices_before(rows.notices, kept)
        body = current(rows.loaded.proceedings).body
        rulings = {decision.id for decision in rows.decisions if decision.proceeding_id == rows.loaded.root.id}
        rows.consequences = untold.consequences_before(rows.consequences, kept, body, rulings)


def _in_order(decisions: Sequence[Decision]) -> Callable[[Consequence], tuple[int, int]]:
    """By the decision that it follows of, then by kind: when it last changed may be kept from its reader."""
    place = {decision.id: at for at, decision in enumerate(decisions)}
    kinds = list(ConsequenceKind)
    return lambda row: (place.get(row.decision_id, -1) if row.decision_id else -1, kinds.index(row.kind))


def _read_names(session: Session, rows: CaseRows) -> None:
    unknown = {person_id for person_id in _spoken_of(rows) if person_id is not None} - set(rows.persons)
    for person in session.exec(select(Person).where(col(Person.id).in_(unknown))):
        rows.persons[person.id] = person


def _spoken_of(rows: CaseRows) -> Iterator[UUID | None]:
    loaded = rows.loaded
    yield from (p.director_id for p in loaded.proceedings)
    yield from (seat.person_id for seat in loaded.seats)
    yield from (d.given_by for d in rows.decisions)
    yield from (d.recorded_by for d in rows.decisions)
    yield from (s.author_id for s in rows.statements)
    yield from (s.entered_by for s in rows.statements)
    yield from (s.left_out_by for s in rows.statements)
    yield from (a.received_by for a in loaded.appeals)
    yield from (a.warned_by for a in loaded.appeals)
    yield from (c.recorded_by for c in loaded.concurrences)
    for notice in rows.notices:
        yield notice.person_id
        yield notice.proven_by
    yield from (e.actor_id for e in rows.events)

"""What the panel reads in its room: board, papers, the appeals, and the notes that nobody else sees (S-AC4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlmodel import Session, col, or_, select

from casework.domain.access import Actor
from casework.domain.bridge.board import Board
from casework.domain.errors import Missing
from casework.domain.models import Appeal, Case, Decision, FormReceipt, Incident, PanelNote, Tournament
from casework.domain.rules.citations import Citation
from casework.domain.rules.editions import LawEdition
from casework.domain.shown import Shown
from casework.domain.terms import ActionName, Body, RulingOutcome, Side, StatementKind
from casework.domain.workflow.lodging import way_on
from casework.services.before_sending import Told, told_decision
from casework.services.earlier_scores import decided_before
from casework.services.going_out import going_out, shown_of_decision
from casework.services.loading import load
from casework.services.panel_view import Opened, PanelView, open_panel, view_of
from casework.services.receipts import receipt_number
from casework.services.score_view import ScoreView, views_of
from casework.services.scores import of_decisions
from casework.services.snapshot import snapshot
from casework.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPaper:
    """What an earlier body decided."""

    body: Body
    operative: str
    facts: str
    reasons: str
    laws: tuple[Citation, ...]
    outcome: RulingOutcome | None
    given_at: datetime
    given_by: str
    scores: tuple[ScoreView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealPaper:
    """An appeal that is tried here; `warned_*` is the director's word on its grounds (R33, R34)."""

    id: UUID
    party: Text
    wants: str
    grounds: str
    lodged_at: datetime
    late: bool
    warned_at: datetime | None
    warned_by: str
    warned_how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementPaper:
    """A statement that is open to all parties; a report is in `parts`. `left_out` is why it does not count."""

    kind: StatementKind
    party: Text | None
    text: str
    parts: Mapping[str, str]
    received_at: datetime
    left_out: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note of the deliberation."""

    by: str
    text: str
    shared: bool
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomView:
    """The panel's room."""

    panel: PanelView
    edition: LawEdition
    board: Board | None
    agreed: str
    disputed: Mapping[Side, str]
    facts: tuple[tuple[Text, str], ...]
    """Both, heading and text of each."""
    decisions: tuple[DecisionPaper, ...]
    appeals: tuple[AppealPaper, ...]
    statements: tuple[StatementPaper, ...]
    notes: tuple[Note, ...]
    score: ScoreView | None
    """What the panel has worked out, its own alone until the decision."""
    told: tuple[Told, ...]
    way_on: Body | None
    shown: Shown
    """What the decision's check page shows of it."""

    @property
    def tried(self) -> DecisionPaper | None:
        """The decision that is tried: the newest; none where the body took the case up without one."""
        return self.decisions[-1] if self.decisions else None


def room_view(session: Session, case_id: UUID, actor: Actor, now: datetime) -> RoomView:
    """The room of the panel that tries the case.

    Raises:
        Missing: the actor is not on that panel, or has not been found free of conflicts of interest.
    """
    opened = open_panel(session, case_id, actor)
    panel = view_of(opened, actor, now)
    if not panel.deliberates:
        raise Missing
    loaded, facts = opened.loaded, opened.facts
    out = going_out(session, loaded, actor, now)
    papers = out.papers
    return RoomView(
        panel=panel,
        edition=loaded.case.law_edition,
        board=papers.board if papers.board_filed else None,
        agreed=papers.agreed,
        disputed={side: text for side, text in papers.disputed.items() if text},
        facts=out.facts,
        decisions=tuple(_decisions(session, opened)),
        appeals=tuple(
            _appeal(appeal, opened)
            for appeal in loaded.appeals
            if appeal.id in {tried.id for tried in facts.tried_here}
        ),
        statements=tuple(_statements(opened)),
        notes=tuple(_notes(session, opened, panel)),
        score=out.score,
        told=out.told,
        way_on=way_on(facts),
        shown=shown_of_decision(loaded, out),
    )


def _decisions(session: Session, opened: Opened) -> list[DecisionPaper]:
    """What earlier bodies have decided, oldest first."""
    loaded = opened.loaded
    earlier = [
        (proceeding.body, decision)
        for proceeding in loaded.proceedings
        if proceeding.id != loaded.proceeding.id and (decision := loaded.decision(proceeding.id)) is not None
    ]
    counted = of_decisions(session, [decision for _, decision in earlier])
    decided = [decision for _, decision in earlier]

    def views(decision: Decision) -> tuple[ScoreView, ...]:
        before = decided_before(loaded.proceedings, decided, counted, decision.proceeding_id)
        return views_of(counted[decision.id], decision.adjustment_id, before=before)

    return [_decision(decision, body, opened, views(decision)) for body, decision in earlier]


def _decision(row: Decision, body: Body, opened: Opened, scores: tuple[ScoreView, ...]) -> DecisionPaper:
    return DecisionPaper(
        body=body,
        operative=row.operative,
        facts=row.facts,
        reasons=row.reasons,
        laws=tuple(Citation.from_json(law) for law in row.laws),
        outcome=row.outcome,
        given_at=row.given_at,
        given_by=opened.names.get(row.given_by, ""),
        scores=scores,
    )


def _appeal(row: Appeal, opened: Opened) -> AppealPaper:
    return AppealPaper(
        id=row.id,
        party=opened.facts.party(row.party_id).label,
        wants=row.wants,
        grounds=row.grounds,
        lodged_at=row.lodged_at,
        late=row.in_time is False,
        warned_at=row.warned_at,
        warned_by=opened.names.get(row.warned_by, "") if row.warned_by else "",
        warned_how=row.warned_how,
    )


def _statements(opened: Opened) -> list[StatementPaper]:
    parties = {party.id: party.label for party in opened.facts.parties}
    return [
        StatementPaper(
            kind=row.kind,
            party=parties.get(row.party_id) if row.party_id else None,
            text=row.text,
            parts=_parts(row.parts),
            received_at=row.received_at,
            left_out=row.left_out_because,
        )
        for row in opened.loaded.statements
        if row.opened_at is not None
    ]


def _parts(parts: dict[str, Any] | None) -> Mapping[str, str]:
    return {name: str(text) for name, text in (parts or {}).items() if text}


def _notes(session: Session, opened: Opened, panel: PanelView) -> list[Note]:
    """The reader's own notes, and those that members share; oldest first."""
    if panel.own is None:
        return []
    seats = {seat.id: seat for seat in opened.loaded.seats}
    mine = seats[panel.own.seat_id]
    rows = session.exec(
        select(PanelNote)
        .where(
            PanelNote.panel_id == mine.panel_id,
            or_(col(PanelNote.shared).is_(True), col(PanelNote.seat_id) == mine.id),
        )
        .order_by(col(PanelNote.written_at))
    )
    return [
        Note(by=opened.names[seats[row.seat_id].person_id], text=row.text, shared=row.shared, at=row.written_at)
        for row in rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The receipt of an act that has ended its author's access to the case."""

    number: str
    receipt: str
    tournament: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionReceipt(Receipt):
    """The receipt of a signed decision: who is told, and to which body the way goes on (none: it is final)."""

    body: Body
    told: tuple[Told, ...]
    way_on: Body | None
    span: Text


def recusal_receipt(session: Session, form_id: UUID, actor: Actor) -> Receipt:
    """The receipt of who has said that there is a conflict of interest. Raises `Missing` to anybody else."""
    row = _own_receipt(session, form_id, actor, ActionName.DECLARE_CONFLICT)
    number, tournament = session.exec(
        select(Case.number, Tournament.name)
        .join(Incident, col(Incident.id) == col(Case.incident_id))
        .join(Tournament, col(Tournament.id) == col(Incident.tournament_id))
        .where(Case.id == row.case_id)
    ).one()
    return Receipt(number=number, receipt=receipt_number(number, row.id), tournament=tournament, at=row.at)


def decision_receipt(session: Session, form_id: UUID, actor: Actor) -> DecisionReceipt:
    """The receipt of who has signed a decision: his link opens the case no more. Raises `Missing` to anybody else."""
    row = _own_receipt(session, form_id, actor, ActionName.DECIDE_APPEAL)
    decision = session.get_one(Decision, row.subject_id)
    loaded = load(session, decision.proceeding_id)
    facts = snapshot(loaded)
    return DecisionReceipt(
        number=loaded.case.number,
        receipt=receipt_number(loaded.case.number, row.id),
        tournament=loaded.tournament.name,
        at=row.at,
        body=facts.this.body,
        told=told_decision(session, facts, actor, row.at),
        way_on=way_on(facts),
        span=facts.profile.span("jury_to_lk").words,
    )


def _own_receipt(session: Session, form_id: UUID, actor: Actor, action: ActionName) -> FormReceipt:
    row = session.get(FormReceipt, form_id)
    if row is None or actor.person_id is None or (row.person_id, row.action) != (actor.person_id, action):
        raise Missing
    return row

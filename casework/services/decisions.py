"""Deliberation, ballot and decision (R3, R5, R8-R9, R35-R37)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from sqlmodel import Session, select

from casework.adapters.outbox import enqueue
from casework.domain.access import SYSTEM, Actor
from casework.domain.bridge.board import Board
from casework.domain.errors import NotAllowed
from casework.domain.models import Ballot, Consequence, Decision, PanelNote, Seat, Vote
from casework.domain.rules.citations import Citation
from casework.domain.terms import (
    ActionName,
    AppealOutcome,
    ConsequenceKind,
    Position,
    ProceedingKind,
    RulingOutcome,
    State,
)
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.audience import parts_of
from casework.domain.workflow.decide import decide
from casework.domain.workflow.facts import Ask
from casework.services.boards import board_record, settled
from casework.services.consequences import consequence, release_titles, replace_results
from casework.services.earlier_scores import before_this, changes_what_stands
from casework.services.engine import confirmed, locked, take
from casework.services.going_out import decision_now
from casework.services.loading import Loaded, load
from casework.services.scores import SavedScore, board_and_score, fitting
from casework.services.snapshot import snapshot
from casework.services.step import FormInstance, Step, acting_person
from casework.text import t


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealDecision:
    """What the body decides about one appeal."""

    outcome: AppealOutcome
    without_merit: bool = False
    found_in_time: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionInput:
    """A body's decision as the chair signs it; `score` says what it does to the result (None: what follows of itself).

    `score_detail` is what the organiser enters where no score is worked out, else a remark beside the score, which
    speaks for itself. `changes_anyway` is why the result changes though no appeal is granted; `other_change` says that
    a granted appeal changes something other than the score. `board_because` is why a board that contradicts itself may
    stand as it is recorded.
    """

    operative: str
    facts: str
    reasons: str
    laws: tuple[Citation, ...]
    appeals: Mapping[UUID, AppealDecision]
    score: RulingOutcome | None = None
    score_detail: str = ""
    changes_anyway: str = ""
    other_change: bool = False
    dissent: str = ""
    merit_detail: str = ""
    late_reason: str = ""
    sanction: str = ""
    board_because: str = ""

    @property
    def stated(self) -> str:
        """What is decided, with the sanction as its last words (R3)."""
        return "\n\n".join(part for part in (self.operative.strip(), self.sanction.strip()) if part)

    @property
    def granted(self) -> bool:
        """Whether some appeal is granted, wholly or in part."""
        return any(d.outcome in (AppealOutcome.GRANTED, AppealOutcome.PARTLY) for d in self.appeals.values())

    @property
    def changes_result(self) -> bool:
        """Whether what is written gives the organiser something to enter in the result list."""
        return bool(self.score_detail or self.changes_anyway or (self.granted and not self.other_change))


@dataclass(frozen=True, slots=True, kw_only=True)
class Going:
    """The score that goes along, if one is worked out, and the `board`, if the panel lets it stand with a reason.

    `differs`: whether it is another than what the decision that is tried made of the result; None where none is worked
    out, or where nothing can be compared.
    """

    saved: SavedScore | None = None
    differs: bool | None = None
    board: Board | None = None

    def changes_result(self, decision: DecisionInput) -> bool:
        """Whether the organiser has something to enter: also what was told in words, and is worked out now."""
        return decision.changes_result or (self.saved is not None and self.differs is not False)


def write_note(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    text: str,
    shared: bool,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Write a note of the deliberation: for oneself, or shared with the panel; nobody else reads it (S-AC4)."""

    def write(step: Step) -> None:
        seat = _own_seat(step)
        step.file(PanelNote(panel_id=seat.panel_id, seat_id=seat.id, shared=shared, text=text, written_at=step.now))

    data = {"text": text}
    return take(session, proceeding_id, ActionName.WRITE_NOTE, actor, now=now, data=data, form=form, write=write)


def _own_seat(step: Step) -> Seat:
    panels = {p.id for p in step.loaded.panels if p.proceeding_id == step.proceeding.id}
    mine = (s for s in step.loaded.seats if s.person_id == step.actor.person_id and s.panel_id in panels)
    seat = next(mine, None)
    if seat is None:
        raise NotAllowed(t("You do not sit on the panel."))
    return seat


def _ballot(step: Step) -> Ballot:
    """The ballot under way."""
    panels = {p.id for p in step.loaded.panels if p.proceeding_id == step.proceeding.id}
    return next(b for b in step.loaded.ballots if b.panel_id in panels and b.closed_at is None)


def vote_again(
    session: Session, proceeding_id: UUID, actor: Actor, *, now: datetime, form: FormInstance | None = None
) -> Step:
    """Open a new ballot after one that decided nothing; the old one is kept with its votes."""

    def write(step: Step) -> None:
        panel = next(p for p in step.loaded.panels if p.proceeding_id == step.proceeding.id)
        session.add(Ballot(panel_id=panel.id, opened_at=step.now))

    return take(session, proceeding_id, ActionName.VOTE_AGAIN, actor, now=now, form=form, write=write)


def cast_vote(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    position: Position,
    dissent: str = "",
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Vote; nobody sees the position until the ballot is closed."""
    loaded = locked(session, proceeding_id, form)
    vote_id = uuid4()

    def write(step: Step) -> None:
        seat, ballot = _own_seat(step), _ballot(step)
        step.file(
            Vote(
                id=vote_id,
                ballot_id=ballot.id,
                seat_id=seat.id,
                position=position,
                dissent=dissent.strip(),
                cast_at=step.now,
            )
        )

    data = {"position": position}
    return take(session, loaded, ActionName.CAST_VOTE, actor, now=now, data=data, form=form, write=write)


def close_ballot(
    session: Session, proceeding_id: UUID, actor: Actor, *, now: datetime, form: FormInstance | None = None
) -> Step:
    """Close the ballot: from now on the panel sees every position."""

    def write(step: Step) -> None:
        ballot = _ballot(step)
        ballot.closed_at = step.now
        session.add(ballot)

    return take(session, proceeding_id, ActionName.CLOSE_BALLOT, actor, now=now, form=form, write=write)


def record_room_vote(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    positions: Mapping[UUID, Position],
    dissents: Mapping[UUID, str],
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """The chair records the vote taken in the room: each seat's position and dissent, named."""

    def write(step: Step) -> None:
        ballot = _ballot(step)
        ballot.closed_at, ballot.in_room = step.now, True
        session.add(ballot)
        for seat_id, position in positions.items():
            step.file(
                Vote(
                    ballot_id=ballot.id,
                    seat_id=seat_id,
                    position=position,
                    dissent=dissents.get(seat_id, "").strip(),
                    cast_at=step.now,
                )
            )

    data = {"positions": positions}
    return take(session, proceeding_id, ActionName.RECORD_ROOM_VOTE, actor, now=now, data=data, form=form, write=write)


def decide_appeal(
    session: Session,
    proceeding: UUID | Loaded,
    actor: Actor,
    decision: DecisionInput,
    *,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Sign the decision: every party is told at once, with the way on or that the decision is final (R5, R36).

    The score that the panel has worked out goes along.

    Raises:
        Conflict: the case is not as the check page showed it.
        Invalid: (`score`) the decision says something else than the score, or (`board_stands`) the board contradicts
            itself and no reason is given.
    """
    loaded = confirmed(session, proceeding, form, lambda s, case: decision_now(s, case, actor, now))
    decision_id, score = uuid4(), _score(loaded, decision)
    going = _going(session, loaded, decision)
    changes_result = going.changes_result(decision)

    def write(step: Step) -> None:
        step.decision_id = decision_id
        row = _decision(step, decision_id, decision, score)
        row.adjustment_id = going.saved.id if going.saved else None
        step.file(row)
        if going.board is not None:
            step.file(board_record(step, going.board))
        step.loaded.decisions[step.proceeding.id] = row
        for appeal in step.loaded.appeals:
            if appeal.id in decision.appeals:
                found = decision.appeals[appeal.id]
                appeal.outcome, appeal.without_merit = found.outcome, found.without_merit
                appeal.found_in_time = found.found_in_time
                session.add(appeal)
        if changes_result:
            replace_results(session, step)
        session.add_all(_consequences(step, decision_id, decision, changes_result=changes_result))
        if step.changes.to is State.FINAL:
            release_titles(session, step.loaded.case.id, step.now)
        enqueue(
            session,
            kind="checkpoint",
            subject_id=decision_id,
            case_id=step.loaded.case.id,
            dedupe_key=f"checkpoint:{decision_id}",
            due=step.now,
        )

    return take(
        session,
        loaded,
        ActionName.DECIDE_APPEAL,
        actor,
        now=now,
        data=_asked(loaded, decision, going),
        subject_id=decision_id,
        form=form,
        write=write,
    )


def check_decision(
    session: Session, proceeding_id: UUID, actor: Actor, decision: DecisionInput, *, now: datetime
) -> None:
    """Raise `NotAllowed` or `Invalid` with what stands against signing this decision; nothing is written."""
    loaded = load(session, proceeding_id)
    data, facts = _asked(loaded, decision, _going(session, loaded, decision)), snapshot(loaded)
    ask = Ask(person_id=actor.person_id, parts=parts_of(actor, facts), now=now, data=data)
    decide(PROCEDURES[loaded.proceeding.kind], facts, ActionName.DECIDE_APPEAL, ask)


def _going(session: Session, loaded: Loaded, decision: DecisionInput) -> Going:
    filed, newest = board_and_score(session, loaded)
    board = settled(filed, decision.board_because, field="board_stands")
    saved = fitting(session, loaded, newest, _score(loaded, decision), field="score", board=filed)
    if saved is None or saved.score is None:
        return Going(board=board)
    return Going(saved=saved, differs=changes_what_stands(before_this(session, loaded), saved.score), board=board)


def _asked(loaded: Loaded, decision: DecisionInput, going: Going) -> dict[str, object]:
    """What the procedure's guards look at."""
    tried = _tried_score(loaded)
    return (
        {
            "operative": decision.operative,
            "facts": decision.facts,
            "reasons": decision.reasons,
            "laws": decision.laws,
            "outcomes": {appeal: found.outcome for appeal, found in decision.appeals.items()},
            "found_in_time": {
                appeal: found.found_in_time
                for appeal, found in decision.appeals.items()
                if found.found_in_time is not None
            },
            "without_merit": {appeal for appeal, found in decision.appeals.items() if found.without_merit},
            "because": decision.late_reason,
            "score": _score(loaded, decision),
            "score_detail": decision.score_detail,
            "changes_anyway": decision.changes_anyway,
            "other_change": decision.other_change,
        }
        | ({"tried_score": tried} if tried is not None else {})
        | ({"counted": going.differs} if going.saved else {})
    )


def _tried_score(loaded: Loaded) -> RulingOutcome | None:
    """What the decision that is tried did with the result; None where there is none."""
    tried = loaded.decision(loaded.proceeding.parent_id) if loaded.proceeding.parent_id else None
    return tried.outcome if tried is not None else None


def _score(loaded: Loaded, decision: DecisionInput) -> RulingOutcome:
    """What the decision does with the result: where nothing is said, what is confirmed stays as it was."""
    if decision.score is not None:
        return decision.score
    return (None if decision.granted else _tried_score(loaded)) or RulingOutcome.RESULT_STANDS


def _decision(step: Step, decision_id: UUID, decision: DecisionInput, score: RulingOutcome) -> Decision:
    return Decision(
        id=decision_id,
        case_id=step.loaded.case.id,
        proceeding_id=step.proceeding.id,
        outcome=score,
        operative=decision.stated,
        facts=decision.facts,
        reasons=decision.reasons,
        laws=[citation.to_json() for citation in decision.laws],
        dissent=decision.dissent,
        given_at=step.now,
        given_by=acting_person(step.actor),
        recorded_at=step.now,
        recorded_by=acting_person(step.actor),
        final=step.changes.to is State.FINAL,
    )


def _consequences(step: Step, decision_id: UUID, decision: DecisionInput, *, changes_result: bool) -> list[Consequence]:
    found: list[Consequence] = []
    if changes_result:
        detail = "\n".join(part for part in (decision.score_detail, decision.changes_anyway.strip()) if part)
        found.append(consequence(step, decision_id, ConsequenceKind.SCORE_ADJUSTMENT, detail))
    if found and step.changes.to is State.FINAL:
        found.append(consequence(step, decision_id, ConsequenceKind.CORRECTED_REPORT, ""))
    if decision.sanction.strip():
        found.append(consequence(step, decision_id, ConsequenceKind.PROCEDURAL_PENALTY, decision.sanction.strip()))
    if any(d.without_merit for d in decision.appeals.values()):
        found.append(consequence(step, decision_id, ConsequenceKind.WITHOUT_MERIT, decision.merit_detail))
    return found


def become_final(session: Session, loaded: Loaded, now: datetime) -> Step:
    """Nobody has appealed in time: what waited for the final decision follows now (R9, R111)."""
    decision = loaded.decision()

    def write(step: Step) -> None:
        release_titles(session, loaded.case.id, now)
        if decision is None or step.proceeding.kind is not ProceedingKind.APPEAL:
            return
        known = set(session.exec(select(Consequence.kind).where(Consequence.decision_id == decision.id)))
        if ConsequenceKind.SCORE_ADJUSTMENT in known and ConsequenceKind.CORRECTED_REPORT not in known:
            session.add(consequence(step, decision.id, ConsequenceKind.CORRECTED_REPORT, ""))

    return take(session, loaded, ActionName.FINALISE, SYSTEM, now=now, write=write)

"""What somebody might type for an action: mostly right, sometimes not. Keys as in `Case.take`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from hypothesis import strategies as st

from casework.domain.terms import (
    ActionName,
    AppealOutcome,
    Body,
    ConflictState,
    DeadlineKind,
    HearingStep,
    NoticeKind,
    Position,
    SeatRole,
    State,
    StatementKind,
)
from casework.domain.workflow.audience import concurring
from casework.domain.workflow.facts import DeadlineFacts, DemandFacts, Facts, ProofFacts, SeatFacts
from casework.domain.workflow.suspending import can_stand_still
from tests.domain.workflow.build import COMMISSION, DECISION_TEXT, JURY, Case
from tests.domain.workflow.people import (
    DIRECTOR,
    J4,
    L1,
    L4,
    L5,
    LK_CHAIR,
    NORTH,
    OTHER_DIRECTOR,
    members,
)

T = TypeVar("T")
Typed = dict[str, Any]


@dataclass(frozen=True)
class Typist:
    """Somebody before a form, in one proceeding of a case."""

    case: Case
    facts: Facts
    person: UUID | None
    draw: st.DataObject

    def one(self, *options: T) -> T:
        """One of these."""
        return self.draw.draw(st.sampled_from(options))

    def some(self, options: Sequence[T]) -> T | None:
        """One of these, if there are any."""
        return self.one(*options) if options else None

    @property
    def party(self) -> UUID:
        """The person's own party; an official names one."""
        own = self.facts.party_of(self.person)
        return own.id if own else self.one(*(party.id for party in self.facts.parties))

    @property
    def seats(self) -> tuple[SeatFacts, ...]:
        """Who sits with this proceeding's panel."""
        return self.facts.panel.seats if self.facts.panel else ()

    @property
    def demands(self) -> list[DemandFacts]:
        """What the parties are asked for here and have not answered."""
        return [d for d in self.facts.demands if d.proceeding_id == self.facts.this.id and d.ended is None]

    def minutes_ago(self, *options: int) -> datetime:
        """A while ago (below zero: in the future)."""
        return self.case.now - timedelta(minutes=self.one(*options))


def type_for(name: ActionName, typist: Typist) -> Typed:
    """What the typist sends."""
    return {"party": None, "because": "So.", **_TYPES.get(name, _nothing)(typist)}


def _nothing(typist: Typist) -> Typed:
    return {}


def _director(typist: Typist) -> Typed:
    return {"director_id": typist.one(DIRECTOR, OTHER_DIRECTOR, NORTH)}


def _ruling(typist: Typist) -> Typed:
    subject, given = typist.case.fresh(), typist.minutes_ago(0, 90)
    party = typist.party
    told = tuple(
        _told(member, party, subject, given + timedelta(minutes=typist.one(0, 5, -30, 600)))
        for member in members(party)
        if typist.one(True, False)
    )
    return {**DECISION_TEXT, "subject": subject, "given_at": given, "proofs": told}


def _told(person: UUID, party: UUID, decision: UUID | None, at: datetime) -> ProofFacts:
    return ProofFacts(
        kind=NoticeKind.RULING, person_id=person, party_id=party, decision_id=decision, demand_id=None, at=at
    )


def _telling(typist: Typist) -> Typed:
    party, at = typist.party, typist.minutes_ago(0, 5, -30, 600)
    member = typist.one(*members(party))
    proof = _told(member, party, typist.facts.this.decision_id, at)
    return {"told_at": at, "proofs": (proof,), "subject": member, "party": party}


def _correction(typist: Typist) -> Typed:
    """Of some proof, to another time or the same."""
    proof: ProofFacts | None = typist.some(typist.facts.proofs)
    if proof is None:
        return {}
    right = replace(proof, at=typist.minutes_ago(0, 5, -30, 600))
    return {"correction": (proof, right), "party": proof.party_id, "because": typist.one("", "Typed wrongly.")}


def _publication(typist: Typist) -> Typed:
    return {"published_at": typist.minutes_ago(0, 20, 60, -60)}


def _deadline(typist: Typist) -> Typed:
    deadline: DeadlineFacts | None = typist.some(typist.facts.deadlines)
    if deadline is None:
        return {}
    return {"subject": deadline.id, "party": deadline.party_id, "demand_id": deadline.demand_id}


def _more_time(typist: Typist) -> Typed:
    windows = [d for d in typist.facts.deadlines if d.kind is DeadlineKind.APPEAL_WINDOW]
    window: DeadlineFacts | None = typist.some(windows or typist.facts.deadlines)
    chosen = {"subject": window.id, "party": window.party_id} if window else {}
    return {**chosen, "until": typist.minutes_ago(-60, -3000, -60 * 24 * 20, 60)}


def _standstill(typist: Typist) -> Typed:
    """Mostly of times that run, from now; sometimes of any, from any moment, and to one before it."""
    possible = typist.one(*(can_stand_still(typist.facts),) * 5, typist.facts.deadlines)
    chosen = frozenset(d.id for d in possible if typist.one(True, True, False))
    begins = typist.minutes_ago(0, 0, 0, 0, 5, 60 * 24, -20, -60 * 30, 60 * 24 * 70)
    lasts = typist.one(None, None, None, 15, 60 * 24 * 3, 60 * 24 * 9, 60 * 24 * 9, -5, 60 * 24 * 70)
    ends = None if lasts is None else begins + timedelta(minutes=lasts)
    return {"deadline_ids": chosen, "begins": begins, "ends": ends, "because": typist.one(*("Illness.",) * 5, "")}


def _lodge(typist: Typist) -> Typed:
    party = typist.party
    own = typist.facts.party_of(typist.person)
    lodged_by = typist.person if own else typist.one(*members(party))
    return {"subject": typist.case.fresh(), "party": party, "wants": "The table result.", "lodged_by": lodged_by}


def _about_appeal(typist: Typist) -> Typed:
    appeal = typist.some(typist.facts.appeals)
    if appeal is None:
        return {}
    who = typist.one(*members(appeal.party_id))
    return {"subject": appeal.id, "party": appeal.party_id, "concurring_id": who, "how": "At the table."}


def _override(typist: Typist) -> Typed:
    return {"because": typist.one("The director has not done it.", "The director has not done it.", "")}


def _panel(typist: Typist) -> Typed:
    """Usually three of the body's own, sometimes with somebody who should not sit."""
    lk = typist.facts.this.body is Body.LAW_COMMISSION
    own = [*COMMISSION, L4, L5, LK_CHAIR] if lk else [*JURY, J4, L1, LK_CHAIR]
    recused = {seat.person_id for seat in typist.seats if not seat.deciding}
    free = [person for person in own if person not in recused]
    odd = typist.one(None, None, None, NORTH, DIRECTOR, *JURY, L1, LK_CHAIR)
    people = [*free[:2], odd if odd is not None and odd not in free[:2] else free[-1]]
    seats = {person: SeatRole.MEMBER if n else SeatRole.CHAIR for n, person in enumerate(people)}
    return {"seats": seats, "jurisdiction": "An appeal (R1)."}


def _own_conflict(typist: Typist) -> Typed:
    mine = [seat for seat in typist.seats if seat.person_id == typist.person]
    seat = typist.some(mine or typist.seats)
    return {"subject": seat.id if seat else None, "has_conflict": typist.one(False, False, False, True)}


def _conflict(typist: Typist) -> Typed:
    doubted = [s for s in typist.seats if s.conflict in (ConflictState.SUGGESTED, ConflictState.DECLARED)]
    seat = typist.some(doubted or typist.seats)
    return {"subject": seat.id if seat else None, "recused": typist.one(False, False, True)}


def _hearing(typist: Typist) -> Typed:
    return {"place": "The lounge", "at": typist.case.now}


def _attendance(typist: Typist) -> Typed:
    return {"parties": {party.id: typist.one(True, True, False) for party in typist.facts.parties}}


def _step(typist: Typist) -> Typed:
    done = typist.facts.panel.steps if typist.facts.panel else frozenset()
    following = next((step for step in HearingStep if step not in done), HearingStep.ROOM_CLEARED)
    return {"step": typist.one(following, following, following, *HearingStep)}


def _vote(typist: Typist) -> Typed:
    return {"position": typist.one(*(Position.CONFIRM,) * 4, *Position)}


def _room_vote(typist: Typist) -> Typed:
    deciding = typist.facts.panel.deciding if typist.facts.panel else ()
    return {"positions": {seat.id: typist.one(*Position) for seat in deciding}}


def _decision(typist: Typist) -> Typed:
    rejected, granted, dismissed = AppealOutcome.REJECTED, AppealOutcome.GRANTED, AppealOutcome.DISMISSED
    outcome = typist.one(rejected, rejected, granted, dismissed)
    appeals = typist.one(*(typist.facts.tried_here,) * 4, typist.facts.appeals)
    missing: Typed = typist.one({}, {}, {}, {}, {"reasons": " "}, {"laws": ()})
    return {
        **DECISION_TEXT,
        **missing,
        "subject": typist.case.fresh(),
        "outcomes": {appeal.id: outcome for appeal in appeals},
        "found_in_time": {appeal.id: outcome is not dismissed for appeal in appeals},
    }


def _report(typist: Typist) -> Typed:
    return {"events": "An alert.", "ruling": "Stands.", "reasons": "No damage."}


def _ask_all(typist: Typist) -> Typed:
    return {"demands": {party.id: typist.case.fresh() for party in typist.facts.parties}}


def _statement(typist: Typist) -> Typed:
    party = typist.party
    demand = next((d.id for d in typist.demands if d.party_id == party), None)
    late = demand is None and typist.facts.this.state is not State.PREPARING
    others = {p.id: typist.case.fresh() for p in typist.facts.parties if p.id != party} if late else {}
    text = "We saw nothing."
    return {"subject": typist.case.fresh(), "party": party, "text": text, "demand_id": demand, "demands": others}


def _late_material(typist: Typist) -> Typed:
    late = [s for s in typist.facts.statements if s.kind is StatementKind.LATE]
    statement = typist.some(late or typist.facts.statements)
    return {"subject": statement.id if statement else None, "because": typist.one("Too late.", "Too late.", " ")}


def _nothing_to_add(typist: Typist) -> Typed:
    party = typist.party
    mine = [d for d in typist.demands if d.party_id == party]
    demand = typist.some(mine or typist.demands)
    return {"party": party, "demand_id": demand.id if demand else None}


_TYPES: Mapping[ActionName, Callable[[Typist], Typed]] = {
    ActionName.APPOINT_DIRECTOR: _director,
    ActionName.HAND_OVER_RULING: _director,
    ActionName.POSTPONE_RULING: lambda _: {"waits_for": "The hand records."},
    ActionName.GIVE_RULING: _ruling,
    ActionName.RECORD_TELLING: _telling,
    ActionName.RECORD_PUBLICATION: _publication,
    ActionName.CORRECT_TIME: _correction,
    ActionName.RECALCULATE: _deadline,
    ActionName.RUN_AGAIN: _deadline,
    ActionName.PROLONG_WINDOW: _more_time,
    ActionName.SUSPEND_TIMES: _standstill,
    ActionName.CLOSE_WINDOW: _deadline,
    ActionName.END_DEMAND: _deadline,
    ActionName.PASS_DEADLINE: _deadline,
    ActionName.ESCALATE: _deadline,
    ActionName.LODGE_APPEAL: _lodge,
    ActionName.CONCUR: _about_appeal,
    ActionName.RECORD_CONCURRENCE: lambda typist: _about_appeal(typist) | {"told_how": "At the table."},
    ActionName.DEEM_CONCURRENCE: _about_appeal,
    ActionName.WARN_APPELLANT: _about_appeal,
    ActionName.WITHDRAW_APPEAL: _about_appeal,
    ActionName.TAKE_UP: _override,
    ActionName.FORWARD_IN_PLACE: _override,
    ActionName.SEND_IN_IN_PLACE: _override,
    ActionName.COMPOSE_PANEL: _panel,
    ActionName.REGISTER_CASE: _panel,
    ActionName.DECLARE_CONFLICT: _own_conflict,
    ActionName.DECIDE_CONFLICT: _conflict,
    ActionName.CALL_HEARING: _hearing,
    ActionName.NOTE_ATTENDANCE: _attendance,
    ActionName.NOTE_STEP: _step,
    ActionName.WRITE_NOTE: lambda _: {"text": "A note."},
    ActionName.CAST_VOTE: _vote,
    ActionName.RECORD_ROOM_VOTE: _room_vote,
    ActionName.DECIDE_APPEAL: _decision,
    ActionName.FILE_REPORT: _report,
    ActionName.REPORT_IN_PLACE: _report,
    ActionName.DEMAND_STATEMENTS: _ask_all,
    ActionName.DEMAND_IN_PLACE: _ask_all,
    ActionName.OPEN_STATEMENTS: _ask_all,
    ActionName.FILE_STATEMENT: _statement,
    ActionName.ENTER_STATEMENT: _statement,
    ActionName.DECLINE_STATEMENT: _nothing_to_add,
    ActionName.LEAVE_OUT: _late_material,
}

_FORWARDS = (
    ActionName.APPOINT_DIRECTOR,
    ActionName.GIVE_RULING,
    ActionName.RECORD_PUBLICATION,
    ActionName.LODGE_APPEAL,
    ActionName.FORWARD_APPEAL,
    ActionName.FORWARD_IN_PLACE,
    ActionName.CONCUR,
    ActionName.DECLARE_CONFLICT,
    ActionName.DECIDE_CONFLICT,
    ActionName.DECIDE_APPEAL,
    ActionName.VOTE_AGAIN,
    ActionName.CAST_VOTE,
    ActionName.CLOSE_BALLOT,
    ActionName.BEGIN_DELIBERATION,
    ActionName.CLOSE_HEARING,
    ActionName.NOTE_STEP,
    ActionName.OPEN_HEARING,
    ActionName.NOTE_ATTENDANCE,
    ActionName.CALL_HEARING,
    ActionName.REGISTER_CASE,
    ActionName.SEND_IN,
    ActionName.FILE_STATEMENT,
    ActionName.DECLINE_STATEMENT,
    ActionName.DEMAND_STATEMENTS,
    ActionName.DEMAND_IN_PLACE,
    ActionName.FILE_REPORT,
    ActionName.COMPOSE_PANEL,
)


def rank(name: ActionName, person: UUID | None, facts: Facts) -> int | None:
    """How far an action brings a case along its main line (the lower the further); None where it brings nothing."""
    panel = facts.panel
    doubted = (ConflictState.SUGGESTED, ConflictState.DECLARED)
    asked = [d for d in facts.demands if d.proceeding_id == facts.this.id and d.ended is None]
    useless = {
        ActionName.RECORD_PUBLICATION: facts.published_at is not None,
        ActionName.CONCUR: not any(
            person in concurring(facts, appeal.party_id) - appeal.concurred for appeal in facts.tried_here
        ),
        ActionName.DECLARE_CONFLICT: not panel
        or not any(s.person_id == person and s.conflict is ConflictState.UNDECLARED for s in panel.seats),
        ActionName.DECIDE_CONFLICT: not panel or not any(s.conflict in doubted for s in panel.seats),
        ActionName.NOTE_ATTENDANCE: not panel or not panel.parties_called or bool(panel.attendance),
        ActionName.CALL_HEARING: not panel or panel.parties_called,
        ActionName.FILE_STATEMENT: not any(facts.party(d.party_id).has(person) for d in asked),
        ActionName.DECLINE_STATEMENT: not any(facts.party(d.party_id).has(person) for d in asked),
        ActionName.COMPOSE_PANEL: panel is not None and len(panel.deciding) >= 3,
    }
    return None if name not in _FORWARDS or useless.get(name, False) else _FORWARDS.index(name)

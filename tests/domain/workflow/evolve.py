"""What each action does to the facts of a case: the tests' own, small stand-in for the services."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from casework.domain.terms import (
    ActionName,
    Body,
    ConflictState,
    DeadlineEnd,
    DeadlineKind,
    DemandEnd,
    DemandKind,
    ProceedingKind,
    SeatRole,
    State,
    StatementKind,
)
from casework.domain.workflow.audience import called
from casework.domain.workflow.facts import (
    AppealFacts,
    DeadlineFacts,
    DemandFacts,
    Facts,
    PanelFacts,
    ProceedingFacts,
    SeatFacts,
    StatementFacts,
)
from casework.domain.workflow.hearing_guards import quorum
from casework.domain.workflow.lodging import way_on
from tests.domain.workflow import times
from tests.domain.workflow.taken import Taken

Evolve = Callable[[Taken, Facts], Facts]


def unchanged(taken: Taken, facts: Facts) -> Facts:
    """What an action does that changes state and deadlines only."""
    return facts


def _this(taken: Taken, facts: Facts, **change: Any) -> Facts:
    this = taken.before.this.id
    proceedings = tuple(replace(p, **change) if p.id == this else p for p in facts.proceedings)
    return replace(facts, proceedings=proceedings)


def _panel(taken: Taken, facts: Facts, **change: Any) -> Facts:
    this = taken.before.this.id
    panels = tuple(replace(p, **change) if p.proceeding_id == this else p for p in facts.panels)
    return replace(facts, panels=panels)


def _own(taken: Taken) -> PanelFacts:
    assert taken.before.panel is not None
    return taken.before.panel


# The ruling


def _name_director(taken: Taken, facts: Facts) -> Facts:
    return _this(taken, facts, director_id=taken.data["director_id"])


def _decide(taken: Taken, facts: Facts) -> Facts:
    given = taken.data.get("given_at", taken.ask.now)
    facts = _this(taken, facts, decision_id=taken.subject, decided_by=taken.ask.person_id, decided_at=given)
    if taken.before.this.kind is ProceedingKind.RULING:
        facts = _this(taken, facts, director_id=taken.ask.person_id)
    return _prove(taken, facts)


def _prove(taken: Taken, facts: Facts) -> Facts:
    return replace(facts, proofs=(*facts.proofs, *taken.data.get("proofs", ())))


def _correct(taken: Taken, facts: Facts) -> Facts:
    wrong, right = taken.data["correction"]
    return replace(facts, proofs=tuple(right if proof == wrong else proof for proof in facts.proofs))


def _publish(taken: Taken, facts: Facts) -> Facts:
    return replace(facts, published_at=taken.data["published_at"])


def _take_up(taken: Taken, facts: Facts) -> Facts:
    this = taken.before.this
    if this.kind is ProceedingKind.APPEAL:
        return _this(taken, facts, taken_up=True)
    child = ProceedingFacts(
        id=taken.fresh(),
        kind=ProceedingKind.APPEAL,
        body=Body.LAW_COMMISSION,
        state=State.PREPARING,
        version=1,
        parent_id=this.id,
        director_id=this.director_id,
        lk_open=False,
        taken_up=True,
    )
    return replace(facts, proceedings=(*facts.proceedings, child))


# The appeal


def _lodge(taken: Taken, facts: Facts) -> Facts:
    before, party = taken.before, taken.ask.party_id
    body, decision = way_on(before), before.this.decision_id
    assert body is not None
    assert decision is not None
    assert party is not None
    child = before.child or ProceedingFacts(
        id=taken.fresh(),
        kind=ProceedingKind.APPEAL,
        body=body,
        state=State.LODGED,
        version=1,
        parent_id=before.this.id,
        tries_id=decision,
        director_id=before.this.director_id,
        lk_open=before.this.lk_open,
    )
    appeal = AppealFacts(
        id=taken.subject,
        decision_id=decision,
        proceeding_id=child.id,
        party_id=party,
        lodged_by=taken.data["lodged_by"],
        lodged_at=taken.ask.now,
        in_time=not any(_has_run(deadline, taken) for deadline in facts.deadlines),
        concurred=frozenset({taken.data["lodged_by"]}),
    )
    proceedings = facts.proceedings if before.child else (*facts.proceedings, child)
    return replace(facts, proceedings=proceedings, appeals=(*facts.appeals, appeal))


def _has_run(deadline: DeadlineFacts, taken: Taken) -> bool:
    return (
        deadline.proceeding_id == taken.before.this.id
        and deadline.kind is DeadlineKind.APPEAL_WINDOW
        and deadline.party_id == taken.ask.party_id
        and deadline.ended is not DeadlineEnd.MOVED
        and deadline.instant is not None
        and deadline.instant < taken.ask.now
    )


def _appeal(taken: Taken, facts: Facts, **change: Any) -> Facts:
    appeals = tuple(replace(a, **change) if a.id == taken.subject else a for a in facts.appeals)
    return replace(facts, appeals=appeals)


def _concur(taken: Taken, facts: Facts) -> Facts:
    appeal = next(a for a in facts.appeals if a.id == taken.subject)
    who = taken.data.get("concurring_id", taken.ask.person_id)
    deemed = appeal.deemed | {who} if "because" in taken.data else appeal.deemed - {who}
    return _appeal(taken, facts, concurred=appeal.concurred | {who}, deemed=deemed)


# The panel


def _seat(taken: Taken, facts: Facts) -> Facts:
    """Who is not named any longer is recused; a jury that had begun starts anew."""
    wanted: Mapping[UUID, SeatRole] = taken.data["seats"]
    old = taken.before.panel
    seats = {seat.person_id: seat for seat in old.seats} if old else {}
    for person, seat in list(seats.items()):
        kept = person in wanted or not seat.deciding
        seats[person] = replace(
            seat,
            role=wanted.get(person, seat.role),
            conflict=seat.conflict if kept else ConflictState.RECUSED,
        )
    for person, role in wanted.items():
        suggested = any(s.person_id == person for p in facts.panels if p is not old for s in p.seats)
        conflict = ConflictState.SUGGESTED if suggested else ConflictState.UNDECLARED
        seats.setdefault(person, SeatFacts(id=taken.fresh(), person_id=person, role=role, conflict=conflict))
    panel = old or PanelFacts(id=taken.fresh(), proceeding_id=taken.before.this.id, quorum=quorum(taken.before))
    panel = replace(panel, seats=tuple(seats.values()))
    if taken.changes.to is State.CALLED:
        panel = replace(
            panel,
            steps=frozenset(),
            attendance={},
            votes={},
            first_vote_at=None,
            ballot_closed=False,
            parties_called=False,
        )
    return replace(facts, panels=(*(p for p in facts.panels if p.id != panel.id), panel))


def _declare(taken: Taken, facts: Facts) -> Facts:
    seat = next(s for s in _own(taken).seats if s.id == taken.subject)
    if taken.data.get("has_conflict"):
        return _set_conflict(taken, facts, ConflictState.RECUSED)
    doubted = seat.conflict in (ConflictState.SUGGESTED, ConflictState.DECLARED)
    return _set_conflict(taken, facts, ConflictState.DECLARED if doubted else ConflictState.NONE)


def _decide_conflict(taken: Taken, facts: Facts) -> Facts:
    return _set_conflict(taken, facts, ConflictState.RECUSED if taken.data.get("recused") else ConflictState.NONE)


def _set_conflict(taken: Taken, facts: Facts, conflict: ConflictState) -> Facts:
    """A recused chair hands the chair on."""
    seats = [replace(s, conflict=conflict) if s.id == taken.subject else s for s in _own(taken).seats]
    if not any(s.deciding and s.role is SeatRole.CHAIR for s in seats):
        heir = next((s for s in seats if s.deciding), None)
        seats = [replace(s, role=SeatRole.CHAIR if s is heir else _member(s.role)) for s in seats]
    return _panel(taken, facts, seats=tuple(seats))


def _member(role: SeatRole) -> SeatRole:
    return SeatRole.MEMBER if role is SeatRole.CHAIR else role


def _call(taken: Taken, facts: Facts) -> Facts:
    seats = [replace(seat, called=True) for seat in _own(taken).seats]
    coming = called(taken.before) - {seat.person_id for seat in seats}
    seats += [
        SeatFacts(id=taken.fresh(), person_id=person, role=SeatRole.ATTENDEE, called=True, conflict=ConflictState.NONE)
        for person in sorted(coming, key=str)
    ]
    return _panel(taken, facts, parties_called=True, hearing_at=taken.data["at"], seats=tuple(seats))


def _note_attendance(taken: Taken, facts: Facts) -> Facts:
    return _panel(taken, facts, attendance={**_own(taken).attendance, **taken.data["parties"]})


def _note_step(taken: Taken, facts: Facts) -> Facts:
    return _panel(taken, facts, steps=_own(taken).steps | {taken.data["step"]})


def _vote(taken: Taken, facts: Facts) -> Facts:
    seat = next(s for s in _own(taken).deciding if s.person_id == taken.ask.person_id)
    first = _own(taken).first_vote_at or taken.ask.now
    return _panel(taken, facts, first_vote_at=first, votes={**_own(taken).votes, seat.id: taken.data["position"]})


# The papers


def _report(taken: Taken, facts: Facts) -> Facts:
    return _file(taken, facts, StatementKind.REPORT, opened=True)


def _file(taken: Taken, facts: Facts, kind: StatementKind, *, opened: bool) -> Facts:
    statement = StatementFacts(
        id=taken.ask.subject_id or taken.fresh(),
        proceeding_id=taken.before.this.id,
        kind=kind,
        party_id=taken.ask.party_id,
        received_at=taken.ask.now,
        opened=opened,
    )
    return replace(facts, statements=(*facts.statements, statement))


def _state(taken: Taken, facts: Facts) -> Facts:
    demand = next((d for d in facts.demands if d.id == taken.data.get("demand_id")), None)
    if taken.before.this.state is State.PREPARING:
        kind = StatementKind.STATEMENT
    else:
        kind = StatementKind.ANSWER if demand else StatementKind.LATE
    facts = _file(taken, facts, kind, opened=kind is not StatementKind.STATEMENT)
    return _ask_anew(taken, _end_demand(taken, facts, DemandEnd.ANSWERED))


def _ask_anew(taken: Taken, facts: Facts) -> Facts:
    """Who is being asked already is asked anew, about this too."""
    late = facts.statements[-1].id
    for party, demand in taken.data.get("demands", {}).items():
        earlier = taken.before.asked(party)
        kept = tuple(replace(d, ended=DemandEnd.RENEWED) if d in earlier else d for d in facts.demands)
        about = frozenset({late}).union(*(d.about for d in earlier))
        this = taken.before.this.id
        fresh = DemandFacts(id=demand, proceeding_id=this, party_id=party, kind=DemandKind.ANSWER, about=about)
        facts = replace(facts, demands=(*kept, fresh))
    return facts


def _leave_out(taken: Taken, facts: Facts) -> Facts:
    """Who was asked about nothing else need not answer."""
    late = taken.subject
    statements = tuple(replace(s, left_out=True) if s.id == late else s for s in facts.statements)
    gone = {statement.id for statement in statements if statement.left_out}

    def lifted(demand: DemandFacts) -> DemandFacts:
        free = late in demand.about and demand.about <= gone and demand.ended is None
        return replace(demand, ended=DemandEnd.VOID) if free else demand

    return replace(facts, statements=statements, demands=tuple(lifted(demand) for demand in facts.demands))


def _end_demand(taken: Taken, facts: Facts, how: DemandEnd) -> Facts:
    demand = taken.data.get("demand_id")
    return replace(facts, demands=tuple(replace(d, ended=how) if d.id == demand else d for d in facts.demands))


def _demand(taken: Taken, facts: Facts, kind: DemandKind) -> Facts:
    made = tuple(
        DemandFacts(id=demand, proceeding_id=taken.before.this.id, party_id=party, kind=kind)
        for party, demand in taken.data.get("demands", {}).items()
    )
    return replace(facts, demands=(*facts.demands, *made))


def _open(taken: Taken, facts: Facts) -> Facts:
    this = taken.before.this.id
    statements = tuple(replace(s, opened=True) if s.proceeding_id == this else s for s in facts.statements)
    return _demand(taken, replace(facts, statements=statements), DemandKind.ANSWER)


def _overdue(taken: Taken, facts: Facts) -> Facts:
    deadlines = tuple(replace(d, overdue=True) if d.id == taken.subject else d for d in facts.deadlines)
    return replace(facts, deadlines=deadlines)


EVOLVE: Mapping[ActionName, Evolve] = {
    ActionName.APPOINT_DIRECTOR: _name_director,
    ActionName.HAND_OVER_RULING: _name_director,
    ActionName.GIVE_RULING: _decide,
    ActionName.RECORD_PROOF: _prove,
    ActionName.RECORD_TELLING: _prove,
    ActionName.RECORD_PUBLICATION: _publish,
    ActionName.CORRECT_TIME: _correct,
    ActionName.PROLONG_WINDOW: times.prolong,
    ActionName.SUSPEND_TIMES: times.suspend,
    ActionName.LIFT_SUSPENSION: times.lift,
    ActionName.TAKE_UP: _take_up,
    ActionName.PASS_DEADLINE: _overdue,
    ActionName.LODGE_APPEAL: _lodge,
    ActionName.CONCUR: _concur,
    ActionName.RECORD_CONCURRENCE: _concur,
    ActionName.DEEM_CONCURRENCE: _concur,
    ActionName.WARN_APPELLANT: lambda taken, facts: _appeal(taken, facts, warned=True),
    ActionName.WITHDRAW_APPEAL: lambda taken, facts: _appeal(taken, facts, withdrawn_at=taken.ask.now),
    ActionName.COMPOSE_PANEL: _seat,
    ActionName.REGISTER_CASE: _seat,
    ActionName.DECLARE_CONFLICT: _declare,
    ActionName.DECIDE_CONFLICT: _decide_conflict,
    ActionName.CALL_HEARING: _call,
    ActionName.NOTE_ATTENDANCE: _note_attendance,
    ActionName.NOTE_STEP: _note_step,
    ActionName.CAST_VOTE: _vote,
    ActionName.CLOSE_BALLOT: lambda taken, facts: _panel(taken, facts, ballot_closed=True),
    ActionName.VOTE_AGAIN: lambda taken, facts: _panel(taken, facts, ballot_closed=False, first_vote_at=None, votes={}),
    ActionName.RECORD_ROOM_VOTE: lambda taken, facts: _panel(
        taken, facts, ballot_closed=True, first_vote_at=taken.ask.now, votes=dict(taken.data["positions"])
    ),
    ActionName.DECIDE_APPEAL: _decide,
    ActionName.FILE_REPORT: _report,
    ActionName.REPORT_IN_PLACE: _report,
    ActionName.DEMAND_STATEMENTS: lambda taken, facts: _demand(taken, facts, DemandKind.STATEMENT),
    ActionName.DEMAND_IN_PLACE: lambda taken, facts: _demand(taken, facts, DemandKind.STATEMENT),
    ActionName.FILE_STATEMENT: _state,
    ActionName.ENTER_STATEMENT: _state,
    ActionName.DECLINE_STATEMENT: lambda taken, facts: _end_demand(taken, facts, DemandEnd.DECLINED),
    ActionName.END_DEMAND: lambda taken, facts: _end_demand(taken, facts, DemandEnd.SILENT),
    ActionName.OPEN_STATEMENTS: _open,
    ActionName.LEAVE_OUT: _leave_out,
}

"""The rules of due process, held against each step that was taken: written from the rules, not from the guards."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from casework.domain.terms import (
    ActionName,
    AppealOutcome,
    AppealRoute,
    Body,
    ConflictState,
    DeadlineEnd,
    DeadlineKind,
    DemandEnd,
    DemandKind,
    NoticeKind,
    Part,
    Position,
    ProceedingKind,
    SeatRole,
    State,
    StatementKind,
)
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.facts import Facts
from tests.domain.workflow.build import Case
from tests.domain.workflow.own_time import check_own_time, nobody_stands_still, was_whole
from tests.domain.workflow.seen import SEEN
from tests.domain.workflow.taken import Taken
from tests.domain.workflow.times import times

PAPERS = {State.PREPARING, State.ANSWERING, State.COMPLETE, State.SENT_IN, State.REGISTERED, State.DELIBERATING}
AWAITED = {
    DeadlineKind.FORWARD_APPEAL: {State.LODGED},
    DeadlineKind.REPORT: {State.PREPARING},
    DeadlineKind.STATEMENT: {State.PREPARING},
    DeadlineKind.ANSWER: PAPERS - {State.PREPARING},
    DeadlineKind.SEND_IN: {State.COMPLETE},
    DeadlineKind.DECISION: {State.SENT_IN, State.REGISTERED, State.DELIBERATING},
}


def first_proof(facts: Facts, party: UUID, decision: UUID | None, demand: UUID | None) -> datetime | None:
    """When it is first proven that a party was told of a decision or demand; None while it is not."""
    about = [p for p in facts.proofs if p.party_id == party]
    about = [p for p in about if (p.demand_id == demand if demand else p.decision_id == decision)]
    return min((proof.at for proof in about), default=None)


def check(taken: Taken, case: Case) -> None:
    """The rules, held against a step that was taken."""
    name, facts = taken.changes.action.name, taken.before
    SEEN[name] += 1
    assert taken.changes.action in PROCEDURES[facts.this.kind].actions
    assert taken.changes.part in taken.changes.action.who
    if facts.party_of(taken.ask.person_id) is not None:
        assert taken.changes.part in (Part.PARTY, Part.APPELLANT), "a party is nothing else in its own case"
    if taken.changes.action.override:
        assert str(taken.data["because"]).strip()
    check_own_time(taken, case)
    if name in CHECKS:
        CHECKS[name](taken, facts, case)


def _ruling(taken: Taken, facts: Facts, case: Case) -> None:
    assert facts.party_of(taken.ask.person_id) is None
    assert taken.data["laws"]
    assert {o.party_id for o in taken.changes.openings} == {p.id for p in facts.parties}, "R32: every party's window"
    assert {t.party_id for t in taken.changes.tellings if t.kind is NoticeKind.RULING} == {p.id for p in facts.parties}


def _final(taken: Taken, facts: Facts, case: Case) -> None:
    """Every party was told, had its time, and it ran out."""
    for party in facts.parties:
        windows = [
            d
            for d in times(facts)
            if (d.proceeding_id, d.kind, d.party_id) == (facts.this.id, DeadlineKind.APPEAL_WINDOW, party.id)
        ]
        assert windows
        assert all(d.ended in (DeadlineEnd.EXPIRED, DeadlineEnd.MOVED) for d in windows)
        last = windows[-1]
        assert last.ended is DeadlineEnd.EXPIRED
        assert last.instant is not None
        assert last.instant <= taken.ask.now
        told = first_proof(facts, party.id, facts.this.decision_id, None)
        assert told is not None
        assert last.base is not None
        assert told <= last.base
        was_whole(last, case)
        if facts.this.kind is ProceedingKind.RULING:
            assert facts.published_at is not None
    assert not [a for a in facts.appeals if a.decision_id == facts.this.decision_id and not a.withdrawn]


def _expired(taken: Taken, facts: Facts, case: Case) -> None:
    deadline = next(d for d in times(facts) if d.id == taken.subject)
    assert deadline.instant is not None
    assert deadline.instant <= taken.ask.now
    was_whole(deadline, case)


def _hearing_opens(taken: Taken, facts: Facts, case: Case) -> None:
    """R18: every LK member present who is no party has been called or sits; R26: nobody is judged before the time."""
    assert facts.panel is not None
    assert facts.panel.hearing_at is not None
    on_time = taken.ask.now >= facts.panel.hearing_at
    assert on_time or all(facts.panel.attendance.get(party.id) for party in facts.parties)
    called = {seat.person_id for seat in facts.panel.seats if seat.called or seat.deciding}
    assert facts.present_lk <= called | {m.person_id for p in facts.parties for m in p.members}


def _forwarded(taken: Taken, facts: Facts, case: Case) -> None:
    """R22, R23: there is a ruling, and the director or who stands in for him has passed it on."""
    assert facts.this.tries_id in {p.decision_id for p in facts.proceedings}


def _decision(taken: Taken, facts: Facts, case: Case) -> None:
    SEEN[f"decided by {facts.this.body}"] += 1
    _is_reasoned(taken)
    _was_passed_on(facts, case)
    _nobody_disqualified(facts)
    _vote_carries(taken, facts)
    _heard(facts)
    _nothing_unseen(facts)
    _late_was_answered(facts, case)
    _way_on(taken, facts)
    _vote_rests_on_all(facts)
    _nobody_is_cut_off(taken, facts)
    nobody_stands_still(taken, facts, case)


def _vote_rests_on_all(facts: Facts) -> None:
    """Nothing that counts was filed between the vote and the decision."""
    assert facts.panel is not None
    first = facts.panel.first_vote_at
    assert first is not None
    filed = [s.received_at for s in facts.statements if s.proceeding_id == facts.this.id and not s.left_out]
    assert all(at is None or at <= first for at in filed)


def _nobody_is_cut_off(taken: Taken, facts: Facts) -> None:
    """What LK decides for good waits for who may still appeal the same decision."""
    if facts.this.body is not Body.LAW_COMMISSION or facts.this.tries_id is None:
        return
    tried = next(p for p in facts.proceedings if p.decision_id == facts.this.tries_id)
    appealing = {a.party_id for a in facts.appeals if a.proceeding_id == facts.this.id}
    for window in facts.deadlines:
        if (window.proceeding_id, window.kind) != (tried.id, DeadlineKind.APPEAL_WINDOW) or window.ended:
            continue
        assert window.party_id in appealing or (window.instant is not None and window.instant <= taken.ask.now)


def _is_reasoned(taken: Taken) -> None:
    assert all(str(taken.data[field]).strip() for field in ("operative", "facts", "reasons"))
    assert taken.data["laws"]


def _was_passed_on(facts: Facts, case: Case) -> None:
    """R22-R24: a ruling stands and was forwarded, unless the body took the case up by its own decision."""
    if facts.this.taken_up:
        return
    passed = {ActionName.FORWARD_APPEAL, ActionName.FORWARD_IN_PLACE}
    assert any(t.before.this.id == facts.this.id and t.changes.action.name in passed for t in case.history)
    assert any(p.decision_id == facts.this.tries_id for p in facts.proceedings)


def _nobody_disqualified(facts: Facts) -> None:
    assert facts.panel is not None
    ruled = {p.decided_by for p in facts.proceedings if p.body is Body.DIRECTOR and p.decided_by}
    sat = {
        seat.person_id
        for panel in facts.panels
        if panel.proceeding_id != facts.this.id
        for seat in panel.seats
        if seat.role is not SeatRole.ATTENDEE
    }
    for seat in facts.panel.seats:
        if seat.id not in facts.panel.votes:
            continue
        assert seat.role is not SeatRole.ATTENDEE, "R17: who attends has no vote"
        assert seat.conflict is ConflictState.NONE
        assert facts.party_of(seat.person_id) is None
        assert seat.person_id not in ruled
        if facts.this.body is Body.LAW_COMMISSION:
            assert seat.person_id not in sat, "R19"


def _vote_carries(taken: Taken, facts: Facts) -> None:
    assert facts.panel is not None
    votes = Counter(facts.panel.votes.values())
    assert facts.panel.ballot_closed
    assert votes.total() >= 3, "quorum"
    position, most = votes.most_common(1)[0]
    assert most * 2 > votes.total(), "majority"
    outcomes = taken.data["outcomes"]
    assert set(outcomes) == {a.id for a in facts.appeals if a.proceeding_id == facts.this.id and not a.withdrawn}
    helped = {AppealOutcome.GRANTED, AppealOutcome.PARTLY} & set(outcomes.values())
    if outcomes:
        assert bool(helped) == (position is Position.CHANGE)


def _heard(facts: Facts) -> None:
    """On site present, or absent with proof; in writing answered, declined, or asked with proof and silent."""
    assert facts.panel is not None
    for party in facts.parties:
        if facts.this.body is Body.JURY and facts.appeal_route is AppealRoute.JURY_ON_SITE:
            summoned = any(p.kind is NoticeKind.SUMMONS and p.party_id == party.id for p in facts.proofs)
            assert facts.panel.attendance[party.id] or summoned
            continue
        demand = next(
            d
            for d in facts.demands
            if (d.proceeding_id, d.party_id, d.kind) == (facts.this.id, party.id, DemandKind.STATEMENT)
        )
        SEEN[f"statement {demand.ended}"] += 1
        if demand.ended is DemandEnd.SILENT:
            assert first_proof(facts, party.id, None, demand.id) is not None
        assert demand.ended is not None


def _left_out(taken: Taken, facts: Facts, case: Case) -> None:
    """R30: only what came when all had answered in time, and not all have answered; everybody is told the reason."""
    assert str(taken.data["because"]).strip()
    assert {t.party_id for t in taken.changes.tellings if t.kind is NoticeKind.LEFT_OUT} == {
        p.id for p in facts.parties
    }
    filed = _filing(taken.subject, case)
    assert filed.before.this.state in PAPERS - {State.PREPARING, State.ANSWERING}
    assert filed.data["demand_id"] is None, "what answers a question is in time"
    assert taken.ask.person_id not in {m.person_id for p in facts.parties for m in p.members}
    answered = {d.party_id for d in facts.demands if d.id in filed.data["demands"].values() and d.ended in USED}
    assert answered < {party.id for party in facts.parties if party.id != filed.ask.party_id}


USED = {DemandEnd.ANSWERED, DemandEnd.DECLINED, DemandEnd.SILENT}


def _filing(statement: UUID, case: Case) -> Taken:
    """The step that filed a statement."""
    filing = {ActionName.FILE_STATEMENT, ActionName.ENTER_STATEMENT}
    return next(t for t in case.history if t.changes.action.name in filing and t.ask.subject_id == statement)


def _late_was_answered(facts: Facts, case: Case) -> None:
    """Section 7, 2: what came late counts when each other party had its time; a renewed time is used by the last."""
    for late in (s for s in facts.statements if s.proceeding_id == facts.this.id and s.kind is StatementKind.LATE):
        SEEN["decided after late material"] += 1
        SEEN["decided without late material"] += late.left_out
        if late.left_out:
            continue
        for party, demand in _filing(late.id, case).data["demands"].items():
            theirs = [d for d in facts.demands if (d.proceeding_id, d.party_id) == (facts.this.id, party)]
            since = theirs[[d.id for d in theirs].index(demand) :]
            used = next((d for d in since if d.ended is not DemandEnd.RENEWED), None)
            assert used is not None
            assert used.ended in USED, "what a party was kept from answering grounds nothing"


def _nothing_unseen(facts: Facts) -> None:
    """Every filed text is open to the parties, and who did not file it was asked to answer, or answers nothing new."""
    mine = [s for s in facts.statements if s.proceeding_id == facts.this.id]
    assert all(s.opened for s in mine)
    here = [d for d in facts.demands if d.proceeding_id == facts.this.id]
    assert all(d.ended is not None for d in here), "late material waits for the other side"
    for demand in here:
        if demand.ended is DemandEnd.SILENT:
            assert first_proof(facts, demand.party_id, None, demand.id) is not None
    asked = Counter(demand.party_id for demand in here)
    for party in facts.parties:
        if any(s.kind is StatementKind.STATEMENT and s.party_id != party.id for s in mine):
            assert asked[party.id] >= 2, "asked for its statement, and for its answer to the other's"


def _way_on(taken: Taken, facts: Facts) -> None:
    """R5, R32, R38: a window for each party, or final and said so."""
    windows = {o.party_id for o in taken.changes.openings if o.kind is DeadlineKind.APPEAL_WINDOW}
    if taken.changes.to is State.FINAL:
        assert not windows
        assert facts.this.body is Body.LAW_COMMISSION or not facts.this.lk_open
    else:
        assert taken.changes.to is State.DECIDED
        assert windows == {party.id for party in facts.parties}
    told = {t.party_id for t in taken.changes.tellings if t.kind is NoticeKind.DECISION}
    assert told == {party.id for party in facts.parties}


CHECKS: dict[ActionName, Callable[[Taken, Facts, Case], None]] = {
    ActionName.GIVE_RULING: _ruling,
    ActionName.FINALISE: _final,
    ActionName.CLOSE_WINDOW: _expired,
    ActionName.END_DEMAND: _expired,
    ActionName.OPEN_HEARING: _hearing_opens,
    ActionName.FORWARD_APPEAL: _forwarded,
    ActionName.FORWARD_IN_PLACE: _forwarded,
    ActionName.LEAVE_OUT: _left_out,
    ActionName.DECIDE_APPEAL: _decision,
}

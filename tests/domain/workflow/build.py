"""A case that lives in memory: every step is decided by the procedure, and evolves the facts as the services do.

Reads like the rules: `case().ruled().told(NS).published().lodged(EW).forwarded()`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, Self
from uuid import UUID

from casework.domain.access import SYSTEM, Actor
from casework.domain.errors import NotAllowed
from casework.domain.minutes import has_run
from casework.domain.terms import (
    ActionName,
    AppealOutcome,
    DeadlineKind,
    HearingStep,
    NoticeKind,
    Position,
    SeatRole,
    State,
)
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.audience import concurring, parts_of
from casework.domain.workflow.decide import Possibility, available, decide
from casework.domain.workflow.facts import (
    Ask,
    DeadlineFacts,
    Facts,
    PanelFacts,
    ProceedingFacts,
    ProofFacts,
    SeatFacts,
)
from casework.domain.workflow.table import EXPIRES
from tests.domain.workflow import people
from tests.domain.workflow.evolve import EVOLVE, unchanged
from tests.domain.workflow.people import (
    DIRECTOR,
    J1,
    J2,
    J3,
    L1,
    L2,
    L3,
    LK_CHAIR,
    ORGANISER,
    PARTIES,
)
from tests.domain.workflow.taken import Taken
from tests.domain.workflow.times import Time, rebased, reckoned, standing_as, times

START = datetime(2026, 6, 1, 18, 0, tzinfo=UTC)
CASE, ROOT = UUID(int=1000), UUID(int=1001)
JURY = {J1: SeatRole.CHAIR, J2: SeatRole.MEMBER, J3: SeatRole.MEMBER}
COMMISSION = {L1: SeatRole.CHAIR, L2: SeatRole.MEMBER, L3: SeatRole.MEMBER}
ABOUT_DECISION = {NoticeKind.RULING, NoticeKind.DECISION}
ABOUT_DEMAND = {NoticeKind.STATEMENT_DEMANDED, NoticeKind.STATEMENTS_OPEN, NoticeKind.MATERIAL_ADDED}
DECISION_TEXT: Mapping[str, Any] = {
    "operative": "The result stands.",
    "facts": "West hesitated.",
    "reasons": "No logical alternative.",
    "laws": ("16B",),
}


@dataclass
class Case:
    """A case and its clock."""

    facts: Facts
    now: datetime = START
    underway: list[ProofFacts] = field(default_factory=list)
    """Notices that are sent and not yet proven."""
    history: list[Taken] = field(default_factory=list)
    ids: Callable[[], int] = field(default_factory=lambda: count(5000).__next__)

    # Acting

    def fresh(self) -> UUID:
        """The id of a new row."""
        return UUID(int=self.ids())

    def view(self, proceeding_id: UUID | None = None) -> Facts:
        """The facts as one proceeding sees them, the newest if none is named."""
        wanted = proceeding_id or self.facts.proceedings[-1].id
        return replace(self.facts, this=next(p for p in self.facts.proceedings if p.id == wanted))

    def ask(self, person: UUID | None, facts: Facts, **more: Any) -> Ask:
        """What a person (None: the system) asks for."""
        actor = SYSTEM if person is None else Actor(person_id=person)
        return Ask(person_id=person, parts=parts_of(actor, facts), now=self.now, **more)

    def possible(self, person: UUID | None, proceeding_id: UUID | None = None) -> tuple[Possibility, ...]:
        """What a person could do in a proceeding, with the reasons against it."""
        facts = self.view(proceeding_id)
        party = facts.party_of(person)
        ask = self.ask(person, facts, party_id=party.id if party else None)
        return available(PROCEDURES[facts.this.kind], facts, ask)

    def take(
        self,
        name: ActionName,
        person: UUID | None,
        *,
        where: UUID | None = None,
        subject: UUID | None = None,
        party: UUID | None = None,
        **data: Any,
    ) -> Self:
        """Take an action, as `services.engine` does; NotAllowed when the procedure says no."""
        facts = self.view(where)
        ask = self.ask(person, facts, data=data, subject_id=subject, party_id=party)
        changes = decide(PROCEDURES[facts.this.kind], facts, name, ask)
        taken = Taken(before=facts, ask=ask, changes=changes, fresh=self.fresh)
        self.facts = EVOLVE.get(name, unchanged)(taken, self.facts)
        self._move(taken)
        self._reckon(taken)
        self._send(taken)
        self.history.append(taken)
        return self

    def refused(self, name: ActionName, person: UUID | None, **more: Any) -> list[str]:
        """The reasons, as msgids, why an action may not be taken; fails if it may."""
        try:
            self.take(name, person, **more)
        except NotAllowed as refusal:
            return [reason.msgid for reason in refusal.reasons]
        raise AssertionError(f"{name} was allowed")

    def _move(self, taken: Taken) -> None:
        this, changes = taken.before.this, taken.changes
        grown = this.version + (1 if changes.action.moves or changes.to else 0)

        def moved(proceeding: ProceedingFacts) -> ProceedingFacts:
            if proceeding.id != this.id:
                return proceeding
            return replace(proceeding, state=changes.to or proceeding.state, version=grown)

        self.facts = replace(self.facts, proceedings=tuple(moved(p) for p in self.facts.proceedings))

    def _reckon(self, taken: Taken) -> None:
        ends, rebases = dict(taken.changes.endings), {r.deadline_id: r for r in taken.changes.rebases}
        deadlines = [replace(d, ended=ends.get(d.id, d.ended)) for d in times(self.facts)]
        deadlines = [rebased(d, rebases[d.id].base, self.facts, self.now) if d.id in rebases else d for d in deadlines]
        parties = {demand: party for party, demand in taken.ask.data.get("demands", {}).items()}
        for opening in taken.changes.openings:
            deadline = Time(
                id=self.fresh(),
                proceeding_id=self.facts.proceedings[-1].id if opening.in_child else taken.before.this.id,
                kind=opening.kind,
                party_id=opening.party_id or (parties[opening.demand_id] if opening.demand_id else None),
                demand_id=opening.demand_id,
                appeal_id=opening.appeal_id,
                base=opening.base,
            )
            earlier = next((d for d in deadlines if d.id == opening.instead_of), None)
            deadlines.append(reckoned(standing_as(earlier, deadline), self.facts))
        self.facts = replace(self.facts, deadlines=tuple(deadlines))

    def _send(self, taken: Taken) -> None:
        decision = self.view(taken.before.this.id).this.decision_id
        demands = taken.ask.data.get("demands", {})
        for telling in taken.changes.tellings:
            self.underway.append(
                ProofFacts(
                    kind=telling.kind,
                    person_id=telling.person_id,
                    party_id=telling.party_id,
                    decision_id=decision if telling.kind in ABOUT_DECISION else None,
                    demand_id=demands.get(telling.party_id) if telling.kind in ABOUT_DEMAND else None,
                    at=self.now,
                )
            )

    # What happens by itself

    def later(self, **span: int) -> Self:
        """Time passes; the system does what is due."""
        self.now += timedelta(**span)
        return self.tick()

    def tick(self) -> Self:
        """The system expires what has run out, reopens what was final too early and takes every automatic step."""
        for proceeding in self.facts.proceedings:
            if proceeding.state is State.FINAL and self.view(proceeding.id).running(DeadlineKind.APPEAL_WINDOW):
                self.take(ActionName.REOPEN, None, where=proceeding.id)
        for deadline in self.facts.deadlines:
            current = next(d for d in self.facts.deadlines if d.id == deadline.id)
            if current.ended is None and not current.overdue and has_run(current.instant, self.now):
                self.take(
                    EXPIRES[current.kind],
                    None,
                    where=current.proceeding_id,
                    subject=current.id,
                    party=current.party_id,
                    demand_id=current.demand_id,
                )
        for _ in range(20):
            if not self._advance():
                return self
        raise AssertionError("the automatic steps do not end")

    def _advance(self) -> bool:
        for proceeding in self.facts.proceedings:
            for possibility in self.possible(None, proceeding.id):
                if possibility.action.automatic and possibility.allowed:
                    data: dict[str, Any] = {}
                    if possibility.action.name is ActionName.OPEN_STATEMENTS:
                        data["demands"] = {party.id: self.fresh() for party in self.facts.parties}
                    self.take(possibility.action.name, None, where=proceeding.id, **data)
                    return True
        return False

    def arrives(self, *parties: UUID, kind: NoticeKind | None = None) -> Self:
        """The notices under way to these parties (all, if none is named) are proven now."""
        wanted = [p for p in self.underway if (p.party_id in parties or not parties) and kind in (None, p.kind)]
        self.underway = [p for p in self.underway if p not in wanted]
        for proof in wanted:
            owner = self.proceeding_of(proof)
            self.take(ActionName.RECORD_PROOF, None, where=owner, proofs=(replace(proof, at=self.now),))
        return self.tick()

    def proceeding_of(self, proof: ProofFacts) -> UUID:
        """In which proceeding a notice was sent."""
        decided = (p.id for p in self.facts.proceedings if p.decision_id and p.decision_id == proof.decision_id)
        asked = (d.proceeding_id for d in self.facts.demands if d.id == proof.demand_id)
        return next(decided, None) or next(asked, None) or self.facts.proceedings[-1].id

    # The rules' words

    def ruled(self, by: UUID = DIRECTOR, **more: Any) -> Self:
        """A ruling is given; nobody has been told yet."""
        data = {**DECISION_TEXT, "given_at": self.now, **more}
        return self.take(ActionName.GIVE_RULING, by, where=ROOT, subject=self.fresh(), **data)

    def told(self, *parties: UUID, kind: NoticeKind = NoticeKind.RULING) -> Self:
        """The notices of the ruling (or decision) to these parties are proven."""
        return self.arrives(*parties, kind=kind)

    def published(self, at: datetime | None = None) -> Self:
        """The official score is recorded as published, now or at an instant."""
        self.take(ActionName.RECORD_PUBLICATION, ORGANISER, where=ROOT, published_at=at or self.now)
        return self.tick()

    def lodged(self, party: UUID, at: UUID = ROOT, **more: Any) -> Self:
        """A party appeals."""
        person = people.members(party)[0]
        data: dict[str, Any] = {"wants": "The table result.", "lodged_by": person, **more}
        return self.take(ActionName.LODGE_APPEAL, person, where=at, subject=self.fresh(), party=party, **data)

    def forwarded(self) -> Self:
        """Who must stand behind the appeals does, and the director forwards them."""
        for appeal in self.view().tried_here:
            for person in concurring(self.view(), appeal.party_id) - appeal.concurred:
                self.take(ActionName.CONCUR, person, subject=appeal.id, party=appeal.party_id)
        return self.take(ActionName.FORWARD_APPEAL, DIRECTOR)

    def composed(self, seats: Mapping[UUID, SeatRole] = JURY, by: UUID = ORGANISER) -> Self:
        """A panel is seated, by the organiser."""
        return self.take(ActionName.COMPOSE_PANEL, by, seats=seats)

    def without_conflicts(self) -> Self:
        """Every member says that there is no conflict of interest."""
        for seat in self.panel.deciding:
            self.take(ActionName.DECLARE_CONFLICT, seat.person_id, subject=seat.id, has_conflict=False)
        return self

    def called(self) -> Self:
        """The hearing is called, and every call arrives."""
        return self.take(ActionName.CALL_HEARING, ORGANISER, place="The lounge", at=self.now)

    def heard(self, *absent: UUID) -> Self:
        """The hearing opens with all parties but these, goes through its steps, and closes."""
        self.take(ActionName.NOTE_ATTENDANCE, ORGANISER, parties={p.id: p.id not in absent for p in PARTIES})
        self.take(ActionName.OPEN_HEARING, ORGANISER)
        for step in HearingStep:
            self.take(ActionName.NOTE_STEP, ORGANISER, step=step)
        return self.take(ActionName.CLOSE_HEARING, ORGANISER)

    def voted(self, *positions: Position) -> Self:
        """The members vote in their seats' order (all to confirm, if nothing is said), and the chair shows the vote."""
        for seat, position in zip(self.panel.deciding, positions or (Position.CONFIRM,) * 3, strict=False):
            self.take(ActionName.CAST_VOTE, seat.person_id, position=position)
        return self.take(ActionName.CLOSE_BALLOT, self.chair)

    def decided(self, outcome: AppealOutcome = AppealOutcome.REJECTED, **more: Any) -> Self:
        """The chair signs the decision, the same outcome for every appeal."""
        outcomes = {appeal.id: outcome for appeal in self.view().tried_here}
        data = {**DECISION_TEXT, "outcomes": outcomes, **more}
        self.take(ActionName.DECIDE_APPEAL, self.chair, subject=self.fresh(), **data)
        return self.tick()

    def reported(self, by: UUID = DIRECTOR) -> Self:
        """The director's report is filed."""
        report: dict[str, Any] = {
            "events": "East alerted late.",
            "ruling": "The result stands.",
            "reasons": "No damage.",
        }
        return self.take(ActionName.FILE_REPORT, by, **report)

    def demanded(self, by: UUID = DIRECTOR) -> Self:
        """All parties are asked for statements, and nothing has arrived yet."""
        demands = {party.id: self.fresh() for party in PARTIES}
        return self.take(ActionName.DEMAND_STATEMENTS, by, demands=demands)

    def stated(self, party: UUID) -> Self:
        """A party files what it is asked for, or late material."""
        demand = self.open_demand(party)
        late = demand is None and self.state() is not State.PREPARING
        demands = {p.id: self.fresh() for p in PARTIES if p.id != party} if late else {}
        self.take(
            ActionName.FILE_STATEMENT,
            people.members(party)[0],
            subject=self.fresh(),
            party=party,
            text="We saw nothing.",
            demand_id=demand,
            demands=demands,
        )
        return self.tick()

    def left_out(self, late: UUID, by: UUID | None = None) -> Self:
        """The chair leaves late material out of account."""
        return self.take(ActionName.LEAVE_OUT, by or self.chair, subject=late, because="It says nothing new.")

    def declined(self, *parties: UUID) -> Self:
        """Parties say that they have nothing to add."""
        for party in parties:
            person = people.members(party)[0]
            self.take(ActionName.DECLINE_STATEMENT, person, party=party, demand_id=self.open_demand(party))
        return self.tick()

    def sent_in(self) -> Self:
        """The director sends in the papers."""
        return self.take(ActionName.SEND_IN, DIRECTOR)

    def registered(self, seats: Mapping[UUID, SeatRole] = COMMISSION, by: UUID = LK_CHAIR) -> Self:
        """The body registers the case and seats its members."""
        return self.take(ActionName.REGISTER_CASE, by, seats=seats, jurisdiction="An appeal (R1).")

    def deliberating(self) -> Self:
        """A body that decides from the papers begins, when all times to appeal have run."""
        return self.later(days=11).take(ActionName.BEGIN_DELIBERATION, self.chair)

    # Looking

    @property
    def panel(self) -> PanelFacts:
        """The newest proceeding's panel."""
        panel = self.view().panel
        assert panel is not None
        return panel

    @property
    def chair(self) -> UUID:
        """The panel's chair."""
        return next(seat.person_id for seat in self.panel.deciding if seat.role is SeatRole.CHAIR)

    def seat(self, person: UUID) -> SeatFacts:
        """A person's seat."""
        return next(seat for seat in self.panel.seats if seat.person_id == person)

    def state(self, proceeding_id: UUID | None = None) -> State:
        """The state of a proceeding, the newest if none is named."""
        return self.view(proceeding_id).this.state

    def open_demand(self, party: UUID) -> UUID | None:
        """What the party is asked for in the newest proceeding."""
        this = self.view().this.id
        mine = (d for d in self.facts.demands if d.proceeding_id == this and d.party_id == party and d.ended is None)
        return next((demand.id for demand in mine), None)

    def deadline(self, kind: DeadlineKind, party: UUID | None = None) -> DeadlineFacts:
        """The newest deadline of a kind, and of a party."""
        return [d for d in self.facts.deadlines if d.kind is kind and party in (None, d.party_id)][-1]

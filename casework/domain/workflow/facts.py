"""One frozen snapshot of a case, as the procedure sees it. Guards see nothing else."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from casework.domain.minutes import has_run
from casework.domain.rules.editions import LawEdition
from casework.domain.rules.procedure import ProcedureProfile
from casework.domain.terms import (
    AppealRoute,
    Body,
    ConflictState,
    DeadlineEnd,
    DeadlineKind,
    DemandEnd,
    DemandKind,
    Form,
    HearingStep,
    NoticeKind,
    Part,
    Position,
    ProceedingKind,
    Role,
    SeatRole,
    Side,
    State,
    StatementKind,
)
from casework.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberFacts:
    """A person of a party."""

    person_id: UUID
    captain: bool = False
    at_table: bool = True
    reachable_on_paper: bool = True
    """Whether the register has an address and a telephone number (R29)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartyFacts:
    """A contestant in the case: a side has one, in an individual event it can have two."""

    id: UUID
    side: Side
    label: Text
    members: tuple[MemberFacts, ...]

    def has(self, person_id: UUID | None) -> bool:
        """Whether the person belongs to the party."""
        return any(member.person_id == person_id for member in self.members)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProceedingFacts:
    """One body's handling of the case."""

    id: UUID
    kind: ProceedingKind
    body: Body
    state: State
    version: int
    parent_id: UUID | None = None
    tries_id: UUID | None = None
    director_id: UUID | None = None
    lk_open: bool = True
    taken_up: bool = False
    decision_id: UUID | None = None
    decided_by: UUID | None = None
    decided_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealFacts:
    """One side's attack on a decision."""

    id: UUID
    decision_id: UUID
    proceeding_id: UUID
    party_id: UUID
    lodged_by: UUID
    lodged_at: datetime
    in_time: bool | None = None
    warned: bool = False
    withdrawn_at: datetime | None = None
    concurred: frozenset[UUID] = frozenset()
    deemed: frozenset[UUID] = frozenset()
    """Who of them only counts as concurring: he may still say so himself."""

    @property
    def withdrawn(self) -> bool:
        """Whether it is tried by nobody any more."""
        return self.withdrawn_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandFacts:
    """What a party was asked for."""

    id: UUID
    proceeding_id: UUID
    party_id: UUID
    kind: DemandKind
    about: frozenset[UUID] = frozenset()
    """The late material that it lets the party answer; empty where it is what all were asked."""
    ended: DemandEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementFacts:
    """A filed text, and whether the other parties may read it."""

    id: UUID
    proceeding_id: UUID
    kind: StatementKind
    party_id: UUID | None = None
    received_at: datetime | None = None
    opened: bool = False
    left_out: bool = False
    """Late material that the body has left out of account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFacts:
    """A person with a panel."""

    id: UUID
    person_id: UUID
    role: SeatRole
    called: bool = False
    attended: bool | None = None
    conflict: ConflictState = ConflictState.UNDECLARED

    @property
    def deciding(self) -> bool:
        """Sits to decide: neither an attendee (R17) nor recused."""
        return self.role is not SeatRole.ATTENDEE and self.conflict.sits


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelFacts:
    """Who tries a proceeding, and how far hearing and ballot have come."""

    id: UUID
    proceeding_id: UUID
    quorum: int
    seats: tuple[SeatFacts, ...] = ()
    parties_called: bool = False
    hearing_at: datetime | None = None
    steps: frozenset[HearingStep] = frozenset()
    """What has been done of the hearing and still stands: who came after its turn is heard first."""
    attendance: Mapping[UUID, bool] = field(default_factory=dict)
    """Party → present; a party that is not here has not been noted at all."""
    first_vote_at: datetime | None = None
    ballot_closed: bool = False
    votes: Mapping[UUID, Position] = field(default_factory=dict)
    """Seat → position."""

    @property
    def deciding(self) -> tuple[SeatFacts, ...]:
        """The seats that decide."""
        return tuple(seat for seat in self.seats if seat.deciding)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineFacts:
    """A running or ended deadline."""

    id: UUID
    proceeding_id: UUID
    kind: DeadlineKind
    party_id: UUID | None = None
    demand_id: UUID | None = None
    appeal_id: UUID | None = None
    base: datetime | None = None
    told_base: datetime | None = None
    instant: datetime | None = None
    ended: DeadlineEnd | None = None
    overdue: bool = False
    halted: bool = False
    """It stands still until somebody lifts the suspension."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofFacts:
    """That a person was told something, and when this is proven from."""

    kind: NoticeKind
    person_id: UUID
    party_id: UUID | None
    decision_id: UUID | None
    demand_id: UUID | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Everything the procedure may look at when it judges one action in one proceeding, `this`."""

    case_id: UUID
    law_edition: LawEdition
    form: Form
    appeal_route: AppealRoute
    profile: ProcedureProfile
    this: ProceedingFacts
    published_at: datetime | None = None
    proceedings: tuple[ProceedingFacts, ...] = ()
    parties: tuple[PartyFacts, ...] = ()
    appeals: tuple[AppealFacts, ...] = ()
    demands: tuple[DemandFacts, ...] = ()
    statements: tuple[StatementFacts, ...] = ()
    panels: tuple[PanelFacts, ...] = ()
    deadlines: tuple[DeadlineFacts, ...] = ()
    proofs: tuple[ProofFacts, ...] = ()
    staff: frozenset[tuple[UUID, Role]] = frozenset()
    """Who holds a role at the tournament or in the federation."""
    present_lk: frozenset[UUID] = frozenset()
    """LK members registered as present at the tournament (R18)."""
    director_reachable: bool = True
    """Whether the register has the director's address and telephone number (R29)."""

    def party_of(self, person_id: UUID | None) -> PartyFacts | None:
        """The party a person belongs to."""
        return next((party for party in self.parties if party.has(person_id)), None)

    def party(self, party_id: UUID) -> PartyFacts:
        """A party by id."""
        return next(party for party in self.parties if party.id == party_id)

    @property
    def panel(self) -> PanelFacts | None:
        """The panel of this proceeding."""
        return next((panel for panel in self.panels if panel.proceeding_id == self.this.id), None)

    @property
    def on_site(self) -> bool:
        """Whether the body meets on site: a jury of an event whose jury is there."""
        return self.this.body is Body.JURY and self.appeal_route is AppealRoute.JURY_ON_SITE

    @property
    def earlier_jurors(self) -> frozenset[UUID]:
        """R19: who sat to decide this case in a lower instance."""
        return frozenset(
            seat.person_id
            for panel in self.panels
            if panel.proceeding_id != self.this.id
            for seat in panel.seats
            if seat.role is not SeatRole.ATTENDEE
        )

    @property
    def directors(self) -> frozenset[UUID]:
        """Who ruled, and through whom the appeals go: they sit on no panel (R19)."""
        ruled = {p.decided_by for p in self.proceedings if p.body is Body.DIRECTOR}
        return frozenset(person for person in ruled | {p.director_id for p in self.proceedings} if person is not None)

    @property
    def tried_here(self) -> tuple[AppealFacts, ...]:
        """The appeals this proceeding tries that are not withdrawn."""
        return tuple(a for a in self.appeals if a.proceeding_id == self.this.id and not a.withdrawn)

    @property
    def against_this(self) -> tuple[AppealFacts, ...]:
        """The appeals against this proceeding's decision that are not withdrawn."""
        return tuple(a for a in self.appeals if a.decision_id == self.this.decision_id is not None and not a.withdrawn)

    @property
    def child(self) -> ProceedingFacts | None:
        """The live or decided proceeding that tries this one's decision, or that a body took up instead of it."""
        children = (p for p in self.proceedings if p.parent_id == self.this.id and p.state is not State.WRITTEN_OFF)
        return next(children, None)

    @property
    def newest(self) -> ProceedingFacts:
        """Where the case stands when it is followed from here up through the instances."""
        here = self
        while (child := here.child) is not None:
            here = replace(here, this=child)
        return here.this

    def running(self, kind: DeadlineKind) -> tuple[DeadlineFacts, ...]:
        """This proceeding's deadlines of a kind that have not ended."""
        return tuple(d for d in self.deadlines if d.proceeding_id == self.this.id and d.kind is kind and not d.ended)

    def windows_had_run(self, proceeding_id: UUID, at: datetime) -> bool:
        """Whether every party's time to appeal a proceeding's decision had run out at a moment."""
        ours = (d for d in self.deadlines if d.proceeding_id == proceeding_id and d.kind is DeadlineKind.APPEAL_WINDOW)
        stand = [d for d in ours if d.ended not in (DeadlineEnd.MOVED, DeadlineEnd.VOID)]
        return bool(stand) and all(has_run(d.instant, at) for d in stand)

    def demanded(self, kind: DemandKind) -> tuple[DemandFacts, ...]:
        """This proceeding's demands of a kind."""
        return tuple(d for d in self.demands if d.proceeding_id == self.this.id and d.kind is kind)

    def asked(self, party_id: UUID | None) -> tuple[DemandFacts, ...]:
        """What a party is asked for here and has not yet answered."""
        mine = (d for d in self.demands if (d.proceeding_id, d.party_id) == (self.this.id, party_id))
        return tuple(demand for demand in mine if demand.ended is None)

    def waiting_for(self, statement_id: UUID | None) -> tuple[DemandFacts, ...]:
        """Who may still answer a piece of late material."""
        return tuple(d for d in self.demands if d.ended is None and statement_id in d.about)

    def filed(self, *kinds: StatementKind) -> tuple[StatementFacts, ...]:
        """This proceeding's statements of these kinds."""
        return tuple(s for s in self.statements if s.proceeding_id == self.this.id and s.kind in kinds)

    def told_at(
        self, party_id: UUID, *, decision_id: UUID | None = None, demand_id: UUID | None = None
    ) -> datetime | None:
        """From when it is proven that a party knows of a decision or demand: its first member's first proof.

        A party is told when one of its members is (own reading, shown as such).
        """
        if decision_id is None and demand_id is None:
            return None
        return min(
            (
                proof.at
                for proof in self.proofs
                if proof.party_id == party_id and proof.decision_id == decision_id and proof.demand_id == demand_id
            ),
            default=None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Somebody asks for something: who, in which parts, with what, when; `subject_id` is the row the step is about."""

    person_id: UUID | None
    parts: frozenset[Part]
    now: datetime
    data: Mapping[str, Any] = field(default_factory=dict)
    subject_id: UUID | None = None
    party_id: UUID | None = None


def persons(parties: Iterable[PartyFacts]) -> frozenset[UUID]:
    """All persons of these parties."""
    return frozenset(member.person_id for party in parties for member in party.members)

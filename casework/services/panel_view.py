"""What the panel's pages show: who sits, who is called, how far hearing and vote have come.

A view holds what its reader may see and nothing else: no position of an open ballot is ever in it, not even for the
chair, and each action comes with the reasons against it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.domain.access import Actor
from casework.domain.errors import Missing
from casework.domain.labels import label
from casework.domain.models import Ballot, Panel, Person, Seat
from casework.domain.rules.procedure import ProcedureProfile
from casework.domain.terms import (
    ActionName,
    Body,
    ConflictState,
    HearingStep,
    NoticeKind,
    Part,
    Position,
    ProceedingKind,
    SeatRole,
    Side,
    State,
)
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.audience import called, parts_of
from casework.domain.workflow.decide import Possibility
from casework.domain.workflow.facts import Facts
from casework.domain.workflow.hearing_guards import AT_THE_LAPTOP, quorum, winning
from casework.services import conflicts, seat_codes
from casework.services.concurrence import Unsupported, unsupported
from casework.services.engine import possibilities
from casework.services.loading import Loaded
from casework.services.panels import panel_of, panel_seats
from casework.services.queries import load_visible
from casework.services.seat_codes import Showing
from casework.services.snapshot import snapshot, standing_steps
from casework.text import Text, t

ON_PANEL = frozenset({Part.PANEL, Part.CHAIR})


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """Somebody with the panel."""

    seat_id: UUID
    person_id: UUID
    name: str
    role: SeatRole
    conflict: ConflictState
    suggestion: Text | None
    conflict_reason: str
    attended: bool | None
    called_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartyRow:
    """A party at the hearing; `present` is None until it is noted, `reached` says that the call is proven."""

    id: UUID
    label: Text
    side: Side
    names: tuple[str, ...]
    appealing: bool
    present: bool | None
    note: str
    noted_at: datetime | None
    reached: bool

    def absent(self, at: datetime) -> bool:
        """Whether the party was not there at an instant of the hearing; what was noted after it does not count."""
        if self.present is None or self.noted_at is None:
            return False
        return self.present is not (self.noted_at <= at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """How one member voted, once the ballot is closed."""

    name: str
    position: Position
    dissent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BallotRow:
    """The vote: how many have voted of how many, and the positions when it is closed."""

    seats: int
    voted: int
    mine: bool
    closed_at: datetime | None
    in_room: bool
    cast: tuple[Cast, ...]
    winning: Position | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelView:
    """A panel as its reader sees it; `can` holds the actions that are the reader's in this state."""

    case_id: UUID
    proceeding_id: UUID
    number: str
    tournament: str
    board: int | None
    body: Body
    tried_body: Body | None
    """Whose decision is tried; None where the body took the case up without one."""
    on_site: bool
    state: State
    stage: Text
    next_step: Text
    version: int
    lk_open: bool
    profile: ProcedureProfile
    parts: frozenset[Part]
    can: Mapping[ActionName, Possibility]
    members: tuple[Member, ...]
    recused: tuple[Member, ...]
    replaced: tuple[Member, ...]
    called_too: tuple[str, ...]
    """The LK members who are registered as present and must be called (R18)."""
    attendees: tuple[Member, ...]
    """Those of them who have been called."""
    parties: tuple[PartyRow, ...]
    unsupported: tuple[Unsupported, ...]
    """The appeals that cannot be tried yet: somebody's word is still needed (Law 92D)."""
    own: Member | None
    place: str
    at: datetime | None
    called_at: datetime | None
    steps: Mapping[HearingStep, datetime]
    ballot: BallotRow | None
    size: int
    quorum: int
    shows_codes: bool
    """Whether the reader may show the codes of the seats: by part and state, whoever has come in already."""
    entered: frozenset[UUID]
    """The seats whose members have opened their links: their codes are gone."""
    showings: tuple[Showing, ...]
    """When the code of the reader's own seat was shown, and by whom."""

    def possible(self, action: ActionName) -> bool:
        """Whether the reader can take the action now."""
        return action in self.can and self.can[action].allowed

    def reasons(self, action: ActionName) -> tuple[Text, ...]:
        """What stands in the action's way; nothing if it can be taken or is not the reader's."""
        return self.can[action].reasons if action in self.can else ()

    def demand(self, action: ActionName) -> None:
        """The action belongs to this reader in this state, or the page does not exist for him."""
        if action not in self.can:
            raise Missing

    @property
    def everybody(self) -> tuple[Member, ...]:
        """Those who decide, and the LK members who were called."""
        return (*self.members, *self.attendees)

    @property
    def undecided(self) -> bool:
        """Whether the reader is seated and has not been found free of conflicts of interest."""
        return self.own is not None and self.own.conflict is not ConflictState.NONE

    @property
    def answers_for_others(self) -> bool:
        """Whether the reader may enter what another member of the jury answers about conflicts of interest."""
        return self.body is Body.JURY and not self.parts.isdisjoint(AT_THE_LAPTOP)

    @property
    def deliberates(self) -> bool:
        """Whether the reader belongs to the panel that tries the case."""
        return not self.parts.isdisjoint(ON_PANEL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Somebody who could sit, or why not; `note` is the role and what makes the system ask about a conflict."""

    person_id: UUID
    name: str
    note: Text
    barred: Text | None


@dataclass(frozen=True, slots=True)
class Opened:
    """A case opened for a reader at its newest proceeding, with his parts in that one."""

    loaded: Loaded
    facts: Facts
    parts: frozenset[Part]
    names: Mapping[UUID, str]
    entered: frozenset[UUID]
    showings: tuple[Showing, ...]


def open_panel(session: Session, case_id: UUID, actor: Actor) -> Opened:
    """Open the appeal that is being tried.

    The parts are those in this very proceeding: who sat on the jury is nothing in the Law Commission's.

    Raises:
        Missing: there is no such case, no appeal in it, or the actor has no part in its present proceeding.
    """
    loaded = load_visible(session, case_id, actor)
    if loaded.proceeding.kind is not ProceedingKind.APPEAL:
        raise Missing
    facts = snapshot(loaded)
    parts = parts_of(actor, facts)
    by_seat = actor.link is not None and actor.link.seat_id is not None
    if not parts or (by_seat and facts.this.decision_id is not None):
        raise Missing
    own = next((seat.id for seat in panel_seats(loaded) if seat.person_id == actor.person_id), None)
    return Opened(
        loaded,
        facts,
        parts,
        _names(session, loaded, facts),
        seat_codes.entered(session, case_id),
        seat_codes.showings(session, case_id, own) if own else (),
    )


def _names(session: Session, loaded: Loaded, facts: Facts) -> Mapping[UUID, str]:
    """The names of everybody that the panel's pages can mention, in one query."""
    known = {person.id: person.name for person in loaded.persons.values()}
    wanted = {seat.person_id for seat in loaded.seats} | called(facts) | facts.directors
    wanted |= {appeal.warned_by for appeal in loaded.appeals if appeal.warned_by}
    rows = session.exec(select(Person).where(col(Person.id).in_(wanted - set(known))))
    return known | {person.id: person.name for person in rows}


def panel_view(session: Session, case_id: UUID, actor: Actor, now: datetime) -> PanelView:
    """The panel of the appeal that is being tried. Raises as `open_panel` does."""
    return view_of(open_panel(session, case_id, actor), actor, now)


def choices(session: Session, case_id: UUID, actor: Actor) -> list[Choice]:
    """Who could sit on this panel, in the order of the body. Raises as `open_panel` does."""
    opened = open_panel(session, case_id, actor)
    recused = {s.person_id for s in panel_seats(opened.loaded) if s.conflict is ConflictState.RECUSED}
    return [
        Choice(
            person_id=each.person.id,
            name=each.person.name,
            note=_note(label(each.role), each.suggestion),
            barred=each.barred or (t("is recused") if each.person.id in recused else None),
        )
        for each in conflicts.candidates(session, opened.loaded, opened.facts)
    ]


def _note(role: Text, suggestion: Text | None) -> Text:
    return t("{role}. Possible conflict: {suggestion}.", role=role, suggestion=suggestion) if suggestion else role


def view_of(opened: Opened, actor: Actor, now: datetime) -> PanelView:
    """The panel of a case that is opened already."""
    loaded, facts = opened.loaded, opened.facts
    panel = panel_of(loaded)
    rows = [_member(seat, opened.names) for seat in _in_order(panel_seats(loaded))]
    members = tuple(row for row in rows if _decides(row))
    stage = PROCEDURES[loaded.proceeding.kind].stage(facts.this.state)
    return PanelView(
        case_id=loaded.case.id,
        proceeding_id=loaded.proceeding.id,
        number=loaded.case.number,
        tournament=loaded.tournament.name,
        board=loaded.incident.board,
        body=facts.this.body,
        tried_body=_tried_body(facts),
        on_site=facts.on_site,
        state=facts.this.state,
        stage=stage.label,
        next_step=stage.next_step,
        version=loaded.proceeding.version,
        lk_open=facts.this.lk_open,
        profile=facts.profile,
        parts=opened.parts,
        can={each.action.name: each for each in possibilities(loaded, actor, now)},
        members=members,
        recused=tuple(row for row in rows if row.conflict is ConflictState.RECUSED),
        replaced=tuple(row for row in rows if row.conflict is ConflictState.REPLACED),
        called_too=tuple(sorted(opened.names[person] for person in called(facts))),
        attendees=tuple(row for row in rows if row.role is SeatRole.ATTENDEE),
        parties=tuple(_party(loaded, facts, party.id) for party in facts.parties),
        unsupported=unsupported(loaded, facts),
        own=next((row for row in members if row.person_id == actor.person_id), None),
        place=panel.hearing_place if panel else "",
        at=panel.hearing_at if panel else None,
        called_at=panel.parties_called_at if panel else None,
        steps=standing_steps(loaded, panel) if panel else {},
        ballot=_ballot(loaded, panel, members, opened, actor),
        size=facts.profile.number("jury_size" if facts.this.body is Body.JURY else "lk_size"),
        quorum=quorum(facts),
        shows_codes=seat_codes.shows_codes(facts, actor, opened.parts)
        and facts.this.state in seat_codes.BEFORE_THE_DELIBERATION,
        entered=opened.entered,
        showings=opened.showings,
    )


def _tried_body(facts: Facts) -> Body | None:
    parent = next((p for p in facts.proceedings if p.id == facts.this.parent_id), None)
    return parent.body if parent is not None and parent.decision_id is not None else None


def _in_order(seats: Iterable[Seat]) -> list[Seat]:
    """The chair first; the others as they were seated."""
    return sorted(seats, key=lambda seat: (seat.role is not SeatRole.CHAIR, seat.seated_at))


def _member(seat: Seat, names: Mapping[UUID, str]) -> Member:
    return Member(
        seat_id=seat.id,
        person_id=seat.person_id,
        name=names[seat.person_id],
        role=seat.role,
        conflict=seat.conflict,
        suggestion=seat.suggestion,
        conflict_reason=seat.conflict_reason,
        attended=seat.attended,
        called_at=seat.called_at,
    )


def _decides(member: Member) -> bool:
    return member.role is not SeatRole.ATTENDEE and member.conflict.sits


def _party(loaded: Loaded, facts: Facts, party_id: UUID) -> PartyRow:
    party = facts.party(party_id)
    panel = panel_of(loaded)
    noted = next((a for a in loaded.attendances if panel and (a.panel_id, a.party_id) == (panel.id, party_id)), None)
    return PartyRow(
        id=party_id,
        label=party.label,
        side=party.side,
        names=tuple(loaded.persons[member.person_id].name for member in party.members),
        appealing=any(appeal.party_id == party_id for appeal in facts.tried_here),
        present=noted.present if noted else None,
        note=noted.note if noted else "",
        noted_at=noted.noted_at if noted else None,
        reached=any(proof.party_id == party_id and proof.kind is NoticeKind.SUMMONS for proof in facts.proofs),
    )


def _ballot(
    loaded: Loaded, panel: Panel | None, members: Sequence[Member], opened: Opened, actor: Actor
) -> BallotRow | None:
    """The vote since the panel is alone; positions only when it is closed, and only to the panel."""
    ballot = _newest_ballot(loaded, panel)
    if ballot is None or opened.facts.this.state in (State.CALLED, State.HEARING):
        return None
    votes = [vote for vote in loaded.votes if vote.ballot_id == ballot.id]
    shown = ballot.closed_at is not None and not opened.parts.isdisjoint(ON_PANEL)
    who = {seat.id: seat.person_id for seat in loaded.seats}
    return BallotRow(
        seats=len(members),
        voted=len(votes),
        mine=any(who[vote.seat_id] == actor.person_id for vote in votes),
        closed_at=ballot.closed_at,
        in_room=ballot.in_room,
        cast=tuple(
            Cast(name=opened.names[who[vote.seat_id]], position=vote.position, dissent=vote.dissent)
            for vote in votes
            if shown
        ),
        winning=winning(opened.facts) if shown else None,
    )


def _newest_ballot(loaded: Loaded, panel: Panel | None) -> Ballot | None:
    ballots = [ballot for ballot in loaded.ballots if panel is not None and ballot.panel_id == panel.id]
    return max(ballots, key=lambda ballot: ballot.opened_at, default=None)

"""Who may see what: one policy, as a table, and the query that every list starts from."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ColumnElement, Select, false, or_, select, true
from sqlmodel import col

from casework.domain.models import (
    Case,
    Grant,
    Incident,
    Panel,
    Party,
    PartyMember,
    Proceeding,
    Seat,
)
from casework.domain.terms import LEFT, Body, ConflictState, Part, Role, State


class Permission(StrEnum):
    """What an endpoint or a section of a page asks for."""

    ANYONE = "anyone"
    SIGNED_IN = "signed_in"
    ASK_FOR_RULING = "ask_for_ruling"
    """Opens a new case, so a mail link, which is for one case, does not give it."""
    OFFICIAL = "official"
    RUN_TOURNAMENT = "run_tournament"
    FILE_RULING = "file_ruling"
    SEE_ALL_CASES = "see_all_cases"
    READ_CASE = "read_case"
    READ_PAPERS = "read_papers"
    READ_UNOPENED = "read_unopened"
    READ_CONTACTS = "read_contacts"
    READ_DELIBERATION = "read_deliberation"
    READ_PROOF = "read_proof"
    READ_ADVICE = "read_advice"
    """What is calculated about the deal: help for who decides, never a word to the parties."""
    TEND_SYSTEM = "tend_system"
    USE_DEMO = "use_demo"


@dataclass(frozen=True, slots=True)
class LinkScope:
    """What a mail link opens: one case, for one party or one seat."""

    link_id: UUID
    case_id: UUID
    party_id: UUID | None
    seat_id: UUID | None


@dataclass(frozen=True, slots=True)
class Actor:
    """The acting person. `roles` pairs a role with the tournament it holds at, or None for the federation."""

    person_id: UUID | None
    name: str = ""
    language: str = "sv"
    roles: frozenset[tuple[Role, UUID | None]] = frozenset()
    link: LinkScope | None = None
    system: bool = False

    def holds(self, *roles: Role, at: UUID | None = None) -> bool:
        """Whether one of the roles is held in the federation, or at the tournament `at`."""
        return any(role in roles and place in (None, at) for role, place in self.roles)

    @property
    def official(self) -> bool:
        """Signed in with an account that is trusted with something."""
        return bool(self.roles) and self.link is None


SYSTEM = Actor(person_id=None, system=True)
NOBODY = Actor(person_id=None)

TOURNAMENT_STAFF = (Role.DIRECTOR, Role.CHIEF_DIRECTOR, Role.ASSISTANT_DIRECTOR, Role.ORGANISER)
LAW_COMMISSION = (Role.LK_MEMBER, Role.LK_RESERVE, Role.LK_CHAIR)

GENERAL: dict[Permission, frozenset[Role]] = {
    Permission.OFFICIAL: frozenset(Role),
    Permission.RUN_TOURNAMENT: frozenset(
        {Role.DIRECTOR, Role.CHIEF_DIRECTOR, Role.ASSISTANT_DIRECTOR, Role.ORGANISER, Role.OFFICE}
    ),
    Permission.FILE_RULING: frozenset({Role.DIRECTOR, Role.CHIEF_DIRECTOR, Role.ASSISTANT_DIRECTOR}),
    Permission.SEE_ALL_CASES: frozenset({Role.OFFICE}),
    Permission.TEND_SYSTEM: frozenset({Role.OFFICE}),
}
"""Permissions that roles give, whatever the case."""

IN_CASE: dict[Permission, frozenset[Part]] = {
    Permission.READ_CASE: frozenset(Part) - {Part.SYSTEM},
    Permission.READ_PAPERS: frozenset(Part) - {Part.SYSTEM, Part.SEATED},
    Permission.READ_UNOPENED: frozenset({Part.DIRECTOR, Part.OFFICE}),
    Permission.READ_CONTACTS: frozenset({Part.DIRECTOR, Part.OFFICE, Part.PANEL, Part.CHAIR, Part.LK_CHAIR}),
    Permission.READ_DELIBERATION: frozenset({Part.PANEL, Part.CHAIR}),
    Permission.READ_PROOF: frozenset(
        {Part.DIRECTOR, Part.CHIEF_DIRECTOR, Part.ORGANISER, Part.OFFICE, Part.LK_CHAIR, Part.CHAIR}
    ),
    Permission.READ_ADVICE: frozenset({Part.PANEL, Part.CHAIR, Part.DIRECTOR, Part.CHIEF_DIRECTOR}),
}
"""Permissions that a part in the case gives (R29 for contacts, S-AC4 for the deliberation).

Who is seated but has not declared about conflicts of interest sees what the case is about, not its papers. A member
of the Law Commission who attends a jury follows the whole case (R17), but its deliberation is the jury's own."""


def can(actor: Actor, permission: Permission, parts: Collection[Part] = ()) -> bool:
    """Whether the actor may, given his parts in the case at hand (none outside a case)."""
    if permission is Permission.ANYONE:
        return True
    if permission is Permission.SIGNED_IN:
        return actor.person_id is not None
    if permission is Permission.ASK_FOR_RULING:
        return actor.person_id is not None and actor.link is None
    if permission in IN_CASE:
        return not IN_CASE[permission].isdisjoint(parts)
    allowed = GENERAL.get(permission, frozenset())
    return actor.link is None and any(role in allowed for role, _ in actor.roles)


def visible_cases(actor: Actor) -> Select[UUID]:
    """The ids of all cases the actor may know of: the start of every list, count and search (S-AC2)."""
    return select(col(Case.id)).where(_may_know(actor))


def _may_know(actor: Actor) -> ColumnElement[bool]:
    if actor.link is not None:
        return _by_link(actor.link, actor.person_id)
    if actor.person_id is None:
        return false()
    if actor.holds(Role.OFFICE):
        return true()
    person = actor.person_id
    return or_(
        col(Case.id).in_(as_party(person)),
        col(Case.id).in_(_as_staff(person)),
        col(Case.id).in_(_as_panel(person)),
        col(Case.id).in_(_as_law_commission(actor)),
    )


def _by_link(link: LinkScope, person_id: UUID | None) -> ColumnElement[bool]:
    mine = col(Case.id) == link.case_id
    if link.seat_id is None or person_id is None:
        return mine
    return mine & col(Case.id).in_(_as_panel(person_id))


def as_party(person: UUID | None) -> Select[UUID]:
    """The ids of the cases that somebody is a party in: there he is nothing else."""
    members = col(PartyMember.party_id) == col(Party.id)
    return select(col(Party.case_id)).join(PartyMember, members).where(col(PartyMember.person_id) == person)


def _as_staff(person: UUID) -> Select[UUID]:
    """Staff of the tournament; an organiser or director who plays in the case is a party of it, nothing more."""
    return (
        select(col(Case.id))
        .join(Incident, col(Incident.id) == col(Case.incident_id))
        .join(Grant, col(Grant.tournament_id) == col(Incident.tournament_id))
        .where(col(Grant.person_id) == person, col(Grant.role).in_(TOURNAMENT_STAFF))
    )


def _as_panel(person: UUID) -> Select[UUID]:
    """A seat gives sight of the case until its holder is recused (S-AC5) or its decision is appealed (R19)."""
    appealed = select(col(Proceeding.parent_id)).where(
        col(Proceeding.parent_id).is_not(None), col(Proceeding.state) != State.WRITTEN_OFF
    )
    return (
        select(col(Proceeding.case_id))
        .join(Panel, col(Panel.proceeding_id) == col(Proceeding.id))
        .join(Seat, col(Seat.panel_id) == col(Panel.id))
        .where(col(Seat.person_id) == person, col(Seat.conflict).not_in(LEFT))
        .where(col(Proceeding.id).not_in(appealed))
    )


def _as_law_commission(actor: Actor) -> Select[UUID]:
    """LK's chair sees what goes to LK, and cases without a ruling, which he may take up (R22), unless he is recused.

    Members see by their seats.
    """
    to_lk = select(col(Proceeding.case_id)).where(
        (col(Proceeding.body) == Body.LAW_COMMISSION) | col(Proceeding.state).in_(WITHOUT_RULING)
    )
    if not actor.holds(Role.LK_CHAIR):
        return to_lk.where(false())
    recused = (
        select(col(Proceeding.case_id))
        .join(Panel, col(Panel.proceeding_id) == col(Proceeding.id))
        .join(Seat, col(Seat.panel_id) == col(Panel.id))
        .where(col(Seat.person_id) == actor.person_id, col(Seat.conflict) == ConflictState.RECUSED)
    )
    return to_lk.where(col(Proceeding.case_id).not_in(recused))


WITHOUT_RULING = (State.REQUESTED, State.OPEN, State.POSTPONED)

__all__ = ["NOBODY", "SYSTEM", "Actor", "LinkScope", "Permission", "as_party", "can", "visible_cases"]

"""Who an audience is, as persons, and in which parts somebody acts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol
from uuid import UUID

from casework.domain.access import Actor
from casework.domain.terms import Audience, Body, ConflictState, DeadlineKind, Part, Role, SeatRole
from casework.domain.workflow.bases import rebases, with_news
from casework.domain.workflow.facts import Ask, Facts, PartyFacts
from casework.domain.workflow.panel_changes import attending, leaving, new_chair, staying

Recipient = tuple[UUID, UUID | None]
"""A person, and the party he is told as a member of."""

_DIRECTORS = (Role.DIRECTOR, Role.CHIEF_DIRECTOR, Role.ASSISTANT_DIRECTOR)


def parts_of(actor: Actor, facts: Facts) -> frozenset[Part]:
    """In which parts somebody acts here. A party is never anything else in its own case; nor is the recused."""
    if actor.system:
        return frozenset({Part.SYSTEM})
    if actor.person_id is None or (actor.link is not None and actor.link.case_id != facts.case_id):
        return frozenset()
    party = facts.party_of(actor.person_id)
    if party is not None:
        return frozenset({Part.PARTY, Part.APPELLANT}) if _appeals(party, facts) else frozenset({Part.PARTY})
    if actor.link is not None:
        return frozenset(_panel_parts(actor.person_id, facts))
    return frozenset({*_panel_parts(actor.person_id, facts), *_staff_parts(actor.person_id, facts)})


def _appeals(party: PartyFacts, facts: Facts) -> bool:
    return any(appeal.party_id == party.id and not appeal.withdrawn for appeal in facts.appeals)


def _panel_parts(person_id: UUID, facts: Facts) -> Iterator[Part]:
    panel = facts.panel
    for seat in panel.seats if panel else ():
        if seat.person_id != person_id or not seat.conflict.sits:
            continue
        if seat.role is SeatRole.ATTENDEE:
            yield Part.ATTENDS
            continue
        if seat.conflict is not ConflictState.NONE:
            yield Part.SEATED
            continue
        yield Part.PANEL
        if seat.role is SeatRole.CHAIR:
            yield Part.CHAIR


def _staff_parts(person_id: UUID, facts: Facts) -> Iterator[Part]:
    roles = {role for person, role in facts.staff if person == person_id}
    if roles.intersection(_DIRECTORS) or facts.this.director_id == person_id:
        yield Part.DIRECTOR
    if Role.CHIEF_DIRECTOR in roles:
        yield Part.CHIEF_DIRECTOR
    if Role.ORGANISER in roles:
        yield Part.ORGANISER
    if Role.OFFICE in roles:
        yield Part.OFFICE
    if Role.LK_CHAIR in roles and facts.this.body is not Body.JURY and not _barred_from_lk(person_id, facts):
        yield Part.LK_CHAIR


def _barred_from_lk(person_id: UUID, facts: Facts) -> bool:
    """R19: who was recused, sat on the jury or is the case's director does nothing in LK either."""
    recused = any(
        seat.person_id == person_id and seat.conflict is ConflictState.RECUSED
        for panel in facts.panels
        for seat in panel.seats
    )
    return recused or person_id in facts.earlier_jurors or person_id in facts.directors


def recipients(audience: Audience, facts: Facts, ask: Ask) -> Iterable[Recipient]:
    """The persons an audience is, each once, with the party he belongs to if he is told as a party."""
    return AUDIENCES[audience](facts, ask)


def _members(parties: Iterable[PartyFacts]) -> list[Recipient]:
    return [(member.person_id, party.id) for party in parties for member in party.members]


def _holding(facts: Facts, role: Role) -> list[Recipient]:
    return [(person, None) for person, held in sorted(facts.staff, key=str) if held is role]


def _deciding(facts: Facts) -> list[UUID]:
    return [seat.person_id for seat in facts.panel.deciding] if facts.panel else []


def called(facts: Facts) -> frozenset[UUID]:
    """Who else must be called to the jury's hearing: every LK member present who is not a party (R17, R18)."""
    if facts.this.body is not Body.JURY:
        return frozenset()
    on_panel = {seat.person_id for seat in facts.panel.deciding} if facts.panel else set()
    return frozenset(p for p in facts.present_lk if facts.party_of(p) is None and p not in on_panel)


def concurring(facts: Facts, party_id: UUID) -> frozenset[UUID]:
    """Whose word an appeal of the party needs."""
    return whose_word(facts.party(party_id).members)


class _Playing(Protocol):
    @property
    def person_id(self) -> UUID: ...
    @property
    def captain(self) -> bool: ...
    @property
    def at_table(self) -> bool: ...


def whose_word(members: Iterable[_Playing]) -> frozenset[UUID]:
    """Whose word counts for a side (Law 92D): both players of a pair, the captain of a team, nobody else alone."""
    side = tuple(members)
    captains = frozenset(member.person_id for member in side if member.captain)
    return captains or frozenset(member.person_id for member in side if member.at_table)


def _started_parties(facts: Facts, ask: Ask) -> Iterable[Recipient]:
    """Whose own time to appeal this step starts or starts anew, and who has not appealed in time already."""
    moved = {rebase.deadline_id for rebase in rebases(with_news(facts, ask), ask)}
    windows = (d for d in facts.deadlines if d.kind is DeadlineKind.APPEAL_WINDOW and d.proceeding_id == facts.this.id)
    started = {d.party_id for d in windows if d.id in moved}
    appealed = {appeal.party_id for appeal in facts.against_this if appeal.in_time is not False}
    return _members(party for party in facts.parties if party.id in started - appealed)


def _parties_out_of_time(facts: Facts, _ask: Ask) -> Iterable[Recipient]:
    running = {d.party_id for d in facts.running(DeadlineKind.APPEAL_WINDOW)}
    return _members(party for party in facts.parties if party.id not in running)


def _appellants(facts: Facts, ask: Ask) -> Iterable[Recipient]:
    appealing = {ask.party_id} if ask.party_id else {appeal.party_id for appeal in facts.tried_here}
    return _members(party for party in facts.parties if party.id in appealing)


def _partners(facts: Facts, ask: Ask) -> Iterable[Recipient]:
    must = concurring(facts, ask.party_id) if ask.party_id else frozenset()
    return [(person, ask.party_id) for person in sorted(must - {ask.data.get("lodged_by")}, key=str)]


def _composer(facts: Facts, ask: Ask) -> Iterable[Recipient]:
    """Who appointed the panel; where he works here no more, those whose work it is. Who acts sees it where he acts."""
    works_here = {person for person, _ in facts.staff}
    composer: UUID | None = ask.data.get("composer")
    theirs = Role.LK_CHAIR if facts.this.body is Body.LAW_COMMISSION else Role.ORGANISER
    found: list[Recipient] = [(composer, None)] if composer in works_here else _holding(facts, theirs)
    return [each for each in found if each[0] != ask.person_id]


def _new_chair(facts: Facts, ask: Ask) -> Iterable[Recipient]:
    person = new_chair(facts, ask)
    return [(person, None)] if person else []


AUDIENCES: Mapping[Audience, Callable[[Facts, Ask], Iterable[Recipient]]] = {
    Audience.PARTIES: lambda facts, _: _members(facts.parties),
    Audience.STARTED_PARTIES: _started_parties,
    Audience.PARTIES_OUT_OF_TIME: _parties_out_of_time,
    Audience.APPELLANTS: _appellants,
    Audience.ACTOR_PARTY: lambda facts, ask: _members(p for p in facts.parties if p.id == ask.party_id),
    Audience.OTHER_PARTIES: lambda facts, ask: _members(p for p in facts.parties if p.id != ask.party_id),
    Audience.PARTNERS: _partners,
    Audience.DIRECTOR: lambda facts, _: [(facts.this.director_id, None)] if facts.this.director_id else [],
    Audience.NAMED: lambda _, ask: [(ask.data["director_id"], None)],
    Audience.ORGANISERS: lambda facts, _: _holding(facts, Role.ORGANISER),
    Audience.OFFICE: lambda facts, _: _holding(facts, Role.OFFICE),
    Audience.LAW_COMMISSION: lambda facts, _: _holding(facts, Role.LK_CHAIR),
    Audience.PANEL: lambda facts, ask: [(person, None) for person in ask.data.get("seated", _deciding(facts))],
    Audience.NEW_CHAIR: _new_chair,
    Audience.STAYING: lambda facts, ask: [(person, None) for person in staying(facts, ask)],
    Audience.ATTENDING: lambda facts, ask: [(person, None) for person in attending(facts, ask)],
    Audience.SEATED_NOW: lambda _, ask: [(person, None) for person in ask.data.get("seated", ())],
    Audience.COMPOSER: _composer,
    Audience.LEAVING: lambda facts, ask: [(person, None) for person in leaving(facts, ask)],
    Audience.CALLED: lambda facts, _: [(person, None) for person in sorted(called(facts), key=str)],
}

__all__ = ["Recipient", "called", "concurring", "parts_of", "recipients"]

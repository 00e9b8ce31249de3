"""Questions about cases that change nothing. Every list starts from `visible_cases` (S-AC2)."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import exists
from sqlmodel import Session, col, select

from casework import clock
from casework.domain.access import Actor, visible_cases
from casework.domain.errors import Missing
from casework.domain.models import (
    Case,
    Decision,
    Incident,
    Notice,
    Party,
    PartyMember,
    Person,
    Proceeding,
    Tournament,
)
from casework.domain.terms import ActionName, Part, ProceedingKind, State
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.audience import parts_of
from casework.domain.workflow.facts import Facts
from casework.services import untold
from casework.services.loading import Loaded, load
from casework.services.snapshot import snapshot
from casework.services.standing import Standing, current, ends, standings

PAGE = 25
"""Cases on one page of a list."""


class View(StrEnum):
    """The saved views of the list of cases."""

    ALL = "alla"
    WAITING = "vantar"
    APPEALED = "overklagade"
    DECIDED = "avgjorda"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseList:
    """One page of a view, the number of cases in it, and the number in each view without a search."""

    cases: tuple[Standing, ...]
    total: int
    page: int
    pages: int
    counts: dict[View, int]


def load_visible(session: Session, case_id: UUID, actor: Actor, now: datetime | None = None) -> Loaded:
    """The case around its newest proceeding, as the actor may know it `now` (else by the clock).

    Raises:
        Missing: there is no such case, or the actor may not know of it.
    """
    query = (
        select(col(Proceeding.id))
        .join(Case, col(Case.id) == col(Proceeding.case_id))
        .where(Proceeding.case_id == case_id, col(Case.id).in_(visible_cases(actor)))
        .order_by(col(Proceeding.opened_at).desc(), col(Proceeding.kind))
        .limit(1)
    )
    newest = session.exec(query).first()
    if newest is None:
        raise Missing
    return untold.as_reader(session, load(session, newest), actor, now or clock.now())


def load_for(session: Session, case_id: UUID, actor: Actor, *names: ActionName) -> Loaded:
    """The case around the newest proceeding in whose state one of these actions is the actor's, else where it stands.

    Raises:
        Missing: there is no such case, or the actor may not know of it.
    """
    loaded = load_visible(session, case_id, actor)
    for at in around_each(loaded):
        parts = parts_of(actor, snapshot(at))
        actions = PROCEDURES[at.proceeding.kind].actions
        if any(a.name in names and at.proceeding.state in a.start and a.who & parts for a in actions):
            return at
    return replace(loaded, proceeding=current(loaded.proceedings))


def around_each(loaded: Loaded) -> list[Loaded]:
    """The loaded case around each of its proceedings, the newest first."""
    return [replace(loaded, proceeding=proceeding) for proceeding in reversed(loaded.proceedings)]


def parts_in_case(session: Session, case_id: UUID, actor: Actor) -> frozenset[Part]:
    """The actor's parts in any proceeding of the case; none where he may not know of it."""
    try:
        loaded = load_visible(session, case_id, actor)
    except Missing:
        return frozenset()
    return all_parts(snapshot(loaded), actor)


def all_parts(facts: Facts, actor: Actor) -> frozenset[Part]:
    """Parts over all proceedings. A juror has none once his decision is appealed; by a link, once it is made."""
    found: set[Part] = set()
    appealed = {p.parent_id for p in facts.proceedings if p.state is not State.WRITTEN_OFF}
    by_seat = actor.link is not None and actor.link.seat_id is not None
    for proceeding in facts.proceedings:
        parts = parts_of(actor, replace(facts, this=proceeding))
        over = proceeding.id in appealed or (by_seat and proceeding.decision_id is not None)
        found |= parts - _ON_PANEL if over else parts
    return frozenset(found)


_ON_PANEL = {Part.PANEL, Part.CHAIR, Part.SEATED, Part.ATTENDS}


def case_list(
    session: Session, actor: Actor, *, view: View, search: str = "", page: int = 1, now: datetime | None = None
) -> CaseList:
    """A page of the cases that the actor may know of, in one view, narrowed by a search.

    Number, board, tournament, club and names are looked for, whatever their case and accents (U20).
    """
    now = now or clock.now()
    views = _views(session, actor, now)
    if search.strip():
        found = _matching(session, actor, search)
        views = {name: [case_id for case_id in ids if case_id in found] for name, ids in views.items()}
    chosen = views[view]
    pages = max(1, -(-len(chosen) // PAGE))
    page = min(max(page, 1), pages)
    rows = standings(session, chosen[(page - 1) * PAGE : page * PAGE], actor, now)
    return CaseList(
        cases=tuple(rows),
        total=len(chosen),
        page=page,
        pages=pages,
        counts={name: len(ids) for name, ids in views.items()},
    )


def _views(session: Session, actor: Actor, now: datetime) -> dict[View, list[UUID]]:
    """The ids of each view, the newest case first; what waits for the actor by what must be done first."""
    here = _here(session, actor, now)
    waiting = by_deadline(standings(session, _unfinished(session, here), actor, now))
    return {
        View.ALL: list(here),
        View.WAITING: [row.case_id for row in waiting if waits_for(row, actor)],
        View.APPEALED: [case for case, at in here.items() if at.kind is ProceedingKind.APPEAL and not ends(at)],
        View.DECIDED: [case for case, at in here.items() if ends(at)],
    }


def unfinished(session: Session, actor: Actor, now: datetime | None = None) -> list[Standing]:
    """Where the cases stand in which something remains to be done, what must be done first before the others."""
    now = now or clock.now()
    return by_deadline(standings(session, _unfinished(session, _here(session, actor, now)), actor, now))


def waits_for(row: Standing, actor: Actor) -> bool:
    """Whether the case waits for the actor."""
    return actor.person_id in row.waiting.acting or actor.person_id in row.concurring


def by_deadline(rows: Iterable[Standing]) -> list[Standing]:
    """What must be done first, then what has no time set, the oldest first."""
    return sorted(rows, key=lambda row: (row.nearest is None, row.nearest or row.since, row.number))


def _here(session: Session, actor: Actor, now: datetime) -> dict[UUID, Proceeding]:
    """The cases that the actor may know of, the newest first, and the proceeding that each stands in."""
    query = (
        select(Proceeding)
        .join(Case, col(Case.id) == col(Proceeding.case_id))
        .where(col(Case.id).in_(visible_cases(actor)))
        .order_by(col(Case.opened_at).desc(), col(Case.number).desc())
    )
    kept = untold.kept_from(session, actor, now, cases=visible_cases(actor))
    proceedings: dict[UUID, list[Proceeding]] = {}
    for row in session.exec(query):
        proceedings.setdefault(row.case_id, []).append(untold.proceeding_before(row, kept))
    return {case_id: current(rows) for case_id, rows in proceedings.items()}


def _unfinished(session: Session, here: Mapping[UUID, Proceeding]) -> list[UUID]:
    """A decision is not done with while somebody of the parties is not proven to know of it (R37), even a final one."""
    proof = exists().where(
        col(Notice.decision_id) == col(Decision.id),
        col(Notice.person_id) == col(PartyMember.person_id),
        col(Notice.proven_at).is_not(None),
    )
    query = (
        select(col(Decision.proceeding_id))
        .join(Party, col(Party.case_id) == col(Decision.case_id))
        .join(PartyMember, col(PartyMember.party_id) == col(Party.id))
        .where(col(Decision.replaced_by_id).is_(None), ~proof)
    )
    unproven = set(session.exec(query))
    return [case_id for case_id, at in here.items() if not ends(at) or at.id in unproven]


def _matching(session: Session, actor: Actor, search: str) -> set[UUID]:
    """The visible cases in which every word of the search is found."""
    query: Any = (
        select(  # type: ignore[call-overload]  # six: typed are four
            col(Case.id),
            col(Case.number),
            col(Incident.board),
            col(Tournament.name),
            Person,
            col(Party.name),
        )
        .join(Incident, col(Incident.id) == col(Case.incident_id))
        .join(Tournament, col(Tournament.id) == col(Incident.tournament_id))
        .join(Party, col(Party.case_id) == col(Case.id))
        .join(PartyMember, col(PartyMember.party_id) == col(Party.id))
        .join(Person, col(Person.id) == col(PartyMember.person_id))
        .where(col(Case.id).in_(visible_cases(actor)))
    )
    texts: dict[UUID, str] = {}
    for case_id, number, board, tournament, person, team in session.exec(query):
        words = f"{number} {board or ''} {tournament} {person.name} {person.club} {person.member_number} {team}"
        texts[case_id] = f"{texts.get(case_id, '')} {fold(words)}"
    wanted = fold(search).split()
    return {case_id for case_id, text in texts.items() if all(_has(text, word) for word in wanted)}


def _has(text: str, word: str) -> bool:
    """A number is found whole, "18" not in "2018"; of a word its beginning is enough."""
    return f" {word} " in f"{text} " if word.isdigit() else word in text


def fold(text: str) -> str:
    """Lower case, without accents and hyphens."""
    plain = unicodedata.normalize("NFKD", text.casefold()).replace("-", " ")
    return "".join(char for char in plain if not unicodedata.combining(char))

"""Whose word the appeals still lack (Law 92D): of one case, or of many with one query."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlmodel import Session, col, select

from casework.domain.models import Appeal, Concurrence, PartyMember
from casework.domain.workflow import decision_guards
from casework.domain.workflow.audience import whose_word
from casework.domain.workflow.facts import Facts
from casework.services.loading import Loaded
from casework.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsupported:
    """An appeal that not everybody stands behind who must."""

    party: Text
    names: tuple[str, ...]


def unsupported(loaded: Loaded, facts: Facts) -> tuple[Unsupported, ...]:
    """The appeals tried here that cannot be tried yet."""
    missing = {appeal.party_id: decision_guards.lacking(facts, appeal) for appeal in facts.tried_here}
    return tuple(
        Unsupported(
            party=facts.party(party).label, names=tuple(sorted(loaded.persons[person].name for person in persons))
        )
        for party, persons in missing.items()
        if persons
    )


def lacking(session: Session, case_ids: Sequence[UUID]) -> Mapping[UUID, frozenset[UUID]]:
    """Proceeding → the persons who have not said that they stand behind the appeals it tries."""
    query = (
        select(Appeal, PartyMember, Concurrence)
        .join(PartyMember, col(PartyMember.party_id) == col(Appeal.party_id))
        .outerjoin(
            Concurrence,
            (col(Concurrence.appeal_id) == col(Appeal.id)) & (col(Concurrence.person_id) == col(PartyMember.person_id)),
        )
        .where(col(Appeal.case_id).in_(case_ids), col(Appeal.withdrawn_at).is_(None))
    )
    members: dict[UUID, list[PartyMember]] = defaultdict(list)
    said: dict[UUID, set[UUID]] = defaultdict(set)
    proceedings: dict[UUID, UUID] = {}
    for appeal, member, concurrence in session.exec(query):
        proceedings[appeal.id] = appeal.proceeding_id
        members[appeal.id].append(member)
        if concurrence is not None:
            said[appeal.id].add(concurrence.person_id)
    found: dict[UUID, frozenset[UUID]] = defaultdict(frozenset)
    for appeal_id, proceeding_id in proceedings.items():
        found[proceeding_id] |= whose_word(members[appeal_id]) - said[appeal_id]
    return found

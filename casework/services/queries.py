"""Questions about cases that change nothing. Every list starts from `visible_cases` (S-AC2)."""

from dataclasses import replace
from uuid import UUID

from sqlmodel import Session, col, select

from casework.domain.access import Actor, visible_cases
from casework.domain.errors import Missing
from casework.domain.models import Case, Proceeding
from casework.domain.terms import Part
from casework.domain.workflow.audience import parts_of
from casework.domain.workflow.facts import Facts
from casework.services.loading import Loaded, load
from casework.services.snapshot import snapshot


def load_visible(session: Session, case_id: UUID, actor: Actor) -> Loaded:
    """The case around its newest proceeding.

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
    return load(session, newest)


def parts_in_case(session: Session, case_id: UUID, actor: Actor) -> frozenset[Part]:
    """The actor's parts in any proceeding of the case; none where he may not know of it."""
    try:
        loaded = load_visible(session, case_id, actor)
    except Missing:
        return frozenset()
    return all_parts(snapshot(loaded), actor)


def all_parts(facts: Facts, actor: Actor) -> frozenset[Part]:
    """Parts over all proceedings; a juror's link gives none once his panel has decided."""
    found: set[Part] = set()
    for proceeding in facts.proceedings:
        parts = parts_of(actor, replace(facts, this=proceeding))
        if actor.link is not None and actor.link.seat_id is not None and proceeding.decision_id is not None:
            continue
        found |= parts
    return frozenset(found)

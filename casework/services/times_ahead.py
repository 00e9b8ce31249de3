"""Times that have not started: in words what starts them, and when they end if a message starts them now."""

from datetime import datetime

from casework.domain.calendar import with_pauses
from casework.domain.models import Deadline, Notice
from casework.domain.terms import NoticeKind
from casework.domain.workflow.bases import base_is, rebases, with_news
from casework.domain.workflow.facts import Ask, DeadlineFacts, ProofFacts
from casework.domain.workflow.table import Base
from casework.services.loading import Loaded
from casework.services.reckoning import pauses_of, reckoned_for
from casework.services.snapshot import snapshot
from casework.text import Text, t


def why(loaded: Loaded, deadline: Deadline, *, mine: bool) -> Text:
    """How a deadline was reckoned, or what it still waits for; `mine`: its reader belongs to its party."""
    if deadline.instant is not None or deadline.halted_at is not None or deadline.party_id is None:
        return deadline.explanation
    base = base_is(_as_facts(deadline), snapshot(loaded))
    unpublished = base is Base.PUBLICATION_AND_PROOF and loaded.playing_session.published_at is None
    waits = _UNPUBLISHED[mine] if unpublished else _UNTOLD[base, mine]
    return with_pauses(waits, pauses_of(deadline))


_UNPUBLISHED = {
    True: t("The time starts when the official score has been made available and you have been told the ruling."),
    False: t("The time starts when the official score has been made available and the side has been told the ruling."),
}
_UNTOLD = {
    (Base.PUBLICATION_AND_PROOF, True): t("The time starts when the ruling has reached you."),
    (Base.PUBLICATION_AND_PROOF, False): t("The time starts when the ruling has reached the side."),
    (Base.PROOF_OF_DECISION, True): t("The time starts when the decision has reached you."),
    (Base.PROOF_OF_DECISION, False): t("The time starts when the decision has reached the side."),
    (Base.PROOF_OF_DEMAND, True): t("The time starts when the question has reached you."),
    (Base.PROOF_OF_DEMAND, False): t("The time starts when the question has reached the side."),
}


def as_if_told(loaded: Loaded, notice: Notice, now: datetime) -> list[Deadline]:
    """The deadlines as they are when this message reaches its party now: what it starts runs, the rest as it is.

    New rows in memory, for words only. The procedure itself says what starts, so page and message agree.
    """
    starts = notice.kind in _TELLS_DECISION or notice.demand_id is not None
    if notice.party_id is None or not starts or notice.proven_at is not None:
        return loaded.deadlines
    proof = ProofFacts(
        kind=notice.kind,
        person_id=notice.person_id,
        party_id=notice.party_id,
        decision_id=notice.decision_id if notice.demand_id is None else None,
        demand_id=notice.demand_id,
        at=now,
    )
    ask = Ask(person_id=None, parts=frozenset(), now=now, data={"proofs": (proof,)})
    bases = {each.deadline_id: each.base for each in rebases(with_news(snapshot(loaded), ask), ask) if each.base}
    return [
        _running(row, bases[row.id], now) if row.id in bases and not row.instant and not row.halted_at else row
        for row in loaded.deadlines
    ]


_TELLS_DECISION = frozenset({NoticeKind.RULING, NoticeKind.DECISION})


def _running(row: Deadline, base: datetime, now: datetime) -> Deadline:
    because = (
        t("This message was sent {at}", at=now)
        if base == now
        else t("The official score was made available {at}", at=base)
    )
    ends = reckoned_for(row, base, because)
    times = {"base": base, "instant": ends.instant, "last_day": ends.last_day, "unrolled": ends.unrolled}
    return Deadline.model_validate(row.model_dump() | times | {"explanation": ends.explanation})


def _as_facts(row: Deadline) -> DeadlineFacts:
    return DeadlineFacts(id=row.id, proceeding_id=row.proceeding_id, kind=row.kind, party_id=row.party_id)

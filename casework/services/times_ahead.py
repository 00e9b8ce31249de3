"""Times that have not started: in words what starts them, and when they end if a message starts them now."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, or_
from sqlmodel import Session, col, update

from casework.domain.delivery import NamedStart, Outdated
from casework.domain.explaining import stands_still
from casework.domain.models import Deadline, Notice
from casework.domain.terms import NoticeKind
from casework.domain.workflow.bases import base_is, named_start, rebases, with_news
from casework.domain.workflow.facts import Ask, DeadlineFacts, ProofFacts
from casework.domain.workflow.table import Base
from casework.services.loading import Loaded, lock_case
from casework.services.reckoning import as_if, pauses_of, reckoned_from
from casework.services.snapshot import snapshot
from casework.text import Text, t


def why(loaded: Loaded, deadline: Deadline, *, mine: bool) -> Text:
    """How a deadline was reckoned, or what it still waits for; `mine`: its reader belongs to its party."""
    if deadline.instant is not None or deadline.halted_at is not None or deadline.party_id is None:
        return deadline.explanation
    base = base_is(_as_facts(deadline), snapshot(loaded))
    unpublished = base is Base.PUBLICATION_AND_PROOF and loaded.playing_session.published_at is None
    waits = _UNPUBLISHED[mine] if unpublished else _UNTOLD[base, mine]
    return stands_still(waits, ((pause.begins, pause.ends) for pause in pauses_of(deadline)))


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


def started_by(loaded: Loaded, notice: Notice, now: datetime) -> list[Deadline]:
    """The deadlines that this message starts if it is written now, as they are from when it is proven.

    New rows in memory, for words only. The procedure itself says what starts, so page and message agree.
    """
    starts = notice.kind in _TELLS_DECISION or notice.demand_id is not None
    if notice.party_id is None or not starts or notice.proven_at is not None:
        return []
    proof = ProofFacts(
        kind=notice.kind,
        person_id=notice.person_id,
        party_id=notice.party_id,
        decision_id=notice.decision_id if notice.demand_id is None else None,
        demand_id=notice.demand_id,
        at=now,
    )
    ask = Ask(person_id=None, parts=frozenset(), now=now, data={"proofs": (proof,)})
    facts = with_news(snapshot(loaded), ask)
    started = {each.deadline_id: each.base_is for each in rebases(facts, ask) if each.base}
    return [
        _running(row, started[row.id], loaded.playing_session.published_at, now)
        for row in loaded.deadlines
        if row.id in started and not row.instant and not row.halted_at
    ]


_TELLS_DECISION = frozenset({NoticeKind.RULING, NoticeKind.DECISION})


def _running(row: Deadline, base_is: Base, published_at: datetime | None, now: datetime) -> Deadline:
    start = named_start(now, row.told_base)
    alike = {} if start == row.told_base else {"changes": row.changes + 1, "changed_at": now}
    named = as_if(row, told_base=start, **alike)
    ends = reckoned_from(named, start, base_is, published_at)
    times = {"instant": ends.instant, "last_day": ends.last_day, "unrolled": ends.unrolled}
    return as_if(named, base=start, explanation=ends.explanation, **times)


def name_starts(session: Session, starts: Sequence[NamedStart], now: datetime) -> None:
    """Fix the starts that a mail names, in the very unit that begins its sending: from then on they hold.

    Raises:
        Outdated: a start has passed, or a deadline has begun or changed since the mail was written.
    """
    for start in starts:
        lock_case(session, start.proceeding_id)
        unchanged = col(Deadline.changes) == start.change - 1
        named_alike = and_(col(Deadline.changes) == start.change, col(Deadline.told_base) == start.at)
        fixed = session.exec(
            update(Deadline)
            .where(col(Deadline.id) == start.deadline_id, col(Deadline.ended).is_(None))
            .where(or_(unchanged, named_alike))
            .values(told_base=start.at, changes=start.change, changed_at=start.made_at)
        )
        if start.at <= now or fixed.rowcount != 1:
            raise Outdated


def _as_facts(row: Deadline) -> DeadlineFacts:
    return DeadlineFacts(id=row.id, proceeding_id=row.proceeding_id, kind=row.kind, party_id=row.party_id)

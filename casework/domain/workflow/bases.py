"""From when a party's deadline runs: as far as it is proven, and with what a step makes known.

A mail whose own proof starts a time must say when that time ends, and no proof is there before its last byte has gone:
the mail server's answer is the proof. So the mail names a start a little ahead (`named_start`), which is fixed with the
deadline before the first byte goes (`told_base`), and the time runs from the proof but never from before the start that
was named (own reading, shown as such). Page, mail, calendar file and PDF then say the same, to the second, and nobody
gets less than his time. Where the server answers after the named start the time runs from the answer: longer than the
mail says, never shorter, and the page says so. A mail that is tried again names a start of its own.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from casework.domain.minutes import whole_minute
from casework.domain.terms import DeadlineEnd, DeadlineKind, State
from casework.domain.workflow.facts import Ask, DeadlineFacts, Facts
from casework.domain.workflow.table import Base, Rebase

BASES = {DeadlineKind.APPEAL_WINDOW, DeadlineKind.STATEMENT, DeadlineKind.ANSWER}
_MINUTE = timedelta(minutes=1)
AHEAD = _MINUTE
"""How long a mail server may take to answer, from when the mail is written, before the time runs from its answer."""


def named_start(now: datetime, named: datetime | None = None) -> datetime:
    """The start that a mail written at `now` names: a full minute ahead of it.

    `named` is what another mail to the same side has named: the same for both, while it lies ahead.
    """
    if named is not None and named > now:
        return named
    whole = whole_minute(now + AHEAD)
    return whole if whole - now >= AHEAD else whole + _MINUTE


def with_news(facts: Facts, ask: Ask) -> Facts:
    """The facts with what this very step makes known: that somebody was told, or when the score was published."""
    wrong, right = ask.data.get("correction", (None, None))
    known = tuple(right if proof == wrong else proof for proof in facts.proofs)
    return replace(
        facts,
        proofs=(*known, *ask.data.get("proofs", ())),
        published_at=ask.data.get("published_at", facts.published_at),
    )


def rebases(facts: Facts, ask: Ask) -> Iterator[Rebase]:
    """The deadlines whose start has become known.

    A base once known moves later, never earlier, whatever is put right afterwards: who has been told a last day may
    rely on it (own reading, shown as such).
    """
    for deadline in facts.deadlines:
        if deadline.party_id is not None and deadline.kind in BASES and _can_move(deadline, facts):
            base = base_of(deadline, facts)
            if base is not None and (deadline.base is None or base > deadline.base):
                yield Rebase(deadline_id=deadline.id, base=base, base_is=base_is(deadline, facts))


def _can_move(deadline: DeadlineFacts, facts: Facts) -> bool:
    """What runs, and a time to appeal that has run out: counted from too early a start, it had not (R32).

    Where the decision has been tried already there is nothing left to appeal.
    """
    owner = next(p for p in facts.proceedings if p.id == deadline.proceeding_id)
    ran_out = deadline.kind is DeadlineKind.APPEAL_WINDOW and deadline.ended is DeadlineEnd.EXPIRED
    return deadline.ended is None or (ran_out and owner.state is not State.TRIED)


def lost_bases(facts: Facts) -> Iterator[Rebase]:
    """The deadlines whose start has turned out not to be proven: the mail came back, perhaps after its time."""
    for deadline in facts.deadlines:
        counted = deadline.base is not None and _can_move(deadline, facts)
        if counted and deadline.party_id is not None and deadline.kind in BASES and base_of(deadline, facts) is None:
            yield Rebase(deadline_id=deadline.id, base=None, base_is=base_is(deadline, facts))


def base_is(deadline: DeadlineFacts, facts: Facts) -> Base:
    """From what a party's deadline runs: a ruling's window from the score, every other from that party's notice."""
    if deadline.kind is not DeadlineKind.APPEAL_WINDOW:
        return Base.PROOF_OF_DEMAND
    owner = next(p for p in facts.proceedings if p.id == deadline.proceeding_id)
    return Base.PROOF_OF_DECISION if owner.tries_id or owner.taken_up else Base.PUBLICATION_AND_PROOF


def base_of(deadline: DeadlineFacts, facts: Facts) -> datetime | None:
    """The start of a party's deadline as far as it is proven; None while it is not."""
    if deadline.party_id is None:
        return deadline.base
    base = _proven_base(deadline, deadline.party_id, facts)
    return base and not_before(deadline.told_base, base)


def not_before(named: datetime | None, base: datetime) -> datetime:
    """A start that is proven, but never before the one that a mail has named."""
    return base if named is None else max(base, named)


def _proven_base(deadline: DeadlineFacts, party_id: UUID, facts: Facts) -> datetime | None:
    if deadline.kind is not DeadlineKind.APPEAL_WINDOW:
        return facts.told_at(party_id, demand_id=deadline.demand_id)
    owner = next(p for p in facts.proceedings if p.id == deadline.proceeding_id)
    told = facts.told_at(party_id, decision_id=owner.decision_id)
    return start_of(base_is(deadline, facts), told, facts)


def start_of(base: Base, told: datetime | None, facts: Facts) -> datetime | None:
    """When a span begins that a party was told of at `told`: a ruling's not before the official score (R32)."""
    if base is not Base.PUBLICATION_AND_PROOF:
        return told
    if told is None or facts.published_at is None:
        return None
    return max(told, facts.published_at)

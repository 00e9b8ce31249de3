"""What becomes of a side's times by a letter's arrival: in words, and by the procedure's own reckoning (R32, R37)."""

from dataclasses import replace
from datetime import datetime

from casework.domain.labels import sides_time
from casework.domain.models import Deadline, Notice
from casework.domain.terms import DeadlineEnd, DeadlineKind
from casework.domain.workflow.bases import BASES, base_is, base_of
from casework.domain.workflow.facts import DeadlineFacts, Facts
from casework.services.loading import Loaded
from casework.services.reckoning import reckoned_from
from casework.services.snapshot import proof_of, snapshot
from casework.services.times_ahead import why
from casework.text import Text, t


def by_letter(loaded: Loaded, notice: Notice, arrived_at: datetime | None = None) -> list[Text]:
    """A sentence for each time of the side that a letter can start.

    It is as the letter has made it, or would if it arrived at `arrived_at`; without that as it is while nobody knows.
    """
    at = notice.proven_at or arrived_at
    facts = snapshot(loaded)
    mine = proof_of(notice, at=at) if at else None
    without = replace(facts, proofs=tuple(proof for proof in facts.proofs if proof != mine))
    known = replace(without, proofs=(*without.proofs, mine)) if mine else without
    rows = {row.id: row for row in loaded.deadlines}
    found = [
        _becomes(loaded, rows[each.id], _start(each, known), started=_started(each, without, known))
        for each in facts.deadlines
        if _hangs_on(each, notice, facts)
    ]
    return found or [t("No time to appeal or to answer hangs on this letter.")]


def _hangs_on(deadline: DeadlineFacts, notice: Notice, facts: Facts) -> bool:
    if deadline.party_id != notice.party_id or deadline.kind not in BASES or deadline.ended is DeadlineEnd.MOVED:
        return False
    if deadline.kind is not DeadlineKind.APPEAL_WINDOW:
        return deadline.demand_id is not None and deadline.demand_id == notice.demand_id
    owner = next(p for p in facts.proceedings if p.id == deadline.proceeding_id)
    return notice.demand_id is None and owner.decision_id is not None and owner.decision_id == notice.decision_id


def _start(deadline: DeadlineFacts, known: Facts) -> datetime | None:
    """A start once known is not moved earlier: who has been told a last day may rely on it."""
    return deadline.base or base_of(deadline, known)


def _started(deadline: DeadlineFacts, without: Facts, known: Facts) -> bool:
    """Whether it is this letter that starts the time, and nothing that the side got before it."""
    start = _start(deadline, known)
    return start == base_of(deadline, known) != base_of(deadline, without)


def _becomes(loaded: Loaded, row: Deadline, start: datetime | None, *, started: bool) -> Text:
    what = sides_time(row.kind)
    if row.ended is DeadlineEnd.EXPIRED and row.instant is not None:
        return t("{what} ran out {ends}.", what=what, ends=row.instant)
    if row.ended is not None:
        return t("{what} does not run any more.", what=what)
    if start is None or row.halted_at is not None:
        return t("{what}: {why}", what=what, why=why(loaded, row, mine=False))
    ends = row.instant or _reckoned(loaded, row, start)
    if started:
        return t("{what} runs from {start} and ends {ends}.", what=what, start=start, ends=ends)
    return t(
        "{what} runs from {start} and ends {ends}: the side was told before. This letter does not change it.",
        what=what,
        start=start,
        ends=ends,
    )


def _reckoned(loaded: Loaded, row: Deadline, start: datetime) -> datetime:
    facts = snapshot(loaded)
    deadline = next(each for each in facts.deadlines if each.id == row.id)
    return reckoned_from(row, start, base_is(deadline, facts), loaded.playing_session.published_at).instant

"""Correcting when a party was told: what it would move is shown before it is done, and the old time is kept."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlmodel import Session

from casework.domain.access import Actor
from casework.domain.errors import Invalid, Missing, NotAllowed
from casework.domain.labels import contestant, label
from casework.domain.minutes import has_run
from casework.domain.models import Deadline, Notice
from casework.domain.shown import Piece, Shown
from casework.domain.terms import ActionName, Channel, DeadlineEnd
from casework.domain.workflow.audience import parts_of
from casework.domain.workflow.bases import BASES, base_is, base_of, with_news
from casework.domain.workflow.facts import Ask, ProofFacts
from casework.domain.workflow.guards import correction_is_possible
from casework.domain.workflow.lodging import TELLERS
from casework.services.engine import confirmed, take
from casework.services.loading import Loaded
from casework.services.notices import not_before_posted
from casework.services.readings import around
from casework.services.reckoning import note_kept, reckoned_from, shortens
from casework.services.reopening import reopen
from casework.services.snapshot import proof_of, snapshot
from casework.services.step import FormInstance, Step
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A time that a correction concerns: as it is, as it would be, and why."""

    deadline_id: UUID
    party: Text
    kind: Text
    base: datetime
    old: datetime | None
    new: datetime
    explanation: Text
    stays: Text | None
    """Why it would not move after all."""


def correctable(notice: Notice) -> bool:
    """Whether a person recorded the proof, and can have been mistaken: a mail server's own word stands."""
    recorded = notice.proven_at is not None and notice.proven_by is not None
    return recorded and notice.party_id is not None and notice.channel in (Channel.SPOKEN, Channel.LETTER)


def may_correct(loaded: Loaded, actor: Actor) -> bool:
    """Whether correcting is the actor's, in this very case."""
    return bool(TELLERS & parts_of(actor, snapshot(loaded)))


def recorded(session: Session, loaded: Loaded, notice_id: UUID) -> tuple[Loaded, Notice]:
    """A notice of the case whose proof can be corrected, and the case around its proceeding.

    Raises:
        Missing: there is none in this case, or nobody recorded it.
    """
    notice = session.get(Notice, notice_id)
    if notice is None or notice.case_id != loaded.case.id or not correctable(notice):
        raise Missing
    return around(loaded, notice.proceeding_id), notice


def preview(loaded: Loaded, notice: Notice, right_at: datetime, now: datetime) -> list[Moved]:
    """Every time that the correction would move, or that has run out already. Raises as `correct_telling`."""
    _refuse(loaded, notice, right_at, now)
    return list(_moved(loaded, notice, right_at, now))


def shown_moved(notice: Notice, moved: Sequence[Moved]) -> Shown:
    """The check page: what is recorded now, and what the correction would move."""
    return Shown({Piece.TIMES: [notice.proven_at, {each.deadline_id: each for each in moved}]})


def _correction_now(loaded: Loaded, notice_id: UUID, right_at: datetime, now: datetime) -> Shown:
    """The same, gathered as the page gathers it."""
    notice = next(one for one in loaded.proofs if one.id == notice_id)
    return shown_moved(notice, preview(loaded, notice, right_at, now))


def correct_telling(
    session: Session,
    notice_id: UUID,
    actor: Actor,
    *,
    right_at: datetime,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Correct when somebody was told: the times that ran from it run anew, and their parties are told.

    Raises:
        Invalid: the instant lies in the future or before the decision, or is the one that stands.
        NotAllowed: no person recorded this proof, or correcting is not the actor's.
        Conflict: it would move the times otherwise than the check page showed.
    """
    notice = session.get_one(Notice, notice_id)
    loaded = confirmed(
        session, notice.proceeding_id, form, lambda _, case: _correction_now(case, notice_id, right_at, now)
    )
    notice = next((one for one in loaded.proofs if one.id == notice_id), notice)
    _refuse(loaded, notice, right_at, now)
    was = notice.proven_at
    kept = [moved for moved in _moved(loaded, notice, right_at, now) if moved.old is not None and moved.new < moved.old]

    def write(_step: Step) -> None:
        notice.proven_at = right_at
        session.add(notice)
        rows = {row.id: row for row in loaded.deadlines}
        for moved in kept:
            if rows[moved.deadline_id].ended is None:
                note_kept(rows[moved.deadline_id], moved.base)
                session.add(rows[moved.deadline_id])

    step = take(
        session,
        loaded,
        ActionName.CORRECT_TIME,
        actor,
        now=now,
        data=_data(notice, right_at)
        | {
            "because": because,
            "happened_at": right_at,
            "recorded": {"was": was.isoformat() if was else ""},
        },
        subject_id=notice_id,
        party_id=notice.party_id,
        form=form,
        write=write,
    )
    reopen(session, step.loaded, now)
    return step


def _data(notice: Notice, right_at: datetime) -> dict[str, Any]:
    return {"correction": (proof_of(notice), _right(notice, right_at))}


def _right(notice: Notice, right_at: datetime) -> ProofFacts:
    return proof_of(notice, at=right_at)


def _refuse(loaded: Loaded, notice: Notice, right_at: datetime, now: datetime) -> None:
    if not correctable(notice):
        raise NotAllowed(t("Only a time that a person has recorded can be corrected."))
    if reason := correction_is_possible(snapshot(loaded), _ask(notice, right_at, now)):
        raise Invalid({"right_at": reason})
    if words := not_before_posted(notice, right_at):
        raise Invalid({"right_at": words})


def _ask(notice: Notice, right_at: datetime, now: datetime) -> Ask:
    return Ask(person_id=None, parts=frozenset(), now=now, data=_data(notice, right_at), subject_id=notice.id)


def _moved(loaded: Loaded, notice: Notice, right_at: datetime, now: datetime) -> Iterator[Moved]:
    facts = with_news(snapshot(loaded), _ask(notice, right_at, now))
    rows = {row.id: row for row in loaded.deadlines}
    for deadline in facts.deadlines:
        if deadline.kind not in BASES or deadline.ended not in (None, DeadlineEnd.EXPIRED):
            continue
        base = base_of(deadline, facts)
        if base is None or base == deadline.base or deadline.halted:
            continue
        row = rows[deadline.id]
        new = reckoned_from(row, base, base_is(deadline, facts), loaded.playing_session.published_at)
        if new.instant == row.instant:
            continue
        yield Moved(
            deadline_id=row.id,
            base=base,
            party=_party(loaded, row),
            kind=label(row.kind),
            old=row.instant,
            new=new.instant,
            explanation=new.explanation,
            stays=_stays(row, new.instant, now),
        )


def _stays(row: Deadline, new: datetime, now: datetime) -> Text | None:
    if row.ended is not None and has_run(new, now):
        return t("It would have run out all the same.")
    if row.prolonged_because and row.instant is not None and new < row.instant:
        return t("More time has been given, and that is not taken back.")
    if shortens(row, new, now):
        return t("The side has been told the later time and may rely on it, so it stands.")
    return None


def _party(loaded: Loaded, row: Deadline) -> Text:
    party = next(p for p in loaded.parties if p.id == row.party_id)
    return contestant(loaded.tournament.form, party.number, party.name)

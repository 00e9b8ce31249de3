"""Counting again: what runs is moved when a day off has come, and which times ran by which rules.

Nothing is moved silently: each move is an event of its case, the party is told, and the old time is kept.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import and_, case
from sqlmodel import Session, col, func, select

from casework.domain.access import SYSTEM
from casework.domain.calendar import Reckoning
from casework.domain.labels import contestant, label
from casework.domain.models import Case, Deadline, Incident, Party, Tournament
from casework.domain.terms import ActionName, DeadlineEnd, DeadlineKind
from casework.services import timers
from casework.services.engine import take
from casework.services.loading import load
from casework.services.reckoning import reckoned_for, rule_version, write_move
from casework.services.step import Step
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class Recount:
    """A running time that would end otherwise today: `kept` where it would end earlier, which takes from nobody."""

    deadline_id: UUID
    number: str
    kind: Text
    party: Text | None
    """Whose time it is, where it is a side's."""
    old: datetime
    new: Reckoning

    @property
    def kept(self) -> bool:
        """Whether it stays, because somebody has been told the later one."""
        return self.new.instant < self.old


def outdated(session: Session) -> list[Recount]:
    """Every running time that other rules gave and that today's would end on another day, the first to end first."""
    running = (
        select(Deadline, col(Case.number), Party, Tournament)
        .join(Case, col(Case.id) == col(Deadline.case_id))
        .join(Incident, col(Incident.id) == col(Case.incident_id))
        .join(Tournament, col(Tournament.id) == col(Incident.tournament_id))
        .outerjoin(Party, col(Party.id) == col(Deadline.party_id))
        .where(
            col(Deadline.ended).is_(None),
            col(Deadline.overdue_at).is_(None),
            col(Deadline.last_day).is_not(None),
            Deadline.rule_version != rule_version(),
        )
        .order_by(col(Deadline.instant), col(Case.number))
    )
    return [
        found
        for row, number, party, tournament in session.exec(running)
        if (found := _changed(row, number, _label(party, tournament)))
    ]


def recalculate(session: Session, deadline_id: UUID, now: datetime) -> bool:
    """Move one running time to where today's rules put it, as a step of its case. False if there is nothing to move."""
    deadline = session.get_one(Deadline, deadline_id)
    loaded = load(session, deadline.proceeding_id, lock=True)
    row = next(d for d in loaded.deadlines if d.id == deadline_id)
    party = next((p for p in loaded.parties if p.id == row.party_id), None)
    found = _changed(row, loaded.case.number, _label(party, loaded.tournament))
    if row.ended is not None or found is None or found.kept:
        return False

    def write(step: Step) -> None:
        write_move(session, row, found.new, action=ActionName.RECALCULATE, now=now)
        session.add(row)
        timers.plan(session, row, step.facts.profile, now, fresh=False)

    data: dict[str, Any] = {"recorded": {"was": found.old.isoformat(), "now": found.new.instant.isoformat()}}
    if row.demand_id is not None and row.party_id is not None:
        data |= {"demand_id": row.demand_id, "demands": {row.party_id: row.demand_id}}
    take(
        session,
        loaded,
        ActionName.RECALCULATE,
        SYSTEM,
        now=now,
        data=data,
        subject_id=deadline_id,
        party_id=row.party_id,
        write=write,
    )
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """A time to appeal that ran out by a rule version."""

    number: str
    kind: Text
    base: datetime | None
    last_day: str
    instant: datetime | None
    ended_at: datetime | None


def versions(session: Session) -> list[tuple[str, int, int]]:
    """Every rule version with how many times it gave, and how many windows to appeal have run out by it."""
    closed = and_(col(Deadline.kind) == DeadlineKind.APPEAL_WINDOW, col(Deadline.ended) == DeadlineEnd.EXPIRED)
    rows = session.exec(
        select(col(Deadline.rule_version), func.count(), func.count(case((closed, 1))))
        .where(Deadline.rule_version != "")
        .group_by(col(Deadline.rule_version))
        .order_by(col(Deadline.rule_version))
    )
    return list(rows)


def closed_by(session: Session, version: str) -> list[Closed]:
    """Which windows a rule version closed: who was cut off, if it was wrong (B1-137)."""
    rows = session.exec(
        select(Deadline, col(Case.number))
        .join(Case, col(Case.id) == col(Deadline.case_id))
        .where(
            Deadline.rule_version == version,
            Deadline.kind == DeadlineKind.APPEAL_WINDOW,
            Deadline.ended == DeadlineEnd.EXPIRED,
        )
        .order_by(col(Deadline.instant), col(Case.number))
    )
    return [
        Closed(
            number=number,
            kind=label(row.kind),
            base=row.base,
            last_day=row.last_day.isoformat() if row.last_day else "",
            instant=row.instant,
            ended_at=row.ended_at,
        )
        for row, number in rows
    ]


def _changed(row: Deadline, number: str, party: Text | None) -> Recount | None:
    if row.base is None or row.instant is None:
        return None
    new = reckoned_for(row, row.base, _because(row, row.base))
    if new.instant == row.instant:
        return None
    return Recount(deadline_id=row.id, number=number, kind=label(row.kind), party=party, old=row.instant, new=new)


def _label(party: Party | None, tournament: Tournament) -> Text | None:
    return contestant(tournament.form, party.number, party.name) if party is not None else None


def _because(row: Deadline, base: datetime) -> Text:
    """The clause that a deadline's sentence begins with, however much has been said after it."""
    words = row.explanation
    while isinstance(before := words.params.get("before"), Text):
        words = before
    because = words.params.get("because")
    return because if isinstance(because, Text) else t("Counted from {at}", at=base)

"""What remains to be done, by what must be done first: what is mine, my body's, and others' (U11)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from casework.domain.access import LAW_COMMISSION, TOURNAMENT_STAFF, Actor, Permission, as_party, can, visible_cases
from casework.domain.models import Case, Notice, Person, Proceeding, Remark
from casework.domain.operation import AlarmKind
from casework.domain.terms import ActionName, Body, NoticeState, Part, ProceedingKind, Role
from casework.services import alarms, clockwork, dispatch, queries, timers, untold
from casework.services.alarms import Wrong
from casework.services.standing import Standing
from casework.services.timeline import words_of
from casework.text import Text

_ASKED_ALREADY = (AlarmKind.CLOCK, AlarmKind.RED_STEPS)
"""These have a place of their own on the page."""
SHOWN = 100
"""How many notices and overrides are listed; the oldest notices and the newest overrides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undelivered:
    """Notices of a case that have not reached people by themselves: to be posted, or to be told in another way."""

    case_id: UUID
    number: str
    state: NoticeState
    names: Sequence[str]
    since: datetime
    """When the oldest was due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A step taken in another's place or in spite of a fault, with its reason."""

    case_id: UUID
    number: str
    done: Text
    by: str
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToDo:
    """The start page of an official. Overrides are the office's list."""

    mine: Sequence[Standing]
    late: Sequence[Standing]
    """What others should have done, and the actor may do in their place."""
    body: Sequence[Standing]
    waiting: Sequence[Standing]
    undelivered: Sequence[Undelivered]
    overrides: Sequence[Override]
    clock_stopped: bool = False
    """Whether somebody must say if the clock is right: nothing is sent before the answer (F25)."""
    tends: bool = False
    """Whether it is the actor who is asked."""
    wrong: Sequence[Wrong] = ()
    """What else is wrong with the installation, for who tends it (R-HEALTH1)."""
    red_steps: bool = False
    """Whether there are steps that the system could not take, for the actor to look at (R-DL2)."""


def todo(session: Session, actor: Actor, now: datetime) -> ToDo:
    """What remains to be done, with the same number of queries however many cases there are."""
    rows = queries.unfinished(session, actor, now)
    mine = [row for row in rows if queries.waits_for(row, actor)]
    late = [row for row in rows if row not in mine and row.in_anothers_place(actor, now)]
    others = [row for row in rows if row not in mine and row not in late]
    body = [row for row in others if _shares_the_work(row, actor)]
    tends = can(actor, Permission.TEND_SYSTEM)
    return ToDo(
        mine=mine,
        late=late,
        body=body,
        waiting=[row for row in others if row not in body],
        undelivered=_undelivered(session, actor, now),
        overrides=_overrides(session, actor) if actor.holds(Role.OFFICE) else (),
        clock_stopped=clockwork.stop(session) is not None,
        tends=tends,
        red_steps=tends and timers.any_red(session),
        wrong=[one for one in alarms.standing(session, now) if one.kind not in _ASKED_ALREADY] if tends else (),
    )


def _shares_the_work(row: Standing, actor: Actor) -> bool:
    """Whether those whom the case waits for are of the actor's own body."""
    if not row.waiting.acting or row.party_of(actor.person_id) is not None:
        return False
    parts = row.waiting.parts
    on_panel = any(member.id == actor.person_id for member in row.scene.panel)
    in_lk = row.scene.body is Body.LAW_COMMISSION and actor.holds(*LAW_COMMISSION)
    runs = actor.holds(*TOURNAMENT_STAFF, at=row.tournament_id)
    return bool(
        (runs and parts & {Part.DIRECTOR, Part.ORGANISER})
        or (on_panel and parts & {Part.PANEL, Part.CHAIR, Part.SEATED})
        or (in_lk and parts & {Part.LK_CHAIR, Part.PANEL, Part.CHAIR})
    )


def _undelivered(session: Session, actor: Actor, now: datetime) -> Sequence[Undelivered]:
    """The office's for every case, a director's for his own; nobody's in a case of his own as a party."""
    since = func.min(col(Notice.due_at))
    query: Any = (
        select(Case, Person, col(Notice.state), since)
        .select_from(Notice)
        .join(Case, col(Case.id) == col(Notice.case_id))
        .join(Person, col(Person.id) == col(Notice.person_id))
        .where(
            dispatch.needs_somebody(now),
            col(Case.id).in_(visible_cases(actor)),
            col(Case.id).not_in(as_party(actor.person_id)),
            untold.known(actor, now),
        )
        .group_by(col(Case.id), col(Person.id), col(Notice.state))
        .order_by(since)
        .limit(SHOWN)
        .options(defer(Case.profile))  # type: ignore[arg-type]  # a column
    )
    if not actor.holds(Role.OFFICE):
        ruled = Proceeding.kind == ProceedingKind.RULING
        query = query.where(
            col(Case.id).in_(select(col(Proceeding.case_id)).where(ruled, Proceeding.director_id == actor.person_id))
        )
    of_case: dict[tuple[UUID, NoticeState], list[Any]] = {}
    for row in session.exec(query):
        of_case.setdefault((row[0].id, row[2]), []).append(row)
    return [
        Undelivered(
            case_id=case_id,
            number=rows[0][0].number,
            state=state,
            names=[person.name for _, person, _, _ in rows],
            since=rows[0][3],
        )
        for (case_id, state), rows in of_case.items()
    ]


def _overrides(session: Session, actor: Actor) -> Sequence[Override]:
    query = (
        select(Remark, Case, Person)
        .join(Case, col(Case.id) == col(Remark.case_id))
        .outerjoin(Person, col(Person.id) == col(Remark.written_by))
        .where(
            col(Remark.override).is_(True),
            col(Case.id).in_(visible_cases(actor)),
            col(Case.id).not_in(as_party(actor.person_id)),
        )
        .order_by(col(Remark.written_at).desc())
        .limit(SHOWN)
    )
    return [
        Override(
            case_id=case.id,
            number=case.number,
            done=words_of(ActionName(remark.action)),
            by=person.name if person is not None else "",
            at=remark.written_at,
            reason=remark.text,
        )
        for remark, case, person in session.exec(query)
    ]

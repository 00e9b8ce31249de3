"""What goes out: every notice, the ones that need somebody first, and what a person may do about one (R-ONCE2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, case, or_
from sqlalchemy.orm import aliased, defer
from sqlmodel import Session, col, func, select

from casework.domain.access import Actor, Permission, as_party, visible_cases
from casework.domain.delivery import OurReason, SmtpPhase, Waits
from casework.domain.errors import Missing
from casework.domain.models import Case, Notice, Person
from casework.domain.shown import Shown
from casework.domain.terms import Channel, NoticeState, Part, ProceedingKind
from casework.domain.workflow.lodging import SCORE_TELLERS, TELLERS
from casework.services import holding, notice_proof, notices, overtaking, reaching
from casework.services.case_rows import read_case
from casework.services.holding import Held
from casework.services.notice_proof import Proof
from casework.services.notifying import is_held
from casework.text import Text, t

SHOWN = 25
"""How many notices that need somebody are listed, before all of them are asked for."""
PAGE = 25
"""How many of all notices stand on a page, the newest first."""
LATE = timedelta(minutes=15)
"""A mail that is still due so long after its time is not only waiting (F17)."""

_STUCK = (
    NoticeState.FAILED,
    NoticeState.UNSURE,
    NoticeState.BOUNCED,
    NoticeState.TO_BE_POSTED,
    NoticeState.CALLED_BACK,
)
"""What does not go on by itself, the gravest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """A notice in the list."""

    notice: Notice
    case_number: str
    name: str
    state: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatch:
    """The page "Utskick"; `waiting` counts all that need somebody."""

    attention: Sequence[Sending]
    waiting: int
    found: Sequence[Sending]
    total: int
    page: int
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldPage:
    """What is held or stopped in a case; `mine`: by their notices, those that the reader may send or stop."""

    case_id: UUID
    case_number: str
    tournament: str
    held: Sequence[Held]
    mine: frozenset[UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticePage:
    """One notice, and what its reader may do about it."""

    notice: Notice
    case_number: str
    tournament: str
    subject: Text | str
    proof: Proof
    runs_again: bool
    may_be_there: bool
    """It may have arrived already: only a person's explicit word sends it once more."""
    unreached: bool
    held: bool
    of_score: bool
    """Whether it tells of an official score, if it is held (`Held.score`)."""
    address_now: str
    """Where it would go if it was sent again, as it may be shown."""
    again: Shown
    """What the page that sends it again shows."""


def needs_somebody(now: datetime) -> ColumnElement[bool]:
    """Which notices do not come to an end by themselves; what stands in for one carries its task on."""
    instead = aliased(Notice)
    stands_alone = col(Notice.id).not_in(select(col(instead.replaces_id)).where(col(instead.replaces_id).is_not(None)))
    released = or_(col(Notice.held_until).is_(None), col(Notice.held_until) <= now)
    stopped = col(Notice.state) == NoticeState.CALLED_BACK
    untrue = and_(stopped, col(Notice.reply) == OurReason.WRONG_CLOCK)
    stuck = and_(col(Notice.state).in_(_STUCK), col(Notice.proven_at).is_(None), or_(released, stopped))
    unopened = and_(col(Notice.unopened_at).is_not(None), col(Notice.opened_at).is_(None))
    return and_(stands_alone, ~untrue, or_(stuck, unopened, _waits_in_vain(now)))


def _waits_in_vain(now: datetime) -> ColumnElement[bool]:
    since = func.coalesce(col(Notice.held_until), col(Notice.due_at))
    unsafe = col(Notice.phase).in_((SmtpPhase.TLS, SmtpPhase.LOGIN))
    return and_(col(Notice.state) == NoticeState.DUE, or_(since <= now - LATE, unsafe))


_GRAVITY = case(
    {state: place for place, state in enumerate((*_STUCK, NoticeState.DUE))},
    value=col(Notice.state),
    else_=len(_STUCK) + 1,
)


def state_words(notice: Notice, now: datetime) -> Text:
    """Where a notice stands, with what a person must know about one that waits."""
    match notice_proof.waits_because(notice, now):
        case Waits.HELD if (until := notice.held_until) is not None:
            return t("Held until {at}", at=until)
        case Waits.NOT_ENCRYPTED:
            return t("Waits: the line to the mail server could not be encrypted")
        case Waits.NOT_TAKEN:
            return t("Waits: the mail server does not take it yet")
    return notice_proof.state_of(notice)


def dispatch(
    session: Session, actor: Actor, now: datetime, *, search: str = "", page: int = 1, whole: bool = False
) -> Dispatch:
    """Every notice of the cases that the actor may know of and is no party of, narrowed by a search.

    Case number, name, address and subject are looked for. What failed or is in doubt stands before what is only
    unopened, the newest first; `whole` lists all of it.
    """
    rows = _rows(actor)
    wanted = rows.where(_matches(search)) if search.strip() else rows
    total = session.exec(select(func.count()).select_from(wanted.subquery())).one()
    pages = max(1, -(-total // PAGE))
    page = min(max(page, 1), pages)
    newest = wanted.order_by(col(Notice.due_at).desc(), col(Notice.id)).offset((page - 1) * PAGE).limit(PAGE)
    waiting = rows.where(needs_somebody(now))
    gravest = waiting.order_by(_GRAVITY, col(Notice.due_at).desc(), col(Notice.id)).limit(None if whole else SHOWN)
    return Dispatch(
        attention=_sendings(session, gravest, now),
        waiting=session.exec(select(func.count()).select_from(waiting.subquery())).one(),
        found=_sendings(session, newest, now),
        total=total,
        page=page,
        pages=pages,
    )


def _rows(actor: Actor) -> Any:
    return (
        select(Notice, Case.number, Person)
        .join(Case, col(Case.id) == col(Notice.case_id))
        .join(Person, col(Person.id) == col(Notice.person_id))
        .where(
            col(Case.id).in_(visible_cases(actor)),
            col(Case.id).not_in(as_party(actor.person_id)),
        )
        .options(defer(Notice.mime))  # type: ignore[arg-type]  # a column
    )


def _matches(search: str) -> ColumnElement[bool]:
    name = col(Person.given_name) + " " + col(Person.family_name)
    places = (col(Case.number), name, col(Notice.address), col(Notice.subject))
    return and_(*(or_(*(place.icontains(word, autoescape=True) for place in places)) for word in search.split()))


def _sendings(session: Session, query: Any, now: datetime) -> list[Sending]:
    return [
        Sending(notice=notice, case_number=number, name=person.name, state=state_words(notice, now))
        for notice, number, person in session.exec(query)
    ]


def held_page(session: Session, case_id: UUID, actor: Actor, now: datetime) -> HeldPage:
    """What waits to be sent in a case. Raises Missing where the reader may not know."""
    rows = read_case(session, case_id, actor, now)
    if not rows.may(Permission.READ_PROOF):
        raise Missing
    held = holding.held(session, case_id, actor, now, masked=True)
    mine = [one.notice_id for one in held if rows.parts & (SCORE_TELLERS if one.score else TELLERS)]
    return HeldPage(
        case_id=case_id,
        case_number=rows.loaded.case.number,
        tournament=rows.loaded.tournament.name,
        held=held,
        mine=frozenset(() if Part.PARTY in rows.parts else mine),
    )


def notice_page(session: Session, case_id: UUID, notice_id: UUID, actor: Actor, now: datetime) -> NoticePage:
    """One notice with its proof. Raises Missing where there is none for this reader."""
    rows = read_case(session, case_id, actor, now)
    notice = next((row for row in rows.notices if row.id == notice_id), None)
    if notice is None or not rows.may(Permission.READ_PROOF):
        raise Missing
    masked = not rows.may(Permission.READ_CONTACTS)
    mine = not masked and Part.PARTY not in rows.parts
    address = notices.registered(session, notice.person_id)
    replaced = bool(reaching.replacements(session, notice.id))
    stuck = notice.channel is Channel.MAIL and notice.state in notices.UNDELIVERED and notice.carried_by is None
    return NoticePage(
        notice=notice,
        case_number=rows.loaded.case.number,
        tournament=rows.loaded.tournament.name,
        subject=notice_proof.title(notice, rows.notices),
        proof=notice_proof.one(session, rows, notice, masked=masked),
        runs_again=mine and stuck and not replaced and overtaking.newer_of(session, notice) is None,
        may_be_there=notice.state is NoticeState.UNSURE,
        unreached=mine and not replaced and reaching.is_unreached(notice),
        held=is_held(notice, now) and notice.held_until is not None,
        of_score=any(p.id == notice.proceeding_id and p.kind is ProceedingKind.RULING for p in rows.loaded.proceedings),
        address_now=notice_proof.masked_address(address),
        again=reaching.shown_again(address),
    )

"""A mail that goes long after its step: what it says of where the case stands now, and whether it goes at all (E10)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.domain.access import Actor
from casework.domain.minutes import has_run
from casework.domain.models import Appeal, Deadline, Demand, Event, Notice, Proceeding
from casework.domain.terms import UNANSWERED, DemandEnd, NoticeKind, NoticeState, State
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.appeal import BEFORE_DECISION
from casework.domain.workflow.guards import is_being_tried
from casework.domain.workflow.hearing import WITH_PANEL
from casework.domain.workflow.late_notices import ASKS_IN, CAN_BE_APPEALED, HOLDS_IN
from casework.services.loading import load
from casework.services.mail_rows import Rows
from casework.services.mail_times import times_of
from casework.services.snapshot import snapshot
from casework.services.untold import as_reader
from casework.text import Text, sentences, t

_NOT_GONE = (NoticeState.DUE, NoticeState.TO_BE_POSTED)
_TELLS_IT = frozenset({NoticeKind.DECISION, NoticeKind.TO_BE_TOLD})
"""Tell of the very decision that others may not know of yet."""
_OF_ONE_APPEAL = frozenset({NoticeKind.APPEAL_RECEIVED, NoticeKind.CONCURRENCE_ASKED, NoticeKind.APPEAL_TO_FORWARD,
                            NoticeKind.APPELLANT_WARNED, NoticeKind.CONCURRED})  # fmt: skip


def since(rows: Rows) -> Text | None:
    """What has come after the step that a notice tells of, where it cannot say what comes next any more."""
    if rows.notice.state not in _NOT_GONE:
        return None
    asked = _asked(rows)
    words = [_of_demand(rows, *asked) if asked else None, _of_appeal(rows) or _of_seat(rows) or _of_case(rows)]
    said = [each for each in words if each is not None]
    return sentences(said) if said else None


def _asked(rows: Rows) -> tuple[Demand, Deadline | None] | None:
    """The question that a notice is about, or whose time has stood still, and until when it could be answered."""
    if rows.notice.demand_id is not None and rows.demand is not None:
        return rows.demand, rows.demand_deadline
    times = times_of(rows) if rows.notice.party_id is not None else ()
    demands = {demand.id: demand for demand in rows.loaded.demands}
    return next(((demands[row.demand_id], row) for row in times if row.demand_id in demands), None)


def _of_demand(rows: Rows, demand: Demand, deadline: Deadline | None) -> Text | None:
    """A question that its side need not answer any more, or whose time is over."""
    party = rows.party(demand.party_id)
    match demand.ended:
        case DemandEnd.ANSWERED | DemandEnd.DECLINED:
            return t("{party} has answered already.", party=party[:1].upper() + party[1:])
        case DemandEnd.RENEWED | DemandEnd.VOID:
            return t("This question need not be answered any more.")
    if demand.ended is None and (deadline is None or not has_run(deadline.instant, rows.sent_at)):
        return None
    if rows.loaded.proceeding.state in BEFORE_DECISION:
        return t("The time ran out before this was sent, and {party} had not answered. If you want to be heard all the "
                 "same, say so at once to the director or to the office.", party=party)  # fmt: skip
    return t("The time ran out before this was sent, and {party} had not answered.", party=party)


def _of_appeal(rows: Rows) -> Text | None:
    """That the appeal which a notice is about is withdrawn, while another may be tried."""
    appeal = rows.appeal if rows.notice.kind in _OF_ONE_APPEAL else None
    return t("The appeal has been withdrawn since.") if appeal and appeal.withdrawn_at else None


def _of_seat(rows: Rows) -> Text | None:
    """That a member has said already what he is asked, or that the hour he is called to has come."""
    if rows.notice.kind is NoticeKind.SEATED and rows.trying.state in WITH_PANEL and _has_answered(rows):
        return t("You have already said whether you have a conflict of interest.")
    called = rows.notice.kind is NoticeKind.SUMMONS and rows.trying.state is State.CALLED
    if called and _hearing_has_begun(rows):
        return t("When it was to begin had passed before this was sent. Ask the director at once what holds now.")
    return None


def _of_case(rows: Rows) -> Text | None:
    """Where the proceeding stands, in the words of its page: as far as the reader may know (`services.untold`)."""
    about, holds_in = rows.trying, HOLDS_IN.get(rows.notice.kind)
    if rows.notice.kind is NoticeKind.APPEAL_WITHDRAWN and about.state is State.WRITTEN_OFF:
        about, holds_in = rows.appealed, CAN_BE_APPEALED  # nothing is left but the decision that was appealed
    if holds_in is None or (about.state in holds_in and not _too_late_to_appeal(rows, about)):
        return None
    if not _moved(rows, about.id):
        return None
    known = rows.loaded
    if rows.notice.kind not in _TELLS_IT:
        known = as_reader(rows.session, known, Actor(rows.notice.person_id), rows.sent_at)
    here = next(p for p in known.proceedings if p.id == about.id)
    return t("Since then the case has moved on. It now stands so: {stage}.",
             stage=PROCEDURES[here.kind].stage(here.state).label)  # fmt: skip


def _too_late_to_appeal(rows: Rows, about: Proceeding) -> bool:
    return about.state is State.APPEALED and is_being_tried(snapshot(replace(rows.loaded, proceeding=about)))


def _moved(rows: Rows, proceeding_id: UUID) -> bool:
    """Whether the proceeding has gone from one state to another after the step of the notice."""
    later = select(Event).where(
        Event.case_id == rows.notice.case_id,
        Event.proceeding_id == proceeding_id,
        col(Event.at) > rows.notice.due_at,
    )
    return any("to" in event.data for event in rows.session.exec(later))


def asks_in_vain(session: Session, notice: Notice, now: datetime) -> bool:
    """Whether a notice asks for what is done, or reminds of what is over: then it is not sent."""
    if notice.kind not in _ASKS:
        return False
    rows = Rows(session, notice, load(session, notice.proceeding_id), now)
    of_its_own = _IN_VAIN.get(notice.kind)
    states = ASKS_IN.get(notice.kind)
    gone = states is not None and rows.trying.state not in states and _moved(rows, rows.trying.id)
    return gone or (of_its_own is not None and of_its_own(rows))


def _time_is_over(rows: Rows) -> bool:
    row = rows.passed_deadline
    return row is not None and (row.ended is not None or has_run(row.instant, rows.sent_at))


def _step_is_taken(rows: Rows) -> bool:
    """What an official had not done in time is done, or he has got more time."""
    row = rows.passed_deadline
    return row is not None and (row.ended is not None or not has_run(row.instant, rows.sent_at))


def _need_not_answer(rows: Rows) -> bool:
    row = rows.demand_deadline
    return row is not None and (row.ended is not None or has_run(row.instant, rows.sent_at))


def _has_concurred(rows: Rows) -> bool:
    said = (c.person_id for c in rows.loaded.concurrences if rows.appeal and c.appeal_id == rows.appeal.id)
    return rows.notice.person_id in said or _is_withdrawn(rows.appeal)


def _is_withdrawn(appeal: Appeal | None) -> bool:
    return appeal is not None and appeal.withdrawn_at is not None


def _is_forwarded(rows: Rows) -> bool:
    """An appeal that joined one that was forwarded already asks for nothing: that it came must be told."""
    row = rows.forwarding
    return row is not None and row.ended is not None


def _hearing_has_begun(rows: Rows) -> bool:
    return rows.panel is not None and has_run(rows.panel.hearing_at, rows.sent_at)


def _has_answered(rows: Rows) -> bool:
    mine = [seat for seat in rows.seats if seat.person_id == rows.notice.person_id]
    return bool(mine) and all(seat.conflict not in UNANSWERED for seat in mine)


def _is_published(rows: Rows) -> bool:
    return rows.loaded.playing_session.published_at is not None


_IN_VAIN: Mapping[NoticeKind, Callable[[Rows], bool]] = {
    NoticeKind.TO_RULE: lambda rows: not rows.is_director,
    NoticeKind.NO_LONGER_FINAL: lambda rows: rows.final_is_unsent,
    NoticeKind.TASK_DUE: _time_is_over,
    NoticeKind.DEADLINE_PASSED: _step_is_taken,
    NoticeKind.STATEMENT_REMINDER: _need_not_answer,
    NoticeKind.CONCURRENCE_ASKED: _has_concurred,
    NoticeKind.APPEAL_TO_FORWARD: _is_forwarded,
    NoticeKind.HEARING_REMINDER: _hearing_has_begun,
    NoticeKind.CONFLICT_REMINDER: _has_answered,
    NoticeKind.PUBLICATION_MISSING: _is_published,
}
_ASKS = ASKS_IN.keys() | _IN_VAIN.keys()

"""Job kind → what is done, by the services; and what is done now and then."""

from collections.abc import Callable
from datetime import datetime

from sqlmodel import Session

from casework.adapters import double_dummy as solver
from casework.adapters import imap, storage
from casework.adapters.outbox import Claim, Ending, Handler
from casework.domain.operation import EVERY, Periodic
from casework.domain.terms import JobState
from casework.services import (
    deadlines,
    documents,
    double_dummy,
    hearing_reminders,
    history,
    link_requests,
    notices,
    papers,
    reaching,
    timers,
    tournaments,
)
from workers import mailing, printing, solving
from workers.duties import Duties, Recurring, Timed

MAIL = "mail"
PDF = "pdf"
ADVANCE = "advance"
CHECKPOINT = "checkpoint"


def _advance(claim: Claim) -> Ending:
    """Take the automatic step that another has made possible, with the job's end in one transaction."""

    def record(session: Session) -> None:
        deadlines.advance_one(session, claim.subject_id, claim.clock())

    return Ending(JobState.DONE, record=record)


def _checkpoint(claim: Claim) -> Ending:
    """Chain all cases' heads (S-AUD4)."""

    def record(session: Session) -> None:
        history.checkpoint(session, claim.clock())

    return Ending(JobState.DONE, record=record)


def _find_links(claim: Claim) -> Ending:
    """Mail who has asked for his link what is his (S-LINK5)."""

    def record(session: Session) -> None:
        link_requests.answer(session, claim.subject_id, claim.clock())

    return Ending(JobState.DONE, record=record)


def _remind(claim: Claim) -> Ending:
    """Remind a panel of its hearing, and members of the question that they have not answered."""

    def record(session: Session) -> None:
        hearing_reminders.remind(session, claim.subject_id, claim.clock())

    return Ending(JobState.DONE, record=record)


def _periodic(
    work: Periodic, run: Callable[[Session, datetime], object], before: Callable[[], object] | None = None
) -> Recurring:
    return Recurring(work, EVERY[work], run, before)


_WITH_SOLVER = (_periodic(Periodic.ADVICE, double_dummy.ask),) if solver.installed() else ()

DUTIES = Duties(
    handlers={
        MAIL: mailing.handler(notices),
        PDF: printing.handler(documents),
        ADVANCE: Handler(run=_advance),
        CHECKPOINT: Handler(run=_checkpoint),
        hearing_reminders.KIND: Handler(run=_remind),
        link_requests.KIND: Handler(run=_find_links, abandoned=link_requests.forget),
        double_dummy.KIND: solving.handler(double_dummy, solver.solve),
    },
    timed=(
        Timed("deadline", deadlines.due, deadlines.expire, timers.failed_to_end),
        Timed("timer", timers.due, deadlines.run_timer, timers.failed),
    ),
    recurring=(
        _periodic(Periodic.PUBLICATIONS, tournaments.remind_of_publication),
        _periodic(Periodic.HEARINGS, hearing_reminders.find),
        _periodic(Periodic.BOUNCES, reaching.read_mailbox, before=imap.bring_reports),
        _periodic(Periodic.UNOPENED, reaching.find_unopened),
        _periodic(Periodic.CHECKPOINT, history.checkpoint),
        _periodic(Periodic.DRAFTS, papers.sweep_drafts),
        _periodic(Periodic.UPLOADS, lambda _session, now: storage.sweep_temporary(now)),
        *_WITH_SOLVER,
    ),
)

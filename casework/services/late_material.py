"""What comes after the papers are complete: the body may leave it out of account, and then decides without it."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlmodel import Session

from casework.domain.access import Actor
from casework.domain.models import Statement
from casework.domain.terms import ActionName, DemandEnd, DemandKind, StatementKind
from casework.domain.workflow.written_guards import freed_by_leaving_out
from casework.services.engine import locked, take
from casework.services.loading import Loaded
from casework.services.snapshot import snapshot
from casework.services.step import FormInstance, Step
from casework.text import Text, t


def leave_out(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    statement_id: UUID,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Leave a late statement out of account, with a reason: it stays in the file, and nobody need answer it."""
    loaded = locked(session, proceeding_id, form)

    def write(step: Step) -> None:
        late = next(s for s in loaded.statements if s.id == statement_id)
        late.left_out_at, late.left_out_by, late.left_out_because = step.now, actor.person_id, because.strip()
        session.add(late)
        freed = freed_by_leaving_out(step.facts, statement_id)
        for demand in (d for d in loaded.demands if d.id in freed):
            demand.ended, demand.ended_at = DemandEnd.VOID, step.now
            session.add(demand)

    data = {"because": because}
    return take(
        session,
        loaded,
        ActionName.LEAVE_OUT,
        actor,
        now=now,
        data=data,
        subject_id=statement_id,
        form=form,
        write=write,
    )


def waiting(loaded: Loaded) -> Sequence[Statement]:
    """What came late to the loaded proceeding and somebody may still answer, the oldest first."""
    facts = snapshot(loaded)
    asked = {late for demand in facts.demands if demand.ended is None for late in demand.about}
    return [s for s in loaded.statements if s.id in asked and s.left_out_at is None]


def marked(loaded: Loaded, statement: Statement, what: Text) -> Text:
    """What a statement is called: the body sees that it came when its side's time to state its views had run out.

    Once the statements are open, what comes late is a kind of its own.
    """
    theirs = (
        d for d in loaded.demands if (d.proceeding_id, d.party_id) == (statement.proceeding_id, statement.party_id)
    )
    silent = any(demand.kind is DemandKind.STATEMENT and demand.ended is DemandEnd.SILENT for demand in theirs)
    if statement.kind is not StatementKind.STATEMENT or not silent:
        return what
    return t("{what}, after the time had run out", what=what)


def left_out(loaded: Loaded) -> Sequence[Statement]:
    """What the body that has the loaded proceeding decides without."""
    ours = loaded.proceeding.id
    return [s for s in loaded.statements if s.proceeding_id == ours and s.left_out_at is not None]

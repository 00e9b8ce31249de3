"""The one way to act in a case.

lock → repeat of a form? → as its page showed it? → version → guards → what the verb writes → deadlines → notices →
event, last.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlmodel import Session

from casework import logs
from casework.adapters.outbox import enqueue
from casework.domain.access import Actor
from casework.domain.errors import Conflict, Missing, NotNow
from casework.domain.models import Remark
from casework.domain.shown import Shown
from casework.domain.terms import ActionName
from casework.domain.workflow import PROCEDURES
from casework.domain.workflow.audience import parts_of
from casework.domain.workflow.decide import Possibility, available, decide
from casework.domain.workflow.facts import Ask, Facts
from casework.domain.workflow.held import TAKEN_IN, as_taken_in
from casework.domain.workflow.table import Changes, Procedure
from casework.services import history, notifying, reckoning, untold
from casework.services.link_ends import set_link_ends
from casework.services.loading import Loaded, load
from casework.services.snapshot import snapshot
from casework.services.step import AlreadyDone, FormInstance, Step, remember_form
from casework.text import t

Write = Callable[[Step], None]
Shows = Callable[[Session, Loaded], Shown]
"""What a check page shows, gathered from the case as it stands."""


def take(
    session: Session,
    proceeding: UUID | Loaded,
    action: ActionName,
    actor: Actor,
    *,
    now: datetime,
    data: Mapping[str, Any] | None = None,
    subject_id: UUID | None = None,
    party_id: UUID | None = None,
    form: FormInstance | None = None,
    write: Write | None = None,
) -> Step:
    """Take one action in one proceeding, inside the caller's write unit.

    `write` adds the rows that are the verb's own; it is called when everything is allowed and nothing is written.

    Raises:
        AlreadyDone: the form's instance has taken effect before.
        Conflict: a moving action on a page that is no longer current.
        NotAllowed: the procedure says no, with every reason.
        Missing: there is no such proceeding, or its procedure has no such action.
    """
    form = form or FormInstance()
    loaded = locked(session, proceeding, form)
    if loaded.receipt is not None:
        raise AlreadyDone(loaded.receipt)
    facts = snapshot(loaded)
    if form.seen is not None and not loaded.confirmed:
        raise LookupError("the form carries what its page showed, and nobody has compared it")
    procedure = PROCEDURES[loaded.proceeding.kind]
    if not procedure.has(action):
        raise Missing
    known = untold.as_reader(session, loaded, actor, now)
    if procedure.action(action).moves and form.version not in (None, known.proceeding.version):
        raise Conflict(t("Somebody else has acted in the case since you opened this page."))
    ask = Ask(
        person_id=actor.person_id,
        parts=parts_of(actor, facts),
        now=now,
        data=data or {},
        subject_id=subject_id,
        party_id=party_id,
    )
    changes = _changes(procedure, facts, known, action, ask)
    step = Step(
        session=session,
        loaded=loaded,
        facts=facts,
        changes=changes,
        actor=actor,
        now=now,
        data=ask.data,
        subject_id=subject_id,
        party_id=party_id,
    )
    with session.no_autoflush:  # each table is written once, at the end
        if write is not None:
            write(step)
        _move(step)
        reckoning.apply(step)
        notifying.prepare(step)
        set_link_ends(step)
        _remember(step, form)
    return step


def _changes(procedure: Procedure, facts: Facts, known: Loaded, action: ActionName, ask: Ask) -> Changes:
    """What the step changes; a decision that is kept from the actor changes as little in his answer as can be.

    What was refused before is refused in the same words, and what was taken in and need touch no decision is taken in.
    """
    if not known.untold:
        return decide(procedure, facts, action, ask)
    before = decide(procedure, snapshot(known), action, ask)
    with untold.refusing_alike(known):
        try:
            return decide(procedure, facts, action, ask)
        except NotNow:
            if action not in TAKEN_IN:
                raise
            return as_taken_in(before, ask.party_id)


def locked(session: Session, proceeding: UUID | Loaded, form: FormInstance | None = None) -> Loaded:
    """The case around a proceeding, locked until the transaction ends; what is loaded already is given back."""
    if isinstance(proceeding, Loaded):
        return proceeding
    loaded = load(session, proceeding, lock=True, form_id=form.form_id if form else None)
    logs.about(case_id=loaded.case.id)
    return loaded


def confirmed(session: Session, proceeding: UUID | Loaded, form: FormInstance | None, shows: Shows) -> Loaded:
    """The locked case, for a step that is checked before it is confirmed.

    Raises:
        AlreadyDone: the form's instance has taken effect before.
        Conflict: something is not as the form's page showed it; `shows` gathers it as the page did.
    """
    loaded = locked(session, proceeding, form)
    if loaded.receipt is not None:
        raise AlreadyDone(loaded.receipt)
    if form is not None and form.seen is not None and not loaded.confirmed:
        shows(session, loaded).refuse_unseen(form.seen)
    loaded.confirmed = True
    return loaded


def possibilities(
    loaded: Loaded, actor: Actor, now: datetime, *, subject_id: UUID | None = None
) -> tuple[Possibility, ...]:
    """What the actor could do here now, each with the reasons against it: buttons ask this, as the engine does."""
    facts = snapshot(loaded)
    party = facts.party_of(actor.person_id)
    ask = Ask(
        person_id=actor.person_id,
        parts=parts_of(actor, facts),
        now=now,
        subject_id=subject_id,
        party_id=party.id if party else None,
    )
    return available(PROCEDURES[loaded.proceeding.kind], facts, ask)


def _move(step: Step) -> None:
    proceeding, changes = step.proceeding, step.changes
    if changes.to is not None:
        proceeding.state = changes.to
        procedure = PROCEDURES[proceeding.kind]
        if procedure.stage(changes.to).ends:
            proceeding.ended_at = step.now
    if changes.action.moves or changes.to is not None:
        proceeding.version += 1
    step.session.add(proceeding)


def _remember(step: Step, form: FormInstance) -> None:
    """The reason, the receipt, the bell for what the system does next, and the event, which is written last."""
    action, case = step.changes.action, step.loaded.case
    because = str(step.data.get("because", "")).strip()
    if because:
        step.file(
            Remark(
                case_id=case.id,
                proceeding_id=step.proceeding.id,
                action=action.name,
                override=action.override,
                text=because,
                written_by=step.actor.person_id,
                written_at=step.now,
            )
        )
    remember_form(
        step.session,
        form,
        person_id=step.actor.person_id,
        case_id=case.id,
        at=step.now,
        action=action.name,
        subject_id=step.subject_id,
    )
    step.event = history.append(
        step.session,
        case,
        at=step.now,
        action=action.name,
        proceeding_id=step.proceeding.id,
        actor_id=step.actor.person_id,
        part=step.changes.part,
        data=_recorded(step),
    )
    if _system_may_follow(step):
        enqueue(
            step.session,
            kind="advance",
            subject_id=case.id,
            case_id=case.id,
            dedupe_key=f"advance:{case.id}:{step.event.seq}",
            due=step.now,
        )


def _recorded(step: Step) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if step.changes.to is not None:
        data["to"] = step.changes.to
    if step.subject_id is not None:
        data["subject"] = step.subject_id
    if step.party_id is not None:
        data["party"] = step.party_id
    if step.changes.action.override:
        data["override"] = True
    if step.filed:
        data["filed"] = {str(row.id): [row.__tablename__, history.committed(row)] for row in step.filed}
    if step.notices:
        data["notices"] = [notice.id for notice in step.notices]
    data |= step.data.get("recorded", {})  # ids and codes only: the history keeps no free text
    if "happened_at" in step.data:
        data["happened_at"] = step.data["happened_at"]
    return data


def _system_may_follow(step: Step) -> bool:
    """Whether an automatic action may have become possible, here or in the proceeding whose decision is tried."""
    if step.changes.action.name is ActionName.RECORD_PROOF:
        return False
    state, procedure = step.proceeding.state, PROCEDURES[step.proceeding.kind]
    automatic = any(action.automatic and state in action.start for action in procedure.actions)
    return automatic or (step.changes.to is not None and step.proceeding.parent_id is not None)

"""The appeal's way through the director: lodged, concurred, warned, withdrawn, forwarded (R23-R24, R32-R35)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy.orm.attributes import flag_modified
from sqlmodel import Session, col, select

from casework.domain.access import Actor
from casework.domain.errors import Invalid, NotAllowed
from casework.domain.models import Appeal, Concurrence, Consequence, Proceeding
from casework.domain.shown import Piece, Shown
from casework.domain.terms import (
    ActionName,
    Body,
    FilingChannel,
    ProceedingKind,
    State,
)
from casework.domain.workflow.facts import Ask
from casework.domain.workflow.guards import appealed_after_the_decision
from casework.domain.workflow.lodging import way_on
from casework.services import papers
from casework.services.consequences import while_appealed
from casework.services.engine import confirmed, locked, take
from casework.services.lateness import came_in_time
from casework.services.loading import Loaded
from casework.services.panels import composer
from casework.services.papers import Hangs
from casework.services.snapshot import snapshot
from casework.services.step import FormInstance, Step, acting_person
from casework.text import t


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealInput:
    """What a side wants changed and why; `lodged_by` differs from the actor when an official registers it."""

    party_id: UUID
    wants: str
    grounds: str = ""
    channel: FilingChannel = FilingChannel.LINK
    lodged_by: UUID | None = None
    lodged_at: datetime | None = None
    attachments: tuple[UUID, ...] = ()
    """Drafts of `services.papers`."""


def lodge_appeal(
    session: Session,
    proceeding: UUID | Loaded,
    actor: Actor,
    appeal: AppealInput,
    *,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Lodge one side's appeal with the director (R23). A late one is taken in and marked; the body judges it.

    Raises `Invalid` for a time that cannot be or a draft that is no longer kept.
    """
    loaded = locked(session, proceeding, form)
    refuse_impossible(loaded, appeal.lodged_at, now)
    papers.refuse_without_original(appeal.channel, appeal.attachments)
    appeal_id = uuid4()
    lodged_by = appeal.lodged_by or acting_person(actor)

    def write(step: Step) -> None:
        trying = _trying(step.loaded)
        step.child = trying or _new_proceeding(step)
        row = _appeal(step, step.child, appeal_id, appeal, lodged_by)
        step.file(row)
        papers.file_drafts(step, appeal.attachments, Hangs(appeal_id=appeal_id), party_id=appeal.party_id)
        session.add(
            Concurrence(appeal_id=appeal_id, person_id=lodged_by, at=step.now, recorded_by=acting_person(actor))
        )
        if trying is None:
            session.add_all(_held(step))

    return take(
        session,
        loaded,
        ActionName.LODGE_APPEAL,
        actor,
        now=now,
        data={
            "wants": appeal.wants,
            "lodged_by": lodged_by,
            "happened_at": appeal.lodged_at or now,
            "received_at": appeal.lodged_at or now,
        },
        subject_id=appeal_id,
        party_id=appeal.party_id,
        form=form,
        write=write,
    )


def shown_appeals(*appeal_ids: UUID) -> Shown:
    """A page that shows appeals, on which somebody acts."""
    return Shown({Piece.APPEALS: sorted(appeal_ids)})


def _standing(loaded: Loaded) -> Shown:
    """The appeals that are forwarded."""
    return shown_appeals(*(appeal.id for appeal in snapshot(loaded).tried_here))


def refuse_impossible(loaded: Loaded, lodged_at: datetime | None, now: datetime) -> None:
    """Say at the field what the guard says of the whole step: raise Invalid for a time that cannot be."""
    ask = Ask(person_id=None, parts=frozenset(), now=now, data={"happened_at": lodged_at or now})
    if reason := appealed_after_the_decision(snapshot(loaded), ask):
        raise Invalid({"clock": reason})


def _trying(loaded: Loaded) -> Proceeding | None:
    """The proceeding that the other side's appeal has opened: both are tried together."""
    children = (p for p in loaded.proceedings if p.parent_id == loaded.proceeding.id)
    return next((p for p in children if p.state is not State.WRITTEN_OFF), None)


def _new_proceeding(step: Step) -> Proceeding:
    body, decision = way_on(step.facts), step.loaded.decision()
    if body is None or decision is None:
        raise NotAllowed(t("This decision cannot be appealed."))
    proceeding = Proceeding(
        case_id=step.loaded.case.id,
        kind=ProceedingKind.APPEAL,
        body=body,
        state=State.LODGED,
        parent_id=step.proceeding.id,
        tries_id=decision.id,
        director_id=step.proceeding.director_id,
        lk_open=step.proceeding.lk_open,
        opened_at=step.now,
    )
    step.session.add(proceeding)
    return proceeding


def _appeal(step: Step, child: Proceeding, appeal_id: UUID, appeal: AppealInput, lodged_by: UUID) -> Appeal:
    lodged_at = appeal.lodged_at or step.now
    decision = step.loaded.decision()
    if decision is None:
        raise NotAllowed(t("This decision cannot be appealed."))
    return Appeal(
        id=appeal_id,
        case_id=step.loaded.case.id,
        decision_id=decision.id,
        proceeding_id=child.id,
        party_id=appeal.party_id,
        lodged_at=lodged_at,
        lodged_by=lodged_by,
        received_by=None if step.actor.person_id == lodged_by else step.actor.person_id,
        channel=appeal.channel,
        wants=appeal.wants,
        grounds=appeal.grounds,
        in_time=came_in_time(step.loaded, appeal.party_id, lodged_at),
    )


def _held(step: Step) -> list[Consequence]:
    """What waits while the appeal is tried.

    From the jury on to LK, or late when all was final, the same two rows say what holds now.
    """
    now_holds = while_appealed(step.child.body if step.child is not None else Body.JURY)
    case_id = step.loaded.case.id
    held = select(Consequence).where(Consequence.case_id == case_id, col(Consequence.kind).in_(now_holds))
    rows = {row.kind: row for row in step.session.exec(held)}
    for kind, (state, explanation) in now_holds.items():
        row = rows.setdefault(
            kind, Consequence(case_id=case_id, kind=kind, state=state, explanation=explanation, since=step.now)
        )
        row.state, row.explanation, row.since = state, explanation, step.now
        for column in ("state", "explanation", "since"):
            flag_modified(row, column)  # rows with the same columns are written in one statement
    return [*rows.values()]


def concur(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    appeal_id: UUID,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """A partner or captain concurs from his own link (Law 92D)."""
    return _concurrence(
        session,
        proceeding_id,
        ActionName.CONCUR,
        actor,
        appeal_id=appeal_id,
        person_id=acting_person(actor),
        now=now,
        form=form,
    )


def record_concurrence(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    appeal_id: UUID,
    person_id: UUID,
    told_how: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Note a partner's word that was given at the table, by phone or on paper: who has no link can give it too."""
    return _concurrence(
        session,
        proceeding_id,
        ActionName.RECORD_CONCURRENCE,
        actor,
        appeal_id=appeal_id,
        person_id=person_id,
        told_how=told_how,
        now=now,
        form=form,
    )


def deem_concurrence(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    appeal_id: UUID,
    person_id: UUID,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Let an absent partner count as concurring, with a reason."""
    return _concurrence(
        session,
        proceeding_id,
        ActionName.DEEM_CONCURRENCE,
        actor,
        appeal_id=appeal_id,
        person_id=person_id,
        because=because,
        now=now,
        form=form,
    )


def _concurrence(
    session: Session,
    proceeding_id: UUID,
    action: ActionName,
    actor: Actor,
    *,
    appeal_id: UUID,
    person_id: UUID,
    now: datetime,
    form: FormInstance | None,
    **why: str,
) -> Step:
    """`why`: `told_how` or `because`, of a word that somebody else records."""
    loaded = confirmed(session, proceeding_id, form, lambda _s, _l: shown_appeals(appeal_id))
    given = (c for c in loaded.concurrences if (c.appeal_id, c.person_id) == (appeal_id, person_id))
    row = next(given, None) or Concurrence(appeal_id=appeal_id, person_id=person_id, at=now, recorded_by=person_id)

    def write(step: Step) -> None:
        row.at, row.recorded_by = now, acting_person(actor)
        row.told_how, row.deemed_because = why.get("told_how", "").strip(), why.get("because", "").strip()
        step.session.add(row)

    return take(
        session,
        loaded,
        action,
        actor,
        now=now,
        data={"concurring_id": person_id, **why},
        subject_id=appeal_id,
        party_id=_party_of(loaded, appeal_id),
        form=form,
        write=write,
    )


def _party_of(loaded: Loaded, appeal_id: UUID) -> UUID | None:
    return next((appeal.party_id for appeal in loaded.appeals if appeal.id == appeal_id), None)


def warn_appellant(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    appeal_id: UUID,
    how: str,
    told_at: datetime,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Record that the director told an appellant that the grounds look insufficient (R33); the body is told (R34)."""
    loaded = locked(session, proceeding_id, form)

    def write(step: Step) -> None:
        row = next(appeal for appeal in step.loaded.appeals if appeal.id == appeal_id)
        row.warned_at, row.warned_by, row.warned_how = told_at, acting_person(actor), how.strip()
        session.add(row)

    data = {"how": how, "told_at": told_at, "happened_at": told_at}
    action = ActionName.WARN_APPELLANT
    return _on_appeal(session, loaded, action, actor, appeal_id=appeal_id, data=data, now=now, form=form, write=write)


def withdraw_appeal(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    appeal_id: UUID,
    now: datetime,
    because: str = "",
    form: FormInstance | None = None,
) -> Step:
    """Withdraw an appeal that is not decided; with the last one the proceeding is written off."""
    loaded = confirmed(session, proceeding_id, form, lambda _s, _l: shown_appeals(appeal_id))

    def write(step: Step) -> None:
        row = next(appeal for appeal in step.loaded.appeals if appeal.id == appeal_id)
        row.withdrawn_at, row.withdrawn_by = step.now, acting_person(actor)
        session.add(row)

    data = {"because": because, "composer": composer(session, loaded)}
    action = ActionName.WITHDRAW_APPEAL
    return _on_appeal(session, loaded, action, actor, appeal_id=appeal_id, data=data, now=now, form=form, write=write)


def _on_appeal(
    session: Session,
    loaded: Loaded,
    action: ActionName,
    actor: Actor,
    *,
    appeal_id: UUID,
    data: dict[str, Any],
    now: datetime,
    form: FormInstance | None,
    write: Any,
) -> Step:
    return take(
        session,
        loaded,
        action,
        actor,
        now=now,
        data=data,
        subject_id=appeal_id,
        party_id=_party_of(loaded, appeal_id),
        form=form,
        write=write,
    )


def forward_appeal(
    session: Session, proceeding_id: UUID, actor: Actor, *, now: datetime, form: FormInstance | None = None
) -> Step:
    """Forward the appeals to the body (R24): to the jury on site, or to the written way."""
    loaded = confirmed(session, proceeding_id, form, lambda _, case: _standing(case))
    return take(session, loaded, ActionName.FORWARD_APPEAL, actor, now=now, form=form, write=_note_forwarding)


def forward_in_place(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Forward in the director's place when his time has run out."""
    loaded = confirmed(session, proceeding_id, form, lambda _, case: _standing(case))
    data = {"because": because}
    action = ActionName.FORWARD_IN_PLACE
    return take(session, loaded, action, actor, now=now, data=data, form=form, write=_note_forwarding)


def _note_forwarding(step: Step) -> None:
    step.proceeding.forwarded_at = step.now

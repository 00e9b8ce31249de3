"""The director's verbs: from a question at the table to a ruling that every party has been told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID, uuid4

from sqlmodel import Session

from casework.clock import LOCAL
from casework.domain.access import Actor
from casework.domain.bridge.board import Board
from casework.domain.errors import Invalid
from casework.domain.minutes import whole_minute
from casework.domain.models import Decision, Notice, Proceeding, Statement
from casework.domain.rules.citations import Citation
from casework.domain.terms import (
    ActionName,
    Body,
    Channel,
    ConsequenceKind,
    FilingChannel,
    NoticeKind,
    NoticeState,
    ProceedingKind,
    RulingOutcome,
    State,
    StatementKind,
)
from casework.domain.workflow import guards
from casework.domain.workflow.facts import Ask, ProofFacts
from casework.services import untold
from casework.services.boards import board_record, refuse_impossible, refuse_unsettled
from casework.services.consequences import consequence
from casework.services.engine import confirmed, locked, take
from casework.services.going_out import ruling_now
from casework.services.loading import Loaded
from casework.services.scores import taken_along
from casework.services.snapshot import snapshot
from casework.services.step import FormInstance, Step, acting_person
from casework.text import Text, t


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingInput:
    """A ruling as the director files it; `told` is whom he told himself, and when."""

    operative: str
    facts: str
    laws: tuple[Citation, ...]
    outcome: RulingOutcome
    reasons: str = ""
    facts_agreed: str = ""
    facts_disputed: Mapping[str, str] = field(default_factory=dict)
    of_judgement: bool = False
    given_at: datetime | None = None
    told: Mapping[UUID, datetime] = field(default_factory=dict)
    board: Board | None = None


def ask_for_ruling(
    session: Session,
    loaded: Loaded,
    actor: Actor,
    *,
    text: str,
    now: datetime,
    author_id: UUID | None = None,
    channel: FilingChannel = FilingChannel.ACCOUNT,
) -> Statement:
    """File what a captain or player asks a ruling about; `author_id` and `channel` where an official enters it."""
    author = author_id or acting_person(actor)
    entered = author != actor.person_id
    statement = Statement(
        case_id=loaded.case.id,
        proceeding_id=loaded.proceeding.id,
        kind=StatementKind.REQUEST,
        author_id=author,
        entered_by=actor.person_id if entered else None,
        channel=channel if entered else FilingChannel.ACCOUNT,
        text=text,
        signed_at=now,
        received_at=now,
    )
    session.add(statement)
    return statement


def appoint_director(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    director_id: UUID,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Appoint who is to rule, where a ruling was asked for without a director."""
    action = ActionName.APPOINT_DIRECTOR
    return _name_director(session, proceeding_id, action, actor, director_id=director_id, now=now, form=form)


def hand_over_ruling(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    director_id: UUID,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Let another director rule, for example when the first is involved."""
    action = ActionName.HAND_OVER_RULING
    return _name_director(session, proceeding_id, action, actor, director_id=director_id, now=now, form=form)


def _name_director(
    session: Session,
    proceeding_id: UUID,
    action: ActionName,
    actor: Actor,
    *,
    director_id: UUID,
    now: datetime,
    form: FormInstance | None,
) -> Step:
    def write(step: Step) -> None:
        step.proceeding.director_id = director_id

    data = {"director_id": director_id}
    return take(session, proceeding_id, action, actor, now=now, data=data, form=form, write=write)


def postpone_ruling(
    session: Session,
    proceeding: UUID | Loaded,
    actor: Actor,
    *,
    waits_for: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Postpone the ruling and say what is waited for (R22); the parties are told."""

    def write(step: Step) -> None:
        step.proceeding.waits_for = waits_for.strip()

    data = {"waits_for": waits_for}
    return take(session, proceeding, ActionName.POSTPONE_RULING, actor, now=now, data=data, form=form, write=write)


def give_ruling(
    session: Session,
    proceeding: UUID | Loaded,
    actor: Actor,
    ruling: RulingInput,
    *,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Give the ruling, with the score that is worked out, and tell every party with the way to appeal (R22, R32).

    Raises:
        Conflict: the case is not as the check page showed it.
    """
    decision_id = uuid4()
    loaded = confirmed(session, proceeding, form, lambda s, case: ruling_now(s, case, actor, ruling.told, now))
    _refuse_impossible_times(loaded, ruling, now)
    refuse_impossible(ruling.board)
    refuse_unsettled(session, loaded, ruling.board, field="board")
    score = taken_along(session, loaded, ruling.outcome, field="outcome", board=ruling.board)

    def write(step: Step) -> None:
        step.decision_id = decision_id
        step.proceeding.director_id = actor.person_id  # who rules is who is appealed to (R23)
        decision = _decision(step, decision_id, ruling, score.id if score else None)
        step.file(decision)
        step.loaded.decisions[step.proceeding.id] = decision
        if ruling.board is not None:
            step.file(board_record(step, ruling.board))
        if ruling.outcome is not RulingOutcome.RESULT_STANDS:
            session.add(consequence(step, decision_id, ConsequenceKind.SCORE_ADJUSTMENT))

    typed = ("operative", "facts", "reasons", "laws", "outcome", "of_judgement")
    data = {name: getattr(ruling, name) for name in typed} | {
        "given_at": ruling.given_at or now,
        "happened_at": ruling.given_at or now,
        "told": ruling.told,
        "proofs": _proofs(loaded, ruling.told, decision_id),
    }
    return take(
        session,
        loaded,
        ActionName.GIVE_RULING,
        actor,
        now=now,
        data=data,
        subject_id=decision_id,
        form=form,
        write=write,
    )


def _refuse_impossible_times(loaded: Loaded, ruling: RulingInput, now: datetime) -> None:
    """Say at the field what the guards say of the whole step."""
    given = ruling.given_at or now
    began_on = loaded.playing_session.starts_at.astimezone(LOCAL).date()
    wrong: dict[str, Text] = {}
    if given > now:
        wrong["given_at"] = t("The ruling cannot have been given in the future.")
    elif given.astimezone(LOCAL).date() < began_on:
        early = t("The ruling cannot have been given before {day}, when the session was played.", day=began_on)
        wrong["given_at"] = early
    for at in ruling.told.values():
        if at > now:
            wrong["told_at"] = t("The time when the party was told cannot be in the future.")
        elif at < whole_minute(given):
            wrong["told_at"] = t("A party cannot have been told before the decision was given.")
    if wrong:
        raise Invalid(wrong)


def _decision(step: Step, decision_id: UUID, ruling: RulingInput, score_id: UUID | None) -> Decision:
    return Decision(
        id=decision_id,
        case_id=step.loaded.case.id,
        proceeding_id=step.proceeding.id,
        outcome=ruling.outcome,
        adjustment_id=score_id,
        operative=ruling.operative,
        facts=ruling.facts,
        facts_agreed=ruling.facts_agreed,
        facts_disputed=dict(ruling.facts_disputed) or None,
        reasons=ruling.reasons,
        laws=[citation.to_json() for citation in ruling.laws],
        of_judgement=ruling.of_judgement,
        given_at=ruling.given_at or step.now,
        given_by=acting_person(step.actor),
        recorded_at=step.now,
        recorded_by=acting_person(step.actor),
    )


def _proofs(loaded: Loaded, told: Mapping[UUID, datetime], decision_id: UUID) -> tuple[ProofFacts, ...]:
    """The director's own record of whom he told, as proof."""
    party_of = {member.person_id: member.party_id for member in loaded.members}
    return tuple(
        ProofFacts(
            kind=NoticeKind.RULING,
            person_id=person,
            party_id=party_of.get(person),
            decision_id=decision_id,
            demand_id=None,
            at=at,
        )
        for person, at in told.items()
    )


def send_to_jury(session: Session, proceeding_id: UUID, actor: Actor, *, now: datetime) -> Step:
    """Always refused before a ruling is given, with the reason (R22)."""
    return take(session, proceeding_id, ActionName.SEND_TO_JURY, actor, now=now)


def take_up_without_ruling(
    session: Session,
    proceeding_id: UUID,
    actor: Actor,
    *,
    because: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """LK takes a case up although the director gave no ruling: by its explicit decision, with reasons."""

    def write(step: Step) -> None:
        root = step.proceeding
        step.child = Proceeding(
            case_id=root.case_id,
            kind=ProceedingKind.APPEAL,
            body=Body.LAW_COMMISSION,
            state=State.PREPARING,
            parent_id=root.id,
            director_id=root.director_id,
            lk_open=False,
            opened_at=step.now,
            taken_up_because=because.strip(),
        )
        session.add(step.child)

    data = {"because": because}
    return take(session, proceeding_id, ActionName.TAKE_UP, actor, now=now, data=data, form=form, write=write)


def record_telling(
    session: Session,
    proceeding: UUID | Loaded,
    actor: Actor,
    *,
    person_id: UUID,
    told_at: datetime,
    now: datetime,
    note: str = "",
    form: FormInstance | None = None,
) -> Step:
    """Record that a party was told the decision in person, with the way to appeal read aloud (R32, R37).

    Raises:
        Invalid: (`persons`) it waits to be sent; (`told_at`) before the decision was given, or in the future.
    """
    loaded = locked(session, proceeding, form)
    decision = loaded.decision()
    member = next((m for m in loaded.members if m.person_id == person_id), None)
    kind = NoticeKind.RULING if loaded.proceeding.kind is ProceedingKind.RULING else NoticeKind.DECISION

    def write(step: Step) -> None:
        if decision is None or member is None:
            return
        session.add(
            Notice(
                case_id=loaded.case.id,
                proceeding_id=step.proceeding.id,
                kind=kind,
                channel=Channel.SPOKEN,
                state=NoticeState.TOLD,
                person_id=person_id,
                party_id=member.party_id,
                decision_id=decision.id,
                language=loaded.persons[person_id].language,
                due_at=step.now,
                proven_at=told_at,
                proven_by=actor.person_id,
                proof_note=note,
            )
        )

    proof = ProofFacts(
        kind=kind,
        person_id=person_id,
        party_id=member.party_id if member else None,
        decision_id=decision.id if decision else None,
        demand_id=None,
        at=told_at,
    )
    withheld = untold.is_withheld(session, loaded, now)
    ask = Ask(person_id=actor.person_id, parts=frozenset(), now=now, data={"proofs": (proof,), "withheld": withheld})
    if reason := guards.does_not_wait(snapshot(loaded), ask):
        raise Invalid({"persons": reason})
    if reason := guards.telling_is_possible(snapshot(loaded), ask):
        raise Invalid({"told_at": reason})
    return take(
        session,
        loaded,
        ActionName.RECORD_TELLING,
        actor,
        now=now,
        data={
            "told_at": told_at,
            "happened_at": told_at,
            "proofs": (proof,),
            "given_at": decision.given_at if decision else None,
            "withheld": withheld,
        },
        subject_id=person_id,
        party_id=member.party_id if member else None,
        form=form,
        write=write,
    )

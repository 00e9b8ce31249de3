"""What organisers record about a tournament: when the official score was published, and who of LK is present."""

from datetime import datetime, time
from typing import Any
from uuid import UUID

from sqlmodel import Session, col, func, select

from casework.clock import LOCAL
from casework.domain.access import SYSTEM, Actor
from casework.domain.errors import Invalid, Missing, NotAllowed
from casework.domain.minutes import has_run
from casework.domain.models import Case, Grant, Incident, Notice, Person, Presence, Proceeding, Tournament
from casework.domain.models import Session as PlayingSession
from casework.domain.terms import ActionName, Audience, NoticeKind, Part, ProceedingKind, Role, State
from casework.domain.workflow.audience import recipients
from casework.domain.workflow.bases import BASES, base_of, rebases, with_news
from casework.domain.workflow.facts import Ask
from casework.domain.workflow.held import AT_ONCE
from casework.domain.workflow.ruling import RULING
from casework.domain.workflow.table import Changes, Telling
from casework.services import notifying
from casework.services.before_publishing import before_publishing, publication_now
from casework.services.engine import take
from casework.services.loading import Loaded, load
from casework.services.reckoning import instant_from, note_kept, shortens
from casework.services.reopening import reopen
from casework.services.snapshot import snapshot
from casework.services.step import FormInstance, Step, acting_person
from casework.services.windows import rulings_of
from casework.text import t

_MAY_RECORD = (Role.DIRECTOR, Role.CHIEF_DIRECTOR, Role.ASSISTANT_DIRECTOR, Role.ORGANISER, Role.OFFICE)


def run_by(session: Session, tournament_id: UUID, actor: Actor) -> Tournament:
    """A tournament that the actor runs; Missing where he does not."""
    row = session.get(Tournament, tournament_id)
    if row is None or not actor.holds(*_MAY_RECORD, at=tournament_id):
        raise Missing
    return row


def playing_session(session: Session, session_id: UUID, actor: Actor) -> PlayingSession:
    """A session of a tournament that the actor runs; Missing where he does not."""
    row = session.get(PlayingSession, session_id)
    if row is None or not actor.holds(*_MAY_RECORD, at=row.tournament_id):
        raise Missing
    return row


def record_publication(
    session: Session,
    session_id: UUID,
    actor: Actor,
    *,
    published_at: datetime,
    now: datetime,
    form: FormInstance | None = None,
) -> int:
    """Record when the official score of a session was made available: every window that waited for it starts.

    Recorded again as it is, it changes nothing. Recorded as earlier it cuts no time that runs: who has been told a last
    moment may rely on it (own reading). Who is told is counted over all cases together, and the notices of all of them
    wait or none do (`publication_waits`). Returns how many rulings it concerned.

    Raises:
        Invalid: the instant lies in the future or before the session began.
        Conflict: another time is recorded, or it moves, opens or tells something else than the check page showed.
    """
    row = _locked(session, playing_session(session, session_id, actor))
    refuse_impossible(row, published_at, now)
    if row.published_at == published_at:
        return 0
    cases = [load(session, proceeding_id, lock=True) for proceeding_id in rulings_of(session, session_id)]
    seen = form.seen if form is not None else None
    waits = False
    if seen is not None or now - published_at >= AT_ONCE:  # else nothing can wait, and nobody is counted
        does = before_publishing(session, session_id, published_at, now)
        waits = does.waits
        if seen is not None:
            publication_now(session, row, published_at, now, does).refuse_unseen(seen)
    instead_of = row.published_at
    row.published_at, row.publication_recorded_at = published_at, now
    row.publication_recorded_by = acting_person(actor)
    session.add(row)
    session.flush()
    data: dict[str, Any] = {"published_at": published_at, "happened_at": published_at, "waits": waits}
    if instead_of is not None:
        data["recorded"] = {"instead_of": instead_of}
    for loaded in cases:
        if loaded.proceeding.state is not State.FINAL or _runs_again(loaded, published_at, now):
            take(session, loaded, ActionName.RECORD_PUBLICATION, actor, now=now, data=data, write=_note_kept)
            reopen(session, loaded, now, waits=waits)
    return len(cases)


def _note_kept(step: Step) -> None:
    """The times that were told from a later start keep it, and say so."""
    ask = Ask(person_id=None, parts=frozenset(), now=step.now, data=step.data)
    facts, rows = with_news(step.facts, ask), {row.id: row for row in step.loaded.deadlines}
    for deadline in facts.deadlines:
        row, base = rows[deadline.id], base_of(deadline, facts) if deadline.kind in BASES else None
        earlier = base is not None and row.base is not None and base < row.base and row.ended is None
        if base is not None and earlier and shortens(row, instant_from(row, base, None), step.now):
            note_kept(row, base)
            step.session.add(row)


def _runs_again(loaded: Loaded, published_at: datetime, now: datetime) -> bool:
    """Whether a side of a final ruling would have time left if the score was made available then."""
    ask = Ask(person_id=None, parts=frozenset(), now=now, data={"published_at": published_at})
    rows = {deadline.id: deadline for deadline in loaded.deadlines}
    moved = ((rows[each.deadline_id], each.base) for each in rebases(with_news(snapshot(loaded), ask), ask))
    return not all(has_run(instant_from(row, base, row.instant), now) for row, base in moved if base)


def _locked(session: Session, row: PlayingSession) -> PlayingSession:
    """Two who record at once come one after the other."""
    session.refresh(row, with_for_update=True)
    return row


def refuse_impossible(row: PlayingSession, published_at: datetime, now: datetime) -> None:
    """Raise Invalid for an instant in the future or before the session began."""
    if published_at > now:
        raise Invalid({"published_at": t("The score cannot have been made available in the future.")})
    if published_at < row.starts_at:
        raise Invalid({"published_at": t("The score cannot have been made available before the session began.")})


def remind_of_publication(session: Session, now: datetime) -> int:
    """Remind the organisers once a session whose day has ended without a record of its official score (R32).

    Only sessions with a ruling whose time to appeal waits for it. Returns how many were reminded of.
    """
    waiting = _unpublished(session, now)
    for proceeding_id in waiting:
        loaded = load(session, proceeding_id, lock=True)
        facts = snapshot(loaded)
        nobody = Ask(person_id=None, parts=frozenset({Part.SYSTEM}), now=now)
        to = [*recipients(Audience.ORGANISERS, facts, nobody)] or [*recipients(Audience.OFFICE, facts, nobody)]
        changes = Changes(
            action=RULING.action(ActionName.RECORD_PUBLICATION),
            part=Part.SYSTEM,
            tellings=tuple(Telling(kind=NoticeKind.PUBLICATION_MISSING, person_id=person) for person, _ in to),
        )
        step = Step(
            session=session,
            loaded=loaded,
            facts=facts,
            changes=changes,
            actor=SYSTEM,
            now=now,
            data={},
            subject_id=None,
            party_id=None,
        )
        notifying.prepare(step)
    return len(waiting)


def _unpublished(session: Session, now: datetime) -> list[UUID]:
    """For each session to remind of, its oldest ruling whose time waits for the score."""
    midnight = datetime.combine(now.astimezone(LOCAL).date(), time(), LOCAL)
    reminded = (
        select(col(Incident.session_id))
        .join(Case, col(Case.incident_id) == col(Incident.id))
        .join(Notice, col(Notice.case_id) == col(Case.id))
        .where(Notice.kind == NoticeKind.PUBLICATION_MISSING)
    )
    rows = session.exec(
        select(Incident.session_id, Proceeding.id)
        .join(Case, col(Case.incident_id) == col(Incident.id))
        .join(Proceeding, col(Proceeding.case_id) == col(Case.id))
        .join(PlayingSession, col(PlayingSession.id) == col(Incident.session_id))
        .where(
            Proceeding.kind == ProceedingKind.RULING,
            col(Proceeding.state).in_([State.GIVEN, State.APPEALED]),
            col(PlayingSession.published_at).is_(None),
            func.coalesce(PlayingSession.ends_at, PlayingSession.starts_at) < midnight,
            col(Incident.session_id).not_in(reminded),
        )
        .order_by(col(Proceeding.opened_at))
    )
    first: dict[UUID, UUID] = {}
    for session_id, proceeding_id in rows:
        first.setdefault(session_id, proceeding_id)
    return list(first.values())


def register_presence(session: Session, tournament_id: UUID, person_id: UUID, actor: Actor, *, now: datetime) -> None:
    """Register an LK member as present, so that he is called to every hearing of the jury (R18).

    Raises:
        Missing: no such tournament, or not the actor's.
        NotAllowed: the person is no member of LK.
    """
    run_by(session, tournament_id, actor)
    member = select(Grant).where(
        Grant.person_id == person_id, col(Grant.role).in_([Role.LK_CHAIR, Role.LK_MEMBER, Role.LK_RESERVE])
    )
    if session.exec(member).first() is None:
        raise NotAllowed(t("Only members of the Law Commission are registered here."))
    known = select(Presence).where(Presence.tournament_id == tournament_id, Presence.person_id == person_id)
    if session.exec(known).first() is None:
        session.add(Presence(tournament_id=tournament_id, person_id=person_id, registered_at=now))


def law_commission(session: Session) -> list[Person]:
    """Members and reserves of LK by name."""
    query = (
        select(Person)
        .join(Grant, col(Grant.person_id) == col(Person.id))
        .where(col(Grant.role).in_([Role.LK_CHAIR, Role.LK_MEMBER, Role.LK_RESERVE]))
        .order_by(col(Person.family_name), col(Person.given_name))
        .distinct()
    )
    return list(session.exec(query))

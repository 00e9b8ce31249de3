"""A question at the table becomes a case by its first step: a ruling, a postponed one, or one that is asked for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, or_, true
from sqlmodel import Session, col, select

from casework.clock import LOCAL
from casework.domain.access import Actor
from casework.domain.errors import Invalid, Missing, NotAllowed
from casework.domain.models import Entry, EntryMember, Tournament
from casework.domain.models import Session as PlayingSession
from casework.domain.shown import Shown
from casework.domain.terms import ActionName, Audience, FilingChannel, Form, NoticeKind, Part, Role, Side, State
from casework.domain.workflow import guards
from casework.domain.workflow.audience import parts_of, recipients
from casework.domain.workflow.facts import Ask, Facts
from casework.domain.workflow.table import Action, Changes, Telling, Tells
from casework.services import history, notifying, rulings
from casework.services.engine import confirmed
from casework.services.going_out import shown_at_the_table, shown_sides
from casework.services.loading import Loaded
from casework.services.opening import (
    Contestants,
    IncidentInput,
    begin_case,
    contestants,
    open_case,
    record_opening,
    refuse_repeat,
)
from casework.services.rulings import RulingInput
from casework.services.snapshot import snapshot
from casework.services.step import FormInstance, Step, acting_person, remember_form
from casework.text import t

LATE_RULINGS, LONGEST_SESSION = timedelta(hours=3), timedelta(hours=10)
MOST_CHOICES = 60

MAY_RULE = (Role.DIRECTOR, Role.CHIEF_DIRECTOR, Role.ASSISTANT_DIRECTOR)
MAY_ASK_FOR_OTHERS = (*MAY_RULE, Role.ORGANISER, Role.OFFICE)

ASKING = Action(
    name=ActionName.OPEN_CASE,
    label=t("Ask for a ruling"),
    done=t("Asked for a ruling"),
    rule="R22",
    start=frozenset({State.REQUESTED}),
    who=frozenset({Part.PARTY, Part.DIRECTOR, Part.CHIEF_DIRECTOR, Part.ORGANISER, Part.OFFICE}),
    tells=(
        Tells(NoticeKind.RULING_ASKED, Audience.ORGANISERS),
        Tells(NoticeKind.RULING_ASKED, Audience.OFFICE),
    ),
)
"""What opens a case that no director has seen; every other step belongs to a case that is open."""


def file_ruling(
    session: Session,
    incident: IncidentInput,
    actor: Actor,
    ruling: RulingInput,
    *,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Open a case and give the ruling in it at once (R22, R32).

    Raises:
        Missing: the session is not at a tournament where the actor rules.
        NotAllowed: the procedure says no, or the director is a party.
        Conflict: names, recipients or times are not as the check page showed them.
        AlreadyDone: the form has taken effect before.
    """
    loaded = _opened_by_director(
        session,
        incident,
        actor,
        now=now,
        form=form,
        shows=lambda found: shown_at_the_table(session, found, actor, ruling.told, now),
    )
    return rulings.give_ruling(session, loaded, actor, ruling, now=now, form=form)


def postpone_at_once(
    session: Session,
    incident: IncidentInput,
    actor: Actor,
    *,
    waits_for: str,
    now: datetime,
    form: FormInstance | None = None,
) -> Step:
    """Open a case and postpone the ruling in it (R22). Raises as `file_ruling`."""
    loaded = _opened_by_director(session, incident, actor, now=now, form=form, shows=shown_sides)
    return rulings.postpone_ruling(session, loaded, actor, waits_for=waits_for, now=now, form=form)


def _opened_by_director(
    session: Session,
    incident: IncidentInput,
    actor: Actor,
    *,
    now: datetime,
    form: FormInstance | None,
    shows: Callable[[Contestants], Shown],
) -> Loaded:
    loaded = open_case(session, incident, actor, now=now, director_id=acting_person(actor))
    refuse_repeat(session, form)
    confirmed(session, loaded, form, lambda s, _: shows(contestants(s, incident)))
    if not actor.holds(*MAY_RULE, at=loaded.tournament.id):
        raise Missing
    ask = Ask(person_id=actor.person_id, parts=frozenset(), now=now)
    if reason := guards.director_is_no_party(snapshot(loaded), ask):
        raise NotAllowed(reason)
    return loaded


def asked_about(session: Session, incident: IncidentInput, actor: Actor) -> Contestants:
    """Whose ruling the actor asks for: a contestant of his own, or any where he may ask for others.

    Raises:
        Missing: there is no such session.
        Invalid: a contestant does not exist, is on both sides, or neither is his: nobody lists others' names.
    """
    found = contestants(session, incident)
    players = {player.person_id for player in found.players}
    if actor.person_id not in players and not actor.holds(*MAY_ASK_FOR_OTHERS, at=found.tournament.id):
        raise Invalid(_NOT_HIS)
    return found


_NOT_HIS = {
    Side.NORTH_SOUTH.value: t("You ask for a contestant that you play in yourself. Write its number on the right side.")
}


def request_ruling(
    session: Session,
    incident: IncidentInput,
    actor: Actor,
    *,
    text: str,
    now: datetime,
    asked_by: UUID | None = None,
    channel: FilingChannel = FilingChannel.ACCOUNT,
    form: FormInstance | None = None,
) -> Step:
    """Open a case in which a ruling is asked for, where no director was there (R22); organiser and office are told.

    A player or captain asks himself. Who is trusted at the tournament registers it for one of them, `asked_by`.

    Raises:
        Invalid: the actor neither plays in one of the contestants nor is trusted there, or `asked_by` does not.
        AlreadyDone: the form has taken effect before.
    """
    if asked_by is None:  # a party does not choose the laws
        incident = replace(incident, edition=None)
    loaded = begin_case(session, incident, actor, now=now, director_id=None)
    refuse_repeat(session, form)
    confirmed(session, loaded, form, lambda s, _: shown_sides(asked_about(s, incident, actor)))
    facts = snapshot(loaded)
    author = _who_asks(facts, actor, asked_by)
    step = _asking(session, loaded, facts, actor, now)
    with session.no_autoflush:
        asked = rulings.ask_for_ruling(session, loaded, actor, text=text, now=now, author_id=author, channel=channel)
        step.filed.append(asked)
        notifying.prepare(step)
        _remember(step, form)
    return step


def _who_asks(facts: Facts, actor: Actor, asked_by: UUID | None) -> UUID:
    """A party asks for itself; who is trusted there says for whom."""
    if not parts_of(actor, facts) & ASKING.who:
        raise Invalid(_NOT_HIS)
    if facts.party_of(actor.person_id) is not None:
        return acting_person(actor)
    if asked_by is None or facts.party_of(asked_by) is None:
        raise Invalid({"asked_by": t("Choose which of the players or captains asks for the ruling.")})
    return asked_by


def _asking(session: Session, loaded: Loaded, facts: Facts, actor: Actor, now: datetime) -> Step:
    ask = Ask(person_id=actor.person_id, parts=parts_of(actor, facts), now=now)
    told = {(tells.kind, person) for tells in ASKING.tells for person, _ in recipients(tells.to, facts, ask)}
    changes = Changes(
        action=ASKING,
        part=next(part for part in Part if part in ASKING.who & ask.parts),
        tellings=tuple(Telling(kind=kind, person_id=person) for kind, person in sorted(told, key=str)),
    )
    return Step(
        session=session,
        loaded=loaded,
        facts=facts,
        changes=changes,
        actor=actor,
        now=now,
        data={},
        subject_id=None,
        party_id=None,
    )


def _remember(step: Step, form: FormInstance | None) -> None:
    """The receipt, and the event that commits to what was asked."""
    person, case = step.actor.person_id, step.loaded.case
    remember_form(step.session, form, person_id=person, case_id=case.id, at=step.now, action=ActionName.OPEN_CASE)
    data = {
        "filed": {str(row.id): [row.__tablename__, history.committed(row)] for row in step.filed},
        "notices": [notice.id for notice in step.notices],
    }
    step.event = record_opening(step.session, step.loaded, step.actor, part=step.changes.part, now=step.now, data=data)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionChoice:
    """A session to choose; `running` while it is played, so that the phone's form begins with it."""

    id: UUID
    tournament_id: UUID
    tournament: str
    name: str
    form: Form
    starts_at: datetime
    running: bool

    @property
    def played_on(self) -> date:
        """The local day of the session, which picks the edition of the laws (R43)."""
        return self.starts_at.astimezone(LOCAL).date()


def sessions_to_rule(session: Session, actor: Actor, now: datetime) -> list[SessionChoice]:
    """The sessions in which the actor may rule, the newest first; none that is played on a later day."""
    return _choices(session, now, _at_tournaments(actor, MAY_RULE))


def sessions_to_ask(session: Session, actor: Actor, now: datetime) -> list[SessionChoice]:
    """The sessions in which the actor plays, or may register what a player asks, the newest first."""
    entered = (
        select(col(Entry.tournament_id))
        .join(EntryMember, col(EntryMember.entry_id) == col(Entry.id))
        .where(EntryMember.person_id == actor.person_id)
    )
    mine = _at_tournaments(actor, MAY_ASK_FOR_OTHERS)
    return _choices(session, now, or_(mine, col(Tournament.id).in_(entered)))


def _at_tournaments(actor: Actor, roles: tuple[Role, ...]) -> ColumnElement[bool]:
    if actor.holds(*roles):
        return true()
    return col(Tournament.id).in_([place for role, place in actor.roles if role in roles and place is not None])


def _choices(session: Session, now: datetime, where: ColumnElement[bool]) -> list[SessionChoice]:
    tomorrow = datetime.combine(now.astimezone(LOCAL).date() + timedelta(days=1), time(), LOCAL)
    rows = session.exec(
        select(PlayingSession, Tournament)
        .join(Tournament, col(Tournament.id) == col(PlayingSession.tournament_id))
        .where(where, col(PlayingSession.starts_at) < tomorrow)
        .order_by(col(PlayingSession.starts_at).desc(), col(PlayingSession.name))
        .limit(MOST_CHOICES)
    )
    return [
        SessionChoice(
            id=playing.id,
            tournament_id=tournament.id,
            tournament=tournament.name,
            name=playing.name,
            form=tournament.form,
            starts_at=playing.starts_at,
            running=_running(playing, now),
        )
        for playing, tournament in rows
    ]


def _running(playing: PlayingSession, now: datetime) -> bool:
    """From the first board until its day has ended, or a while after the last one: rulings come late."""
    if playing.ends_at is not None:
        return playing.starts_at <= now <= playing.ends_at + LATE_RULINGS
    return playing.starts_at <= now <= playing.starts_at + LONGEST_SESSION

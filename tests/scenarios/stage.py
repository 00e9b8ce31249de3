"""The stage of the replays: a published case begun on its own day, and what can be read of it afterwards."""

from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from typing import Any, TypeVar
from uuid import UUID

from sqlmodel import SQLModel, col, select

from casework.adapters.database import uow
from casework.adapters.i18n import render
from casework.domain.errors import NotAllowed
from casework.domain.models import (
    Appeal,
    Case,
    Consequence,
    Deadline,
    Decision,
    Grant,
    Notice,
    Person,
    Proceeding,
    Remark,
    Seat,
    Tournament,
)
from casework.domain.models import Session as PlayingSession
from casework.domain.rules.editions import LawEdition, edition_on
from casework.domain.terms import (
    ActionName,
    Body,
    ConsequenceKind,
    ConsequenceState,
    DeadlineKind,
    NoticeKind,
    NoticeState,
    Role,
    Side,
    State,
)
from casework.services import engine, history, opening
from casework.services.loading import load
from casework.services.opening import IncidentInput
from casework.text import Text
from tests import factories
from tests.factories import Federation, OpenCase
from tests.scenarios.facts import Published
from tests.story import Story

RowOf = TypeVar("RowOf", bound=SQLModel)
EVERY_PLAYER = frozenset({"north", "south", "east", "west"})
HOW_TO_APPEAL, FINAL = "Så överklagar du", "Beslutet är slutgiltigt"
"""The heading of the block that every ruling and decision ends with (R32, R5)."""


def federation(published: Published, **options: Any) -> Federation:
    """The tournament of a published case, on its day; `options` are those of `factories.federation`."""
    there = factories.federation(form=published.form, **options)
    with uow(write=True) as session:
        tournament = session.get_one(Tournament, there.tournament_id)
        tournament.name, tournament.starts_on, tournament.ends_on = published.tournament, published.day, published.day
        session.get_one(PlayingSession, there.session_id).starts_at = published.starts_at
    return there


def joined(there: Federation, key: str, name: str, role: Role) -> Federation:
    """The same federation with one more person, who is trusted with something at the tournament."""
    with uow(write=True) as session:
        made = factories.person(session, name, len(there.persons) + 1, club="Norrviks BK")
        session.add(Grant(person_id=made.id, role=role, tournament_id=there.tournament_id))
    return replace(there, persons={**there.persons, key: made.id})


def incident(there: Federation, published: Published) -> IncidentInput:
    """Where it happened, and who sat there."""
    return IncidentInput(
        session_id=there.session_id,
        contestants={Side.NORTH_SOUTH: (7,), Side.EAST_WEST: (12,)},
        occurred_on=published.day,
        table="5",
        board=published.board,
    )


def begin(there: Federation, published: Published) -> Story:
    """The director has been called to the table half an hour into the session."""
    actor, at = there.actor("director"), published.starts_at
    with uow(write=True) as session:
        loaded = opening.open_case(
            session, incident(there, published), actor, now=at, director_id=there.persons["director"]
        )
        sides = {party.side: party.id for party in loaded.parties}
    case = OpenCase(loaded.case.id, loaded.case.number, loaded.proceeding.id, sides)
    return Story(there, case, at + timedelta(minutes=30))


def words(text: Text) -> str:
    """A sentence as people in Sweden read it."""
    return render(text, "sv")


def said(refusal: NotAllowed) -> list[str]:
    """The reasons of a refusal as people in Sweden read them."""
    return [words(reason) for reason in refusal.reasons]


def rows(model: type[RowOf], *where: Any) -> list[RowOf]:
    """What the database holds."""
    with uow() as session:
        return list(session.exec(select(model).where(*where)))


def proceeding(story: Story, body: Body) -> Proceeding:
    """A body's handling of the case."""
    (found,) = rows(Proceeding, Proceeding.case_id == story.case.case_id, Proceeding.body == body)
    return found


def states(story: Story) -> dict[Body, State]:
    """How far each body has come."""
    return {row.body: row.state for row in rows(Proceeding, Proceeding.case_id == story.case.case_id)}


def decision(story: Story, body: Body) -> Decision:
    """What a body has decided."""
    (found,) = rows(Decision, Decision.proceeding_id == proceeding(story, body).id)
    return found


def appeal(story: Story, appealed: Body) -> Appeal:
    """The appeal against a body's decision."""
    (found,) = rows(Appeal, Appeal.decision_id == decision(story, appealed).id)
    return found


def window(story: Story, side: Side, body: Body = Body.DIRECTOR) -> Deadline:
    """A side's newest time to appeal a body's decision."""
    found = rows(
        Deadline,
        Deadline.proceeding_id == proceeding(story, body).id,
        Deadline.kind == DeadlineKind.APPEAL_WINDOW,
        Deadline.party_id == story.case.party_ids[side],
    )
    return max(found, key=lambda deadline: deadline.opened_at)


def consequences(story: Story) -> dict[ConsequenceKind, list[ConsequenceState]]:
    """What follows of all that was decided."""
    found: dict[ConsequenceKind, list[ConsequenceState]] = {}
    for row in rows(Consequence, Consequence.case_id == story.case.case_id):
        found.setdefault(row.kind, []).append(row.state)
    return found


def detail(story: Story, body: Body, kind: ConsequenceKind) -> str:
    """What a body's decision says about one thing that follows of it."""
    (found,) = rows(Consequence, Consequence.decision_id == decision(story, body).id, Consequence.kind == kind)
    return found.detail


def mails(story: Story, kind: NoticeKind, *, decision_id: UUID | None = None) -> dict[str, str]:
    """Who has been sent a mail of a kind, by their keys, with its words."""
    where = [Notice.case_id == story.case.case_id, Notice.kind == kind, Notice.state == NoticeState.HANDED_OVER]
    if decision_id is not None:
        where.append(Notice.decision_id == decision_id)
    keys = {person: key for key, person in story.there.persons.items()}
    return {keys[row.person_id]: _plain(row.mime) for row in rows(Notice, *where)}


def _plain(mime: bytes | None) -> str:
    assert mime is not None
    body = message_from_bytes(mime, policy=policy.default).get_body(("plain",))
    assert body is not None
    return " ".join(str(body.get_content()).split())


def told(story: Story, body: Body, heading: str) -> None:
    """Every player has been sent the body's decision, with the block about appealing (R32, R36)."""
    kind = NoticeKind.RULING if body is Body.DIRECTOR else NoticeKind.DECISION
    sent = mails(story, kind, decision_id=decision(story, body).id)
    assert sent.keys() == EVERY_PLAYER
    operative = " ".join(decision(story, body).operative.split())
    for text in sent.values():
        assert heading in text
        assert operative in text


def edition(story: Story) -> LawEdition:
    """The laws that judge the case; every law cited in it is of that edition (R43)."""
    (case,) = rows(Case, Case.id == story.case.case_id)
    for row in rows(Decision, Decision.case_id == case.id):
        assert {law["edition"] for law in row.laws} == {case.law_edition}
    return case.law_edition


def reasons(story: Story, key: str, action: ActionName, *, proceeding_id: UUID | None = None) -> list[str] | None:
    """What stands in the way of an action for somebody, in Swedish; None where it is not his at all."""
    with uow() as session:
        loaded = load(session, proceeding_id or story.newest())
        offered = engine.possibilities(loaded, story.actors[key], story.at)
    found = next((each for each in offered if each.action.name is action), None)
    return None if found is None else [words(reason) for reason in found.reasons]


def remarks(story: Story, action: ActionName) -> list[Remark]:
    """The reasons that were written for a step."""
    return rows(Remark, Remark.case_id == story.case.case_id, Remark.action == action)


def seat(story: Story, key: str) -> Seat:
    """Somebody's seat with the newest panel he sits on."""
    found = rows(Seat, Seat.person_id == story.there.persons[key])
    return max(found, key=lambda each: each.seated_at)


def belongs_to(story: Story, key: str, club: str) -> None:
    """The register says that somebody is a member of a club."""
    with uow(write=True) as session:
        session.get_one(Person, story.there.persons[key]).club = club


def ended(story: Story, published: Published) -> None:
    """Nothing runs any more, titles are released (R9), the history is whole, and the right laws were applied."""
    where = (Deadline.case_id == story.case.case_id, col(Deadline.ended).is_(None))
    assert rows(Deadline, *where) == []
    assert ConsequenceState.HELD not in consequences(story).get(ConsequenceKind.TITLES_HELD, [])
    assert edition(story) is edition_on(published.day)
    with uow() as session:
        assert history.verify(session, session.get_one(Case, story.case.case_id)) is None

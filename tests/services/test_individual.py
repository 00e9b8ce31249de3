"""An individual event: two single players sit on each side, and each is a party of his own (Law 92D)."""

from uuid import UUID

import pytest
from sqlmodel import col, select

from casework.adapters.database import uow
from casework.domain.errors import Invalid
from casework.domain.models import Deadline, Demand, Link, Notice, Party, Proceeding
from casework.domain.terms import AppealRoute, DeadlineKind, DemandKind, Form, NoticeKind, Side, State
from casework.services import appeals, notices, opening, readings, statements
from casework.services.appeals import AppealInput
from casework.services.loading import load
from casework.services.opening import IncidentInput
from casework.services.snapshot import snapshot
from casework.services.statements import StatementInput
from tests import factories
from tests.story import Story

NUMBERS = {"north": 7, "south": 8, "east": 12, "west": 13}


@pytest.fixture
def story(sqlite: str) -> Story:
    """A ruling in an individual event whose appeals go to the Law Commission, told to all four by mail."""
    story = Story.begun(form=Form.INDIVIDUAL, route=AppealRoute.LAW_COMMISSION)
    story.rule(facts_disputed={Side.EAST_WEST.value: "Pausen var kort."})
    return story


def party(story: Story, key: str) -> UUID:
    """The contestant that a player is."""
    return story.case.parties[NUMBERS[key]]


def incident(there: factories.Federation, north_south: tuple[int, ...], east_west: tuple[int, ...]) -> IncidentInput:
    """What happened at a table, with these numbers."""
    sides = {Side.NORTH_SOUTH: north_south, Side.EAST_WEST: east_west}
    return IncidentInput(session_id=there.session_id, contestants=sides, occurred_on=factories.SATURDAY)


def test_each_player_is_told_and_has_his_own_time_and_link(story: Story) -> None:
    """R32."""
    with uow() as session:
        sides = session.exec(select(Party.number, Party.side).order_by(col(Party.number))).all()
        told = {(n.person_id, n.party_id) for n in session.exec(select(Notice).where(Notice.kind == NoticeKind.RULING))}
        windows = session.exec(select(col(Deadline.party_id)).where(Deadline.kind == DeadlineKind.APPEAL_WINDOW)).all()
        links = session.exec(select(col(Link.party_id))).all()
    assert list(sides) == [
        (7, Side.NORTH_SOUTH),
        (8, Side.NORTH_SOUTH),
        (12, Side.EAST_WEST),
        (13, Side.EAST_WEST),
    ]
    assert told == {(story.there.persons[key], party(story, key)) for key in NUMBERS}
    assert set(windows) == set(links) == set(story.case.parties.values())


def test_nobody_else_need_concur(story: Story) -> None:
    """Law 92D."""
    newest = story.appeal()
    with uow() as session:
        loaded = load(session, newest)
        (appeal,) = readings.appeals(session, loaded)
    assert appeal.missing == ()


def test_partners_appeal_each_for_himself(story: Story) -> None:
    story.appeal()
    own = AppealInput(party_id=party(story, "south"), wants="Bordsresultatet.")
    ruling, south = story.case.proceeding_id, story.actors["south"]
    story.write(lambda s: appeals.lodge_appeal(s, ruling, south, own, now=story.later()))
    with uow() as session:
        facts = snapshot(load(session, story.newest()))
    assert {appeal.party_id for appeal in facts.tried_here} == {party(story, "north"), party(story, "south")}


def test_the_papers_wait_for_each_player(story: Story) -> None:
    """R28, R30: both on a side are heard."""
    newest = story.appeal()
    story.forward()
    story.report()
    story.demand()
    for key in ("north", "east", "south"):
        said = StatementInput(party_id=party(story, key), text=f"Så sade {key}.")
        story.write(
            lambda s, k=key, t=said: statements.file_statement(s, newest, story.actors[k], t, now=story.later())  # type: ignore[misc]
        )
    assert state(newest) is State.PREPARING
    said = StatementInput(party_id=party(story, "west"), text="Så sade väst.")
    story.write(lambda s: statements.file_statement(s, newest, story.actors["west"], said, now=story.later()))
    assert state(newest) is State.ANSWERING
    with uow() as session:
        asked = session.exec(select(col(Demand.party_id)).where(Demand.kind == DemandKind.ANSWER)).all()
    assert set(asked) == set(story.case.parties.values())


def state(proceeding_id: UUID) -> State:
    """The state of a proceeding."""
    with uow() as session:
        return session.get_one(Proceeding, proceeding_id).state


def test_a_mail_names_both_players_of_each_side(story: Story) -> None:
    with uow() as session:
        notice = session.exec(select(Notice).where(Notice.person_id == story.there.persons["west"])).one()
        text = notices.message_for(session, notice.id, story.at).text
    assert "Spelare 12 och spelare 13: Pausen var kort." in text
    for number, name in ((7, "Birgit Ekestam"), (8, "Arne Solvik"), (12, "Lena Tvärås"), (13, "Olof Hägglund")):
        assert f"Spelare {number}: {name}" in text


@pytest.mark.parametrize(
    ("form", "north_south", "east_west", "wrong"),
    [
        (Form.PAIRS, (7, 12), (12,), {"north_south_2", "east_west"}),
        (Form.INDIVIDUAL, (7, 7), (12, 13), {"north_south_2"}),
        (Form.INDIVIDUAL, (7, 8), (12, 8), {"east_west_2"}),
        (Form.INDIVIDUAL, (7, 99), (12, 13), {"north_south_2"}),
        (Form.INDIVIDUAL, (7, 8, 13), (12,), {"north_south_3"}),
    ],
)
def test_who_can_sit_on_a_side(
    sqlite: str, form: Form, north_south: tuple[int, ...], east_west: tuple[int, ...], wrong: set[str]
) -> None:
    there = factories.federation(form=form)
    with pytest.raises(Invalid) as refused, uow() as session:
        opening.contestants(session, incident(there, north_south, east_west))
    assert set(refused.value.fields) == wrong

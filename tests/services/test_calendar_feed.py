"""What a person's calendar shows: his own times and his own work in the cases that he may see now (C2)."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from casework import clock
from casework.adapters.database import uow
from casework.domain.access import Actor, LinkScope
from casework.domain.models import Account, Deadline, Link, Person, Seat
from casework.domain.terms import AppealRoute, ConflictState, LinkPurpose, Side
from casework.services import calendar_feed, hearings, links, people
from casework.services.calendar_feed import turn_on
from tests import factories, ics
from tests.conftest import Set
from tests.counting import counted
from tests.factories import NAMES, OpenCase
from tests.kept import kept
from tests.story import Story


@pytest.fixture(autouse=True)
def on_the_day(settings: Set) -> None:
    """The times of a story run when they are looked at."""
    clock.advance(factories.START + timedelta(minutes=50) - clock.now())


def fetched(actor: Actor) -> bytes:
    """What stands at the actor's address; it is turned on first."""
    with uow(write=True) as session:
        turn_on(session, actor, clock.now())
    with uow() as session:
        found = calendar_feed.subscription(session, actor)
        assert found is not None
        content = calendar_feed.read(session, found.url.rpartition("/")[2].removesuffix(".ics"), clock.now())
    assert content is not None
    return content


def titles(actor: Actor) -> list[str]:
    return [entry.title for entry in ics.read(fetched(actor))]


def by_link(story: Story, key: str, purpose: LinkPurpose = LinkPurpose.PARTY) -> Actor:
    """Somebody who came by his mail link."""
    with uow() as session:
        link = session.exec(
            select(Link).where(
                Link.person_id == story.there.persons[key],
                Link.purpose == purpose,
                Link.case_id == story.case.case_id,
            )
        ).one()
        actor = people.actor_by_link(session, link, clock.now())
    assert actor is not None
    return actor


def scope(actor: Actor) -> LinkScope:
    assert actor.link is not None
    return actor.link


@kept
def called() -> Story:
    """A jury is called to a hearing; the other side may still appeal."""
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.compose()
    story.declare()
    story.call()
    return story


def second_case(story: Story) -> OpenCase:
    """The same people meet again: another ruling that both sides may appeal."""
    case = factories.open_case(story.there, at=story.at)
    told = {story.there.persons[key]: story.at for key in ("north", "east")}
    factories.give_ruling(story.there, case, at=story.at, told=told)
    return case


def test_each_sees_the_hearing_he_comes_to_and_the_time_that_is_his(sqlite: str) -> None:
    story = called()
    hearing, last = "Sammanträde, SBF-2026-0001", "Tiden går ut, SBF-2026-0001"
    seen = {key: set(titles(story.actors[key])) for key in NAMES}
    assert seen == {key: set[str]() for key in NAMES} | {
        "north": {hearing},
        "south": {hearing},  # who has appealed needs no time for it
        "east": {hearing, last},
        "west": {hearing, last},
        "director": {hearing},
        "juror_1": {hearing},
        "juror_2": {hearing},
        "juror_3": {hearing},
    }
    text = b"".join(fetched(story.actors[key]) for key in NAMES).replace(b"\r\n ", b"").decode()
    words = [name.split()[1] for name in NAMES.values()] + ["bricka", "par 7", "Rum 3", "/l/"]
    assert [word for word in words if word in text] == []  # C2: not even where, which somebody typed


def test_officials_see_what_they_must_do_and_until_when(sqlite: str) -> None:
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    last = "Sista dag, SBF-2026-0001"
    story.rule()
    story.publish()
    story.appeal()
    assert titles(story.actors["director"]) == ["Tiden går ut, SBF-2026-0001"]  # a day to forward the appeal
    story.forward()
    assert titles(story.actors["director"]) == [last]
    assert titles(story.actors["lk_chair"]) == []
    story.report()
    story.demand()
    assert titles(story.actors["north"]) == [last]
    story.state({"north": "Pausen var kort."})
    assert titles(story.actors["north"]) == []  # what is done is asked for no more
    assert last in titles(story.actors["east"])
    story.state({"east": "Pausen var lång."})
    story.finish_papers()
    assert (titles(story.actors["director"]), titles(story.actors["lk_chair"])) == ([], [last])
    story.register()
    assert titles(story.actors["lk_1"]) == [last]
    assert titles(story.actors["office"]) == []


def test_a_recused_member_finds_nothing_at_the_next_fetch(sqlite: str) -> None:
    story = Story.begun()
    story.rule()
    story.appeal()
    story.forward()
    story.compose()
    story.call()
    mine = (story.actors["juror_2"], by_link(story, "juror_2", LinkPurpose.SEAT))
    assert [titles(actor) for actor in mine] == [["Sammanträde, SBF-2026-0001"]] * 2
    (sure,) = ics.read(fetched(story.actors["north"]))
    with uow() as session:
        seat = session.exec(select(Seat).where(Seat.person_id == story.there.persons["juror_2"])).one()
    newest = story.newest()
    story.write(
        lambda s: hearings.declare_conflict(
            s, newest, mine[0], seat_id=seat.id, has_conflict=True, reason="Bror.", now=story.later()
        )
    )
    assert [titles(actor) for actor in mine] == [[], []]
    with uow() as session:
        assert session.get_one(Seat, seat.id).conflict is ConflictState.RECUSED
    others = ics.read(fetched(story.actors["north"]))
    assert [entry.status for entry in others] == ["TENTATIVE"]  # everybody is called again
    assert (others[0].uid, others[0].sequence, others[0].stamp) == (sure.uid, sure.sequence + 1, story.at)


def test_the_calendar_stays_as_it_is_until_the_hearing_is_called_off_in_the_owners_language(sqlite: str) -> None:
    story = called()
    with uow(write=True) as session:
        session.get_one(Person, story.there.persons["juror_1"]).language = "en"
    content = fetched(story.actors["juror_1"])
    clock.advance(timedelta(days=3))
    assert fetched(story.actors["juror_1"]) == content
    (before,) = ics.read(fetched(story.actors["juror_1"]))
    story.withdraw()
    (after,) = ics.read(fetched(story.actors["juror_1"]))
    assert (before.status, after.status) == ("CONFIRMED", "CANCELLED")
    assert (before.title, after.title) == ("Hearing, SBF-2026-0001", "Hearing called off, SBF-2026-0001")
    assert after.uid == before.uid
    assert after.sequence > before.sequence


def test_who_came_by_a_link_has_the_links_case_alone(sqlite: str) -> None:
    """S-LINK6: whoever is passed the link learns of no other case."""
    story = called()
    second_case(story)
    assert [title[-4:] for title in titles(by_link(story, "east"))] == ["0001", "0001"]
    assert {title[-4:] for title in titles(story.actors["east"])} == {"0001", "0002"}
    assert len({fetched(by_link(story, "east")), fetched(story.actors["east"])}) == 2


def test_a_link_that_is_replaced_takes_the_calendars_address_with_it(sqlite: str) -> None:
    story = called()
    actor = by_link(story, "east")
    fetched(actor)
    with uow() as session:
        before = calendar_feed.subscription(session, actor)
    with uow(write=True) as session:
        links.replace_link(session, scope(actor).link_id, clock.now())
    with uow() as session:
        after = calendar_feed.subscription(session, actor)
        assert before is not None
        assert after is not None
        secrets = [found.url.rpartition("/")[2].removesuffix(".ics") for found in (before, after)]
        assert [calendar_feed.read(session, each, clock.now()) is None for each in secrets] == [True, False]


def test_who_is_let_in_no_more_finds_an_empty_calendar(sqlite: str) -> None:
    """Empty and not gone: his program takes out what it has."""
    story = called()
    run_out, revoked, disabled = by_link(story, "east"), by_link(story, "west"), story.actors["west"]
    assert all(titles(actor) for actor in (run_out, revoked, disabled))
    with uow(write=True) as session:
        at = clock.now()
        session.get_one(Link, scope(run_out).link_id).expires_at = at - timedelta(seconds=1)
        links.revoke_link(session, scope(revoked).link_id, at)
        session.add(Account(person_id=story.there.persons["west"], username="w", password_hash="x", disabled_at=at))
    assert [titles(actor) for actor in (run_out, revoked, disabled)] == [[], [], []]


def test_a_calendar_takes_as_many_queries_for_two_cases_as_for_one(sqlite: str) -> None:
    story = called()
    counts = []
    for _ in range(2):
        with counted() as units:
            assert titles(story.actors["east"])
        counts.append(len(units[-1].statements))
        second_case(story)
    assert counts[0] == counts[1] <= 15


def test_a_time_that_is_moved_keeps_its_entry(sqlite: str) -> None:
    story = Story.begun()
    story.rule()
    story.publish()
    (before,) = ics.read(fetched(story.actors["north"]))
    story.prolong()
    (after,) = ics.read(fetched(story.actors["north"]))
    assert (after.uid, after.sequence) == (before.uid, before.sequence + 1)
    with uow() as session:
        mine = select(Deadline).where(Deadline.party_id == story.case.party_ids[Side.NORTH_SOUTH])
        newest = session.exec(mine.order_by(col(Deadline.opened_at).desc())).first()
    assert newest is not None
    assert after.at == newest.instant


def test_a_time_that_is_over_or_stands_still_is_in_no_calendar(sqlite: str) -> None:
    """The one before its timer has come to it, too."""
    story = Story.begun()
    story.rule()
    story.publish()
    north, east = story.actors["north"], story.actors["east"]
    assert titles(north) == titles(east) == ["Tiden går ut, SBF-2026-0001"]
    story.stand_still(Side.NORTH_SOUTH)
    assert (titles(north), len(titles(east))) == ([], 1)
    clock.advance(timedelta(hours=1))
    assert titles(east) == []

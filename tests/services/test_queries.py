"""Lists and views of cases: who knows of which, where they stand, and words for every act; on both databases."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.adapters.i18n import LANGUAGES, render
from casework.domain.access import IN_CASE, NOBODY, SYSTEM, Actor, LinkScope, Permission, visible_cases
from casework.domain.errors import Missing
from casework.domain.models import Link, Notice, PartyMember, Person, Seat
from casework.domain.terms import (
    ActionName,
    AppealRoute,
    DeadlineKind,
    LinkPurpose,
    NoticeKind,
    NoticeState,
    Part,
    SeatRole,
    State,
)
from casework.services import hearings, queries, todo
from casework.services.case_view import CaseView, case_view
from casework.services.queries import View
from casework.services.standing import standings
from casework.services.timeline import OWN_SIDE_ONLY, WHO_SEES, words_of
from casework.services.waiting import _STATES
from tests import factories
from tests.kept import kept
from tests.story import Story


@pytest.fixture
def story(database: str) -> Story:
    """A case with the director, on either database."""
    return Story.begun()


@kept
def appealed_and_forwarded() -> Story:
    """An appealed case whose jury is not appointed."""
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    return story


@pytest.fixture
def appealed(sqlite: str) -> Story:
    return appealed_and_forwarded()


@pytest.fixture
def appealed_late(sqlite: str) -> Story:
    """An appeal that the director should have forwarded."""
    story = Story.begun()
    story.rule()
    story.publish()
    story.appeal()
    story.later(days=30)
    return story


def known(actor: Actor) -> list[UUID]:
    """The cases that somebody may know of."""
    with uow() as session:
        return list(session.scalars(visible_cases(actor)))


def view(story: Story, actor: Actor) -> CaseView:
    """The case page as somebody sees it."""
    with uow() as session:
        return case_view(session, story.case.case_id, actor, story.at)


def by_link(story: Story, key: str, purpose: LinkPurpose) -> Actor:
    """Somebody who came by his link."""
    with uow() as session:
        person = story.there.persons[key]
        link = session.exec(select(Link).where(Link.person_id == person, Link.purpose == purpose)).first()
        assert link is not None
        scope = LinkScope(link.id, link.case_id, link.party_id, link.seat_id)
    return Actor(person, key, link=scope)


# Who may know of a case


def test_who_has_a_part_knows_of_the_case_and_nobody_else(story: Story) -> None:
    """S-AC2: a jury member is not seated, and nothing goes to the Law Commission."""
    story.rule()
    knowing = {key for key, actor in story.actors.items() if known(actor) == [story.case.case_id]}
    assert knowing == {"director", "chief", "organiser", "office", "north", "south", "east", "west"}
    assert all(known(actor) == [] for key, actor in story.actors.items() if key not in knowing)


def test_nobody_knows_of_nothing(story: Story) -> None:
    """S-AC2."""
    assert known(NOBODY) == []


def test_staff_of_another_tournament_does_not_know_of_the_case(story: Story) -> None:
    """A role at one tournament says nothing about another."""
    with uow(write=True) as session:
        stranger = factories.person(session, "Åsa Främling", 99)
    assert known(Actor(stranger.id)) == []


def test_a_link_opens_its_own_case_alone(story: Story) -> None:
    """S-LINK: even for who is a party in another."""
    north = by_link(story, "north", LinkPurpose.PARTY)
    factories.open_case(story.there, at=story.later())
    assert known(north) == [story.case.case_id]
    assert north.link is not None
    assert known(replace(north, link=replace(north.link, case_id=uuid4()))) == []


def test_the_chair_of_the_law_commission_knows_of_what_he_may_take_up(database: str) -> None:
    """R22: a case without a ruling, and what is appealed to LK; its members see by their seats."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    chair = story.actors["lk_chair"]
    assert known(chair) == [story.case.case_id]
    story.rule()
    story.publish()
    assert known(chair) == []
    story.appeal()
    assert known(chair) == [story.case.case_id]
    assert known(story.actors["lk_1"]) == []


# Lists


def test_the_views_of_the_list(story: Story) -> None:
    """U11: a case stands in the views that its state belongs to."""
    office, director = story.actors["office"], story.actors["director"]

    def shown(actor: Actor, which: View) -> int:
        with uow() as session:
            return queries.case_list(session, actor, view=which).total

    assert [shown(director, which) for which in View] == [1, 1, 0, 0]
    story.rule()
    story.publish()
    assert [shown(director, which) for which in View] == [1, 0, 0, 0]
    story.appeal()
    assert [shown(office, which) for which in View] == [1, 0, 1, 0]
    assert shown(director, View.WAITING) == 1


def test_a_final_ruling_is_settled(story: Story) -> None:
    """R32: nobody appealed in time."""
    story.rule()
    story.publish()
    story.expire(days=2)
    with uow() as session:
        assert queries.case_list(session, story.actors["office"], view=View.DECIDED).total == 1
        assert queries.unfinished(session, story.actors["office"]) == []


def test_a_decision_is_not_done_with_while_a_party_does_not_know_of_it(story: Story) -> None:
    """R37: telling lasts for each person until there is proof."""
    factories.give_ruling(story.there, story.case, at=story.later())
    with uow() as session:
        (row,) = queries.unfinished(session, story.actors["director"])
    assert queries.waits_for(row, story.actors["director"])
    players = {factories.NAMES[key] for key in ("north", "south", "east", "west")}
    assert {person.name for person in row.scene.untold} == players


def test_todo_parts_mine_from_my_bodys_and_others(story: Story) -> None:
    """U11."""
    with uow() as session:
        lists = {key: todo.todo(session, story.actors[key], story.at) for key in ("director", "chief", "office")}
    assert [len(found) for found in (lists["director"].mine, lists["chief"].body, lists["office"].waiting)] == [1, 1, 1]
    assert lists["chief"].mine == []
    assert lists["office"].mine == lists["office"].body == []


def kinds(story: Story) -> set[DeadlineKind]:
    """The times that the case's row in a list is about."""
    with uow() as session:
        (row,) = standings(session, [story.case.case_id], SYSTEM, story.at)
    return {running.kind for running in row.running}


def test_a_case_runs_against_the_time_of_the_step_it_waits_for(sqlite: str) -> None:
    """U11: never the time of a step that is over or that somebody else may take."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    assert kinds(story) == set()
    story.rule()
    story.publish()
    assert kinds(story) == {DeadlineKind.APPEAL_WINDOW}
    story.appeal()
    assert kinds(story) == {DeadlineKind.FORWARD_APPEAL}
    story.forward()
    assert kinds(story) == {DeadlineKind.REPORT}
    story.report()
    story.demand()
    assert kinds(story) == {DeadlineKind.STATEMENT}
    story.state({"north": "Pausen var kort.", "east": "Den var lång."})
    assert kinds(story) == {DeadlineKind.ANSWER}
    story.finish_papers()
    assert kinds(story) == {DeadlineKind.DECISION}


def test_what_the_director_is_late_with_stands_in_the_list_of_who_may_do_it_instead(appealed_late: Story) -> None:
    """R24: the office and the chief director, not the organiser."""
    with uow() as session:
        late = {
            key: len(todo.todo(session, appealed_late.actors[key], appealed_late.at).late)
            for key in ("office", "chief", "organiser", "director", "north")
        }
    assert late == {"office": 1, "chief": 1, "organiser": 0, "director": 0, "north": 0}


def test_notices_of_a_case_that_did_not_arrive_are_one_line(story: Story) -> None:
    """U11: a ruling that players have not read is one thing to see to, not one for each of them."""
    ids = [(key, story.notice(NoticeKind.RULING)) for key in ("north", "north", "south")]
    with uow(write=True) as session:
        for key, notice_id in ids:
            notice = session.get_one(Notice, notice_id)
            notice.state, notice.person_id = NoticeState.TO_BE_POSTED, story.there.persons[key]
    with uow() as session:
        (line,) = todo.todo(session, story.actors["office"], story.at).undelivered
        names = [session.get_one(Person, story.there.persons[key]).name for key in ("north", "south")]
    assert sorted(line.names) == sorted(names)


def test_who_is_a_party_gets_no_list_of_undelivered_notices_in_his_own_case(story: Story) -> None:
    """A party is never anything else in its own case."""
    notice_id = story.notice(NoticeKind.RULING)
    with uow(write=True) as session:
        session.get_one(Notice, notice_id).state = NoticeState.TO_BE_POSTED
    with uow() as session:
        assert len(todo.todo(session, story.actors["office"], story.at).undelivered) == 1
    with uow(write=True) as session:
        session.add(
            PartyMember(party_id=next(iter(story.case.party_ids.values())), person_id=story.there.persons["office"])
        )
    with uow() as session:
        assert todo.todo(session, story.actors["office"], story.at).undelivered == []


# The case page


def test_the_page_does_not_exist_for_who_has_no_part(appealed: Story) -> None:
    """S-AC3."""
    for key in ("juror_1", "lk_1", "lk_chair"):
        with pytest.raises(Missing):
            view(appealed, appealed.actors[key])


def test_a_section_is_shown_to_whom_the_policy_gives_it(appealed: Story) -> None:
    """`access.IN_CASE`: papers for every part, proof of the other side for those who run the case."""
    for key in ("director", "chief", "organiser", "office", "north", "east"):
        actor = appealed.actors[key]
        seen = view(appealed, actor)
        with uow() as session:
            parts = queries.parts_in_case(session, appealed.case.case_id, actor)
        assert bool(seen.happenings) == bool(parts & IN_CASE[Permission.READ_PAPERS])
        names = " ".join(str(line.params["who"]) for line in seen.told)
        all_sides = "Birgit Ekestam" in names and "Lena Tvärås" in names
        assert all_sides == bool(parts & IN_CASE[Permission.READ_PROOF])


def test_a_seated_member_who_has_not_answered_sees_no_section_of_papers(appealed: Story) -> None:
    """S-AC1: what the case is about and who the parties are, nothing else."""
    roles = {"juror_1": SeatRole.CHAIR, "juror_2": SeatRole.MEMBER, "juror_3": SeatRole.MEMBER}
    seats = {appealed.there.persons[key]: role for key, role in roles.items()}
    newest, organiser = appealed.newest(), appealed.actors["organiser"]
    appealed.write(lambda s: hearings.compose_panel(s, newest, organiser, seats=seats, now=appealed.later()))
    seen = view(appealed, by_link(appealed, "juror_1", LinkPurpose.SEAT))
    assert len(seen.parties) == 2
    hidden = (seen.documents, seen.consequences, seen.appeals, seen.told, seen.untold, seen.happenings, seen.late)
    assert not any(hidden)
    assert seen.decision is None
    assert seen.deadline is None
    assert not seen.reads_papers


def test_a_page_finds_the_proceeding_in_which_its_action_is_taken(appealed: Story) -> None:
    """Addresses hold the case alone."""
    with uow() as session:
        case_id, director = appealed.case.case_id, appealed.actors["director"]
        newest = queries.load_for(session, case_id, director, ActionName.COMPOSE_PANEL)
        first = queries.load_for(session, case_id, director, ActionName.COMPLETE_RULING)
        nothing = queries.load_for(session, case_id, director, ActionName.SEND_IN)
    assert newest.proceeding.id == nothing.proceeding.id == appealed.newest()
    assert first.proceeding.id == appealed.case.proceeding_id


def test_a_withdrawn_appeal_leads_back_to_the_ruling(appealed: Story) -> None:
    """R23: the case stands in the director's proceeding again."""
    appealed.withdraw()
    with uow() as session:
        (row,) = standings(session, [appealed.case.case_id], SYSTEM, appealed.at)
    assert row.scene.state is State.GIVEN
    assert next(c.name for c in view(appealed, appealed.actors["north"]).choices) is ActionName.LODGE_APPEAL


def test_who_has_appealed_is_not_offered_to_appeal_again(appealed: Story) -> None:
    """Only the other side is."""
    offered = {key: {c.name for c in view(appealed, appealed.actors[key]).choices} for key in ("north", "east")}
    assert ActionName.LODGE_APPEAL not in offered["north"]
    assert ActionName.LODGE_APPEAL in offered["east"]


def test_a_jury_with_too_few_members_waits_for_who_appoints_them(appealed: Story) -> None:
    """R17: who was recused is replaced before anything else."""
    appealed.compose()
    newest, juror = appealed.newest(), appealed.actors["juror_2"]
    with uow() as session:
        seat = session.exec(select(Seat).where(Seat.person_id == juror.person_id)).one().id
    appealed.write(
        lambda s: hearings.declare_conflict(
            s, newest, juror, seat_id=seat, has_conflict=True, reason="Vi är släkt.", now=appealed.later()
        )
    )
    with uow() as session:
        (row,) = standings(session, [appealed.case.case_id], SYSTEM, appealed.at)
    persons = {appealed.there.persons[key] for key in ("organiser", "director")}
    assert row.waiting.acting == persons
    for key in ("organiser", "director"):
        assert view(appealed, appealed.actors[key]).choices[0].name is ActionName.COMPOSE_PANEL


def test_a_doubt_about_a_member_waits_for_who_decides_it(appealed: Story) -> None:
    """R17, R19: never for the member himself."""
    with uow(write=True) as session:
        club = session.get_one(Person, appealed.there.persons["north"]).club
        session.get_one(Person, appealed.there.persons["juror_2"]).club = club
    appealed.compose()
    appealed.declare()
    juror = appealed.actors["juror_2"]
    with uow() as session:
        seat = session.exec(select(Seat).where(Seat.person_id == juror.person_id)).one().id
    appealed.say_no_conflict("juror_2", seat)
    with uow() as session:
        (row,) = standings(session, [appealed.case.case_id], SYSTEM, appealed.at)
    assert juror.person_id not in row.waiting.acting
    assert {k for k, p in appealed.there.persons.items() if p in row.waiting.acting} == {"juror_1", "organiser"}
    for key in ("juror_1", "organiser"):
        assert view(appealed, appealed.actors[key]).choices[0].name is ActionName.DECIDE_CONFLICT


# Words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_act_has_words_in_the_timeline(language: str) -> None:
    """U7."""
    for action in ActionName:
        said = render(words_of(action), language)
        assert said
        assert (said != words_of(action).msgid) == (language == "sv")


def test_every_state_says_whom_it_waits_for() -> None:
    """U8: each state has its sentence."""
    assert set(_STATES) == set(State)


def test_the_deliberation_is_in_no_partys_timeline() -> None:
    """S-AC4."""
    secret = {
        ActionName.WRITE_NOTE,
        ActionName.CAST_VOTE,
        ActionName.CLOSE_BALLOT,
        ActionName.RECORD_ROOM_VOTE,
        ActionName.VOTE_AGAIN,
    }
    for action in secret:
        assert WHO_SEES[action] <= {Part.PANEL, Part.CHAIR}
    assert not OWN_SIDE_ONLY & secret

"""Whom a case waits for: each person until there is proof, the partner's word, the chair alone after the vote."""

from datetime import timedelta

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.domain.models import Deadline
from casework.domain.terms import AppealRoute, DeadlineKind, Position
from casework.services import decisions, queries, todo
from casework.services.case_view import case_view
from casework.text import Text, t
from tests import factories
from tests.juries import JURORS
from tests.story import Story

pytestmark = pytest.mark.usefixtures("sqlite")


def test_a_final_decision_is_not_done_with_while_a_letter_is_on_its_way() -> None:
    """R37: the partner's proof is not the person's own."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION, without_mail=frozenset({"east"}))
    story.rule(told={story.there.persons["east"]: story.at + timedelta(minutes=1)})
    story.publish()
    story.appeal()
    story.expire(hours=1)
    story.forward()
    story.write_papers()
    story.register()
    story.decide("lk_chair", "lk_1", "lk_2")
    with uow() as session:
        (row,) = queries.unfinished(session, story.actors["director"], story.later(minutes=6))
    assert [person.name for person in row.scene.untold] == [factories.NAMES["east"]]
    assert queries.waits_for(row, story.actors["director"])


def test_the_partner_whose_word_an_appeal_lacks_is_waited_for() -> None:
    """Law 92D: it stands on the partner's start page from the appeal to the decision."""
    story = Story.begun()
    story.rule()
    story.appeal("north")
    with uow() as session:
        mine = todo.todo(session, story.actors["south"], story.at).mine
        assert [row.case_id for row in mine] == [story.case.case_id]
        assert todo.todo(session, story.actors["north"], story.at).mine == []
    story.concur("south")
    with uow() as session:
        assert todo.todo(session, story.actors["south"], story.at).mine == []


def test_who_is_waited_for_tells_nobody_outside_that_the_vote_is_closed() -> None:
    """R19: the whole body is waited for, from the first vote to the signature."""
    story = Story.begun()
    story.rule()
    story.appeal()
    story.forward()
    story.hear(*JURORS)
    newest = story.newest()
    for who in JURORS:
        story.write(
            lambda s, k=who: decisions.cast_vote(  # type: ignore[misc]  # bound to this one
                s, newest, story.actors[k], position=Position.CONFIRM, now=story.later()
            )
        )
    with uow() as session:
        (row,) = queries.unfinished(session, story.actors["office"])
        assert len(row.waiting.persons) == 3
    story.write(lambda s: decisions.close_ballot(s, newest, story.actors["juror_1"], now=story.later()))
    with uow() as session:
        (row,) = queries.unfinished(session, story.actors["office"])
    assert len(row.waiting.persons) == 3


def test_a_party_without_a_time_of_its_own_reads_until_when_the_others_have_to_act() -> None:
    """U7: the case waits for the director; one of its own stands large, and not twice."""
    story = Story.begun()
    story.rule()
    story.publish()
    assert told_until(story, "north") == []
    story.appeal()
    with uow() as session:
        forward = session.exec(select(Deadline).where(Deadline.kind == DeadlineKind.FORWARD_APPEAL)).one()
    assert told_until(story, "north") == [forward.instant]


def told_until(story: Story, key: str) -> list[object]:
    """The instants that the summary of the case page gives as the others' last."""
    with uow() as session:
        view = case_view(session, story.case.case_id, story.actors[key], story.at)
    rows = [row.value[0] for row in view.summary if row.key == t("No later than")]
    return [row.params["at"] for row in rows if isinstance(row, Text)]

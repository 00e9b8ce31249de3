"""Whom a case waits for: each person until there is proof, the partner's word, the chair alone after the vote."""

from datetime import timedelta

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.adapters.i18n import render
from casework.domain.models import Deadline
from casework.domain.terms import AppealRoute, DeadlineKind, Position, Side
from casework.services import decisions, prolonging, queries, todo
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


def test_who_can_still_appeal_is_named_when_the_others_time_is_over() -> None:
    """More time for one side: the other reads for whom, and until when."""
    story = Story.begun()
    story.rule()
    story.publish()
    assert said_of(story, "east", "Who must act") == ["Ingen måste. Båda sidor kan överklaga."]
    with uow() as session:
        windows = session.exec(select(Deadline).where(Deadline.kind == DeadlineKind.APPEAL_WINDOW)).all()
    ours = next(one for one in windows if one.party_id == story.case.party_ids[Side.NORTH_SOUTH])
    assert ours.instant is not None
    until, chief = ours.instant + timedelta(days=2), story.actors["chief"]
    story.write(
        lambda s: prolonging.prolong_window(
            s,
            ours.proceeding_id,
            chief,
            deadline_id=ours.id,
            party_id=story.case.party_ids[Side.NORTH_SOUTH],
            until=until,
            because="Sent resultat.",
            now=story.later(),
        )
    )
    story.deliver()
    story.expire(hours=2)
    assert said_of(story, "east", "Who must act") == ["Ingen måste. Än kan par 7 överklaga i tid."]
    assert told_until(story, "east") == [until]


def said_of(story: Story, key: str, what: str) -> list[str]:
    """What the summary of the case page says of something, in Swedish."""
    with uow() as session:
        view = case_view(session, story.case.case_id, story.actors[key], story.at)
    (row,) = [row for row in view.summary if row.key == t(what)]
    return [one if isinstance(one, str) else render(one, "sv") for one in row.value]


def told_until(story: Story, key: str) -> list[object]:
    """The instants that the summary of the case page gives as the others' last."""
    with uow() as session:
        view = case_view(session, story.case.case_id, story.actors[key], story.at)
    rows = [row.value[0] for row in view.summary if row.key == t("No later than")]
    return [row.params["at"] for row in rows if isinstance(row, Text)]

"""Until the notices of a decision go out, the case stands where it stood to all but the body and the office (R36)."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from sqlmodel import Session, col, select

from casework.adapters.database import uow
from casework.domain.errors import Missing, NotAllowed
from casework.domain.models import Case, Notice
from casework.domain.terms import (
    ActionName,
    AppealOutcome,
    AppealRoute,
    ConsequenceState,
    NoticeKind,
    Position,
    RulingOutcome,
    Side,
    State,
    StatementKind,
)
from casework.domain.workflow.held import HOLD
from casework.services import (
    appeals,
    case_files,
    deadlines,
    decisions,
    dispatch,
    documents,
    holding,
    queries,
    statements,
    todo,
    untold,
)
from casework.services.case_file import case_file
from casework.services.case_rows import CaseRows, read_case
from casework.services.case_view import CaseView, case_view
from casework.services.loading import load
from casework.services.queries import View
from casework.services.side_answers import shown_of_filing
from casework.services.statements import StatementInput
from casework.services.step import FormInstance
from tests.kept import kept
from tests.story import Story

OUTSIDE = ("north", "east", "director", "organiser")


@kept
def before() -> Story:
    """A case that the Law Commission is about to decide."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    story.forward()
    story.write_papers()
    story.register()
    return story


@kept
def unsupported() -> Story:
    """The same of an appeal that the partner has not concurred in."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.publish()
    story.appeal()
    director, newest = story.actors["director"], story.newest()
    story.write(lambda s: appeals.forward_appeal(s, newest, director, now=story.later()))
    story.deliver()
    story.write_papers()
    story.register()
    return story


@kept
def decided() -> Story:
    """The same, decided, and the ruling's proceeding taken on by the system."""
    story = before()
    story.decide("lk_chair", "lk_1", "lk_2", delivered=False)
    story.write(lambda session: deadlines.advance(session, story.case.case_id, story.at))
    return story


def seen(story: Story, key: str) -> CaseView:
    with uow() as session:
        return case_view(session, story.case.case_id, story.actors[key], story.at)


def rows(story: Story, key: str) -> CaseRows:
    with uow() as session:
        return read_case(session, story.case.case_id, story.actors[key], story.at)


def first(story: Story) -> Notice:
    with uow() as session:
        query = select(Notice).where(Notice.kind == NoticeKind.DECISION).order_by(col(Notice.id))
        return session.exec(query).first() or pytest.fail("nothing is held")


@kept
def stopped() -> Story:
    story = decided()
    notice_id, office = first(story).id, story.actors["office"]
    story.write(lambda s: holding.call_back(s, notice_id, office, because="Fel bricka.", now=story.at))
    return story


BOTH = pytest.mark.parametrize("made", [decided, stopped])


@BOTH
@pytest.mark.parametrize("key", OUTSIDE)
def test_the_case_stands_where_it_stood(sqlite: str, key: str, made: Callable[[], Story]) -> None:
    story = made()
    view = seen(story, key)
    assert view.title.params["board"] == seen(story, "office").title.params["board"]
    read = rows(story, key)
    assert read.loaded.proceeding.state is State.DELIBERATING
    assert {p.state for p in read.loaded.proceedings} == {State.APPEALED, State.DELIBERATING}
    assert [decision.proceeding_id for decision in read.decisions] == [read.loaded.root.id]
    done = {event.action for event in read.events}
    assert not done & {ActionName.DECIDE_APPEAL, ActionName.BE_TRIED, ActionName.CALL_BACK}
    assert NoticeKind.DECISION not in {notice.kind for notice in read.notices}
    assert NoticeKind.TO_BE_TOLD not in {notice.kind for notice in read.notices}
    assert not view.held
    assert all(appeal.outcome is None for appeal in read.loaded.appeals)
    assert ConsequenceState.RELEASED not in {row.state for row in read.consequences}


@pytest.mark.parametrize("outcome", [AppealOutcome.REJECTED, AppealOutcome.GRANTED])
@pytest.mark.parametrize("key", OUTSIDE)
def test_page_and_lists_are_as_they_were_before_the_signature(sqlite: str, key: str, outcome: AppealOutcome) -> None:
    """Lead, summary, times, consequences and history: nothing moves when the decision is signed."""
    story, granted = before(), outcome is AppealOutcome.GRANTED
    story.vote("lk_chair", "lk_1", "lk_2", position=Position.CHANGE if granted else Position.CONFIRM)
    was = seen(story, key)
    changed = {"score_detail": "4♥ jämnt.", "score": RulingOutcome.RESULT_STANDS} if granted else {}
    story.sign("lk_chair", outcome=outcome, delivered=False, **changed)
    story.write(lambda session: deadlines.advance(session, story.case.case_id, story.at))
    now = seen(story, key)
    assert (now.lead, now.summary, now.consequences, now.appeals) == (
        was.lead,
        was.summary,
        was.consequences,
        was.appeals,
    )
    assert now.happenings == was.happenings


@BOTH
@pytest.mark.parametrize("key", OUTSIDE)
def test_no_list_and_no_count_shows_it(sqlite: str, key: str, made: Callable[[], Story]) -> None:
    story = made()
    with uow() as session:
        listed = queries.case_list(session, story.actors[key], view=View.ALL, now=story.at)
        (row,) = queries.unfinished(session, story.actors[key], story.at)
    assert listed.counts[View.DECIDED] == 0
    assert listed.counts[View.APPEALED] == 1
    assert {row.scene.state for row in listed.cases} == {State.DELIBERATING}
    assert not row.over


@BOTH
@pytest.mark.parametrize("key", ["office", "lk_chair"])
def test_the_office_and_the_body_see_it(sqlite: str, key: str, made: Callable[[], Story]) -> None:
    story = made()
    view = seen(story, key)
    assert view.held
    assert ActionName.DECIDE_APPEAL in {event.action for event in rows(story, key).events}


@pytest.mark.parametrize("key", OUTSIDE)
def test_it_is_shown_when_the_time_to_stop_it_is_over(sqlite: str, key: str) -> None:
    story = decided()
    story.at += HOLD
    read = rows(story, key)
    assert read.loaded.proceeding.state is State.FINAL
    assert len(read.decisions) == 2


@BOTH
def test_no_paper_made_meanwhile_holds_it(
    sqlite: str, made: Callable[[], Story], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Papers are shared by those who may read them: the case file of these minutes is as before, whoever asks."""
    story = made()
    monkeypatch.setattr("casework.clock.now", lambda: story.at)
    with uow() as session:
        for for_parties in (True, False):
            context = case_file(
                session, story.case.case_id, for_parties=for_parties, language="sv", dated=story.at.date()
            )
            assert [section.kind for section in context["sections"]].count("decision") == 1
        head = session.get_one(Case, story.case.case_id).head_seq
        page = case_files.file_page(session, story.case.case_id, story.actors["north"], language="sv")
    assert [decision.proceeding_id for _, decision, _ in page.decisions] == [rows(story, "north").loaded.root.id]
    asked: list[int] = []
    story.write(
        lambda s: asked.append(
            case_files.ask_for_case_file(
                s, story.case.case_id, story.actors["office"], language="sv", now=story.at
            ).head_seq
        )
    )
    assert asked[0] < head


def test_a_paper_is_as_new_as_before(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page does not say that something has happened since, for the votes nor for the signature."""
    story = before()
    monkeypatch.setattr("casework.clock.now", lambda: story.at)
    case, north, asked = story.case.case_id, story.actors["north"], []
    story.write(lambda s: asked.append(case_files.ask_for_case_file(s, case, north, language="sv", now=story.at).id))
    documents.make_case_file(asked[0])

    def current() -> bool:
        with uow() as session:
            return case_files.file_page(session, case, north, language="sv").current

    assert current()
    story.vote("lk_chair", "lk_1", "lk_2", position=Position.CONFIRM)
    assert current()
    story.sign("lk_chair", delivered=False)
    assert current()
    story.at += HOLD
    assert not current()


@pytest.mark.parametrize("key", ["director", "organiser"])
def test_who_ruled_neither_sees_nor_sends_nor_stops_it(sqlite: str, key: str) -> None:
    """R36: nor by the notice that tells himself of it."""
    story = decided()
    actor = story.actors[key]
    with uow() as session:
        assert dispatch.held_page(session, story.case.case_id, actor, story.at).held == []
        told = session.exec(select(Notice).where(Notice.due_at == first(story).due_at)).all()
        for notice in told:
            with pytest.raises(Missing):
                dispatch.notice_page(session, story.case.case_id, notice.id, actor, story.at)
    for notice_id in [notice.id for notice in told]:
        for deed in (holding.send_now, partial(holding.call_back, because="Nej.")):
            with pytest.raises(NotAllowed):
                story.write(lambda s, d=deed, n=notice_id: d(s, n, actor, now=story.at))  # type: ignore[misc]  # bound


def test_withdrawing_is_refused_alike_from_the_beginning_of_the_deliberation(sqlite: str) -> None:
    """Own reading: the moment that all see ends it. Answer and version of a form tell of no vote and no signature."""
    story = before()
    (appeal,), here = story.appeals(), story.newest()
    form = FormInstance(version=rows(story, "north").loaded.proceeding.version)
    answers = []

    def ask() -> None:
        with pytest.raises(NotAllowed) as refused:
            story.write(
                lambda s: appeals.withdraw_appeal(
                    s, here, story.actors["north"], appeal_id=appeal, now=story.at, form=form
                )
            )
        versions = [row.version for row in rows(story, "north").loaded.proceedings]
        answers.append((versions, [reason.msgid for reason in refused.value.reasons]))

    ask()
    members, chair = ("lk_chair", "lk_1", "lk_2"), story.actors["lk_chair"]
    for key, position in zip(members, Position, strict=True):
        story.write(
            lambda s, k=key, p=position: decisions.cast_vote(  # type: ignore[misc]  # bound to this one
                s, here, story.actors[k], position=p, now=story.later()
            )
        )
    story.write(lambda s: decisions.close_ballot(s, here, chair, now=story.later()))
    story.write(lambda s: decisions.vote_again(s, here, chair, now=story.later()))
    ask()
    story.decide(*members, delivered=False)
    story.write(lambda session: deadlines.advance(session, story.case.case_id, story.at))
    ask()
    sentence = "The body has begun to decide the appeal, so it cannot be withdrawn any more."
    assert answers == [(answers[0][0], [sentence])] * 3


def concurs(story: Story, session: Session) -> object:
    south, (appeal,) = story.actors["south"], story.appeals()
    return appeals.concur(session, story.newest(), south, appeal_id=appeal, now=story.at)


def tells_the_director(story: Story, session: Session) -> object:
    director, (appeal,) = story.actors["director"], story.appeals()
    partner = story.there.persons["south"]
    return appeals.record_concurrence(
        session, story.newest(), director, appeal_id=appeal, person_id=partner, told_how="Ringde.", now=story.at
    )


@pytest.mark.parametrize(
    ("key", "deed", "title"),
    [
        ("south", concurs, "Concurred in the appeal"),
        ("director", tells_the_director, "Recorded that a partner concurs"),
    ],
)
def test_a_concurrence_is_taken_in_after_the_signature_as_before_it(
    sqlite: str, key: str, deed: Callable[[Story, Session], object], title: str
) -> None:
    """Who concurs, or records it, learns of no signature, and neither page nor history of his tells of it."""
    story = unsupported()
    was = seen(story, key)
    story.vote("lk_chair", "lk_1", "lk_2", position=Position.DISMISS)
    story.sign("lk_chair", outcome=AppealOutcome.DISMISSED, delivered=False)
    story.later()
    story.write(lambda s: deed(story, s))
    now = seen(story, key)
    newest, *rest = now.happenings
    assert (newest.title.msgid, tuple(rest)) == (title, was.happenings)
    assert now.lead == was.lead
    assert len(newest.proofs) == 1
    assert rows(story, "lk_chair").loaded.proceeding.state is State.FINAL


def test_a_statement_is_taken_in_after_the_signature_as_before_it(sqlite: str) -> None:
    """From a page that was opened meanwhile too. Its side has its receipt; it opens no time and asks nobody."""
    story = decided()
    here, party, words = story.newest(), story.case.party_ids[Side.NORTH_SOUTH], "En sak till."
    was = seen(story, "north")
    with uow() as session:
        page = untold.as_reader(session, load(session, here), story.actors["north"], story.at)
        form = FormInstance(seen=shown_of_filing(page, party).mark)
        before = [row.model_dump() for row in load(session, here).deadlines]
    said = StatementInput(party_id=party, text=words)
    story.write(lambda s: statements.file_statement(s, here, story.actors["north"], said, now=story.later(), form=form))
    now = seen(story, "north")
    newest, *rest = now.happenings
    assert (newest.title.msgid, tuple(rest)) == ("Filed a statement", was.happenings)
    assert [line.msgid for line in newest.proofs] == ["{who}: mail on its way"]
    assert (now.lead, now.deadline, now.other_times) == (was.lead, was.deadline, was.other_times)
    with uow() as session:
        loaded = load(session, here)
        assert [row.model_dump() for row in loaded.deadlines] == before
        assert [row.kind for row in loaded.statements if row.text == words] == [StatementKind.LATE]
        assert not [row for row in loaded.demands if row.ended is None]


def test_how_far_the_vote_has_come_is_the_bodys(sqlite: str) -> None:
    """Lists and pages name the whole body from the first vote to the signature; each member sees his own task."""
    story = before()
    was = [seen(story, key).lead for key in OUTSIDE], waits(story)
    story.vote("lk_chair", "lk_1", "lk_2", position=Position.CONFIRM)
    assert ([seen(story, key).lead for key in OUTSIDE], waits(story)) == was
    assert (mine(story, "lk_1"), mine(story, "lk_chair")) == ([], [story.case.number])


def waits(story: Story) -> list[object]:
    with uow() as session:
        return [row.waiting.who for key in OUTSIDE for row in queries.unfinished(session, story.actors[key], story.at)]


def mine(story: Story, key: str) -> list[str]:
    with uow() as session:
        return [row.number for row in todo.todo(session, story.actors[key], story.at).mine]


def test_a_stopped_decision_is_a_task_for_office_and_chair(sqlite: str) -> None:
    """And for nobody else; "Utskick" has it at once, not when the five minutes are over."""
    story = stopped()
    assert (mine(story, "office"), mine(story, "lk_chair"), mine(story, "director")) == (
        [story.case.number],
        [story.case.number],
        [],
    )

    def attention(session: Session) -> int:
        return len(dispatch.dispatch(session, story.actors["office"], story.at).attention)

    with uow() as session:
        assert attention(session) == 5
        assert todo.todo(session, story.actors["director"], story.at).undelivered == []
        assert [row.names for row in todo.todo(session, story.actors["office"], story.at).undelivered] != []


def test_while_it_is_held_nobody_has_to_tell_the_parties(sqlite: str) -> None:
    story = decided()
    assert mine(story, "director") == []
    assert mine(story, "office") == []
    assert seen(story, "office").lead.params["at"] == first(story).due_at + HOLD


def test_a_decision_is_called_one_whoever_is_named_first(sqlite: str) -> None:
    """The director is told as well, with a notice of another kind."""
    story = decided()
    with uow() as session:
        (held,) = holding.held(session, story.case.case_id, story.actors["office"], story.at, masked=True)
    assert held.decision
    assert len(held.told) == 5
    assert story.at + timedelta(minutes=5) == held.until

"""Official scores, the times that run from them, and the reminder when nobody records one (R32)."""

from datetime import timedelta
from uuid import UUID

import pytest

from casework.adapters.database import uow
from casework.domain.errors import Conflict, Invalid
from casework.domain.models import Appeal, Case, Deadline, Notice, Party, PartyMember, Proceeding
from casework.domain.terms import DeadlineEnd, DeadlineKind, NoticeKind, Side, State
from casework.services import appeals, before_publishing, deadlines, notices, prolonging, rulings, tournaments, windows
from casework.services.appeals import AppealInput
from casework.services.step import FormInstance
from tests import factories
from tests.factories import START, Federation
from tests.services.filing import FILED, PLAYERS, file_ruling, rows


def ruled(there: Federation) -> UUID:
    """A ruling that both sides were told at the table; the proceeding's id."""
    return file_ruling(there, told={there.persons[key]: FILED for key in PLAYERS}).proceeding.id


def test_r32_one_publication_starts_the_windows_of_all_rulings_of_the_session(there: Federation) -> None:
    ruled(there)
    ruled(there)
    published = FILED + timedelta(hours=1)
    factories.publish_score(there, at=published)
    assert {w.instant for w in rows(Deadline)} == {published + timedelta(minutes=30)}
    assert len(rows(Notice, Notice.kind == NoticeKind.WINDOW_OPEN)) == 8


def test_recording_the_same_publication_twice_tells_nobody_twice(there: Federation) -> None:
    ruled(there)
    factories.publish_score(there, at=FILED)
    factories.publish_score(there, at=FILED)
    assert len(rows(Notice, Notice.kind == NoticeKind.WINDOW_OPEN)) == 4


def test_two_who_record_different_publications_are_told_of_each_other(there: Federation) -> None:
    other, organiser = FILED + timedelta(minutes=5), there.actor("organiser")
    with uow() as session:
        row = tournaments.playing_session(session, there.session_id, organiser)
        does = before_publishing.before_publishing(session, there.session_id, other, other)
        seen = FormInstance(seen=before_publishing.publication_now(session, row, other, other, does).mark)
    factories.publish_score(there, at=FILED)
    with pytest.raises(Conflict), uow(write=True) as session:
        tournaments.record_publication(session, there.session_id, organiser, published_at=other, now=other, form=seen)


@pytest.mark.parametrize("at", [START - timedelta(minutes=1), FILED + timedelta(minutes=1)])
def test_a_score_is_not_published_before_the_session_or_in_the_future(there: Federation, at: object) -> None:
    with pytest.raises(Invalid):
        factories.publish_score(there, at=at, now=FILED)  # type: ignore[arg-type]  # an instant


def test_a_window_that_a_late_record_closed_can_be_prolonged(there: Federation) -> None:
    """The old time stays in the history, and a ruling that had become final can be appealed again."""
    proceeding_id = ruled(there)
    late = FILED + timedelta(hours=3)
    factories.publish_score(there, at=FILED, now=late)
    with uow(write=True) as session:
        for deadline_id in deadlines.due(session, late):
            deadlines.expire(session, deadline_id, late)
    with uow(write=True) as session:
        deadlines.advance(session, rows(Case)[0].id, late)
    assert [p.state for p in rows(Proceeding)] == [State.FINAL]
    window = rows(Deadline)[0]
    until = late + timedelta(hours=1)
    with uow(write=True) as session:
        prolonging.prolong_window(
            session,
            proceeding_id,
            there.actor("director"),
            deadline_id=window.id,
            party_id=window.party_id,
            until=until,
            because="Resultatet skrevs in tre timmar för sent.",
            now=late,
        )
    assert [p.state for p in rows(Proceeding)] == [State.GIVEN]
    said = rows(Notice, Notice.kind == NoticeKind.NO_LONGER_FINAL)
    others = [
        key
        for key in PLAYERS
        if there.persons[key] not in {m.person_id for m in rows(PartyMember, PartyMember.party_id == window.party_id)}
    ]
    assert {n.person_id for n in said} == {there.persons[key] for key in (*others, "director")}
    ends = {w.ended: w.instant for w in rows(Deadline, Deadline.party_id == window.party_id)}
    assert ends == {DeadlineEnd.MOVED: FILED + timedelta(minutes=30), None: until}


def test_an_appeal_is_in_time_by_the_corrected_score(there: Federation) -> None:
    """R32: marked late from a score recorded too early; from the right one it is in time, and its side is told."""
    proceeding_id = ruled(there)
    late = FILED + timedelta(hours=3)
    factories.publish_score(there, at=FILED, now=late)
    with uow(write=True) as session:
        for deadline_id in deadlines.due(session, late):
            deadlines.expire(session, deadline_id, late)
        entered = AppealInput(party_id=rows(Party, Party.side == Side.NORTH_SOUTH)[0].id, wants="Vi vill ha 4♥.")
        appeals.lodge_appeal(session, proceeding_id, there.actor("north"), entered, now=late)
    assert [a.in_time for a in rows(Appeal)] == [False]
    right, then = late - timedelta(minutes=4), late + timedelta(minutes=1)
    with uow(write=True) as session:
        tournaments.record_publication(
            session, there.session_id, there.actor("organiser"), published_at=right, now=then
        )
    assert [a.in_time for a in rows(Appeal)] == [True]
    assert {(w.instant, w.ended) for w in rows(Deadline, Deadline.kind == DeadlineKind.APPEAL_WINDOW)} == {
        (right + timedelta(minutes=30), None)
    }
    told = rows(Notice, Notice.kind == NoticeKind.WINDOW_OPEN, Notice.due_at == then)
    assert {n.person_id for n in told} == {there.persons[key] for key in PLAYERS}
    with uow() as session:
        north = [n.id for n in told if n.person_id == there.persons["north"]]
        subjects = {notices.message_for(session, notice_id, then).subject for notice_id in north}
    assert "kom i tid" in "".join(subjects)


def test_more_time_puts_a_late_appeal_in_time(there: Federation) -> None:
    proceeding_id = ruled(there)
    late = FILED + timedelta(hours=3)
    factories.publish_score(there, at=FILED, now=late)
    ours = rows(Party, Party.side == Side.NORTH_SOUTH)[0].id
    window = rows(Deadline, Deadline.party_id == ours)[0]
    with uow(write=True) as session:
        entered = AppealInput(party_id=ours, wants="Vi vill ha 4♥.")
        appeals.lodge_appeal(session, proceeding_id, there.actor("north"), entered, now=late)
        prolonging.prolong_window(
            session,
            proceeding_id,
            there.actor("director"),
            deadline_id=window.id,
            party_id=ours,
            until=late + timedelta(hours=1),
            because="Resultatet skrevs in tre timmar för sent.",
            now=late,
        )
    assert [a.in_time for a in rows(Appeal)] == [True]


def test_the_check_of_a_correction_foretells_what_the_record_does(there: Federation) -> None:
    """What was prolonged keeps its end, what had run out runs again: said before and done after."""
    proceeding_id = ruled(there)
    late = FILED + timedelta(hours=3)
    factories.publish_score(there, at=FILED, now=late)
    with uow(write=True) as session:
        for deadline_id in deadlines.due(session, late):
            deadlines.expire(session, deadline_id, late)
    window = rows(Deadline)[0]
    with uow(write=True) as session:
        prolonging.prolong_window(
            session,
            proceeding_id,
            there.actor("director"),
            deadline_id=window.id,
            party_id=window.party_id,
            until=late + timedelta(days=1),
            because="Resultatet skrevs in tre timmar för sent.",
            now=late,
        )
    right = late - timedelta(minutes=4)
    with uow() as session:
        foretold = windows.windows(session, there.session_id, late, published_at=right)
    with uow(write=True) as session:
        tournaments.record_publication(
            session, there.session_id, there.actor("organiser"), published_at=right, now=late
        )
    with uow() as session:
        done = windows.windows(session, there.session_id, late)
    assert foretold == done
    assert {w.until for w in done} == {late + timedelta(days=1), right + timedelta(minutes=30)}


def test_the_organiser_is_reminded_once_when_the_day_has_ended_without_a_publication(there: Federation) -> None:
    ruled(there)
    ruled(there)
    evening, next_day = START + timedelta(hours=10), START + timedelta(hours=12)
    reminded = []
    for now in (evening, next_day, next_day + timedelta(days=1)):
        with uow(write=True) as session:
            reminded.append(tournaments.remind_of_publication(session, now))
    assert reminded == [0, 1, 0]
    missing = rows(Notice, Notice.kind == NoticeKind.PUBLICATION_MISSING)
    assert [n.person_id for n in missing] == [there.persons["organiser"]]


def test_nobody_is_reminded_of_a_session_without_rulings_or_with_its_publication(there: Federation) -> None:
    with uow(write=True) as session:
        assert tournaments.remind_of_publication(session, START + timedelta(days=1)) == 0
    ruled(there)
    factories.publish_score(there, at=FILED)
    with uow(write=True) as session:
        assert tournaments.remind_of_publication(session, START + timedelta(days=1)) == 0


def test_r32_telling_somebody_afterwards_starts_that_sides_window(there: Federation) -> None:
    step = file_ruling(there)
    factories.publish_score(there, at=FILED)
    told = FILED + timedelta(minutes=20)
    with uow(write=True) as session:
        rulings.record_telling(
            session,
            step.proceeding.id,
            there.actor("director"),
            person_id=there.persons["south"],
            told_at=told,
            now=told,
        )
    assert {w.instant for w in rows(Deadline)} == {told + timedelta(minutes=30), None}


def test_nobody_was_told_before_the_ruling_was_given(there: Federation) -> None:
    step = file_ruling(there)
    with pytest.raises(Invalid, match="before the decision was given"), uow(write=True) as session:
        rulings.record_telling(
            session,
            step.proceeding.id,
            there.actor("director"),
            person_id=there.persons["south"],
            told_at=FILED - timedelta(minutes=2),
            now=FILED,
        )

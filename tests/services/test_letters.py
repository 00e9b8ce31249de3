"""Letters: posted by a person, and known to have arrived, which alone proves anything (R37)."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest
from sqlmodel import col, select

from casework import clock
from casework.adapters.database import uow
from casework.domain.errors import Invalid, NotAllowed
from casework.domain.models import CaseFile, Posting
from casework.domain.terms import Channel, NoticeState, Side
from casework.services import case_files, documents, notices, posting, proofs
from casework.settings import get_settings
from tests.factories import START, Federation
from tests.services.test_notices import LATER, SOON, notice_to, ruled, window, wrote


def test_a_letter_proves_when_it_is_known_to_have_arrived(database: str) -> None:
    """Posting is no proof; that it arrived is, from then."""
    there, case = ruled(without_mail=frozenset({"north", "south"}))
    office = there.actor("office")
    letter = notice_to(there, "north", channel=Channel.LETTER)
    wrote(lambda session: posting.record_posted(session, letter.id, office, at=SOON, now=SOON, note="Rekommenderat"))
    assert window(case, Side.NORTH_SOUTH).instant is None
    arrived = START + timedelta(days=3)
    wrote(
        lambda session: notices.record_arrived(
            session, letter.id, office, arrived_at=arrived, note="Kvitto", now=arrived + timedelta(days=1)
        )
    )
    kept = notice_to(there, "north", channel=Channel.LETTER)
    assert (kept.state, kept.proven_at, kept.proven_by) == (NoticeState.POSTED, arrived, office.person_id)
    assert kept.proof_note == "Kvitto"
    assert window(case, Side.NORTH_SOUTH).base == arrived


def record_arrival(
    notice_id: UUID, there: Federation, key: str, arrived_at: datetime, *, now: datetime = LATER
) -> None:
    actor = there.actor(key)
    wrote(lambda session: notices.record_arrived(session, notice_id, actor, arrived_at=arrived_at, note="", now=now))


def posted(there: Federation, at: datetime = SOON) -> UUID:
    """The letter to North, in the post."""
    letter, office = notice_to(there, "north", channel=Channel.LETTER).id, there.actor("office")
    wrote(lambda session: posting.record_posted(session, letter, office, at=at, now=at))
    return letter


@pytest.mark.parametrize("arrived", [START - timedelta(minutes=1), LATER + timedelta(minutes=1)])
def test_nothing_arrives_before_it_is_written_or_in_the_future(sqlite: str, arrived: datetime) -> None:
    there, _ = ruled(without_mail=frozenset({"north"}))
    letter = posted(there)
    with pytest.raises(Invalid):
        record_arrival(letter, there, "office", arrived)


def test_no_letter_arrives_before_it_is_posted(sqlite: str) -> None:
    """Not in time, nor at all: what is not recorded as posted has not arrived."""
    there, _ = ruled(without_mail=frozenset({"north"}))
    with pytest.raises(NotAllowed, match="not recorded as posted"):
        record_arrival(notice_to(there, "north", channel=Channel.LETTER).id, there, "office", SOON)
    letter = posted(there, LATER - timedelta(minutes=1))
    with pytest.raises(Invalid) as refused:
        record_arrival(letter, there, "office", SOON)
    assert "was posted" in refused.value.fields["arrived_at"].msgid


def test_a_proof_is_recorded_once(sqlite: str) -> None:
    there, _ = ruled(without_mail=frozenset({"north"}))
    letter = posted(there)
    record_arrival(letter, there, "office", SOON)
    with pytest.raises(NotAllowed):
        record_arrival(letter, there, "office", SOON)


@pytest.mark.parametrize("key", ["north", "organiser", "lk_1"])
def test_others_record_no_arrival_and_post_nothing(sqlite: str, key: str) -> None:
    there, _ = ruled(without_mail=frozenset({"north"}))
    letter, actor = notice_to(there, "north", channel=Channel.LETTER).id, there.actor(key)
    with pytest.raises(NotAllowed):
        record_arrival(letter, there, key, SOON)
    with pytest.raises(NotAllowed):
        wrote(lambda session: posting.record_posted(session, letter, actor, at=SOON, now=SOON))


def test_a_letter_is_posted_once(sqlite: str) -> None:
    there, _ = ruled(without_mail=frozenset({"north"}))
    letter, office = notice_to(there, "north", channel=Channel.LETTER).id, there.actor("office")
    wrote(lambda session: posting.record_posted(session, letter, office, at=SOON, now=SOON))
    with pytest.raises(NotAllowed):
        wrote(lambda session: posting.record_posted(session, letter, office, at=SOON, now=SOON))


def test_what_is_posted_is_the_print_of_that_time(sqlite: str) -> None:
    """R-PROOF1: later prints, and its recipient's own copy, are not what was sent; the case's history has its hash."""
    there, _ = ruled(without_mail=frozenset({"north"}))
    letter, office = notice_to(there, "north", channel=Channel.LETTER).id, there.actor("office")
    made = [printed(there, letter, "office"), printed(there, letter, "north"), printed(there, letter, "office")]
    first, _own, second = made
    assert first.sha256 != second.sha256
    early, late = first.made_at or START, second.made_at or START
    wrote(lambda s: posting.record_posted(s, letter, office, at=late, now=clock.now()))
    assert notice_to(there, "north", channel=Channel.LETTER).sha256 == second.sha256
    wrote(lambda s: posting.correct_posted(s, letter, office, at=early, because="Fel.", now=clock.now()))
    record_arrival(letter, there, "office", late, now=clock.now())
    assert notice_to(there, "north", channel=Channel.LETTER).sha256 == first.sha256
    wrote(lambda s: posting.correct_posted(s, letter, office, at=late, because="Fel.", now=clock.now()))
    assert notice_to(there, "north", channel=Channel.LETTER).sha256 == first.sha256
    with uow() as session:
        assert [(one.notice.id, one.whole) for one in proofs.checked(session)] == [(letter, True)]
        (get_settings().data / "files" / first.key).write_bytes(b"%PDF-1.7 another")
        assert [one.whole for one in proofs.checked(session)] == [False]


def printed(there: Federation, notice_id: UUID, key: str) -> CaseFile:
    """The letter as PDF, made a while after all before."""
    clock.advance(timedelta(hours=1))
    asked: list[UUID] = []
    wrote(
        lambda session: asked.append(
            case_files.ask_for_letter(session, notice_id, there.actor(key), now=clock.now()).id
        )
    )
    documents.make_case_file(asked[0])
    with uow() as session:
        return session.get_one(CaseFile, asked[0])


def test_a_posting_is_put_right_and_what_was_noted_is_kept(sqlite: str) -> None:
    """By whom and when too; and never to after the letter arrived."""
    there, _ = ruled(without_mail=frozenset({"north"}))
    letter, office = posted(there, LATER), there.actor("office")

    def put_right(at: datetime) -> None:
        wrote(
            lambda session: posting.correct_posted(session, letter, office, at=at, because="Sagt för sent.", now=LATER)
        )

    put_right(SOON)
    record_arrival(letter, there, "office", SOON + timedelta(hours=1))
    for wrong in (SOON, START - timedelta(minutes=1), SOON + timedelta(hours=2), LATER + timedelta(minutes=1)):
        with pytest.raises(Invalid):
            put_right(wrong)
    with uow() as session:
        noted = session.exec(select(Posting).order_by(col(Posting.posted_at).desc())).all()
    assert [(one.posted_at, one.noted_at, one.noted_by, one.because) for one in noted] == [
        (LATER, LATER, office.person_id, ""),
        (SOON, LATER, office.person_id, "Sagt för sent."),
    ]

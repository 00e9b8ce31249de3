"""What is said of a time that has not started: its end if this message starts it, and what it still waits for."""

from datetime import datetime, timedelta

import pytest

from casework.adapters.database import uow
from casework.domain.models import Notice
from casework.domain.terms import AppealRoute, NoticeKind
from casework.services import notices, statements
from casework.services.before_telling import before_telling
from casework.services.loading import load
from casework.services.times_ahead import started_by, why
from tests import factories
from tests.factories import START, Federation
from tests.services.filing import FILED, file_ruling, rows
from tests.story import Story


def notice(there: Federation, key: str, kind: NoticeKind = NoticeKind.RULING) -> Notice:
    found: list[Notice] = rows(Notice, Notice.kind == kind, Notice.person_id == there.persons[key])
    return found[-1]


def ends(there: Federation, key: str, now: datetime) -> set[datetime | None]:
    """When the time to appeal of the recipient's side ends, as his mail says."""
    told = notice(there, key)
    with uow() as session:
        loaded = load(session, told.proceeding_id)
        return {row.instant for row in started_by(loaded, told, now) if row.party_id == told.party_id}


def test_a_mail_that_starts_the_time_says_when_it_ends(there: Federation) -> None:
    """R32: within what time; counted from the full minute ahead that it names."""
    factories.publish_score(there, at=FILED)
    file_ruling(there)
    now = FILED + timedelta(minutes=2)
    assert ends(there, "north", now) == {now + timedelta(minutes=31)}
    assert ends(there, "north", now + timedelta(seconds=1)) == {now + timedelta(minutes=32)}
    with uow() as session:
        text = notices.message_for(session, notice(there, "north").id, now).text
    assert "Överklaga senast lördag 28 november 2026 kl. 14.33" in text
    assert "Meddelandet räknas som mottaget lördag 28 november 2026 kl. 14.03." in text


def test_a_mail_that_starts_nothing_promises_no_end(there: Federation) -> None:
    file_ruling(there)
    assert ends(there, "north", FILED) == set()


def test_an_answer_is_asked_for_until_the_day_it_really_ends(sqlite: str) -> None:
    """Day five is a Saturday: the mail says Monday."""
    story = Story.begun(route=AppealRoute.LAW_COMMISSION)
    story.rule()
    story.appeal()
    story.forward()
    story.report()
    story.write(
        lambda s: statements.demand_statements(
            s, story.newest(), story.actors["director"], question="Hur lång var pausen?", now=story.at
        )
    )
    told, saturday = notice(story.there, "north", NoticeKind.STATEMENT_DEMANDED), START + timedelta(days=7)
    with uow() as session:
        loaded = load(session, told.proceeding_id)
        span = next(d.span_value for d in loaded.deadlines if d.demand_id == told.demand_id)
        sent = saturday - timedelta(days=span)
        mine = next(d for d in started_by(loaded, told, sent) if d.demand_id == told.demand_id)
    assert mine.last_day == (saturday + timedelta(days=2)).date()


@pytest.mark.parametrize(
    ("published", "words"), [(False, "official score"), (True, "The time starts when the ruling has reached the side.")]
)
def test_what_has_happened_is_not_waited_for(there: Federation, published: bool, words: str) -> None:  # noqa: FBT001
    if published:
        factories.publish_score(there, at=FILED)
    proceeding_id = file_ruling(there).proceeding.id
    with uow() as session:
        loaded = load(session, proceeding_id)
        assert all(words in why(loaded, row, mine=False).msgid for row in loaded.deadlines)


def test_whose_time_would_be_over_is_known_before_the_ruling_is_filed(there: Federation) -> None:
    """R32: a ruling recorded afterwards leaves no side without time unseen."""
    factories.publish_score(there, at=START)
    case = factories.open_case(there)
    told = {there.persons["north"]: START, there.persons["east"]: FILED}
    with uow() as session:
        ahead = before_telling(load(session, case.proceeding_id), "Karin Fjällbo", told, FILED)
    assert [over.since for over in ahead.over] == [START + timedelta(minutes=30)]
    assert any("Karin Fjällbo" in str(words.params) for words in ahead.words)


def test_the_mail_says_that_the_time_was_over_and_what_can_be_done(there: Federation) -> None:
    factories.publish_score(there, at=START)
    file_ruling(there, given_at=START, told={there.persons["north"]: START + timedelta(minutes=5)})
    with uow() as session:
        told, partner, other = (
            notices.message_for(session, notice(there, key).id, FILED).text for key in ("north", "south", "east")
        )
    assert "har antecknat att du fick veta domslutet" in told
    assert "Din tid att överklaga hade gått ut" in told
    assert "Tiden att överklaga gick ut:" in told
    assert "gått ut" in partner
    assert "gått ut" not in other

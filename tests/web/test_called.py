"""The hearing's page says of each who is called whether the call has come to him."""

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.clock import now
from casework.domain.models import Notice
from casework.domain.terms import NoticeKind, NoticeState
from tests.factories import federation
from tests.juries import answer, called, composed
from tests.narrator import hand_over
from tests.web.panels import AGO, at, browser


@pytest.mark.usefixtures("sqlite")
def test_called_is_not_reached() -> None:
    """R26: the hearing's page says of each whether the call has come to him."""
    there = federation()
    case = called(there, at=now() - AGO)
    with uow(write=True) as session:
        summons = session.exec(select(Notice).where(Notice.kind == NoticeKind.SUMMONS)).all()
        by_person = {notice.person_id: notice for notice in summons}
        by_person[there.persons["north"]].state = NoticeState.BOUNCED
        hand_over(session, by_person[there.persons["east"]].id, now())
    text = browser(there, "director").get(at(case, "sammantrade")).text("main")
    assert "Birgit Ekestam: e-posten kom inte fram" in text
    assert "Lena Tvärås: e-post levererad" in text


@pytest.mark.usefixtures("sqlite")
def test_nobody_is_called_by_a_jury_that_is_too_small() -> None:
    """R17: the page says the same as the case's own."""
    case = composed(federation(), at=now() - AGO)
    director = browser(case.there, "director")
    assert "Juryn är utsedd" in director.get(at(case, "sammantrade")).text("main")
    answer(case, "juror_3", conflict=True)
    text = director.get(at(case, "sammantrade")).text("main")
    assert "För få ledamöter är kvar" in text
    assert "Juryn är utsedd" not in text

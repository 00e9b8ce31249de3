"""A time that somebody sets far ahead is asked about before it is stored."""

from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from casework.adapters.database import uow
from casework.clock import LOCAL, now
from casework.domain.far_ahead import far_ahead
from casework.domain.models import Panel
from casework.text import Text
from tests.factories import federation
from tests.juries import answered
from tests.web.panels import AGO, at, browser

AT = datetime.fromisoformat("2026-11-30T20:00:00+00:00")


@pytest.mark.parametrize(
    ("days", "on_site", "said"),
    [
        (60, True, None),
        (61, True, ("That is {count} days from now. Is it right?", 61)),
        (366, False, None),
        (367, False, ("That is more than a year from now. Is it right?", None)),
        (73 * 366, True, ("That is {count} years from now. Is it right?", 73)),
    ],
)
def test_what_is_far_ahead(days: int, said: tuple[str, int | None] | None, *, on_site: bool) -> None:
    """A year, or sixty days for what happens at the event."""
    asked = far_ahead(AT + timedelta(days=days), AT, on_site=on_site)
    assert asked == (said and Text(said[0], {"count": said[1]} if said[1] else {}))


@pytest.mark.usefixtures("sqlite")
def test_a_hearing_far_ahead_is_asked_about_before_it_is_called() -> None:
    """A mistyped year is a question and no refusal; what was typed stays, and who means it says so."""
    case = answered(federation(), at=now() - AGO)
    client, send = browser(case.there, "director"), "Kalla till sammanträdet"
    page = client.get(at(case, "sammantrade/kalla"))
    assert "Ja, dagen stämmer" not in page.html
    year = now().year + 40
    asked = client.submit(page, send, place="Rum 2", day=f"{year}-12-31", clock="23.59", status=422)
    assert "Det är om 40 år. Stämmer det?" in asked.text(".error-summary")
    assert called_at() is None
    near = f"{now().astimezone(LOCAL) + timedelta(days=61):%Y-%m-%d}"
    asked = client.submit(asked, send, day=near, clock="23.59", status=422)
    assert "Det är om 61 dagar. Stämmer det?" in asked.text(".error-summary")
    client.submit(asked, send, far=True)
    assert called_at() is not None


def called_at() -> datetime | None:
    """When the hearing is, if it is called."""
    with uow() as session:
        return session.exec(select(Panel)).one().hearing_at

"""Readers of cases for the tests of the web: browsers at a story's time, and what their pages ask the database."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event
from sqlmodel import col, select

from casework import clock
from casework.adapters import database as db
from casework.adapters.database import uow
from casework.app import create_app
from casework.domain.models import Link
from casework.domain.terms import LinkPurpose
from casework.services import people
from tests.page import Page, PageClient
from tests.story import Story


def browser(story: Story, key: str, *, link: LinkPurpose | None = None) -> PageClient:
    """A browser at the story's time, in which somebody is signed in, with an account or by his newest link."""
    clock.advance(story.at - clock.now())
    client = PageClient(create_app())
    with uow(write=True) as session:
        person = story.there.persons[key]
        if link is None:
            token = people.sign_in_as(session, person, clock.now())
        else:
            mine = select(Link).where(Link.person_id == person, Link.purpose == link)
            found = session.exec(mine.order_by(col(Link.created_at).desc())).first()
            assert found is not None
            token = people.sign_in_by_link(session, found.id, clock.now())
    client.client.set_cookie("casework-browser", token, domain="127.0.0.1")
    return client


def case_page(story: Story, key: str, *, link: LinkPurpose | None = None, status: int = 200) -> Page:
    """The case page as somebody reads it."""
    return browser(story, key, link=link).get(f"/arenden/{story.case.case_id}", status=status)


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that are sent to the database meanwhile."""
    sent: list[str] = []

    def note(*args: object) -> None:
        sent.append(str(args[2]))

    event.listen(db.engine(), "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(db.engine(), "before_cursor_execute", note)


def queries_of(client: PageClient, url: str) -> int:
    """How many questions a page asks the database."""
    client.get(url)
    with counted() as sent:
        client.get(url)
    return sum(statement.lstrip().upper().startswith("SELECT") for statement in sent)

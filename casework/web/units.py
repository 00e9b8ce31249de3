"""The web's doors to the database.

A GET reads, a form that proved its token writes. What a page leaves behind, a visit or a reading, is written on its
own after the answer is made.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from flask import Flask, Response, g
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from casework import logs
from casework.adapters.database import DatabaseAway, retrying, uow
from casework.services import people
from casework.web import sessions
from casework.web.moment import now
from casework.web.security import TokenMissing, token_proven

R = TypeVar("R")

log = logs.logger(__name__)


@contextmanager
def reading() -> Iterator[Session]:
    """A read unit."""
    with uow(write=False) as session:
        yield session


def write(work: Callable[[Session], R]) -> R:
    """Do the work of a form in a write unit, begun again if another stands in its way; give what it gives.

    Refuses a request that did not prove its form's token.
    """
    if not token_proven():
        raise TokenMissing
    return _committed(work)


def write_one_click(work: Callable[[Session], R]) -> R:
    """The same for a POST that a mail program makes (RFC 8058): no browser of ours, and the address is the proof."""
    return _committed(work)


@retrying
def _committed(work: Callable[[Session], R]) -> R:
    with uow(write=True) as session:
        return work(session)


def after_response(work: Callable[[Session], object]) -> None:
    """Do `work` in a short write unit of its own when the answer is made; it may fail without harm."""
    g.setdefault("afterwards", []).append(work)


def init_app(app: Flask) -> None:
    """Write what requests leave behind."""

    @app.after_request
    def leave_behind(response: Response) -> Response:
        writes = g.pop("afterwards", [])
        if here := sessions.seen_long_ago():
            writes.append(lambda session: people.note_seen(session, here.id, now()))
        if writes and response.status_code < 400:
            try:
                _committed(lambda session: [work(session) for work in writes])
            except (DatabaseAway, SQLAlchemyError):
                log.exception("visit_not_written")
        return response

"""Who may open a page: every endpoint declares it, one that does not fails a test."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from uuid import UUID

from flask import g, request
from sqlmodel import Session

from casework.domain.access import IN_CASE, Permission, can
from casework.domain.errors import CaseworkError, Missing, NotAllowed
from casework.domain.terms import Part
from casework.services import queries
from casework.settings import get_settings
from casework.text import t
from casework.web import sessions
from casework.web.units import reading

View = TypeVar("View", bound=Callable[..., Any])


class SignInNeeded(CaseworkError):
    """The page is for somebody who is signed in; what was sent is kept."""

    status = 401

    def __init__(self) -> None:
        super().__init__(t("You are no longer signed in. What you wrote is still here, and has not been sent."))


def permission(wanted: Permission) -> Callable[[View], View]:
    """Let a view be opened only by those who have the permission.

    A permission that a part in a case gives needs `case_id` among the view's arguments; who has no part there is
    told that the page does not exist. The view finds its reader's parts with `parts()`.
    """

    def decorate(view: View) -> View:
        if wanted in IN_CASE and "case_id" not in inspect.signature(view).parameters:
            raise TypeError(f"{view.__name__}: {wanted} is a permission in a case, and the view has no case_id")

        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if wanted in IN_CASE:
                with reading() as session:
                    require_case(session, kwargs["case_id"], wanted)
            else:
                _require(wanted)
            return view(*args, **kwargs)

        guarded.permission = wanted  # type: ignore[attr-defined]  # tests/architecture/test_endpoints.py reads it
        return guarded  # type: ignore[return-value]  # the view itself, guarded

    return decorate


def require_case(session: Session, case_id: UUID, wanted: Permission) -> frozenset[Part]:
    """The acting person's parts in the case. Raises `Missing` when they do not give the permission."""
    actor = sessions.current_actor()
    if actor.person_id is None:
        raise SignInNeeded
    found = frozenset(queries.parts_in_case(session, case_id, actor))
    if not can(actor, wanted, found):
        raise Missing
    g.parts = found
    return found


def parts() -> frozenset[Part]:
    """The acting person's parts in the case that this page's permission was about."""
    found: frozenset[Part] = g.parts
    return found


def _require(wanted: Permission) -> None:
    if wanted is Permission.ANYONE:
        return
    if wanted is Permission.USE_DEMO:
        if not get_settings().demo:
            raise Missing
        return
    actor = sessions.current_actor()
    if not can(actor, wanted):
        if actor.person_id is None:
            raise SignInNeeded
        if actor.link is not None:
            raise NotAllowed(
                _BY_LINK.get(wanted, t("You came by a link in a mail. It opens your own case, not this page."))
            )
        raise NotAllowed(t("This page is for those who have another task in the federation than you."))


_BY_LINK = {
    Permission.ASK_FOR_RULING: t(
        "You came by a link in a mail. It opens your own case and no new one. To ask for a ruling, turn to the "
        "tournament's organiser or to the federation's office: they enter what you ask."
    )
}


def wanted_path() -> str:
    """Where the reader was going, for the way back after signing in."""
    return request.full_path.rstrip("?")

"""Who was there first: what is said beside a refusal to whoever sends a form that others have overtaken (R-TWO1)."""

from contextlib import suppress
from datetime import datetime
from uuid import UUID

from flask import has_request_context, request
from sqlalchemy.exc import SQLAlchemyError

from casework.adapters.database import DatabaseAway
from casework.domain.errors import CaseworkError, Conflict, Missing, NotAllowed, NotNow, Overtaken
from casework.services import meanwhile
from casework.text import Text
from casework.web.moment import now
from casework.web.sessions import current_actor
from casework.web.units import reading

OPENED = "opened"
"""The field of a form that says when its page was opened."""


def opened() -> str:
    """What a form carries of when its page is opened."""
    return now().isoformat()


def opened_at(value: object) -> datetime | None:
    """When a form was opened, by what it carries; None where that says nothing."""
    try:
        found = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def overtaking(refusal: CaseworkError) -> tuple[Text, ...]:
    """The steps that its reader may know of and that stand, or may stand, behind a refusal; none where it says more."""
    case_id = _case_here()
    if case_id is None:
        return ()
    sent = request.method == "POST"
    if not (_by_others(refusal) if sent else isinstance(refusal, NotNow)):
        return ()
    return _steps(case_id, moved=isinstance(refusal, NotNow))


def since_opened() -> tuple[Text, ...]:
    """The steps since the page was opened of the form that this request sends."""
    case_id = _case_here()
    return _steps(case_id, moved=False) if case_id is not None else ()


def _steps(case_id: UUID, *, moved: bool) -> tuple[Text, ...]:
    opened = opened_at(request.form.get(OPENED)) if request.method == "POST" else None
    with suppress(DatabaseAway, SQLAlchemyError), reading() as session:
        return meanwhile.meanwhile(session, case_id, current_actor(), now(), opened=opened, moved=moved)
    return ()


def case_url() -> str:
    """The own page of the case that this request is about."""
    return f"/arenden/{_case_here()}"


def _case_here() -> UUID | None:
    found = (request.view_args or {}).get("case_id") if has_request_context() else None
    return found if isinstance(found, UUID) else None


def _by_others(refusal: CaseworkError) -> bool:
    """Whether others can have brought it about: not by what was typed, and not where its own words name them."""
    if isinstance(refusal, NotAllowed):
        return not any(refusal.answers)
    return isinstance(refusal, Conflict | Missing) and not isinstance(refusal, Overtaken)

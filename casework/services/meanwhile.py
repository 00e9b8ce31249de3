"""What has happened in a case since somebody opened a form, as he may know it: who was there first (R-TWO1).

It is read from the timeline, which shows each reader what the policy gives: a vote, a decision that is held and what
others have not published stand here no more than there.
"""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from sqlmodel import Session

from casework.domain.access import Actor
from casework.domain.errors import Missing
from casework.domain.models import Event
from casework.domain.terms import ActionName
from casework.domain.workflow.reminding import REMINDING
from casework.services.case_rows import CaseRows, read_case
from casework.services.timeline import Happening, happened, seen
from casework.text import Text, t

MOST = 3
"""So many steps are named, the newest of them."""
_IDLE = REMINDING | {ActionName.REMIND, ActionName.ESCALATE}
"""Steps that stand in nobody's way."""


def meanwhile(
    session: Session, case_id: UUID, actor: Actor, now: datetime, *, opened: datetime | None, moved: bool
) -> tuple[Text, ...]:
    """What has happened since `opened`, the oldest first: which step, by whom and when.

    Where that is nothing and the case has `moved` from where the reader's step could be taken: what moved it last.
    Nothing to who may not know of the case.
    """
    try:
        rows = read_case(session, case_id, actor, now)
    except Missing:
        return ()
    known = [event for event in rows.events if seen(rows, event)]
    new = [event for event in known if opened is not None and event.at > opened and event.action not in _IDLE]
    if new:
        return tuple(_new(one) for one in _happenings(rows, new[-MOST:]))
    return tuple(_last(one) for one in _happenings(rows, _movers(known)[:MOST])) if moved else ()


def _movers(events: Iterable[Event]) -> list[Event]:
    """The last step of a person that moved the case, and where that has led by itself."""
    moving = [event for event in events if "to" in event.data]
    by_people = [place for place, event in enumerate(moving) if event.actor_id is not None]
    return moving[by_people[-1] :] if by_people else moving[-1:]


def _happenings(rows: CaseRows, events: Iterable[Event]) -> list[Happening]:
    return [happened(rows, event) for event in events]


def _new(one: Happening) -> Text:
    return _why(one, t("Since you opened this page: {what}. {who}, {at}.", what=one.title, who=one.by, at=one.at))


def _last(one: Happening) -> Text:
    return _why(one, t("What happened last: {what}. {who}, {at}.", what=one.title, who=one.by, at=one.at))


def _why(one: Happening, said: Text) -> Text:
    return t("{about} {said}", about=said, said=one.text) if one.text else said

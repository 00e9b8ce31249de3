"""A step under way, and what comes with the form that asks for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlmodel import Session

from casework.domain.access import Actor
from casework.domain.models import Event, FormReceipt, Notice, Proceeding
from casework.domain.models.base import Filed
from casework.domain.terms import ActionName
from casework.domain.workflow.facts import Facts
from casework.domain.workflow.table import Changes
from casework.services.loading import Loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class FormInstance:
    """What comes with every form: its instance, and the version of the page it was filled in on.

    `seen` is the mark of what its check page showed, empty where it was never shown; None: the form has no such page.
    `written` is the mark of what was typed.
    """

    form_id: UUID | None = None
    version: int | None = None
    seen: str | None = None
    written: str = ""


def remember_form(
    session: Session,
    form: FormInstance | None,
    *,
    person_id: UUID | None,
    case_id: UUID,
    at: datetime,
    action: ActionName | None = None,
    subject_id: UUID | None = None,
) -> None:
    """Keep that the form has taken effect, so that it cannot again (R-DBL1); nothing where no form was sent."""
    if form is not None and form.form_id is not None:
        session.add(
            FormReceipt(
                id=form.form_id,
                person_id=person_id,
                case_id=case_id,
                action=action,
                subject_id=subject_id,
                at=at,
                written=form.written,
            )
        )


class AlreadyDone(Exception):
    """This very form has taken effect before: show the same receipt (R-DBL1)."""

    def __init__(self, receipt: FormReceipt) -> None:
        super().__init__("form already taken")
        self.receipt = receipt


@dataclass(slots=True)
class Step:
    """A step under way: what the procedure allows, and what the verb adds while it writes its own rows."""

    session: Session
    loaded: Loaded
    facts: Facts
    changes: Changes
    actor: Actor
    now: datetime
    data: Mapping[str, Any]
    subject_id: UUID | None
    party_id: UUID | None
    child: Proceeding | None = None
    decision_id: UUID | None = None
    filed: list[Filed] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    event: Event | None = None

    @property
    def proceeding(self) -> Proceeding:
        """The proceeding that is acted in."""
        return self.loaded.proceeding

    def file(self, row: Filed) -> None:
        """Write a row that is never changed again; the history commits to it."""
        self.session.add(row)
        self.filed.append(row)


def acting_person(actor: Actor) -> UUID:
    """The person who acts; ValueError where the system does, which files nothing of its own."""
    if actor.person_id is None:
        raise ValueError("only a person files this")
    return actor.person_id

"""Whether somebody wants reminders (E4): each carries an address that stops them, and starts them again."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import Session, col, select

from casework.adapters.mail import stop_mark
from casework.domain.models import Contact, Notice, Person
from casework.domain.workflow.reminding import can_be_stopped
from casework.services.secret_addresses import fits, name_of, row_named, secret_of
from casework.settings import get_settings

_KIND = "reminders"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What an address says of its reader: whether he wants reminders."""

    person_id: UUID
    language: str
    wanted: bool


def stop_url(notice: Notice) -> str:
    """The address that stands in a reminder, as it is kept; empty where it cannot be stopped."""
    if not can_be_stopped(notice.kind, notice.party_id):
        return ""
    return f"{get_settings().public_base_url.rstrip('/')}/paminnelser/{_mark(notice)}"


def stop_secrets(notice: Notice) -> dict[str, str]:
    """What stands in its mail in place of the mark."""
    if not can_be_stopped(notice.kind, notice.party_id):
        return {}
    return {_mark(notice): secret_of(_KIND, notice.person_id, "")}


def choice(session: Session, token: str) -> Choice | None:
    """What the address's reader has chosen; None where it is no such address."""
    contact = _contact(session, token)
    if contact is None:
        return None
    language = session.get_one(Person, contact.person_id).language
    return Choice(person_id=contact.person_id, language=language, wanted=contact.reminders_stopped_at is None)


def choose(session: Session, token: str, now: datetime, *, wanted: bool) -> None:
    """Stop the reminders, or start them again: what holds already stays as it is."""
    contact = _contact(session, token)
    if contact is not None and wanted is not (contact.reminders_stopped_at is None):
        contact.reminders_stopped_at = None if wanted else now
        session.add(contact)


def stopped(session: Session, persons: Iterable[UUID]) -> set[UUID]:
    """Who of these wants no reminders."""
    chosen = select(Contact.person_id).where(col(Contact.reminders_stopped_at).is_not(None))
    return set(session.exec(chosen.where(col(Contact.person_id).in_(persons))))


def _contact(session: Session, token: str) -> Contact | None:
    named = row_named(token)
    if named is None or not fits(token, _KIND, named, ""):
        return None
    return session.exec(select(Contact).where(Contact.person_id == named)).first()


def _mark(notice: Notice) -> str:
    return stop_mark(name_of("mark", notice.id, _KIND))

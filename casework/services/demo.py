"""What the demo shows of its federation: the people to sign in as, and their mailboxes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from uuid import UUID

from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, select

from casework.domain.models import Case, Grant, Notice, Party, PartyMember, Person, Tournament
from casework.domain.terms import Role
from casework.services.notices import with_links

LETTERS = 50
"""How many letters stand on a page of the list, the newest first."""


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """Somebody to sign in as, and where: the tournament of a role, or the number of a party's case."""

    person_id: UUID
    name: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Letter:
    """A sent mail in the list."""

    notice_id: UUID
    to: str
    address: str
    subject: str
    sent_at: datetime | None


@dataclass(frozen=True, slots=True)
class Mailboxes:
    """A page of all letters."""

    letters: Sequence[Letter]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class OpenLetter:
    """A sent mail as it was sent."""

    letter: Letter
    text: str
    html: str
    files: tuple[str, ...]


def officials(session: Session) -> Mapping[Role, Sequence[DemoPerson]]:
    """The demo's people by role, in the order of the roles."""
    rows = session.exec(
        select(Grant, Person, Tournament.name)
        .join(Person, col(Person.id) == col(Grant.person_id))
        .outerjoin(Tournament, col(Tournament.id) == col(Grant.tournament_id))
        .order_by(col(Person.family_name), col(Person.given_name), col(Tournament.name))
    )
    found: dict[Role, dict[UUID, tuple[Person, list[str]]]] = defaultdict(dict)
    for grant, person, tournament in rows:
        found[grant.role].setdefault(person.id, (person, []))[1].extend([tournament] if tournament else [])
    return {role: _people(found[role]) for role in Role if role in found}


def players(session: Session) -> Sequence[DemoPerson]:
    """Everybody who is a party in a case."""
    rows = session.exec(
        select(Person, Case.number)
        .join(PartyMember, col(PartyMember.person_id) == col(Person.id))
        .join(Party, col(Party.id) == col(PartyMember.party_id))
        .join(Case, col(Case.id) == col(Party.case_id))
        .order_by(col(Person.family_name), col(Person.given_name), col(Case.number))
    )
    found: dict[UUID, tuple[Person, list[str]]] = {}
    for person, number in rows:
        found.setdefault(person.id, (person, []))[1].append(number)
    return _people(found)


def mailboxes(session: Session, page: int = 1) -> Mailboxes:
    """The mails of all mailboxes, newest first; a page that there is not is the nearest one."""
    sent = col(Notice.mime).is_not(None)
    total = session.exec(select(func.count()).select_from(Notice).where(sent)).one()
    pages = max(1, -(-total // LETTERS))
    page = min(max(page, 1), pages)
    rows = session.exec(
        select(Notice, Person)
        .join(Person, col(Person.id) == col(Notice.person_id))
        .where(sent)
        .order_by(col(Notice.handed_over_at).desc(), col(Notice.id))
        .offset((page - 1) * LETTERS)
        .limit(LETTERS)
        .options(defer(Notice.mime))  # type: ignore[arg-type]  # a column
    )
    return Mailboxes([_letter(notice, person) for notice, person in rows], page, pages)


def letter(session: Session, notice_id: UUID) -> OpenLetter | None:
    """One mail, taken apart, with links that work: a kept mail holds none (S-LINK3)."""
    notice = session.get(Notice, notice_id)
    if notice is None or notice.mime is None:
        return None
    message = message_from_bytes(notice.mime, _class=EmailMessage, policy=policy.default)
    return OpenLetter(
        _letter(notice, session.get_one(Person, notice.person_id)),
        text=with_links(session, notice.id, _body(message, "plain")),
        html=with_links(session, notice.id, _body(message, "html")),
        files=tuple(part.get_filename() or "" for part in message.iter_attachments()),
    )


def _people(found: Mapping[UUID, tuple[Person, list[str]]]) -> Sequence[DemoPerson]:
    return [DemoPerson(person.id, person.name, tuple(places)) for person, places in found.values()]


def _letter(notice: Notice, person: Person) -> Letter:
    return Letter(notice.id, person.name, notice.address, notice.subject, notice.handed_over_at)


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    return str(part.get_content()) if part else ""

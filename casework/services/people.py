"""Members, accounts and trust, and how somebody is signed in: by password, or by a mail link."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_urlsafe
from uuid import UUID

from sqlalchemy import update
from sqlmodel import Session, col, select

from casework.adapters import passwords
from casework.domain.access import Actor, LinkScope
from casework.domain.errors import Invalid
from casework.domain.models import Account, Case, Contact, Grant, Link, Person, SignIn
from casework.domain.terms import Role
from casework.text import kept, t

LONGEST = timedelta(hours=12)
"""A sign-in ends after this time in any case."""
IDLE = timedelta(hours=4)
"""A sign-in ends when nothing was opened for this long: longer than a session of play."""
SHORTEST_PASSWORD = 12
_ONE_LINE = t("Write it on one line, without characters that cannot be seen.")


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser's sign-in. `case_number` is given for readers who came by a link (S-LINK6)."""

    id: UUID
    actor: Actor
    seen_at: datetime
    case_number: str = ""


def hashed_password(password: str) -> str:
    """The hash to store, slow by intent. Raises `Invalid` for a short password."""
    if len(password) < SHORTEST_PASSWORD:
        raise Invalid({"password": t("Choose a password of at least {length} characters.", length=SHORTEST_PASSWORD)})
    return passwords.hash_password(password)


def create_account(
    session: Session,
    *,
    member_number: str,
    given_name: str,
    family_name: str,
    email: str,
    username: str,
    password_hash: str,
    language: str = "sv",
) -> Person:
    """A person with an account, for somebody who is known by the member number or not known yet.

    `password_hash` is made by `hashed_password` before the write unit. Raises `Invalid` for a taken name, and for a
    line that breaks or has what cannot be kept.
    """
    lines = {"username": username, "member_number": member_number, "given_name": given_name, "family_name": family_name,
             "email": email}  # fmt: skip
    broken = {name: _ONE_LINE for name, text in lines.items() if not all(map(kept, text))}
    if broken:
        raise Invalid(broken)
    if session.exec(select(Account.id).where(Account.username == username)).first():
        raise Invalid({"username": t("The user name is taken. Choose another.")})
    person = session.exec(select(Person).where(Person.member_number == member_number)).first()
    if person is None:
        person = Person(member_number=member_number, given_name=given_name, family_name=family_name, language=language)
        session.add(person)
    if email and not session.exec(select(Contact).where(Contact.person_id == person.id)).first():
        session.add(Contact(person_id=person.id, email=email))
    session.add(Account(person_id=person.id, username=username, password_hash=password_hash))
    session.flush()
    return person


def grant(session: Session, person_id: UUID, role: Role, *, tournament_id: UUID | None = None) -> None:
    """Trust a person with a role, at one tournament or in the federation; again is no change."""
    same = select(Grant).where(Grant.person_id == person_id, Grant.role == role, Grant.tournament_id == tournament_id)
    if session.exec(same).first() is None:
        session.add(Grant(person_id=person_id, role=role, tournament_id=tournament_id))
        session.flush()


def disable_account(session: Session, account_id: UUID, now: datetime) -> None:
    """Shut an account; who is signed in by it is signed out at once."""
    session.execute(update(Account).where(col(Account.id) == account_id).values(disabled_at=now))


def account_by_password(session: Session, username: str, password: str) -> UUID | None:
    """The account that name and password open. An unknown name takes as long as a wrong password."""
    account = session.exec(select(Account).where(Account.username == username)).first()
    fits = passwords.verify_password(password, account.password_hash if account else None)
    return account.id if account and fits and account.disabled_at is None else None


def sign_in_by_account(session: Session, account_id: UUID, now: datetime, *, instead_of: str = "") -> str:
    """Sign in with an account whose password was verified; gives the token for the browser's cookie.

    The sign-in of the token `instead_of` ends, here as in the other ways in.
    """
    account = session.get_one(Account, account_id)
    end_sign_in(session, instead_of, now)
    return _sign_in(session, now, account.person_id, account_id=account_id)


def sign_in_by_link(session: Session, link_id: UUID, now: datetime, *, instead_of: str = "") -> str:
    """Sign in with a mail link that `links.find_link` found open; gives the token for the browser's cookie."""
    link = session.get_one(Link, link_id)
    link.opened_at = link.opened_at or now
    end_sign_in(session, instead_of, now)
    return _sign_in(session, now, link.person_id, link_id=link_id)


def sign_in_as(session: Session, person_id: UUID, now: datetime, *, instead_of: str = "") -> str:
    """Sign in as a person of the demo federation, without a password."""
    end_sign_in(session, instead_of, now)
    return _sign_in(session, now, person_id)


def end_sign_in(session: Session, token: str, now: datetime) -> None:
    """Sign out; a token that opens nothing is no error."""
    mine = col(SignIn.token_hash) == _hashed(token)
    session.execute(update(SignIn).where(mine, col(SignIn.ended_at).is_(None)).values(ended_at=now))


def note_seen(session: Session, sign_in_id: UUID, now: datetime) -> None:
    """Remember that the browser was here."""
    session.execute(update(SignIn).where(col(SignIn.id) == sign_in_id).values(seen_at=now))


def stay_signed_in(session: Session, now: datetime) -> None:
    """The demo's clock jumped, nobody was away: every sign-in begins anew."""
    session.execute(update(SignIn).where(col(SignIn.ended_at).is_(None)).values(created_at=now, seen_at=now))


def signed_in(session: Session, token: str, now: datetime) -> SignedIn | None:
    """Who is signed in by this token, or None.

    Account, link and roles are read each time, so that disabling, revoking and removing take effect at once.
    """
    row = session.exec(
        select(SignIn).where(SignIn.token_hash == _hashed(token), col(SignIn.ended_at).is_(None))
    ).first()
    if row is None or now - row.created_at >= LONGEST or now - row.seen_at >= IDLE:
        return None
    if row.link_id is not None:
        return _by_link(session, row, row.link_id, now)
    if row.account_id is not None and session.get_one(Account, row.account_id).disabled_at is not None:
        return None
    return SignedIn(row.id, actor_of(session, row.person_id), row.seen_at)


def actor_of(session: Session, person_id: UUID) -> Actor:
    """A person with all that he is trusted with."""
    person = session.get_one(Person, person_id)
    return Actor(person.id, person.name, person.language, roles=frozenset(_roles(session, person_id)))


def actor_by_link(session: Session, link: Link, now: datetime) -> Actor | None:
    """The holder of a mail link, with what it opens; None when it works no longer."""
    if link.revoked_at is not None or (link.expires_at is not None and now >= link.expires_at):
        return None
    person = session.get_one(Person, link.person_id)
    scope = LinkScope(link.id, link.case_id, link.party_id, link.seat_id)
    return Actor(person.id, person.name, person.language, link=scope)


def shut_out(session: Session, person_id: UUID) -> bool:
    """Whether every account that the person has had is disabled."""
    accounts = session.exec(select(Account).where(Account.person_id == person_id)).all()
    return bool(accounts) and all(account.disabled_at is not None for account in accounts)


def _by_link(session: Session, row: SignIn, link_id: UUID, now: datetime) -> SignedIn | None:
    link = session.get_one(Link, link_id)
    actor = actor_by_link(session, link, now)
    return SignedIn(row.id, actor, row.seen_at, session.get_one(Case, link.case_id).number) if actor else None


def _roles(session: Session, person_id: UUID) -> Iterable[tuple[Role, UUID | None]]:
    return (
        (grant.role, grant.tournament_id) for grant in session.exec(select(Grant).where(Grant.person_id == person_id))
    )


def _sign_in(
    session: Session, now: datetime, person_id: UUID, *, account_id: UUID | None = None, link_id: UUID | None = None
) -> str:
    token = token_urlsafe(32)
    session.add(
        SignIn(
            token_hash=_hashed(token),
            person_id=person_id,
            account_id=account_id,
            link_id=link_id,
            created_at=now,
            seen_at=now,
        )
    )
    session.flush()
    return token


def _hashed(token: str) -> str:
    return sha256(token.encode()).hexdigest()

"""Members, their contact data, accounts of officials, trust, and how a person is signed in."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, text
from sqlmodel import Field, UniqueConstraint

from casework.domain.models.base import Row, enum_text, maybe_ref, ref
from casework.domain.terms import LinkPurpose, Role


class Person(Row, table=True):
    """A member of the federation, told apart by the member number (MID, R112)."""

    __tablename__ = "persons"

    member_number: str = Field(max_length=20, unique=True)
    given_name: str = Field(max_length=80)
    family_name: str = Field(max_length=80)
    club: str = Field(default="", max_length=80)
    district: str = Field(default="", max_length=80)
    language: str = Field(default="sv", max_length=5)

    @property
    def name(self) -> str:
        """Given name and family name."""
        return f"{self.given_name} {self.family_name}"


class Contact(Row, table=True):
    """How to reach a person: apart from the person, read only where R29 needs it, purged early."""

    __tablename__ = "contacts"

    person_id: UUID = ref("persons.id", index=False)
    email: str = Field(default="", max_length=254)
    phone: str = Field(default="", max_length=40)
    street: str = Field(default="", max_length=120)
    postal_code: str = Field(default="", max_length=12)
    city: str = Field(default="", max_length=80)
    reminders_stopped_at: datetime | None = None
    """An official who wants no reminders; what asks for something the first time goes to him all the same."""

    __table_args__ = (UniqueConstraint("person_id"),)


class Account(Row, table=True):
    """An official's way in: a name and an argon2id hash."""

    __tablename__ = "accounts"

    person_id: UUID = ref("persons.id")
    username: str = Field(max_length=254, unique=True)
    password_hash: str = Field(max_length=200)
    disabled_at: datetime | None = None


class Grant(Row, table=True):
    """A role somebody holds; at one tournament, or in the federation when `tournament_id` is empty."""

    __tablename__ = "grants"

    person_id: UUID = ref("persons.id")
    role: Role = Field(sa_type=enum_text(Role))
    tournament_id: UUID | None = maybe_ref("tournaments.id")

    __table_args__ = (UniqueConstraint("person_id", "role", "tournament_id"),)


class Link(Row, table=True):
    """A mail link. The token is made from id and generation when a mail is built and is stored nowhere (S-LINK3)."""

    __tablename__ = "links"

    purpose: LinkPurpose = Field(sa_type=enum_text(LinkPurpose))
    person_id: UUID = ref("persons.id")
    case_id: UUID = ref("cases.id")
    party_id: UUID | None = maybe_ref("parties.id")
    seat_id: UUID | None = maybe_ref("seats.id")
    generation: int = 1
    wrong_codes: int = 0
    """How many wrong codes were typed for this generation (S-LINK2)."""
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    seen: int = 0
    opened_at: datetime | None = None

    __table_args__ = (UniqueConstraint("person_id", "case_id", "purpose", "party_id", "seat_id"),)


class LinkRequest(Row, table=True):
    """Somebody has asked for his link by an address or a member number; gone when a worker has answered (S-LINK5)."""

    __tablename__ = "link_requests"

    asked_for: str = Field(max_length=254)
    asked_at: datetime


class CalendarFeed(Row, table=True):
    """A person's calendar to subscribe to: of all his cases, or of the one that a mail link opens.

    Its secret address is made from id and generation and is stored nowhere, as a mail link's (C2).
    """

    __tablename__ = "calendar_feeds"

    person_id: UUID = ref("persons.id")
    link_id: UUID | None = maybe_ref("links.id", index=False)
    generation: int = 1
    created_at: datetime
    ended_at: datetime | None = None

    __table_args__ = (
        UniqueConstraint("link_id"),
        Index(
            "uq_calendar_feeds_of_all_cases",
            "person_id",
            unique=True,
            sqlite_where=text("link_id IS NULL"),
            postgresql_where=text("link_id IS NULL"),
        ),
    )


class SignIn(Row, table=True):
    """A session on the server: ends at once when it is ended here, an account is disabled or a link is revoked."""

    __tablename__ = "sign_ins"

    token_hash: str = Field(max_length=64, unique=True)
    person_id: UUID = ref("persons.id")
    account_id: UUID | None = maybe_ref("accounts.id")
    link_id: UUID | None = maybe_ref("links.id")
    created_at: datetime
    seen_at: datetime
    ended_at: datetime | None = None

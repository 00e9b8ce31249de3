"""Tournaments (tävlingar), their sessions, and who plays in them."""

from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlmodel import Field, UniqueConstraint

from casework.domain.models.base import Row, enum_text, json, maybe_ref, ref
from casework.domain.terms import AppealRoute, Form


class Tournament(Row, table=True):
    """A competition with its own profile: which body tries appeals, and whether the way to LK is open (R38)."""

    __tablename__ = "tournaments"

    name: str = Field(max_length=120)
    organiser: str = Field(max_length=120)
    place: str = Field(default="", max_length=120)
    form: Form = Field(sa_type=enum_text(Form))
    scoring: str = Field(default="MP", max_length=20)
    above_club_level: bool = True
    starts_on: date
    ends_on: date
    appeal_route: AppealRoute = Field(sa_type=enum_text(AppealRoute))
    lk_open: bool = True
    profile: dict[str, Any] = Field(sa_type=json())


class Session(Row, table=True):
    """A session or match. The appeal window runs from the recorded publication of its official score (Law 92B)."""

    __tablename__ = "sessions"

    tournament_id: UUID = ref("tournaments.id")
    name: str = Field(max_length=80)
    starts_at: datetime
    ends_at: datetime | None = None
    published_at: datetime | None = None
    publication_recorded_at: datetime | None = None
    publication_recorded_by: UUID | None = maybe_ref("persons.id", index=False)


class Entry(Row, table=True):
    """A contestant: a pair, a team or a player, with its number in the tournament."""

    __tablename__ = "entries"

    tournament_id: UUID = ref("tournaments.id")
    number: int
    name: str = Field(default="", max_length=80)

    __table_args__ = (UniqueConstraint("tournament_id", "number"),)


class EntryMember(Row, table=True):
    """A person in a contestant."""

    __tablename__ = "entry_members"

    entry_id: UUID = ref("entries.id")
    person_id: UUID = ref("persons.id")
    captain: bool = False

    __table_args__ = (UniqueConstraint("entry_id", "person_id"),)


class Presence(Row, table=True):
    """An LK member registered as present at a tournament: must be called to the jury's hearings (R18)."""

    __tablename__ = "presences"

    tournament_id: UUID = ref("tournaments.id")
    person_id: UUID = ref("persons.id")
    registered_at: datetime

    __table_args__ = (UniqueConstraint("tournament_id", "person_id"),)

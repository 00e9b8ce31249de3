"""Cases, what they are about, and their parties."""

from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlmodel import Field, UniqueConstraint

from casework.domain.models.base import Filed, Row, enum_text, json, maybe_ref, ref
from casework.domain.rules.editions import LawEdition
from casework.domain.terms import Body, CaseKind, ProceedingKind, Side, State


class Incident(Row, table=True):
    """What happened where: a score question and a conduct report about it are two cases on one incident."""

    __tablename__ = "incidents"

    tournament_id: UUID = ref("tournaments.id")
    session_id: UUID = ref("sessions.id")
    table: str = Field(default="", max_length=20)
    board: int | None = None
    occurred_on: date


class Case(Row, table=True):
    """One question that a body must settle. Law edition and profile are frozen when it opens.

    The head of the case's hash chain stands here: this row is the lock that every step takes.
    """

    __tablename__ = "cases"

    number: str = Field(max_length=20, unique=True)
    kind: CaseKind = Field(sa_type=enum_text(CaseKind))
    incident_id: UUID = ref("incidents.id")
    law_edition: LawEdition = Field(sa_type=enum_text(LawEdition))
    profile: dict[str, Any] = Field(sa_type=json())
    opened_at: datetime
    opened_by: UUID = ref("persons.id", index=False)
    head_seq: int = 0
    head_hash: str = Field(default="", max_length=64)


class CaseCounter(Row, table=True):
    """The last number given in a year; counted in the transaction that opens the case, so there are no gaps."""

    __tablename__ = "case_counters"

    year: int = Field(unique=True)
    last: int = 0


class Party(Row, table=True):
    """A contestant in a case. It is heard once: one member's signed statement answers for it."""

    __tablename__ = "parties"

    case_id: UUID = ref("cases.id")
    entry_id: UUID = ref("entries.id")
    side: Side = Field(sa_type=enum_text(Side))
    number: int
    name: str = Field(default="", max_length=80)

    __table_args__ = (UniqueConstraint("case_id", "entry_id"),)


class PartyMember(Row, table=True):
    """A person of a party: notices and links go to persons."""

    __tablename__ = "party_members"

    party_id: UUID = ref("parties.id")
    person_id: UUID = ref("persons.id")
    captain: bool = False
    at_table: bool = True

    __table_args__ = (UniqueConstraint("party_id", "person_id"),)


class Proceeding(Row, table=True):
    """One body's handling of a case; state and version live here. `tries_id` is the decision it tries."""

    __tablename__ = "proceedings"

    case_id: UUID = ref("cases.id")
    kind: ProceedingKind = Field(sa_type=enum_text(ProceedingKind))
    body: Body = Field(sa_type=enum_text(Body))
    state: State = Field(sa_type=enum_text(State))
    version: int = 1
    parent_id: UUID | None = maybe_ref("proceedings.id")
    tries_id: UUID | None = maybe_ref("decisions.id")
    director_id: UUID | None = maybe_ref("persons.id")
    lk_open: bool = True
    opened_at: datetime
    forwarded_at: datetime | None = None
    sent_in_at: datetime | None = None
    registered_at: datetime | None = None
    ended_at: datetime | None = None
    waits_for: str = Field(default="", max_length=2000)
    taken_up_because: str = Field(default="", max_length=10_000)
    jurisdiction: str = Field(default="", max_length=2000)


class BoardRecord(Filed, table=True):
    """The board as filed: a later filing is a new row, the newest counts, none is overwritten."""

    __tablename__ = "board_records"

    case_id: UUID = ref("cases.id")
    filed_at: datetime
    filed_by: UUID = ref("persons.id", index=False)
    number: int | None = None
    board: dict[str, Any] = Field(sa_type=json())
    """What `domain.bridge.Board.to_json` gives, with the reason for whatever is irregular."""


class BoardAdvice(Row, table=True):
    """What the sides can make on a filed board, calculated; nothing rests on it. One row a board, asked for once."""

    __tablename__ = "board_advices"

    board_record_id: UUID = ref("board_records.id", index=False)
    asked_at: datetime
    solved_at: datetime | None = None
    tricks: dict[str, Any] | None = Field(default=None, sa_type=json())
    """What `domain.bridge.DoubleDummy.to_json` gives; none where cards are missing or nothing was found."""

    __table_args__ = (UniqueConstraint("board_record_id"),)

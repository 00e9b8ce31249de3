"""Decisions (the director's ruling is one), what follows of them, and the appeals against them."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, text
from sqlmodel import Field, UniqueConstraint

from casework.domain.models.base import Filed, Row, enum_text, json, maybe_ref, ref, text_json
from casework.domain.terms import (
    AppealOutcome,
    ConsequenceKind,
    ConsequenceState,
    FilingChannel,
    RulingOutcome,
)
from casework.text import Text


class Decision(Filed, table=True):
    """What a body decided: operative part first, facts, reasons, laws. When given and when recorded both stand."""

    __tablename__ = "decisions"

    case_id: UUID = ref("cases.id")
    proceeding_id: UUID = ref("proceedings.id")
    outcome: RulingOutcome | None = Field(default=None, sa_type=enum_text(RulingOutcome), nullable=True)
    operative: str = Field(max_length=10_000)
    facts: str = Field(default="", max_length=20_000)
    facts_agreed: str = Field(default="", max_length=20_000)
    facts_disputed: dict[str, Any] | None = Field(default=None, sa_type=json())
    reasons: str = Field(default="", max_length=20_000)
    laws: list[Any] = Field(default_factory=list, sa_type=json())
    dissent: str = Field(default="", max_length=10_000)
    of_judgement: bool = False
    given_at: datetime
    given_by: UUID = ref("persons.id", index=False)
    recorded_at: datetime
    recorded_by: UUID = ref("persons.id", index=False)
    final: bool = False
    replaced_by_id: UUID | None = maybe_ref("decisions.id")
    adjustment_id: UUID | None = maybe_ref("adjustment_records.id", index=False)
    """The adjusted score that it took along, as it was counted then."""

    __table_args__ = (
        Index(
            "uq_decisions_in_force",
            "proceeding_id",
            unique=True,
            sqlite_where=text("replaced_by_id IS NULL"),
            postgresql_where=text("replaced_by_id IS NULL"),
        ),
    )


class AdjustmentRecord(Filed, table=True):
    """An adjusted score as a body counted it: a later one is a new row, the newest of a proceeding counts (R69-R77)."""

    __tablename__ = "adjustment_records"

    case_id: UUID = ref("cases.id", index=False)
    proceeding_id: UUID = ref("proceedings.id")
    filed_at: datetime
    filed_by: UUID = ref("persons.id", index=False)
    score: dict[str, Any] | None = Field(default=None, sa_type=json())
    """What `AdjustedScore.to_json` gives: inputs, result and working. Empty: the one before is taken back."""
    at_table: dict[str, Any] | None = Field(default=None, sa_type=json())
    """The result that it replaces, as `Outcome.to_json` gives it, where there was one."""
    differs_because: str = Field(default="", max_length=2000)
    """Why that is not the result that the board was recorded with, where it is not."""
    board_id: UUID | None = maybe_ref("board_records.id", index=False)
    """The board that it was worked out on, where one was filed: when the board changes, the score is stale."""


class Consequence(Row, table=True):
    """What follows of a decision, each with a life of its own (R3, R8, R9, R111)."""

    __tablename__ = "consequences"

    case_id: UUID = ref("cases.id")
    decision_id: UUID | None = maybe_ref("decisions.id")
    kind: ConsequenceKind = Field(sa_type=enum_text(ConsequenceKind))
    state: ConsequenceState = Field(sa_type=enum_text(ConsequenceState))
    explanation: Text = Field(sa_type=text_json())
    detail: str = Field(default="", max_length=2000)
    since: datetime


class Appeal(Filed, table=True):
    """One side's attack on one decision; appeals of the same decision are tried in one proceeding."""

    __tablename__ = "appeals"

    case_id: UUID = ref("cases.id")
    decision_id: UUID = ref("decisions.id")
    proceeding_id: UUID = ref("proceedings.id")
    party_id: UUID = ref("parties.id")
    lodged_at: datetime
    lodged_by: UUID = ref("persons.id", index=False)
    received_by: UUID | None = maybe_ref("persons.id", index=False)
    channel: FilingChannel = Field(sa_type=enum_text(FilingChannel))
    wants: str = Field(max_length=10_000)
    grounds: str = Field(default="", max_length=20_000)
    in_time: bool | None = None
    found_in_time: bool | None = None
    warned_at: datetime | None = None
    warned_by: UUID | None = maybe_ref("persons.id", index=False)
    warned_how: str = Field(default="", max_length=2000)
    withdrawn_at: datetime | None = None
    withdrawn_by: UUID | None = maybe_ref("persons.id", index=False)
    outcome: AppealOutcome | None = Field(default=None, sa_type=enum_text(AppealOutcome), nullable=True)
    without_merit: bool | None = None

    __table_args__ = (
        Index(
            "uq_appeals_in_force",
            "decision_id",
            "party_id",
            unique=True,
            sqlite_where=text("withdrawn_at IS NULL"),
            postgresql_where=text("withdrawn_at IS NULL"),
        ),
    )


class Concurrence(Row, table=True):
    """A partner's or captain's word on an appeal (Law 92D): given, told to an official, or deemed with a reason."""

    __tablename__ = "concurrences"

    appeal_id: UUID = ref("appeals.id")
    person_id: UUID = ref("persons.id", index=False)
    at: datetime
    recorded_by: UUID = ref("persons.id", index=False)
    told_how: str = Field(default="", max_length=2000)
    deemed_because: str = Field(default="", max_length=2000)

    __table_args__ = (UniqueConstraint("appeal_id", "person_id"),)

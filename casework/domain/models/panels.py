"""The body that decides: panel, seats, hearing, ballot, votes, and the notes only the panel sees."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, text
from sqlmodel import Field, UniqueConstraint

from casework.domain.models.base import Filed, Row, enum_text, json, maybe_ref, ref, text_json
from casework.domain.terms import ConflictState, Position, SeatRole
from casework.text import Text


class Panel(Row, table=True):
    """Who tries one proceeding, and how far its hearing has come (`steps`: step → instant)."""

    __tablename__ = "panels"

    proceeding_id: UUID = ref("proceedings.id", index=False)
    size: int
    quorum: int
    composed_at: datetime
    hearing_place: str = Field(default="", max_length=200)
    hearing_at: datetime | None = None
    parties_called_at: datetime | None = None
    unsure_since: datetime | None = None
    """Since when a hearing that was called is not sure: others try the case, and everybody is called again."""
    opened_at: datetime | None = None
    closed_at: datetime | None = None
    steps: dict[str, Any] = Field(default_factory=dict, sa_type=json())

    __table_args__ = (UniqueConstraint("proceeding_id"),)


class Seat(Row, table=True):
    """One person with the panel: called, attended, conflict of interest, and which reserve stepped in."""

    __tablename__ = "seats"

    panel_id: UUID = ref("panels.id")
    person_id: UUID = ref("persons.id")
    role: SeatRole = Field(sa_type=enum_text(SeatRole))
    seated_at: datetime
    called_at: datetime | None = None
    called_how: str = Field(default="", max_length=200)
    attended: bool | None = None
    conflict: ConflictState = Field(sa_type=enum_text(ConflictState))
    suggestion: Text | None = Field(default=None, sa_type=text_json(), nullable=True)
    conflict_reason: str = Field(default="", max_length=2000)
    decided_by: UUID | None = maybe_ref("persons.id", index=False)
    replaces_id: UUID | None = maybe_ref("seats.id", index=False)

    __table_args__ = (UniqueConstraint("panel_id", "person_id"),)

    @property
    def deciding(self) -> bool:
        """Sits to decide: neither an attendee (R17) nor recused."""
        return self.role is not SeatRole.ATTENDEE and self.conflict.sits


class Attendance(Row, table=True):
    """A party's presence at a hearing, or its absence noted with what was done to call it."""

    __tablename__ = "attendances"

    panel_id: UUID = ref("panels.id")
    party_id: UUID = ref("parties.id")
    present: bool
    note: str = Field(default="", max_length=2000)
    noted_at: datetime
    noted_by: UUID = ref("persons.id", index=False)

    __table_args__ = (UniqueConstraint("panel_id", "party_id"),)


class Ballot(Row, table=True):
    """A question put to a panel: blind until closed, or a vote taken in the room and recorded by the chair.

    A vote that decides nothing is taken again in a new ballot; the newest counts.
    """

    __tablename__ = "ballots"

    panel_id: UUID = ref("panels.id")
    opened_at: datetime
    closed_at: datetime | None = None
    in_room: bool = False

    __table_args__ = (
        Index(
            "uq_ballots_open",
            "panel_id",
            unique=True,
            sqlite_where=text("closed_at IS NULL"),
            postgresql_where=text("closed_at IS NULL"),
        ),
    )


class Vote(Filed, table=True):
    """A member's position; every position and dissent is kept and named."""

    __tablename__ = "votes"

    ballot_id: UUID = ref("ballots.id")
    seat_id: UUID = ref("seats.id", index=False)
    position: Position = Field(sa_type=enum_text(Position))
    dissent: str = Field(default="", max_length=10_000)
    cast_at: datetime

    __table_args__ = (UniqueConstraint("ballot_id", "seat_id"),)


class PanelNote(Filed, table=True):
    """A note of the deliberation: `shared` with the panel, else its author's own. No party view joins it (S-AC4)."""

    __tablename__ = "panel_notes"

    panel_id: UUID = ref("panels.id")
    seat_id: UUID = ref("seats.id")
    shared: bool
    text: str = Field(max_length=20_000)
    written_at: datetime

"""What is asked for and what is filed: demands, statements, attachments."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlmodel import Field

from casework.domain.models.base import Filed, Row, enum_text, json, maybe_ref, ref
from casework.domain.terms import ActionName, DemandEnd, DemandKind, FilingChannel, StatementKind


class Demand(Row, table=True):
    """Who was asked for what, and how it ended: answered, declined or silent. Its last day is a Deadline."""

    __tablename__ = "demands"

    case_id: UUID = ref("cases.id")
    proceeding_id: UUID = ref("proceedings.id")
    party_id: UUID = ref("parties.id")
    kind: DemandKind = Field(sa_type=enum_text(DemandKind))
    asked_at: datetime
    asked_by: UUID | None = maybe_ref("persons.id", index=False)
    question: str = Field(default="", max_length=10_000)
    about: list[str] = Field(default_factory=list, sa_type=json())
    """The late statements that it lets the party answer, by id; empty where it is what all were asked."""
    ended: DemandEnd | None = Field(default=None, sa_type=enum_text(DemandEnd), nullable=True)
    ended_at: datetime | None = None


class Statement(Filed, table=True):
    """A signed text: a party's statement, an answer, the director's report in four parts (`parts`), a request."""

    __tablename__ = "statements"

    case_id: UUID = ref("cases.id")
    proceeding_id: UUID = ref("proceedings.id")
    kind: StatementKind = Field(sa_type=enum_text(StatementKind))
    demand_id: UUID | None = maybe_ref("demands.id")
    party_id: UUID | None = maybe_ref("parties.id")
    author_id: UUID = ref("persons.id", index=False)
    entered_by: UUID | None = maybe_ref("persons.id", index=False)
    channel: FilingChannel = Field(sa_type=enum_text(FilingChannel))
    text: str = Field(default="", max_length=50_000)
    parts: dict[str, Any] | None = Field(default=None, sa_type=json())
    signed_at: datetime
    received_at: datetime
    opened_at: datetime | None = None
    left_out_at: datetime | None = None
    """When the body left it out of account because it came late."""
    left_out_by: UUID | None = maybe_ref("persons.id", index=False)
    left_out_because: str = Field(default="", max_length=10_000)

    @property
    def is_draft(self) -> bool:
        """Whether a director noted it before his ruling: no paper of the case, for the ruling says what counts."""
        return self.kind is StatementKind.ADDITION and self.opened_at is None


class Remark(Filed, table=True):
    """The reason somebody gave for a step: an override, a prolonged window, a deemed concurrence. Kept and listed."""

    __tablename__ = "remarks"

    case_id: UUID = ref("cases.id")
    proceeding_id: UUID = ref("proceedings.id", index=False)
    action: ActionName = Field(sa_type=enum_text(ActionName))
    override: bool = False
    text: str = Field(max_length=10_000)
    written_by: UUID | None = maybe_ref("persons.id", index=False)
    written_at: datetime


class Attachment(Filed, table=True):
    """A file as its sender made it; the bytes stand in the data folder under `key`."""

    __tablename__ = "attachments"

    case_id: UUID = ref("cases.id")
    party_id: UUID | None = maybe_ref("parties.id")
    statement_id: UUID | None = maybe_ref("statements.id")
    appeal_id: UUID | None = maybe_ref("appeals.id")
    uploaded_by: UUID = ref("persons.id", index=False)
    uploaded_at: datetime
    key: str = Field(max_length=64, unique=True)
    name: str = Field(max_length=160)
    media_type: str = Field(max_length=80)
    size: int
    sha256: str = Field(max_length=64)


class CaseFile(Row, table=True):
    """A PDF of a case, of its proof of notice, or of one notice for the post, as the case stood at `head_seq`.

    Made again it is a new row.
    """

    __tablename__ = "case_files"

    case_id: UUID = ref("cases.id")
    notice_id: UUID | None = maybe_ref("notices.id")
    for_parties: bool = False
    of_proof: bool = False
    """The proof of notice alone."""
    language: str = Field(default="sv", max_length=5)
    head_seq: int = 0
    asked_by: UUID = ref("persons.id", index=False)
    asked_at: datetime
    made_at: datetime | None = None
    key: str = Field(default="", max_length=64)
    sha256: str = Field(default="", max_length=64)
    pages: int = 0
    failed_because: str = Field(default="", max_length=2000)

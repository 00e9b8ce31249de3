"""The tables. Importing this package registers all of them on `SQLModel.metadata`."""

from casework.domain.models.cases import (
    BoardRecord,
    Case,
    CaseCounter,
    Incident,
    Party,
    PartyMember,
    Proceeding,
)
from casework.domain.models.decisions import Appeal, Concurrence, Consequence, Decision
from casework.domain.models.history import (
    AccessEntry,
    Checkpoint,
    Deadline,
    DeliveryTry,
    Event,
    FormReceipt,
    Notice,
    OutboxJob,
    Tick,
)
from casework.domain.models.panels import Attendance, Ballot, Panel, PanelNote, Seat, Vote
from casework.domain.models.papers import Attachment, CaseFile, Demand, Remark, Statement
from casework.domain.models.people import Account, Contact, Grant, Link, Person, SignIn
from casework.domain.models.tournaments import Entry, EntryMember, Presence, Session, Tournament

__all__ = [
    "AccessEntry",
    "Account",
    "Appeal",
    "Attachment",
    "Attendance",
    "Ballot",
    "BoardRecord",
    "Case",
    "CaseCounter",
    "CaseFile",
    "Checkpoint",
    "Concurrence",
    "Consequence",
    "Contact",
    "Deadline",
    "Decision",
    "DeliveryTry",
    "Demand",
    "Entry",
    "EntryMember",
    "Event",
    "FormReceipt",
    "Grant",
    "Incident",
    "Link",
    "Notice",
    "OutboxJob",
    "Panel",
    "PanelNote",
    "Party",
    "PartyMember",
    "Person",
    "Presence",
    "Proceeding",
    "Remark",
    "Seat",
    "Session",
    "SignIn",
    "Statement",
    "Tick",
    "Tournament",
    "Vote",
]

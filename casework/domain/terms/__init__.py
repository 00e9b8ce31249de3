"""The words of the model as closed lists, named as in the glossary. Labels for people stand in `labels.py`."""

from casework.domain.terms.deciding import (
    AppealOutcome,
    ConsequenceKind,
    ConsequenceState,
    HearingStep,
    Position,
    RulingOutcome,
)
from casework.domain.terms.papers import DemandEnd, DemandKind, FilingChannel, StatementKind
from casework.domain.terms.people import LEFT, UNANSWERED, Body, ConflictState, Part, Role, SeatRole
from casework.domain.terms.procedure import ActionName, CaseKind, DeadlineEnd, DeadlineKind, ProceedingKind, State
from casework.domain.terms.telling import (
    Audience,
    CalendarStatus,
    Channel,
    JobState,
    LinkPurpose,
    NoticeKind,
    NoticeState,
)
from casework.domain.terms.tournament import AppealRoute, Form, Side

__all__ = [
    "LEFT",
    "UNANSWERED",
    "ActionName",
    "AppealOutcome",
    "AppealRoute",
    "Audience",
    "Body",
    "CalendarStatus",
    "CaseKind",
    "Channel",
    "ConflictState",
    "ConsequenceKind",
    "ConsequenceState",
    "DeadlineEnd",
    "DeadlineKind",
    "DemandEnd",
    "DemandKind",
    "FilingChannel",
    "Form",
    "HearingStep",
    "JobState",
    "LinkPurpose",
    "NoticeKind",
    "NoticeState",
    "Part",
    "Position",
    "ProceedingKind",
    "Role",
    "RulingOutcome",
    "SeatRole",
    "Side",
    "State",
    "StatementKind",
]

"""What only reminds somebody of a duty, so that he may do without it (E4)."""

from uuid import UUID

from casework.domain.terms import ActionName, NoticeKind

REMINDERS = frozenset({NoticeKind.TASK_DUE, NoticeKind.HEARING_REMINDER, NoticeKind.CONFLICT_REMINDER})
REMINDING = frozenset({ActionName.REMIND_OFFICIAL, ActionName.REMIND_OF_HEARING, ActionName.REMIND_OF_CONFLICT})
"""The steps whose reminders a person may have stopped; the same kind may ask for something elsewhere."""


def can_be_stopped(kind: NoticeKind, party_id: UUID | None) -> bool:
    """Whether its reader may stop such notices: everything else has effects in law, and a party is always reminded."""
    return kind in REMINDERS and party_id is None

"""Who acts, and in which capacity."""

from enum import StrEnum


class Role(StrEnum):
    """What a person is trusted with, in the federation or at one tournament."""

    DIRECTOR = "director"
    CHIEF_DIRECTOR = "chief_director"
    ASSISTANT_DIRECTOR = "assistant_director"
    ORGANISER = "organiser"
    JURY_MEMBER = "jury_member"
    LK_MEMBER = "lk_member"
    LK_RESERVE = "lk_reserve"
    LK_CHAIR = "lk_chair"
    BOARD_MEMBER = "board_member"
    OFFICE = "office"


class Part(StrEnum):
    """In which capacity somebody acts in one case; the workflow's tables name parts, never roles."""

    DIRECTOR = "director"
    CHIEF_DIRECTOR = "chief_director"
    ORGANISER = "organiser"
    OFFICE = "office"
    PARTY = "party"
    APPELLANT = "appellant"
    PANEL = "panel"
    CHAIR = "chair"
    SEATED = "seated"
    ATTENDS = "attends"
    LK_CHAIR = "lk_chair"
    SYSTEM = "system"


class Body(StrEnum):
    """Who decides in a proceeding."""

    DIRECTOR = "director"
    JURY = "jury"
    LAW_COMMISSION = "law_commission"


class SeatRole(StrEnum):
    """In which role somebody sits with a panel; an attendee follows under R17 and has no vote."""

    CHAIR = "chair"
    MEMBER = "member"
    RESERVE = "reserve"
    ATTENDEE = "attendee"


class ConflictState(StrEnum):
    """How far the question of a conflict of interest (jäv) has come for one seat."""

    UNDECLARED = "undeclared"
    NONE = "none"
    SUGGESTED = "suggested"
    DECLARED = "declared"
    RECUSED = "recused"
    REPLACED = "replaced"
    """Somebody else sits instead, for another reason than a conflict of interest."""

    @property
    def sits(self) -> bool:
        """Whether the seat is still its holder's."""
        return self not in LEFT


UNANSWERED = frozenset({ConflictState.UNDECLARED, ConflictState.SUGGESTED})
"""Whose holder has been asked and has not said anything."""
LEFT = frozenset({ConflictState.RECUSED, ConflictState.REPLACED})
"""Whose seat is no more: the case is closed to both alike."""

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

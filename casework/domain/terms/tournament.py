"""The event that a case comes from, and its sides."""

from enum import StrEnum


class AppealRoute(StrEnum):
    """Which body an event's appeals go to first."""

    JURY_ON_SITE = "jury_on_site"
    JURY_LATER = "jury_later"
    LAW_COMMISSION = "law_commission"


class Form(StrEnum):
    """What a contestant is: it changes who must concur in an appeal."""

    PAIRS = "pairs"
    TEAMS = "teams"
    INDIVIDUAL = "individual"


class Side(StrEnum):
    """The side at the table."""

    NORTH_SOUTH = "north_south"
    EAST_WEST = "east_west"

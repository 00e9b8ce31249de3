"""Editions of the Laws: which one judges an incident, and what it lets a body do."""

from datetime import date
from enum import StrEnum

from casework.text import Text, t


class LawEdition(StrEnum):
    """An edition of the Laws of Duplicate Bridge; of `earlier` ones the system knows no numbers."""

    earlier = "earlier"
    laws_2007 = "2007"
    laws_2017 = "2017"

    @property
    def words(self) -> Text:
        """The edition's name."""
        match self:
            case LawEdition.laws_2017:
                return t("the Laws of 2017")
            case LawEdition.laws_2007:
                return t("the Laws of 2007")
            case _:
                return t("earlier Laws")


# R43. The start in 2008 is inferred: the edition was printed in May 2008 and had to be in use by 30 September.
_IN_FORCE = (
    (date(2017, 9, 1), LawEdition.laws_2017),
    (date(2008, 7, 1), LawEdition.laws_2007),
)


def edition_on(day: date) -> LawEdition:
    """The edition in force on the local date of the incident (R43)."""
    return next((edition for start, edition in _IN_FORCE if day >= start), LawEdition.earlier)


class Body(StrEnum):
    """Who rules or decides."""

    director = "director"
    jury = "jury"
    law_commission = "law_commission"
    disciplinary_board = "disciplinary_board"


def may_weight(edition: LawEdition, body: str) -> bool:
    """Whether `body` (a value of `Body`) may weight several results (R73): the director only since 2017."""
    if edition is LawEdition.laws_2017 and body == Body.director:
        return True
    return body in (Body.jury, Body.law_commission)

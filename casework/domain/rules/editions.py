"""Editions of the Laws: which one judges an incident, and what it lets a body do."""

from datetime import date
from enum import StrEnum

from casework.domain.terms import Body
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


def why_not_weight(edition: LawEdition, body: Body) -> Text | None:
    """What forbids `body` to weight several results (R73, C1): until 2017 the director gives one."""
    if edition is LawEdition.laws_2017 or body is not Body.DIRECTOR:
        return None
    return t("By {edition} only a jury and the Law Commission may weight a score.", edition=edition.words)


def standard(edition: LawEdition) -> Text | None:
    """What an assigned score is measured by (R70), for the editor to explain; None for laws not known here."""
    match edition:
        case LawEdition.laws_2017:
            return t("The score comes as near as possible to what would probably have happened without the infraction.")
        case LawEdition.laws_2007:
            return t(
                "The side that did nothing wrong gets the best result that was likely without the infraction. "
                "The offending side gets the worst that could reasonably have come about."
            )
        case _:
            return None

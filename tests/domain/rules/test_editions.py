"""Which edition judges an incident, and who may weight under it."""

from datetime import date

import pytest

from casework.domain.rules.editions import LawEdition, edition_on, standard, why_not_weight
from casework.domain.terms import Body


@pytest.mark.parametrize(
    ("day", "edition"),
    [
        (date(2008, 6, 30), LawEdition.earlier),
        (date(2008, 7, 1), LawEdition.laws_2007),
        (date(2017, 8, 31), LawEdition.laws_2007),
        (date(2017, 9, 1), LawEdition.laws_2017),
        (date(2026, 11, 28), LawEdition.laws_2017),
    ],
)
def test_the_incident_picks_the_edition(day: date, edition: LawEdition) -> None:
    """R43."""
    assert edition_on(day) is edition


@pytest.mark.parametrize(
    ("edition", "bodies"),
    [
        (LawEdition.earlier, {Body.JURY, Body.LAW_COMMISSION}),
        (LawEdition.laws_2007, {Body.JURY, Body.LAW_COMMISSION}),
        (LawEdition.laws_2017, {Body.DIRECTOR, Body.JURY, Body.LAW_COMMISSION}),
    ],
)
def test_who_may_weight(edition: LawEdition, bodies: set[Body]) -> None:
    """R73, C1: the director only under the laws of 2017."""
    assert {body for body in Body if why_not_weight(edition, body) is None} == bodies


def test_each_edition_has_its_own_standard() -> None:
    """R70: since 2017 the probable outcome; of earlier laws nothing is said (R43)."""
    told = {edition: standard(edition) for edition in LawEdition}
    assert told[LawEdition.earlier] is None
    assert len({words.msgid for words in told.values() if words}) == 2

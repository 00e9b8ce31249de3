"""What a day off is called: why no deadline ends on it."""

from datetime import date

from dateutil.easter import easter

from casework.text import Text, t

_FIXED_HOLIDAYS = {
    (1, 1): t("New Year's Day"),
    (1, 6): t("Epiphany"),
    (5, 1): t("1 May"),
    (6, 6): t("the National Day"),
    (12, 24): t("Christmas Eve"),
    (12, 25): t("Christmas Day"),
    (12, 26): t("the second day of Christmas"),
    (12, 31): t("New Year's Eve"),
}
_FROM_EASTER = {
    -2: t("Good Friday"),
    1: t("Easter Monday"),
    39: t("Ascension Day"),
}
"""Days from Easter Sunday."""


def day_off(day: date) -> Text:
    """Why no deadline ends on `day`; the weekday goes before the holiday, as everybody knows it."""
    if day.weekday() >= 5:
        return t("a Saturday") if day.weekday() == 5 else t("a Sunday")
    if named := _FIXED_HOLIDAYS.get((day.month, day.day)):
        return named
    if day.weekday() == 4 and day.month == 6 and 19 <= day.day <= 25:
        return t("Midsummer Eve")
    return _FROM_EASTER.get((day - easter(day.year)).days, t("a day off in the federation's calendar"))

"""What a day off is called: why no deadline ends on it."""

from datetime import date

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
_MOVABLE_HOLIDAYS = (
    ((3, 4), 4, t("Good Friday")),
    ((3, 4), 0, t("Easter Monday")),
    ((4, 5, 6), 3, t("Ascension Day")),
    ((6,), 4, t("Midsummer Eve")),
)


def day_off(day: date) -> Text:
    """Why no deadline ends on `day`; the weekday goes before the holiday, as everybody knows it."""
    if day.weekday() >= 5:
        return t("a Saturday") if day.weekday() == 5 else t("a Sunday")
    if named := _FIXED_HOLIDAYS.get((day.month, day.day)):
        return named
    return next((name for months, weekday, name in _MOVABLE_HOLIDAYS
                 if day.month in months and day.weekday() == weekday), t("a public holiday"))  # fmt: skip

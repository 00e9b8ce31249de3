"""What a time says of itself: a reader can count to its end from the words alone, in both languages."""

from collections.abc import Callable
from datetime import date, datetime

import pytest

from casework.adapters import i18n
from casework.domain.calendar import Reckoning, Span, Unit, reckon_given
from casework.text import Text
from tests.domain.test_calendar import HOLIDAYS, STOCKHOLM, paused, reckoned


@pytest.mark.parametrize(
    ("reckoning", "swedish", "english"),
    [
        (
            lambda: paused("2026-11-27T21:12", 10, Unit.days, ("2026-12-04T10:00", "2026-12-08T12:00")),
            (
                "Tiden är 10 dagar (utan fredag 4 december 2026 till och med tisdag 8 december 2026, då tiden står "
                "still) "
                "och skulle sluta lördag 12 december 2026. Det är en lördag. Därför flyttas sista dagen till "
                "måndag 14 december 2026."
            ),
            (
                "The time is 10 days (not counting Friday 4 December 2026 to Tuesday 8 December 2026, when the time "
                "stands "
                "still) and would end Saturday 12 December 2026. That is a Saturday, so the last day is moved to "
                "Monday 14 December 2026."
            ),
        ),
        (
            lambda: paused("2026-12-02T21:12", 10, Unit.days, ("2026-12-14T10:00", "2026-12-16T12:00")),
            (
                "Tionde dagen är en lördag, följd av en söndag och 3 dagar då tiden står still. Därför flyttas sista "
                "dagen "
                "till torsdag 17 december 2026."
            ),
            (
                "The tenth day is a Saturday, followed by a Sunday and 3 days on which the time stands still, so the "
                "last "
                "day is moved to Thursday 17 December 2026."
            ),
        ),
        (
            lambda: reckoned("2026-12-14T10:00", 10, Unit.days),
            (
                "Tionde dagen är julafton, följd av juldagen, en lördag och en söndag. Därför flyttas sista dagen till "
                "måndag 28 december 2026."
            ),
            (
                "The tenth day is Christmas Eve, followed by Christmas Day, a Saturday and a Sunday, so the last day "
                "is "
                "moved to Monday 28 December 2026."
            ),
        ),
        (
            lambda: reckoned("2026-12-10T10:00", 10, Unit.working_days),
            (
                "Sista dagen är måndag 28 december 2026. Lördagar, söndagar och torsdag 24 december 2026 till och med "
                "fredag 25 december 2026 räknas inte."
            ),
            (
                "so the last day is Monday 28 December 2026. Saturdays, Sundays and Thursday 24 December 2026 to "
                "Friday 25 "
                "December 2026 are not counted."
            ),
        ),
        (
            lambda: paused(
                "2026-11-27T21:12", 10, Unit.days, ("2026-12-12T10:00", "2026-12-12T12:00"), more=(Span(1, Unit.weeks),)
            ),
            (
                "1 vecka till har getts, räknat från måndag 7 december 2026 (utan lördag 12 december 2026, då tiden "
                "står "
                "still). Sista dagen var måndag 7 december 2026 och är nu tisdag 15 december 2026."
            ),
            (
                "1 week more has been given, counted from Monday 7 December 2026 (not counting Saturday 12 December "
                "2026, "
                "when the time stands still). The last day was Monday 7 December 2026 and is now Tuesday 15 December "
                "2026."
            ),
        ),
        (
            lambda: paused("2026-11-28T21:00", 30, Unit.minutes, ("2026-11-28T21:10", "2026-11-28T21:20")),
            (
                "Tiden är 30 minuter (utan tiden från lördag 28 november 2026 kl. 21.10 till lördag 28 november 2026 "
                "kl. "
                "21.20, då tiden står still) och går ut lördag 28 november 2026 kl. 21.40."
            ),
            (
                "The time is 30 minutes (not counting the time from Saturday 28 November 2026 at 21.10 to Saturday 28 "
                "November 2026 at 21.20, when the time stands still) and runs out Saturday 28 November 2026 at 21.40."
            ),
        ),
        (
            lambda: reckoned("2026-10-25T02:45", 30, Unit.minutes),
            (
                "går ut söndag 25 oktober 2026 kl. 02.15 (vintertid). Klockan ställs tillbaka från 03.00 till 02.00 "
                "söndag "
                "25 oktober 2026."
            ),
            (
                "runs out Sunday 25 October 2026 at 02.15 (winter time). On Sunday 25 October 2026 the clock is set "
                "back from 03.00 to 02.00"
            ),
        ),
        (
            lambda: reckoned("2027-03-28T01:45", 30, Unit.minutes),
            "går ut söndag 28 mars 2027 kl. 03.15. Klockan ställs fram från 02.00 till 03.00 söndag 28 mars 2027.",
            "runs out Sunday 28 March 2027 at 03.15. On Sunday 28 March 2027 the clock is set forward from 02.00",
        ),
    ],
)
def test_a_reader_can_count_to_the_end(reckoning: Callable[[], Reckoning], swedish: str, english: str) -> None:
    """R-DL1: days and minutes that are left out, what moves a last day, and what the clock does, are in the words."""
    words = reckoning().explanation
    assert swedish in i18n.render(words, "sv")
    assert english in i18n.render(words, "en")


def given_on(day: str, *more: Span, over: Text | None = None) -> Reckoning:
    """Ten days that ended 7 December 2026, until a day instead."""
    return reckon_given(
        date.fromisoformat(day),
        since=datetime(2026, 12, 1, 12, tzinfo=STOCKHOLM),
        by_itself=reckoned("2026-11-27T12:00", 10, Unit.days),
        span=Span(10, Unit.days),
        zone=STOCKHOLM,
        holidays=HOLIDAYS,
        over=over,
        more=more,
    )


def test_a_day_that_is_given_is_moved_as_every_last_day_is() -> None:
    """What is given on top of it is counted from before it was moved, and every reason stays."""
    over = reckoned("2026-11-27T12:00", 10, Unit.days).explanation
    sunday = given_on("2026-12-13", over=over)
    assert (sunday.unrolled, sunday.last_day) == (date(2026, 12, 13), date(2026, 12, 14))
    assert sunday.instant.astimezone(STOCKHOLM).strftime("%d %H.%M.%S") == "14 23.59.59"
    assert i18n.render(sunday.explanation, "sv").endswith(
        "Tiden är 10 dagar. Sista dagen är måndag 7 december 2026, en vardag, och flyttas inte. "
        "Sedan har mer tid getts, till söndag 13 december 2026. Det är en söndag. "
        "Därför flyttas sista dagen till måndag 14 december 2026."
    )
    assert given_on("2026-12-13", Span(1, Unit.weeks)).unrolled == date(2026, 12, 20)

"""A day that somebody sets so far ahead that he is asked whether he means it; no time of the procedure is so long."""

from datetime import datetime, timedelta

from casework.text import Text, t

FURTHEST = timedelta(days=366)
AT_THE_EVENT = timedelta(days=60)
"""The players are there: what happens at the event is soon."""


def far_ahead(at: datetime, now: datetime, *, on_site: bool) -> Text | None:
    """How far off a time lies, as a question; None for one that nobody wonders about."""
    ahead = at - now
    if ahead <= (AT_THE_EVENT if on_site else FURTHEST):
        return None
    years = ahead // timedelta(days=365.2425)
    if years == 1:
        return t("That is more than a year from now. Is it right?")
    if years:
        return t("That is {count} years from now. Is it right?", count=years)
    return t("That is {count} days from now. Is it right?", count=ahead.days)

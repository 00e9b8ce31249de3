"""Deadlines on the command line: one reckoned from a base and a rule."""

import json
from datetime import datetime

from casework.adapters import i18n
from casework.domain.calendar import Span
from casework.domain.errors import Invalid
from casework.services.reckoning import reckoned
from casework.text import t


def reckon(base: str, rule: str, language: str) -> int:
    """Print as JSON when a time ends, and why: the same reckoning as page, mail and PDF have."""
    at = _instant(base)
    found = reckoned(at, Span.read(rule), t("Counted from {at}", at=at))
    answer = {
        "unrolled": found.unrolled and found.unrolled.isoformat(),
        "last_day": found.last_day and found.last_day.isoformat(),
        "instant": found.instant.isoformat().replace("+00:00", "Z"),
        "explanation": i18n.render(found.explanation, language),
    }
    print(json.dumps(answer, ensure_ascii=False, indent=2))
    return 0


def _instant(text: str) -> datetime:
    """An instant with its offset: without one, the night when the clock goes back has two of each time."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise Invalid({"base": t('"{text}" is no instant. Write date, time and offset from UTC, for example '
                                 '"2027-03-12T14:05+01:00".', text=text)})  # fmt: skip
    return at

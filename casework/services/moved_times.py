"""Times that a step moved, as the history keeps and says them: whose, the old end and the new, how long it stood."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from casework.domain.calendar import Span
from casework.domain.labels import time_for
from casework.domain.models import Deadline
from casework.services.loading import Loaded
from casework.text import Text, Value, t


def entry(row: Deadline, new: datetime | None, left: Sequence[Span] = ()) -> dict[str, str]:
    """One time as an event keeps it. `left`: how much of it, where it has no end until it is let go on."""
    known = {
        "deadline": str(row.id),
        "was": row.instant.isoformat() if row.instant else "",
        "now": new.isoformat() if new else "",
        "since": row.halted_at.isoformat() if row.halted_at else "",
        "left": ", ".join(f"{each.value} {each.unit}" for each in left),
    }
    return {key: value for key, value in known.items() if value}


def interval(data: Mapping[str, Any], at: datetime) -> Text | None:
    """From when to when the times of an event stand or stood still; none for a step of another kind."""
    begins, ends = _instant(data, "begins"), _instant(data, "ends")
    if begins is not None:
        return _from(begins, ends)
    since = [found for each in data.get("moved", ()) if (found := _instant(each, "since"))]
    return _from(min(since), at) if since else None


def left(data: Mapping[str, Any], deadline_id: UUID) -> Text | None:
    """How much is left of a time when it goes on."""
    kept = next((each.get("left") for each in data.get("moved", ()) if each["deadline"] == str(deadline_id)), None)
    parts: list[Value] = [Span.read(each).words for each in kept.split(", ")] if kept else []
    return t("{what}", what=parts) if parts else None


def said(loaded: Loaded, data: Mapping[str, Any], at: datetime, names: Mapping[UUID, Text]) -> Sequence[Text]:
    """The sentences of an event: how long, and every old and new end. `names`: what the parties are called."""
    stood = interval(data, at)
    first = t("The time stands still {interval}.") if data.get("begins") else t("The time stood still {interval}.")
    return [*([Text(first.msgid, {"interval": stood})] if stood else []), *_lines(loaded, data, names)]


def _lines(loaded: Loaded, data: Mapping[str, Any], names: Mapping[UUID, Text]) -> Iterator[Text]:
    rows = {str(row.id): row for row in loaded.deadlines}
    for each in data.get("moved", ()):
        row = rows[each["deadline"]]
        what = time_for(row.kind)
        name = t("{what}, {party}", what=what, party=names[row.party_id]) if row.party_id else what
        yield _line(name, _instant(each, "was"), _instant(each, "now"), left(data, row.id))


def _line(name: Text, old: datetime | None, new: datetime | None, remains: Text | None) -> Text:
    ends: dict[str, Value] = {key: at for key, at in (("old", old), ("new", new)) if at is not None}
    match old, new:
        case None, None:
            return t("{name}: had not begun.", name=name)
        case None, _:
            return t("{name}: now until {new}.", name=name, **ends)
        case _, None if remains:
            return t("{name}: until {old} before, now without an end. What is left of it is {left}.", name=name,
                     left=remains, **ends)  # fmt: skip
        case _, None:
            return t("{name}: until {old} before, now without an end.", name=name, **ends)
        case _ if old == new:
            return t("{name}: until {old} as before.", name=name, **ends)
        case _:
            return t("{name}: moved from {old} to {new}.", name=name, **ends)


def _from(begins: datetime, ends: datetime | None) -> Text:
    if ends is None:
        return t("from {begins} until somebody lets it go on", begins=begins)
    return t("from {begins} to {ends}", begins=begins, ends=ends)


def _instant(data: Mapping[str, Any], key: str) -> datetime | None:
    return datetime.fromisoformat(data[key]) if data.get(key) else None

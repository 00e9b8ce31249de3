"""What a notice says of times that stand still or go on: a party reads its own, an official all."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import select

from casework.domain.calendar import Span, Unit
from casework.domain.labels import label, time_for
from casework.domain.models import Deadline, Event, Remark
from casework.domain.terms import ActionName, DeadlineKind, NoticeKind
from casework.services.mail_rows import Rows
from casework.services.moved_times import interval, left
from casework.services.times_ahead import why
from casework.text import Text, t

OF_TIMES = frozenset({NoticeKind.TIME_SUSPENDED, NoticeKind.TIME_RESUMED})


def times_told(rows: Rows) -> Mapping[str, Any]:
    """What the words of a notice about times use.

    `times` in lines, `own_times` whether the reader has any, `whose` they are, `because` the reason given, `interval`
    from when to when, `ahead` whether it is still to begin, `past` whether it has ended, `open` whether it has no end,
    `left` of the reader's own; `by_minutes` and `by_days` whether minutes or days are left out of what he reads of.
    """
    if rows.notice.kind not in OF_TIMES or rows.cause is None:
        return {"times": "", "own_times": False, "whose": "", "because": "", "interval": "", "ahead": False,
                "past": False, "open": False, "left": "", "by_minutes": False, "by_days": False}  # fmt: skip
    times = times_of(rows)
    own = bool(times) and rows.notice.party_id is not None
    beside = times[1:] if own else times  # a party's first stands in the block of its own
    return {
        "times": "\n".join(rows.say(words) for words in _lines(rows, beside)),
        "own_times": own,
        "whose": rows.join(dict.fromkeys(rows.party(row.party_id) for row in _named(rows) if row.party_id)),
        "because": _because(rows),
        "by_minutes": any(_by_minutes(row) for row in times),
        "by_days": not all(_by_minutes(row) for row in times),
        **_standing(rows, rows.cause, times[0] if own else None),
    }


def _standing(rows: Rows, cause: Event, own: Deadline | None) -> Mapping[str, Any]:
    stood, begins, ends = interval(cause.data, cause.at), cause.data.get("begins", ""), cause.data.get("ends", "")
    remains = left(cause.data, own.id) if own else None
    return {
        "interval": rows.say(stood) if stood else "",
        "ahead": bool(begins) and datetime.fromisoformat(begins) > rows.sent_at,
        "past": bool(ends) and datetime.fromisoformat(ends) <= rows.sent_at,
        "open": bool(begins) and not ends,
        "left": rows.say(remains) if remains else "",
    }


def _by_minutes(row: Deadline) -> bool:
    """Whether a time ends at a moment, from which minutes are left out, and not with a last day (`calendar`)."""
    if row.instant is not None:
        return row.last_day is None
    more = [Span.read(text).unit for text in row.more]
    at_a_moment = row.given_day is None if row.given_until is not None else Unit(row.span_unit).exact
    return at_a_moment and all(unit.exact for unit in more)


def times_of(rows: Rows) -> Sequence[Deadline]:
    """The times that a step let stand still or go on, as far as the recipient reads them; to appeal first."""
    if rows.notice.kind not in OF_TIMES:
        return []
    found = [row for row in _named(rows) if rows.notice.party_id in (None, row.party_id)]
    return sorted(found, key=lambda row: row.kind is not DeadlineKind.APPEAL_WINDOW)


def _named(rows: Rows) -> list[Deadline]:
    named = set(rows.cause.data.get("deadlines", ())) if rows.cause else set()
    return [row for row in rows.loaded.deadlines if str(row.id) in named]


def _lines(rows: Rows, times: Sequence[Deadline]) -> Iterator[Text]:
    for row in times:
        what = label(row.kind) if row.instant else time_for(row.kind)
        name = t("{what}, {party}", what=what, party=rows.party(row.party_id))
        explained = why(rows.loaded, row, mine=row.party_id == rows.notice.party_id)
        yield (
            t("{name}: until {at}. {why}", name=name, at=row.instant, why=explained)
            if row.instant
            else t("{name}: {why}", name=name, why=explained)
        )


def _because(rows: Rows) -> str:
    if rows.cause is None:
        return ""
    given = select(Remark.text).where(
        Remark.case_id == rows.notice.case_id,
        Remark.action == ActionName(rows.cause.action),
        Remark.written_at == rows.cause.at,
    )
    return rows.quoted(rows.session.exec(given).first() or "")

"""What a notice says of times that stand still or go on: a party reads its own, an official all."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlmodel import select

from casework.domain.labels import label
from casework.domain.models import Deadline, Remark
from casework.domain.terms import ActionName, DeadlineKind, NoticeKind
from casework.services.mail_rows import Rows
from casework.services.times_ahead import why
from casework.text import Text, t

MATTER = {
    DeadlineKind.APPEAL_WINDOW: t("Time to appeal"),
    DeadlineKind.STATEMENT: t("Time for a statement"),
    DeadlineKind.ANSWER: t("Time to answer the others' statements"),
}
"""What a party's time is for, where no last moment can be said."""


def times_told(rows: Rows) -> Mapping[str, Any]:
    """`times` in lines, `own_times` whether the reader has any, `whose` they are, `because` the reason given."""
    if rows.notice.kind not in (NoticeKind.TIME_SUSPENDED, NoticeKind.TIME_RESUMED):
        return {"times": "", "own_times": False, "whose": "", "because": ""}
    times = times_of(rows)
    own = bool(times) and rows.notice.party_id is not None
    beside = times[1:] if own else times  # a party's first stands in the block of its own
    return {
        "times": "\n".join(rows.say(words) for words in _lines(rows, beside)),
        "own_times": own,
        "whose": rows.join(dict.fromkeys(rows.party(row.party_id) for row in _named(rows) if row.party_id)),
        "because": _because(rows),
    }


def times_of(rows: Rows) -> Sequence[Deadline]:
    """The times that a step let stand still or go on, as far as the recipient reads them."""
    if rows.notice.kind not in (NoticeKind.TIME_SUSPENDED, NoticeKind.TIME_RESUMED):
        return []
    return [row for row in _named(rows) if rows.notice.party_id in (None, row.party_id)]


def _named(rows: Rows) -> list[Deadline]:
    named = set(rows.cause.data.get("deadlines", ())) if rows.cause else set()
    return [row for row in rows.loaded.deadlines if str(row.id) in named]


def _lines(rows: Rows, times: Sequence[Deadline]) -> Iterator[Text]:
    for row in times:
        what = label(row.kind) if row.instant else MATTER.get(row.kind, label(row.kind))
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

"""Cases as rows of a list, for the macro `case_rows`."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from casework.domain.explaining import left
from casework.services.standing import Standing
from casework.text import Text, t
from casework.web.words import when


def case_rows(
    cases: Iterable[Standing],
    now: datetime,
    *,
    acting: bool = False,
    waited: bool = False,
    reader: UUID | None = None,
) -> list[Mapping[str, Any]]:
    """Where the cases stand; `acting`: what those who must act do, `waited`: for whom others wait since when.

    `reader` is asked for his own word on an appeal, where it is still needed.
    """
    rows = []
    for case in cases:
        own = _own(case, reader)
        # The nearest time is another's: who is asked for his word has none.
        instant = case.nearest if own is None else None
        rows.append(_row(case, own or _said(case, acting=acting, waited=waited), instant, now))
    return rows


def _own(case: Standing, reader: UUID | None) -> Text | None:
    if reader not in case.concurring or reader in case.waiting.acting:
        return None
    return t("Your side has appealed. Say whether you concur.")


def _said(case: Standing, *, acting: bool, waited: bool) -> Text:
    if waited and case.waiting.persons:
        return t("Waits for {who} since {since}.", who=case.waiting.who, since=case.since)
    return case.waiting.task if acting and case.waiting.task else case.waiting.lead


def _row(case: Standing, state: Text, instant: datetime | None, now: datetime) -> Mapping[str, Any]:
    passed = instant is not None and case.overdue(now)
    return {
        "number": case.number,
        "place": ", ".join(case.place),
        "title": case.title,
        "url": f"/arenden/{case.case_id}",
        "state": state,
        "last_day": (left(instant, now) if passed else when(instant)) if instant else "",
        "left": left(instant, now) if instant and not passed else "",
        "passed": passed,
        "tag": t("Overdue") if passed else t("Final") if case.over else None,
        "tag_kind": "held" if passed else "plain",
    }

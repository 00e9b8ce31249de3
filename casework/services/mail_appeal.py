"""An appeal in the words of a notice: who appeals what, who stands behind it, and what is tried beside it."""

from collections.abc import Iterable, Mapping
from typing import Any

from casework.domain.models import Appeal
from casework.domain.workflow.appeal import BEFORE_DECISION
from casework.domain.workflow.decision_guards import lacking
from casework.services.mail_rows import Rows
from casework.services.snapshot import snapshot
from casework.text import t


def appeal_words(rows: Rows) -> Mapping[str, Any] | None:
    """The appeal as parties and officials read it.

    Of the others in its proceeding `still_tried` are those that came in time, and `left_late` those of which the body
    is still to decide whether they are tried.
    """
    appeal = rows.appeal
    if appeal is None:
        return None
    together = [a for a in rows.loaded.appeals if a.proceeding_id == appeal.proceeding_id and not a.withdrawn_at]
    others = [other for other in together if other.id != appeal.id]
    return {
        "party": rows.party(appeal.party_id),
        "mine": appeal.party_id == rows.notice.party_id,
        "by": rows.name(appeal.lodged_by),
        "at": appeal.lodged_at,
        "wants": rows.quoted(appeal.wants, appeal.lodged_by),
        "grounds": rows.quoted(appeal.grounds, appeal.lodged_by),
        "late": appeal.in_time is False and appeal.withdrawn_at is None and rows.trying.state in BEFORE_DECISION,
        "to_forward": rows.forwarding is not None,
        "partner": rows.is_partner(appeal.party_id),
        "still_tried": _parties(rows, (other for other in others if other.in_time is not False)),
        "left_late": _parties(rows, (other for other in others if other.in_time is False)),
        "wanted": _wanted(rows, together or [appeal]),
        "warned_how": rows.quoted(appeal.warned_how, appeal.warned_by),
    }


def _parties(rows: Rows, appeals: Iterable[Appeal]) -> str:
    return rows.join(rows.party(one.party_id) for one in appeals)


def _wanted(rows: Rows, appeals: list[Appeal]) -> list[tuple[str, str]]:
    """What every side wants changed, each under its heading: appeals of one decision are tried together."""
    alone = t("What is to be changed")
    return [
        (
            rows.say(t("What {party} wants changed", party=rows.party(one.party_id)) if appeals[1:] else alone),
            rows.quoted(one.wants, one.lodged_by),
        )
        for one in appeals
    ]


def word_is_asked(rows: Rows) -> bool:
    """Whether an appeal of the reader's own side, of this decision or tried here, lacks his word (Law 92D)."""
    facts, own = snapshot(rows.loaded), rows.notice.party_id
    appeals = (a for a in (*facts.tried_here, *facts.against_this) if a.party_id == own)
    return any(rows.notice.person_id in lacking(facts, appeal) for appeal in appeals)


def concurrence_words(rows: Rows) -> Mapping[str, Any] | None:
    """The word on the appeal that the step recorded, and none after it."""
    on_appeal = (c for c in rows.loaded.concurrences if rows.appeal and c.appeal_id == rows.appeal.id)
    ours = [c for c in on_appeal if c.at <= rows.notice.due_at]
    newest = max(ours, key=lambda c: c.at, default=None)
    if newest is None:
        return None
    return {
        "name": rows.name(newest.person_id),
        "because": rows.quoted(newest.deemed_because),
        "told_how": rows.quoted(newest.told_how),
        "mine": newest.person_id == rows.notice.person_id,
        "by": rows.name(newest.recorded_by),
    }
